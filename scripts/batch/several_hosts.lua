-- Jobs over several hosts on two switches whose nodes fail: three policies, two rules of placing, three of failure.
-- takes: a second
-- perigee run batch/several_hosts                 try `--seed 2`
--   --set jobs=2000                so many jobs (600)
--   --set interval=700             mean time between their arrivals, s (900)
--   --set mtbf="10 d"              mean time to failure of each node (4 d)
--   --set mttr="2 h"               mean time to repair (1 h)
-- test: thorough --validate

local interval = setting("interval", 900)
local mtbf, mttr = setting("mtbf", "4 d"), setting("mttr", "1 h")

-- 32 nodes: n.1 to n.16 hang at the switch n.s1, the others at n.s2.
local per_switch = 16
local machine = platform { cluster "n" { nodes = 2 * per_switch, cores = 8, per_switch = per_switch } }

local arrival
local jobs = workload.jobs(setting("jobs", 600), function(i, rng)
  arrival = i == 1 and 0 or arrival + rng:exponential(interval)
  local time = rng:lognormal(2400, 3600)
  return { arrival = arrival, nodes = rng:integer(1, 16), cores = 8, time = time, estimate = time * rng:uniform(1, 4) }
end)

-- The share of the jobs of several nodes whose nodes hang at one switch.
local function together(result)
  local several, near = 0, 0
  for _, job in ipairs(result:jobs()) do
    local at, count = { 0, 0 }, 0
    for number in (job.hosts or ""):gmatch "n%.(%d+)" do
      local switch = tonumber(number) <= per_switch and 1 or 2
      at[switch], count = at[switch] + 1, count + 1
    end
    if count > 1 then
      several = several + 1
      if at[1] == 0 or at[2] == 0 then near = near + 1 end
    end
  end
  return near / several
end

print(("%-10s %-13s %-12s %12s %12s %8s %6s %12s"):format(
  "on failure", "policy", "host", "mean wait, s", "max wait, s", "busy, %", "lost", "one switch, %"))
for _, rule in ipairs { "lost", "resumed", "restarted" } do
  local s = scenario {
    platform = machine, workload = jobs, on_failure = { compute = rule },
    events = { failures { cluster = "n", mtbf = mtbf, mttr = mttr } },
  }
  for _, policy in ipairs { fcfs, easy, conservative } do
    for _, host in ipairs { "fastest", "same_switch" } do
      local r = s:run { policy = policy { host = host }, information = "declared" }
      local name = r.policy:match "%a+"
      print(("%-10s %-13s %-12s %12.0f %12.0f %8.1f %6d %12.1f"):format(
        rule, name, host, r.mean_wait, r.max_wait, 100 * r.utilization, r.lost, 100 * together(r)))
    end
  end
end
