-- expect: fail_parameter.lua:2: error: workqueue has no parameter 'chunks'; did you mean 'chunk'?; it takes
local p = workqueue { chunks = 2 }
