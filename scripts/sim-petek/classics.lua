-- Schedulers of the literature: on the worked example of Sim-PETEK (2010), and with data that is sent.
-- takes: a moment
-- perigee run scripts/sim-petek/classics.lua
--   --set runs=2000     size of the load

local runs = setting("runs", 2000)

-- The five hosts of Table 3.1, 60 runs of ten trials, nothing to send.
local example = scenario {
  platform = platform {
    host "A" { cores = 8 }, host "B" { cores = 4 }, host "C" { cores = 4 },
    host "D" { cores = 2, slots = 1 }, host "E" { cores = 2, slots = 1 },
  },
  workload = workload.sweep { runs = 60, trials = 10, times = { 1, 2.5, 1, 1, 0.5 } },
}
print "The worked example, 60 runs"
for _, each in ipairs {
  { static_round_robin {}, 120 }, { workqueue { order = "cores" }, 52.5 }, { workqueue { chunk = 4, order = "cores" }, 50 },
  { factoring {}, 60 }, { weighted_factoring {} }, { adaptive_factoring {} }, { fractiling {} },
  { two_phase {} }, { calibrated {}, 50 }, { calibrated { single = true }, 55 },
} do
  local policy, by_hand = table.unpack(each)
  local makespan = example:run { policy = policy }.makespan
  print(("  %-44s %6.1f s"):format(tostring(policy), makespan))
  if by_hand then expect(makespan == by_hand, ("%s: %g s by hand"):format(policy, by_hand)) end
end

-- Ten equal workers behind one port, at different latencies. Work is a second a run, a twentieth to send.
local function star(latency)
  return scenario {
    platform = platform { cluster "w" { nodes = 10, setup = 0.3, link = { bandwidth = 20, latency = latency } } },
    workload = workload.sweep { runs = runs, time = 1, bytes = 1 },
  }
end
print "\nTen workers: makespan, s, by latency of a transfer"
local policies = { umr {}, mrrs {}, rumr {}, multi_installment { installments = 3 }, multi_installment { installments = 8 }, factoring {} }
local rows = {}
for _, latency in ipairs { 0, 0.1, 0.5, 1, 2 } do
  local line, best = ("  %4.1f s"):format(latency), math.huge
  for _, policy in ipairs(policies) do
    local makespan = star(latency):run { policy = policy }.makespan
    rows[#rows + 1] = { latency = latency, policy = tostring(policy), makespan = makespan }
    line = line .. ("  %s %.1f"):format(policy, makespan)
  end
  print(line)
end
plot(rows, { x = "latency", y = "makespan", by = "policy", file = "latency", title = "makespan by latency" })

-- The makespan that UMR predicts for each number of rounds; its minimum is the number that it takes.
local workers = {}
for i = 1, 10 do workers[i] = { speed = 1, rate = 20, send_latency = 0.1, start_latency = 0.3 } end
local curve, least = {}, nil
for rounds = 1, 12 do
  local ok, plan = pcall(cost.umr, { load = 1000, workers = workers, rounds = rounds })
  if ok then
    curve[#curve + 1] = { rounds = rounds, makespan = plan.makespan }
    if not least or plan.makespan < least.makespan then least = plan end
  end
end
plot(curve, { x = "rounds", y = "makespan", file = "rounds", title = "UMR: makespan by number of rounds" })
expect(least.rounds == 7 and math.abs(least.makespan - 104.15512) < 5e-6, "7 rounds, 104.15512 s")
local demand, static = example:run { policy = "workqueue" }.makespan, example:run { policy = "static_round_robin" }.makespan
claim { source = "found here", says = "on the five nodes of the example of Sim-PETEK dealing runs in turn takes longer than dealing them on " ..
       "demand", verdict = "reproduces",
        holds = demand < static, found = ("%g s in turn, %g s on demand"):format(static, demand) }
