-- The advisor with groups of one is a queue of theory: M/M/1, M/D/1, M/M/c and, machine by machine, M/G/1. Means of
-- independent runs within three standard errors of the closed forms; Little's law on each run.
-- expect: 4 queues
-- test: thorough
local expect = require "modules.expect"

local function measured(machines, lambda, times, policy)
  local s = scenario {
    platform = platform { cluster "m" { nodes = machines } },
    workload = workload.etc(function(rng)
      local arriving, executing, arrivals, rows, t = rng:sub(1), rng:sub(2), {}, {}, 0
      for i = 1, 4000 do
        t = t + arriving:exponential(1 / lambda)
        arrivals[i], rows[i] = t, times(executing)
      end
      return etc(rows), { arrivals = arrivals }
    end),
  }
  local means = {}
  for seed = 1, 30 do
    local r = s:run { policy = policy, seed = seed, trace = "work", warmup = 400 / lambda }
    means[seed] = r.mean_response
    -- Over a run that begins and ends empty the number in system is the rate times the time in system, exactly.
    local events, number = {}, stats.time_weighted { value = 0, start = 0 }
    local jobs, sum = r:jobs(), 0
    for _, job in ipairs(jobs) do
      events[#events + 1] = { job.arrival, 1 }
      events[#events + 1] = { job.finish, -1 }
      sum = sum + job.response
    end
    table.sort(events, function(a, b) return a[1] < b[1] end)
    local inside = 0
    for _, event in ipairs(events) do
      inside = inside + event[2]
      number:set(event[1], inside)
    end
    local law = stats.littles_law { rate = #jobs / number.period, time = sum / #jobs, number = number.mean }
    assert(math.abs(law.relative_difference) < 1e-9, "Little's law: " .. law.relative_difference)
  end
  return stats.summary(means)
end

local function close(name, found, wanted)
  local error = found.sd / math.sqrt(found.n)
  assert(math.abs(found.mean - wanted) < 3 * error,
         ("%s: %g +- %g, by theory %g"):format(name, found.mean, error, wanted))
end

local zero, aware = grouped { size = 1, map = "mct", ready = "zero" }, grouped { size = 1, map = "mct", ready = "aware" }
close("M/M/1", measured(1, 0.7, function(rng) return { rng:exponential(1) } end, zero), stats.mm1 { lambda = 0.7, mu = 1 }.mean_response)
close("M/D/1", measured(1, 0.7, function() return { 1 } end, zero),
      stats.mg1 { lambda = 0.7, mean = 1, sd = 0 }.mean_response)
-- Joining the least remaining work is one common queue.
close("M/M/3", measured(3, 2.1, function(rng)
  local time = rng:exponential(1)
  return { time, time, time }
end, aware), stats.mmc { lambda = 2.1, mu = 1, servers = 3 }.mean_response)
-- Without readiness each job goes where it takes least: two machines with random halves of the arrivals and the lesser of
-- two exponential times, which is exponential with half the mean.
close("M/G/1 twice", measured(2, 2, function(rng) return { rng:exponential(1), rng:exponential(1) } end, zero),
      stats.mg1 { lambda = 1, mean = 0.5, sd = 0.5 }.mean_response)
print("4 queues")
