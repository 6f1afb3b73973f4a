-- expect: fail_unknown_scheduler.lua:5: error: unknown scheduler 'workque'; did you mean 'workqueue'?
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
local r = s:run {
  seed = 1,
  policy = "workque",
}
