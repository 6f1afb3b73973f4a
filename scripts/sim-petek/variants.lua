-- Rules that Sim-PETEK (2010) leaves open, side by side on the example of its chapter 3.
-- takes: a moment
-- perigee run scripts/sim-petek/variants.lua

local petek = require "petek"
local s = petek.chapter3()
local sine = { peak = 1, k = 3, m = 2.3 }
local function with(more)
  local given = { peak = 1, k = 3, m = 2.3 }
  for name, value in pairs(more) do given[name] = value end
  return given
end
-- 4 runs are a unit of 8 slots, too.
local function four(_, host) return host.slots == 8 and 4 or host.slots == 4 and 2 or 1 end

-- The makespans in the last column were computed by hand from the rules.
local variants = {
  { "learning rate: 1/2 (text)", amrs { rounds = 3 }, 65 },
  { "learning rate: 1/round (Figure 3.4)", amrs { rounds = 3, alpha = "1/round" }, 60 },
  { "... and hosts served as listed", amrs { rounds = 3, alpha = "1/round", order = "list" }, 58 },
  { "10 rounds, hosts served by ENPR", amrs { rounds = 10 }, 70 },
  { "10 rounds, hosts served as listed", amrs { rounds = 10, order = "list" }, 72.5 },
  { "... and learning rate 1/round", amrs { rounds = 10, alpha = "1/round", order = "list" }, 70 },
  { "quotas as they are", ssse_amra(sine), 39 },
  { "quotas rounded down and capped", ssse_amra(with { sizing = "capped" }), 38 },
  { "unit of 8 slots: 8 (text)", samra { rounds = 3 }, 40 },
  { "unit of 8 slots: 4, as in the probes", samra { rounds = 3, units = four }, 40 },
  { "unit of 8 slots: 8 (text)", ssse_amra(sine), 39 },
  { "unit of 8 slots: 4, as in the probes", ssse_amra(with { units = four }), 40 },
  { "threshold 0.08", samra { rounds = 3, threshold = 0.08 }, 38 },
}
print(("%-40s %-12s %10s"):format("rule", "scheduler", "makespan, s"))
for _, each in ipairs(variants) do
  local rule, policy, expected = table.unpack(each)
  local makespan = s:run { policy = policy }.makespan
  print(("%-40s %-12s %10g"):format(rule, policy.name, makespan))
  expect(math.abs(makespan - expected) < 1e-9, ("%s, %s: %g s, not %g s"):format(policy.name, rule, expected, makespan))
end
print "\npublished: 65 s and 70 s of amrs with 3 and 10 rounds, 40 s of samra, 39 s of ssse_amra"
