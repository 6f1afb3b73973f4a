-- The fields of a cluster are the defaults of the hosts that it lists.
-- expect: listed hosts
local function finish(cluster_fields, host_fields, task)
  cluster_fields[1] = host "h" (host_fields)
  return scenario { platform = platform { cluster "c" (cluster_fields) }, workload = workload.tasks { task } }
    :run { policy = "workqueue" }.end_time
end
assert(finish({ speed = 4 }, {}, { ops = 20 }) == 5)
assert(finish({ speed = 4 }, { speed = 2 }, { ops = 20 }) == 10)
assert(finish({ speed = 4 }, { speed = 1 }, { ops = 20 }) == 20)   -- named, though it is the default of a host
assert(finish({ setup = 3 }, {}, { ops = 20 }) == 23)
assert(finish({ availability = 0.5 }, { setup = 1 }, { ops = 20 }) == 41)
assert(finish({ architecture = "epyc" }, {}, { time = { epyc = 7 } }) == 7)
assert(finish({ architecture = "epyc" }, { architecture = "athlon" }, { time = { athlon = 9 } }) == 9)
local p = platform { cluster "c" { cores = 8, host "a" {}, host "b" { cores = 2 }, host "c" { cores = 1 } } }
assert(p:total_cores() == 11)
local one_at_a_time = scenario {
  platform = platform { cluster "c" { cores = 4, exclusive = true, host "h" {} } },
  workload = workload.jobs { { cores = 1, time = 10 }, { cores = 1, time = 10 } },
}
assert(one_at_a_time:run { policy = "fcfs" }.end_time == 20)
print("listed hosts")
