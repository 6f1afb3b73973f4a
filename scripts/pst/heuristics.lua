-- The heuristics of Casanova, Zagorodnov, Berman and Legrand (1999) written in Lua, on the planner's Gantt chart: each
-- gives the schedule of the native one, in every start and end. They are here to be copied and changed.
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/heuristics.lua
--   --set size=BYTES    of a shared file of Figure 11 (4800 KB)
local figure11 = require "figure11_scenario"
local source = "LIP RR 1999-46, section 5.6.3 and Appendix C"

-- A key: of the tasks that wait the one with the largest goes first, to the machine that completes it first. `pure = true`
-- says that it depends on the task's completions alone, so that it is asked for again only when these have changed.
heuristic "my_min_min" { source = source, smallest = true, pure = true, pick = function(c, task) return c:best(task) end }
heuristic "my_max_min" { source = source, pure = true, pick = function(c, task) return c:best(task) end }

-- The time that a task loses by its second-best machine; nothing where there is only one.
heuristic "my_sufferage" {
  source = source,
  pure = true,
  pick = function(c, task)
    local second = c:second(task)
    return second < math.huge and second - c:best(task) or 0
  end,
}

-- Its completions in the clusters, ascending, have a first large step: how high it is ...
heuristic "my_extended_sufferage" {
  source = source,
  pure = true,
  pick = function(c, task) return (c:first_jump(task)) end,
}

-- ... and how many clusters are before it. A second number decides between equals: the largest goes first.
heuristic "my_sufferage_2" {
  source = source,
  smallest = true,
  pure = true,
  pick = function(c, task)
    local height, clusters = c:first_jump(task)
    return clusters, height
  end,
}

-- The time that a task loses by its second-best cluster.
heuristic "my_xsufferage" {
  source = "Casanova, Legrand, Zagorodnov and Berman, HCW 2000",
  pure = true,
  pick = function(c, task)
    local bests = c:cluster_bests(task)
    return bests[2] and bests[2] - bests[1] or 0
  end,
}

-- The whole choice in place of a key: which task goes next, and where; nothing ends the plan. Times that differ by less
-- than 1e-9, relative, are equal, and of equals the first task goes first.
local function less(a, b) return a < b - 1e-9 * math.max(1, math.abs(b)) end

heuristic "chosen_min_min" {
  source = source,
  choose = function(c)
    local first, soonest
    for _, task in ipairs(c:waiting()) do
      local best = c:best(task)
      if not first or less(best, soonest) then first, soonest = task, best end
    end
    if first then return first, c:best_machine(first) end
  end,
}

local s = figure11.scenario(setting("size", 4800e3), 1)
print("copy                   makespan, s  schedule of the native one")
for _, pair in ipairs {
  { "my_min_min", "min_min" }, { "my_max_min", "max_min" }, { "my_sufferage", "sufferage" },
  { "my_extended_sufferage", "extended_sufferage" }, { "my_sufferage_2", "sufferage_2" },
  { "my_xsufferage", "xsufferage" }, { "chosen_min_min", "min_min" },
} do
  local mine, native = s:run { policy = planner { map = pair[1] } }, s:run { policy = planner { map = pair[2] } }
  print(("%-22s %11.1f  %s"):format(pair[1], mine.makespan, mine.fingerprint == native.fingerprint and "yes" or "NO"))
  expect(mine.fingerprint == native.fingerprint, pair[1] .. " plans as " .. pair[2])
end
