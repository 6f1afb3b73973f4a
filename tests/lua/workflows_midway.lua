-- Workflows in the middle of their run: other policies take over, work is submitted, hosts fail untold.
-- expect: midway ok
local same = require("modules.expect").same

local two = platform { host "a" {}, host "b" {} }
local function written() return { { name = "x", time = 4, outputs = { file("f", 1) } }, { name = "y", time = 2, inputs = { "f" } } } end

-- A task beside a workflow, in each way to submit one: 1 s on a host that is idle.
for _, submitted in ipairs { { time = 1 }, { { time = 1 } }, workload.tasks { { time = 1 } }, workload.jobs { { time = 1 } } } do
  local sim = scenario { platform = two, workload = workload.workflow { tasks = written() } }:start { policy = "workqueue" }
  sim:run_until(1)
  sim:submit(submitted)
  local r = sim:run()
  same(#r:validate(), 0, "valid")
  same(r:jobs()[3].finish, 2, "the submitted task")
  same(r.makespan, 6, "the workflow")
end

-- Each policy takes over from each, at each instant: nothing is lost, and all is valid. Two outputs come home, 3 s
-- each; both may be under way, in the queue, or not yet asked for.
local linked = platform { cluster "a" { link = { bandwidth = 1 } }, cluster "b" { link = { bandwidth = 1 } } }
local outputs = workload.workflow { home = "all", tasks = {
  { name = "x", time = 4, outputs = { file("f", 3), file("g", 3) } }, { name = "y", time = 2, inputs = { "f" } }, { name = "z", time = 2, after = { "x" } } } }
local policies = { scheduled "heft", scheduled { plan = "heft", replan = "always" }, "dispatch", "stealing", "workqueue", "planner" }
local without = { { events = {} }, { events = { outage { link = "a.link", from = 5, to = 20 } } } }
for _, more in ipairs(without) do
  local s = scenario { platform = linked, workload = outputs, events = more.events }
  for _, first in ipairs(policies) do
    for _, second in ipairs(policies) do
      for _, at in ipairs { 0, 1, 4, 5, 8 } do
        local sim = s:start { policy = first }
        sim:run_until(at)
        sim:set_policy(second)
        local r = sim:run()
        local what = ("%s, from %g s on %s"):format(first, at, second)
        same(r.status, "complete", what)
        same(#r:validate(), 0, what)
      end
    end
  end
end

-- Policies that know nothing of precedence are told of a task when it is ready, whatever the one before had posted.
local after = scenario { platform = two, workload = workload.workflow { tasks = { { name = "x", time = 4 }, { name = "y", time = 2, after = { "x" } } } } }
for _, second in ipairs { "easy", "fcfs", "conservative", "workqueue" } do
  local sim = after:start { policy = scheduled "heft" }
  sim:run_until(1)
  sim:set_policy(second)
  same(sim:run().makespan, 6, second .. " after a plan")
end

-- A policy of the script that accepts precedence is told of what is pending when it takes over, and of what is ready.
local told = {}
policy "asks" {
  accepts = { "tasks", "precedence" },
  arrived = function(self, sim, works) for _, work in ipairs(works) do told[#told + 1] = "arrived " .. sim:work_name(work) end end,
  ready = function(self, sim, works)
    for _, work in ipairs(works) do
      told[#told + 1] = "ready " .. sim:work_name(work)
      sim:post(work, 1)
    end
  end,
}
local sim = scenario { platform = platform { host "a" {} }, workload = workload.workflow { tasks = {
  { name = "x", time = 4 }, { name = "y", time = 2, after = { "x" } }, { name = "z", time = 2 } } } }:start { policy = "fcfs" }
sim:run_until(1)
sim:set_policy "asks"
same(sim:run().makespan, 8, "all is done")
same(table.concat(told, ", "), "arrived y, arrived z, ready z, ready y", "what it is told")

-- An output is fetched once, whoever asks for it from another copy.
policy "twice" {
  accepts = { "tasks", "files", "precedence" },
  arrived = function(self, sim) sim:post(1, 1) sim:post(2, 2) end,
  finished = function(self, sim) sim:fetch(1, 1) sim:fetch(1, 2) end,
}
local r = scenario { platform = linked, workload = workload.workflow { home = "all", tasks = written() } }:run { policy = "twice", validate = true }
same(r.bytes_out, 1, "bytes that come home")

-- Hosts whose failures nobody is told of come back, and what is posted there begins. The policies of graphs post before
-- a host is idle.
local failing = scenario { platform = two, workload = workload.tasks { { time = 5 }, { time = 3 } },
                           events = { failures { all = true, mtbf = 10, mttr = 3, announced = false } } }
for seed = 1, 100 do
  for _, policy in ipairs { "dispatch", "stealing", scheduled "heft", "workqueue" } do
    same(failing:run { policy = policy, seed = seed }.status, "complete", ("%s, seed %d"):format(policy, seed))
  end
end
-- Two tasks on hosts of which one has gone for good, with drawn failures beside: the run ends.
local gone = scenario { platform = two, workload = workload.tasks { { times = { a = 5 } } },
                        events = { leave { host = "a", at = 1 }, failures { hosts = { "b" }, mtbf = 10, mttr = 3 } } }
same(gone:run { policy = "dispatch" }.status, "incomplete", "its only host has left")

-- The way home is part of the way to the end: nothing could be later.
r = scenario { platform = platform { cluster "a" { link = { bandwidth = 10 } } },
               workload = workload.workflow { tasks = { { time = 5, outputs = { file("f", 100) } } } } }:run { policy = "workqueue" }
same(r.makespan, 15, "5 s, and 100 bytes at 10 bytes/s")
same(r.mean_slack, 0, "slack")

-- Workflows in a list may be tables. A deadline is missed when it has come.
local list = scenario { platform = two, workload = workload.workflows { { name = "one", deadline = 5, tasks = { { time = 6 } } }, { tasks = { { time = 2 } } } } }
same(list:run { policy = "workqueue" }:workflows()[1].workflow, "one", "its name")
same(list:run { policy = "workqueue", horizon = 4 }.workflows_missed, 0, "at 4 s")
same(list:run { policy = "workqueue", horizon = 5.5 }.workflows_missed, 1, "at 5.5 s")
same(list:run { policy = "workqueue" }.workflows_missed, 1, "at the end")

-- Rows of tasks say of which workflow they are.
local rows = scenario { platform = two, workload = workload.workflows { { name = "one", tasks = { { time = 6 } } }, { tasks = { { time = 2 } } } } }:run { policy = "workqueue" }:jobs()
same(rows[1].workflow, "one", "workflow of the first task")
same(rows[2].workflow, "workflow 2", "workflow of the second")

print "midway ok"
