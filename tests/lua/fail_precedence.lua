-- expect: fail_precedence.lua:3: error: task 'b': unknown field 'after'
-- expect: note: precedence between works is not modelled (docs/model.md, at its end)
workload.tasks { { name = "a", time = 1 }, { name = "b", time = 2, after = "a" } }
