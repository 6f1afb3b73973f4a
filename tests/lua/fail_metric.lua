-- expect: fail_metric.lua:3: error: a result has no field 'makspan'; did you mean 'makespan'?
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
print(s:run { policy = "fcfs" }.makspan)
