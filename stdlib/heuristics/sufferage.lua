-- Sufferage, a mapper by a key. The waiting task that loses most if it gets its second-best machine goes first. The loss of a task
-- that only one machine can run is infinite.
-- Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131, here one task at a time. Ties: the lowest task, then the lowest machine.
return heuristic "lua_sufferage" {
  summary = "the task that loses most by its second-best machine first",
  source = "Maheswaran et al. 1999",
  pure = true,
  pick = function(c, task) return c:second(task) - c:best(task) end,
}
