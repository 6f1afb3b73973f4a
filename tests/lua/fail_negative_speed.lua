-- expect: fail_negative_speed.lua:3: error: host 'n07': speed must be > 0 op/s, got -2
-- expect: 3 | local n = host "n07" { speed = -2 }
local n = host "n07" { speed = -2 }
