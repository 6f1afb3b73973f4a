-- The toy sweep of Sim-PETEK (2010, section 2.1): a circuit under different loads, Tables 2.1 and 2.2 and Figure 2.2.
-- takes: a moment
-- perigee run scripts/sim-petek/circuit.lua

local petek = require "petek"

-- A generator with an internal resistance of 75 ohms. Its voltage is not stated; 0.12 A through 75 + 50 ohms are 15 V.
local voltage, internal = 15, 75
local function measured(load)
  local current = voltage / (internal + load)
  return { current = current, out = current * load, power = current ^ 2 * load }
end

-- The sweep: 20 steps, each a run.
local points = workload.grid { { "load", from = 5, step = 5, count = 20 } }
local r = scenario { platform = platform { cluster "c" { nodes = 4 } }, workload = workload.sweep { points = points, time = 1 } }
          :run { policy = amra { rounds = 3 } }
print(("%d runs in %d packages, %g s"):format(#points, r.package_count, r.makespan))

local rows = {}
print "load, ohm  current, A  \"out\", V  power, W"
for _, point in ipairs(points) do
  local m = measured(point.load)
  print(("%9d  %10.4f  %8.4f  %8.4f"):format(point.load, m.current, m.out, m.power))
  for _, each in ipairs { { "current, A", m.current }, { "voltage, V", m.out }, { "power, W", m.power } } do
    rows[#rows + 1] = { load = point.load, what = each[1], value = each[2] }
  end
end
plot(rows, { x = "load", y = "value", by = "what", x_label = "load (ohm)", y_label = "", file = "circuit" })

for _, published in ipairs { { "Table 2.1", 50, "0.12", "6.00", "0.720" }, { "Table 2.2", 25, "0.15", "3.75", "0.562" } } do
  local name, load, current, out, power = table.unpack(published)
  local m = measured(load)
  local found = ("%.2f A, %.2f V, %.3f W"):format(m.current, m.out, m.power)
  local wanted = ("%s A, %s V, %s W"):format(current, out, power)
  claim { source = petek.source .. ", " .. name, says = ("a load of %d ohms has %s"):format(load, wanted), holds = found == wanted,
          found = found, verdict = "reproduces" }
end
-- Figure 2.2: by hand, power is greatest where the load is the internal resistance, 75 ohms: 0.75 W.
expect(math.abs(measured(75).power - 0.75) < 1e-12 and measured(70).power < 0.75 and measured(80).power < 0.75, "the most power")
