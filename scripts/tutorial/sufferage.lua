-- Sufferage written in Lua, as a key and, in Maheswaran's passes, as a whole mapper.
-- takes: a second
-- perigee run scripts/tutorial/sufferage.lua

-- One task at a time: the one that loses most by its second-best machine. The loss is +inf with a single machine.
heuristic "my_sufferage" {
  summary = "sufferage, written in Lua",
  source = "Maheswaran et al. 1999",
  pure = true,
  pick = function(c, task) return c:second(task) - c:best(task) end,
}

-- Maheswaran et al., JPDC 59(2), 1999: in a pass machines stand still. Each task in turn claims its best machine and
-- takes it from a task that suffers less; who holds a machine at the end of the pass gets it, the others try again.
heuristic "my_sufferage_passes" {
  summary = "sufferage in passes, written in Lua",
  source = "Maheswaran et al. 1999",
  map = function(problem)
    local waiting = problem:waiting()
    while #waiting > 0 do
      local holder, loss = {}, {}
      for _, task in ipairs(waiting) do
        local best, second, machine = problem:two_best(task)
        loss[task] = second - best
        local rival = holder[machine]
        if not rival or loss[rival] < loss[task] then holder[machine] = task end
      end
      for machine = 1, problem:machines() do
        if holder[machine] then problem:assign(holder[machine], machine) end
      end
      waiting = problem:waiting()
    end
  end,
}

for _, class in ipairs { "hihi", "hilo", "lohi", "lolo" } do
  local m = etc.range_based { tasks = 200, machines = 8, class = class }
  print(class, map("my_sufferage", m).makespan == map("sufferage", m).makespan,
        map("my_sufferage_passes", m).makespan == map(sufferage { form = "passes" }, m).makespan)
end
