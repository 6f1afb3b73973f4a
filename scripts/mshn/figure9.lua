-- Figure 9 of Breitinger (1999): the statistics of one run with groups of 15, beside what theory says of them.
-- takes: a moment
-- perigee run scripts/mshn/figure9.lua
--   --set size=15
--   --seed 1

local advisor = require "advisor"
local size, tau, from, to = advisor.setting("size", 15, 1, 1000), 0.067, 10, 110

local r = advisor.run(advisor.scenario { tau = tau }, advisor.policy(size), nil, { trace = "full" })
local groups, in_system = stats.observations(), stats.observations()
for _, note in ipairs(r:notes()) do
  if note.name == "group" and note.time >= from then groups:add(tonumber(note.values:match "%S+")) end
end
for _, job in ipairs(r:jobs()) do
  if job.state == "finished" and job.finish >= from then in_system:add(job.response) end
end
local queues = r:queues()
local scheduler, all = queues[1], queues[#queues]

-- Waiting for a group: (G - 1) tau / 2, and as its variance that of a place in the group plus that of the times between
-- arrivals behind it.
local wait, wait_sd = 1e3 * tau * (size - 1) / 2, 1e3 * tau * math.sqrt((size - 1) / 2 + (size ^ 2 - 1) / 12)
local function known(x) return x and x == x and x < math.huge and x > -math.huge end
local function share(x) return known(x) and ("%.1f %%"):format(100 * x) or "-" end
local function show(name, n, scale, values, theory, published)
  local line = {}
  for i = 1, 3 do line[i] = ("%10s"):format(known(values[i]) and ("%.3f"):format(scale * values[i]) or "-") end
  print(("%-28s%5s%s   %-14s  %s"):format(name, n or "", table.concat(line), theory or "-", size == 15 and published or "-"))
end
print(("One run of 110 s, the first 10 not measured; groups of %d\n"):format(size))
print "                                n      mean        sd      most   theory          published: mean, sd, most, n"
show("wait in the pool, ms", scheduler.departures, 1e3, { scheduler.mean_wait, scheduler.sd_wait, scheduler.max_wait },
     ("%.1f, %.1f"):format(wait, wait_sd), "475.574, 342.862, 1740.212, 1500")
show("jobs of a group", groups.n, 1, { groups.mean, groups.sd, groups.max }, ("%d, 0"):format(size), "15, 0, 15, 100")
show("time in system, ms", in_system.n, 1e3, { in_system.mean, in_system.sd, in_system.max }, nil, "2007.853, 998.258, 6591.547, 1513")
show("jobs in the pool, over time", nil, 1, { scheduler.mean_length, scheduler.sd_length, scheduler.max_length },
     ("%.2f, %.2f"):format((size - 1) / 2, math.sqrt((size ^ 2 - 1) / 12)), "7.116, 4.424, 15")
show("wait at a machine, ms", nil, 1e3, { r.mean_queue_wait, nil, r.max_queue_wait })
show("jobs in system, over time", nil, 1, { all.mean_number })
print(("\nutilization of the machines %s"):format(known(r.utilization) and ("%.3f"):format(r.utilization) or "-"))
print(("Little's law, off by the jobs at both ends of the window: for the pool %s, for the whole %s"):format(
  share(scheduler.littles_law), share(all.littles_law)))

if size == 15 then
  claim { source = advisor.source .. ", Figure 9",
          says = "the mean wait in the pool, ms", value = advisor.rounded(1e3 * scheduler.mean_wait),
          published = 475.57, within = "10 %", verdict = "reproduces" }
  claim { source = advisor.source .. ", Figure 9",
          says = "the mean length of the pool", value = advisor.rounded(scheduler.mean_length),
          published = 7.116, within = "10 %", verdict = "reproduces" }
  -- 187 ms: how much one replication of Table 2 deviates from another at this size.
  claim { source = advisor.source .. ", Figure 9",
          says = "the mean time in system, ms", value = advisor.rounded(1e3 * r.mean_response),
          published = 2007.85, margin = 3 * 187 * math.sqrt(2), verdict = "reproduces" }
end
