-- An error object whose text takes for ever.
-- args: --steps 300000
-- expect: the script takes more than 300000 steps (--steps)
local object = setmetatable({}, { __tostring = function() while true do end end, __concat = function() while true do end end })
pcall(error, object)
pcall(function() print(object) end)
xpcall(error, function(e) return e .. "" end, object)
error "not reached"
