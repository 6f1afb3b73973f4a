-- Each seed has its own jobs, and every setting of the advisor gets the same ones: when they arrive, what is declared of
-- them, and what they take on a machine. The same seed gives the same run; a job more at the end changes none before it.
-- expect: 12 settings, 2 seeds
local expect = require "modules.expect"

local function scenario_until(horizon)
  return scenario {
    platform = platform { cluster "m" { nodes = 3 } },
    workload = workload.etc(function(rng)
      local arriving, arrivals, t = rng:sub(1), {}, 0
      while t <= horizon do
        arrivals[#arrivals + 1] = t
        t = t + arriving:exponential(0.4)
      end
      local declared = etc.cv_based { tasks = #arrivals, machines = 3, mean = 1, task_cv = 0.5, machine_cv = 0.1, first = "tasks",
                                      whole = "1 ms", rng = rng:sub(2) }
      return declared, { arrivals = arrivals, times = etc.gamma { mean = declared, sd = "5 ms", rng = rng:sub(3) } }
    end),
  }
end
local s, settings = scenario_until(40), 0
local known = {}
for seed = 1, 2 do
  known[seed] = {}
  for _, size in ipairs { 1, 5, 17 } do
    for _, given in ipairs { { map = "max_min" }, { map = "olb", ready = "zero" }, { map = "mct", cost = 0.1 }, { map = "met", reschedule = true } } do
      settings = settings + 1
      given.size = size
      local run = { policy = grouped(given), seed = seed, information = "declared" }
      local r = s:run(run)
      expect.same(s:run(run).full_fingerprint, r.full_fingerprint, "the same run")
      for i, job in ipairs(r:jobs()) do
        local first = known[seed][i] or { arrival = job.arrival, requested = job.requested, run = {} }
        known[seed][i] = first
        expect.same(job.arrival, first.arrival, "arrival")
        expect.same(job.requested, first.requested, "declared time")
        first.run[job.hosts] = first.run[job.hosts] or job.run
        -- A difference of two times: equal up to their last digits.
        assert(math.abs(job.run - first.run[job.hosts]) < 1e-12 * (1 + job.finish), "true time")
      end
    end
  end
  for i, job in ipairs(scenario_until(60):run({ policy = "grouped", seed = seed }):jobs()) do
    if known[seed][i] then expect.same(job.arrival, known[seed][i].arrival, "arrival with a later horizon") end
  end
end
assert(known[1][2].arrival ~= known[2][2].arrival)
print(("%d settings, %d seeds"):format(settings // 2, #known))
