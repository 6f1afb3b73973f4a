-- XSufferage, 1.86 times as long as min-min on a grid that has one cluster: three tasks, two of which share a file.
-- takes: seconds
-- perigee run duel/weakness-xsufferage
-- test:
--
-- XSufferage takes the task first that loses most by its second-best cluster; where there is one cluster nobody has a second-best one, all tasks
-- are equal, and the first of the list goes first, whatever its file. The file of `large` keeps the link busy for 200 s, and the host waits for it.
-- Min-min sends the small file first, and computes while the large one is under way.

local s = scenario {
  platform = platform { cluster "only" { link = { bandwidth = 1 } } },
  workload = workload.tasks {
    { name = "large", time = 10, inputs = { file("large file", 200) } },
    { name = "small 1", time = 100, inputs = { file("small file", 10) } },
    { name = "small 2", time = 100, inputs = { file("small file", 10) } },
  },
}
local xsufferage, min_min = s:run { policy = planner { map = "xsufferage" } }, s:run { policy = planner { map = "min_min" } }
print(xsufferage:gantt())
print(min_min:gantt())
print(xsufferage:why "large")
print(min_min:why "large")
print(("makespan: %g s by xsufferage, %g s by min_min"):format(xsufferage.makespan, min_min.makespan))

expect(xsufferage.makespan == 410, "xsufferage: 200 s on the link, then 210 s of tasks")
expect(min_min.makespan == 220, "min-min: 10 s on the link, then 210 s of tasks")
