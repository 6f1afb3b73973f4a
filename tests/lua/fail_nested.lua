-- Schedulers in schedulers in schedulers: an error, before anything calls itself too often.
-- expect: fail_nested.lua:4: error: best_of: schedulers are nested in one another more than 100 times
local m = min_min
for i = 1, 20000 do m = best_of { m, "mct" } end
