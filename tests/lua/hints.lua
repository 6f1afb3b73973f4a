-- Mistakes of people who come from other languages, and the hints that they get.
-- expect: in one unit it is '38 h'
-- expect: in one unit it is '90 min'
-- expect: in one unit it is '14.5 h'
-- expect: '1 h' is not a plain number
-- expect: it is called with a colon: rng:uniform([low, high])
-- expect: it is called with a colon: s:run { policy = "workqueue" }
local function message(f, ...)
  local ok, problem = pcall(f, ...)
  assert(not ok)
  print(problem.message, problem.notes[1] or "")
end
message(mark, { at = "1 d 14 h" })
message(mark, { at = "1 h 30 min" })
message(mark, { at = "14h 0.5h" })
message(distribution.lognormal, { mean = "1 h", sd = 2 })
message(function() stream("x").uniform(1, 5) end)
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
message(function() return s.run { policy = "workqueue" } end)
