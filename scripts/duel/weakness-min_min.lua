-- Min-min, 1.9 times as long as tasks given out without a look at their times: three tasks on two hosts.
-- takes: seconds
-- perigee run duel/weakness-min_min
-- test:
--
-- Min-min places short tasks first: `short` takes the second host, and `either`, which ends a second sooner on the first one now, takes that.
-- Only then comes `large`, whose best host is taken by a task that would have been served as well by the other one. OLB gives tasks out in their
-- order to the host that is free first, and is lucky: each host ends at 10 s.

local s = scenario {
  platform = platform { host "first" {}, host "second" {} },
  workload = workload.tasks {
    { name = "large", times = { first = 10, second = 20 } },
    { name = "either", times = { first = 9, second = 6 } },
    { name = "short", times = { first = 20, second = 4 } },
  },
}
local min_min, olb = s:run { policy = planned { map = "min_min" } }, s:run { policy = planned { map = "olb" } }
print(min_min:gantt())
print(olb:gantt())
print(min_min:why "either")
print(min_min:why "large")
print(("makespan: %g s by min_min, %g s by olb"):format(min_min.makespan, olb.makespan))

expect(min_min.makespan == 19, "min-min: either and large on the first host")
expect(olb.makespan == 10, "OLB: large on the first host, either and short on the second")
