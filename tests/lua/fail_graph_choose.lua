-- expect: fail_graph_choose.lua:6: error: there is no machine
-- expect: in function (
-- expect: for task 2 on machine 1
schedule(list_schedule {
  choose = function(c, task, machine)
    error "there is no machine"
  end,
}, cost.graph { times = { { 1 }, { 2 } }, edges = {} })
