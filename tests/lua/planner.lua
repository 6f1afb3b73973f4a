-- A plan in the instant in which a transfer ends: the next one of its link is under way in the plan, and the plan places what waits.
local tasks = {}
for i = 1, 20 do
  tasks[i] = { time = 30, inputs = { file("common", 100), file("own" .. i, 10) }, output = 10 }
end
local s = scenario {
  platform = platform { cluster "c" { nodes = 3, link = { bandwidth = 10 } } },
  workload = workload.tasks(tasks),
}
-- The common file comes until 10, then one of 1 s after the other: the first three tasks run from 11, 12 and 13 on.
local plans = s:run { policy = planner { interval = 12, stop = "never" }, validate = true }:plans()
expect(plans[1].time == 0 and plans[1].tasks == 20, "the first plan places all tasks")
expect(plans[2].time == 12 and plans[2].tasks == 18, "the second one places all but those that run")
