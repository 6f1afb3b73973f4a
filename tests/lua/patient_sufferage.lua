-- A heuristic in ten lines, and that a key of Lua maps as the native heuristic with that key does.
-- expect: heuristics agree
heuristic "patient_sufferage" {
  summary = "sufferage that waits for long tasks",
  pick = function(c, task) return c:second(task) - c:best(task) + 0.1 * c:time(task) end,   -- largest first
}
heuristic "lua_min_min" { smallest = true, pure = true, pick = function(c, task) return c:best(task) end }
heuristic "lua_max_min" { pick = function(c, task) return c:best(task) end }
heuristic "lua_olb" {
  parameters = { factor = 1 },
  pick = function(c, task, p) return -task * p.factor end,
  place = function(c, task)
    local first = 1
    for m = 2, c:machines() do if c:ready(m) < c:ready(first) then first = m end end
    return first
  end,
}

local rows = {}
local rng = stream("matrix", 5)
for t = 1, 40 do
  rows[t] = {}
  for m = 1, 5 do rows[t][m] = rng:integer(1, 20) end
end
local matrix = etc(rows)

local function same(a, b)
  local x, y = map(a, matrix), map(b, matrix)
  assert(x.makespan == y.makespan, tostring(a))
  for t = 1, 40 do assert(x.machine[t] == y.machine[t] and x.order[t] == y.order[t], tostring(a)) end
end
same("lua_min_min", "min_min")
same("lua_max_min", max_min)
same(lua_olb { factor = 2 }, olb {})

local m = map("patient_sufferage", matrix)
assert(#m.order == 40 and m.makespan >= matrix:makespan_bound())

local s = scenario { platform = platform { cluster "a" { nodes = 2 }, cluster "b" { nodes = 2, speed = 3 } },
                     workload = workload.tasks(30, function(i, r) return { ops = r:uniform(10, 50), arrival = i } end) }
local r = s:run { policy = mapped { map = "patient_sufferage" }, validate = true }
assert(r.status == "complete")
assert(s:run { policy = mapped { map = "lua_min_min" } }.fingerprint ==
       s:run { policy = mapped { map = min_min } }.fingerprint)
assert(tostring(mapped { map = "patient_sufferage" }) == "mapped { map = patient_sufferage }" or
       tostring(mapped { map = "patient_sufferage" }):find("patient_sufferage"))
print("heuristics agree")
