-- The verdict of intervals on a statement, by hand.
-- expect: all as expected

local verdicts = require "verdicts"
local refused = require("modules.expect").refused

-- Student's t for 3 degrees of freedom and 95 %, by any table: 3.1824.
local function point(name, values) return { name = name, values = values } end
local low, high = point("low", { -1.0, -1.2, -0.8, -1.0 }), point("high", { 1.0, 1.2, 0.8, 1.0 })  -- sd 0.1633: +- 0.2598
local wide = point("wide", { -3, 4, 2, -1 })
local v = verdicts.always({ low, low }, "lower")
assert(v.holds == true and v.found == "lower at 2, higher at 0 of 2: low: -1.000 +- 0.260, low: -1.000 +- 0.260", v.found)
assert(verdicts.always({ low, high }, "lower").holds == false)
assert(verdicts.always({ low, wide }, "lower").holds == "not decided")
assert(verdicts.always({ low, high }, "lower", 1).holds == "not decided", "the interval passes the margin")
assert(verdicts.always({ low, high }, "lower", 2).holds == true, "within the margin")
assert(verdicts.always({}, "lower").holds == "not decided")
assert(verdicts.always({ point("", { -1, -1, -1 }) }, "lower", 0, "%+.1f").found == "lower at 1, higher at 0 of 1: -1.0 +- 0.0")

-- Holm: t = 3.5 beats 3.1824 alone; of two like it the first is tested at 97.5 %, whose t is 4.1765.
local near = point("near", { 1.75 - 1.1180339887, 1.75 - 0.5590169944, 1.75 + 0.5590169944, 1.75 + 1.1180339887 })
local s = stats.summary(near.values)
assert(math.abs(s.mean / (s.sd / 2) - 3.43) < 0.01, "t by hand: 1.75 / (1.0206 / 2)")
assert(verdicts.always({ near }, "higher").holds == true)
assert(verdicts.always({ near, near }, "higher").holds == "not decided")
assert(verdicts.always({ near, high }, "higher").holds == true, "the second of Holm's tests is at 95 %")

-- t(0.975) is 12.706 for 1 degree of freedom, 3.182 for 3 and 2.262 for 9, t(0.995) is 5.841 for 3 and 3.250 for 9: NIST/SEMATECH e-Handbook of
-- Statistical Methods, section 1.3.6.7.2. For 1 degree t is Cauchy's tangent: t(0.9875) = tan(0.4875 pi) = 25.45.
local function spread(mean, half, n)  -- as many values below as above the mean
  local values = {}
  for i = 1, n or 4 do values[i] = mean + (i % 2 == 0 and half or -half) end
  return point(("%g"):format(mean), values)
end
local function five(p) return { p, p, p, p, p } end
-- Four values 1 from their mean: sd 1.1547, 0.57735 of the mean, +- 1.837 at 95 % and +- 3.372 at 99 %, Holm's level of the first of five.
local function always(points, margin) return verdicts.always(points, "lower", margin).holds end
assert(always({ spread(-0.9, 1) }, 1) == true and always({ spread(-0.8, 1) }, 1) == "not decided")
assert(always({ spread(2.9, 1) }, 1) == false and always({ spread(2.8, 1) }, 1) == "not decided")
assert(verdicts.always({ spread(0.9, 1) }, "higher", 1).holds == true and verdicts.always({ spread(-2.9, 1) }, "higher", 1).holds == false)
assert(always(five(spread(-2.4, 1)), 1) == true and always(five(spread(-2.3, 1)), 1) == "not decided")
assert(always(five(spread(4.4, 1)), 1) == false and always(five(spread(4.3, 1)), 1) == "not decided")
v = verdicts.always({ spread(-0.9, 1), low, spread(0, 1) }, "lower", 4)
assert(v.found == "lower or within 4 at 3, higher at 0 of 3: -0.9: -0.900 +- 1.837, low: -1.000 +- 0.260, 0: +0.000 +- 1.837", v.found)

-- Ten values 1 from 1.25: t = 1.25 / (1.0541 / sqrt 10) = 3.75. Two values 1 from 20: t = 20, which is less sure, and at 95 % sure enough.
assert(verdicts.always({ spread(20, 1, 2), spread(1.25, 1, 10) }, "higher").holds == true, "the least p value is first, not the largest t")
assert(verdicts.always({ spread(20, 1, 2), spread(20, 1, 2) }, "higher").holds == "not decided", "20 is less than 25.45")
assert(verdicts.always({ spread(26, 1, 2), spread(13, 1, 2) }, "higher").holds == true)

-- One value is decided where there is no chance in it, several alike by what they are. An exact value is no test: the rest is one of one, not of two.
local function exact(name, value) return { name = name, values = { value }, exact = true } end
assert(verdicts.always({ point("one", { -1 }) }, "lower", 0, "%+.1f").holds == "not decided")
assert(verdicts.always({ point("one", { -1 }) }, "lower", 0, "%+.1f").found == "lower at 0, higher at 0 of 1: one: -1.0 (one value)")
assert(verdicts.always({ point("one", { -1 }), spread(9, 1) }, "lower").holds == false, "15.6 deviations are beyond t(0.995)")
assert(verdicts.always({ exact("e", -1) }, "lower").holds == true and verdicts.always({ exact("e", 1) }, "lower").holds == false)
assert(always({ exact("e", 1) }, 1) == true and always({ exact("e", 1.5) }, 1) == false)
assert(verdicts.always({ exact("e", 0), exact("f", -1) }, "lower").found:match "^lower at 1, higher at 0, equal at 1 of 2: ")
assert(verdicts.always({ exact("e", -1), spread(-1.9, 1) }, "lower").holds == true)
assert(verdicts.mostly({ exact("e", -1), exact("f", -1), point("one", { 1 }) }, "lower").holds == true)
assert(verdicts.mostly({ point("a", { -1 }), point("b", { -1 }) }, "lower").holds == "not decided")
assert(verdicts.alike({ exact("e", 1) }, 1).holds == true and verdicts.alike({ exact("e", 1.1) }, 1).holds == false)
assert(verdicts.alike({ point("one", { 0 }) }, 1).holds == "not decided" and verdicts.alike({ point("one", { 9 }) }, 1).holds == "not decided")
assert(verdicts.alike({ point("p", { 1, 1, 1 }) }, 1).holds == true and verdicts.alike({ point("p", { 2, 2 }) }, 1).holds == false)

-- One of five alike points is outside at 99 %: +- 0.337; all are inside at 95 %: +- 0.184.
assert(verdicts.alike({ spread(1.25, 0.1) }, 1).holds == false)
assert(verdicts.alike(five(spread(1.25, 0.1)), 1).holds == "not decided")
assert(verdicts.alike(five(spread(1.4, 0.1)), 1).holds == false and verdicts.alike(five(spread(-1.4, 0.1)), 1).holds == false)
assert(verdicts.alike(five(spread(0.8, 0.1)), 1).holds == true and verdicts.alike(five(spread(0.85, 0.1)), 1).holds == "not decided")

assert(verdicts.mostly({ low, low, high }, "lower").holds == true)
assert(verdicts.mostly({ low, high }, "lower").holds == false)
assert(verdicts.mostly({ low, wide }, "lower").holds == "not decided")
assert(verdicts.alike({ point("a", { 0.1, -0.1, 0.05, -0.05 }) }, 0.2).holds == true)   -- sd 0.0913: +- 0.1453
assert(verdicts.alike({ point("a", { 0.1, -0.1, 0.05, -0.05 }) }, 0.1).holds == "not decided")
assert(verdicts.alike({ low }, 0.2).holds == false)
assert(verdicts.cases(3, 3).holds == true and verdicts.cases(2, 3).holds == false and verdicts.cases(2, 3).found == "in 2 of 3 cases")

-- Wilson's interval for 34 of 60, by hand: (0.56667 + 0.03201) / 1.06402 = 0.56266, +- 0.12194.
v = verdicts.share(34, 60)
assert(v.holds == "not decided" and v.found == "in 34 of 60, 44 % to 68 %", v.found)
assert(verdicts.share(50, 60).holds == true and verdicts.share(10, 60).holds == false and verdicts.share(34, 60, 0.8).holds == false)
assert(verdicts.share(0, 0).holds == "not decided")
v = verdicts.all { { "A", { holds = true, found = "1" } }, { "B", { holds = "not decided", found = "2" } } }
assert(v.holds == "not decided" and v.found == "A: 1; B: 2")
assert(verdicts.all { { "A", { holds = "not decided", found = "" } }, { "B", { holds = false, found = "" } } }.holds == false)
assert(verdicts.all { { "A", { holds = true, found = "" } } }.holds == true)

-- Points of an experiment pair the replications.
local e = experiment "e" {
  factors = { { "load", { 1, 2 } }, { "how", { "a", "b" } } },
  replications = 3,
  run = function(f, seed) return { m = seed % 1000 + (f.how == "a" and 1 or 3) * f.load } end,
}
local points = verdicts.points(e, "m", "how", "a", "b")
assert(#points == 2 and points[1].name == "load 1" and points[2].name == "load 2")
for i = 1, 3 do assert(points[1].values[i] == -2 and points[2].values[i] == -4) end
assert(#verdicts.points(e, "m", "how", "a", "b", { load = 2 }) == 1)
refused("the sense must be 'lower' or 'higher', got 'less'", function() verdicts.always({ low }, "less") end)
refused("has no level 'c'", function() verdicts.points(e, "m", "how", "c", "b") end)

-- An empty list holds nothing, and impossible counts are refused.
assert(verdicts.all {}.holds == "not decided")
assert(verdicts.cases(0, 0).holds == "not decided")
assert(verdicts.always({ point("p", { -100, 100 }) }, "lower").holds == "not decided")
refused("the count must be from 0 to their number", function() verdicts.cases(3, 2) end)
refused("the count must be from 0 to their number", function() verdicts.share(5, 3) end)
refused("the least share must be from 0 to 1, got 2", function() verdicts.share(5, 5, 2) end)
refused("the list has a hole", function() verdicts.all { { "a", low }, nil, { "b", { holds = false, found = "" } } } end)
refused("the list has a hole", function() verdicts.always({ low, nil, high }, "lower") end)
refused("the point 'empty' has no values", function() verdicts.always({ point("empty", {}) }, "lower") end)

-- Values that are absent in different replications are no pairs.
local holes = experiment "holes" {
  factors = { { "how", { "a", "b" } } }, replications = 12,
  run = function(f, seed) return { m = seed % 3 == (f.how == "a" and 0 or 1) and 0 / 0 or seed } end,
}
refused("absent or NaN in some replication", function() verdicts.points(holes, "m", "how", "a", "b") end)

-- A point without any value is named, and `where` leaves it out.
local absent = experiment "absent" {
  factors = { { "load", { 1, 2 } }, { "how", { "a", "b" } } }, replications = 2,
  run = function(f, seed) return { m = f.load == 2 and 0 / 0 or seed } end,
}
refused("the point 'load 2' has a 'm' that is absent or NaN", function() verdicts.points(absent, "m", "how", "a", "b") end)
refused("as at the point 'load 2'", function() verdicts.points(absent, "m", "how", "a", "b", { load = 2 }) end)
assert(#verdicts.points(absent, "m", "how", "a", "b", { load = 1 }) == 1)
assert(#verdicts.points(absent, "m", "how", "a", "b", function(row) return row.load == 1 end) == 1)

-- Errors name the line that calls.
refused("the point 'none' must be { name =, values = { ... } }", function() verdicts.always({ { name = "none" } }, "lower") end)
refused("the point 'p' is NaN in its value 2", function() verdicts.mostly({ point("p", { 1, 0 / 0 }) }, "lower") end)
refused("the point 'e' is exact, but its values differ", function() verdicts.alike({ { name = "e", values = { 1, 2 }, exact = true } }, 1) end)
refused("verdicts.alike: the margin must be a number >= 0, got nil", function() verdicts.alike { low } end)
refused("verdicts.always: the margin must be a number >= 0, got -1", function() verdicts.always({ low }, "lower", -1) end)
refused("entry 1 must be", function() verdicts.all { { "A" } } end)
for _, call in ipairs {
  function() verdicts.always({ point("empty", {}) }, "lower") end, function() verdicts.always({ low, nil, high }, "lower") end,
  function() verdicts.always({ low }, "less") end, function() verdicts.always({ low }, "lower", "wide") end,
  function() verdicts.mostly({ { name = "p" } }, "lower") end, function() verdicts.mostly({ low }, "less") end,
  function() verdicts.alike({ low }) end, function() verdicts.alike({ point("p", { 0 / 0 }) }, 1) end,
  function() verdicts.cases(3, 2) end, function() verdicts.cases() end, function() verdicts.share(3, 2) end, function() verdicts.share(1, 2, 3) end,
  function() verdicts.all { { "a", v }, nil, { "b", v } } end, function() verdicts.all { { "a", 1 } } end,
  function() verdicts.points(absent, "m", "how", "a", "b") end, function() verdicts.points(absent, "m", "how", "a", "b", 1) end,
  function() verdicts.points(absent, "m", "how", "a", "b", { load = 3 }) end, function() verdicts.points(absent, "m", "how", "a") end,
  function() verdicts.points(absent, "m", "how", "c", "b") end, function() verdicts.points(absent, "x", "how", "a", "b") end,
} do
  local ok, problem = pcall(call)
  assert(not ok and tostring(problem):match "lua/verdicts%.lua:%d+: " and not tostring(problem):find("stdlib/", 1, true), tostring(problem))
end
print "all as expected"
