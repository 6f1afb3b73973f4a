-- Queues as tables: the advisor in front of one machine with two priorities. The means of waiting of both classes are
-- those of Cobham (Operations Research 2(1), 1954): W0 / (1 - a) and W0 / ((1 - a)(1 - a - b)), where W0 is half the
-- second moment of the time of an execution times the rate of arrivals, a and b the utilizations of the classes.
-- expect: 3 queues, 0 off
local expect = require "modules.expect"

local urgent, plain = 0.3, 0.4
local s = scenario {
  platform = platform { host "m" {} },
  workload = workload.etc(function(rng)
    local arriving, executing, choosing = rng:sub(1), rng:sub(2), rng:sub(3)
    local arrivals, rows, priorities, t = {}, {}, {}, 0
    for i = 1, 6000 do
      t = t + arriving:exponential(1 / (urgent + plain))
      arrivals[i], rows[i] = t, { executing:exponential(1) }
      priorities[i] = choosing:bernoulli(urgent / (urgent + plain)) and 1 or 0
    end
    return etc(rows), { arrivals = arrivals, priorities = priorities }
  end),
}
local waits, off, queues = { [0] = {}, {} }, 0, 0
for seed = 1, 30 do
  local r = s:run { policy = grouped { size = 1, map = "mct" }, seed = seed }
  local sums, counts, jobs = { [0] = 0, 0 }, { [0] = 0, 0 }, r:jobs()
  -- The run does not say which class a job is of; its stream does.
  local choosing = stream("workload", seed):sub(3)
  for _, job in ipairs(jobs) do
    local class = choosing:bernoulli(urgent / (urgent + plain)) and 1 or 0
    sums[class], counts[class] = sums[class] + job.queue_wait, counts[class] + 1
    assert(job.scheduler_wait == 0 and job.release == job.arrival)
  end
  for class = 0, 1 do waits[class][seed] = sums[class] / counts[class] end
  queues = 0
  for _, row in ipairs(r:queues()) do
    queues, off = queues + 1, math.max(off, row.littles_law)
    if row.queue == "m" then
      expect.same(row.arrivals, 6000, "arrivals")
      assert(math.abs(row.mean_wait - (sums[0] + sums[1]) / 6000) < 1e-9)
      assert(math.abs(row.utilization - r.utilization) < 1e-12)
    end
  end
end
local w0 = urgent + plain
for class, wanted in pairs { [0] = w0 / ((1 - urgent) * (1 - urgent - plain)), w0 / (1 - urgent) } do
  local found = stats.summary(waits[class])
  assert(math.abs(found.mean - wanted) < 3 * found.sd / math.sqrt(found.n),
         ("priority %d waits %g, by theory %g"):format(class, found.mean, wanted))
end
expect.refused("trace = \"full\"", function() s:run { policy = "fcfs", trace = "work" }:queues() end)
print(("%d queues, %d off"):format(queues, off < 1e-9 and 0 or 1))
