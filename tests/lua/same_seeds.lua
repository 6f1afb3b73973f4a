-- Replications that are one replication several times, for the script fixes the seed; and others that are alike
-- because nothing in them is random.
-- expect: same seeds ok
local p = platform { cluster "c" { nodes = 2 } }
local random = scenario {
  platform = p,
  workload = workload.tasks(20, function(i, rng) return { time = rng:uniform(5, 15), arrival = i } end),
}
local constant = scenario { platform = p, workload = workload.tasks { { time = 8 }, { time = 3 } } }
local function warned(name, run)
  local e = experiment(name) { factors = { { "policy", { "fcfs", "sjf" } } }, replications = 3, run = run }
  return e:warnings(), e:table("makespan", { warnings = true })
end

local list, means = warned("fixed", function(f) return random:run { policy = f.policy, seed = 1 } end)
assert(#list == 2 and #means == 2)
assert(list[1].policy == "fcfs" and list[2].policy == "sjf")
for i = 1, 2 do
  assert(list[i].cells == 3 and means[i].warned == 3)
  assert(list[i].warning:find("with the seed 1 in place of the one that run(f, seed) is given: the script names it", 1, true))
end

-- A stream of its own fixes the work just so.
list = warned("stream", function(f)
  local rng, times = stream("mine", 7), {}
  for i = 1, 5 do times[i] = { time = rng:uniform(1, 9) } end
  return scenario { platform = p, workload = workload.tasks(times) }:run { policy = f.policy }
end)
assert(#list == 2 and list[1].warning:find("the seed 7", 1, true))

-- Only one of the two policies has it.
list = warned("half", function(f) return random:run { policy = f.policy, seed = f.policy == "sjf" and 4 or nil } end)
assert(#list == 1 and list[1].policy == "sjf")

-- Forks of one simulation are one and the same run; in a cell it may be started and forked.
local under_way = random:start { policy = "fcfs", seed = 3 }
under_way:run_until(10)
list = warned("forks", function(f)
  local fork = under_way:fork()
  if f.policy == "sjf" then fork:set_policy "sjf" end
  return fork:run()
end)
assert(#list == 2 and list[1].cells == 3)
assert(list[1].warning:find("with the seed 3 in place of the one that run(f, seed) is given: the script names it, or forks a simulation that has it", 1, true))
assert(#warned("forks within", function(f) return random:start({ policy = f.policy }):fork():run() end) == 0)
assert(#warned("forks with more", function(f)
  local fork = under_way:fork()
  fork:submit { time = stream("more"):uniform(50, 90) }
  return fork:run()
end) == 0)

assert(#warned("own", function(f) return random:run { policy = f.policy } end) == 0)
assert(#warned("passed on", function(f, seed) return random:run { policy = f.policy, seed = seed } end) == 0)
assert(#warned("made of it", function(f, seed) return random:run { policy = f.policy, seed = seed + 1 } end) == 0)
assert(#warned("constant", function(f) return constant:run { policy = f.policy } end) == 0)
-- The work is fixed, and something else is not.
assert(#warned("mixed", function(f, seed)
  return { makespan = random:run({ policy = f.policy, seed = 1 }).makespan + stream("more"):uniform() }
end) == 0)
print "same seeds ok"
