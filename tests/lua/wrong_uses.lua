-- Errors say what was probably meant, and how it is written.
-- expect: wrong uses ok
local expect = require "modules.expect"
local s = scenario { platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks { { time = 10 } } }
local function events(...) return scenario { platform = s.platform, workload = s.workload, events = { ... } } end
expect.refused("failures: host must be one name, got a table; hosts = { ... } lists several", function()
  events(failures { host = { "a.1" }, mtbf = 3, mttr = 3 })
end)
expect.refused("failures: hosts must be a list of names, got 'a.1'; host = names one", function()
  events(failures { hosts = "a.1", mtbf = 3, mttr = 3 })
end)
expect.refused("outage: host must be one name, got a table; each has an event of its own", function()
  events(outage { host = { "a.1", "a.2" }, from = 1, to = 2 })
end)
expect.refused("JSON has no nan; nil leaves the field out, and tostring makes it a text", function() json.text { a = 0 / 0 } end)
expect.refused("'cell' cannot be the name of a factor: it is a column of the experiment's own tables; choose another, such as my_cell", function()
  experiment "e" { factors = { cell = { 1, 2 } }, run = function() return { m = 1 } end }
end)
local e = experiment "e" { factors = { a = { 1, 2 }, b = { 3, 4 }, c = { 5, 6 } }, run = function(f) return { m = f.a * f.b * f.c } end }
expect.refused("several rows have the level '1' of 'a' and '3' of 'b': `where` must say which is meant", function()
  require("studies").pivot(e, "m", "a", "b")
end)
assert(#require("studies").pivot(e, "m", "a", "b", nil, { c = 5 }) == 2)
print "wrong uses ok"
