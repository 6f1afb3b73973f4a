-- args: --set n=1e3 --set ratio=0.5 --set name=abc --set on=true --seed 9
-- expect: settings work
assert(setting("n", 400) == 1000 and math.type(setting("n", 400)) == "integer")
assert(setting("ratio", 1) == 0.5 and setting("name", "x") == "abc" and setting("on", false) == true)
assert(setting("absent", "default") == "default")
assert(args.n == 1000 and args.name == "abc" and args.on == true)
local ok, e = pcall(function() return args.nme end)
assert(not ok and tostring(e):find("the setting 'nme' was not given; did you mean 'name'?", 1, true), e)
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks(3, function(i, rng) return { time = rng:uniform() } end) }
assert(s:run { policy = "fcfs" }.seed == 9)
assert(s:run { policy = "fcfs" }.makespan == s:run { policy = "fcfs", seed = 9 }.makespan)
assert(s:run { policy = "fcfs" }.makespan ~= s:run { policy = "fcfs", seed = 1 }.makespan)
print("settings work")
