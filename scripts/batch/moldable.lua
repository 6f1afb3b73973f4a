-- Moldable jobs: the least size, the largest, or that which ends first? Six policies on one machine, at a light and at a heavy load.
-- takes: seconds
-- perigee run batch/moldable                      try `--seed 2`
--   --set jobs=1000                so many jobs (300)
--   --set serial=0.02              share of the work that no further core shortens (0.05), by Amdahl (1967)
--   --set light=0.4 --set heavy=1.2     the work that arrives, on one node of each job, over that which the machine can do (0.3, 0.8)
-- test: --validate --set jobs=60

local settings = require "settings"
local count, serial = settings.number("jobs", 300, 10), settings.number("serial", 0.05, 0, 1)
local light, heavy = settings.number("light", 0.3, 0.01), settings.number("heavy", 0.8, 0.01)
local nodes, mean = 32, 3600 * 8

-- Each job may have 1, 2, 4, ... nodes, up to a most of its own.
local function machine(load)
  local gap, arrival = mean / (nodes * load), 0
  return scenario {
    platform = platform { cluster "n" { nodes = nodes } },
    workload = workload.jobs(count, function(i, rng)
      arrival = (i == 1 and 0 or arrival) + rng:exponential(gap)
      local sizes = { 1 }
      for _ = 1, rng:integer(1, 5) do sizes[#sizes + 1] = 2 * sizes[#sizes] end
      return { arrival = arrival, nodes = sizes, time = speedup.amdahl { time = rng:lognormal(mean, mean), serial = serial } }
    end),
  }
end

print(("%-6s %-13s %-10s %16s %12s %11s"):format("load", "policy", "mold", "mean response, h", "mean wait, h", "mean nodes"))
local response = {}
for _, load in ipairs { light, heavy } do
  local s = machine(load)
  for _, policy in ipairs { fcfs, sjf, easy, conservative, backfill } do
    for _, mold in ipairs { "least", "most", "earliest" } do
      local r = s:run { policy = policy { mold = mold } }
      local name, taken = r.policy:match "%a+", 0
      for _, job in ipairs(r:jobs()) do taken = taken + job.cores end
      response[("%s %s %s"):format(load, name, mold)] = r.mean_response
      print(("%-6g %-13s %-10s %16.2f %12.2f %11.2f"):format(
        load, name, mold, r.mean_response / 3600, r.mean_wait / 3600, taken / count))
    end
  end
end

-- The least sizes waste nothing and take long; the largest waste much and make others wait. The best size depends on the load: `earliest` looks.
for _, name in ipairs { "easy", "conservative" } do
  for _, load in ipairs { light, heavy } do
    local function of(mold) return response[("%s %s %s"):format(load, name, mold)] end
    print(("%s at load %g: earliest takes %.2f of the mean response with least, %.2f of that with most"):format(
      name, load, of "earliest" / of "least", of "earliest" / of "most"))
  end
end
