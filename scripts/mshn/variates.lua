-- Random variates (Breitinger 1999, chapter III): four ways to make them, an integral as a mean, and a bell of 100000 numbers.
-- takes: a moment
-- perigee run scripts/mshn/variates.lua
--   --set full=true       100000 variates of each kind

require "statements"
local advisor = require "advisor"
local verdicts = require "verdicts"
local full = setting("full", false)
local n = full and 100000 or 4000
local rng = stream("variates", 1)

-- By chance one of all 15 distances below is above the limit in one of a thousand runs.
local limit = math.sqrt(-math.log(0.001 / 15 / 2) / 2)
local distance = advisor.distance
local function draw(how)
  local list = {}
  for i = 1, n do list[i] = how(rng) end
  return list
end
-- Whether the distances of all { name, sampler, F } are within the limit.
local function judged(cases)
  local good, parts = 0, {}
  for i, case in ipairs(cases) do
    local d = distance(draw(case[2]), case[3])
    if d < limit then good = good + 1 end
    parts[i] = ("%s %.2f"):format(case[1], d)
  end
  return good == #cases, (("largest distance between the distribution of %d variates and the formula, times the root of their number " ..
                            "(Kolmogorov and Smirnov): %s; by chance it would be below %.2f")):format(n, table.concat(parts, ", "), limit)
end
print(("%d variates of each kind; distances to their distribution, by Kolmogorov and Smirnov\n"):format(n))
local function tell(statement, verdict, holds, found, note)
  print(found)
  claim { statement = statement, verdict = verdict, holds = holds, found = found, note = note }
end

-- An integral as an expectation: the rule of Simpson, and means of three sizes.
local function curve(x) return math.exp(-x * x) end
local integral, steps = curve(0) + curve(2), 2000
for k = 1, steps - 1 do integral = integral + (k % 2 == 1 and 4 or 2) * curve(2 * k / steps) end
integral = integral * 2 / steps / 3
local inside, parts, last = 0, {}, nil
for _, size in ipairs { n // 100, n // 10, n } do
  local list = {}
  for i = 1, size do list[i] = 2 * curve(rng:uniform(0, 2)) end
  local interval = stats.interval(list, { confidence = 0.99 })
  local narrower = not last or math.abs(last / interval.half_width / math.sqrt(10) - 1) < 0.3
  if interval:contains(integral) and narrower then inside = inside + 1 end
  last = interval.half_width
  parts[#parts + 1] = ("%.4f +- %.4f of %d"):format(interval.mean, interval.half_width, size)
end
tell("S4-11", "reproduces", inside == 3,
     ("the integral is %.6f; means of 2 exp(-x^2) with 99 %% intervals: %s draws"):format(integral, table.concat(parts, ", ")))

-- The bell: bins of half a standard deviation, as far as they hold a hundred variates, fall on both sides of the mean.
local bell = distribution.normal { mean = 100, sd = 15 }
local list = draw(function(r) return r:normal(100, 15) end)
local summary, counts, falls, bins = stats.summary(list), {}, 0, 0
for _, x in ipairs(list) do
  local bin = math.floor((x - 100) / 7.5)
  counts[bin] = (counts[bin] or 0) + 1
end
for bin = 0, 12 do
  for _, pair in ipairs { { bin, bin + 1 }, { -bin - 1, -bin - 2 } } do
    local near, far = counts[pair[1]] or 0, counts[pair[2]] or 0
    if far >= 100 then
      bins = bins + 1
      if far < near then falls = falls + 1 end
    end
  end
end
local d = distance(list, function(x) return bell:cdf(x) end)
tell("S4-12", "reproduces", falls == bins and d < limit,
     (("%d variates: mean %.2f, standard deviation %.2f; counted in bins 7.5 wide, fewer in the bin farther from the mean in %d of %d " ..
      "pairs of neighbours; largest distance to the normal distribution, times the root of their number, %.2f, by chance below %.2f"))
     :format(n, summary.mean, summary.sd, falls, bins, d, limit), "the publication has a picture, without counts")

-- Inverse transform, with distribution functions written by hand.
local points = { { 0, 0 }, { 1, 0.2 }, { 3, 0.5 }, { 4, 0.9 }, { 10, 1 } }
local function table_F(x)
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    if x <= b[1] then return math.max(0, a[2] + (b[2] - a[2]) * (x - a[1]) / (b[1] - a[1])) end
  end
  return 1
end
local function table_inverse(u)
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    if u <= b[2] then return a[1] + (b[1] - a[1]) * (u - a[2]) / (b[2] - a[2]) end
  end
end
local inverses = {
  { "exponential", function(u) return -2 * math.log(1 - u) end, function(x) return 1 - math.exp(-x / 2) end },
  { "Weibull", function(u) return 3 * (-math.log(1 - u)) ^ (1 / 1.7) end, function(x) return 1 - math.exp(-(x / 3) ^ 1.7) end },
  { "logistic", function(u) return math.log(u / (1 - u)) end, function(x) return 1 / (1 + math.exp(-x)) end },
  { "Cauchy", function(u) return math.tan(math.pi * (u - 0.5)) end, function(x) return 0.5 + math.atan(x) / math.pi end },
  { "of five points", table_inverse, table_F },
}
local cases = {}
for i, each in ipairs(inverses) do cases[i] = { each[1], sampler.inverse_transform(each[2]), each[3] } end
tell("S4-13", "reproduces", judged(cases))

-- Composition, convolution, acceptance and rejection.
local function exponential_F(mean) return function(x) return x <= 0 and 0 or 1 - math.exp(-x / mean) end end
local function uniform_F(low, high) return function(x) return math.max(0, math.min(1, (x - low) / (high - low))) end end
local function mixture(probabilities, Fs)
  return function(x)
    local sum = 0
    for j, p in ipairs(probabilities) do sum = sum + p * Fs[j](x) end
    return sum
  end
end
local function exponential(mean) return distribution.exponential { mean = mean } end
local function uniform(low, high) return distribution.uniform { low = low, high = high } end
tell("S4-14", "reproduces", judged {
  { "two exponentials", sampler.composition({ 0.3, 0.7 }, { exponential(10), exponential(1) }),
    mixture({ 0.3, 0.7 }, { exponential_F(10), exponential_F(1) }) },
  { "two uniforms apart", sampler.composition({ 0.5, 0.5 }, { uniform(0, 1), uniform(3, 5) }),
    mixture({ 0.5, 0.5 }, { uniform_F(0, 1), uniform_F(3, 5) }) },
  { "three kinds", sampler.composition({ 0.2, 0.3, 0.5 }, { exponential(2), uniform(0, 4), uniform(1, 2) }),
    mixture({ 0.2, 0.3, 0.5 }, { exponential_F(2), uniform_F(0, 4), uniform_F(1, 2) }) },
})
local function erlang_F(k, mean)
  return function(x)
    local term, sum = math.exp(-x / mean), 0
    for i = 0, k - 1 do
      sum = sum + term
      term = term * x / mean / (i + 1)
    end
    return 1 - sum
  end
end
local function triangle_F(x) return x < 1 and x * x / 2 or 1 - (2 - x) ^ 2 / 2 end
tell("S4-15", "reproduces", judged {
  { "sum of 2 exponentials", sampler.convolution(2, exponential(3)), erlang_F(2, 3) },
  { "of 5", sampler.convolution(5, exponential(3)), erlang_F(5, 3) },
  { "of 10", sampler.convolution(10, exponential(3)), erlang_F(10, 3) }, { "of 2 uniforms", sampler.convolution(2, uniform(0, 1)), triangle_F },
})
local asked = 0
local function counted(r)
  asked = asked + 1
  return r:uniform(0, 1)
end
local beta = sampler.acceptance_rejection { density = function(x) return 6 * x * (1 - x) end, majorant = 1.5, proposal = counted }
local d_beta = distance(draw(beta), function(x) return x * x * (3 - 2 * x) end)
local accepted = verdicts.share(n, asked)
local share, off = n / asked, 3 * math.sqrt(2 / 9 / asked)
-- A majorant that is no constant: e^(-x) 1.4 above the half of a normal density.
local root = math.sqrt(2 / math.pi)
local half = sampler.acceptance_rejection { density = function(x) return root * math.exp(-x * x / 2) end,
                                            majorant = function(x) return 1.4 * math.exp(-x) end, proposal = exponential(1) }
local standard = distribution.normal { mean = 0, sd = 1 }
local d_half = distance(draw(half), function(x) return 2 * standard:cdf(x) - 1 end)
tell("S4-16", "reproduces", d_beta < limit and d_half < limit and math.abs(share - 2 / 3) < off,
     (("largest distance between the distribution of %d variates and the density asked for, times the root of their number: beta %.2f, " ..
       "half of a normal %.2f, by chance below %.2f; a Y for beta was accepted %s, and the integral of t asks for %.2f %%")
     :format(n, d_beta, d_half, limit, accepted.found, 200 / 3)))

-- At the ends of 0 <= U <= 1.
local defined, least, most = 0, 1, 0
for _, each in ipairs(inverses) do
  local low, high = each[2](0.0), each[2](1.0)
  -- The tangent of the Cauchy inverse is a large number only because pi / 2 is rounded.
  if math.abs(low) < 1e12 and math.abs(high) < 1e12 then defined = defined + 1 end
end
local seen = sampler.inverse_transform(function(u)
  least, most = math.min(least, u), math.max(most, u)
  return u
end)
for _ = 1, n do seen(rng) end
tell("S4-17", "source in error", defined == #inverses,
     (("of %d continuous and increasing distributions F, F^-1(U) is finite at both ends, U = 0 and U = 1, for %d only; " ..
       "of %d numbers U drawn here the least is %.1e and the largest 1 - %.1e")
     :format(#inverses, defined, n, least, 1 - most)), "uniform numbers are drawn here from the open interval, so that neither end comes")
