-- A part of a Gantt chart: from, to and hosts, by name of host or cluster; and names for the rows of a comparison.
-- expect: all is well
-- expect: gantt: there is no host or cluster 'c.9'; did you mean 'c.1'?
-- expect: plot: from must be before the end, which is 30 s, got 40 s
-- expect: name    policy
-- expect: names must be a list of 2 names, one for each row, got 1
-- args: --out "$OUT"
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 }, cluster "d" { nodes = 1 } },
  workload = workload.tasks { { time = 10 }, { time = 20 }, { time = 30 }, { time = 10 } },
}
local r = s:run { policy = "workqueue" }  -- 1 on c.1 until 10, then 4; 2 on c.2; 3 on d.1
r:gantt { from = 5, to = 15, hosts = "c", width = 60 }
r:plot { hosts = { "d", "c.1" }, from = 12, file = "part", text = false }
local function refused(f)
  local ok, problem = pcall(f)
  assert(not ok, "not refused")
  print(problem.message)
end
refused(function() r:gantt { hosts = { "c.9" } } end)
refused(function() r:plot { from = 40 } end)
refused(function() r:plot { kind = "queue", from = 4 } end)
refused(function() r:gantt { from = 5, too = 7 } end)
refused(function() r:plot { from = 35, to = 36 } end)

local a, b = s:start { policy = "workqueue" }, s:start { policy = "workqueue" }
b:run_until(1):fail "c.1"
b:recover "c.1"
local before, after = a:run(), b:run()
local c = compare(before, after, { names = { "before", "after" } })
print(c)
assert(c:result("after").lost == after.lost and c:result("before").lost == 0)
assert(c:csv():find("\nafter,workqueue", 1, true))
refused(function() compare(a, b, { names = { "one" } }) end)
refused(function() compare(a, b, { names = { "one", "one" } }) end)
refused(function() compare(a, b, { name = "x" }) end)
print "all is well"
