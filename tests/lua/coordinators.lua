-- Functions of the round as parameters of coordinators, and what they learn; the numbers are those of Sim-PETEK, 2010,
-- chapter 3, and of hand calculations on its example.
-- args: --validate
-- expect: 12 checks
local expect = require "modules.expect"
local nodes = platform {
  host "A" { cores = 8 }, host "B" { cores = 4 }, host "C" { cores = 4 }, host "D" { cores = 2, slots = 1 },
  host "E" { cores = 2, slots = 1 },
}
local s = scenario { platform = nodes, workload = workload.sweep { times = { 1, 2.5, 1, 1, 0.5 }, runs = 60, trials = 10 } }
local checks = 0
local function same(got, wanted, what) expect.same(got, wanted, what); checks = checks + 1 end
local function makespan(policy) return s:run { policy = policy }.makespan end

same(makespan(samra { rounds = 3 }), 40, "samra")
-- 20 runs in the first round, 40 in the second: B gets 6 at 25 s, 15 waves of 2.5 s.
same(makespan(amra { runs_in_round = function(round, state)
  assert(state.runs == 60 and state.trials == 10 and state.dealt + state.undealt == 60 and #state.enpr == 5)
  return round == 1 and 20 or 40
end }), 62.5, "runs_in_round")
same(makespan(amrs { rounds = 3, alpha = function(recomputed) return 1 / recomputed end }), 60, "alpha")
same(makespan(amrs { rounds = 3, alpha = "1/round" }), 60, "alpha by its name")
same(makespan(samra { rounds = 3, threshold = function(round, state) return state.name == "D" and round > 1 and 0.08 or 0 end }),
     38, "threshold")
same(makespan(ssse_amra { peak = 1, k = 3, m = 2.3, units = function(round, state) return math.max(1, state.slots // 2) end }),
     40, "units")
same(makespan(samra { rounds = 3, probe = function(round, state) return state.slots == 8 and 4 or math.max(1, state.slots // 2) end }),
     40, "probe")

local r = s:run { policy = samra { rounds = 3 } }
local at = {}
for _, row in ipairs(r:enpr()) do
  at[row.time] = at[row.time] or {}
  at[row.time][row.host] = row
end
same(string.format("%.6f", at[15].A.enpr), "0.461446", "Table 3.10")
same(string.format("%.2f", at[12.5].B.enpr), "0.15", "Table 3.8")
same(at[0].A.npp, nil, "no package yet")

-- A function sees no other run, and its answers are checked.
expect.refused("must be a finite number, >= 0 and < 1; in round 1 it is 2", function()
  makespan(samra { threshold = function() return 2 end })
end)
expect.refused("must be a finite number, > 0 and <= 1; in round 1 it is \"often\"", function()
  makespan(amra { rounds = 3, alpha = function() return "often" end })
end)
checks = checks + 2
print(checks .. " checks")
