-- Second group of tests of Sim-PETEK (2010): ISSSE-AMRA against the calibrated task farm, 500 to 1500 runs.
-- takes: seconds
-- test: thorough
-- perigee run scripts/sim-petek/group2.lua --out results
--   --set weights=wsn         or equal: run times of our model of sensor networks, or all alike
--   --set latency="0.5 s"     before each package, ours

local petek = require "petek"
local settings = require "settings"
local studies = require "studies"
local sweeps = require "sweeps"
local weights, latency = settings.one_of("weights", { "wsn", "equal" }), setting("latency", "0.5 s")
local nodes = petek.cluster { latency = latency }

local policies = { issse_amra { peak = 2, k = 15, m = 10.5 }, issse_amra { peak = 3, k = 30, m = 20.3 },
                   issse_amra { peak = 5, k = 50, m = 33 }, calibrated {} }
local names = { "2/15/10.5", "3/30/20.3", "5/50/33", "calibrated" }
local name_of = {}
for i, policy in ipairs(policies) do name_of[tostring(policy)] = names[i] end

local e = experiment "group 2" {
  factors = { { "trials", { 10, 30, 50, 80, 100 } }, { "runs", { 500, 1000, 1500 } }, { "policy", policies } },
  run = function(f)
    local vx, vy = table.unpack(petek.velocities[2][f.runs])
    return petek.case(nodes, f.trials, vx, vy, { weights = weights }):run { policy = f.policy }
  end,
  measure = { "makespan", "finish_spread", "efficiency", "idle_time" },
}
studies.save(e, "group2")

local cases, makespan, rows = {}, {}, {}
for _, row in ipairs(e:rows()) do
  local case, name = petek.label(row.trials, row.runs), name_of[tostring(row.policy)]
  if not makespan[case] then
    makespan[case] = {}
    cases[#cases + 1] = case
  end
  makespan[case][name] = row.makespan
  rows[#rows + 1] = { case = case, makespan = row.makespan, policy = name }
end
print "makespan, s"
print(("%-24s %12s %12s %12s %12s %12s"):format("case", "2/15/10.5", "3/30/20.3", "5/50/33", "calibrated", "gain, %"))
for _, case in ipairs(cases) do
  local m = makespan[case]
  local best = math.min(m["2/15/10.5"], m["3/30/20.3"], m["5/50/33"])
  local gain = 100 * (1 - best / m.calibrated)
  print(("%-24s %12.2f %12.2f %12.2f %12.2f %12.1f"):format(case, m["2/15/10.5"], m["3/30/20.3"], m["5/50/33"], m.calibrated, gain))
end
print "gain: of the best of the three; published: 4 to 15 %"
plot(rows, { x = "case", y = "makespan", by = "policy", kind = "bars", y_unit = "s", file = "issse and calibrated", text = false })

-- Figure 5.14: both under 100 trials and 1000 runs. Until the calibration ends all hosts wait for the slowest.
local vx, vy = table.unpack(petek.velocities[2][1000])
local shown = petek.case(nodes, 100, vx, vy, { weights = weights })
sweeps.plot_hosts(shown:run { policy = issse_amra { peak = 3, k = 30, m = 20.3 } },
                 { title = "issse_amra 3/30/20.3, " .. petek.label(100, 1000), file = "hosts under issse_amra", text = false })
local r = shown:run { policy = calibrated {} }
local barrier, waited = 0, 0
for _, package in ipairs(r:packages()) do
  if package.runs == 1 and package.start == 0 then barrier = math.max(barrier, package.finish) end
end
for _, package in ipairs(r:packages()) do
  if package.start == 0 then waited = waited + barrier - package.finish end
end
print(("\n%s: the calibration ends after %.1f s; until then hosts wait for %.0f s together"):format(petek.label(100, 1000), barrier, waited))
sweeps.plot_hosts(r, { title = "calibrated, " .. petek.label(100, 1000), file = "hosts under calibrated" })
r:plot { file = "timeline of calibrated", text = false }
