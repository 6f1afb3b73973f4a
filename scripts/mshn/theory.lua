-- The advisor of Breitinger (1999) without a pool, as queues of theory: M/M/c job by job, M/G/1 at each machine.
-- takes: seconds
-- test: thorough
-- perigee run scripts/mshn/theory.lua
--   --set full=false          10 replications of 2000 s, not 2 of 200 s; the first quarter is not measured

local advisor = require "advisor"
local studies = require "studies"
local full = setting("full", false)
local replications, horizon = full and 10 or 2, full and 2000 or 200

-- Exponential times that are the same on all machines, and a mapper that knows the backlog: to join the machine with the
-- least left to do is to wait in one common queue. So each job starts when the first of c servers is free.
print "M/M/c: single jobs, aware readiness, rows of equal exponential times, 67 ms apart"
local c, tau = 15, 0.067
local queue = stats.mmc { lambda = 1 / tau, mu = 1 / 0.9, servers = c }
local alike = scenario {
  platform = platform { cluster "m" { nodes = c } },
  workload = workload.etc(function(rng)
    local arriving, executing, arrivals, rows, t = rng:sub(1), rng:sub(2), {}, {}, 0
    for i = 1, 10000 do
      arrivals[i], rows[i] = t, {}
      local time = executing:exponential(0.9)
      for m = 1, c do rows[i][m] = time end
      t = t + arriving:exponential(tau)
    end
    return etc(rows), { arrivals = arrivals }
  end),
}
local most, means = 0, {}
for seed = 1, replications do
  local r = alike:run { policy = grouped { size = 1, map = "mct", ready = "aware" }, seed = seed, warmup = 200, trace = "work" }
  means[seed] = r.mean_response
  local free = {}
  for m = 1, c do free[m] = 0 end
  for _, job in ipairs(r:jobs()) do
    local first = 1
    for m = 2, c do
      if free[m] < free[first] then first = m end
    end
    local start = math.max(job.arrival, free[first])
    free[first] = start + job.run
    most = math.max(most, math.abs(job.start - start))
  end
end
print(("  mean time in system %s s, by Erlang's formula %.4g s"):format(stats.interval(means), queue.mean_response))
print(("  starts of %d jobs differ from those of one common queue by at most %g s\n"):format(replications * 10000, most))

-- Without readiness each job goes where it takes least, whatever is there: 15 separate queues, each with a random share.
local first, second = advisor.least_of(15, 0.1)
second = second * 1.25  -- of the mean of a job, squared: 1 + 0.5^2
print(("M/G/1: single jobs, zero readiness; the least of 15 times has mean %.4f s, second moment %.4f s^2; in %d s"):format(
      first, second, horizon))
print "  ms apart   effective load   theory, ms   here, ms, 95 %    published, 100 s"
local published, found = { [67] = 3196, [89] = 1691, [100] = 1479 }, {}
for _, ms in ipairs { 67, 89, 100 } do
  local s = advisor.scenario { tau = ms / 1e3, horizon = horizon, whole = false, sd = "0 ms" }
  local theory = stats.mg1 { lambda = 1 / (15 * ms / 1e3), mean = first, second_moment = second }
  local e = experiment("mshn_mg1_" .. ms) {
    replications = replications,
    run = function(_, seed) return advisor.run(s, advisor.policy(1), seed, { horizon = horizon, warmup = horizon / 4 }) end,
    measure = { "mean_response" },
  }
  local row = e:table("mean_response")[1]
  found[ms] = { away = (row.mean_response - theory.mean_response) / (stats.summary(studies.values(e, "mean_response")).sd / math.sqrt(replications)),
                text = ("%.0f ms, by theory %.0f"):format(1e3 * row.mean_response, 1e3 * theory.mean_response) }
  print(("%10d %16.3f %12.0f   %s %15d"):format(ms, theory.utilization, 1e3 * theory.mean_response, advisor.mean_ms(row), published[ms]))
end
print "\nThe published window of 100 s begins 10 s after an empty start: its means are below those of the steady state."

-- Three standard errors decide; short runs do not.
claim { source = "found here", says = "single jobs with aware readiness and rows of equal times start when those of one common queue do: M/M/15, " ..
        "job by job",
        holds = most < 1e-6, found = ("starts at most %g s apart"):format(most), verdict = "reproduces" }
local outside, text = 0, {}
for _, ms in ipairs { 67, 89, 100 } do
  if math.abs(found[ms].away) > 3 then outside = outside + 1 end
  text[#text + 1] = ("%d ms apart: %s"):format(ms, found[ms].text)
end
claim { source = "found here", says = "single jobs with zero readiness are 15 queues M/G/1, by the formula of Pollaczek and Khinchine",
        holds = outside == 0 or (not full and "not decided"), found = table.concat(text, "; "), verdict = "reproduces" }
