-- A grid with files, an outage and a chart, under workqueue.
-- args: --validate
-- expect: complete
-- expect: workqueue
local grid = platform {
  cluster "fast"   { nodes = 4,  availability = 1.0, link = { bandwidth = "10 KB/s" } },
  cluster "shared" { nodes = 6,  availability = 0.7, link = { bandwidth = "10 KB/s" } },
  cluster "busy"   { nodes = 12, availability = 0.3, link = { bandwidth = "10 KB/s" } },
}
local app = workload.tasks(400, function(i, rng)   -- called when a run starts; rng is the run's own stream, so each seed has
                                                   -- its own workload and all policies of a comparison share it
  return { time = rng:uniform(90, 110),
           inputs = { file("shared" .. (i - 1) // 50, "1.2 MB"), file("own" .. i, rng:uniform(8e3, 12e3)) },
           output = rng:uniform(8e3, 12e3) }
end)
local s = scenario { platform = grid, workload = app,
                     events = { outage { host = "busy.3", from = 200, to = 400 } } }

local r = s:run { policy = "workqueue", seed = 7 }
print(r.makespan, r.utilization)
r:gantt()                                   -- drawn in the terminal
print(s:compare { "workqueue", workqueue { chunk = 1 } })
assert(r.status == "complete" and r.makespan > 1000)
