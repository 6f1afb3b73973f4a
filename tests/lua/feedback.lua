-- A function of a script as the bound of feedback, what it is shown, and what the policy refuses. By hand: load 1 takes
-- 16 s on both nodes and has 20; at 1, 2.5 of its 7 units are sent, and the others take 72/7 of the 100/7 s that it then has.
-- args: --validate

local refused = require("modules.expect").refused
local head = platform { cluster "c" { nodes = 2, link = { bandwidth = 1 } } }
local loads = workload.loads {
  { arrival = 0, size = 7, bytes = 1, time = 3, deadline = 20 },
  { arrival = 1, size = 7, bytes = 1, time = 3, deadline = 60 },
}
local s = scenario { platform = head, workload = loads }

local function states(r)
  local out = {}
  for i, job in ipairs(r:jobs()) do out[i] = job.state end
  return table.concat(out, " ")
end
assert(states(s:run { policy = feedback { bound = 0.8 } }) == "finished finished")
assert(states(s:run { policy = feedback { bound = 0.79 } }) == "rejected finished")
-- It falls before load 2 comes, which has time enough and would make load 1 no later.
local falling = feedback {
  period = 0.5,
  bound = function(period, state)
    if period == 1 then
      assert(state.bound == nil and state.miss_ratio == nil and state.time == 0)
      return 0.8
    end
    assert(state.time == (period - 1) / 2 and state.bound == (period == 2 and 0.8 or 0.71))
    if period == 2 then
      assert(state.arrived == 1 and state.rejected == 0 and state.resolved == 0 and state.misses == 0)
      assert(state.utilization == 0.5)  -- of two nodes one receives its first chunk
    end
    if period == 4 then assert(state.arrived == 1 and state.rejected == 1) end
    if state.time > 15.5 then assert(state.miss_ratio == nil or state.miss_ratio == 0) end
    return 0.71
  end,
}
assert(states(s:run { policy = falling }) == "finished rejected")
assert(s:run { policy = falling }:notes()[1].values == "1 0.8 0 0 1 0 0.5")

-- A fork goes on as the run does.
local one = s:start { policy = falling }
one:run_until(0.7)
local two = one:fork()
one:run()
two:run()
assert(one:result().fingerprint == two:result().fingerprint)

refused("must be a finite number, > 0; in period 1 it is -1", function()
  s:run { policy = feedback { bound = function() return -1 end } }
end)
refused("bound must be a number, \"controlled\" or a function of (period, state), got \"control\"; did you mean 'controlled'?",
        function() feedback { bound = "control" } end)
refused("does not accept no deadline, which load 1 has", function()
  scenario { platform = head, workload = workload.loads { { size = 1, bytes = 1, time = 1 } } }:run { policy = "feedback" }
end)
refused("does not accept 'bytes' = 0, which load 1 has", function()
  scenario { platform = head, workload = workload.loads { { size = 1, time = 1, deadline = 9 } } }:run { policy = "feedback" }
end)
refused("does not accept 'setup' = 1, which host 'c.1' has", function()
  scenario { platform = platform { cluster "c" { nodes = 1, setup = 1 } }, workload = loads }:run { policy = "feedback" }
end)
