-- A key that says it is pure and is not; keys and places that are no answer: each error names heuristic and task.
-- expect: keys are what they say
local function refused(text, f, ...)
  local good, problem = pcall(f, ...)
  assert(not good, "refused: " .. text)
  assert(problem.message == text, problem.message)
  return problem
end
-- Task 2 is best on machine 1 and second-best on 2, whatever becomes of machine 3, where task 1 goes first.
local m = etc { { 9, 9, 1 }, { 2, 3, 9 } }
local function key(c, task) return (task == 1 and 10 or 0) + c:ready(3) end
heuristic "lies" { pure = true, pick = key }
heuristic "says_nothing" { pick = key }
local problem = refused("heuristic 'lies': the key of task 2 was 0 and is 1 now, although neither its best nor its second completion " ..
  "has changed: it is not pure; without `pure = true` it is asked for each choice", map, "lies", m)
assert(problem.code == "not_pure")
assert(problem.notes[1] == "in heuristic 'lies', pick for task 2 of 2", problem.notes[1])
assert(map("says_nothing", m).makespan == 2)
for _, line in ipairs(profile("says_nothing", m).advice) do assert(not line:find("pure", 1, true), line) end
heuristic "no_number" { pick = function() return 0 / 0 end }
refused("heuristic 'no_number': pick must return a number, got nan for task 1", map, "no_number", m)
heuristic "nowhere" { pick = function() return 1 end, place = function() return 2 end }
refused("heuristic 'nowhere': place chose machine 2 for task 1, which cannot run there", map, "nowhere", { { 1, math.huge } })

-- The answer of sim:ready is a value for map: a host that is down takes nothing.
assert(map("mct", { { 5, 1 }, { 4, 1 } }, { ready = { 2, math.huge } }).makespan == 11)
assert(map("mct", { { 5, 1 } }, { ready = { math.huge, math.huge } }).machine[1] == false)
local p = cost.problem { etc = { { 5, 1 } }, ready = { 2, math.huge } }
assert(p:best(1) == 7 and not p:fits(1, 2))
policy "maps" {
  decide = function(self, sim)
    local works = {}
    for w = 1, sim:work_count() do if sim:waits(w) then works[#works + 1] = w end end
    if #works == 0 then return end
    local answer = map("min_min", sim:etc(works, { 1, 2 }), { ready = sim:ready { 1, 2 } })
    for i, w in ipairs(works) do
      assert(answer.machine[i] == 1)
      if sim:idle_cores(1) > 0 then sim:start(w, 1) end
    end
  end,
  finished = function() end,
}
local r = scenario {
  platform = platform { host "a" {}, host "b" { speed = 9 } }, workload = workload.tasks { { time = 3 }, { time = 4 } },
  events = { outage { host = "b", from = 0, to = 100 } },
}:run { policy = "maps" }
assert(r.makespan == 7, r.makespan)

-- The text of a mapper leaves out its defaults.
heuristic "with_parts" { pick = key, parameters = { start = min_min, rest = { min_min, mct }, k = 3 } }
assert(tostring(with_parts {}) == "with_parts" and tostring(with_parts { k = 4 }) == "with_parts { k = 4 }")
assert(tostring(with_parts { start = mct, "met" }) == "with_parts { met, start = mct }", tostring(with_parts { start = mct, "met" }))
assert(tostring(mapped {}) == "mapped { map = min_min }")
print "keys are what they say"
