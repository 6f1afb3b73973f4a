-- How often verdicts of drawn families, whose truth is known, are false: no more than 5 %, and three deviations of the count. The bounds are those of the
-- procedures (Holm 1979, Shaffer 1980, Berger 1982).
-- test: thorough
-- expect: all as expected

local verdicts = require "verdicts"
local families = setting("families", 400)

-- Families of points with these means, of 3 to 10 values of deviation 1 each. Values of points are independent, or nearly the same draws ("same"),
-- or every second point has those of the others with the other sign ("opposite").
local function drawn(rng, means, how)
  local common = {}
  for i = 1, 10 do common[i] = rng:normal(0, 1) end
  local points = {}
  for k, mean in ipairs(means) do
    local values, sign = {}, how == "opposite" and k % 2 == 0 and -1 or 1
    for i = 1, 3 + 7 * (k - 1) // (#means - 1) do
      local own = rng:normal(0, 1)
      values[i] = mean + (how == "independent" and own or 0.95 * sign * common[i] + math.sqrt(1 - 0.95 ^ 2) * own)
    end
    points[k] = { name = "", values = values }
  end
  return points
end

local function share_of(what, means, how, judge, outcome)
  local rng, n = stream(what .. how, 1), 0
  for _ = 1, families do
    if judge(drawn(rng, means, how)).holds == outcome then n = n + 1 end
  end
  return n / families
end
local most = 0.05 + 3 * math.sqrt(0.05 * 0.95 / families)
local function rarely(what, means, judge, outcome)
  for _, how in ipairs { "independent", "same", "opposite" } do
    local share = share_of(what, means, how, judge, outcome)
    expect(share <= most, ("%s, points %s: %s in %.3f of the families"):format(what, how, tostring(outcome), share))
  end
end

local function always(margin) return function(points) return verdicts.always(points, "lower", margin) end end
local function mostly(points) return verdicts.mostly(points, "lower") end
local function alike(points) return verdicts.alike(points, 1) end

-- "always lower" is true of means that are at the margin or below it, and not of one that is above. The hardest cases are those at the margin.
rarely("all at 0", { 0, 0, 0, 0, 0, 0 }, always(0), false)
rarely("all at 0", { 0, 0, 0, 0, 0, 0 }, always(0), true)
rarely("all at the margin", { 1, 1, 1, 1, 1, 1 }, always(1), false)
rarely("some at the margin", { 1, -9, 1, -9, 1, -9 }, always(1), false)
rarely("a little below the margin", { 0.8, 0.6, 0.8, 0.6, 0.8, 0.6 }, always(1), false)
rarely("few values at the margin", { 1, -9, -9, -9, -9, -9 }, always(1), false)
rarely("one above the margin", { -9, -9, -9, -9, -9, 1.001 }, always(1), true)
rarely("one of few values above the margin", { 1.001, -9, -9, -9, -9, -9 }, always(1), true)
rarely("three of six lower", { -9, -9, -9, 0, 0, 0 }, mostly, true)
rarely("three of seven higher", { 9, 0, 9, 0, 9, 0, 0 }, mostly, false)
rarely("all at an end", { 1, -1, 1, -1, 1, -1 }, alike, false)
rarely("some at an end", { 1, 0, 1, 0, -1, 0 }, alike, false)
rarely("one outside", { 0, 0, 0, 0, 0, 1.001 }, alike, true)
rarely("one of few values outside", { -1.001, 0, 0, 0, 0, 0 }, alike, true)

-- Clear cases are decided: a procedure that never says anything is never wrong.
local function mostly_so(what, means, judge, outcome)
  local share = share_of(what, means, "independent", judge, outcome)
  expect(share >= 0.9, ("%s: %s in %.3f of the families"):format(what, tostring(outcome), share))
end
mostly_so("far below", { -20, -9, -9, -9, -9, -9 }, always(1), true)
mostly_so("one far above", { -9, -9, -9, -9, -9, 9 }, always(1), false)
mostly_so("far inside", { 0, 0, 0, 0, 0, 0 }, function(points) return verdicts.alike(points, 10) end, true)
mostly_so("one far outside", { 0, 0, 0, 0, 0, 9 }, alike, false)
print "all as expected"
