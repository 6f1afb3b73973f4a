-- Max-min, a mapper by a key. The waiting task whose best completion is latest goes first, to the machine of that completion. A few
-- long tasks are then under way while the short ones fill what is left.
-- Source: Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: the lowest task, then the lowest machine.
return heuristic "lua_max_min" {
  summary = "the task with the latest best completion first",
  source = "Ibarra and Kim 1977; Braun et al. 2001",
  pure = true,
  pick = function(c, task) return c:best(task) end,
}
