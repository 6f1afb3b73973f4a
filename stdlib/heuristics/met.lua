-- Minimum execution time (MET), a mapper. Each task in turn goes to the machine that runs it fastest. Loads do not count, so that a
-- machine which is the fastest for all gets all.
-- Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: the lowest machine.
return heuristic "lua_met" {
  summary = "each task in turn to the machine with its smallest expected time",
  source = "Braun et al. 2001",
  map = function(problem)
    for task = 1, problem:tasks() do
      local fastest, least = nil, math.huge
      for machine = 1, problem:machines() do
        local time = problem:etc(task, machine)
        if problem:fits(task, machine) and time < least then fastest, least = machine, time end
      end
      if fastest then problem:assign(task, fastest) end
    end
  end,
}
