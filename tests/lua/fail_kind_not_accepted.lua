-- expect: fail_kind_not_accepted.lua:7: error: policy 'fcfs' does not accept work of kind 'sweep'
-- expect: accepted by workqueue, 
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.sweep { runs = 4, ops = 1 },
}
s:run { policy = "fcfs" }
