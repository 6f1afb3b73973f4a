-- How sure is a difference? Two schedulers on a queue that is known in closed form.
-- takes: a second
-- perigee run scripts/tutorial/statistics.lua     try `--set load=0.5`, or `--set variation=2`

local load, variation = setting("load", 0.8), setting("variation", 1.5)

-- Jobs come at random to one server; their times have mean 1 and standard deviation `variation`.
local service = distribution.gamma { mean = 1, sd = variation }
local arrivals = distribution.exponential { mean = 1 / load }
local clock
local queue = scenario {
  platform = platform { host "server" {} },
  workload = workload.tasks(5000, function(i, rng)
    clock = i == 1 and 0 or clock + arrivals:draw(rng)
    return { arrival = clock, time = service:draw(rng) }
  end),
}
local function response(policy)
  return function(seed) return queue:run { policy = policy, seed = seed }.mean_response end
end

-- 1. One run is one draw; replications show how far the mean can be trusted.
print("service           ", service)
print("first come        ", stats.replicate { run = response "fcfs", relative = 0.1 })

-- 2. Theory says what it should be, in the long run. 5000 jobs that find the server idle at first are a little faster.
local theory = stats.mg1 { lambda = load, service = service }
print("closed form       ", theory)

-- 3. The same seeds have the same jobs: the differences of pairs vary less than the runs themselves.
local shortest = mapped { map = "min_min" }
local a, b = {}, {}
for seed = 1, 20 do a[seed], b[seed] = response "fcfs"(seed), response(shortest)(seed) end
print("shortest first    ", stats.interval(b))
print("gain, by pairs    ", stats.paired(a, b))
print("gain over itself  ", stats.paired(a, a))

-- 4. The outlook of a single job: the distribution of the times in system of one run.
local times = {}
for _, job in ipairs(queue:run { policy = "fcfs", seed = 1 }:jobs()) do times[#times + 1] = job.finish - job.arrival end
print("of jobs           ", stats.summary(times))
print("95 % of them within", stats.quantile(times, 0.95))
print(stats.histogram(times, { bins = 8 }):table())
