-- Of many mistakes in one table the first in the order of its keys is named, in every process.
-- expect: the same every time
local function many(value)
  local t = {}
  for i = 99, 10, -1 do t["k" .. i] = value end
  return t
end
local function fails(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok and tostring(e):find(text, 1, true), tostring(e))
end
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
fails("columns.k10 must be", csv.read, "none.csv", { columns = many "nope" })
fails("the default of 'k10'", function() heuristic "h" { pick = function() return 1 end, parameters = many(print) } end)
fails("workqueue: k10", function() return workqueue(many(print)) end)
fails("time.k10", function() return workload.tasks { { time = many "x" } } end)
fails("'k10' does not belong", function() return workload.tasks { { time = 1, inputs = many(1) } } end)
fails("unknown field 'k10'", function() return scenario(many(1)) end)
fails("[10]", function() return scenario { [12] = 1, [11] = 1, [10] = 1, [true] = 1, [{}] = 1, zz = 1 } end)
local levels = many(1)
levels[1] = { 0, 1 }
fails("availability: 'k10' does not belong", function() return platform { host "a" { availability = levels } } end)
print("the same every time")
