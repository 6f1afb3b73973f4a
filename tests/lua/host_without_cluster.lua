-- A host that comes back without its cluster has no store: a planner leaves tasks with inputs waiting until the cluster
-- is back, as a workqueue does.
for _, chosen in ipairs { "workqueue", planner { map = "max_min" }, planner { map = "min_min" } } do
  local s = scenario { platform = platform { cluster "a" { nodes = 2, link = { bandwidth = 10 } } },
    workload = workload.tasks(4, function(i) return { time = 10, arrival = 10 * (i - 1), inputs = { file("f", 20) } } end) }
  local sim = s:start { policy = chosen }
  sim:run_until(15)
  sim:leave("a"):join("a.1", { at = 20 }):join("a", { at = 60 })
  local r = sim:run()
  assert(r.status == "complete" and r.makespan >= 70)
  local wrong = r:validate()
  assert(#wrong == 0, wrong[1])
end
