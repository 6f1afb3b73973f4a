-- An event is what its fields were when it was declared, whatever becomes of the tables afterwards.
local given = { host = "c.1", at = 4 }
local gone = leave(given)
given.at = 1e6
local hosts = { "c.1", "c.2" }
local kept = { hosts = hosts, from = 10, to = 20 }
local reserved = reserve(kept)
hosts[1], hosts[2], kept.to = "c.3", nil, 1000
local s = scenario {
  platform = platform { cluster "c" { nodes = 3 } },
  workload = workload.tasks { { time = 6 }, { time = 6 }, { time = 6 } },
  events = { gone, reserved },
}
-- c.1 goes at 4 with the first task, which runs again from 6 on c.2, where the reservation takes the cores at 10, and at last from
-- 10 to 16 on c.3.
local r = s:run { policy = "workqueue" }
expect(r.lost == 2, "lost at 4 and at 10: " .. r.lost)
expect(r.makespan == 16, "then it runs until 16: " .. r.makespan)
