-- The calibrated task farm of Sim-PETEK (2010, section 2.5.3): its three calibrations, on hosts with known availability and latency.
-- takes: a moment
-- perigee run scripts/sim-petek/calibrated.lua
--   --set runs=60

local petek = require "petek"

-- The hosts of chapter 3. The numbers were computed from equations 2.1 to 2.6 by hand.
local s = petek.chapter3()
local farm = cost.calibrate { times = { 2, 7.5, 3, 10, 5 }, left = 55 }
print "hosts of chapter 3, a run each: A 2 s, B 7.5 s, C 3 s, D 10 s, E 5 s"
print(("k = %.6f, coefficient of variation %.6f"):format(farm.k, farm.cv))
for i, name in ipairs { "A", "B", "C", "D", "E" } do print(("  %s  F %.6f  alpha %d"):format(name, farm.fitness[i], farm.packages[i])) end
local several, single = s:run { policy = calibrated {} }, s:run { policy = calibrated { single = true } }
several:gantt(72)
print(("%g s in installments, %g s in a single one"):format(several.makespan, single.makespan))
expect(several.makespan == 50 and single.makespan == 55, "50 s and 55 s")
expect(table.concat(farm.packages, " ") == "10 3 7 2 4", table.concat(farm.packages, " "))

-- Hosts of one kind whose processors and links others use, too: a share of the processor, and a latency.
local runs = setting("runs", 60)
local availability, latency = { 1, 0.9, 0.7, 0.5, 0.4 }, { 0.1, 0.5, 0.2, 1, 0.3 }
local hosts, times = {}, {}
for i = 1, 5 do
  local name = "n" .. i
  hosts[i] = host(name) { cores = 4, availability = availability[i], setup = latency[i],
                          link = { bandwidth = "1 GB/s", latency = latency[i], name = name .. ".link" } }
  times[i] = math.ceil(20 / 4) / availability[i] + latency[i]
end
local shared = scenario { platform = platform(hosts), workload = workload.sweep { runs = runs, trials = 20, time = 1 } }
print "\nshared hosts: measured time of a run, and what each calibration makes of it"
print(("%-14s %10s %10s %10s %10s %10s %8s %12s"):format("", "n1", "n2", "n3", "n4", "n5", "k", "makespan, s"))
local function line(name, values, format, rest)
  local text = ("%-14s"):format(name)
  for _, value in ipairs(values) do text = text .. (" %10s"):format(format:format(value)) end
  print(text .. (rest or ""))
end
line("availability", availability, "%.1f")
line("latency, s", latency, "%.1f")
line("a run, s", times, "%.4f")
for _, mode in ipairs { "times", "univariate", "multivariate" } do
  local found = cost.calibrate { times = times, left = runs - 5, mode = mode,
                                 availability = mode ~= "times" and availability or nil,
                                 latency = mode == "multivariate" and latency or nil }
  local r = shared:run { policy = calibrated { mode = mode } }
  line(mode .. ": t", found.fitted, "%.4f")
  line("  F", found.fitness, "%.4f")
  line("  alpha", found.packages, "%.0f", (" %8.4f %12.2f"):format(found.k, r.makespan))
  local sum = 0
  for _, f in ipairs(found.fitness) do sum = sum + f end
  expect(math.abs(sum - 1) < 1e-12, "the indices add up to 1")
  for _, note in ipairs(r:notes()) do  -- the run's own calibration is that of the formula
    if note.name == "calibration" then
      for i = 1, 5 do expect(math.abs(note[1 + 3 * i] - found.fitness[i]) < 1e-9, mode .. ": the same indices") end
    end
  end
end

-- The availability that a calibration is told is an input of its own, beside what the load then does. By hand, a run of ten
-- simulations: 2 s of A at half the speed, 5 s and 2.5 s at half the speed on B, 3 s of C, 10 s of D, 5 s at half the speed on E.
local loaded = petek.chapter3_nodes()
for i, share in ipairs { 0.9, 0.8, 0.6, 0.7, 1 } do loaded[i].share = share end
loaded[1].background, loaded[2].speeds, loaded[5].background = { 40, 30, 0.5 }, { { 5, 0.5 } }, { 40, 40, 0.5 }
local wanted = cost.calibrate { times = { 4, 10, 3, 10, 10 }, left = 55, mode = "univariate", availability = { 0.9, 0.8, 0.6, 0.7, 1 } }
for _, note in ipairs(petek.scenario(loaded, { runs = 60, trials = 10 }):run { policy = calibrated { mode = "univariate" } }:notes()) do
  if note.name == "calibration" then
    for i = 1, 5 do expect(math.abs(note[1 + 3 * i] - wanted.fitness[i]) < 1e-9, "a load, and a share: the same indices") end
    print(("\nloaded hosts: k = %.6f, by hand %.6f"):format(note[1], wanted.k))
  end
end
