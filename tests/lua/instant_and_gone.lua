-- Works without length end in the instant in which their hosts leave: nothing is wrong with that trace.
local s = scenario { platform = platform { cluster "c" { nodes = 2, cores = 4 } },
  workload = workload.jobs { { time = 0 }, { time = 0 }, { time = 0 } } }
local sim = s:start { policy = "fcfs" }
sim:run_until(0)
sim:leave "c.1"
sim:leave "c.2"
sim:submit { time = 5 }
local r = sim:run()
local wrong = r:validate()
assert(#wrong == 0, wrong[1])
assert(r.status == "incomplete")
