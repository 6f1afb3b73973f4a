-- Divisible loads with deadlines on a cluster behind one channel. Scenarios, and schedulers by the names of the literature.
-- Source: Mamat, 2011, sections 3.2, 4.2 and 4.5.1.
local loads = {}

local fields = require "fields"

local cluster_fields = { nodes = fields.whole(1), setup = fields.number(0), bandwidth = fields.number(0), channel = fields.one_of("load", "head") }

-- A platform of the cluster "c": `nodes` (256); `setup` (0 s) before each transmission and each computation; `bandwidth` (1 B/s) of the
-- head's link. Its `channel` is "load" (the default) where chunks of different loads do not wait for each other, and "head" where they do.
function loads.cluster(given)
  local g = fields.check("a cluster for loads", given or {}, cluster_fields, { nodes = 256, setup = 0, bandwidth = 1, channel = "load" })
  return platform { cluster "c" {
    nodes = g.nodes, setup = g.setup,
    link = { bandwidth = g.bandwidth, latency = g.setup, sharing = g.channel == "load" and "unlimited" or "exclusive" },
  } }
end

-- A scenario of loads.cluster and workload.random_loads, whose fields stand in one table. Four fields of random_loads need not be
-- given: `mean_size` (1000), `bytes` (1 B a unit), `time` (1000 s a unit) and `deadline_ratio` (2). These are the base configuration
-- of the source.
function loads.scenario(given)
  local work, hosts = { mean_size = 1000, bytes = 1, time = 1000, deadline_ratio = 2 }, {}
  for name, value in pairs(given or {}) do
    if cluster_fields[name] then hosts[name] = value else work[name] = value end
  end
  return scenario { platform = loads.cluster(hosts), workload = workload.random_loads(work) }
end

local orders = { EDF = edf, FIFO = fifo, MWF = mwf }
local partitions, numbers = { OPR = "optimal", EPR = "equal" }, { MN = "fewest", AN = "all" }

-- The scheduler of a name such as "EDF-OPR-MN". The first part is the order (EDF, FIFO, MWF). The second says how a load is divided
-- (OPR: chunks that end together, EPR: equal ones). The third says on how many nodes (MN: the fewest that are enough, AN: all). MWF
-- stands with MN alone.
function loads.algorithm(name)
  local order, partition, nodes = tostring(name):match "^(%u+)%-(%u+)%-(%u+)$"
  if not (orders[order] and partitions[partition] and numbers[nodes]) then
    error(("unknown algorithm '%s'; names are EDF, FIFO or MWF, OPR or EPR, MN or AN with hyphens between, as EDF-OPR-MN"):format(tostring(name)), 2)
  end
  if order == "MWF" and nodes == "AN" then
    error(("algorithm '%s': MWF needs MN, for it orders loads by the fewest nodes that meet their deadlines"):format(name), 2)
  end
  return orders[order] { partition = partitions[partition], nodes = numbers[nodes] }
end

return loads
