-- A placement changes the chart of one cluster, so that the other tasks are tried again in that one only: 2000 x 2000 / 2 tries of
-- 20 steps, 40 million. To try them in both clusters again would take 80 million.
-- args: --steps 60000000
-- expect: planner speed ok
local s = scenario {
  platform = platform {
    cluster "a" { nodes = 4, link = { bandwidth = 1e6 } }, cluster "b" { nodes = 4, link = { bandwidth = 2e6 } },
  },
  workload = workload.tasks(2000, function(i) return { time = 10 + i % 7, inputs = { file("f" .. i // 10, 1e6) } } end),
}
assert(s:run { policy = planner { map = "xsufferage" } }.status == "complete")
print "planner speed ok"
