-- args: --out /proc/nothing
-- expect: the output folder /proc/nothing cannot be made
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:run { policy = "fcfs" }:save "x"
