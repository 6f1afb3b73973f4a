-- A method that is called with a point gets a hint.
-- expect: fail_colon.lua:8: error: argument 1 must be a simulation, got 10
-- expect: note: it is called with a colon: sim:run_until(t)
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks { { time = 1 } },
}
local sim = s:start { policy = "workqueue" }
sim.run_until(10)
