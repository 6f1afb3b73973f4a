-- The validator skips whole periods of profiles, be they ever so short.
-- expect: 0	0	0	0
-- expect: 4800
local function wrong(every, time, arrival)
  return #scenario {
    platform = platform { host "a" { availability = { values = { 1, 0.5 }, every = every } } },
    workload = workload.tasks(20, function(i) return { time = time, arrival = arrival * i } end),
  }:run { policy = "fcfs" }:validate()
end
local files = scenario {
  platform = platform { cluster "c" { nodes = 20,
    link = { bandwidth = { values = { 1e3, 500 }, every = 1e-6 }, sharing = "fair" } } },
  workload = workload.tasks(20, function(i) return { time = 1, inputs = { file("f" .. i, 1e5) } } end),
}
print(wrong(0.001, 3600, 0), wrong(1e-9, 5, 0), wrong(1e-15, 5, 1e6), #files:run { policy = "workqueue" }:validate())
print(("%.0f"):format(scenario {
  platform = platform { host "a" { availability = { values = { 1, 0.5 }, every = 0.001 } } },
  workload = workload.tasks { { time = 3600 } },
}:run { policy = "fcfs", validate = true }.makespan))
