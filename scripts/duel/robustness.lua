-- How long a plan takes when the times are other than it was told: its mean is longer than the plan, and the longer the more
-- tasks it waits for. And a day of jobs: how probable it is that all is done by a deadline, under three policies.
-- takes: seconds
-- perigee run duel/robustness --out results     the figures are results/robustness_*.svg
--   --set full=true         more runs (20000 for 2000)
--   --set runs=500          of each distribution
--   --set shake=0.3         the times are up to that share longer or shorter than told (0.2)
-- test: --set runs=400

local settings = require "settings"
local full = setting("full", false)
local runs, share = settings.number("runs", full and 20000 or 2000, 100), settings.number("shake", 0.2, 0.01)

-- m tasks of 100 s, each on a host of its own, and one that waits for all of them.
local function joined(m)
  local tasks = {}
  for i = 1, m do tasks[i] = { name = "branch" .. i, time = 100 } end
  local names = {}
  for i = 1, m do names[i] = "branch" .. i end
  tasks[m + 1] = { name = "join", time = 100, after = names }
  return scenario {
    platform = platform { cluster "c" { nodes = m } },
    workload = workload.workflow { name = "joined", tasks = tasks },
  }
end

-- By hand: the maximum of m numbers uniform in (-1, 1) has the mean (m - 1) / (m + 1); that of the last task adds nothing.
local rows, above, near = {}, true, true
for _, m in ipairs { 1, 2, 4, 8, 16 } do
  local s = joined(m)
  local r = robustness { policy = "workqueue", scenario = s, measure = "makespan", shake = { times = share }, n = runs, name = m .. " branches" }
  local told = s:run({ policy = "workqueue" }).makespan
  local interval = stats.interval(r:values(), { confidence = 0.999 })
  local expected = told + 100 * share * (m - 1) / (m + 1)
  rows[#rows + 1] = { branches = m, told = told, mean = r.mean, by_hand = expected, q95 = r.q95 }
  above = above and (m == 1 or interval.low > told)
  near = near and interval.low < expected and expected < interval.high
end
print(("times up to %g %% longer or shorter than told, %d runs each, s"):format(100 * share, runs))
print(rows)
claim {
  source = "Fulkerson 1962", says = "the mean length of the longest path through a network is not below its length with the mean times",
  verdict = "reproduces", holds = above, found = ("for 2 to 16 branches the mean of %d runs is above it, by 99.9 %% intervals"):format(runs),
}
claim {
  source = "a calculation by hand", says = "m branches with times uniform in 100 (1 - s) to 100 (1 + s) delay a join by 100 s (m - 1) / (m + 1) in the mean",
  verdict = "reproduces", holds = near, found = "within the 99.9 % intervals of 1 to 16 branches",
}

-- A day of jobs that users declare; nobody knows the truth beforehand, nor when exactly they come, and nodes fail.
local day = scenario {
  platform = platform { cluster "n" { nodes = 8, cores = 4 } },
  workload = workload.jobs(120, function(i, rng)
    return { cores = rng:integer(1, 4), time = rng:lognormal(3000, 2400), arrival = 240 * i }
  end),
  events = { failures { all = true, mtbf = "5 d", mttr = "1 h" } },
}
local distributions = {}
print "a day of jobs: is all done in 10 hours?"
for _, policy in ipairs { "fcfs", "sjf", "easy" } do
  local r = robustness {
    policy = policy, scenario = day, measure = "makespan", deadline = "10 h", n = runs // 4,
    shake = { times = share, arrivals = "10 min", failures = 2, repairs = 1 },
  }
  print(r)
  for _, value in ipairs(r:values()) do distributions[#distributions + 1] = { policy = policy, makespan = value } end
end
plot(distributions, { y = "makespan", by = "policy", kind = "ecdf", x_unit = "h", file = "robustness_day" })
