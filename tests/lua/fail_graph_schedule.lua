-- expect: heuristic 'half': schedule left task 2 without a machine; it must place all that can run
-- expect: in heuristic 'half', schedule of 2 tasks on 1 machines
heuristic "half" { schedule = function(c) c:place(1, 1) end }
scenario {
  platform = platform { host "P" {} },
  workload = workload.tasks { { time = 1 }, { time = 2, after = { 1 } } },
}:run { policy = scheduled "half" }
