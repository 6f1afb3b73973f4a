-- Switching algorithm (SA), a mapper. Each task in turn by minimum completion time until the loads of the machines are even, then by
-- minimum execution time until they are uneven again. How even they are is the earliest ready time over the latest.
-- Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131. Ties: the lowest machine.
return heuristic "lua_switching" {
  summary = "each task in turn by mct until loads are even, then by met until they are not",
  source = "Maheswaran et al. 1999",
  parameters = { low = 0.6, high = 0.9 },                  -- shares, low <= high: back to mct at `low`, to met at `high`
  map = function(problem, args)
    if not (args.low >= 0 and args.low <= args.high and args.high <= 1) then
      error(("lua_switching: low and high must be from 0 to 1, and low at most high; got %.15g and %.15g"):format(args.low, args.high))
    end
    local by_completion = true
    for task = 1, problem:tasks() do
      local balance = cost.load_balance(problem)
      if by_completion then by_completion = balance < args.high else by_completion = balance <= args.low end
      local chosen, least = nil, math.huge
      for machine = 1, problem:machines() do
        local value = by_completion and problem:completion(task, machine) or problem:etc(task, machine)
        if problem:fits(task, machine) and value < least then chosen, least = machine, value end
      end
      if chosen then problem:assign(task, chosen) end
    end
  end,
}
