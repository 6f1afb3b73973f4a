-- args: --out "$OUT/results"
-- expect: '../x' must be below the output folder
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:run { policy = "fcfs" }:save "../x"
