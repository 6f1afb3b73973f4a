-- workload.random_loads: what of it reaches a run, for a seed, a load that changes, reservations and uncertain costs.
-- expect: as it should be
local expect = require "modules.expect"

local function case(given)
  local fields = { load = 0.6, horizon = 2e5, mean_size = 200, bytes = 1, time = 100, deadline_ratio = 3 }
  for name, value in pairs(given or {}) do
    if value == "none" then fields[name] = nil else fields[name] = value end
  end
  return scenario {
    platform = platform { cluster "c" { nodes = 16, link = { bandwidth = 1 } } }, workload = workload.random_loads(fields),
  }
end
local function run(given, policy, more)
  local fields = { policy = policy or "edf", seed = 3, validate = true }
  for name, value in pairs(more or {}) do fields[name] = value end
  return case(given):run(fields)
end
local function list(r, column)
  local values = {}
  for i, job in ipairs(r:jobs()) do values[i] = ("%.17g"):format(job[column]) end
  return table.concat(values, " ")
end

-- A seed has its loads, whatever the policy; another one has others.
local r = run()
assert(#r:jobs() > 50 and r.miss_ratio == 0)
for _, job in ipairs(r:jobs()) do assert(job.arrival < 2e5 and job.deadline > job.arrival) end
expect.same(list(run(nil, "fast_edf_iit"), "deadline"), list(r, "deadline"), "deadlines under another policy")
assert(list(run(nil, nil, { seed = 4 }), "arrival") ~= list(r, "arrival"))

-- The same load in three ways. On 16 nodes 200 units of 101 s each are 20200 / 16 s of all of them, at 0.6 every 6312500 / 3000 s.
expect.same(run({ load = function() return 0.6 end }).fingerprint, r.fingerprint, "a load that is a function")
expect.same(#run({ load = "none", mean_interarrival = 20200 / 16 / 0.6 }):jobs(), #r:jobs(), "the mean time between arrivals")

-- Seven times the load in the second half: by chance as many arrivals, give or take four standard deviations.
local halves = { 0, 0 }
for _, job in ipairs(run({ load = function(t) return t < 1e6 and 0.2 or 1.4 end, horizon = 2e6 }):jobs()) do
  halves[job.arrival < 1e6 and 1 or 2] = halves[job.arrival < 1e6 and 1 or 2] + 1
end
for i, load in ipairs { 0.2, 1.4 } do
  local mean = 1e6 * load * 16 / 20200
  assert(math.abs(halves[i] - mean) < 4 * math.sqrt(mean), ("%d arrivals at a load of %g, %g on average"):format(halves[i], load, mean))
end

-- Reservations keep their place in the input, begin when their load would have arrived, and are asked for before, at 0 at the
-- earliest.
local some = run({ reserved = 0.5 }, "edf_reservations")
local kinds = { load = 0, reservation = 0 }
for i, job in ipairs(some:jobs()) do
  local kind = job.name:match "^%a+"
  kinds[kind] = kinds[kind] + 1
  expect.same(job.arrival, r:jobs()[i].arrival, "the arrival of " .. job.name)
end
assert(kinds.load + kinds.reservation == #r:jobs() and kinds.load > 20 and kinds.reservation > 20)
local early = run({ reserved = 1, advance = 5000 }, "edf_reservations")
local factor = run({ reserved = 1, advance_factor = 5000 / (20200 / 16 / 0.6) }, "edf_reservations")
for i, job in ipairs(early:jobs()) do
  local arrival = r:jobs()[i].arrival
  expect.same(job.arrival, math.max(0, arrival - 5000), "when " .. job.name .. " is asked for")
  assert(math.abs(factor:jobs()[i].arrival - job.arrival) < 1e-6)
  assert(job.state == "rejected" or math.abs(job.start - arrival) < 1e-6)
end

-- True costs: on a single node a load takes its size times the sum of both, whatever was declared.
local function alone(factors)
  return scenario {
    platform = platform { cluster "c" { link = { bandwidth = 1 } } },
    workload = workload.random_loads { mean_interarrival = 1e7, horizon = 2e8, mean_size = 200, bytes = 1, time = 100,
                                       deadline_ratio = 50, cost_factors = factors },
  }:run { policy = "edf", information = "declared", seed = 1 }
end
local declared, double, varied = alone(), alone { 2, 2 }, alone { 0.1, 2 }
assert(#declared:jobs() > 5)
for i, job in ipairs(declared:jobs()) do
  expect.same(double:jobs()[i].arrival, job.arrival, "arrivals with other costs")
  assert(math.abs(double:jobs()[i].response / job.response - 2) < 1e-9)
  local ratio = varied:jobs()[i].response / job.response
  assert(ratio >= 0.1 - 1e-9 and ratio <= 2 + 1e-9 and ratio ~= 1)
end

print "as it should be"
