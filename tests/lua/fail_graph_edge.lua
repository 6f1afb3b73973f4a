-- An edge that leads nowhere is shown at the line of the edges.
-- expect: fail_graph_edge.lua:5: error: graph.matrix: edges[3]: a task must be
local g = graph.matrix {
  times = { { 1 }, { 2 }, { 3 } },
  edges = {
    { 1, 2, "1 MB" },
    { 2, 3 },
    { 3, 4 },
  },
}
