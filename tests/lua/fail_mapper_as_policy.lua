-- expect: 'min_min' is a mapper, not a policy; write mapped { map = "min_min" }
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:run { policy = "min_min" }
