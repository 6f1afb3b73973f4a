-- Numbers, units and profiles mean the same.
-- expect: quantities agree
local function makespan(parts, tasks, options)
  return scenario { platform = platform(parts), workload = workload.tasks(tasks) }
    :run { policy = "workqueue", validate = true }.makespan
end
assert(makespan({ host "a" { speed = "2 kop/s" } }, { { ops = "1 Mop" } }) == 500)
assert(makespan({ host "a" { speed = 2000 } }, { { ops = 1e6 } }) == 500)
assert(makespan({ host "a" { availability = "50 %" } }, { { time = "1 min" } }) == 120)
assert(makespan({ host "a" { availability = { { 0, 1 }, { 10, 0.5 } } } }, { { time = 20 } }) == 30)
assert(makespan({ host "a" { availability = { times = { 0, 10 }, values = { 1, 0 }, period = 20 } } }, { { time = 20 } }) == 30)
assert(makespan({ host "a" { availability = { values = { 1, 0 }, every = 10 } } }, { { time = 20 } }) == 30)
assert(makespan({ cluster "c" { link = { bandwidth = "1 KB/s", latency = 1 } } },
                { { time = 10, inputs = { file("in", 2000) }, output = 1000 } }) == 1 + 2 + 10 + 1 + 1)
-- times by host and by architecture
local two = { host "x" { architecture = "x86" }, host "y" { architecture = "arm" } }
assert(makespan(two, { { time = { arm = 7 } } }) == 7)
assert(makespan(two, { { times = { math.huge, 3 } } }) == 3)
assert(makespan(two, { { times = { y = 3 } } }) == 3)
assert(scenario { platform = platform(two), workload = workload.etc(etc { { 5, 1 }, { 1, 5 } }) }
         :run { policy = mapped { map = "min_min" } }.makespan == 1)
local one = scenario { platform = platform { cluster "c" { host "a" { speed = 1 }, host "b" { speed = 4 } } },
                       workload = workload.merge(workload.tasks { { ops = 4 } }, workload.tasks { { ops = 4 } }) }
assert(one:run { policy = "fcfs" }.makespan == 4)
local r = one:run { policy = "fcfs" }
assert(#r:jobs() == 2 and #r:resources() >= 2 and r:jobs()[1].finish == 1)
local sweep = scenario { platform = platform { cluster "c" { nodes = 2 } },
                         workload = workload.sweep { runs = 10, trials = 3, time = 1 } }
assert(sweep:run { policy = workqueue { chunk = 2 }, validate = true }.makespan == 18)
-- a record of plain numbers takes a shorter way to the same place
local function generated(extra)
  return scenario { platform = platform { cluster "c" { nodes = 3, speed = 2 } },
                    workload = workload.tasks(50, function(i, rng)
                      return { ops = rng:uniform(1, 9), arrival = i, priority = extra }
                    end) }:run { policy = "workqueue" }.fingerprint
end
assert(generated(nil) == generated(0))
print("quantities agree")
