-- The name of a metric may have a full stop, so it is no chain of fields.
-- expect: fail_dotted_metric.lua:6: error: attempt to index a number value (field 'utilization')
-- expect: note: the name of a metric may have a full stop: r["utilization.NAME"]
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 3 } } }
local r = s:run { policy = "fcfs" }
print(r.utilization.held)
