-- Figure 9 of Breitinger (1999): the statistics of one run with groups of 15, beside what theory says of them.
-- takes: a moment
-- perigee run scripts/mshn/figure9.lua
--   --set size=15
--   --seed 1

local advisor = require "advisor"
local size, tau, from, to = setting("size", 15), 0.067, 10, 110

local r = advisor.scenario { tau = tau }:run { policy = advisor.policy(size), warmup = from, horizon = to, information = "declared" }

-- The pool is emptied by groups in order of arrival.
local jobs = r:jobs()
local pool_wait, host_wait, in_system = stats.observations(), stats.observations(), stats.observations()
local changes, next_job = {}, 1
for _, job in ipairs(jobs) do changes[#changes + 1] = { job.arrival, pool = 1, all = 1 } end
for _, note in ipairs(r:notes()) do
  if note.name == "group" then
    local taken = tonumber(note.values:match "^%S+")
    changes[#changes + 1] = { note.time, pool = -taken, all = 0 }
    for i = next_job, next_job + taken - 1 do
      if note.time >= from then pool_wait:add(note.time - jobs[i].arrival) end
      if jobs[i].start >= from then host_wait:add(jobs[i].start - note.time) end
    end
    next_job = next_job + taken
  end
end
for _, job in ipairs(jobs) do
  if job.state == "finished" then
    changes[#changes + 1] = { job.finish, pool = 0, all = -1 }
    if job.finish >= from then in_system:add(job.response) end
  end
end
table.sort(changes, function(a, b) return a[1] < b[1] end)
local pool, everything = stats.time_weighted { start = 0, value = 0 }, stats.time_weighted { start = 0, value = 0 }
local in_pool, inside, reset = 0, 0, false
for _, change in ipairs(changes) do
  if change[1] >= from and not reset then
    pool:reset(from)
    everything:reset(from)
    reset = true
  end
  in_pool, inside = in_pool + change.pool, inside + change.all
  pool:set(change[1], in_pool)
  everything:set(change[1], inside)
end
pool:advance(to)
everything:advance(to)

-- Waiting for a group: (G - 1) tau / 2, and as its variance that of a place in the group plus that of the times between
-- arrivals behind it.
local wait, wait_sd = 1e3 * tau * (size - 1) / 2, 1e3 * tau * math.sqrt((size - 1) / 2 + (size ^ 2 - 1) / 12)
print("                        n      mean        sd     least      most   theory: mean, sd     published: mean, sd")
local function show(name, n, x, scale, theory, published)
  print(("%-20s %5s %9.3f %9.3f %9.3f %9.3f   %-18s   %s"):format(name, n, scale * x.mean, scale * x.sd, scale * x.min,
        scale * x.max, theory or "", published or ""))
end
show("pool wait, ms", pool_wait.n, pool_wait, 1e3, ("%.1f, %.1f"):format(wait, wait_sd), size == 15 and "475.57, 342.86")
show("host wait, ms", host_wait.n, host_wait, 1e3)
show("time in system, ms", in_system.n, in_system, 1e3)
show("jobs in the pool", "", pool, 1, ("%.2f, %.2f"):format((size - 1) / 2, math.sqrt((size ^ 2 - 1) / 12)), size == 15 and "7.116, 4.424")
show("jobs in system", "", everything, 1)
print(("\nutilization of the machines %.3f"):format(r.utilization))
local law = stats.littles_law { rate = pool_wait.n / (to - from), time = pool_wait.mean, number = pool.mean }
print(("Little's law for the pool: off by %.2f %%, the jobs at both ends of the window"):format(100 * law.relative_difference))

if size == 15 then
  claim { source = advisor.source .. ", Figure 9", says = "the mean wait in the pool, ms", value = 1e3 * pool_wait.mean,
          published = 475.57, within = "10 %", verdict = "reproduces" }
  claim { source = advisor.source .. ", Figure 9", says = "the mean length of the pool", value = pool.mean, published = 7.116,
          within = "10 %", verdict = "reproduces" }
end
