-- Duels of policies: what the search says against a loop over all cases, the measures, and what does not count.
-- expect: duels of scenarios are what a loop finds
local same = require("modules.expect").same

local s = space "three jobs" {
  nodes = vary.whole { 1, 2 },
  jobs = vary.list { n = 3, of = { time = vary.whole { 1, 3 }, cores = vary.whole { 1, 2 } } },
  scenario = function(x)
    return scenario { platform = platform { cluster "n" { nodes = x.nodes, cores = 2 } }, workload = workload.jobs(x.jobs) }
  end,
}
same(s:size(), 2 * 6 ^ 3, "cases")
local cases = {}
for nodes = 1, 2 do
  for i = 0, 6 ^ 3 - 1 do
    local jobs, rest = {}, i
    for j = 1, 3 do
      jobs[j] = { time = 1 + rest % 3, cores = 1 + rest // 3 % 2 }
      rest = rest // 6
    end
    cases[#cases + 1] = { nodes = nodes, jobs = jobs }
  end
end
local policies, results = { "fcfs", "sjf", "easy" }, {}
for _, policy in ipairs(policies) do
  results[policy] = {}
  for i, case in ipairs(cases) do results[policy][i] = s:at(case):run { policy = policy } end
end
local function top(value)  -- the greatest over all cases, and how many have none
  local most, without = -math.huge, 0
  for i = 1, #cases do
    local here = value(i)
    if here then most = math.max(most, here) else without = without + 1 end
  end
  return most, without
end
local function near(a, b) return math.abs(a - b) <= 1e-12 * math.abs(b) end
local function duelled(a, b, more)
  local given = { a = a, b = b, space = s, search = "exhaustive", budget = #cases }
  for name, value in pairs(more or {}) do given[name] = value end
  return duel(given)
end

for _, a in ipairs(policies) do
  for _, b in ipairs(policies) do
    if a ~= b then
      for _, measure in ipairs { "makespan", "mean_response" } do
        local found = duelled(a, b, { measure = measure })
        local what = ("%s against %s by %s"):format(a, b, measure)
        same(near(found.ratio, top(function(i) return results[a][i][measure] / results[b][i][measure] end)), true, what)
        same(found.evaluations, #cases, what .. ": evaluations")
        same(found.a[measure], found.of_a, what .. ": d.a")
        same(found.b[measure], found.of_b, what .. ": d.b")
        same(s:at(found.case):run({ policy = a, seed = found.seed })[measure], found.of_a, what .. ": d.case")
      end
    end
  end
end
same(duelled("fcfs", "sjf", { measure = "mean_response" }).ratio > 1.1, true, "first come, first served loses somewhere")

-- More is better: the ratio is that of b by a. `better` turns it.
local most = top(function(i) return results.sjf[i].utilization / results.fcfs[i].utilization end)
same(most > 1, true, "utilizations differ somewhere")
same(near(duelled("fcfs", "sjf", { measure = "utilization" }).ratio, most), true, "utilization")
same(near(duelled("fcfs", "sjf", { measure = "utilization", better = "less" }).ratio,
          top(function(i) return results.fcfs[i].utilization / results.sjf[i].utilization end)), true, "less utilization")

-- A function as measure gets the result and the case; a difference is one of measures.
local function waits(result, x) return result.mean_wait * x.nodes + 1 end
local function waits_of(policy, i) return results[policy][i].mean_wait * cases[i].nodes + 1 end
same(near(duelled("fcfs", "sjf", { measure = waits }).ratio, top(function(i) return waits_of("fcfs", i) / waits_of("sjf", i) end)), true,
     "a function as measure")
same(near(duelled("fcfs", "sjf", { measure = waits, better = "more" }).ratio,
          top(function(i) return waits_of("sjf", i) / waits_of("fcfs", i) end)), true, "a function of which more is better")
same(near(duelled("fcfs", "sjf", { measure = "mean_wait", by = "difference" }).ratio,
          top(function(i) return results.fcfs[i].mean_wait - results.sjf[i].mean_wait end)), true, "a difference")

-- Waits of 0 count for nothing as ratios: neither 0 / 0 nor 1 / 0.
local function ratio(above, below)
  if above > 0 and below > 0 then return above / below end
end
local worst, left = top(function(i) return ratio(results.fcfs[i].mean_wait, results.sjf[i].mean_wait) end)
local found = duelled("fcfs", "sjf", { measure = "mean_wait" })
same(near(found.ratio, worst), true, "waits above 0")
local uncounted = 0
for _, count in pairs(found.uncounted) do uncounted = uncounted + count end
same(uncounted, left, "waits that do not count")

-- ---- sides that are functions, and what does not count ----
local pair = space "pairs" {
  n = vary.whole { 1, 3 }, k = vary.whole { 1, 4 },
  scenario = function(x)
    return scenario { platform = platform { cluster "c" { nodes = x.n } }, workload = workload.tasks(x.k, function() return { time = 2 } end) }
  end,
}
local function one() return 1 end
local function of_pairs(given)
  given.space, given.search, given.budget = pair, "exhaustive", 12
  return duel(given)
end
local d = of_pairs { a = function(x) return x.n - 1 end, b = one }
same(d.ratio, 2, "a function's number")
same(d.case.n, 3, "and its case")
same(d.uncounted["a measure is not above 0"], 4, "zeros of a")
d = of_pairs { a = one, b = function(x) return x.k - 1 end }
same(d.ratio, 1, "one by one")
same(d.case.k, 2, "and its case")
same(d.uncounted["the better measure is 0"], 3, "zeros of b")
d = of_pairs { a = one, b = function(x) return x.k - 1 end, zero = "worst" }
same(d.ratio, math.huge, "zero = worst")
same(d.case.k, 1, "b is 0 there")
same(d.of_b, 0, "b is 0")
d = of_pairs { a = function(x) if x.k ~= 2 then return x.k end end, b = one }
same(d.ratio, 4, "without those that are absent")
same(d.uncounted["the measure is absent"], 3, "absent")
d = of_pairs { a = function(x) return x.k == 2 and 0 / 0 or x.k end, b = function(x) return x.n end }
same(d.uncounted["the measure is not a finite number"], 3, "not a number")
d = of_pairs { a = function(x) if x.k == 4 then error "no four" end return x.k end, b = one, errors = "skip" }
same(d.ratio, 3, "errors = skip")
same(d.uncounted["an error"], 3, "errors are counted")
d = of_pairs { a = function(x) return x.n end, b = function(x) return x.k end, by = "difference" }
same(d.ratio, 2, "3 less 1")
d = of_pairs { a = function(x) return -x.n end, b = one, by = "difference" }
same(d.ratio, -2, "a difference may be negative")
d = of_pairs { a = function(x, seed) return seed * x.n end, b = function(x, seed) return seed end, seeds = 3, seed = 5 }
same(d.of_a, 18, "the mean over the seeds 5, 6, 7")
same(d.of_b, 6, "common to both")
same(d.seed, 5, "the first")
-- The same on a better scenario: Graham's question.
d = of_pairs { a = "fcfs", b = function(x, seed)
  x.n = x.n + 1
  return pair:at(x, seed):run { policy = "fcfs", seed = seed }
end }
same(d.ratio, 2, "one node more halves two tasks")
same(d.b.makespan * 2, d.a.makespan, "what the function returned is d.b")

-- A run that is not complete does not count, or ends the search.
policy "forgets_the_third" {
  decide = function(self, sim)
    for w = 1, math.min(sim:work_count(), 2) do
      for h = 1, sim:host_count() do
        if sim:waits(w) and sim:idle_cores(h) > 0 then sim:start(w, h) end
      end
    end
  end,
}
d = of_pairs { a = "forgets_the_third", b = "fcfs" }
same(d.ratio, 1, "what is complete")
same(d.uncounted["a run is not complete"], 6, "three or four tasks")
d = of_pairs { a = "forgets_the_third", b = "fcfs", incomplete = "worst" }
same(d.ratio, math.huge, "incomplete = worst")
same(d.case.k >= 3, true, "three tasks")
same(d.a.status, "incomplete", "d.a shows it")
same(of_pairs({ a = "fcfs", b = "forgets_the_third", incomplete = "worst" }).ratio, 1, "only a")
same(tostring(d):find("none can be worse", 1, true) ~= nil, true, "the page says so")
-- With a horizon the runs end there, and count: three of four tasks are done on three nodes.
d = of_pairs { a = "fcfs", b = one, horizon = 3, measure = "finished", better = "less" }
same(d.ratio, 3, "finished before the horizon")
same(d.uncounted["a run is not complete"], 0, "what the horizon cuts counts")
print "duels of scenarios are what a loop finds"
