-- A script tells errors apart by their codes.
-- expect: error codes ok
local same = require("modules.expect").same
local function code(f, ...)
  local ok, problem = pcall(f, ...)
  return not ok and problem.code
end
local function with(field, value)
  return function() return platform { host "a" { [field] = value } } end
end
same(code(with("slots", 0)), "out_of_range", "no slots")
same(code(with("cores", 0)), "out_of_range", "no cores")
same(code(with("cores", 1.5)), "bad_type", "a core and a half")
same(code(with("slots", 1.5)), "bad_type", "a slot and a half")
local function sweep(trials)
  return function() return workload.sweep { runs = 3, trials = trials, time = 1 } end
end
same(code(sweep(0)), "out_of_range", "no trials")
same(code(sweep(1.5)), "bad_type", "a trial and a half")
same(code(sweep(2)), false, "two trials")
same(code(function() return workload.jobs { { cores = 1.5, time = 1 } } end), "bad_type", "a job with a core and a half")
print "error codes ok"
