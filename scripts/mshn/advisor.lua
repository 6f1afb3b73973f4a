-- The scheduling advisor of Breitinger (1999) as a scenario and its runs: required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- Times in seconds, where the thesis has milliseconds. Chapters IV and V say what is modelled, Appendix B with which numbers.

require "statements"
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

-- A study by pairs: each replication draws its jobs once and runs all cells with them, which is ten times as fast as drawing them for each.
-- { replications =, cells = { { "name", policy }, ... }, measures = { "mean_response" }, run = {}, tau =, machines =, ... }: `run` are further
-- options of the runs, or `of` a function of a result that returns the measures; the rest is as of advisor.scenario.
-- Returns { [cell] = { [measure] = list of values } }.
function advisor.study(name, given)
  local measures = given.measures or { "mean_response" }
  local machines, tau, horizon, whole = given.machines or 15, given.tau or 0.067, given.horizon or 110, given.whole
  if whole == nil then whole = "1 ms" end
  local kept = {}
  for i in ipairs(given.cells) do
    for _, measure in ipairs(measures) do kept[#kept + 1] = ("%s_%d"):format(measure, i) end
  end
  local e = experiment(name) {
    replications = given.replications,
    run = function(_, seed)
      local rng = stream("jobs", seed)
      local times = arrivals.poisson(rng:sub(1), tau, horizon)
      local declared = etc.cv_based { tasks = #times, machines = machines, mean = given.mean or 1, task_cv = given.task_cv or 0.5, first = "tasks",
                                      machine_cv = given.machine_cv or 0.1, whole = whole or nil, consistency = given.consistency, rng = rng:sub(2) }
      local s = scenario {
        platform = platform { cluster "m" { nodes = machines } },
        workload = workload.etc(declared, { arrivals = times, times = etc.gamma { mean = declared, sd = given.sd or "5 ms", rng = rng:sub(3) } }),
      }
      local found = {}
      for i, cell in ipairs(given.cells) do
        local r = advisor.run(s, cell[2], seed, given.run)
        local values = given.of and given.of(r, cell[1]) or r
        for _, measure in ipairs(measures) do found[("%s_%d"):format(measure, i)] = values[measure] end
      end
      return found
    end,
    measure = kept,
  }
  local by_cell = {}
  for i, cell in ipairs(given.cells) do
    by_cell[cell[1]] = {}
    for _, measure in ipairs(measures) do
      local list = {}
      for k, row in ipairs(e:rows()) do list[k] = row[("%s_%d"):format(measure, i)] end
      by_cell[cell[1]][measure] = list
    end
  end
  return by_cell
end

-- A point of the module verdicts: a - b by pairs, in ms, or as a share of the mean of b in per cent.
function advisor.point(name, a, b, relative)
  local values, scale = {}, 1e3
  if relative then scale = 100 / stats.summary(b).mean end
  for i = 1, #a do values[i] = scale * (a[i] - b[i]) end
  return { name = name, values = values }
end
function advisor.mean(list) return stats.summary(list).mean end

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

-- The largest distance between the distribution of the numbers of a list, which is sorted by this, and the distribution function F, times the
-- root of their number (Kolmogorov and Smirnov).
function advisor.distance(list, F)
  table.sort(list)
  local most = 0
  for i, x in ipairs(list) do
    local at = F(x)
    most = math.max(most, i / #list - at, at - (i - 1) / #list)
  end
  return most * math.sqrt(#list)
end

return advisor
