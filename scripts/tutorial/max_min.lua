-- Max-min written in Lua as a key: the task whose best completion is latest comes first.
-- takes: a second
-- perigee run scripts/tutorial/max_min.lua

-- Ibarra and Kim, JACM 24(2), 1977. A heuristic that is given `pick` is a key: again and again the waiting task with the
-- largest one goes to the machine that completes it first. Since this key depends on nothing but the task's best
-- completion, it is `pure`: it is asked for again only when that has changed.
heuristic "my_max_min" {
  summary = "max_min, written in Lua",
  source = "Ibarra and Kim 1977; Braun et al. 2001",
  pure = true,
  pick = function(c, task) return c:best(task) end,
}

for _, class in ipairs { "hihi", "hilo", "lohi", "lolo" } do
  local m = etc.cv_based { tasks = 200, machines = 8, class = class }
  local mine, native = map("my_max_min", m), map("max_min", m)
  print(class, mine.makespan, mine.makespan == native.makespan)
end
