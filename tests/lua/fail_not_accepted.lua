-- expect: fail_not_accepted.lua:6: error: policy 'fcfs' does not accept 'inputs', which task 1 has
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 1, inputs = { file("f", 1) } } },
}
s:run { policy = "fcfs" }
