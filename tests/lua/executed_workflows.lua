-- Runs written as executions in WfFormat, and read back: graph.wfformat reads what r:wfformat has written.
-- args: --out "$OUT" --data "$OUT"
-- expect: executed workflows ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- a (4 s on P1, 2 s on P2) makes f (10 B at 5 B/s) for b; c only waits for a. HEFT: a on P2 to 2, b there to 5; c on P1
-- from 2 to 3, which is where it ends first.
local g = graph.matrix { times = { { 4, 2 }, { 6, 3 }, { 1, 7 } }, edges = { { 1, 2, 10 }, { 1, 3 } }, names = { "a", "b", "c" } }
local s = scenario { platform = platform { complete { bandwidth = 5 }, host "P1" {}, host "P2" {} }, workload = workload.workflow { name = "w", tasks = g } }
local r = s:run { policy = "scheduled", validate = true }
same(r.makespan, 5, "makespan")
r:wfformat("run.json"):wfformat("again.json", 1)
local back = graph.wfformat("run.json", { form = "time" })
same(#back, 3, "tasks")
same(#back:edges(), 2, "edges")
same(back:summary().bytes, 10, "bytes")
local done = cost.graph(back, platform { complete {}, host "P" {} })
for task, seconds in ipairs { 2, 3, 1 } do same(done:time(task, 1), seconds, "run time of task " .. task) end

-- Two instances of one graph need the number of one of them.
local two = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.workflows {
  workload.workflow { tasks = graph.chain { n = 2, ops = 3 } }, workload.workflow { arrival = 1, tasks = graph.chain { n = 2, ops = 3 } } } }
local both = two:run { policy = "dispatch" }
refused("says which", function() both:wfformat("both.json") end)
both:wfformat("second.json", 2)
same(#graph.wfformat("second.json"), 2, "tasks of the second")
refused("workflow must be", function() both:wfformat("third.json", 3) end)
policy "stops_early" { accepts = { "tasks", "precedence" }, ready = function(self, sim, works) if works[1] == 1 then sim:start(1, 1) end end }
refused("was not executed to its end", function() two:run { policy = "stops_early" }:wfformat("part.json", 1) end)
print "executed workflows ok"
