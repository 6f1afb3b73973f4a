-- More arguments than a word or method takes are errors; callbacks that Lua or perigee calls may get more.
-- expect: run_until takes 1 argument, got 2, the last of them 20; it is written sim:run_until(t)
-- expect: run takes 1 argument, got 2, the last of them 5
-- expect: uniform takes 2 arguments, got 3
-- expect: platform takes 1 argument, got 2
-- expect: interval takes 2 arguments, got 3
-- expect: metrics takes no arguments, got 1, the last of them true
-- expect: jobs takes no arguments
-- expect: all is well
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(5, function(i) return { time = i } end),
}
local sim = s:start { policy = "workqueue" }
local r = s:run { policy = "workqueue" }
local function refused(f)
  local ok, problem = pcall(f)
  assert(not ok and problem.code == "bad_call", tostring(problem))
  print(problem.message)
end
refused(function() sim:run_until(10, 20) end)
assert(sim:now() == 0)  -- nothing has happened
refused(function() s:run({ policy = "workqueue" }, 5) end)
refused(function() stream("x"):uniform(1, 2, 3) end)
refused(function() platform({}, 3) end)
refused(function() stats.interval({ 1, 2 }, { confidence = 0.9 }, 3) end)
refused(function() r:metrics(true) end)
refused(function() return sim:jobs("all") end)

-- nil is nothing; variadic words take any number
sim:run_until(1, nil)
workload.merge(workload.jobs {}, workload.jobs {}, workload.jobs {})
compare(r, r, r)

-- called with more than was meant: by gsub, by a loop, by sort, by a heuristic
assert(("a b"):gsub("%a", tostring) == "a b")
for _, name in ipairs { "min_min" } do print(name) end
for value in coroutine.wrap(function() coroutine.yield(1) end) do assert(value == 1) end
heuristic "shortest" { pick = function(c, task) return -c:best(task) end }
s:run { policy = mapped "shortest" }
print "all is well"
