-- A job that no host is large enough for: the run ends and says who waits for what.
-- expect: incomplete
-- expect: warning:   job 1 waits to be started by policy 'fcfs'; it needs 8 cores on one host, the widest has 4
local s = scenario { platform = platform { cluster "a" { nodes = 2, cores = 4 } }, workload = workload.jobs { { time = 1, cores = 8 } } }
local r = s:run { policy = "fcfs" }
error(r.status .. ": " .. table.concat(r:waiting(), "; "))
