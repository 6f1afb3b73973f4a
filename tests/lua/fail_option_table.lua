-- A table that was made before the call: the line of its field where only one table of the file has such a field,
-- and no other braces that come after the call.
-- expect: fail_option_table.lua:7: error: run: unknown field 'sed'; did you mean 'seed'?
-- expect: 7 |   sed = 1,
local options = {
  policy = "fcfs",
  sed = 1,
}
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
local ok, problem = pcall(function() s:run(options) end)
assert(not ok and problem.line == 7, problem)
local seed = { policy = "fcfs", seed = 1 }
ok, problem = pcall(function()
  s:start(setmetatable({ policy = "fcfs", seed = -1 }, {}))
end)
assert(problem.line == 14, problem)
seed.seed = -2
ok, problem = pcall(function()
  s:run(seed)
  print { seed = 3 }
end)
assert(problem.line == 19, problem)
s:run(options)
