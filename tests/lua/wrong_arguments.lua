-- A value that is no table where one is needed: the argument, and how the call is written.
-- expect: fail: argument 2 must be a table, got 600; it is written sim:fail(name [, { at = t }])
-- expect: change: argument 2 must be a table, got nothing; it is written sim:change(name, { speed = 2
-- expect: submit: argument 2 must be a table, got 600; it is written sim:submit({ time = 60 } [, { at = t }])
-- expect: set_policy: argument 2 must be a table, got 5; it is written sim:set_policy(policy [, { at = t }])
-- expect: run: its argument must be a table, got 'fcfs'; it is written s:run { policy = "workqueue" }
-- expect: start: its argument must be a table, got nothing; it is written s:start {
-- expect: stats.interval: argument 2 must be a table, got 0.9; it is written stats.interval(list
-- expect: compare: argument 2 must be a table, got nothing; it is written e:compare(measure, {
-- expect: `at` stands in a second table, sim:submit({ time = 60 }, { at = 5 }); or write arrival = 5
-- expect: columns: 'name' is named twice
-- expect: planner: planning_time must be >= 0 and finite, got inf
-- expect: it is written sim:fail(name [, { at = t }])
-- expect: run_until: time must be a number or a quantity with a unit, got a table
-- expect: it is written sim:run_until(t)
-- expect: it is written sim:when(function(s) return s.queue > 50 end)
-- expect: it is written stream(name [, seed])
-- expect: workload.tasks: a list is needed, got the field 'time'; a list of one record is written { { time = ... } }
-- expect: scenario: unexpected entry [1]; its fields have names: platform, workload, events, on_failure
-- expect: scenario: events must be a list, as in events = { outage { ... } }, got a single event
-- expect: mapped: it has 1 part, got 2
local s = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks { { time = 1 } } }
local sim = s:start { policy = "workqueue" }
local function refused(f, ...)
  local ok, problem = pcall(f, ...)
  assert(not ok)
  print(tostring(problem))
end
refused(sim.fail, sim, "c.1", 600)
refused(function() sim:change "c.1" end)
refused(function() sim:submit({ time = 5 }, 600) end)
refused(function() sim:set_policy("fcfs", 5) end)
refused(function() s:run "fcfs" end)
refused(function() s:start() end)
refused(function() stats.interval({ 1, 2 }, 0.9) end)
local e = experiment "few" {
  factors = { x = { 1, 2 } }, replications = 2,
  run = function(f) return { y = f.x } end,
}
refused(function() e:compare "y" end)
refused(function() sim:submit { time = 60, at = 5 } end)
refused(function() sim:jobs():columns { "name", "name" } end)
refused(function() planner { planning_time = math.huge } end)
refused(function() sim:fail { host = "c.1", at = 5 } end)
refused(function() sim:run_until { 5 } end)
refused(function() sim:when(true) end)
refused(function() stream() end)
refused(function() workload.tasks { time = 5 } end)
refused(function() scenario { platform { host "a" {} }, workload.tasks {} } end)
refused(function()
  scenario { platform = platform { host "a" {} }, workload = workload.tasks {}, events = outage { host = "a", from = 1, to = 2 } }
end)
refused(function() mapped("min_min", "mct") end)
