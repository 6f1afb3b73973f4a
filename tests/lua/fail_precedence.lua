-- expect: fail_precedence.lua:3: error: job 'b': unknown field 'after'
-- expect: note: tasks alone wait for each other: workload.tasks and workload.workflow
print(workload.jobs { { name = "a", time = 1 }, { name = "b", time = 1, after = { "a" } } })
