-- Heuristics x grids x applications x seeds, as section 8 of Berman et al. (1999) runs them: nothing is computed twice, curves as CSV.
-- takes: seconds
-- perigee run scripts/pst/batch.lua --out results
--   --set full=true     ten heuristics, four grids, four applications as in the report, five seeds: minutes
--
-- Give the same command again, or kill it and give it again: finished cells are in results/experiments.sqlite.
-- test: --out $OUT/out
-- expect: curves

local grids = require "grids"
local studies = require "studies"
local full = setting("full", false)

-- The heuristics of the report by their numbers; H5 to H8 are the randomised H1 to H4.
local heuristics, order = { H0 = "workqueue" }, {}
for k, map in ipairs { "min_min", "max_min", "sufferage", "extended_sufferage" } do
  heuristics["H" .. k] = planner { map = map }
  heuristics["H" .. k + 4] = planner { map = map, random = 0.01 }
end
heuristics.H9 = planner { map = "sufferage_2" }
for k = 0, 9 do order[k + 1] = "H" .. k end
if not full then order = { "H0", "H1", "H4", "H9" } end

local platforms = {
  figure11 = { clusters = studies.clusters },
  even = { clusters = 4, hosts = 6, availability = 0.5 },
  uneven = { clusters = 6, hosts = { 2, 8 }, availability = { 0.2, 1 }, bandwidth = { 5e3, 50e3 }, latency = { 0.01, 0.5 } },
  jittery = { clusters = 4, hosts = 6, availability = { 0.3, 0.7 }, jitter = 0.4, link_jitter = 0.5 },
}
local applications = {
  ["2400 KB"] = { shared = 2.4e6 }, ["9600 KB"] = { shared = 9.6e6 },
  perturbed = { shared = 2.4e6, perturbation = 0.2 },
  ["compute"] = { shared = { 1e5, 1e6 }, time = distribution.lognormal { mean = 100, sd = 80 }, ratio = 20, bandwidth = 10e3, chunks = 20 },
}
local tasks = full and 400 or 100

local e = experiment "batch" {
  factors = {
    { "grid", full and { "figure11", "even", "uneven", "jittery" } or { "figure11", "uneven" } },
    { "application", full and { "2400 KB", "9600 KB", "perturbed", "compute" } or { "2400 KB", "compute" } },
    { "heuristic", order },
  },
  replications = setting("replications", full and 5 or 3),
  run = function(f, seed)
    local application = { tasks = tasks }
    for name, value in pairs(applications[f.application]) do application[name] = value end
    local p, events = grids.grid(platforms[f.grid], seed)
    return scenario { platform = p, events = events, workload = grids.application(application) }:run { policy = heuristics[f.heuristic] }
  end,
  measure = { "makespan", "bytes_moved" },
}
-- end of experiment
