-- Minimum completion time (MCT), a mapper. Each task in turn goes to the machine that completes it first.
-- Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: the lowest machine.
return heuristic "lua_mct" {
  summary = "each task in turn to the machine that completes it first",
  source = "Braun et al. 2001",
  map = function(problem)
    for task = 1, problem:tasks() do
      local machine = problem:best_machine(task)
      if machine then problem:assign(task, machine) end
    end
  end,
}
