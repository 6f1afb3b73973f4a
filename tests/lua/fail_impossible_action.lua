-- expect: fail_impossible_action.lua:5: error: policy 'twice' at t = 3
-- expect: in policy 'twice', arrived of 1 (task 1) at t = 3 s
policy "twice" {
  arrived = function(self, sim, works)
    sim:start(works[1], 1); sim:start(works[1], 1)
  end,
}
local s = scenario { platform = platform { host "a" { cores = 4 } }, workload = workload.tasks { { time = 1, arrival = 3 } } }
s:run { policy = "twice" }
