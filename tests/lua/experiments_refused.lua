-- Refusals: values that could make a cell depend on others, names that would hide a column, and rules that make no sense.
-- expect: refused ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks(5, function(i) return { time = 1, arrival = i } end) }
local sim = s:start { policy = "fcfs" }
local tries = 0
local function failing(run)
  tries = tries + 1
  local e = experiment("try" .. tries) { run = run }
  same(#e:failures(), 1, "failures")
  return e:failures()[1].message
end
local function says(text, run)
  local message = failing(run)
  if not message:find(text, 1, true) then error(message .. " is not " .. text, 2) end
end
for _, method in ipairs { "step", "run" } do
  says("started outside of the experiment's cell", function() sim[method](sim) return { v = 1 } end)
end
says("started outside", function() sim:run_until(3) return { v = 1 } end)
says("started outside", function() sim:fail "a" return { v = 1 } end)
says("cannot be declared in an experiment's cell", function() heuristic "later" { pick = function() return 1 end } return { v = 1 } end)
says("cannot be called in an experiment's cell", function() redefine_schedulers() return { v = 1 } end)
says("half-widths of intervals are named so", function() return { v = 1, v_half_width = 2 } end)
local e = experiment "forks" { run = function()
  local own = sim:fork()
  own:step()
  return { now = own:now(), started = s:start { policy = "fcfs" }:run().makespan }
end }
same(e:rows()[1].started, 6, "a simulation of the cell's own")

local function declared(fields)
  fields.run = fields.run or function() return { v = 1 } end
  return function() experiment "x" (fields) end
end
refused("'mean' cannot be the name of a factor", declared { factors = { mean = { 1 } } })
refused("'v_half_width' cannot be the name of a factor", declared { factors = { v_half_width = { 1 } } })
refused("experiment 'x': replications: half_width is a share of the mean below 1",
        declared { replications = { most = 9, half_width = "500 %", measure = "v" } })
refused("half_width: '5' has no unit", declared { replications = { most = 9, half_width = "5", measure = "v" } })
refused("an experiment cannot be part of a run", declared { factors = { a = { 1 } }, where = function()
  experiment "y" { run = function() return { v = 1 } end }
end })
refused("measure names 'makespam', which no cell has", function()
  experiment "typo" { measure = { "makespam" }, run = function() return { makespan = 1 } end }
end)
local once = experiment "once" { factors = { a = { 1, 2 } }, run = function(f) return { v = f.a } end }
same(once:compare("v", { factor = "a" })[1].verdict, "no interval", "one pair")
refused("'v' is named twice", function() once:table("v", "v") end)
print "refused ok"
