-- A transfer over two links waits while one of them carries nothing, however often the other changes. By hand: the link
-- `l` carries 1 B/s until 2 and from 20 on, so that 10 B have come at 28 and the task ends at 29. A link that stays
-- closed is waited for without end.
-- expect: 29
-- expect: incomplete
local function grid(bandwidth)
  return platform { router "r", link "l" { to = "r", bandwidth = bandwidth },
    cluster "c" { at = "r", link = { bandwidth = { values = { 1, 2 }, every = 1 } } } }
end
local task = workload.tasks { { time = 1, inputs = { file("f", 10) } } }
local changed = scenario { platform = grid(1), workload = task,
  events = { change { link = "l", at = 2, bandwidth = 0 }, change { link = "l", at = 20, bandwidth = 1 } } }
print(changed:run { policy = "workqueue", validate = true }.makespan)
print(scenario { platform = grid { { 0, 1 }, { 2, 0 } }, workload = task }:run { policy = "workqueue", validate = true }.status)
