-- Heuristics x grids x applications x seeds, as section 8 of Berman et al. (1999) runs them: nothing is computed twice, curves as CSV.
-- takes: seconds
-- perigee run scripts/pst/batch.lua --out results
--   --set full=true     ten heuristics, four grids, four applications: 160 runs as in the report, half a minute
--   --set replications=N  seeds
--
-- Give the same command again, or kill it and give it again: finished cells are in results/experiments.sqlite.
-- test: thorough --out $OUT/out
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
local tasks = full and 220 or 100

local e = experiment "batch" {
  factors = {
    { "grid", full and { "figure11", "even", "uneven", "jittery" } or { "figure11", "uneven" } },
    { "application", full and { "2400 KB", "9600 KB", "perturbed", "compute" } or { "2400 KB", "compute" } },
    { "heuristic", order },
  },
  replications = setting("replications", full and 1 or 3),
  run = function(f, seed)
    local application = { tasks = tasks }
    for name, value in pairs(applications[f.application]) do application[name] = value end
    local p, events = grids.grid(platforms[f.grid], seed)
    return scenario { platform = p, events = events, workload = grids.application(application) }:run { policy = heuristics[f.heuristic] }
  end,
  measure = function(r) return { makespan = r.makespan, bytes_moved = r.bytes_moved, events = r.events } end,
}
-- end of experiment

-- The makespan of each cell over the least of any heuristic on the same grid, application and seed.
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

-- All runs of section 8, and what they are about.
local complete, simulated, events = 0, 0, 0
local all = e:rows()
for _, row in ipairs(all) do
  complete, simulated, events = complete + (row.makespan > 0 and 1 or 0), simulated + row.makespan, events + row.events
end
-- How rapidly: the seconds in which schedulers decide, by the clock of the computer, against the time that is simulated.
local decided, of_time = 0, 0
for _, name in ipairs(order) do
  local s = scenario { platform = grids.grid(platforms.uneven, 1), workload = grids.application { tasks = tasks, shared = 2.4e6 } }
  for _, row in ipairs(s:decision_times { policy = heuristics[name] }) do decided = decided + row.seconds end
  of_time = of_time + s:run { policy = heuristics[name] }.makespan
end
claim { statement = "S3-2", verdict = "reproduces", holds = complete == #all and (not full or #all >= 160) and decided < of_time / 1000,
        found = ("%d of %d runs are complete: %d heuristics on %d kinds of grids with %d kinds of applications, %.1f days of simulated time in "
          .. "%.1f million events; decisions of each heuristic take less than a thousandth of the time that they are about: %s"):format(
          complete, #all, #order, full and 4 or 2, full and 4 or 2, simulated / 86400, events / 1e6,
          decided < of_time / 1000 and "yes" or "no"),
        note = "rapidly: decisions by the clock of the computer, a limit of ours; a script cannot read how long the rest of a run takes; all 160 " ..
          "runs take about half a minute of a processor of 2026" }
local combinations, makespans = {}, 0
for _, row in ipairs(all) do
  local key = row.grid .. "/" .. row.application .. "/" .. row.heuristic
  if row.makespan > 0 and not combinations[key] then combinations[key], makespans = true, makespans + 1 end
end
local as_many = makespans == 160
if not full then as_many = "not decided" end
claim { statement = "S3-114", verdict = "reproduces", holds = as_many,
        found = ("%d makespans of %d heuristics, each on %d grids with %d applications"):format(makespans, #order, full and 4 or 2, full and 4 or 2),
        note = "the heuristics are those of the report; its grids and applications are not printed, four of each are ours. A combination whose " ..
              "run " ..
          "did not end would be missing" }
