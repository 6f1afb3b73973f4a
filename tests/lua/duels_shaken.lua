-- d:shaken(): a case that hangs on a tie is a knife edge, Graham's case of longest times first is not; robust duels.
-- expect: knife edges are told apart
local same = require("modules.expect").same
local function near(a, b, tolerance) return math.abs(a - b) <= tolerance end
local function one() return 1 end

-- ---- one number: a spike, a plateau, a slope ----
local line = space "line" { x = vary.real { 0, 100 }, problem = function() return etc { { 1 } } end }
local function duelled(f, more)
  local given = { a = function(x) return f(x.x) end, b = one, space = line, budget = 3000 }
  for name, value in pairs(more or {}) do given[name] = value end
  return duel(given)
end
local spike = duelled(function(x) return x == 100 and 3 or 1 end)
same(spike.case.x, 100, "a bound is drawn once in twenty moves")
local rows = { spike:shaken() }
-- Half of the draws are above the bound, and are cut to it.
same(near(rows[1][1].above, 0.5, 0.12), true, "half is cut to the bound: " .. rows[1][1].above)
same(#rows[1], 3, "three shares")
for i, row in ipairs(rows[1]) do
  same(row.shake, ({ 0.01, 0.05, 0.2 })[i], "the share")
  same(row.counted, 200, "draws that count")
  same(row.low <= row.median and row.median <= row.high, true, "quantiles ascend")
end
local edge = space "edge" { x = vary.choice { 1 }, y = vary.real { 5, 5 }, z = vary.whole { 40, 40 }, problem = function() return etc { { 1 } } end }
local fixed = duel { a = function(x) return x.y + x.z end, b = one, space = edge, budget = 5 }
rows = { fixed:shaken() }
for i = 1, 3 do
  same(rows[1][i].low, 45, "bounds that are equal leave nothing to shake")
  same(rows[1][i].high, 45, "at all")
end
same(rows[2], nil, "nothing can be shaken")
local plateau = duelled(function(x) return x > 30 and x < 90 and 3 or 1 end)
rows = { plateau:shaken() }
same(rows[1][1].above > 0.9, true, "a plateau stays")
same(rows[2], false, "and is no knife edge")
local slope = duelled(function(x) return 1 + x end)
rows = { slope:shaken() }
same(slope.case.x, 100, "the top of the slope")
-- u is uniform in [-s, s], and what is above 100 is cut: the median is at 100 where half of the draws are, the 5 % quantile at
-- u = -0.9 s.
for i, s in ipairs { 0.01, 0.05, 0.2 } do
  local row = rows[1][i]
  same(row.high, 101, "cut to the bound")
  same(near(row.low, 1 + 100 * (1 - 0.9 * s), 12 * s), true, ("the 5 %% quantile at %g: %g"):format(s, row.low))
  same(row.median >= 1 + 100 * (1 - 0.25 * s), true, ("the median at %g: %g"):format(s, row.median))
end

-- Shares and draws of one's own.
rows = duelled(function(x) return 1 + x end, { shake = { 0.1 }, draws = 7 }):shaken()
same(#rows, 1, "one share")
same(rows[1].counted, 7, "seven draws")
-- Draws that do not count are left out: half of the plateau's right side.
local holes = duelled(function(x) return x > 60 and 0 or 1 + x end, { draws = 400 })
rows = { holes:shaken() }
same(holes.case.x <= 60 and holes.case.x > 55, true, "near the hole")
same(rows[1][3].counted < 400 and rows[1][3].counted > 100, true, "draws that count: " .. rows[1][3].counted)

-- ---- longest times first on two equal machines ----
local lpt = space "sizes" {
  sizes = vary.list { n = { 2, 6 }, of = vary.real { 1, 4 } },
  problem = function(x)
    local times = {}
    for i, size in ipairs(x.sizes) do times[i] = { size, size } end
    return etc(times)
  end,
}
local function makespan(mapper, sizes) return map(mapper, lpt:at { sizes = sizes }).makespan end
local function best(x)
  local total, least = 0, math.huge
  for _, size in ipairs(x.sizes) do total = total + size end
  for subset = 0, 2 ^ #x.sizes - 1 do
    local load = 0
    for i, size in ipairs(x.sizes) do if subset >> (i - 1) & 1 == 1 then load = load + size end end
    least = math.min(least, math.max(load, total - load))
  end
  return least
end
same(makespan("max_min", { 3, 3, 2, 2, 2 }) / best { sizes = { 3, 3, 2, 2, 2 } }, 7 / 6, "Graham's case")
-- The space of exactly this case, with room to be shaken, drawn by a move of its own.
local graham = space "Graham's case" {
  sizes = vary.list { n = 5, of = vary.real { 1, 4 } },
  move = function(x)
    for i, size in ipairs { 3, 3, 2, 2, 2 } do x.sizes[i] = size end
    return x
  end,
  problem = function(x)
    local times = {}
    for i, size in ipairs(x.sizes) do times[i] = { size, size } end
    return etc(times)
  end,
}
local d = duel { a = "max_min", b = best, space = graham, budget = 4000 }
same(d.ratio >= 7 / 6 - 1e-9 and d.ratio <= 7 / 6 + 1e-9, true, "no case is worse than 4/3 - 1/6: " .. d.ratio)
rows = { d:shaken() }
same(rows[2], false, "longest times first lose with shaken times too")
same(rows[1][1].median > 1.14, true, "most of 7/6 stays: " .. rows[1][1].median)

local twins = space "twins" {
  a = vary.real { 1, 100 }, b = vary.real { 1, 100 },
  move = function(x) x.b = x.a return x end,
  problem = function() return etc { { 1 } } end,
}
d = duel { a = function(x) return x.a == x.b and 1.9 or 1 end, b = one, space = twins, budget = 200 }
same(d.ratio, 1.9, "equal numbers")
rows = { d:shaken() }
same(rows[1][1].median, 1, "are equal no more")
same(rows[2], true, "a knife edge")
same(tostring(d):find("a knife edge", 1, true) ~= nil, true, "the page says so")
d = duel { a = function(x) return x.a == x.b and 3 or 2 end, b = one, space = twins, budget = 200 }
same(select(2, d:shaken()), false, "a half of what is above 1 stays: 1 of 2")
d = duel { a = function(x) return x.a == x.b and 3.1 or 2 end, b = one, space = twins, budget = 200 }
same(select(2, d:shaken()), true, "less than a half stays: 1 of 2.1")

-- ---- robust: the spike is higher, the plateau is what is left when numbers are shaken ----
local sharp = space "sharp" {
  x = vary.real { 10, 90 },
  move = function(x, rng)
    x.x = rng:uniform(0, 1) < 0.5 and 30 or 50
    return x
  end,
  problem = function() return etc { { 1 } } end,
}
local function peaks(x) return x.x == 30 and 9 or (x.x > 40 and x.x < 60 and 2) or 1 end
d = duel { a = peaks, b = one, space = sharp, budget = 400 }
same(d.ratio, 9, "the spike")
same(near(d:robust(), 1, 1e-9), true, "is gone in most draws")
same(select(2, d:shaken()), true, "and a knife edge")
d = duel { a = peaks, b = one, space = sharp, budget = 6400, search_for = "robust" }
same(near(d.ratio, 2, 1e-9), true, "the plateau")
same(d.case.x > 40 and d.case.x < 60, true, "between 40 and 60")
same(near(d:robust(), 2, 1e-9), true, "stays")
same(d.evaluations <= 6400, true, "within the budget")
print "knife edges are told apart"
