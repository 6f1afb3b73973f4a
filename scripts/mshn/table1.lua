-- Table 1 of Breitinger (1999): the M/M/1 queue, each form as it is printed beside what follows from its own items 4 and 5.
-- takes: a moment
-- test: thorough
-- perigee run scripts/mshn/table1.lua
--   --set rho=0.8         the utilization of the table that is printed; service takes 1 s on average
--   --set full=true       30 simulated runs of 20000 jobs at each load

require "statements"
local settings = require "settings"
local full = setting("full", false)
local shown, mu = settings.number("rho", 0.8, 0.05, 0.95), 1

-- Independent of any form: sums over the numbers of jobs, of which n has the probability (1 - rho) rho^n (item 5).
local function sums(rho)
  local function sum(f)
    local total = 0
    for n = 0, 3000 do total = total + f(n) * (1 - rho) * rho ^ n end
    return total
  end
  local function waiting(n) return math.max(0, n - 1) end
  local number, queue = sum(function(n) return n end), sum(waiting)
  -- A job that finds n others waits for n exponential services and takes one more: moments of Erlang times.
  local response, wait = sum(function(n) return n + 1 end) / mu, number / mu
  -- It is gone after t when the nth of these has ended: of an Erlang time the tail is a Poisson probability. All tails in one pass.
  local function within(t, more)
    local term, below, total, share = math.exp(-mu * t), 0, 0, 1 - rho
    if more == 0 then total, share = share, share * rho end
    for k = 0, 400 do
      below = below + term
      total = total + share * math.max(0, 1 - below)
      term, share = term * mu * t / (k + 1), share * rho
    end
    return total
  end
  local function percentile(more, p)
    local low, high = 0, 150
    for _ = 1, 40 do
      local middle = (low + high) / 2
      if within(middle, more) < p then low = middle else high = middle end
    end
    return low
  end
  local t = 2 / mu
  return {
    sum(function(n) return n == 0 and 1 or 0 end), sum(function(n) return n == 3 and 1 or 0 end), number,
    sum(function(n) return (n - number) ^ 2 end),
    sum(function(n) return n <= 1 and 1 or 0 end), sum(function(n) return n == 3 and 1 or 0 end), queue,
    sum(function(n) return (waiting(n) - queue) ^ 2 end), within(t, 1), response,
    sum(function(n) return (n + 1) * (n + 2) end) / mu ^ 2 - response ^ 2, percentile(1, 0.9), within(t, 0), wait,
    sum(function(n) return n * (n + 1) end) / mu ^ 2 - wait ^ 2, percentile(0, 0.6), percentile(0, 0.9),
    sum(function(n) return n >= 3 and 1 or 0 end),
  }
end
-- { item, what, as printed, the number of it here }; items 9 and 14 are not legible.
local function items(rho)
  local q, t = stats.mm1 { lambda = rho * mu, mu = mu }, 2 / mu
  local mean_wait = rho / mu / (1 - rho)
  return {
    { 4, "no job in the system", 1 - rho, q:probability(0) }, { 5, "3 jobs in the system", (1 - rho) * rho ^ 3, q:probability(3) },
    { 6, "E[n]", rho / (1 - rho), q.mean_number }, { 7, "Var[n]", rho / (1 - rho), q.var_number },
    { 8, "none waits", 1 - rho ^ 2, q:queue_probability(0) }, { 8, "2 wait", (1 - rho) * rho ^ 3, q:queue_probability(2) },
    { 9, "E[n_q]", nil, q.mean_queue }, { 10, "Var[n_q]", rho ^ 2 * (1 + rho - rho ^ 2) / (1 - rho) ^ 2, q.var_queue },
    { 11, "response within 2 s", 1 - math.exp(-t * mu * (1 - rho)), q:response_cdf(t) }, { 12, "E[r]", 1 / mu / (1 - rho), q.mean_response },
    { 13, "Var[r]", 1 / mu ^ 2 / (1 - rho) ^ 2, q.var_response }, { 15, "90 % of r", 2.3 / mu / (1 - rho), q:response_quantile(0.9) },
    { 16, "wait within 2 s", 1 - rho * math.exp(-mu * t * (1 - rho)), q:wait_cdf(t) }, { 17, "E[w]", mean_wait, q.mean_wait },
    { 18, "Var[w]", (2 - rho) * rho / (mu ^ 2 * (1 - rho) ^ 2), q.var_wait },
    { 19, "60 % of w", math.max(0, mean_wait / rho * math.log(100 * rho / (100 - 60))), q:wait_quantile(0.6) },
    { 20, "90 % of w", math.max(0, mean_wait / rho * math.log(10 * rho)), q:wait_quantile(0.9) },
    { 21, "3 or more in the system", rho ^ 3, q:at_least(3) },
  }
end

local legible, right, here, variance = 0, 0, 0, {}
for k, rho in ipairs { 0.5, 0.8, 0.95, shown } do
  local independent = sums(rho)
  if k == 4 then
    print(("M/M/1, utilization %g, service of 1 s\n\nitem  what                       printed       here    by sums"):format(rho))
  end
  for i, row in ipairs(items(rho)) do
    local item, what, printed, ours = table.unpack(row, 1, 4)
    local by_sums = independent[i]
    here = math.max(here, math.abs(ours - by_sums) / math.max(by_sums, 1e-3))
    -- 2.3 stands for the logarithm of 10, 2.3026.
    local same = printed and math.abs(printed - by_sums) <= (item == 15 and 2e-3 or 1e-6) * math.max(by_sums, 1e-3)
    if item == 7 then
      variance[#variance + 1] = { rho = rho, printed = printed, sums = by_sums, same = same }
    elseif printed and k < 4 then  -- the fourth is shown only
      legible = legible + 1
      if same then right = right + 1 end
    end
    if k == 4 then
      print(("%4d  %-24s%10s %10.4f %10.4f%s"):format(item, what, printed and ("%.4f"):format(printed) or "-", ours, by_sums,
            printed and not same and "   not so" or ""))
    end
  end
end

-- A queue as simulated, after its first fifth; its mean response, and how much longer it is for the last fifth of the jobs than for the third.
local clock
local function simulated(rho, jobs, replications)
  local s = scenario {
    platform = platform { host "server" {} },
    workload = workload.jobs(jobs, function(i, rng)
      clock = i == 1 and 0 or clock + rng:exponential(1 / rho / mu)
      return { arrival = clock, time = rng:exponential(1 / mu) }
    end),
  }
  local means, growth, empty, three = {}, {}, {}, {}
  for seed = 1, replications do
    local r = s:run { policy = "fcfs", seed = seed, warmup = jobs / 5 / rho, trace = "work" }
    means[seed] = r.mean_response
    local middle, late, n = 0, 0, jobs // 5
    for i, job in ipairs(r:jobs()) do
      if i > 2 * n and i <= 3 * n then middle = middle + job.response elseif i > 4 * n then late = late + job.response end
    end
    growth[seed] = (late - middle) / n
    -- Poisson arrivals find what there is on average (items 4 and 5): jobs end in the order in which they came.
    local list, gone, none, threes = r:jobs(), 0, 0, 0
    for i, job in ipairs(list) do
      while gone < i - 1 and list[gone + 1].arrival + list[gone + 1].response <= job.arrival do gone = gone + 1 end
      if i > n and i - 1 - gone == 0 then none = none + 1 elseif i > n and i - 1 - gone == 3 then threes = threes + 1 end
    end
    empty[seed], three[seed] = none / (jobs - n), threes / (jobs - n)
  end
  local function of(list) return stats.interval(list, { confidence = 0.99 }) end
  return of(means), of(growth), of(empty), of(three)
end
print ""
local held, parts = 0, {}
local loads = full and { 0.5, 0.8, 0.95, 1.05 } or { 0.5, 0.8, 1.05 }
for _, rho in ipairs(loads) do
  local response, growth, empty, three = simulated(rho, full and 20000 or 1000, full and 30 or 10)
  -- Below 1 the forms of items 4, 5 and 12 and no growth, above 1 growth.
  local good, by_items = nil, ""
  if rho < 1 then
    good = response:contains(1 / mu / (1 - rho)) and growth:contains(0) and empty:contains(1 - rho) and three:contains((1 - rho) * rho ^ 3)
    by_items = (" (%g by item 12), none there %.4f +- %.4f (%.4f by item 4), 3 there %.4f +- %.4f (%.4f by item 5)"):format(1 / mu / (1 - rho),
               empty.mean, empty.half_width, 1 - rho, three.mean, three.half_width, (1 - rho) * rho ^ 3)
  else
    good = growth.low > 0
  end
  if good then held = held + 1 end
  parts[#parts + 1] = ("%g: mean response %.2f +- %.2f s%s, from the third fifth of the jobs to the last %+.2f +- %.2f s")
                      :format(rho, response.mean, response.half_width, by_items, growth.mean, growth.half_width)
end
print("simulated, by utilization: " .. table.concat(parts, "; "))

local so = right == legible and (held == #loads or "not decided")
claim { statement = "S4-20", verdict = "reproduces", holds = so,
        found = (("%d of %d values of the items, at utilizations of 0.5, 0.8 and 0.95, are what follows from items 4 and 5 and exponential " ..
                 "services; simulated queues, with 99 %% intervals, by utilization: %s"))
                :format(right, legible, table.concat(parts, "; ")),
        note = "items 9 and 14 are not legible; the 2.3 of item 15 is the logarithm of 10, rounded" }
local wrong = {}
for i, v in ipairs(variance) do wrong[i] = ("%g: %.4g printed, %.4g by items 5 and 6"):format(v.rho, v.printed, v.sums) end
claim { statement = "S4-21", verdict = "source in error", holds = variance[1].same and variance[2].same and variance[3].same,
        found = "variance of the number of jobs, by traffic intensity: " .. table.concat(wrong, "; ", 1, 3),
        note = "the denominator is (1 - rho)^2; perigee has that" }
claim { source = "found here", says = "the forms of stats.mm1 are what sums over the numbers of jobs give", holds = here < 1e-6,
        found = ("relative differences of at most %.0e"):format(here), verdict = "reproduces" }
