-- Heuristics x grids x applications x seeds, as section 8 of Berman et al. (1999) runs them: nothing is computed twice, curves as CSV.
-- takes: seconds
-- perigee run scripts/pst/batch.lua --out results
--   --set full=true     ten heuristics, four grids, four applications as in the report, five seeds: minutes
--
-- Give the same command again, or kill it and give it again: finished cells are in results/experiments.sqlite.
-- test: --out $OUT/out
-- expect: curves

local grids = require "grids"
local pst = require "pst"
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
  figure11 = { clusters = pst.clusters },
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

-- Of each cell: its makespan over the least of any heuristic on the same grid, application and seed.
local least, excess, wins, cells = {}, {}, {}, 0
for _, name in ipairs(order) do excess[name] = {} end
local function case(row) return row.grid .. "/" .. row.application .. "/" .. row.replication end
for _, row in ipairs(e:rows()) do
  local c = case(row)
  if not least[c] then cells = cells + 1 end
  least[c] = math.min(least[c] or math.huge, row.makespan)
end
local shown = {}
for _, row in ipairs(e:rows()) do
  local over = row.makespan / least[case(row)]
  table.insert(excess[row.heuristic], over)
  if over == 1 then wins[row.heuristic] = (wins[row.heuristic] or 0) + 1 end
  shown[#shown + 1] = { heuristic = row.heuristic, case = row.grid .. ", " .. row.application, over = over }
end
print "Mean makespan, s"
print(e:table "makespan")
print(("\nMakespan over the least of any heuristic, in %d cases of grid, application and seed"):format(cells))
for _, name in ipairs(order) do
  print(("  %s  %s  the least in %d"):format(name, studies.text(stats.interval(excess[name])), wins[name] or 0))
end
if #shown > 0 then plot(shown, { x = "case", y = "over", by = "heuristic", kind = "bars", y_label = "makespan over the least", file = "batch" }) end

-- The curves of figures, a row for each grid, application and heuristic; and every cell.
local saved, problem = pcall(function()
  e:table("makespan", "bytes_moved"):csv "curves"
  e:save "cells"
end)
if not saved and problem.code ~= "no_output" then error(problem) end
if saved then print "curves in curves.csv, cells in cells.csv" end
print ""

local function over(name) return stats.interval(excess[name]) end
do
  local worst = "H0"
  for _, name in ipairs(order) do
    if over(name).mean > over(worst).mean then worst = name end
  end
  claim { source = pst.source .. ", section 9", says = "workqueue is not adapted to applications whose tasks share files", holds = worst == "H0",
          found = ("it takes %s times as long as the best, on average over all cases"):format(studies.text(over "H0")), verdict = "reproduces" }
end

-- Extended sufferage against min-min, on the same grid, application and seed.
local ratio = { files = {}, compute = {} }
for _, row in ipairs(e:rows()) do
  if row.heuristic == "H4" then
    for _, other in ipairs(e:rows()) do
      if other.heuristic == "H1" and case(other) == case(row) then
        table.insert(ratio[row.application == "compute" and "compute" or "files"], row.makespan / other.makespan)
      end
    end
  end
end
for _, c in ipairs { { "files", "where transfers weigh", "does not reproduce" }, { "compute", "where computation weighs", "reproduces" } } do
  local less = stats.interval(ratio[c[1]])
  claim { source = pst.source .. ", section 9", says = "sufferage by cluster is more adapted to shared files than min-min: extended sufferage takes less time, " .. c[2],
          holds = less.high < 1, found = ("%s times as long, on average over these cases"):format(studies.text(less)), verdict = c[3] }
end
