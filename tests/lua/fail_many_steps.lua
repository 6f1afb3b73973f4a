-- A transfer over several links whose bandwidth changes too often is an error, not one that never ends. By hand: 1.5 B/s on the
-- mean, in steps of 1 us; 20 B have gone after 10^7 steps at the most.
-- expect: fail_many_steps.lua:
-- expect: the transfer of file 'x' from t = 0 s on passes 10000000 steps of the bandwidth of its 2 links, by t =
-- test: thorough
scenario {
  platform = platform {
    router "r", link "first" { to = "r", bandwidth = 3 },
    cluster "c" { at = "r", link = { bandwidth = { values = { 1, 2 }, every = 1e-6 } } },
  },
  workload = workload.tasks { { time = 1, inputs = { file("x", "100 B") } } },
}:run { policy = "workqueue" }
