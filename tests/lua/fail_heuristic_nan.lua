-- expect: in heuristic 'broken', pick for task 1 of 2
heuristic "broken" { pick = function(c, task) return c:best(task) / 0 - math.huge end }
map("broken", etc { { 1, 2 }, { 3, 4 } })
