-- First group of tests of Sim-PETEK (2010): how many rounds are best, and five schedulers with 15 rounds, up to 800 runs.
-- takes: seconds
-- test: thorough
-- perigee run scripts/sim-petek/group1.lua --out results
--   --set weights=wsn         or equal: run times of our model of sensor networks, or all alike
--   --set latency="0.5 s"     before each package, ours
--   --set coordinator=true    whether the coordinator's machine computes, too: 16 or 15 hosts

local petek = require "petek"
local settings = require "settings"
local studies = require "studies"
local weights, latency = settings.one_of("weights", { "wsn", "equal" }), setting("latency", "0.5 s")
local nodes = petek.cluster { latency = latency, coordinator_works = setting("coordinator", true) }

local triples = { { 1, 3, 2 }, { 1, 5, 3.3 }, { 2, 15, 10.5 }, { 3, 30, 20.3 }, { 5, 50, 33 } }
local policies, label, key = {}, {}, {}
local function add(policy, text, value)
  policies[#policies + 1] = policy
  label[tostring(policy)], key[tostring(policy)] = text, value
end
for _, n in ipairs { 2, 3, 5, 8, 10 } do add(amrs { rounds = n }, n, n) end
for _, n in ipairs { 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100 } do
  add(amra { rounds = n }, n, n)
  add(samra { rounds = n }, n, n)
end
for _, t in ipairs(triples) do
  local given = { peak = t[1], k = t[2], m = t[3] }
  add(ssse_amra(given), table.concat(t, "/"), t[2])
  add(issse_amra(given), table.concat(t, "/"), t[2])
end
add(amrs { rounds = 15 }, 15, 15)

local e = experiment "group 1" {
  factors = { { "trials", { 20, 50 } }, { "runs", { 100, 400, 800 } }, { "policy", policies } },
  run = function(f)
    local vx = table.unpack(petek.velocities[1][f.runs])
    return petek.case(nodes, f.trials, vx, nil, { weights = weights }):run { policy = f.policy }
  end,
  measure = { "makespan", "finish_spread", "efficiency", "package_count", "idle_time", "duplicate_time", "redundant_time" },
}
studies.save(e, "group1")

-- Makespans of each scheduler and case by number of rounds or triple.
local cases, found = {}, {}
for _, row in ipairs(e:rows()) do
  local case, policy = petek.label(row.trials, row.runs), tostring(row.policy)
  if not found[case] then
    found[case] = {}
    cases[#cases + 1] = case
  end
  local name = policy:match "^%S+"
  local list = found[case][name] or {}
  found[case][name] = list
  list[#list + 1] = { case = case, rounds = label[policy], key = key[policy], makespan = row.makespan, extra = name == "amrs" and key[policy] == 15 }
end
-- The best of a case; what is as good, to a millionth, is named too.
local function best(case, name)
  local least
  for _, each in ipairs(found[case][name]) do
    if not each.extra and (not least or each.makespan < least.makespan * (1 - 1e-6)) then least = each end
  end
  local last = least
  for _, each in ipairs(found[case][name]) do
    if not each.extra and each.makespan < least.makespan * (1 + 1e-6) then last = each end
  end
  local rounds = tostring(least.rounds)
  return { key = least.key, last = last.key, rounds = last == least and rounds or rounds .. "-" .. last.rounds }
end

print "the best number of rounds, or peak/k/m"
print(("%-24s %12s %12s %12s %16s %16s"):format("case", "amrs", "amra", "samra", "ssse_amra", "issse_amra"))
for _, case in ipairs(cases) do
  local line = ("%-24s"):format(case)
  for _, name in ipairs { "amrs", "amra", "samra" } do line = line .. (" %12s"):format(best(case, name).rounds) end
  for _, name in ipairs { "ssse_amra", "issse_amra" } do line = line .. (" %16s"):format(best(case, name).rounds) end
  print(line)
end
print "published: amrs 2 for 100 runs, 5 for 400 and 800; amra 3, 8, 15 (20 with 50 trials); samra 2, 10, 15\n"

for _, name in ipairs { "amrs", "amra", "samra", "ssse_amra", "issse_amra" } do
  local rows = {}
  for _, case in ipairs(cases) do
    for _, each in ipairs(found[case][name]) do
      if not each.extra then
        local rounds = math.type(each.rounds) and each.rounds .. " rounds" or each.rounds
        rows[#rows + 1] = { case = each.case, makespan = each.makespan, rounds = rounds }
      end
    end
  end
  plot(rows, { x = "case", y = "makespan", by = "rounds", kind = "bars", y_unit = "s", text = false, file = "rounds of " .. name,
               title = name .. (name:find "ssse" and ", peak/k/m" or "") })
end

print "with 15 rounds, or 2/15/10.5: makespan, s"
print(("%-24s %10s %10s %10s %10s %10s"):format("case", "amrs", "amra", "samra", "ssse_amra", "issse_amra"))
local compared = {}
for _, case in ipairs(cases) do
  local line = ("%-24s"):format(case)
  for _, name in ipairs { "amrs", "amra", "samra", "ssse_amra", "issse_amra" } do
    for _, each in ipairs(found[case][name]) do
      if each.key == 15 then
        line = line .. (" %10.2f"):format(each.makespan)
        compared[#compared + 1] = { case = case, makespan = each.makespan, policy = name }
      end
    end
  end
  print(line)
end
plot(compared, { x = "case", y = "makespan", by = "policy", kind = "bars", y_unit = "s", file = "15 rounds", text = false })
