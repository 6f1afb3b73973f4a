-- Opportunistic load balancing (OLB), a mapper. Each task in turn goes to the machine that is ready first. Times do not count, so
-- that machines are busy and tasks may be where they take long.
-- Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: the lowest machine.
return heuristic "lua_olb" {
  summary = "each task in turn to the feasible machine that is ready first",
  source = "Braun et al. 2001",
  map = function(problem)
    for task = 1, problem:tasks() do
      local first, soonest = nil, math.huge
      for machine = 1, problem:machines() do
        local ready = problem:free(machine)[problem:width(task)]   -- so many of its cores are free then
        if problem:fits(task, machine) and ready < soonest then first, soonest = machine, ready end
      end
      if first then problem:assign(task, first) end
    end
  end,
}
