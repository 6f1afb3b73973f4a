-- A day in the life of a small cluster, under four schedulers.
-- takes: a second
-- perigee run scripts/quickstart.lua              try `--seed 2`, or `--set tasks_per_hour=60`

-- Three kinds of machines. Speeds are in operations a second, with or without a unit.
local lab = platform {
  cluster "old"  { nodes = 6, speed = "1 Gop/s" },
  cluster "desk" { nodes = 4, speed = "2 Gop/s", availability = 0.5 },   -- half of each is taken by its owner
  cluster "new"  { nodes = 4, speed = "3 Gop/s", cores = 2 },
}

-- Independent tasks, few at night and many at noon: a Poisson process at the rate of the busiest hour, thinned to
-- that of the hour at hand. Run times are log-normal: most are short, some are long. `rng` is the run's own random
-- stream, so all schedulers get the same day, and each seed another one.
local busiest = setting("tasks_per_hour", 45) / 3600
local function share(t) return 0.55 - 0.45 * math.cos(2 * math.pi * t / 86400) end

local t
local day = workload.tasks(setting("tasks", 500), function(i, rng)
  if i == 1 then t = 0 end
  repeat t = t + rng:exponential(1 / busiest) until rng:bernoulli(share(t))
  return { arrival = t, ops = rng:lognormal(3e12, 4e12) }
end)

-- One of the fast machines is away around noon.
local s = scenario {
  platform = lab,
  workload = day,
  events = { outage { host = "new.1", from = "11 h", to = "13 h" } },
}

-- Who waits least? The best value of each column has a star.
print(s:compare { "workqueue", "fcfs", mapped { map = "mct" }, mapped { map = "min_min" } })

-- One of them, hour by hour.
local r = s:run { policy = mapped { map = "min_min" } }
print(("\n%s: last task done after %.1f h, cores busy %.0f %% of the time\n"):format(
  r.policy, r.makespan / 3600, 100 * r.utilization))
r:gantt()
