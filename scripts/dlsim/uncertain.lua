-- Loads whose true costs nobody knows, as in Chapter 7 of Mamat (2011): required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- 16 nodes; a unit is estimated to take 1 s on the channel and 100 s on a node, and takes between 0.1 and 2 times as
-- long. The publication says neither how long deadlines are nor how large chunks: here 5 times what a load of mean size
-- takes on all nodes, on average, and chunks that end in time if they take twice as long as estimated.

local dlsim = require "dlsim"
local uncertain = {}

uncertain.source, uncertain.replications = dlsim.source, dlsim.replications
uncertain.nodes, uncertain.period = 16, 1e5

-- How to run: policy and what it knows. The bound of the first is that of the publication without feedback.
uncertain.schedulers = {
  ["no feedback"] = { policy = feedback { bound = 1 }, information = "declared" },
  ["feedback"] = { policy = "feedback", information = "declared" },
  ["ideal"] = { policy = feedback { bound = 1, chunk_factor = 1 }, information = "perfect" },
  ["worst case"] = { policy = feedback { bound = 1, chunk_factor = 1, cost_factor = 2 }, information = "declared" },
}

-- { load = number or function(t), periods =, events =, deadline_ratio = 5 }
function uncertain.scenario(given)
  return scenario {
    platform = platform { cluster "c" { nodes = uncertain.nodes, link = { bandwidth = 1 } } },
    workload = workload.random_loads {
      load = given.load, horizon = given.periods * uncertain.period, mean_size = 200, time = 100, bytes = 1,
      deadline_ratio = given.deadline_ratio or 5, cost_factors = { 0.1, 2 },
    },
    events = given.events,
  }
end

-- The sampling periods of a run: bound, misses, resolved, arrived, rejected and utilization of each.
function uncertain.periods(result)
  local periods = {}
  for _, note in ipairs(result:notes()) do
    if note.name == "period" then
      periods[note[1]] = { bound = note[2], misses = note[3], resolved = note[4], arrived = note[5], rejected = note[6],
                           utilization = note[7] }
    end
  end
  return periods
end

-- The periods from `first` to `last` together, or to the end of the run; ratios of nothing are left out.
function uncertain.over(periods, first, last)
  local sum = { misses = 0, resolved = 0, arrived = 0, rejected = 0, utilization = 0, bound = 0 }
  last = math.min(last, #periods)
  for k = first, last do
    for name in pairs(sum) do sum[name] = sum[name] + periods[k][name] end
  end
  local n = last - first + 1
  return { miss_ratio = sum.resolved > 0 and sum.misses / sum.resolved or nil,
           reject_ratio = sum.arrived > 0 and sum.rejected / sum.arrived or nil,
           utilization = sum.utilization / n, bound = sum.bound / n }
end

return uncertain
