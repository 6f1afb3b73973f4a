-- An error in a callback: traceback, simulated time, decision at hand.
-- expect: fail_callback.lua:9: error: attempt to perform arithmetic on a nil value (field 'nothing')
-- expect: 9 |   return self.nothing + 1
-- expect: in policy 'broken', arrived of 2 (task 2, task 3) at t = 12.5 s
-- expect: fail_callback.lua:12: in
-- expect: fail_callback.lua:21: in the main chunk
local function helper(self)
  -- the error is here
  return self.nothing + 1
end
policy "broken" {
  arrived = function(self, sim, works) if sim:now() > 10 then print(helper(self)) end end,
  finished = function() end,
  decide = function(self, sim) if sim:state(1) == "waiting" then sim:start(1, 1) end end,
}

local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 1 }, { time = 1, arrival = 12.5 }, { time = 1, arrival = 12.5 } },
}
s:run { policy = "broken" }
