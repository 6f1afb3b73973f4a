-- The scheduling advisor of Breitinger (1999) as a scenario and its runs: required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- Times in seconds, where the thesis has milliseconds. Chapters IV and V say what is modelled, Appendix B with which numbers.

local arrivals = require "arrivals"
local advisor = {}

advisor.source = "Breitinger 1999"

-- Table 2: mean time in system, ms, by group size; 15 machines, 67 ms between arrivals.
advisor.table2 = {}
for i, ms in ipairs { 3196, 2899, 2623, 2502, 2421, 2178, 2104, 1885, 1872, 1971, 2065, 2112, 2243, 2368, 2534, 2682, 2828,
                      2954, 3108, 3216, 3346, 3500, 3640, 3773, 4061, 4152 } do
  advisor.table2[2 * i - 1] = ms
end

-- { machines = 15, tau = 0.067, horizon = 110, task_cv = 0.5, machine_cv = 0.1, consistency =, whole = "1 ms", sd = "5 ms" }:
-- jobs arrive tau apart on average, the first at 0; their times have mean 1 s, by the class HiLo unless told otherwise, in
-- whole milliseconds or, where that is false, not; what an execution takes varies by sd around them. Every replication
-- draws its own jobs; all policies get the same ones.
function advisor.scenario(given)
  local machines, whole = given.machines or 15, given.whole
  if whole == nil then whole = "1 ms" end
  return scenario {
    platform = platform { cluster "m" { nodes = machines } },
    workload = arrivals.tasks { machines = machines, every = given.tau or 0.067, horizon = given.horizon or 110, whole = whole or nil,
                                task_cv = given.task_cv, machine_cv = given.machine_cv, consistency = given.consistency,
                                sd = given.sd or "5 ms" },
  }
end

-- Groups of `size` as the thesis has them; `more` are further parameters of grouped.
function advisor.policy(size, ready, more)
  local given = { size = size, ready = ready or "zero", flush = false, map = max_min { adds = "completion" } }
  for name, value in pairs(more or {}) do given[name] = value end
  return grouped(given)
end

-- 100 s are measured, after 10 s. The mapper sees the declared times only. Groups are mapped when they are full, so that
-- a run may end with the jobs of a last group that never is: fewer than the largest group has, they are not measured.
function advisor.run(s, policy, seed, more)
  local given = { policy = policy, seed = seed, horizon = 110, warmup = 10, information = "declared", trace = "work" }
  for name, value in pairs(more or {}) do given[name] = value end
  local r = s:run(given)
  expect(r.status ~= "incomplete" or r.unfinished < 200, "more is left than a group")
  return r
end

-- rho = s / (M tau), and the tau of a rho.
function advisor.load(tau, machines) return 1 / ((machines or 15) * tau) end
advisor.tau = advisor.load

-- The first two moments of the least of n times with mean 1 and this coefficient of variation: what a machine serves that
-- is chosen by that alone. By the midpoint rule.
function advisor.least_of(n, cv)
  local d, step, first, second = distribution.gamma { mean = 1, sd = cv }, 1e-3, 0, 0
  for x = step / 2, 5, step do
    local above = d:tail(x) ^ n * step
    first, second = first + above, second + 2 * x * above
  end
  return first, second
end

-- To a tenth, for claims.
function advisor.rounded(x) return math.floor(10 * x + 0.5) / 10 end

-- Seconds as milliseconds, 6 wide, with the half-width of their interval 14; a dash where there is none.
function advisor.ms(seconds, half_width)
  local function text(x) return x and x == x and ("%.0f"):format(1e3 * x) or "-" end
  return half_width and ("%6s +- %4s"):format(text(seconds), text(half_width)) or ("%6s"):format(text(seconds))
end
function advisor.mean_ms(row) return advisor.ms(row.mean_response, row.mean_response_half_width) end
function advisor.difference_ms(row) return advisor.ms(row.difference, row.difference_half_width) end

return advisor
