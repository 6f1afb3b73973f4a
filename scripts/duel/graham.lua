-- Graham's anomalies: a list scheduler that becomes slower by a host more, shorter tasks, fewer edges, or another list.
-- takes: a moment
-- perigee run duel/graham     the five runs of his example, with their charts

local source = "Graham 1969"
local times, after = { 3, 2, 2, 2, 4, 4, 4, 4, 9 }, { [5] = { 4 }, [6] = { 4 }, [7] = { 4 }, [8] = { 4 }, [9] = { 1 } }

-- A list scheduler: a host that is idle takes the first task of the list that waits for no other. Tasks are declared in the order of the
-- list, in which none is before one that it waits for; so the list is the topological order of lowest numbers.
local by_list = dispatch { order = "topological", among = "idle" }

local function example(changed)
  local hosts, tasks = {}, {}
  for i = 1, changed.hosts or 3 do hosts[i] = host("h" .. i) {} end
  for i, number in ipairs(changed.list or { 1, 2, 3, 4, 5, 6, 7, 8, 9 }) do
    local waits = {}
    for _, other in ipairs(after[number] or {}) do
      if not (changed.without and changed.without[number]) then waits[#waits + 1] = "task " .. other end
    end
    tasks[i] = { name = "task " .. number, time = times[number] - (changed.shorter or 0), after = waits }
  end
  return scenario { platform = platform(hosts), workload = workload.workflow { tasks = tasks } }
end

local rows = {
  { {}, 12, "nine tasks on three hosts, in the order of their numbers" },
  { { hosts = 4 }, 15, "with four hosts" },
  { { shorter = 1 }, 13, "with all times less 1" },
  { { without = { [5] = true, [6] = true } }, 16, "without the edges from 4 to 5 and from 4 to 6" },
  { { list = { 1, 2, 4, 5, 6, 3, 9, 7, 8 } }, 14, "with the list 1 2 4 5 6 3 9 7 8" },
}
for i, row in ipairs(rows) do
  local s = example(row[1])
  local r = s:run { policy = by_list, validate = true }
  print(("%s: %g s"):format(row[3], r.makespan))
  r:gantt()
  claim { source = source, says = "a list scheduler's makespan, " .. row[3], value = r.makespan, published = row[2], verdict = "reproduces" }
  -- Fewer edges, shorter tasks and more hosts cannot make the best schedule longer.
  local best = s:run { policy = scheduled "optimal", validate = true }.makespan
  expect(best <= 12, ("the least makespan is %g s"):format(best))
  -- 1 + (m - 1) / m' bounds what the change may cost.
  local bound = 1 + (3 - 1) / (row[1].hosts or 3)
  expect(r.makespan <= bound * 12, ("%g s is within %g of 12 s"):format(r.makespan, bound))
end
