-- Six tasks of 10 s on one host, arrivals 1 to 6, deadlines i + 9: task 1 finishes at 11 > 10, all others later still.
-- With a warm-up of 5 only tasks 5 and 6 count as arrived, and both are late.
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks(6, function(i) return { time = 10, arrival = i, deadline = i + 9 } end),
}
local r = s:run { policy = "fcfs", warmup = 5 }
assert(r.arrived == 2 and r.missed == 6 and r.miss_ratio == 1, r.miss_ratio)
assert(s:run { policy = "fcfs" }.miss_ratio == 1)

-- Work that is submitted or quoted for later does not come before, whatever its own arrival.
local sim = s:start { policy = "fcfs" }
sim:run_until(7)
assert(sim:quote({ time = 5, arrival = 50 }, { at = 100 }).start == 100)
sim:submit({ name = "late", time = 5, arrival = 50 }, { at = 100 })
sim:submit({ name = "later", time = 5, arrival = 150 }, { at = 100 })
local r = sim:run()
local starts = {}
for _, row in ipairs(sim:result():jobs()) do starts[row.name] = row.start end
assert(starts.late == 100 and starts.later == 150, starts.late)
