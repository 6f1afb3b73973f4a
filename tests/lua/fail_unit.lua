-- expect: fail_unit.lua:3
-- expect: bandwidth
local p = platform { cluster "a" { link = { bandwidth = "10 kg" } } }
