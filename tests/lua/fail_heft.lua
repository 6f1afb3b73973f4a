-- expect: fail_heft.lua:3: error: mapped: map: unknown mapper 'heft'; there are
-- expect: note: precedence between tasks, and schedulers of task graphs, are not modelled (docs/model.md, at its end)
print(mapped "heft")
