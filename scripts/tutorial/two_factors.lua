-- A study of two factors with confidence intervals: which way of mapping tasks suits which load?
-- takes: seconds
-- perigee run scripts/tutorial/two_factors.lua --out results      kill it, and give the same command again
-- test: --set replications=5

-- Ten machines of three kinds; together they do 20 operations a second.
local machines = platform {
  cluster "slow" { nodes = 4, speed = 1 },
  cluster "fair" { nodes = 4, speed = 2 },
  cluster "fast" { nodes = 2, speed = 4 },
}

-- Independent tasks that come at random. `load` is the share of all machines that they keep busy in the long run. Each
-- replication draws its own tasks, and every mapper gets the same ones.
local mean_ops, tasks = 60, setting("tasks", 400)
local function day(load)
  local span = tasks * mean_ops / (load * 20)              -- seconds in which that much work arrives
  return scenario {
    platform = machines,
    workload = workload.tasks(tasks, function(i, rng)
      return { ops = rng:lognormal(mean_ops, 60), arrival = rng:uniform(0, span) }
    end),
  }
end

local e = experiment "two_factors" {
  factors = {                                              -- 3 x 4 combinations, in this order
    { "load", { 0.5, 0.7, 0.9 } },
    { "policy", { mapped { map = "mct" }, mapped { map = "min_min" }, mapped { map = "max_min" },
                  mapped { map = "sufferage" } } },
  },
  replications = setting("replications", 20),              -- of each, with seeds of their own
  run = function(f) return day(f.load):run { policy = f.policy } end,
  measure = { "mean_response", "max_response", "utilization" },
}

-- Means with the half-width of their 95 % confidence intervals: do they overlap?
print(e:table("mean_response", "max_response"))

-- Sharper, for the mappers had the same tasks: the differences within each replication.
print("\nmean response against mct, s")
print(e:compare("mean_response", { factor = "policy", baseline = mapped { map = "mct" } }))

-- The figure: in the terminal, and with --out as results/two_factors.svg with the numbers behind it.
e:table("mean_response"):plot { x = "load", y = "mean_response", by = "policy", file = "two_factors",
                                title = "Four mappers under load" }

-- A claim: what somebody has said, whether it holds here, and what we have found about it.
local holds, found = true, {}
for _, row in ipairs(e:compare("mean_response", { factor = "policy", baseline = mapped { map = "min_min" } })) do
  if row.policy == "mapped { map = sufferage }" then
    holds = holds and row.verdict == "lower"
    found[#found + 1] = ("%.1f s at load %g"):format(row.difference, row.load)
  end
end
claim { source = "Maheswaran et al. 1999, section 5", says = "sufferage does better than min-min", holds = holds,
        found = table.concat(found, ", "), verdict = "reproduces" }
