-- First group of tests of Sim-PETEK (2010), the large cases: five schedulers with 15 rounds, 1000 and 2000 runs.
-- takes: seconds
-- perigee run scripts/sim-petek/group1-large.lua --out results
--   --set weights=wsn         or equal: run times of our model of sensor networks, or all alike
--   --set latency="0.5 s"     before each package, ours

local petek = require "petek"
local settings = require "settings"
local sweeps = require "sweeps"
local weights, latency = settings.one_of("weights", { "wsn", "equal" }), setting("latency", "0.5 s")
local nodes = petek.cluster { latency = latency }
local cases = { { 50, 1000 }, { 50, 2000 }, { 80, 2000 }, { 100, 2000 } }
local sine = { peak = 2, k = 15, m = 10.5 }
local policies = { amrs { rounds = 15 }, amra { rounds = 15 }, samra { rounds = 15 }, ssse_amra(sine), issse_amra(sine) }

local function run(case, policy, how)
  return petek.case(nodes, case[1], 5, case[2] == 1000 and 2 or 4, { weights = how }):run { policy = policy }
end
local makespan, spread, rows = {}, {}, {}
local function compute(how)
  makespan[how], spread[how] = {}, {}
  print(("\n%s run times: makespan, s (spread of the hosts' last finishes, s)"):format(how))
  print(("%-24s %16s %16s %16s %16s %16s"):format("case", "amrs", "amra", "samra", "ssse_amra", "issse_amra"))
  for i, case in ipairs(cases) do
    local line = ("%-24s"):format(petek.label(case[1], case[2]))
    makespan[how][i], spread[how][i] = {}, {}
    for p, policy in ipairs(policies) do
      local r = run(case, policy, how)
      makespan[how][i][p], spread[how][i][p] = r.makespan, r.finish_spread
      line = line .. (" %16s"):format(("%.1f (%.0f)"):format(r.makespan, r.finish_spread))
      rows[#rows + 1] = { case = petek.label(case[1], case[2]), policy = policy.name, makespan = r.makespan, weights = how }
      if i == #cases and how == weights then
        sweeps.plot_hosts(r, { title = ("%s, %s"):format(policy.name, petek.label(case[1], case[2])), text = policy.name == "issse_amra",
                              file = "hosts under " .. policy.name })
      end
    end
    print(line)
  end
end
compute(weights)
local other = weights == "wsn" and "equal" or "wsn"
compute(other)
local shown = {}
for _, row in ipairs(rows) do if row.weights == weights then shown[#shown + 1] = row end end
plot(shown, { x = "case", y = "makespan", by = "policy", kind = "bars", y_unit = "s", file = "large cases", text = false })
