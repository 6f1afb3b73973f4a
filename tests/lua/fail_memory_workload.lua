-- args: --memory 20MB
-- expect: a workload of 90000000 pieces needs
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks(90000000, function() return { time = 1 } end) }
s:run { policy = "workqueue" }
