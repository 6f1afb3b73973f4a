-- expect: task 1: time is beyond any sense: 1e+300
local w = workload.tasks { { time = 1e300 } }
