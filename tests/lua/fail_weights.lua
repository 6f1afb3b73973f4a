-- An error in a function of weights says what went wrong, and where.
-- expect: fail_weights.lua:10: error: attempt to index a nil value (local 'point')
local ok, e = pcall(function()
  return workload.sweep { runs = 3, time = 1, weights = function() return nothere end }
end)
assert(not ok and tostring(e):find("nothere", 1, true), tostring(e))
ok, e = pcall(function() return workload.sweep { runs = 3, time = 1, weights = function() error { code = 7 } end } end)
assert(not ok and e.code == 7)
workload.sweep { runs = 3, time = 1, weights = function(point)
  return point.x
end }
