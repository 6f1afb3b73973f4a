-- A process that depends on more than its sim: a fork cannot repeat it.
-- expect: error: process 1 does not repeat itself, so that it has no forks and cannot go back: it asks for recover where it asked for fail at t = 5 s; it may depend on its sim alone
-- expect: fail_process_differs.lua:8) at t = 20 s
local worse = true
local s = scenario {
  platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks { { time = 60 }, { time = 60 } },
  events = {
    process(function(sim)
      sim:wait(5)
      if worse then sim:fail "a.1" else pcall(sim.recover, sim, "a.1") end
      sim:wait(15)
      sim:wait(5)
    end),
  },
}
local sim = s:start { policy = "workqueue" }
sim:run_until(10)
worse = false
sim:fork():run()
