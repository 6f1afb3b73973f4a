-- More arguments than a word or method takes are errors; callbacks that Lua or perigee calls may get more.
-- expect: run_until takes 1 argument, got 2, the last of them 20; it is written sim:run_until(t)
-- expect: run takes 1 argument, got 2, the last of them 5
-- expect: uniform takes 2 arguments, got 3
-- expect: platform takes 1 argument, got 2
-- expect: interval takes 2 arguments, got 3
-- expect: metrics takes no arguments, got 1, the last of them true
-- expect: jobs takes no arguments
-- expect: tasks takes 2 arguments, got 3, the last of them 7
-- expect: fail takes 2 arguments, got 3, the last of them 600
-- expect: jobs takes no arguments, got 1, the last of them 1
-- expect: host takes a name and one table, got 1 more
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
refused(function() host "a" ({}, {}) end)
refused(function() policy "a" ({ decide = function() end }, {}) end)

-- a protected call passes on what the script has written
local function protected(f, ...)
  local arguments = { ... }
  refused(function() f(table.unpack(arguments)) end)
  for _, call in ipairs { function() return pcall(f, table.unpack(arguments)) end,
                          function() return xpcall(f, function(problem) return problem end, table.unpack(arguments)) end } do
    local ok, problem = call()
    assert(not ok and problem.code == "bad_call", tostring(problem))
  end
end
protected(workload.tasks, 3, function() return {} end, 7)
protected(sim.fail, sim, "c.1", {}, 600)
protected(r.jobs, r, 1)
local ok, problem = pcall(sim.fail, sim, "c.1", 600)  -- no argument too many, but a wrong one
assert(not ok and problem.message:find("argument 2 must be a table, got 600", 1, true))

-- so do the functions of the standard library
local studies, arrivals, fields = require "studies", require "arrivals", require "fields"
local function told(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good and tostring(message):find(text, 1, true), tostring(message))
end
told("studies.text takes 1 argument, got 2", function() studies.text(stats.interval { 1, 2 }, 4) end)
told("arrivals.poisson takes 3 arguments, got 4", function()
  arrivals.poisson(stream("a", 1), 1, 10, 5)
end)
told("there is no 'studies.ratioo'; did you mean 'ratio'?", function() return studies.ratioo end)
told("studies cannot be changed: field 'mine'", function() studies.mine = 1 end)
assert(#fields.one_of("a", "b", "c").choices == 3 and studies.text(stats.interval { 1, 1 }, nil) == "1.000 +- 0.000")

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
