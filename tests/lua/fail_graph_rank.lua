-- expect: fail_graph_rank.lua:5: error: attempt to perform arithmetic on a nil value
-- expect: in heuristic 'broken', rank for task 1 of 3
heuristic "broken" {
  rank = function(c, task)
    return c:bytes(task, 3) + c:upward_rank(task)
  end,
}
schedule("broken", cost.graph { times = { { 1 }, { 2 }, { 3 } }, edges = { { 1, 2, 5 } } })
