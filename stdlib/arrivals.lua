-- Work that arrives at random, for studies of scheduling on line.
-- Source: the workload of Breitinger, Optimal Size of Job Pool for Initiating a Scheduling Event, 1999, Appendix B; matrices as of
-- Ali et al., Tamkang J. Science and Engineering 3(3), 2000.
local arrivals = {}

local fields = require "fields"

-- A list of the times of a Poisson process up to `horizon`, s: the first is 0, and `every` s are between two on average.
function arrivals.poisson(rng, every, horizon)
  if not (type(every) == "number" and type(horizon) == "number" and every > 0 and horizon / every <= 1e6) then
    error(("arrivals.poisson: at most a million arrivals, `every` > 0 s apart, until the horizon; got %s s until %s s")
          :format(tostring(every), tostring(horizon)), 2)
  end
  local times, t = {}, 0
  while t <= horizon do
    times[#times + 1] = t
    t = t + rng:exponential(every)
  end
  return times
end

local task_fields = {
  machines = fields.whole(1), every = fields.number(0), horizon = fields.number(0), mean = fields.number(0), task_cv = fields.number(0),
  machine_cv = fields.number(0), consistency = fields.one_of("inconsistent", "consistent", "semi_consistent"), whole = fields.any(),
  sd = fields.any(),
}

-- A workload of tasks for so many `machines`, which arrive as a Poisson process, `every` s on average until `horizon` s. Times have
-- the `mean` (1 s); `task_cv` (0.5) and `machine_cv` (0.1) are coefficients of variation between tasks and between the machines of a
-- task; `consistency` ("inconsistent") as of etc.cv_based. Declared times are `whole` multiples of a quantity where it is given, as
-- "1 ms". True ones have the standard deviation `sd` around them where it is given, and are the same otherwise.
-- Each seed of a run has its own tasks, whatever the policy.
function arrivals.tasks(given)
  local g = fields.check("tasks that arrive", given, task_fields,
                         { mean = 1, task_cv = 0.5, machine_cv = 0.1, consistency = "inconsistent" })
  for _, name in ipairs { "machines", "every", "horizon" } do
    if not g[name] then error(("tasks that arrive: '%s' is missing"):format(name), 2) end
  end
  return workload.etc(function(rng)
    local times = arrivals.poisson(rng:sub(1), g.every, g.horizon)
    local declared = etc.cv_based { tasks = #times, machines = g.machines, mean = g.mean, first = "tasks", whole = g.whole,
                                    task_cv = g.task_cv, machine_cv = g.machine_cv, consistency = g.consistency, rng = rng:sub(2) }
    return declared, { arrivals = times, times = g.sd and etc.gamma { mean = declared, sd = g.sd, rng = rng:sub(3) } or nil }
  end)
end

return arrivals
