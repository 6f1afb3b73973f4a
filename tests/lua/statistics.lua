-- Statistics, distributions and samplers as scripts see them; their numbers are tested in tests/runtime/statistics.
-- expect: statistics agree

local function near(a, b, relative) assert(math.abs(a - b) <= (relative or 1e-12) * math.abs(b), a .. " is not near " .. b) end
local function refuses(text, f, ...)
  local ok, problem = pcall(f, ...)
  assert(not ok, "no error; expected: " .. text)
  assert(tostring(problem):find(text, 1, true), "'" .. tostring(problem) .. "' does not say: " .. text)
  assert(type(problem) == "string" or problem.line > 0 and problem.code, "no line")
end

-- intervals
local i = stats.interval { 1, 2, 3, 4, 5 }
assert(i.mean == 3 and i.n == 5 and i.confidence == 0.95 and i.distinguishable)
near(i.half_width, 2.776445 * math.sqrt(0.5), 1e-6)
near(i.relative_half_width, i.half_width / 3)
near(i.high - i.low, 2 * i.half_width)
assert(i:contains(4.9) and not i:contains(5))
near(stats.interval({ 1, 2, 3, 4, 5 }, { confidence = 0.9 }).half_width, 2.131847 * math.sqrt(0.5), 1e-6)
assert(tostring(i) == "3.0 ± 2.0 (95 %, n = 5)")
local one, none = stats.interval { 7 }, stats.interval {}
assert(one.mean == 7 and one.sd == 0 and one.half_width == nil and one.low == nil and not one.distinguishable)
assert(none.mean == nil and none.n == 0 and tostring(none) == "no values")
assert(tostring(stats.paired({ 1, 2, 3 }, { 1.1, 1.9, 3.2 })):find("not distinguishable", 1, true))
assert(not tostring(stats.paired({ 11, 12, 14 }, { 1, 2, 3 })):find("not distinguishable", 1, true))
assert(stats.interval({ 80, 120, 100 }):replications_needed(0.05) == 64)  -- as worked out in interval_test.cpp
local runs = 0
local enough = stats.replicate { relative = 0.1, at_least = 5, run = function(k)
  runs = runs + 1
  assert(k == runs)
  return stream("replications", k):normal(100, 20)
end }
assert(enough.n == runs and runs >= 5 and enough.relative_half_width <= 0.1)
assert(stats.replicate({ relative = 1e-9, at_most = 12, run = function(k) return k end }).n == 12)
assert(stats.replicate({ run = function() return 5 end }).n == 10)
assert(enough.reached == true and i.reached == nil)
local short = stats.replicate { relative = "1 %", confidence = "95 %", at_most = 12, run = function(k) return k end }
assert(short.reached == false and tostring(short):find("n = 12), not within 1 % of the mean", 1, true))
assert(tostring(stats.interval { -10, 9.99 }):find("^0 ±"))  -- the mean, -0.005, to the place of its half-width, 127
assert(tostring(stats.summary { -0.0 }):find "min 0,")
near(stats.interval({ 1, 2, 3, 4, 5 }, { confidence = "90 %" }).half_width, 2.131847 * math.sqrt(0.5), 1e-6)
assert(stats.interval({ 80, 120, 100 }):replications_needed "5 %" == 64)

-- lists
local s = stats.summary { 4, 2, 1, 3 }
assert(s.n == 4 and s.mean == 2.5 and s.min == 1 and s.q1 == 1.75 and s.median == 2.5 and s.q3 == 3.25 and s.max == 4)
assert(stats.summary({}).mean == nil)
assert(stats.quantile({ 1, 2, 3, 4 }, "90 %") == 3.7)
assert(#stats.histogram({ 1, 1, 1 }).counts == 1 and #stats.histogram({ 1e30, 1e30 }, { bins = 3 }).counts == 3)
assert(#stats.histogram({ 0, 1, 1, 1, 1, 1, 1, 2 }).counts == 4)  -- equal quartiles: 1 + log2 8
near(stats.fit.linear({ 1e9, 1e9 + 1, 1e9 + 2 }, { 5, 7, 9 }):predict(1e9 + 3), 11)
assert(stats.quantile({ 1, 2, 3, 4 }, 0.9) == 3.7 and stats.quantile({ 1, 2, 3, 4 }, 0.9, { type = 1 }) == 4)
local h = stats.histogram({ -1, 0, 0.5, 1, 1.5, 2, 3, 3.1, 7 }, { edges = { 0, 1, 2, 3 } })
assert(h.n == 9 and h.below == 1 and h.above == 2 and #h.edges == 4 and table.concat(h.counts, " ") == "2 2 2")
local rows = h:table()
assert(#rows == 3 and rows[2].from == 1 and rows[2].to == 2 and rows[2].count == 2)
near(rows[1].density, 2 / 9)
assert(#stats.histogram({ 1, 2, 3 }, { bins = 7 }).counts == 7)
assert(#stats.histogram({ 1, 2, 3, 4, 5, 6, 7, 8 }).counts == 2)  -- 7 / (2 * 3.5 / 2)

-- fits
local line = stats.fit.linear({ 1, 2, 3 }, { 5, 7, 9 })
near(line.coefficients[1], 3) near(line.coefficients[2], 2) near(line.r_squared, 1) near(line:predict(10), 23)
assert(line.n == 3)
near(stats.fit.quadratic({ 0, 1, 2, 3 }, { 1, 2, 5, 10 }):predict(4), 17)
local growth = stats.fit.exponential({ 0, 1, 2 }, { 3, 6, 12 })
near(growth.coefficients[1], 3) near(growth.coefficients[2], math.log(2)) near(growth.r_squared_log, 1)
assert(stats.fit.linear({ 1, 2 }, { 4, 4 }).r_squared == nil)

-- queues
local q = stats.mm1 { lambda = 0.5, mu = 1 }
assert(q.utilization == 0.5 and q.mean_number == 1 and q.mean_response == 2 and q.mean_wait == 1 and q.var_number == 2)
assert(q:probability(0) == 0.5 and q:at_least(2) == 0.25 and q:queue_probability(0) == 0.75)
near(q:response_cdf(q:response_quantile(0.9)), 0.9) near(q:wait_cdf(q:wait_quantile(0.9)), 0.9)
near(stats.mmc({ lambda = 0.5, mu = 1, servers = 1 }).mean_response, 2)
near(stats.mmc({ lambda = 1, mu = 1, servers = 2 }).erlang_c, 1 / 3)
near(stats.mg1({ lambda = 0.5, service = distribution.exponential { mean = 1 } }).mean_response, 2)
near(stats.mg1({ lambda = 0.5, mean = 1, sd = 0 }).mean_response, 1.5)
near(stats.mg1({ lambda = 0.5, mean = 1, second_moment = 2 }).mean_wait, 1)

-- accumulators
local o = stats.observations()
assert(o.mean == nil and tostring(o) == "no values")
for _, x in ipairs { 2, 4, 9 } do o:add(x) end
assert(o.n == 3 and o.mean == 5 and o.min == 2 and o.max == 9 and o.last == 9)
near(o.sd, math.sqrt(13))
o:reset()
assert(o.n == 0)
local w = stats.time_weighted { value = 2, start = 100 }
w:set(110, 5) w:set(130, 0) w:advance(140)
near(w.mean, 3) near(w.sd, math.sqrt(4.5))
assert(w.min == 0 and w.max == 5 and w.value == 0 and w.period == 40 and w.now == 140)
w:reset(150)
assert(w.mean == nil and w.max == 0)
w:set("151 s", 1)
assert(w.now == 151)
assert(stats.littles_law({ rate = 2, time = 3, number = 5 }).relative_difference == 0.2)

-- distributions
local all = {
  distribution.uniform { low = -3, high = 5 }, distribution.exponential { mean = 67 }, distribution.normal { mean = 100, sd = 15 },
  distribution.lognormal { mean = 120, sd = 60 }, distribution.lognormal { mu = 1, sigma = 0.25 }, distribution.gamma { mean = 1000, sd = 5 },
  distribution.gamma { shape = 0.3, scale = 2 }, distribution.erlang { k = 3, mean = 10 },
  distribution.hyperexponential { probabilities = { 0.3, 0.7 }, means = { 10, 1 } }, distribution.weibull { shape = 0.7, scale = 3 },
  distribution.pareto { shape = 5, minimum = 2 }, distribution.triangular { low = 1, mode = 2, high = 6 }, distribution.poisson { mean = 3.5 },
  distribution.deterministic { value = 7 }, distribution.empirical { 3, 1, 4, 1, 5 }, distribution.tabulated { { 0, 0 }, { 1, 0.5 }, { 5, 1 } } }
for _, d in ipairs(all) do
  local rng, sum, count = stream(tostring(d), 1), 0, 2000
  for _ = 1, count do sum = sum + d:draw(rng) end
  assert(math.abs(sum / count - d:mean()) <= 4 * d:sd() / math.sqrt(count), tostring(d))
  assert(d:cdf(d:quantile(0.3)) >= 0.3 - 1e-12)
  near(d:cdf(d:quantile(0.3)) + d:tail(d:quantile(0.3)), 1)
  assert(d:cdf(-math.huge) == 0 and d:cdf(math.huge) == 1)
end
near(distribution.normal({ mean = 0, sd = 1 }):density(0), 1 / math.sqrt(2 * math.pi))
local half = distribution.normal({ mean = 0, sd = 1 }):truncated { low = 0 }
near(half:mean(), math.sqrt(2 / math.pi))
assert(half:truncated({ high = 1 }):quantile(1) == 1)
local deep = half
for _ = 1, 100000 do deep = deep:truncated { high = 10 } end
near(deep:mean(), half:mean())
assert(distribution.gamma({ shape = 4, scale = 25 }):draw(stream("a", 1)) == stream("a", 1):gamma(4, 25))
assert(distribution.gamma({ mean = 9, sd = 0 }):draw(stream "a") == 9)
assert(distribution.pareto({ shape = 1, minimum = 1 }):mean() == math.huge)
-- the rng of a generator, in a run
local r = scenario { platform = platform { host "h" {} }, workload = workload.tasks(5, function(k, rng) return { time = all[2]:draw(rng) } end) }
  :run { policy = "workqueue", seed = 3 }
assert(r.makespan > 0)

-- samplers: [Breitinger 1999, III.E]
local function mean_of(sampler)
  local rng, seen = stream("samplers", 1), stats.observations()
  for _ = 1, 4000 do seen:add(sampler(rng)) end
  return seen
end
local function agrees(seen, mean) assert(math.abs(seen.mean - mean) <= 4 * seen.sd / math.sqrt(seen.n), seen.mean .. " for " .. mean) end
local by_inverse = sampler.inverse_transform(function(u) return -2 * math.log(1 - u) end)
agrees(mean_of(by_inverse), 2)
local mixed = sampler.composition({ 0.3, 0.7 }, { distribution.exponential { mean = 10 }, function(rng) return rng:exponential(1) end })
agrees(mean_of(mixed), 3.7)
agrees(mean_of(sampler.convolution(3, by_inverse)), 6)
agrees(mean_of(sampler.convolution { by_inverse, mixed, all[14] }), 12.7)
local parabola = sampler.acceptance_rejection {
  density = function(x) return 6 * x * (1 - x) end, majorant = function(x) return 1.5 end, proposal = distribution.uniform { low = 0, high = 1 } }
agrees(mean_of(parabola), 0.5)
agrees(mean_of(function(rng) local x = all[1].draw(distribution.uniform { low = 0, high = 2 }, rng) return 2 * math.exp(-x * x) end), 0.8820813908)

-- an accumulator that a policy changes outside of its `self` is noticed
local seen = stats.observations()
policy "counts" { arrived = function(self, sim, works) for _, work in ipairs(works) do seen:add(work) sim:post(work, 1) end end }
local small = scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 }, { time = 2 } } }
small:run { policy = "counts" }
refuses("'seen'", function() small:run { policy = "counts" } end)

-- bad input
refuses("stats.interval: values must be a list of numbers, got 5", stats.interval, 5)
refuses("values[2] must be a number, got nan", stats.interval, { 1, 0 / 0 })
refuses("values[2] is beyond any sense: inf", stats.interval, { 1, math.huge })
refuses("confidence must be between 0 and 1, both excluded, got 95", stats.interval, { 1 }, { confidence = 95 })
refuses("confidence must be between 0 and 1, both excluded, got 1", stats.replicate, { run = print, confidence = "100 %" })
refuses("values has a hole: there is an entry 3, and no entry 2", stats.interval, { [1] = 1, [3] = 3 })
refuses("mean must be >= 1e-300, got 1e-320", distribution.exponential, { mean = 1e-320 })
refuses("sd / mean must be within 1e-150 and 1e150, got 1e-200", distribution.lognormal, { mean = 1, sd = 1e-200 })
refuses("unknown field 'confidense'; did you mean 'confidence'?", stats.interval, { 1 }, { confidense = 0.9 })
refuses("both lists must have the same length, got 1 and 2 values", stats.paired, { 1 }, { 1, 2 })
refuses("a pilot of at least 2 values is needed, got 1", one.replications_needed, one, 0.1)
refuses("'run' is missing", stats.replicate, {})
refuses("at_most must be >= at_least, 10, got 9", stats.replicate, { run = print, at_most = 9 })
refuses("at_least must be 2 to", stats.replicate, { run = print, at_least = 1 })
refuses("what run returned must be a number, got nil", stats.replicate, { run = function() end })
refuses("p must be >= 0 and <= 1, got 2", stats.quantile, { 1 }, 2)
refuses("type must be 1 to 9, got 0", stats.quantile, { 1 }, 0.5, { type = 0 })
refuses("needs at least one value, got none", stats.quantile, {}, 0.5)
refuses("either bins or edges", stats.histogram, { 1 }, { bins = 2, edges = { 0, 1 } })
refuses("bins must be 1 to 1000000, got 0", stats.histogram, { 1 }, { bins = 0 })
refuses("the edges must ascend, got 1 after 1", stats.histogram, { 1 }, { edges = { 1, 1 } })
refuses("without values the edges must be given", stats.histogram, {})
refuses("3 coefficients need as many points with different x, got 2", stats.fit.quadratic, { 1, 2 }, { 1, 2 })
refuses("each y must be finite and > 0, got 0", stats.fit.exponential, { 1, 2 }, { 0, 1 })
refuses("same length, got 2 and 1", stats.fit.linear, { 1, 2 }, { 1 })
refuses("must be < 1 for a steady state, got 2", stats.mm1, { lambda = 2, mu = 1 })
refuses("'mu' is missing", stats.mm1, { lambda = 2 })
refuses("lambda must be > 0, got 0", stats.mm1, { lambda = 0, mu = 1 })
refuses("must be < 1 for a steady state, got 1", stats.mmc, { lambda = 2, mu = 1, servers = 2 })
refuses("servers must be 1 to 1000000, got 0", stats.mmc, { lambda = 2, mu = 1, servers = 0 })
refuses("the service is told by", stats.mg1, { lambda = 1 })
refuses("the service is told by", stats.mg1, { lambda = 1, mean = 1, sd = 1, second_moment = 2 })
refuses("service must be a probability distribution, got 5", stats.mg1, { lambda = 1, service = 5 })
refuses("must be finite and >= the square of the mean, got inf", stats.mg1, { lambda = 0.1, service = distribution.pareto { shape = 2, minimum = 1 } })
refuses("add: value must be a number, got nan", o.add, o, 0 / 0)
refuses("the time must be finite and >= 151, where it is, got 1", w.advance, w, 1)
refuses("rate must be >= 0, got -1", stats.littles_law, { rate = -1, time = 1, number = 1 })
refuses("there is no 'stats.fit.linaer'; did you mean 'linear'?", function() return stats.fit.linaer end)
refuses("there is no 'distribution.gama'; did you mean 'gamma'?", function() return distribution.gama end)
refuses("a confidence interval has no field 'halfwidth'; did you mean 'half_width'?", function() return i.halfwidth end)
refuses("cannot be changed", function() i.mean = 3 end)
refuses("cannot be changed", function() stats.mean = 3 end)
refuses("distribution.gamma: either mean and sd, or shape and scale are needed", distribution.gamma, { mean = 1, shape = 2 })
refuses("'sd' is missing", distribution.gamma, { mean = 1 })
refuses("mean must be > 0, got -1", distribution.exponential, { mean = -1 })
refuses("sd must be >= 0, got -1", distribution.normal, { mean = 0, sd = -1 })
refuses("k must be 1 to 1000000, got 0", distribution.erlang, { k = 0, mean = 1 })
refuses("the sum of the probabilities must be 1 within 1e-9, got 0.9", distribution.hyperexponential, { probabilities = { 0.9 }, means = { 1 } })
refuses("low <= mode <= high must hold, got 0, 3, 2", distribution.triangular, { low = 0, mode = 3, high = 2 })
refuses("must be {x, F}, got 3 numbers", distribution.tabulated, { { 1, 2, 3 } })
refuses("the last F must be 1, got 0.5", distribution.tabulated, { { 0, 0 }, { 1, 0.5 } })
refuses("at least one value, got none", distribution.empirical, {})
refuses("low, high or both are needed", half.truncated, half, {})
refuses("has nothing between -2 and -1", half.truncated, half, { low = -2, high = -1 })
refuses("only continuous distributions can be truncated", function() all[13]:truncated { low = 1 } end)
refuses("it is not continuous", function() all[13]:density(1) end)
refuses("p must be >= 0 and <= 1, got -1", half.quantile, half, -1)
refuses("the stream must be a random stream, got 5", half.draw, half, 5)
refuses("not a majorant: the density is", function()
  mean_of(sampler.acceptance_rejection { density = function(x) return 6 * x * (1 - x) end, majorant = 1.2, proposal = distribution.uniform { low = 0, high = 1 } })
end)
refuses("'majorant' is missing", sampler.acceptance_rejection, { density = print, proposal = half })
refuses("proposal must be a distribution or a function of the stream, got 5", sampler.acceptance_rejection, { density = print, majorant = 1, proposal = 5 })
refuses("density must be a function, got 5", sampler.acceptance_rejection, { density = 5, majorant = 1, proposal = half })
refuses("the density must be finite and >= 0, got -1", sampler.acceptance_rejection { density = function() return -1 end, majorant = 1, proposal = half }, stream "x")
refuses("what density returned must be a number, got nil", sampler.acceptance_rejection { density = function() end, majorant = 1, proposal = half }, stream "x")
refuses("part 2 must be a distribution or a function of the stream, got 'x'", sampler.composition, { 0.5, 0.5 }, { half, "x" })
refuses("as many probabilities as parts are needed, got 1 and 2", sampler.composition, { 1 }, { half, half })
refuses("the sum of the probabilities must be 1", sampler.composition, { 0.5 }, { half })
refuses("needs at least one part, got none", sampler.convolution, {})
refuses("n must be 1 to 1000000, got 0", sampler.convolution, 0, half)
refuses("the inverse of F must be a function, got nil", sampler.inverse_transform)
refuses("a sampler's argument must be a random stream, got nil", by_inverse)
refuses("from inside", sampler.convolution(2, function() error "from inside" end), stream "x")

-- wrong receivers and no arguments at all, of every word
local receivers = {
  ["confidence interval"] = { i, "contains", "replications_needed" }, histogram = { h, "table" }, ["fitted curve"] = { line, "predict" },
  ["steady M/M/1 queue"] = { q, "probability", "at_least", "queue_probability", "response_cdf", "wait_cdf", "response_quantile", "wait_quantile" },
  ["tally of observations"] = { o, "add", "reset" }, ["time-weighted statistic"] = { w, "set", "advance", "reset" },
  ["probability distribution"] = { half, "mean", "sd", "cdf", "tail", "density", "quantile", "draw", "truncated" } }
for name, entry in pairs(receivers) do
  for k = 2, #entry do
    for _, wrong in ipairs { 5, "x", {}, print, name == "confidence interval" and half or i } do
      refuses("argument 1 must be a " .. name .. ", got", entry[1][entry[k]], wrong)
    end
    refuses("argument 1 must be a " .. name .. ", got", entry[1][entry[k]])
  end
end
for _, module in ipairs { stats, stats.fit, distribution, sampler } do
  for name, f in pairs(module) do
    if type(f) == "function" and name ~= "observations" and name ~= "time_weighted" then
      assert(not pcall(f) and not pcall(f, 5) and not pcall(f, "x", 3) and not pcall(f, half), name)
    end
  end
end
print("statistics agree")
