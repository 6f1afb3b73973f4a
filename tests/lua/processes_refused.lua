-- Forbidden acts of processes, each refused with the reason.
-- expect: processes refused
local function run(body, policy)
  return scenario {
    platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks { { time = 60 }, { time = 5 } },
    events = { process(body) },
  }:run { policy = policy or "workqueue" }
end
local function refused(text, f, ...)
  local good, problem = pcall(f, ...)
  expect(not good, "refused: " .. text)
  expect(tostring(problem):find(text, 1, true) ~= nil, tostring(problem))
end
refused("did you mean 'a.1'", run, function(sim) sim:fail "a.l" end)
refused("must be a number or a quantity", run, function(sim) sim:wait {} end)
refused("must be >= 0", run, function(sim) sim:wait(-1) end)
refused("wait_until: t = 3 s is over, it is t = 5 s", run, function(sim) sim:wait(5) sim:wait_until(3) end)
refused("yields by itself", run, function() coroutine.yield() end)
refused("not in a coroutine within it", run, function(sim) coroutine.wrap(function() sim:wait(1) end)() end)
refused("in a function that perigee calls", run, function(sim)
  table.sort({ 3, 1, 2 }, function(a, b) sim:wait(1) return a < b end)
end)
refused("it must not call sim:fail", run, function(sim) sim:wait_for(function() sim:fail "a.1" end) end)
refused("it must not call sim:wait", run, function(sim) sim:wait_for(function() sim:wait(1) end) end)
refused("it must not draw", run, function(sim)
  local rng = sim:stream "x"
  sim:wait_for(function() return rng:uniform() < 0 end)
end)
refused("it must not change 'count'", run, function(sim)
  local count = 0
  sim:wait_for(function() count = count + 1 return count > 3 end)
end)
refused("a condition is needed", run, function(sim) sim:wait_for(true) end)
refused("exactly one of speed, factor, availability, bandwidth and latency", run, function(sim) sim:change("a.1", {}) end)
refused("only a link has a bandwidth", run, function(sim) sim:change("a.1", { bandwidth = 1 }) end)
refused("recover: no outage covers a.1", run, function(sim) sim:recover "a.1" end)
refused("recover: no outage covers a.1; it has left", run, function(sim) sim:leave "a.1" sim:recover "a.1" end)
refused("recover: no outage covers a", run, function(sim) sim:fail "a.1" sim:recover "a" end)
refused("join: a.1 is there", run, function(sim) sim:join "a.1" end)
refused("join: a is there", run, function(sim) sim:leave "a" sim:join "a" sim:join "a" end)
refused("leave: a.1 is not there", run, function(sim) sim:leave "a.1" sim:leave "a.1" end)
refused("time does not move", run, function(sim) while true do sim:wait(0) end end)
refused("time does not move", run, function(sim) while true do sim:wait_for(function() return true end) end end)
refused("unknown field 'slowness'", run, function(sim) sim:change("a.1", { slowness = 1 }) end)
refused("sim:stream", run, function() return math.random() end)
refused("function(sim) ... end is needed", process, 5)
refused("'run' is missing", process, {})
refused("'keep_alive'", process, { run = print, keep_alive = true })
local kept
run(function(sim) kept = sim end)
refused("a process that is over", function() kept:fail "a.1" end)
local count = 0
local function counts(sim)
  sim:wait(1)
  count = count + 1
end
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 9 } }, events = { process(counts) } }
s:run { policy = "fcfs" }
refused("has changed the variable 'count', which 'process 1' captured, so that the result would depend on it; keep state in self, and that of a process in local variables of its function", s.run, s, { policy = "fcfs" })
print "processes refused"
