-- Two runs' requests differ only where they do, and tell of a policy that takes over; which result is meant is never guessed.
-- expect: comparisons ok
local expect = require "modules.expect"
local s = scenario { platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks(9, function(i) return { time = 10, arrival = 3 * i } end) }
local x = s:start { policy = "workqueue" }
x:run_until(4)
x:fail "a.1"
x:change("a.2", { availability = 0.5 })
x:run_until(6)
local y = x:fork()
assert(not tostring(compare(x, y):first_difference()):find "interventions")
local z = x:fork()
x:change("a.2", { availability = 0.7, at = 20 })
z:change("a.2", { availability = 0.9, at = 20 })
assert(tostring(compare(x, z):first_difference()):find("interventions: a.2 changes at t = 20 s against a.2 changes at t = 20 s", 1, true))
y:set_policy("fcfs", { at = 70 })
z = y:fork()
z:set_policy "fcfs"
expect.same(compare(y, z):first_difference().settings[2], "set_policy: nothing more against fcfs from t = 6 s", "settings")
assert(tostring(compare(x:fork(), y):first_difference()):find("set_policy: nothing more against fcfs from t = 70 s", 1, true))

local r, q = s:run { policy = "workqueue" }, s:run { policy = "workqueue", seed = 2 }
expect.refused("result: rows 1 and 2 of the comparison have the policy 'workqueue'", function() compare(r, q):result "workqueue" end)
assert(compare(r, q, { names = { "one", "two" } }):result("two").makespan == q.makespan)
expect.refused("it is written compare(a, b), without braces", function() compare { r, q } end)
expect.refused("it is written compare(a, b), without braces", function() compare({ r, q }, { names = { "one", "two" } }) end)

-- A host that failed unannounced is up in what is shown, and a result so far is that of a run under way.
x = s:start { policy = "workqueue" }
x:run_until(4)
x:fail("a.1", { announced = false })
expect.same(x:hosts()[1].state, "up", "unannounced")
expect.same(x:result().status, "running", "status")
x:fail "a.2"
expect.same(x:hosts()[2].state, "down", "announced")
print "comparisons ok"
