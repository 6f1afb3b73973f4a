-- Functions of (round, state) and of (period, state): every field, by hand; other names and answers are errors.
-- args: --validate
-- expect: runs_in_round	1	0	20	0	20	10	0.5 0.5	0 0
-- expect: runs_in_round	2	0	20	10	10	10	0.5 0.5	0 0
-- expect: alpha	1	10
-- expect: units	2	1	a	2	2
-- expect: a round state has no field 'undelt'; did you mean 'undealt'?
-- expect: the runs of the round are what this function says: its state has no 'quota' yet
-- expect: this function is asked for all hosts together: its state has no 'slots', and lists in enpr and npp
-- expect: must return a number, but it returned nothing
-- expect: must return a number, got a table
-- expect: runs_in_round: function
-- expect: this state belongs to a call that is over
-- expect: a period state has no field 'mis_ratio'; did you mean 'miss_ratio'?
-- expect: period	1	0	nil	nil	0	0	0	0
-- expect: period	2	12	2	0	0	1	1	0	0.417
-- expect: ssse_amra: peak and runs_in_round are both given; a round has its runs by the sine or as given
-- expect: same as published	39	39	39	39
local two = platform { host "a" { cores = 2 }, host "b" { cores = 2 } }
local s = scenario { platform = two, workload = workload.sweep { runs = 20, trials = 10, time = 1 } }
local once = {}
local function first(name) local before = once[name]; once[name] = true; return not before end

-- A round has 10 runs and a host half of them: the second round begins at 0, too, for both have 5 then; none has ended.
s:run { policy = samra { runs_in_round = function(round, state)
  if round <= 2 then
    print("runs_in_round", round, math.tointeger(state.time), state.runs, state.dealt, state.undealt, state.trials,
          table.concat(state.enpr, " "), table.concat({ math.tointeger(state.npp[1]), math.tointeger(state.npp[2]) }, " "))
  end
  return 10
end, alpha = function(round, state)
  if first "alpha" then print("alpha", round, state.quota) end
  return 0.5
end, units = function(round, state)
  if first "units" then print("units", round, state.host, state.name, state.cores, state.slots) end
  return 1
end, probe = 5 } }

local function refused(run)
  local ok, problem = pcall(run)
  print(not ok and problem.message or "it is not refused")
end
local function rounds(f) return function() s:run { policy = amra { runs_in_round = f } } end end
refused(rounds(function(round, state) return state.undelt / 2 end))
refused(rounds(function(round, state) return state.quota end))
refused(rounds(function(round, state) return state.slots end))
refused(rounds(function(round, state) end))
refused(rounds(function(round, state) return {} end))
refused(rounds(function(round, state) return -1 end))
local kept
refused(function()
  s:run { policy = amra { runs_in_round = function(round, state) kept = state return 10 end } }
  print(kept.runs)
end)

-- 10 of 24 node-seconds in the first period, whatever nodes do it; the second load keeps the run going.
local loads = scenario { platform = platform { cluster "c" { nodes = 2, link = { bandwidth = 1e9 } } },
                         workload = workload.loads { { size = 1, bytes = 1, time = 10, deadline = 100 }, { size = 1, bytes = 1, time = 10, arrival = 15, deadline = 100 } } }
refused(function() loads:run { policy = feedback { bound = function(period, state) return state.mis_ratio or 1 end } } end)
loads:run { policy = feedback { period = 12, bound = function(period, state)
  if period <= 2 then
    print("period", period, math.tointeger(state.time), math.tointeger(state.bound or 1 / 0), state.miss_ratio and math.tointeger(state.miss_ratio),
          state.misses, state.resolved, state.arrived, state.rejected, period == 2 and ("%.3f"):format(state.utilization) or nil)
  end
  return 2
end } }

refused(function() ssse_amra { peak = 1, k = 3, runs_in_round = 10 } end)

-- Published: ssse_amra and issse_amra end the example of chapter 3 after 39 s; with the same quotas as a function, too.
local chapter3 = scenario {
  platform = platform { host "A" { cores = 8 }, host "B" { cores = 4 }, host "C" { cores = 4 }, host "D" { cores = 2, slots = 1 },
                        host "E" { cores = 2, slots = 1 } },
  workload = workload.sweep { runs = 60, trials = 10, times = { A = 1, B = 2.5, C = 1, D = 1, E = 0.5 } },
}
local function sine(round, state) return cost.sine_quota { runs = state.runs, peak = 1, k = 3, m = 2.3, round = round } end
local found = {}
for _, make in ipairs { ssse_amra, issse_amra } do
  for _, policy in ipairs { make { peak = 1, k = 3, m = 2.3 }, make { runs_in_round = sine } } do
    found[#found + 1] = math.tointeger(chapter3:run { policy = policy }.makespan)
  end
end
print("same as published", table.unpack(found))
