-- expect: fail_parameter.lua:2: error: workqueue has no parameter 'chunks'; it takes
local p = workqueue { chunks = 2 }
