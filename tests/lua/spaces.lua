-- Spaces of cases: draws stay inside, sizes are those of a count by hand, and all cases are found that there are.
-- expect: spaces hold what they say
local same, refused = require("modules.expect").same, require("modules.expect").refused
local function problem() return etc { { 1 } } end
local function of(parameters)
  parameters.problem = problem
  return space "s" (parameters)
end

-- ---- draws ----
local kinds = of {
  real = vary.real { -1, 2.5 }, log = vary.real { 1e-3, 1e3, scale = "log" }, fixed = vary.real { 7, 7 },
  whole = vary.whole { -2, 2 }, pick = vary.choice { "a", "b", 3 }, yes = vary.flag,
  list = vary.list { n = { 1, 3 }, of = { time = vary.real { 1, 2 }, deep = vary.list { n = 2, of = vary.whole { 0, 1 } } } },
  matrix = vary.matrix { rows = { 0, 2 }, columns = { 1, 3 }, of = vary.whole { 5, 6 } },
  order = vary.permutation { n = { 2, 4 } },
  graph = vary.dag { n = 4, edge = vary.real { 0, 1 } },
  record = { x = vary.whole { 1, 2 }, y = { z = vary.flag } },
}
same(tostring(kinds), "space 's' of fixed, graph, list, log, matrix, order, pick, real, record, whole, yes", "a space as text")
same(kinds.name, "s", "its name")
same(kinds:size(), math.huge, "with reals there are endless cases")
local seen, lows = {}, 0
local function saw(what) seen[what] = (seen[what] or 0) + 1 end
local function within(value, low, high, what)
  if not (value >= low and value <= high) then error(("%s: %s"):format(what, value), 2) end
end
local function whole(value, low, high, what)
  same(math.type(value), "integer", what)
  within(value, low, high, what)
  saw(what .. value)
end
for seed = 1, 400 do
  local x = kinds:draw(seed)
  within(x.real, -1, 2.5, "real")
  within(x.log, 1e-3, 1e3, "log")
  if x.log < 1 then lows = lows + 1 end
  same(x.fixed, 7.0, "fixed")
  whole(x.whole, -2, 2, "whole")
  same(x.pick == "a" or x.pick == "b" or x.pick == 3, true, "pick")
  saw("pick" .. tostring(x.pick))
  same(type(x.yes), "boolean", "flag")
  saw("flag" .. tostring(x.yes))
  within(#x.list, 1, 3, "list")
  saw("list" .. #x.list)
  for _, element in ipairs(x.list) do
    within(element.time, 1, 2, "list[].time")
    same(#element.deep, 2, "list[].deep")
    for _, value in ipairs(element.deep) do whole(value, 0, 1, "deep") end
  end
  within(#x.matrix, 0, 2, "rows")
  saw("rows" .. #x.matrix)
  for _, row in ipairs(x.matrix) do
    within(#row, 1, 3, "columns")
    saw("columns" .. #row)
    same(#row, #x.matrix[1], "rows of equal length")
    for _, value in ipairs(row) do whole(value, 5, 6, "entry") end
  end
  within(#x.order, 2, 4, "n of the order")
  saw("order" .. table.concat(x.order, ","))
  local sorted = table.move(x.order, 1, #x.order, 1, {})
  table.sort(sorted)
  for i, value in ipairs(sorted) do same(value, i, "a permutation") end
  for i, edge in ipairs(x.graph) do
    within(edge[1], 1, edge[2] - 1, "from")
    within(edge[2], edge[1] + 1, 4, "to")
    within(edge[3], 0, 1, "value")
    saw(("edge%d%d"):format(edge[1], edge[2]))
    local last = x.graph[i - 1]
    if last then same(last[1] < edge[1] or (last[1] == edge[1] and last[2] < edge[2]), true, "edges ascend") end
  end
  whole(x.record.x, 1, 2, "record.x")
  same(type(x.record.y.z), "boolean", "record.y.z")
end
-- Everything is drawn: 5 + 3 + 2 + 3 + 3 + 3 values and counts, 2! + 3! + 4! orders, 6 edges, 2 + 2 + 2 others.
local kinds_seen = 0
for _ in pairs(seen) do kinds_seen = kinds_seen + 1 end
same(kinds_seen, 5 + 3 + 2 + 3 + 3 + 3 + (2 + 6 + 24) + 6 + 2 + 2 + 2, "what can be drawn is drawn")
within(lows, 150, 250, "half of the logarithms")
within(seen.edge12, 150, 250, "half of the edges")

-- The same seed gives the same case, and each its own table.
local function text(value)
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for name, inner in pairs(value) do parts[#parts + 1] = tostring(name) .. "=" .. text(inner) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end
same(text(kinds:draw(5)), text(kinds:draw(5)), "the same seed")
same(text(kinds:draw(5)) ~= text(kinds:draw(6)), true, "another seed")
local mine = kinds:draw(5)
mine.list, mine.record.x = nil, 99
same(text(kinds:draw(5)) ~= text(mine), true, "a case belongs to who asked")

-- ---- sizes, each counted by hand, and by a search of all cases ----
local function sized(count, parameters, what)
  local s = of(parameters)
  same(s:size(), count, what)
  local d = duel { a = function() return 1 end, b = function() return 1 end, space = s, search = "exhaustive", budget = count }
  same(d.evaluations, count, what .. ": cases that are tried")
end
local bit = vary.whole { 0, 1 }
sized(5, { n = vary.whole { -2, 2 } }, "whole numbers")
sized(6, { n = vary.whole { 1, 3 }, yes = vary.flag }, "two parameters")
sized(1, { n = vary.real { 2, 2 } }, "a real of equal bounds")
sized(4, { p = vary.choice { "a", "b", "c", "d" } }, "choices")
sized(1 + 2 + 4 + 8, { l = vary.list { n = { 0, 3 }, of = bit } }, "lists")
sized(6 ^ 2, { l = vary.list { n = 2, of = { a = bit, b = vary.whole { 1, 3 } } } }, "lists of records")
sized(1 + 2 + 4 + 4 + 16, { m = vary.matrix { rows = { 0, 2 }, columns = { 1, 2 }, of = bit } }, "matrices, of which one has no row")
sized(2 + 6 + 24, { o = vary.permutation { n = { 2, 4 } } }, "orders")
sized(3 ^ 3 + 3, { g = vary.dag { n = { 2, 3 }, edge = bit } }, "graphs: an edge is not there, 0 or 1")
sized(12, { r = { a = vary.whole { 1, 2 }, b = { c = vary.whole { 1, 6 } } } }, "records")
-- A count that is a function is not counted.
same(of({ n = vary.whole { 1, 2 }, l = vary.list { n = function(x) return x.n end, of = bit } }):size(), math.huge, "a function")
same(of({ l = vary.list { n = 60, of = bit } }):size(), 2.0 ^ 60, "many")

-- ---- counts that are functions: of what stands before them, or after what they name ----
local follows = of {
  a = vary.list { n = { 0, 4 }, of = bit },
  b = vary.list { n = function(x) return #x.a + 1 end, of = bit },
  c = vary.matrix { rows = function(x) return x.z end, columns = function(x) return #x.b end, of = bit, after = { "z", "b" } },
  z = vary.whole { 1, 3 },
  o = vary.permutation { n = function(x) return x.z end },
  g = vary.dag { n = function(x) return x.z end, edge = bit },
}
for seed = 1, 100 do
  local x = follows:draw(seed)
  same(#x.b, #x.a + 1, "a list's function")
  same(#x.c, x.z, "rows")
  same(#x.c[1], #x.b, "columns")
  same(#x.o, x.z, "an order's function")
  for _, edge in ipairs(x.g) do within(edge[2], 2, x.z, "a graph's function") end
end
-- They are followed whatever a search does.
local moved = space "follows" {
  a = vary.list { n = { 0, 4 }, of = bit }, b = vary.list { n = function(x) return #x.a + 1 end, of = vary.whole { 0, 9 } },
  problem = function(x)
    same(#x.b, #x.a + 1, "in a search")
    return etc { { 1 + #x.a } }
  end,
}
for _, search in ipairs { "annealing", "genetic", "pisa", "random_search" } do
  local d = duel { a = "mct", b = function() return 1 end, space = moved, search = search, budget = 400 }
  same(d.ratio, 5, search .. " finds four elements")
end

-- ---- valid, own moves, at ----
local even = of { n = vary.whole { 1, 10 }, valid = function(x) return x.n % 2 == 0 end }
for seed = 1, 50 do same(even:draw(seed).n % 2, 0, "what is valid") end
local d = duel { a = function(x) return x.n end, b = function() return 1 end, space = even, search = "exhaustive", budget = 10 }
same(d.ratio, 10, "the last one")
same(d.evaluations, 5, "only valid cases are tried")
same(duel({ a = function(x) return x.n % 2 == 1 and 99 or x.n end, b = function() return 1 end, space = even, budget = 300 }).ratio, 10,
     "no move leads to what is not valid")

-- Steps are tiny, so that only the script's own move comes to 1000 within the budget.
local jumps = space "jumps" {
  n = vary.whole { 1, 1000000 },
  move = function(x, rng)
    if rng:uniform(0, 1) < 0.5 then return nil end
    x.n = 777777
    return x
  end,
  problem = problem,
}
d = duel { a = function(x) return x.n == 777777 and 2 or 1 end, b = function() return 1 end, space = jumps, budget = 200 }
same(d.case.n, 777777, "a move of one's own")

local built = space "built" { n = vary.whole { 1, 3 }, problem = function(x, seed)
  x.n = x.n + 0.5  -- x belongs to the function
  return etc { { x.n, seed } }
end }
local given = { n = 2 }
same(map("met", built:at(given, 1)).makespan, 1, "the seed that was given")
same(map("met", built:at(given, 9)).makespan, 2.5, "a case that was given")
same(given.n, 2, "which stays what it was")

-- A choice may be a table, of which each call has its own; a move gives one back that is alike.
local shapes = space "shapes" {
  shape = vary.choice { { 1, { 2 } }, { 3, { 4 } } }, n = vary.whole { 1, 2 },
  move = function(x) return x end,
  problem = function(x)
    x.shape[2][1] = x.shape[2][1] * x.n
    return etc { { x.shape[1] + x.shape[2][1] } }
  end,
}
d = duel { a = "mct", b = function() return 1 end, space = shapes, budget = 200 }
same(d.ratio, 3 + 4 * 2, "a table is fresh in each call")
same(d.case.shape[2][1], 4, "and what the space said")
print "spaces hold what they say"
