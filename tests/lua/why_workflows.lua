-- Why a task of a workflow is where it is. The ten tasks of Topcuoglu, Hariri, Wu 2002, figure 2; HEFT's step of task 9
-- by hand: 4 ends at 26 on P2, 2 at 40 on P1, 5 at 38 on P3. On P1 the data of 4 comes at 49, of 5 at 51: 51 + 18. On P2
-- those of 2 at 56, of 5 at 51: 56 + 12. On P3 those of 2 at 56, of 4 at 49: 56 + 20.
-- expect: why of workflows ok
local expect = require("modules.expect")
local same = expect.same
local ten = graph.matrix {
  times = { { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 }, { 12, 13, 10 }, { 13, 16, 9 }, { 7, 15, 11 },
            { 5, 11, 14 }, { 18, 12, 20 }, { 21, 7, 16 } },
  edges = { { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 }, { 1, 5, 11 }, { 1, 6, 14 }, { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 },
            { 4, 8, 27 }, { 4, 9, 23 }, { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 } },
}
local s = scenario { platform = platform { complete { bandwidth = 1 }, host "P1" {}, host "P2" {}, host "P3" {} },
                     workload = workload.workflow { tasks = ten } }
local function says(decision, text)
  if not tostring(decision):find(text, 1, true) then error(("'%s' is not in\n%s"):format(text, decision), 2) end
end
local function scores(decision, P1, P2, P3)
  for host, score in ipairs { P1, P2, P3 } do same(decision.candidates[host].score, score, "score of host " .. host) end
end

heuristic "by_rank" { rank = function(c, task) return c:upward_rank(task) end }
heuristic "by_pick" { graph = true, pick = function(c, task) return c:upward_rank(task) end, place = function(c, task) return c:best_machine(task) end }
for _, plan in ipairs { heft, by_rank, by_pick, list_schedule() } do
  local r = s:run { policy = scheduled { plan = plan } }
  local d = r:why(9)
  same(d.action, "posted", "action")
  same(d.time, 0, "time")
  same(d.started, 56, "start")
  same(d.chosen, "P2", "host")
  if plan ~= by_pick then same(d.decided, "the smallest " .. d.score:match("^[^,]+"), "decided by") end
  scores(d, 69, 68, 76)
  says(d, "planned on P2 from 56 to 68 s")
  says(d, "placed as number 7 of 10")
  says(d, "planned behind task 2: on P1 until 40 s, its data here at 56 s")
  says(d, "behind task 2, computed on P1 at 40 s, 'task 2>task 9' came at 56 s")
  says(d, "behind task 4, computed on P2 at 26 s\n")
  says(d, "44.333*")
end
heuristic "whole" { schedule = function(c) while #c:ready_tasks() > 0 do c:place(c:ready_tasks()[1], 1) end end }
says(s:run { policy = scheduled { plan = whole } }:why(9), "has a `schedule` of its own")

-- While it waits, a task says for what.
local sim = s:start { policy = "dispatch" }
sim:run_until(5)
local d = sim:why(9)
same(d.action, "waits", "action of a task that is not ready")
says(d, "it waits for others")
says(d, "behind task 2, which has not been computed")
-- Dispatch: task 1 is on P3, to 9; of tasks 2 to 6 the first goes where it ends first: P3 has the data, 9 + 18; on P1 it
-- comes at 27, to 40; on P2 to 46.
sim:run_until(200)
d = sim:why(2)
same(d.chosen, "P3", "host")
scores(d, 40, 46, 27)
says(d, "the smallest finish")
d = s:run { policy = dispatch { order = "upward_rank" } }:why(3)
says(d, "priority")
d = s:run { policy = "stealing" }:why(1)
says(d, "took it from its own queue")
says(d, "tasks in its queue")

-- A task that was given back goes where it ends first: P1 is lost at 2 with task "long" on it.
local back = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks { { name = "long", time = 9 }, { name = "other", time = 4, after = { "long" } } },
  events = { outage { host = "c.1", from = 2, to = 52 } },
}:run { policy = "scheduled" }
d = back:why "long"
same(d.chosen, "c.2", "host of what was lost")
says(d, "it was given back")
print "why of workflows ok"
