-- Hosts that steal ready tasks inside of their cluster (Berman et al. 1999, sections 5.2.1 and 7.3.3).
-- takes: seconds
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
    { "grid", { "stable", "unstable", "churn" } }, { "map", full and { "min_min", "sufferage", "extended_sufferage", "xsufferage" } or { "extended_sufferage" } },
    { "plans", { "one", "each 600 s" } }, { "steal", { "no", "yes" } },
  },
  replications = setting("replications", full and 10 or 5),
  run = function(f, seed)
    local given = { clusters = pst.clusters_shared }
    for name, value in pairs(kinds[f.grid]) do given[name] = value end
    local p, events = grids.grid(given, seed)
    return scenario { platform = p, events = events, workload = grids.application { tasks = full and 400 or 150 } }:run {
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
pst.claim("section 5.2.1", "work stealing makes up for what nobody knows: with one plan of an unstable grid schedules are shorter",
          studies.ratio(e, "makespan", "steal", "yes", "no", when("unstable", "one")), "less")
pst.claim("section 5.2.1", "so they are with a plan each 600 s", studies.ratio(e, "makespan", "steal", "yes", "no", when("unstable", "each 600 s")), "less")
pst.claim("section 7.3.3", "where hosts come and go, with a plan each 600 s, they are shorter too",
          studies.ratio(e, "makespan", "steal", "yes", "no", when("churn", "each 600 s")), "less", "does not reproduce")
pst.claim("section 7.3.3", "it is of no use where all is as predicted", studies.ratio(e, "makespan", "steal", "yes", "no", when("stable", "each 600 s")), "same")
