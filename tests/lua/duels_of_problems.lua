-- Duels of mappers over all matrices of three tasks on two machines with whole times 1 to 4: the worst ratio of each pair is a
-- fraction that two independent programs agree on.
-- expect: all pairs as found by hand
-- test: thorough
local same = require("modules.expect").same
local s = space "three tasks on two machines" {
  times = vary.matrix { rows = 3, columns = 2, of = vary.whole { 1, 4 } },
  problem = function(x) return etc(x.times) end,
}
same(s:size(), 4 ^ 6, "cases")

-- The optimum by trying all eight mappings.
local function best(x)
  local t, found = x.times, math.huge
  for a = 1, 2 do for b = 1, 2 do for c = 1, 2 do
    local load = { 0, 0 }
    load[a] = load[a] + t[1][a]
    load[b] = load[b] + t[2][b]
    load[c] = load[c] + t[3][c]
    found = math.min(found, math.max(load[1], load[2]))
  end end end
  return found
end

local names = { "olb", "met", "mct", "min_min", "max_min", "duplex" }
local none = { 1, 1 }
local worst = {  -- numerator and denominator; the last column: of the optimum
  olb     = { none, { 4, 1 }, { 4, 1 }, { 4, 1 }, { 4, 1 }, { 4, 1 }, { 4, 1 } },
  met     = { { 2, 1 }, none, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 } },
  mct     = { { 5, 3 }, { 2, 1 }, none, { 2, 1 }, { 2, 1 }, { 2, 1 }, { 2, 1 } },
  min_min = { { 5, 3 }, { 2, 1 }, { 5, 3 }, none, { 2, 1 }, { 2, 1 }, { 2, 1 } },
  max_min = { { 2, 1 }, { 7, 4 }, { 2, 1 }, { 2, 1 }, none, { 2, 1 }, { 2, 1 } },
  duplex  = { { 3, 2 }, { 4, 3 }, { 3, 2 }, { 1, 1 }, { 1, 1 }, none, { 3, 2 } },
}
for _, a in ipairs(names) do
  for i, b in ipairs { "olb", "met", "mct", "min_min", "max_min", "duplex", best } do
    if a ~= b then
      local what = ("%s against %s"):format(a, type(b) == "string" and b or "the optimum")
      local d = duel { a = a, b = b, space = s, search = "exhaustive", budget = 4096 }
      local above, below = worst[a][i][1], worst[a][i][2]
      same(d.of_a * below, d.of_b * above, what)
      same(d.ratio, above / below, what .. " as d.ratio")
      same(d.evaluations, 4096, what .. ": evaluations")
      -- The case is what it is said to be.
      same(map(a, etc(d.case.times)).makespan, d.of_a, what .. ": a on the case")
      same(type(b) == "string" and map(b, etc(d.case.times)).makespan or best(d.case), d.of_b, what .. ": b on the case")
    end
  end
end

-- A ratio is that of the measures to the bit, of any two numbers.
local pairs_of_numbers = space "pairs" { a = vary.whole { 1, 9 }, b = vary.whole { 1, 9 }, problem = function() return etc { { 1 } } end }
for a = 1, 9 do
  for b = 1, 9 do
    local d = duel {
      a = function(x) return x.a == a and x.b == b and a or 0 end, b = function(x) return x.b end,
      space = pairs_of_numbers, search = "exhaustive", budget = 81,
    }
    same(d.ratio, a / b, ("%d / %d"):format(a, b))
    same(select(2, d:small()), a / b, ("%d / %d of the smallest case"):format(a, b))
  end
end

-- Nothing is better than the optimum, and A* without limits is it.
local exact = a_star { max_tree_nodes = 0, max_expansions = 0 }
same(duel { a = exact, b = best, space = s, search = "exhaustive", budget = 4096 }.ratio, 1, "A* is never worse")
same(duel { a = best, b = exact, space = s, search = "exhaustive", budget = 4096 }.ratio, 1, "and never better")
same(duel { a = best, b = "olb", space = s, search = "exhaustive", budget = 4096 }.ratio, 1, "no mapper is better than the optimum")

-- The search finds what a loop over all cases finds: the first of the worst in lexicographic order of the times.
local top, case = 0, nil
local t = {}
local function every(place)
  if place > 6 then
    local times = { { t[1], t[2] }, { t[3], t[4] }, { t[5], t[6] } }
    local ratio = map("min_min", etc(times)).makespan / map("mct", etc(times)).makespan
    if ratio > top then top, case = ratio, times end
    return
  end
  for value = 1, 4 do
    t[place] = value
    every(place + 1)
  end
end
every(1)
local d = duel { a = "min_min", b = "mct", space = s, search = "exhaustive", budget = 4096 }
same(d.of_a / d.of_b, top, "the worst of a loop")
for r = 1, 3 do for c = 1, 2 do same(d.case.times[r][c], case[r][c], ("the first of the worst cases, %d %d"):format(r, c)) end end
print "all pairs as found by hand"
