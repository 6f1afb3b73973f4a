-- Loads that would fill the memory are refused before one of them is drawn.
-- args: --memory 100MB
-- expect: pieces needs
-- expect: workload.stream makes works as they arrive
local s = scenario {
  platform = platform { cluster "c" { nodes = 16, link = { bandwidth = 1 } } },
  workload = workload.random_loads {
    load = 0.5, horizon = 1e10, mean_size = 200, time = 100, bytes = 1, deadline_ratio = 2,
  },
}
s:run { policy = "edf" }
