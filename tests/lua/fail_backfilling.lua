-- expect: fail_backfilling.lua:4: error: unknown scheduler 'backfilling'; `perigee list` has those that there are
-- expect: note: easy and conservative fill back
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:run { policy = "backfilling" }
