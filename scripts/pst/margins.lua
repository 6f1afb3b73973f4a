-- How far a plan goes beyond the next one (Berman et al. 1999, section 5.5).
-- takes: seconds
-- perigee run scripts/pst/margins.lua --out results
--   --set full=true     more margins, also with perfect information, ten grids and applications: minutes
--
-- The grid of Figure 11 with two thirds of its availability; unstable, with a level that lasts 100 s on average and is drawn within 60 %
-- of its mean. Tasks take 20 to 30 s of a whole host. A plan each 300 s knows the availability of now; hosts that have nothing to do meanwhile wait
-- for it.

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local margins, order = {}, {}
for _, margin in ipairs(full and { 0, 75, 150, 300, 600, 1200, math.huge } or { 0, 300, math.huge }) do
  local name = ("%g s"):format(margin)
  margins[name], order[#order + 1] = margin < math.huge and { margin = margin } or { stop = "never" }, name
end
margins["the interval"], margins.adaptive = { margin_policy = "interval" }, { margin_policy = "adaptive", margin = 75 }
order[#order + 1], order[#order + 2] = "the interval", "adaptive"

local e = experiment "margins" {
  factors = { { "information", full and { "perfect", "current" } or { "current" } }, { "margin", order } },
  replications = setting("replications", full and 10 or 6),
  run = function(f, seed)
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = 0.6, persistence = 0.95 }, seed)
    local given = { map = "extended_sufferage", interval = 300, idle_replan = "never" }
    for name, value in pairs(margins[f.margin]) do given[name] = value end
    return scenario { platform = p, workload = grids.application { tasks = full and 1000 or 300, time = { 20, 30 }, shared = 300e3 } }:run {
      policy = planner(given), information = f.information,
    }
  end,
  measure = function(r)
    local placed, plans = 0, 0
    for _, note in ipairs(r:notes()) do
      if note.name == "plan" then placed, plans = placed + note[2], plans + 1 end
    end
    return { makespan = r.makespan, busy = r.utilization, placed = placed, plans = plans }
  end,
}
-- end of experiment

print(e:table("makespan", "busy", "placed", "plans"))
plot(e:rows(), { x = "margin", y = "makespan", by = "information", kind = "bars", file = "margins" })
print ""

local function current(row) return row.information == "current" end
pst.claim("section 5.5", "hosts that are faster than predicted would stay idle until the next plan: a margin as long as the interval makes schedules shorter",
          studies.ratio(e, "makespan", "margin", "the interval", "0 s", current), "less", "does not reproduce")
local placed = studies.ratio(e, "placed", "margin", "0 s", "inf s", current)
claim { source = pst.source .. ", section 5.5", says = "it is not necessary to plan everything each time: fewer tasks are placed than without an end",
        holds = placed.high < 1, found = studies.text(placed) .. " times as many", verdict = "reproduces" }
pst.claim("section 5.5", "and schedules are as short", studies.ratio(e, "makespan", "margin", "0 s", "inf s", current), "same")
