-- A run that goes on and on is stopped too: instants count as steps.
-- args: --steps 2000000
-- expect: the script takes more than 2000000 steps (--steps)
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 1e15 } },
  events = { failures { host = "a", mtbf = 1, mttr = 1 } },
}
pcall(function() s:run { policy = "workqueue", trace = "none" } end)
