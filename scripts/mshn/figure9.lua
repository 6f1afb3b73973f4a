-- Figure 9 of Breitinger (1999): the statistics of one run with groups of 15, beside what theory says of them.
-- takes: a moment
-- perigee run scripts/mshn/figure9.lua
--   --set size=15
--   --set cost=0       s, what the scheduler takes for a group
--   --seed 1

local advisor = require "advisor"
local settings = require "settings"
local size, tau, from, to = settings.number("size", 15, 1, 1000), 0.067, 10, 110

local cost = settings.number("cost", 0.0, 0, 0.067)
local r = advisor.run(advisor.scenario { tau = tau }, advisor.policy(size, nil, { cost = cost }), nil, { trace = "full" })
local jobs, groups, schedulings, in_pool, last = r:jobs(), {}, {}, 0, nil
for _, note in ipairs(r:notes()) do
  if note.name == "group" then
    local taken, _, took = note.values:match "(%S+) (%S+) (%S+)"
    in_pool = in_pool - math.tointeger(tonumber(taken))
    last = note.time - jobs[-in_pool].arrival  -- the pool is served in the order of arrivals
    if note.time >= from then groups[#groups + 1], schedulings[#schedulings + 1] = tonumber(taken), 1e3 * tonumber(took) end
  end
end
local ended, in_system = {}, {}
for _, job in ipairs(jobs) do
  if job.arrival <= to then in_pool = in_pool + 1 end
  if job.state == "finished" and job.finish >= from then ended[#ended + 1] = job end
end
table.sort(ended, function(a, b) return a.finish < b.finish end)
for i, job in ipairs(ended) do in_system[i] = 1e3 * job.response end
local queues = r:queues()
local scheduler, all = queues[1], queues[#queues]

-- Waiting for a group: (G - 1) tau / 2, and as its variance that of a place in the group plus that of the times between
-- arrivals behind it.
local wait, wait_sd = 1e3 * tau * (size - 1) / 2, 1e3 * tau * math.sqrt((size - 1) / 2 + (size ^ 2 - 1) / 12)
local busy = cost / (size * tau)
local function known(x) return x and x == x and x < math.huge and x > -math.huge end
local function share(x) return known(x) and ("%.1f %%"):format(100 * x) or "-" end
-- { mean, sd, least, most, final }
local function of(values)
  if #values == 0 then return {} end
  local found = stats.summary(values)
  return { found.mean, found.sd, found.min, found.max, values[#values] }
end
local function line(name, n, values)
  local cells = {}
  for i = 1, 5 do cells[i] = ("%10s"):format(known(values[i]) and ("%.3f"):format(values[i]) or "-") end
  print(("%-28s%5s%s"):format(name, n or "", table.concat(cells)))
end
local function show(name, n, values, theory, published)
  line(name, n, values)
  if theory then line("  theory", nil, theory) end
  if published and size == 15 then line("  published", published[6], published) end
end
print(("One run of 110 s, the first 10 not measured; groups of %d\n"):format(size))
print "                                n      mean        sd     least      most     final"
show("wait in the pool, ms", scheduler.departures,
     { 1e3 * scheduler.mean_wait, 1e3 * scheduler.sd_wait, 1e3 * scheduler.min_wait, 1e3 * scheduler.max_wait, 1e3 * last }, { wait, wait_sd },
         { 475.574, 342.862, 0, 1740.212, 0, 1500 })
show("jobs of a group", #groups, of(groups), { size, 0 }, { 15, 0, 15, 15, 15, 100 })
show("time to schedule, ms", #schedulings, of(schedulings), { 1e3 * cost, 0 }, { 1.51, 3.614, 0, 11, 0, 100 })
show("time in system, ms", #in_system, of(in_system), nil, { 2007.853, 998.258, 287.101, 6591.547, 1255.867, 1513 })
show("utilization of the scheduler", nil, { scheduler.utilization, math.sqrt(scheduler.utilization * (1 - scheduler.utilization)),
     0, cost > 0 and 1 or 0, 0 }, { busy, math.sqrt(busy * (1 - busy)) }, { 0.00151, 0.03883, 0, 1, 0 })
show("jobs in the pool, over time", nil, { scheduler.mean_length, scheduler.sd_length, scheduler.min_length, scheduler.max_length, in_pool },
     { (size - 1) / 2, math.sqrt((size ^ 2 - 1) / 12) }, { 7.116, 4.424, 0, 15, 7 })
show("wait at a machine, ms", nil, { 1e3 * r.mean_queue_wait, nil, nil, 1e3 * r.max_queue_wait })
show("jobs in system, over time", nil, { all.mean_number, all.sd_number, all.min_number, all.max_number })
print [[

The thesis measured on its own machine what the scheduler takes, in whole ms; here it is told, --set cost=0.00151 for its mean.]]
print(("\nutilization of the machines %s"):format(known(r.utilization) and ("%.3f"):format(r.utilization) or "-"))
print(("Little's law, off by the jobs at both ends of the window: for the pool %s, for the whole %s"):format(
  share(scheduler.littles_law), share(all.littles_law)))
