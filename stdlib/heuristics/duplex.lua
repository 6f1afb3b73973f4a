-- Duplex, a mapper. Both min-min and max-min map all tasks, and the mapping with the smaller makespan counts.
-- Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. Ties: min-min.
return heuristic "lua_duplex" {
  summary = "the better of min_min and max_min by makespan",
  source = "Braun et al. 2001",
  map = function(problem)
    local one, other = map("min_min", problem), map("max_min", problem)
    return other.makespan < one.makespan and other or one
  end,
}
