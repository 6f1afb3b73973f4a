-- Chapter 3 of Sim-PETEK (2010): its example under all schedulers, with timelines and every table.
-- takes: a moment
-- perigee run scripts/sim-petek/chapter3.lua
--   --set width=76

local petek = require "petek"
local sweeps = require "sweeps"
local width = setting("width", 76)
local s, assumed = petek.chapter3(), petek.assumed_case()
local sine = { peak = 1, k = 3, m = 2.3 }

local runs = {
  { "Figure 3.5", s, amrs { rounds = 3 }, 65 },
  { "Figure 5.2", s, amrs { rounds = 10 }, 70 },
  { "Figure 3.7", s, amra { rounds = 3 }, 45 },
  { "Figure 3.9", s, samra { rounds = 3 }, 40 },
  { "Figure 3.12", s, ssse_amra(sine), 39 },
  { "section 3.3.3", s, issse_amra(sine), 39 },
  { "Figure 3.14, assumed case", assumed, ssse_amra(sine), 45 },
  { "Figure 3.15, assumed case", assumed, issse_amra(sine), 40 },
}
local result = {}
for i, each in ipairs(runs) do
  local figure, scenario, policy, published = table.unpack(each)
  local r = scenario:run { policy = policy }
  result[i] = r
  print(("%s (%s): %g s, published %d s"):format(policy, figure, r.makespan, published))
  r:gantt(width)
  r:plot { file = "timeline " .. i, title = tostring(policy), text = false }
  claim { source = petek.source .. ", " .. figure, says = ("%s ends after %d s"):format(policy, published), value = r.makespan,
          published = published, verdict = "reproduces" }
end

print "\nTables 3.2 to 3.11, as published and computed"
print "table                                A       B       C       D       E"
local function row(name, values, format)
  local line = ("%-28s"):format(name)
  for _, value in ipairs(values) do line = line .. ("%10s"):format(format:format(value)) end
  print(line)
end
-- Both to so many decimals, as printed in the thesis.
local function compare(name, computed, published, decimals)
  local format = "%." .. decimals .. "f"
  row(name .. ", published", published, format)
  row("  computed", computed, decimals > 0 and "%.6f" or format)
  local same, found = true, {}
  for i, value in ipairs(published) do
    found[i] = format:format(computed[i])
    same = same and found[i] == format:format(value)
  end
  claim { source = petek.source .. ", Table " .. name:match "^[%d.]+", says = name:gsub("^[%d.]+ ", ""), holds = same,
          found = table.concat(found, " "), verdict = "reproduces" }
end
local synchronous, smart, sinusoidal = result[1], result[4], result[5]
local first, first_power = sweeps.power_at(synchronous, 25)
local second, second_power = sweeps.power_at(synchronous, 45)
compare("3.2 runs of AMRS in round 1", sweeps.dealt_at(synchronous, 0), { 8, 4, 4, 2, 2 }, 0)
compare("3.3 NPP after round 1", first_power, { 0.8, 0.16, 0.4, 0.1, 0.2 }, 2)
compare("3.4 ENPR after round 1", first, { 0.44, 0.15, 0.22, 0.08, 0.11 }, 2)
compare("3.4 runs of round 2", sweeps.dealt_at(synchronous, 25), { 9, 3, 5, 2, 3 }, 0)
compare("3.5 NPP after round 2", second_power, { 0.75, 0.15, 0.38, 0.1, 0.2 }, 2)
compare("3.6 ENPR after round 2", second, { 0.46, 0.12, 0.23, 0.07, 0.12 }, 2)
local shares = {}
for i, enpr in ipairs(second) do shares[i] = math.ceil(20 * enpr - 1e-9) end
compare("3.6 shares in round 3", shares, { 10, 3, 5, 2, 3 }, 0)
compare("3.6 runs sent in round 3", sweeps.dealt_at(synchronous, 45), { 10, 3, 5, 0, 0 }, 0)
local enpr, npp = sweeps.power_at(smart, 12.5)
compare("3.7 NPP of SAMRA at 12.5 s", npp, { 0.8, 0.16, 0.4, 0.1, 0.2 }, 2)
compare("3.8 ENPR of SAMRA at 12.5 s", enpr, { 0.44, 0.15, 0.22, 0.08, 0.11 }, 2)
enpr, npp = sweeps.power_at(smart, 15)
compare("3.9 NPP of SAMRA at 15 s", npp, { 0.8, 0.16, 0.4, 0.1, 0.2 }, 2)
compare("3.10 ENPR of SAMRA at 15 s", enpr, { 0.46, 0.12, 0.23, 0.07, 0.12 }, 2)
compare("3.11 ENPR of SSSE at 25 s", sweeps.power_at(sinusoidal, 25), { 0.44, 0.15, 0.22, 0.08, 0.11 }, 2)

print "\nThe assumed case under ISSSE-AMRA: C copies B's package"
print(result[8]:packages())
print(result[8]:hosts())
sweeps.plot_hosts(result[8], { file = "assumed case", title = "issse_amra, assumed case" })
local hosts = result[8]:hosts()
claim { source = petek.source .. ", Figure 3.15", says = "C takes over B's package", verdict = "reproduces",
        holds = hosts[3].duplicate > 0 and hosts[2].redundant > 0,
        found = ("C copies for %g s, B works %g s in vain"):format(hosts[3].duplicate, hosts[2].redundant) }
-- By hand: from 35 s on C does B's two runs in 5 s; B, which began at 25 s, is stopped at 40 s.
expect(hosts[3].duplicate == 5 and hosts[2].redundant == 15, "duplicate 5 s, redundant 15 s")
