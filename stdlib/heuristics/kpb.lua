-- K-percent best (KPB), a mapper. Each task in turn goes to the machine that completes it first, among the k percent of the machines
-- that run it fastest. A slow machine that is free is kept for tasks that it suits.
-- Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131. Ties: the lowest machine.
return heuristic "lua_kpb" {
  summary = "each task in turn by completion, among the k percent of machines that run it fastest",
  source = "Maheswaran et al. 1999",
  parameters = { k = 20 },                                 -- % of all machines, > 0; at least one is looked at
  map = function(problem, args)
    if not (args.k > 0 and args.k <= 100) then error(("lua_kpb: k must be > 0 and at most 100, got %.15g"):format(args.k)) end
    local count = math.max(1, math.floor(args.k * problem:machines() / 100 + 1e-9))
    for task = 1, problem:tasks() do
      local able = {}
      for machine = 1, problem:machines() do
        if problem:fits(task, machine) then able[#able + 1] = machine end
      end
      table.sort(able, function(a, b) return problem:etc(task, a) < problem:etc(task, b) end)  -- stable: equal ones stay in order
      local first, soonest = nil, math.huge
      for i = 1, math.min(count, #able) do
        local machine, completion = able[i], problem:completion(task, able[i])
        if completion < soonest or completion == soonest and machine < first then first, soonest = machine, completion end
      end
      if first then problem:assign(task, first) end
    end
  end,
}
