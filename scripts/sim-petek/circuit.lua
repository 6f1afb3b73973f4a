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

local function table_of(load)
  local m = measured(load)
  return ("%.2f A, %.2f V, %.3f W"):format(m.current, m.out, m.power)
end
local at_50, at_25 = table_of(50), table_of(25)
claim { statement = "S0-9", verdict = "reproduces", holds = at_50 == "0.12 A, 6.00 V, 0.720 W", found = at_50,
        note = "the voltage of the generator is not printed; 15 V follow from the printed current and the resistances of 75 and 50 ohms, so that " ..
               "voltage and power are tested here" }
claim { statement = "S0-10", verdict = "reproduces", holds = at_25 == "0.15 A, 3.75 V, 0.562 W",
        found = ("%s (%.4f W, cut to three decimals)"):format(at_25, measured(25).power) }
local steps, monotone = 0, 0
for i = 2, #points do
  local smaller, larger = measured(points[i - 1].load), measured(points[i].load)
  steps = steps + 1
  if smaller.current > larger.current and smaller.out < larger.out then monotone = monotone + 1 end
end
claim { statement = "S0-11", verdict = "reproduces", holds = monotone == steps,
        found = ("a smaller load has the higher current and the lower voltage in %d of %d steps from 5 to 100 ohms"):format(monotone, steps) }
-- By hand, power is greatest where the load is the internal resistance, 75 ohms: 0.75 W.
local most = 1
for i, point in ipairs(points) do if measured(point.load).power > measured(points[most].load).power then most = i end end
claim { statement = "S0-12", verdict = "reproduces",
        holds = #points == 20 and points[1].load == 5 and points[20].load == 100 and points[most].load == 75
                and math.abs(measured(75).power - 0.75) < 1e-12,
        found = ("%d values from %g to %g ohms; the power is greatest at %g ohms, %.3f W"):format(#points, points[1].load, points[#points].load,
                points[most].load, measured(points[most].load).power),
        note = "the curves of Figure 2.2 are not legible in the text; those drawn here follow from Ohm's law" }
