-- r:validate() checks a whole trace again, also of a run under way.
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(6, function(i, rng) return { time = rng:uniform(5, 15), arrival = i } end),
  events = { outage { host = "c.1", from = 4, to = 9 } },
}
local r = s:run { policy = "workqueue" }
assert(#r:validate() == 0)
local sim = s:start { policy = "fcfs" }
sim:run_until(5)
assert(#sim:result():validate() == 0)
local ok, problem = pcall(function() return s:run({ policy = "fcfs", trace = "work" }):validate() end)
assert(not ok and tostring(problem):find('trace = "full"', 1, true), problem)
