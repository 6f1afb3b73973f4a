-- A host that comes back without its cluster has no store: a planner that takes over leaves tasks with inputs waiting
-- until the cluster is back.
for _, map in ipairs { "max_min", "min_min", "sufferage" } do
  local sim = scenario { platform = platform { cluster "a" { nodes = 2, link = { bandwidth = 10 } } },
    workload = workload.tasks(4, function(i) return { time = 10, arrival = 5 * i, inputs = { file("f", 20) } } end) }
    :start { policy = "workqueue" }
  sim:leave("a", { at = 13 }):join("a.1", { at = 13 }):set_policy(planner { map = map }, { at = 18 }):join("a", { at = 60 })
  local r = sim:run()
  assert(r.status == "complete" and r.makespan == 80, r.makespan)  -- four tasks of 10 s on two hosts, from 60 s on
  local wrong = r:validate()
  assert(#wrong == 0, wrong[1])
end
