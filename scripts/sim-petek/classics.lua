-- Schedulers of the literature that Sim-PETEK (2010, sections 2.4 and 2.5) surveys: on its example, and where sending takes time.
-- takes: seconds
-- perigee run scripts/sim-petek/classics.lua --out results
--   --set runs=1000 --set hosts=10 --set rate=20    runs a second over the one port of the coordinator

local petek = require "petek"
local s = petek.chapter3()
print "hosts of chapter 3, 60 runs"
-- By hand from the rules: static 120 s, workqueue 52.5 and 50 s, factoring 60 s.
local by_hand = { [tostring(static_round_robin {})] = 120, [tostring(factoring {})] = 60 }
for _, policy in ipairs { static_round_robin {}, factoring {}, weighted_factoring {}, adaptive_factoring {}, fractiling {},
                          two_phase {}, two_phase { mode = "continue" }, calibrated {}, issse_amra { peak = 1, k = 3, m = 2.3 } } do
  local r = s:run { policy = policy }
  print(("  %-44s %8.2f s  %3d packages  spread %6.2f s"):format(tostring(policy), r.makespan, r.packages, r.finish_spread))
  local expected = by_hand[tostring(policy)]
  if expected then expect(math.abs(r.makespan - expected) < 1e-9, ("%s: %g s"):format(tostring(policy), expected)) end
end

-- Equal hosts behind one port, a latency for each transfer and one for each package.
local runs, hosts, rate = setting("runs", 1000), setting("hosts", 10), setting("rate", 20)
local function behind_port(latency)
  return scenario {
    platform = platform { cluster "c" { nodes = hosts, setup = 3 * latency, link = { bandwidth = rate, latency = latency } } },
    workload = workload.sweep { runs = runs, time = 1, bytes = 1 },
  }
end
local function workers(latency)
  local all = {}
  for i = 1, hosts do all[i] = { speed = 1, rate = rate, send_latency = latency, start_latency = 3 * latency } end
  return all
end
local rows = {}
print(("\n%d runs of 1 s on %d hosts, %g runs/s through the port: makespan, s"):format(runs, hosts, rate))
print(("%-10s %18s %10s %10s %10s %14s"):format("latency, s", "multi_installment", "umr", "rumr", "factoring", "umr predicted"))
for _, latency in ipairs { 0, 0.05, 0.1, 0.2, 0.4, 0.8 } do
  local line = ("%-10g"):format(latency)
  for _, each in ipairs { { multi_installment { installments = 4 }, "multi_installment", 18 }, { umr {}, "umr", 10 },
                          { rumr {}, "rumr", 10 }, { factoring {}, "factoring", 10 } } do
    local makespan = behind_port(latency):run { policy = each[1] }.makespan
    rows[#rows + 1] = { latency = latency, makespan = makespan, policy = each[2] }
    line = line .. (" %" .. each[3] .. ".2f"):format(makespan)
  end
  print(line .. (" %14.2f"):format(cost.umr { load = runs, workers = workers(latency) }.makespan))
end
plot(rows, { x = "latency", y = "makespan", by = "policy", x_unit = "s", y_unit = "s", file = "makespan over latency" })

local curve, best = {}, nil
for rounds = 1, 20 do
  local ok, plan = pcall(cost.umr, { load = runs, workers = workers(0.1), rounds = rounds })
  if ok then
    curve[#curve + 1] = { rounds = rounds, makespan = plan.makespan }
    if not best or plan.makespan < best.makespan then best = curve[#curve] end
  end
end
plot(curve, { x = "rounds", y = "makespan", y_unit = "s", title = "UMR, latency 0.1 s", kind = "points", file = "rounds of UMR" })
print(("UMR: %d rounds are best, %.5f s"):format(best.rounds, best.makespan))
-- From the closed form of Yang and Casanova, with 1000 units, 10 workers, rate 20, latencies 0.1 and 0.3 s.
if runs == 1000 and hosts == 10 and rate == 20 then
  expect(best.rounds == 7 and math.abs(best.makespan - 104.15512) < 1e-5, "7 rounds, 104.15512 s")
end
