-- expect: fail_syntax.lua:3: error:
-- expect: 3 | local x = = 1
local x = = 1
