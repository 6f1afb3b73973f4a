-- A policy that swallows whatever stops it.
-- args: --steps 300000
-- expect: the script takes more than 300000 steps (--steps)
-- expect: in policy
policy "endless" { decide = function() while true do pcall(function() while true do end end) end end }
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
while true do pcall(s.run, s, { policy = "endless" }) end
