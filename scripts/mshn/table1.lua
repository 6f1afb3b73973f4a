-- Table 1 of Breitinger (1999): the M/M/1 queue, each form as it is printed beside what follows from its own items 5 and 11.
-- takes: a moment
-- perigee run scripts/mshn/table1.lua
--   --set rho=0.8      utilization; service takes 1 s on average
--   --set replications=10
-- test: --set replications=2

local advisor = require "advisor"
local settings = require "settings"
local rho, mu = settings.number("rho", 0.8, 0.05, 0.95), 1
local replications = settings.number("replications", 10, 2, 1000)
local lambda = rho * mu
local q = stats.mm1 { lambda = lambda, mu = mu }

-- Independent of any form: sums over the numbers of jobs, of which n has the probability (1 - rho) rho^n (item 5).
local function sum(f)
  local total = 0
  for n = 0, 3000 do total = total + f(n) * (1 - rho) * rho ^ n end
  return total
end
local function waiting(n) return math.max(0, n - 1) end
local number, queue = sum(function(n) return n end), sum(waiting)
local var_number = sum(function(n) return (n - number) ^ 2 end)
local var_queue = sum(function(n) return (waiting(n) - queue) ^ 2 end)
-- A job that finds n others waits for n exponential services and takes one more: moments of Erlang times.
local response, wait = sum(function(n) return n + 1 end) / mu, number / mu
local var_response = sum(function(n) return (n + 1) * (n + 2) end) / mu ^ 2 - response ^ 2
local var_wait = sum(function(n) return n * (n + 1) end) / mu ^ 2 - wait ^ 2
-- It is gone after t when the nth of these has ended: of an Erlang time the tail is a Poisson probability.
local function tail(t, services)
  local term, total = math.exp(-mu * t), 0
  for k = 0, services - 1 do
    total = total + term
    term = term * mu * t / (k + 1)
  end
  return total
end
local function response_cdf(t) return sum(function(n) return n < 300 and 1 - tail(t, n + 1) or 0 end) end
local function wait_cdf(t) return sum(function(n) return n < 300 and (n == 0 and 1 or 1 - tail(t, n)) or 0 end) end
local function percentile(cdf, p)
  local low, high = 0, 1000
  for _ = 1, 100 do
    local middle = (low + high) / 2
    if cdf(middle) < p then low = middle else high = middle end
  end
  return low
end

local t = 2 / mu
local rows = {  -- item, what, as printed, the number of it here, independently
  { 4, "no job in the system", 1 - rho, q:probability(0), sum(function(n) return n == 0 and 1 or 0 end) },
  { 5, "3 jobs in the system", (1 - rho) * rho ^ 3, q:probability(3), sum(function(n) return n == 3 and 1 or 0 end) },
  { 6, "E[n]", rho / (1 - rho), q.mean_number, number },
  { 7, "Var[n]", rho / (1 - rho), q.var_number, var_number },
  { 8, "none waits", 1 - rho ^ 2, q:queue_probability(0), sum(function(n) return n <= 1 and 1 or 0 end) },
  { 8, "2 wait", (1 - rho) * rho ^ 3, q:queue_probability(2), sum(function(n) return n == 3 and 1 or 0 end) },
  { 9, "E[n_q]", nil, q.mean_queue, queue },
  { 10, "Var[n_q]", rho ^ 2 * (1 + rho - rho ^ 2) / (1 - rho) ^ 2, q.var_queue, var_queue },
  { 11, "response within 2 s", 1 - math.exp(-t * mu * (1 - rho)), q:response_cdf(t), response_cdf(t) },
  { 12, "E[r]", 1 / mu / (1 - rho), q.mean_response, response },
  { 13, "Var[r]", 1 / mu ^ 2 / (1 - rho) ^ 2, q.var_response, var_response },
  { 15, "90 % of r", 2.3 / mu / (1 - rho), q:response_quantile(0.9), percentile(response_cdf, 0.9) },
  { 16, "wait within 2 s", 1 - rho * math.exp(-mu * t * (1 - rho)), q:wait_cdf(t), wait_cdf(t) },
  { 17, "E[w]", rho / mu / (1 - rho), q.mean_wait, wait },
  { 18, "Var[w]", (2 - rho) * rho / (mu ^ 2 * (1 - rho) ^ 2), q.var_wait, var_wait },
  { 20, "90 % of w", math.max(0, q.mean_wait / rho * math.log(10 * rho)), q:wait_quantile(0.9), percentile(wait_cdf, 0.9) },
  { 21, "3 or more in the system", rho ^ 3, q:at_least(3), sum(function(n) return n >= 3 and 1 or 0 end) },
}
print(("M/M/1, utilization %g, service of 1 s\n\nitem  what                       printed       here    by sums"):format(rho))
local right, wrong, here = 0, {}, 0
for _, row in ipairs(rows) do
  local item, what, printed, ours, sums = row[1], row[2], row[3], row[4], row[5]
  here = math.max(here, math.abs(ours / sums - 1))
  -- 2.3 stands for the logarithm of 10.
  local same = printed and math.abs(printed - sums) <= (item == 15 and 2e-3 or 1e-6) * math.abs(sums)
  if same then right = right + 1 elseif printed then wrong[#wrong + 1] = what end
  print(("%4d  %-24s%10s %10.4f %10.4f%s"):format(item, what, printed and ("%.4f"):format(printed) or "-", ours, sums,
        printed and not same and "   not so" or ""))
end

-- A queue as simulated, after its first tenth.
local clock
local served = scenario {
  platform = platform { host "server" {} },
  workload = workload.jobs(20000, function(i, rng)
    clock = i == 1 and 0 or clock + rng:exponential(1 / lambda)
    return { arrival = clock, time = rng:exponential(1 / mu) }
  end),
}
local means = {}
for seed = 1, replications do
  means[seed] = served:run { policy = "fcfs", seed = seed, warmup = 2000 / lambda, trace = "work" }.mean_response
end
local simulated = stats.interval(means)
print(("\nsimulated: mean response %s s"):format(simulated))

claim { source = advisor.source .. ", Table 1", says = "the forms of the M/M/1 queue, but that of Var[n]", holds = right == #rows - 2,
        found = ("%d of %d as they follow from items 5 and 11"):format(right, #rows - 2), verdict = "reproduces" }
claim { source = advisor.source .. ", Table 1", says = "item 7: Var[n] is rho / (1 - rho)", holds = #wrong == 0,
        found = ("%.4g by its own item 5, not %.4g: the denominator is (1 - rho)^2"):format(var_number, rho / (1 - rho)), verdict = "source in error" }
claim { source = "stats.mm1", says = "the forms here are what sums over the numbers of jobs give", holds = here < 1e-6,
        found = ("relative differences of at most %.0e"):format(here), verdict = "reproduces" }
if replications >= 10 and rho == 0.8 then
  claim { source = advisor.source .. ", Table 1", says = "item 12: the mean response of a simulated queue, s", value = simulated.mean,
          published = 1 / mu / (1 - rho), margin = 3 * simulated.half_width / 2, verdict = "reproduces" }
end
