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

local where = petek.source .. ", section 5.2.1, first group, large cases"
if latency == "0.5 s" then
  local first, ordered, even = true, true, true
  local function order(m)  -- "amra 12.0 > samra 11.5": s of each
    local places = { 2, 3, 4, 5 }
    table.sort(places, function(a, b) return m[a] > m[b] end)
    for i, p in ipairs(places) do places[i] = ("%s %.1f"):format(policies[p].name, m[p]) end
    return table.concat(places, " > ")
  end
  for i in ipairs(cases) do
    local m = makespan.wsn[i]
    for p = 1, 4 do first = first and m[5] < m[p] end
    ordered = ordered and m[5] < m[4] and m[4] < m[3] and m[3] < m[2]
    even = even and spread.wsn[i][5] < spread.wsn[i][2] / 2
  end
  claim { source = where, says = "ISSSE is the best of the five in all four large cases", holds = first, verdict = "reproduces" }
  claim { source = where, says = "ISSSE < SSSE < SAMRA < AMRA in the large cases, run times of our model", holds = ordered,
          found = "100 x 2000: " .. order(makespan.wsn[4]), verdict = "does not reproduce" }
  local equal = true
  for i = 2, 4 do
    local m = makespan.equal[i]
    equal = equal and m[5] < m[4] and m[4] < m[3] and m[3] < m[2]
  end
  claim { source = where, says = "ISSSE < SSSE < SAMRA < AMRA with 2000 runs, all alike", holds = equal, verdict = "reproduces" }
  claim { source = where, says = "hosts finish ever closer together from AMRA to ISSSE: the spread falls below a half", holds = even,
          found = ("%.0f s to %.0f s with 100 x 2000"):format(spread.wsn[4][2], spread.wsn[4][5]), verdict = "reproduces" }
end
