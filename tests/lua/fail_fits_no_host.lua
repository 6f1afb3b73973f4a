-- A job that no host is large enough for is rejected when it arrives, and the run ends; one whose host has gone waits, and
-- the run says so.
-- expect: warning: fcfs with seed 1: 2 pieces of work are rejected that no host can run: job 1 needs 8 cores on one host, the widest has 4, ...
-- expect: warning:   job 4 waits to be started by policy 'fcfs'
-- expect: as it should
local function run(events)
  return scenario {
    platform = platform { host "a" { cores = 4 }, host "b" { cores = 2 } }, events = events,
    workload = workload.jobs { { time = 1, cores = 8 }, { time = 1, cores = 2 }, { time = 1, cores = 5, arrival = 3 },
                               { time = 1, cores = 3, arrival = 3 } },
  }:run { policy = "fcfs", validate = true }
end
local r = run {}
assert(r.status == "complete" and r.rejected == 2 and r.finished == 2 and r.queued == 2 and #r:waiting() == 0)
r = run { leave { host = "a", at = 2 } }
assert(r.status == "incomplete" and r.rejected == 2 and r.queued == 3 and #r:waiting() == 1)
error "as it should"
