-- expect: fail_unknown_global.lua:2: error: there is no 'workloda'; did you mean 'workload'?
local w = workloda.tasks(3, function() return { time = 1 } end)
