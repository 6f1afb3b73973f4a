-- A host that would join after the end was never there: 20 s of one host for 20 s of work.
-- expect: 20.0	1.0	1.0	20.0	20
-- expect: 20.0	0.95238095238095	0.95238095238095	19.5	19
-- expect: a cluster	20.0	20	20
local function run(at)
  local r = scenario { platform = platform { host "a" {}, host "late" {} }, workload = workload.tasks { { time = 10 }, { time = 10 } },
    events = { join { host = "late", at = at } } }:run { policy = "workqueue" }
  print(r.makespan, r["efficiency.available"], r["utilization.up"], r.lower_bound, r:resources()[2].down)
end
run(100)
run(19)
-- A cluster, its host and its link.
local r = scenario {
  platform = platform { host "a" {}, cluster "late" { nodes = 1, link = { bandwidth = 1 } } },
  workload = workload.tasks { { time = 10 }, { time = 10 } },
  events = { join { cluster = "late", at = 100 } },
}:run { policy = "workqueue" }
print("a cluster", r.makespan, r:resources()[2].down, r:resources()[#r:resources()].down)
