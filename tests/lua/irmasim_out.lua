-- A run saved in IRMaSim's format reads back as the same scenario, and runs to the same end.
-- args: --out $OUT --data $OUT
-- expect: irmasim out ok

local same = require("modules.expect").same
local p = platform { cluster "a" { nodes = 2, cores = 4, speed = "2 Gop/s" }, cluster "b" { nodes = 1, cores = 8, speed = "1 Gop/s" } }
local w = workload.jobs(30, function(i, rng)
  local ops = math.floor(rng:uniform(1e9, 2e10))
  return { arrival = 2 * i, cores = rng:integer(1, 4), ops = ops, estimate = ops }
end)
local r = scenario { platform = p, workload = w }:run { policy = "fcfs", seed = 3 }
r:save("again", { "irmasim" })
local s, options = scenario.irmasim "again/options.json"
same(options.seed, 3, "seed")
local again = s:run { policy = "fcfs" }
same(again.makespan, r.makespan, "makespan")
same(again.mean_wait, r.mean_wait, "mean wait")
local jobs, rows = r:jobs(), csv.read "again/irmasim_jobs.csv"
same(#rows, #jobs, "rows")
for i, row in ipairs(rows) do same(row.id, again:jobs()[i].name, "id") same(row.finish_time, jobs[i].finish, "finish of " .. row.id) end
print "irmasim out ok"
