-- expect: task 3: time must be a number, got nan
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks(5, function(i) return { time = i == 3 and 0 / 0 or 1 } end),
}
s:run { policy = "workqueue" }
