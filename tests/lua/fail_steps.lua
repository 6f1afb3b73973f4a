-- args: --steps 100000
-- expect: fail_steps.lua:3: error: the script takes more than 100000 steps (--steps)
while true do end
