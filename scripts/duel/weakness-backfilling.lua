-- Backfilling, 1.96 times as long as the same line without it: five jobs on two nodes of four cores.
-- takes: seconds
-- perigee run duel/weakness-backfilling
-- test:
--
-- While `half` waits for two cores, `small` is let past it onto the one core that is idle, on the second node, and delays nobody who waits then.
-- First come, first served keeps that core idle for 1 s, and then has both `half` and `small` on the first node and a whole node for `whole`.
-- That 1 s costs backfilling a node that is taken by one core for 100 s: both EASY and conservative do so, for `whole` is not the first in line,
-- and its promise of 100 s is no worse than what nodes cut up like this allow.

local s = scenario {
  platform = platform { cluster "node" { nodes = 2, cores = 4 } },
  workload = workload.jobs {
    { name = "full", time = 1, cores = 4 },
    { name = "most", time = 2, cores = 3 },
    { name = "half", time = 100, cores = 2 },
    { name = "small", time = 100, cores = 1 },
    { name = "whole", time = 100, cores = 4 },
  },
}
local fcfs, easy, conservative = s:run { policy = "fcfs" }, s:run { policy = "easy" }, s:run { policy = "conservative" }
print(conservative:gantt())
print(fcfs:gantt())
print(conservative:why "small")
print(fcfs:why "small")
print(("makespan: %g s under easy, %g s under conservative, %g s under fcfs"):format(easy.makespan, conservative.makespan, fcfs.makespan))

expect(easy.makespan == 200 and conservative.makespan == 200, "with backfilling `whole` starts at 100 s")
expect(fcfs.makespan == 102, "without it `whole` starts at 2 s")
