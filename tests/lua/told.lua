-- Errors that tell what is so and what is written instead.
-- args: --out $OUT/out --set saved=$OUT/out/study/all
-- expect: told ok
local refused = require("modules.expect").refused
local p = platform {
  cluster "new" { nodes = 3 }, cluster "big" { nodes = 9 }, cluster "named" { host "solo" {} }, host "alone" {},
}
local s = scenario { platform = p, workload = workload.tasks { { time = 1 }, { time = 2, arrival = 1 } } }
local function event(e) return scenario { platform = p, workload = workload.tasks { { time = 1 } }, events = { e } } end

-- A cluster where a host is wanted.
refused("outage: unknown host 'new'; it is a cluster, with the hosts new.1, new.2, new.3",
        function() event(outage { host = "new", from = 1, to = 2 }) end)
refused("failures: unknown host 'big'; it is a cluster, with the hosts big.1, big.2, ..., big.9",
        function() event(failures { host = "big", mtbf = 5, mttr = 1 }) end)
refused("unknown host 'named'; it is a cluster, with the host solo",
        function() event(leave { host = "named", at = 1 }) end)
refused("unknown host 'alome'; did you mean 'alone'?", function() event(leave { host = "alome", at = 1 }) end)
refused("change: only a host or a link changes, and 'new' is a cluster",
        function() s:start({ policy = "fcfs" }):change("new", { speed = 2 }) end)

-- Policies that accept what another one does not.
local files = scenario { platform = p, workload = workload.tasks { { time = 1, inputs = { file("a", 3) } } } }
local ok, problem = pcall(function() files:run { policy = "fcfs" } end)
assert(not ok and problem.message == "policy 'fcfs' does not accept 'inputs', which task 1 has", problem.message)
assert(problem.notes[1]:find "^accepted by .*workqueue.*planner", problem.notes[1])

-- A comparison and its results.
local c = s:compare { "fcfs", "sjf" }
local function hint(text, f)
  local ok, problem = pcall(f)
  assert(not ok)
  local notes = table.concat(problem.notes, "; ")
  if not notes:find(text, 1, true) then error(problem.message .. ": " .. notes, 2) end
end
refused("a comparison has no field 'makespan'", function() return c.makespan end)
ok, problem = pcall(c.plot, c, { kind = "bar" })
assert(not ok and problem.message:find("did you mean 'bars'?", 1, true) and #problem.notes == 0, problem.notes[1])
hint("it is called with a colon", function() c.plot { x = "policy", y = "makespan" } end)

-- Numbers that are none of a parameter's names; a run of no length.
refused('edf: nodes must be "', function() return edf { nodes = 3 } end)
refused("horizon must be > 0 s, got 0", function() s:run { policy = "fcfs", horizon = 0 } end)
refused("why_not: there is no host 'new.7'; did you mean 'new.1'?",
        function() s:run({ policy = "fcfs" }):why_not("task 1", "new.7") end)

-- A random stream of the run belongs to a call; asked for again, it goes on.
local drawn = {}
policy "asks" {
  arrived = function(self, sim, works)
    drawn[#drawn + 1] = sim:stream("u"):uniform()
    if sim:idle_cores(1) > 0 then sim:start(works[1], 1) end
  end,
  decide = function(self, sim) if sim:now() == 1 and sim:state(2) == "waiting" and sim:idle_cores(1) > 0 then sim:start(2, 1) end end,
}
s:run { policy = "asks" }
assert(#drawn == 2 and drawn[1] ~= drawn[2])
policy "keeps" {
  begin = function(self, sim) self.rng = sim:stream "u" end,
  arrived = function(self, sim, works) if sim:now() == 1 then self.rng:uniform() end sim:start(works[1], 1) end,
}
refused("this random stream belongs to a call that is over; do not keep it but ask for it in each call, as by sim:stream(name)",
        function() s:run { policy = "keeps" } end)
local sim = s:start { policy = "keeps" }
sim:step()
refused("a fork cannot copy self.rng, a random stream; it is the run's", function() sim:fork() end)

-- A folder of r:save belongs to the result as a whole.
local r = s:run { policy = "fcfs" }
r:save "run"
refused("holds a result that r:save has written, which is replaced as a whole only", function() r:jobs():csv "run/jobs" end)

-- An experiment that --set names as e:save did is found, wherever it lies.
experiment "study" { run = function() return { x = 3 } end }:save "study/all"
assert(experiment.load(args.saved):rows()[1].x == 3)
print "told ok"
