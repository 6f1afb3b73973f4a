-- Schedulers of task graphs that a script writes, and functions as parts of list_schedule.
-- expect: graph heuristics ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- The machine of least value that can run the task, the lowest of equals.
local function least(c, task, value)
  local best, least_yet = nil, math.huge
  for m = 1, c:machines() do
    local v = c:time(task, m) < math.huge and value(c, task, m) or math.huge
    if v < math.huge and (not best or v < least_yet - 1e-9 * math.max(1, least_yet)) then best, least_yet = m, v end
  end
  return best
end
-- HEFT: tasks by upward rank, each to the machine that ends it first, gaps included.
heuristic "my_heft" {
  rank = function(c, task)
    local mean, machines = 0, 0
    for m = 1, c:machines() do
      if c:time(task, m) < math.huge then mean, machines = mean + c:time(task, m), machines + 1 end
    end
    return mean / machines + c:upward_rank(task) - c:mean_time(task)
  end,
  place = function(c, task) return least(c, task, c.finish) end,
}
-- The same without any help: ranks by recursion over the edges.
heuristic "bare_heft" {
  schedule = function(c)
    local known = {}
    local function upward(task)
      if known[task] then return known[task] end
      local behind = 0
      for _, next in ipairs(c:successors(task)) do behind = math.max(behind, c:mean_transfer(task, next) + upward(next)) end
      known[task] = behind + c:mean_time(task)
      return known[task]
    end
    while #c:ready_tasks() > 0 do
      local first
      for _, task in ipairs(c:ready_tasks()) do
        if not first or upward(task) > upward(first) + 1e-9 * upward(task) then first = task end
      end
      c:place(first, c:best_machine(first))
    end
  end,
}
heuristic "short_heft" { rank = function(c, task) return c:upward_rank(task) end }
heuristic "picked_heft" { graph = true, pick = function(c, task) return c:upward_rank(task) end }
heuristic "my_hlfet" {
  insertion = false,
  rank = function(c, task) return c:static_level(task) end,
  place = function(c, task) return least(c, task, c.start) end,
}
heuristic "my_peft" {
  rank = function(c, task)
    local sum = 0
    for m = 1, c:machines() do sum = sum + c:oct(task, m) end
    return sum / c:machines()
  end,
  place = function(c, task)
    return least(c, task, function(_, _, machine) return c:finish(task, machine) + c:oct(task, machine) end)
  end,
}

-- One family with the native ones.
same(my_heft.family, "workflow", "family")
local listed = table.concat(schedulers("workflow"), " ")
same(listed:find("my_heft", 1, true) ~= nil and listed:find("bare_heft", 1, true) ~= nil, true, "listed")

local function alike(what, c, one, other)
  local a, b = schedule(one, c), schedule(other, c)
  same(a.makespan, b.makespan, what .. ": makespan")
  same(table.concat(a.host, " "), table.concat(b.host, " "), what .. ": machines")
  for task = 1, c:tasks() do same(a.start[task], b.start[task], ("%s: start of task %d"):format(what, task)) end
  return a
end

-- The ten tasks of Topcuoglu, Hariri, Wu 2002, figure 2: HEFT 80.
local ten = cost.graph {
  times = { { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 }, { 12, 13, 10 }, { 13, 16, 9 }, { 7, 15, 11 },
            { 5, 11, 14 }, { 18, 12, 20 }, { 21, 7, 16 } },
  edges = { { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 }, { 1, 5, 11 }, { 1, 6, 14 }, { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 },
            { 4, 8, 27 }, { 4, 9, 23 }, { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 } },
}
same(schedule("my_heft", ten).makespan, 80, "HEFT, as published")
same(schedule(bare_heft, ten).makespan, 80, "HEFT, as published")

local path = list_schedule { priority = function(c, task) return c:upward_rank(task) + c:downward_rank(task) end, pin = "critical_path" }
local twins = {
  { "heft", my_heft }, { "heft", bare_heft }, { "heft", short_heft }, { "heft", picked_heft },
  { "hlfet", my_hlfet }, { "peft", my_peft },
  { "heft", list_schedule { priority = function(c, task) return c:upward_rank(task) end } },
  { "heft", list_schedule { choose = function(c, task, machine) return c:finish(task, machine) end } },
  { "heft", list_schedule() }, { "cpop", path }, { "cpop", list_schedule { priority = "path_length", pin = "critical_path" } },
  { "peft", list_schedule { priority = "mean_oct", choose = "finish_plus_oct" } },
  { "peft", list_schedule { priority = "mean_oct", choose = function(c, task, machine) return c:finish(task, machine) + c:oct(task, machine) end } },
  { "hlfet", list_schedule { priority = "static_level", choose = "start", insertion = false } },
  { "hlfet", list_schedule { priority = function(c, task) return c:static_level(task) end, choose = function(c, task, m) return c:start(task, m) end, insertion = false } },
  { "mct", list_schedule { priority = "topological", insertion = false } },
}
for _, twin in ipairs(twins) do
  alike(tostring(twin[2]), ten, twin[1], twin[2])
  for seed = 1, 12 do
    local g = graph.layered { tasks = 5 + 3 * seed, alpha = 1, degree = 3, hosts = 2 + seed % 4, ccr = seed % 3, beta = 1, rng = stream.splitmix(seed) }
    alike(("%s, seed %d"):format(twin[2], seed), cost.graph(g), twin[1], twin[2])
  end
end

-- Executed, with the native one's fingerprint of what happened.
local function executed(g, plan)
  return scenario { platform = platform { complete { bandwidth = 1 }, host "P1" {}, host "P2" {}, host "P3" {} },
                    workload = workload.workflow { tasks = g } }:run { policy = scheduled { plan = plan, replan = "deviation" }, validate = true }
end
for seed = 1, 5 do
  local g = graph.layered { tasks = 30, alpha = 1, degree = 3, hosts = 3, ccr = 1, beta = 1, rng = stream.splitmix(seed) }
  local native = executed(g, "heft")
  same(native.makespan, schedule("heft", cost.graph(g)).makespan, "executed as planned")
  for _, plan in ipairs { my_heft, bare_heft, picked_heft, list_schedule { priority = function(c, task) return c:upward_rank(task) end } } do
    same(executed(g, plan).fingerprint, native.fingerprint, tostring(plan))
  end
end

-- A policy that plans what is left by itself does what `scheduled` does.
policy "plans" {
  accepts = { "tasks", "files", "precedence" },
  arrived = function(self, sim, works)
    if #works == 0 then return end
    local c = sim:graph(sim:workflow(works[1]))
    same(c:tasks(), #works, "tasks that are left")
    local plan = schedule("heft", c)
    local order = {}
    for task = 1, c:tasks() do order[task] = task end
    table.sort(order, function(a, b) return plan.start[a] ~= plan.start[b] and plan.start[a] < plan.start[b] or plan.start[a] == plan.start[b] and a < b end)
    for _, task in ipairs(order) do
      sim:post(c:work(task), c:machine_host(plan.host[task]), { rank = plan.start[task] })
    end
    same(sim:graph():tasks(), 0, "nothing is left")
    same(sim:graph():machines(), sim:host_count(), "machines")
  end,
}
for seed = 1, 3 do
  local g = graph.layered { tasks = 20, alpha = 1, degree = 3, hosts = 3, ccr = 1, beta = 1, rng = stream.splitmix(seed) }
  local s = scenario { platform = platform { complete { bandwidth = 1 }, host "P1" {}, host "P2" {}, host "P3" {} },
                       workload = workload.workflows { workload.workflow { name = "first", tasks = g }, workload.workflow { name = "second", arrival = 40, tasks = g } } }
  local own, native = s:run { policy = "plans", validate = true }, s:run { policy = scheduled "heft", validate = true }
  same(own:workflows()[1].finish, native:workflows()[1].finish, "the first workflow, planned by a policy")
  for task = 1, 20 do same(own:jobs()[task].start, native:jobs()[task].start, "start of task " .. task) end
end
-- Running and posted tasks take their machine: 4 s run on P1 from 0 on, 3 s are posted behind it.
policy "looks" {
  accepts = { "tasks", "precedence" },
  arrived = function(self, sim, works)
    if #works == 0 then return end
    sim:start(1, 1)
    sim:post(2, 1)
    local c = sim:graph()
    same(c:tasks(), 2, "tasks that are left")
    same(c:work(1), 3, "work of the first task that is left")
    same(table.concat(c:predecessors(2), " "), "1", "edges among what is left")
    same(c:machine_host(1), 1, "host")
    same(c:finish(1, 1), 4 + 3 + 2, "behind what is promised")
    same(c:arrival(1, 2), 7, "it waits for a task that is posted")
    same(c:finish(1, 2), 9, "on the idle machine")
    for task = 1, 2 do sim:post(c:work(task), 2) end
  end,
}
scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks {
  { name = "a", time = 4 }, { name = "b", time = 3 }, { name = "x", time = 2, after = { "b" } }, { name = "y", time = 1, after = { "x" } } } }:run { policy = "looks", validate = true }
refused("not works of a run", function() ten:work(1) end)
refused("not cores of a platform", function() ten:machine_host(1) end)
same(cost.graph(graph.chain { n = 2, ops = 1 }, platform { cluster "c" { nodes = 2, cores = 2 } }):machine_host(3), 2, "host of a core")

-- Machines that are free later: 5 + 3 on the first, 0 + 9 on the second; not before 2, 2 + 9.
local later = { times = { { 3, 9 } }, edges = {}, ready = { 5, 0 } }
same(schedule("my_heft", cost.graph(later)).makespan, 8, "ready times")
later.now = 2
same(cost.graph(later):finish(1, 2), 11, "now")

-- Sub-deadlines: the deadline minus what is behind the task in the mean. Task 9 of the ten has 44.333 - 16.667
-- behind it, task 10 nothing.
local ends = cost.sub_deadlines(ten, 200)
same(ends[10], 200, "sub-deadline of the last")
same(math.abs(ends[9] - (200 - (133 / 3 - 50 / 3))) < 1e-9, true, "sub-deadline of task 9")
same(cost.sub_deadlines(graph.matrix { times = { { 2, 4 }, { 1, 3 } }, edges = { { 1, 2, 5 } } }, 20)[1], 20 - (2 + 5), "of a graph: mean time 2, and 5 B at 1 B/s")

-- Parameters, the stream, copies, forks.
heuristic "drawn" {
  parameters = { bias = 1, way = { "greedy", "drawn" } },
  schedule = function(c, args)
    local best
    for try = 1, 5 do
      local copy = c:copy()
      while #copy:ready_tasks() > 0 do
        local ready = copy:ready_tasks()
        local task = ready[args.way == "drawn" and c:stream():integer(1, #ready) or 1]
        copy:place(task, copy:best_machine(task))
      end
      if not best or copy:makespan() * args.bias < best:makespan() then best = copy end
    end
    return best
  end,
}
same(schedule(drawn { way = "drawn" }, ten, { seed = 3 }).makespan, schedule(drawn { way = "drawn" }, ten, { seed = 3 }).makespan, "the same seed")
same(schedule("drawn", ten).makespan >= 73, true, "no better than the optimum")
local sim = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.workflows {
  workload.workflow { tasks = graph.chain { n = 3, ops = 2 } }, workload.workflow { arrival = 5, tasks = graph.fork_join { width = 3, stages = 1, ops = 2 } } } }
  :start { policy = scheduled { plan = drawn { way = "drawn" } } }
sim:run_until(3)
local other = sim:fork()
same(sim:run().fingerprint, other:run().fingerprint, "a fork")

-- Mistakes.
local stale
heuristic "keeps" { rank = function(c, task) stale = c; return 0 end }
schedule("keeps", ten)
refused("belongs to a call that is over", function() stale:tasks() end)
refused("rank must return a number, got nil", function() heuristic "none" { rank = function(c, task) end } schedule("none", ten) end)
refused("which cannot run there", function()
  heuristic "nowhere" { rank = function(c, task) return 0 end, place = function(c, task) return 1 end }
  schedule("nowhere", cost.graph { times = { { math.huge, 1 } }, edges = {} })
end)
refused("schedule left task 2 without a machine", function()
  heuristic "lazy" { schedule = function(c) c:place(1, 1) end }
  schedule("lazy", ten)
end)
refused("schedule must return nothing, or the copy", function()
  heuristic "odd" { schedule = function(c) return 7 end }
  schedule("odd", ten)
end)
refused("only shown to a function", function()
  heuristic "acts" { rank = function(c, task) c:place(task, 1) return 0 end }
  schedule("acts", ten)
end)
refused("place does not go with schedule", function() heuristic "both" { schedule = function(c) end, place = function(c, task) return 1 end } end)
refused("pick does not go with rank", function() heuristic "both" { rank = function(c, task) return 1 end, pick = function(c, task) return 1 end } end)
refused("insertion is of a scheduler of task graphs", function() heuristic "both" { pick = function(c, task) return 1 end, insertion = false } end)
refused("'rank' is missing", function() heuristic "both" { graph = true } end)
refused("'my_heft' is a graph scheduler, not a mapper", function() map("my_heft", etc { { 1, 2 } }) end)
refused("must answer with a number", function() schedule(list_schedule { priority = function(c, task) return "high" end }, ten) end)
refused("for task 1 on machine 1", function() schedule(list_schedule { choose = function(c, task, machine) error "no" end }, ten) end)
-- A task that can run nowhere, and what is behind it, is nobody's.
local cut = schedule("my_heft", cost.graph { times = { { 1, 2 }, { math.huge, math.huge }, { 3, 1 } }, edges = { { 2, 3, 1 } } })
same(cut.host[2] == false and cut.host[3] == false, true, "unplaced")
same(cut.makespan, 1, "makespan of what can be placed")

print "graph heuristics ok"
