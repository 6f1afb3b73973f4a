-- The system utilization ends at the horizon, whatever has been done before; nodes that are away do not count.
-- expect: 0.25 0.125 1 0.222222
-- One node receives in [0, 10) and computes in [10, 100).
local function run(given)
  local s = scenario {
    platform = platform { cluster "c" { nodes = given.nodes, link = { bandwidth = 1 } } },
    workload = workload.loads { { size = 10, bytes = 1, time = 9, deadline = 200 } }, events = given.events,
  }
  return s:run { policy = feedback { bound = 1, chunk_factor = 1 }, horizon = given.horizon }["utilization.system"]
end
print(("%g %g %g %g"):format(
  run { nodes = 1, horizon = 400 },                                        -- 100 of 400
  run { nodes = 2, horizon = 400 },                                        -- 100 of 800
  run { nodes = 1 },                                                       -- to the end, which is at 100
  run { nodes = 2, horizon = 400, events = { leave { host = "c.2", at = 50 } } }))  -- 100 of 400 + 50
