-- Mappers made of mappers and functions: in maps, runs, forks, experiments; what a script's scheduler may be given.
-- expect: composed
local rng = stream("matrix", 3)
local rows = {}
for t = 1, 30 do
  rows[t] = {}
  for m = 1, 4 do rows[t][m] = rng:integer(1, 20) end
end
local matrix = etc(rows)
local function same(a, b)
  local x, y = map(a, matrix), map(b, matrix)
  assert(x.makespan == y.makespan, tostring(a))
  for t = 1, 30 do assert(x.machine[t] == y.machine[t] and x.order[t] == y.order[t], tostring(a)) end
end
local function refused(f, text)
  local ok, problem = pcall(f)
  assert(not ok and problem.message:find(text, 1, true), tostring(problem))
end

-- A list holds names, constructors, mappers with parameters, heuristics of the script, and lists in turn.
heuristic "shortest_first" { smallest = true, pure = true, pick = function(c, task) return c:best(task) end }
local nested = best_of { "mct", max_min, sufferage { form = "passes" }, best_of { "met", shortest_first } }
assert(tostring(nested) == 'best_of { mct, max_min, sufferage { form = "passes" }, best_of { met, shortest_first } }')
local least = math.huge
for _, each in ipairs { "mct", "max_min", sufferage { form = "passes" }, "met", "min_min" } do
  least = math.min(least, map(each, matrix).makespan)
end
assert(map(nested, matrix).makespan == least)
same(duplex, best_of { "min_min", "max_min" })
same(best_of { maps = { "mct" } }, "mct")
same(then_improve("olb", local_search { take = "first" }), then_improve { map = "olb", with = local_search { take = "first" } })
same(mct {}, mct)
assert(tostring(mapped "mct") == "mapped { map = mct }")
refused(function() return best_of { "mct", "minmin" } end, "unknown mapper 'minmin'; did you mean 'min_min'?")
refused(function() return best_of { "mct", "fcfs" } end, '"fcfs" is a policy')
refused(function() return best_of { "mct", maps = { "met" } } end, "given twice")
refused(function() return best_of { "mct", 3 } end, "each entry of the list must be a mapper, by name or with its parameters, got 3")
refused(function() return best_of { [2] = "mct" } end, "without gaps")
refused(function() return best_of { maps = { a = "mct" } } end, "a list is needed, got the key 'a'")
refused(function() return then_improve("mct", "met") end, "met makes its own")
refused(function() return then_improve("mct", "sa", "ga") end, "it has 2 parts, got 3")
refused(function() return min_min { "sorted" } end, "parameters have names, got 1")
refused(function() return min_min { form = { "sorted" } } end, 'form must be "classic" or "sorted", got { "sorted" }')
refused(function() return min_min { form = function() end } end, 'form must be "classic" or "sorted", got function (')
refused(function() return switch { when = print } end, "a function is no value for a parameter")

-- A function chooses by what the problem is like.
local seen
local by_size = switch { "min_min", "sufferage", when = function(p)
  seen = { p:tasks(), p:machines(), p:etc(2, 3), p:ready(1), p:balance() }
  assert(p:task_heterogeneity() > 0 and p:machine_heterogeneity() > 0)
  return p:tasks() > 100
end }
same(by_size, "sufferage")
seen = nil
assert(map(by_size, matrix).taken == 2 and tostring(by_size):find("when = function (", 1, true))
seen = nil
map(by_size, matrix, { ready = { 3, 6, 4, 5 } })
assert(seen[1] == 30 and seen[2] == 4 and seen[3] == matrix:time(2, 3) and seen[4] == 3 and seen[5] == 0.5)
local kept
map(switch { when = function(p) kept = p; return true end }, matrix)
refused(function() return kept:tasks() end, "belongs to a call that is over")
refused(function() map(switch { when = function(p) p:assign(1, 1) end }, matrix) end, "a switch, which only looks")
map(switch { when = function(p) return p:copy():assign(1, 1) > 0 end }, matrix)
refused(function() map(switch { when = function() end }, matrix) end, "must return true or false, a number or a name")
refused(function() map(switch { when = function() return 3 end }, matrix) end, "there are mappers 1 to 2")

-- In runs, where each ask is another problem; a fork goes on as the original would have.
local s = scenario {
  platform = platform { cluster "a" { nodes = 2 }, cluster "b" { nodes = 1, speed = 3 } },
  workload = workload.tasks(30, function(i, r) return { ops = r:integer(1, 9), arrival = i // 3 } end),
}
local crowded = switch { "max_min", "mct", when = function(p) return p:tasks() > 2 * p:machines() end }
for _, mapper in ipairs { crowded, nested, then_improve(crowded, tabu { hops = 5 }), best_of { random, random } } do
  local whole = s:run { policy = mapped { map = mapper }, seed = 2 }
  local sim = s:start { policy = mapped { map = mapper }, seed = 2 }
  sim:run_until(5)
  local fork = sim:fork()
  assert(sim:run().full_fingerprint == whole.full_fingerprint and fork:run().full_fingerprint == whole.full_fingerprint)
end

-- Its changes outside are seen by no other run and no fork.
local calls = 0
local counting = switch { when = function(p) calls = calls + 1; return calls % 2 == 0 end }
s:run { policy = mapped(counting) }
refused(function() s:run { policy = mapped(counting) } end, "an earlier run or fork of function (")
calls = 0
local sim = s:start { policy = mapped(counting) }
sim:run_until(5)
refused(function() sim:fork() end, "a fork cannot copy the variable 'calls'")

-- A script's own schedulers are given mappers, choices and lists as well; a policy keeps them in self.
local given
heuristic "by_law" {
  parameters = { law = { "near", "far" }, first = sufferage { form = "passes" }, others = { mct, "met" and met }, weight = 2 },
  pick = function(c, task, args) given = args; return args.law == "near" and -task or task end,
}
map(by_law {}, matrix)
assert(given.law == "near" and given.weight == 2 and #given.others == 2)
same(given.first, sufferage { form = "passes" })
same(given.others[2], "met")
given = nil
map(by_law { law = "far", first = "mct", olb }, matrix)
assert(given.law == "far" and #given.others == 1)
same(given.others[1], "olb")
same(given.first, "mct")
given = nil
refused(function() return by_law { law = "neer" } end, "did you mean 'near'?")
refused(function() return by_law { first = "fcfs" } end, "is a policy")
for text, parameters in pairs {
  ['the default of \'p\' is a text: write { "mct", ... } for a choice, mct for the mapper'] = { p = "mct" },
  ['write { "near", ... } for a choice'] = { p = "near" },
  ["one at least"] = { p = {} },
  ["and no names"] = { p = { "a", b = "c" } },
  ["'p' has the choice 'a' twice"] = { p = { "a", "a" } },
  ["is a list of texts, its choices, or of mappers, got 3"] = { p = { "a", 3 } },
  ["'fcfs' is a policy, not a mapper"] = { p = fcfs },
} do refused(function() heuristic "never" { parameters = parameters, pick = function() return 1 end } end, text) end

policy "with_parts" {
  parameters = { planner = min_min, order = { "in", "out" } },
  begin = function(self, sim) self.waiting = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do table.insert(self.waiting, w) end end,
  decide = function(self, sim)
    local hosts = {}
    for _, host in ipairs(sim:hosts()) do if sim:idle_cores(host) > 0 then hosts[#hosts + 1] = host end end
    if #hosts == 0 or #self.waiting == 0 then return end
    local times = {}
    for t, work in ipairs(self.waiting) do
      times[t] = {}
      for m, host in ipairs(hosts) do times[t][m] = sim:estimate(work, host) end
    end
    local answer, taken, left = map(self.planner, times), {}, {}
    for _, task in ipairs(answer.order) do
      local m = answer.machine[task]
      if not taken[m] then taken[m] = task; sim:start(self.waiting[task], hosts[m]) end
    end
    for t, work in ipairs(self.waiting) do
      local started = false
      for m = 1, #hosts do started = started or taken[m] == t end
      if not started then left[#left + 1] = work end
    end
    self.waiting = left
  end,
}
local whole = s:run { policy = with_parts { planner = duplex }, seed = 1 }
assert(whole.status == "complete" and whole.policy == "with_parts { planner = duplex }")
local sim = s:start { policy = with_parts { planner = duplex }, seed = 1 }
sim:run_until(6)
assert(sim:fork():run().full_fingerprint == whole.full_fingerprint)

-- As levels of a factor, each by its text.
local e = experiment "composed" {
  factors = { map = { best_of { "mct", "met" }, crowded, then_improve("mct", "local_search") } },
  run = function(f) return { makespan = map(f.map, matrix).makespan } end,
}
assert(#e:rows() == 3 and e:rows()[1].map == "best_of { mct, met }")
print "composed"
