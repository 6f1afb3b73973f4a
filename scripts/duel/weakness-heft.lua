-- HEFT, 10.75 times as long as a queue that knows nothing: four tasks on two hosts with a slow link between them.
-- takes: seconds
-- perigee run duel/weakness-heft
-- test:
--
-- HEFT takes the tasks with the most work behind them first, `left` and `right`, each to the host that ends it first: the second host is idle then,
-- and half a second sooner for `right` is 20 s on the link for `join`, which is not looked at before it is placed itself. The queue gives the tasks
-- out as they are listed: `alone` happens to be on the second host, and `right` follows `left` on the first one, where both of their files stay.

local s = scenario {
  platform = platform {
    cluster "fast" { speed = 2, link = { bandwidth = 0.5 } },
    cluster "slow" { speed = 1, link = { bandwidth = 0.5 } },
  },
  workload = workload.workflow {
    tasks = {
      { name = "left", ops = 2, outputs = { file("of left", 10) } },
      { name = "alone", ops = 2 },
      { name = "right", ops = 1, outputs = { file("of right", 10) } },
      { name = "join", ops = 1, inputs = { "of left", "of right" } },
    },
  },
}
local heft, queue = s:run { policy = scheduled "heft" }, s:run { policy = "workqueue" }
print(heft:gantt())
print(queue:gantt())
print(heft:why "right")
print(heft:why "join")
print(queue:why "right")
print(("makespan: %g s by HEFT, %g s by the queue"):format(heft.makespan, queue.makespan))

expect(heft.makespan == 21.5, "HEFT: right until 1 s, its file for 20 s, join for 0.5 s")
expect(queue.makespan == 2, "queue: left 1 s, right and join 0.5 s each, on one host")
