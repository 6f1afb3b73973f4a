-- expect: fail_undeclared.lua:2: error: 'count' is assigned in a function but nowhere declared; write `local count`
local function f() count = 1 end
f()
