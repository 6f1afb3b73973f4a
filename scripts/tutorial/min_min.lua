-- Min-min written in Lua as a whole mapper: the task that can be done first comes first.
-- takes: a second
-- perigee run scripts/tutorial/min_min.lua

-- Ibarra and Kim, JACM 24(2), 1977. A mapper that is given `map` decides everything itself: it assigns tasks one after
-- another, and `problem` keeps the books. Ties go to the lowest task, then to the lowest machine, as in the native one.
heuristic "my_min_min" {
  summary = "min_min, written in Lua",
  source = "Ibarra and Kim 1977",
  map = function(problem)
    local waiting = problem:waiting()                      -- the tasks that can run somewhere
    while true do
      local first, soonest = nil, math.huge
      for i, task in ipairs(waiting) do
        local best = problem:best(task)                    -- its earliest completion as machines are by now
        if best < soonest then first, soonest = i, best end
      end
      if not first then return end                         -- what is left can run nowhere any more
      local task = table.remove(waiting, first)
      problem:assign(task, problem:best_machine(task))
    end
  end,
}

-- The same decisions as the native one: on matrices ...
for _, consistency in ipairs { "inconsistent", "semi_consistent", "consistent" } do
  local m = etc.range_based { tasks = 100, machines = 8, consistency = consistency }
  local mine, native = map("my_min_min", m), map("min_min", m)
  print(consistency, mine.makespan, mine.makespan == native.makespan)
end

-- ... and in a simulation, where it maps what waits at each event.
local s = scenario {
  platform = platform { cluster "slow" { nodes = 3 }, cluster "fast" { nodes = 2, speed = 4 } },
  workload = workload.tasks(80, function(i, rng) return { ops = rng:lognormal(60, 40), arrival = 4 * i } end),
}
print(s:compare { mapped { map = "my_min_min" }, mapped { map = "min_min" }, "workqueue",
                  metrics = { "makespan", "mean_response" } })
