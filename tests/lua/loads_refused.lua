-- Refusals of divisible loads, their cluster, reservations and policies, and their words.
-- expect: as it should be
local expect = require "modules.expect"

local function run(given)
  local parts = { workload.loads { { size = 1, bytes = 1, time = 3, deadline = 20 } } }
  if given.load then
    local record = { size = 7, bytes = 1, time = 3, deadline = 20 }
    for name, value in pairs(given.load) do record[name] = value end
    parts[#parts + 1] = workload.loads { record }
  end
  if given.reservation then parts[#parts + 1] = workload.reservations { given.reservation } end
  return scenario {
    platform = platform { cluster "c" { nodes = given.nodes or 4, setup = given.setup, link = { bandwidth = 1, latency = given.latency } } },
    workload = workload.merge(parts),
  }:run { policy = given.policy or "edf" }
end
local function refused(text, given) expect.refused(text, function() run(given) end) end

-- The cluster.
refused("cluster 'c': nodes must be 1 to 1000000, got 0", { nodes = 0 })
refused("cluster 'c': nodes must be a whole number, got 1.5", { nodes = 1.5 })
refused("cluster 'c': setup must be >= 0 s, got -1", { setup = -1 })
refused("cluster 'c': link: latency must be >= 0 s, got -1", { latency = -1 })
refused("policy 'fifo' does not accept units without 'time' and 'bytes', which load 2 has", { policy = "fifo", load = { time = 0, bytes = 0 } })
assert(run { load = { bytes = 0 } }.status == "complete", "chunks that are sent in no time are chunks too")

-- Loads.
refused("load 1: size must be > 0, got 0", { load = { size = 0 } })
refused("load 1: size must be a number, got nan", { load = { size = 0 / 0 } })
refused("load 1: size is beyond any sense: inf", { load = { size = math.huge } })
refused("load 1: arrival must be >= 0 s, got -1", { load = { arrival = -1 } })
refused("load 1: deadline must be > 0 s, got 0", { load = { deadline = 0 } })
refused("load 1: deadline must be after its arrival at 20, got 20", { load = { arrival = 20 } })
refused("load 1: time must be >= 0 s, got -1", { load = { time = -1 } })
refused("load 1: bytes must be >= 0 B, got -1", { load = { bytes = -1 } })

-- Policies of nodes that become free one by one: without set-ups, and neither time is 0.
for _, name in ipairs { "edf_iit_1", "edf_iit_2", "fast_edf_iit" } do
  local says = ("policy '%s' does not accept "):format(name)
  refused(says .. "'setup' = 1, which host 'c.1' has", { policy = name, setup = 1 })
  refused(says .. "'latency' = 1, which link 'c.link' has", { policy = name, latency = 1 })
  refused(says .. "'bytes' = 0 where load 1 has 1, which load 2 has", { policy = name, load = { bytes = 0 } })
  for _, zero in ipairs { "time", "bytes" } do
    local record = { size = 1, bytes = 1, time = 1, deadline = 9 }
    record[zero] = 0
    local s = scenario { platform = platform { cluster "c" { link = { bandwidth = 1 } } }, workload = workload.loads { record } }
    expect.refused(says .. ("'%s' = 0, which load 1 has"):format(zero), function() s:run { policy = name } end)
  end
end

-- Reservations; one that is asked for too late is no error.
refused("policy 'edf' does not accept work of kind 'reservation' (reservation 2)", { reservation = { hosts = 1, from = 3, to = 5 } })
refused("reservation 1: hosts must be 1 to 100000000, got 0", { reservation = { hosts = 0, from = 3, to = 5 } })
refused("reservation 2: hosts must be between 1 and 4, got 5", { reservation = { hosts = 5, from = 3, to = 5 } })
refused("reservation 1: to must be after from = 5 s, got 5", { reservation = { hosts = 1, from = 5, to = 5 } })
refused("reservation 1: io_ratio must be >= 0 and <= 1, got 1.5", { reservation = { hosts = 1, from = 3, to = 5, io_ratio = 1.5 } })
refused("reservation 1: arrival must be >= 0 s, got -1", { reservation = { hosts = 1, from = 3, to = 5, arrival = -1 } })
local late = scenario {
  platform = platform { cluster "c" { nodes = 2, link = { bandwidth = 1 } } },
  workload = workload.reservations { { hosts = 1, arrival = 4, from = 3, to = 5 }, { hosts = 1, arrival = 4, from = 4, to = 5 } },
}:run { policy = "edf_reservations" }
expect.same(late:jobs()[1].state, "rejected", "a reservation for yesterday")
expect.same(late:jobs()[2].state, "finished", "a reservation for now")

-- Policies.
expect.refused("unknown scheduler 'edf_opr_mn'", function() run { policy = "edf_opr_mn" } end)
expect.refused("mwf: nodes = \"all\"", function() return mwf { nodes = "all" } end)
expect.refused("edf: partition must be \"optimal\" or \"equal\", got \"opr\"", function() return edf { partition = "opr" } end)
for name, policy in pairs { fifo = fifo, edf = edf, mwf = mwf, edf_iit_1 = edf_iit_1, edf_iit_2 = edf_iit_2, fast_edf_iit = fast_edf_iit } do
  for _, value in ipairs { -1e-9, 0.01 } do
    expect.refused(name .. ": tolerance must be", function() return policy { tolerance = value } end)
  end
end

-- Random loads.
local function random(given)
  local fields = { load = 0.5, horizon = 100, mean_size = 2, bytes = 1, time = 3, deadline_ratio = 2 }
  local nodes, setup, cut = given.nodes, given.setup, given.without
  for name, value in pairs(given) do
    if name ~= "nodes" and name ~= "setup" and name ~= "without" then fields[name] = value end
  end
  if cut then fields[cut] = nil end
  return scenario {
    platform = platform { cluster "c" { nodes = nodes or 4, setup = setup, link = { bandwidth = 1 } } },
    workload = workload.random_loads(fields),
  }:run { policy = given.reserved and "edf_reservations" or "edf" }
end
local function bad(text, given) expect.refused("workload.random_loads: " .. text, function() random(given) end) end
bad("load must be > 0, got 0", { load = 0 })
bad("load at t = 0 must be > 0, got -1", { load = function() return -1 end })
bad("load at t = 0 must be a number", { load = function() end })
bad("one of load and mean_interarrival is needed", { mean_interarrival = 5 })
bad("one of load and mean_interarrival is needed", { without = "load" })
bad("mean_size must be > 0, got 0", { mean_size = 0 })
bad("deadline_ratio must be > 2/3, or no deadline exceeds the time of a load, got 0.6", { deadline_ratio = 0.6 })
bad("deadline_reference must be one of effective, raw, got 'all'", { deadline_reference = "all" })
bad("reserved must be >= 0 and <= 1, got 2", { reserved = 2 })
bad("advance must be >= 0 s, got -1", { advance = -1 })
bad("advance_factor must be >= 0, got -1", { advance_factor = -1 })
bad("only one of advance and advance_factor can be given", { advance = 1, advance_factor = 1 })
bad("cost_factors must be {least, largest}", { cost_factors = { 2, 1 } })
bad("cost_factors", { cost_factors = { 0, 1 } })
bad("unknown field 'mean'", { mean = 3 })
for _, name in ipairs { "horizon", "mean_size", "bytes", "time", "deadline_ratio" } do bad(("'%s' is missing"):format(name), { without = name }) end
expect.refused("a unit of load must take time to be transmitted or to be computed", function() random { bytes = 0, time = 0 } end)
expect.refused("loads with set-ups are not converted to reservations", function() random { reserved = 1, setup = 1 } end)
expect.refused("the platform has 2 clusters, and a head feeds one", function()
  scenario {
    platform = platform { cluster "a" {}, cluster "b" {} },
    workload = workload.random_loads { load = 0.5, horizon = 100, mean_size = 2, bytes = 1, time = 3, deadline_ratio = 2 },
  }:run { policy = "edf" }
end)
expect.refused("a workload of loads drawn when a run starts has no length before", function()
  return #workload.random_loads { load = 0.5, horizon = 100, mean_size = 2, bytes = 1, time = 3, deadline_ratio = 2 }
end)

print "as it should be"
