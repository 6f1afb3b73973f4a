-- Min-min, a mapper by a key. The waiting task that can be complete first goes first, to the machine that completes it.
-- Source: Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: the lowest task, then the lowest machine.
--
-- `pick` is a key: the loop around it is native. The key depends on nothing but the best completion of the task, therefore it is
-- `pure`, and is asked for again only where that has changed.
return heuristic "lua_min_min" {
  summary = "the task with the earliest best completion first",
  source = "Ibarra and Kim 1977; Braun et al. 2001",
  smallest = true,
  pure = true,
  pick = function(c, task) return c:best(task) end,
}
