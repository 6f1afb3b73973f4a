-- A planner at its corners; all numbers by hand.
-- expect: ▐0█████████▌▐1████████████████████▌▐2█████████▌
-- expect: ▐0>>▌

-- Planning takes time, and a task can never run: the run ends.
local function ends(s, given)
  for _, each in ipairs { {}, { idle_replan = "always" }, { interval = 1 }, { interval = 0.4 }, { keep = 1 },
                          { interval = 0.4, strategy = "deviation", min_interval = 0.1 }, { replan = "both", interval = 3 },
                          { subset = "random", subset_size = 1 } } do
    local options = { map = "min_min", planning_time = 1 }
    for k, v in pairs(each) do options[k] = v end
    for k, v in pairs(given or {}) do options[k] = v end
    local r = s:run { policy = planner(options), validate = true }
    expect(r.status == "incomplete" and r.plan_count < 20, ("%s after %d plans"):format(r.status, r.plan_count))
  end
end
local two = platform { host "x" {}, host "y" {} }
ends(scenario { platform = two, workload = workload.tasks { { times = { y = 5 } }, { time = 3 } },
                events = { leave { host = "y", at = 2 } } })
local behind = platform { cluster "a" { nodes = 1, link = { bandwidth = 0 } } }
ends(scenario { platform = behind, workload = workload.tasks { { time = 1, inputs = { file("x", 10) } } } })

-- Nor does it go on for ever where a transfer that was expected to end does not: plans place tasks, and nothing moves.
do
  local p, events = platform.pst({ text = [[
GridDescription 1
0:ADD_CLUSTER <a> <net> <0>
0:ADD_HOST <a> <h> <full> <0> <0>
0:ADD_HOST <a> <i> <full> <0> <0>
3:CHANGE_CLUSTER_BEHAVIOR <a> <none> <0>
]] }, { behaviours = { net = { bandwidth = 10 }, none = { bandwidth = 0 }, full = 1 } })
  local tasks = {}
  for i = 1, 8 do tasks[i] = { time = 4, inputs = { file("f" .. i, 100) } } end
  local s = scenario { platform = p, events = events, workload = workload.tasks(tasks) }
  for _, each in ipairs { { count = 1 }, { interval = 2 }, { idle_replan = "always" },
                          { idle_replan = "always", random = 0.5, interval = 0.5 } } do
    each.planning_time = 1
    local r = s:run { policy = planner(each), information = "last", horizon = 1e6, validate = true }
    expect(r.status == "incomplete" and r.plan_count < 2000, ("%s after %d plans"):format(r.status, r.plan_count))
  end
end

-- It asks again when something happens. The host y goes while it runs the second task, and is back at 50; the first ends
-- at 31, and then two plans place nothing: one for the idle host, one because nothing moves.
for replan, cause in pairs { add = "add", none = "idle" } do
  local s = scenario { platform = two, workload = workload.tasks { { times = { x = 30 } }, { times = { y = 5 } } },
                       events = { leave { host = "y", at = 2 }, join { host = "y", at = 50 } } }
  local r = s:run { policy = planner { map = "min_min", planning_time = 1, replan = replan }, validate = true }
  expect(r.status == "complete" and r.makespan == 56, "ends at " .. r.makespan)
  local plans = {}
  for i, each in ipairs(r:plans()) do plans[i] = ("%g %s %d"):format(each.time, each.cause, each.tasks) end
  local expected = "0 arrival 2, 31 idle 0, 32 starved 0, 50 " .. cause .. " 1"
  expect(table.concat(plans, ", ") == expected, table.concat(plans, ", "))
end

-- A host goes and is back within the instant, in another cluster: what was in its queue is in no queue. At 5 the file x is
-- there in a, y comes at 2; in b y is sent 5 to 6, the tasks run 6 to 16, 16 to 26 and 26 to 36. Back at 5.5: half a second later.
for _, back in ipairs { 5, 5.5 } do
  local p, events = platform.pst({ text = [[
GridDescription 1
0:ADD_CLUSTER <a> <net> <0>
0:ADD_CLUSTER <b> <net> <0>
0:ADD_HOST <a> <h> <full> <0> <0>
5:REMOVE_HOST <h>
]] .. back .. ":ADD_HOST <b> <h> <full> <0> <0>\n" }, { behaviours = { net = { bandwidth = 100 }, full = 1 } })
  local s = scenario { platform = p, events = events, workload = workload.pst { text = [[
WorkDescription 1 2 3
File: <0> <x> <100> <100>
File: <1> <y> <100> <100>
Work: <0> <1: 0> <0:> <1: 10> <1: 10>
Work: <1> <1: 0> <0:> <1: 10> <1: 10>
Work: <2> <1: 1> <0:> <1: 10> <1: 10>
]] } }
  for keep = 0, 3 do
    local r = s:run { policy = planner { map = "min_min", keep = keep }, validate = true }
    expect(r.status == "complete" and r.makespan == 31 + back, ("keep %d: %s at %g"):format(keep, r.status, r.makespan))
  end
end

-- A cluster goes and is back within the instant, its host with another architecture: the transfer that was cut is
-- forgotten. At 5 the second task is the faster one: y is sent 5 to 15, x 15 to 25; they run 15 to 20 and 25 to 75.
do
  local p, events = platform.pst({ text = [[
GridDescription 1
0:ADD_CLUSTER <a> <net> <0>
0:ADD_HOST <a> <h> <full> <0> <0>
5:REMOVE_CLUSTER <a>
5:ADD_CLUSTER <a> <net> <0>
5:ADD_HOST <a> <h> <full> <0> <1>
]] }, { behaviours = { net = { bandwidth = 10 }, full = 1 } })
  local s = scenario { platform = p, events = events, workload = workload.pst { text = [[
WorkDescription 1 2 2
File: <0> <x> <100> <100>
File: <1> <y> <100> <100>
Work: <0> <1: 0> <0:> <2: 10 50> <2: 10 50>
Work: <1> <1: 1> <0:> <2: 20 5> <2: 20 5>
]] } }
  for keep = 0, 2 do
    local r = s:run { policy = planner { map = "min_min", keep = keep }, validate = true }
    local jobs = r:jobs()
    expect(jobs[1].start == 25 and jobs[1].finish == 75 and jobs[2].start == 15 and jobs[2].finish == 20,
           ("keep %d: from %g and %g"):format(keep, jobs[1].start, jobs[2].start))
  end
end

-- Latency that falls: h1 computes first, at 4.9, and its output comes at 5.5; h2 computes at 5, and its output comes at 5.1.
do
  local p, events = platform.pst({ text = [[
GridDescription 1
0:ADD_CLUSTER <c> <net> <0>
0:ADD_HOST <c> <h1> <full> <0> <0>
0:ADD_HOST <c> <h2> <full> <0> <1>
]] }, { behaviours = { net = { bandwidth = 1000, latency = { 0.5, 0 } }, full = 1 } })
  local s = scenario { platform = p, events = events, workload = workload.pst { text = [[
WorkDescription 1 1 1
File: <0> <out> <100> <100>
Work: <0> <0:> <1: 0> <2: 4.9 5> <2: 4.9 5>
]] } }
  for _, map in ipairs { "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" } do
    local r = s:run { policy = planner { map = map }, validate = true }
    expect(r.makespan == 5.1 and r:jobs()[1].hosts == "h2", ("%s: %g on %s"):format(map, r.makespan, r:jobs()[1].hosts))
  end
  local r = s:run { policy = planner { map = "min_min", completion = "compute" } }
  assert(r.makespan == 5.5 and r:jobs()[1].hosts == "h1")
  local chart = s:start { policy = planner { map = "min_min" } }:chart()
  for _, task in ipairs(chart:waiting()) do
    assert(chart:best(task) == 5.1 and chart:second(task) == 5.5 and chart:cluster_best(task, 1) == 5.1 and
           chart:machine_name(chart:cluster_machine(task, 1)) == "h2" and chart:machine_name(chart:best_machine(task)) == "h2")
  end
end

-- The timer rings when a host falls idle: the timer is why, and what was predicted is compared. The last one rings at the
-- end of the run.
for time, cause in pairs { [10] = "timer", [9.9] = "idle" } do
  local s = scenario { platform = platform { cluster "a" { nodes = 1 } },
                       workload = workload.tasks(6, function() return { time = time } end) }
  local r = s:run { policy = planner { map = "min_min", count = 1, interval = 10 }, validate = true }
  local plans = r:plans()
  assert(#plans == (time == 10 and 7 or 6) and plans[1].cause == "arrival")
  for i = 2, #plans do
    expect(plans[i].cause == cause and plans[i].tasks == (i == 7 and 0 or 1), ("plan %d: %s"):format(i, plans[i].cause))
  end
  expect(#r:deviations() == (cause == "timer" and 6 or 0), ("%d deviations"):format(#r:deviations()))
end

-- Deviations under a constant interval. At 9 the host becomes slow, so that the first task, expected until 10, is there
-- at 12; then its end, 19, is known.
do
  local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 10 }, { time = 10 } },
                       events = { change { host = "a", at = 9, availability = 0.1 } } }
  local r = s:run { policy = planner { map = "min_min", interval = 4 }, horizon = 18, validate = true }
  local found = {}
  for i, each in ipairs(r:deviations()) do
    found[i] = each.deviation
    assert(each.time == 4 * i and each.interval == 4)
  end
  expect(table.concat(found, " ") == "0 0 1 0", table.concat(found, " "))
  assert(r.mean_deviation == 0.25)
end

-- Tasks of a description are called from task0 on, and so are numbered in pictures.
do
  local p, events = platform.pst({ text = [[
GridDescription 1
0:ADD_CLUSTER <a> <l> <0>
0:ADD_HOST <a> <h> <f> <0> <0>
]] }, { behaviours = { l = { bandwidth = 10 }, f = 1 } })
  local s = scenario { platform = p, events = events, workload = workload.pst { text = [[
WorkDescription 1 1 3
File: <0> <x> <40> <40>
Work: <0> <1: 0> <0:> <1: 10> <1: 10>
Work: <1> <0:> <0:> <1: 20> <1: 20>
Work: <2> <0:> <0:> <1: 10> <1: 10>
]] } }
  s:run { policy = "workqueue" }:gantt(60)
  local chart = s:start { policy = "workqueue" }:chart()
  chart:fill "min_min"
  chart:gantt(60)
end

-- Where there is no work a run is complete at 0, and nothing is planned.
do
  local s = scenario { platform = two, workload = workload.tasks {} }
  for _, policy in ipairs { "workqueue", grouped {}, planner { planning_time = 1, interval = 1 } } do
    local r = s:run { policy = policy, validate = true }
    assert(r.status == "complete" and r.finished == 0 and r.total_time == 0 and r.makespan ~= r.makespan and r.plan_count == 0)
  end
end
