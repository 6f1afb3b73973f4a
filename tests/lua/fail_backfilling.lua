-- expect: fail_backfilling.lua:4: error: unknown scheduler 'backfilling'; did you mean 'backfill'?
-- expect: note: easy, conservative and backfill fill back
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:run { policy = "backfilling" }
