-- An error in a process: its line, the process, simulated time.
-- expect: fail_process.lua:10: error: attempt to perform arithmetic on a nil value
-- expect: 10 |     sim:wait(10 * nothing)
-- expect: fail_process.lua:8) at t = 12.5 s
local nothing
local s = scenario {
  platform = platform { host "a" {} }, workload = workload.tasks { { time = 60 } },
  events = { process(function() end), process(function(sim)
    sim:wait(12.5)
    sim:wait(10 * nothing)
  end) },
}
s:run { policy = "fcfs" }
