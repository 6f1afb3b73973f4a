-- Policies and processes that would go on for ever without getting anywhere are told so.
-- test: thorough
local function refused(text, f)
  local good, message = pcall(f)
  assert(not good, "it ended")
  assert(tostring(message):find(text, 1, true), message)
end
local function run(policy_of_it, events)
  return scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks { { time = 1 } },
    events = events }:run { policy = policy_of_it or "workqueue", trace = "none" }
end
policy "holder" { accepts = { "tasks" }, decide = function(_, sim)
  if sim:is_up "c.1" and sim:idle_cores "c.1" == 1 then sim:hold { hosts = { "c.1" }, to = sim:now() + 10 } end
end }
refused("policy 'holder' has only held or switched hosts", function() run "holder" end)
refused("time does not move", function()
  run(nil, { process(function(sim) while true do sim:wait(1e-300) end end) })
end)
policy "ticker" { accepts = { "tasks" },
  arrived = function(_, sim, works) sim:start(works[1], "c.1") sim:timer(1e-300) end,
  timer = function(_, sim) sim:timer(sim:now() + 1e-300) end }
refused("time does not move", function() run "ticker" end)

policy "canceller" { accepts = { "tasks" },
  arrived = function(self, sim, works) self.activity = sim:start(works[1], "c.1") sim:timer(sim:now() + 0.5) end,
  timer = function(self, sim)
    sim:cancel(self.activity)
    self.activity = sim:start(1, "c.1")
    sim:timer(sim:now() + 0.5)
  end }
refused("policy 'canceller' has only held or switched hosts, spent scheduling time, suspended, requeued, cancelled and discarded",
        function() run "canceller" end)
