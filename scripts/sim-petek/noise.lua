-- Groups 1 and 3 of Sim-PETEK (2010) with noisy simulations: means and 95 % intervals over 10 seeds.
-- takes: seconds
-- perigee run scripts/sim-petek/noise.lua --out results
--   --set cv=0.1 --set seeds=10 --set trials=20 --set runs=400

local petek = require "petek"
local cv, seeds, trials, runs = setting("cv", 0.1), setting("seeds", 10), setting("trials", 20), setting("runs", 400)

local sine = { peak = 2, k = 15, m = 10.5 }
local cluster = petek.cluster()
local first = experiment "group 1, noisy" {
  factors = { { "policy", { amrs { rounds = 15 }, amra { rounds = 15 }, samra { rounds = 15 }, ssse_amra(sine), issse_amra(sine) } } },
  replications = seeds,
  run = function(f)
    return petek.case(cluster, trials, petek.velocities[1][runs][1], nil, { noise = cv }):run { policy = f.policy }
  end,
  measure = { "makespan", "finish_spread", "efficiency" },
}
print(("group 1, %s, cv = %g"):format(petek.label(trials, runs), cv))
print(first:table("makespan", "finish_spread"))
print()
print(first:compare("makespan", { factor = "policy", baseline = amra { rounds = 15 } }))
first:table("makespan"):plot { x = "policy", y = "makespan", y_unit = "s", file = "noise, group 1", text = false }

local loaded = petek.loaded_cluster()
local third = experiment "group 3, noisy" {
  factors = { { "scheduler", { "ssse_amra", "issse_amra" } }, { "adaptive", { false, true } } },
  replications = seeds,
  run = function(f)
    local policy = (f.scheduler == "ssse_amra" and ssse_amra or issse_amra) { peak = 2, k = 15, m = 10.5, adaptive = f.adaptive }
    local vx, vy = table.unpack(petek.velocities[3][runs])
    return petek.case(loaded, trials, vx, vy, { noise = cv }):run { policy = policy }
  end,
  measure = { "makespan", "finish_spread" },
}
print(("\ngroup 3, %s, cv = %g"):format(petek.label(trials, runs), cv))
print(third:table("makespan", "finish_spread"))
print()
print(third:compare("makespan", { factor = "adaptive", baseline = false }))
