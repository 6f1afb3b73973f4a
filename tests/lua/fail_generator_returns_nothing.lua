-- A generator without return: what it must do, at its own line.
-- expect: fail_generator_returns_nothing.lua:5: error: task 1: the function returned nothing; it must return a table
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks(5, function(i, rng)
    local record = { time = i }
  end),
}
s:run { policy = "fcfs" }
