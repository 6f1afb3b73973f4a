-- The scheduling advisor of Breitinger (1999) as a scenario and its runs: required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- Times in seconds, where the thesis has milliseconds. Chapters IV and V say what is modelled, Appendix B with which numbers.

local advisor = {}

advisor.source = "Breitinger 1999"

-- { machines = 15, tau = 0.067, horizon = 110, task_cv = 0.5, machine_cv = 0.1, consistency = }: jobs arrive tau apart on
-- average, the first at 0; their times have mean 1 s, by the class HiLo unless told otherwise, in whole milliseconds; what an
-- execution takes varies by 5 ms around them. Every replication draws its own jobs; all policies get the same ones.
function advisor.scenario(given)
  local machines, tau, horizon = given.machines or 15, given.tau or 0.067, given.horizon or 110
  return scenario {
    platform = platform { cluster "m" { nodes = machines } },
    workload = workload.etc(function(rng)
      local arriving, arrivals, t = rng:sub(1), {}, 0
      while t <= horizon do
        arrivals[#arrivals + 1] = t
        t = t + arriving:exponential(tau)
      end
      local declared = etc.cv_based { tasks = #arrivals, machines = machines, mean = 1, first = "tasks", whole = "1 ms",
                                      task_cv = given.task_cv or 0.5, machine_cv = given.machine_cv or 0.1,
                                      consistency = given.consistency or "inconsistent", rng = rng:sub(2) }
      return declared, { arrivals = arrivals, times = etc.gamma { mean = declared, sd = "5 ms", rng = rng:sub(3) } }
    end),
  }
end

-- Groups of `size` as the thesis has them; `more` are further parameters of grouped.
function advisor.policy(size, ready, more)
  local given = { size = size, ready = ready or "zero", flush = false, map = max_min { adds = "completion" } }
  for name, value in pairs(more or {}) do given[name] = value end
  return grouped(given)
end

-- 100 s are measured, after 10 s. The mapper sees the declared times only.
function advisor.run(s, policy, seed, horizon)
  return s:run { policy = policy, seed = seed, horizon = horizon or 110, warmup = 10, information = "declared", trace = "work" }
end

-- rho = s / (M tau)
function advisor.load(tau, machines) return 1 / ((machines or 15) * tau) end

-- The table of an experiment as { [level of factor] = row }, where `where` holds.
function advisor.by(rows, factor, where)
  local out = {}
  for _, row in ipairs(rows) do
    local wanted = true
    for name, value in pairs(where or {}) do wanted = wanted and row[name] == value end
    if wanted then out[row[factor]] = row end
  end
  return out
end

-- What the replications of each size came to, with zero readiness.
function advisor.spread(e)
  local runs = {}
  for _, row in ipairs(e:rows()) do
    if row.ready == "zero" then
      runs[row.size] = runs[row.size] or {}
      table.insert(runs[row.size], row.mean_response)
    end
  end
  for size, all in pairs(runs) do runs[size] = stats.summary(all) end
  return runs
end

-- Whether a published mean (s) of 30 replications is within three standard errors of the difference to ours.
function advisor.agrees(spread, published)
  return math.abs(spread.mean - published) <= 3 * spread.sd * math.sqrt(1 / 30 + 1 / spread.n)
end

function advisor.best(by_size)
  local best
  for size, row in pairs(by_size) do
    if not best or row.mean_response < by_size[best].mean_response then best = size end
  end
  return best
end

return advisor
