-- Earliest deadline first, which rejects a load that first in, first out accepts: four divisible loads on two nodes.
-- takes: seconds
-- perigee run duel/weakness-edf
-- test:
--
-- A load is admitted if it and all that wait can be planned in time, in the order of the policy. When `small` comes, `large` waits for the second
-- node at 11 s; the earlier deadline puts `small` there, and `large`, which then gets both nodes at 30 s, would end at 46.7 s and be late: EDF
-- rejects `small`. In the order of arrival `large` keeps its node until 41 s, and `small` goes on the other one at 30 s and is in time too.

local s = scenario {
  platform = platform { cluster "node" { nodes = 2, link = { bandwidth = 1 } } },
  workload = workload.loads {
    { name = "first", time = 4, size = 6, bytes = 1, deadline = 36 },
    { name = "urgent", time = 4, arrival = 3, size = 1, bytes = 1, deadline = 16 },
    { name = "large", time = 4, arrival = 5, size = 6, bytes = 1, deadline = 44 },
    { name = "small", time = 4, arrival = 5, size = 2, bytes = 1, deadline = 42 },
  },
}
local edf, fifo = s:run { policy = "edf" }, s:run { policy = "fifo" }
print(edf:gantt())
print(fifo:gantt())
print(edf:why "small")
print(fifo:why "small")
print(("rejected: %d by edf, %d by fifo"):format(edf.rejected, fifo.rejected))

expect(edf.rejected == 1, "EDF rejects small")
expect(fifo.rejected == 0, "FIFO accepts all four")
