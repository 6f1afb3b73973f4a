-- XSufferage, a mapper on the Gantt chart of a grid. The task goes first that loses most if it gets its second-best cluster. Files that a
-- cluster has already draw the tasks that read them there.
-- Source: Casanova, Legrand, Zagorodnov and Berman, HCW 2000, pp. 349-363. Ties: the lowest task, then the lowest machine.
return heuristic "lua_xsufferage" {
  summary = "the task first that loses most by its second-best cluster",
  source = "Casanova et al., HCW 2000, pp. 349-363",
  pure = true,
  pick = function(c, task)
    local bests = c:cluster_bests(task)                    -- its earliest completion in each cluster, ascending
    return bests[2] and bests[2] - bests[1] or 0
  end,
}
