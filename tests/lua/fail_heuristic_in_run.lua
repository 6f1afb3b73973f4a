-- expect: fail_heuristic_in_run.lua:6: error: attempt to
-- expect: in heuristic 'broken', pick for task 1 of 1
-- expect: at t = 4.5 s
heuristic "broken" {
  pick = function(c, task)
    return c:best(task) + nil
  end,
}
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1, arrival = 4.5 } } }
s:run { policy = mapped { map = "broken" } }
