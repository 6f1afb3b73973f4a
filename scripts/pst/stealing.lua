-- Hosts that steal ready tasks inside of their cluster (Berman et al. 1999, sections 5.2.1 and 7.3.3).
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/stealing.lua --out results
--   --set full=true     more heuristics, ten grids and applications: minutes
--
-- The grid of Figure 11 with two thirds of its availability, of which plans know everything (stable), or what it is now while it changes
-- each 100 s on average within 60 % of its mean (unstable), or everything but that hosts go and come back (churn).

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local kinds = {
  stable = {}, unstable = { jitter = 0.6, persistence = 0.95 }, churn = { churn = { stay = 2000, away = 500, till = 40000 } },
}
local e = experiment "stealing" {
  factors = {
    { "grid", { "stable", "unstable", "churn" } }, { "map", full and { "min_min", "sufferage", "extended_sufferage",
      "xsufferage" } or { "extended_sufferage" } },
    { "plans", { "one", "each 600 s" } }, { "steal", { "no", "yes" } },
  },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    local given = { clusters = pst.clusters_shared }
    for name, value in pairs(kinds[f.grid]) do given[name] = value end
    local p, events = grids.grid(given, seed)
    return scenario { platform = p, events = events, workload = grids.application { tasks = full and 220 or 100 } }:run {
      policy = planner { map = f.map, steal = f.steal == "yes", interval = f.plans == "one" and math.huge or 600 },
      information = f.grid == "unstable" and "current" or "perfect",
    }
  end,
  measure = function(r) return { makespan = r.makespan, stolen = r.stolen } end,
}
-- end of experiment

print(e:table("makespan", "stolen"))
plot(e:rows(), { x = "grid", y = "makespan", by = "steal", kind = "bars", file = "stealing" })
print ""

local function when(grid, plans) return function(row) return row.grid == grid and row.plans == plans end end
for _, case in ipairs { { "unstable", "one", "less", "with one plan of an unstable grid hosts that steal make shorter schedules" },
                        { "unstable", "each 600 s", "less",
                          "hosts that steal make shorter schedules with a plan of an unstable grid each 600 s too" } } do
  local ratio = studies.ratio(e, "makespan", "steal", "yes", "no", when(case[1], case[2]))
  local sense = studies.sense(ratio)
  claim { source = "found here", says = case[4], holds = sense == case[3] and true or sense == "same" and "not decided" or false,
          found = studies.text(ratio) .. " times as long", verdict = "reproduces" }
end
