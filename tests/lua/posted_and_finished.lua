-- An activity posted for a work does not start any more once the work is finished; data without bytes.
-- expect: all is well
local two = platform { cluster "c" { nodes = 2, link = { bandwidth = 10 } } }

-- A load of 10 B that takes 10 s: sent by 1 s, computed by 11 s. The second chunk, the hold and what waits for the chunk would
-- start at 20 s.
policy "too_much" {
  accepts = { "loads" },
  arrived = function(self, sim, loads)
    local load = loads[1]
    sim:post(load, 1, { after = sim:chunk(load, 1) })
    sim:chunk(load, 2, { not_before = 20 })
    sim:hold { hosts = { 2 }, work = load, from = 20, to = 25 }
  end,
}
local loads = scenario { platform = two, workload = workload.loads { { size = 10, time = 1, bytes = 1 }, { size = 1, time = 1, arrival = 99 } } }
local r = loads:run { policy = "too_much", validate = true, horizon = 50 }
expect(r.finished == 1 and r.makespan == 11, "finished at 11 s")
expect(r.bytes_moved == 10, "the second chunk was not sent")
expect(r["utilization.held"] == 11 / 100, "host 1 was used for 11 s, host 2 not held")

-- An output is posted home from two clusters; it exists in the second one only when it has come home from the first one.
policy "home_twice" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim, tasks)
    sim:start(tasks[1], 1)
  end,
  computed = function(self, sim)
    sim:transfer(1, 1)
    sim:transfer(1, 2)
  end,
}
local made = scenario {
  platform = platform { cluster "a" { nodes = 1, link = { bandwidth = 10 } }, cluster "b" { nodes = 1, link = { bandwidth = 10 } } },
  workload = workload.tasks { { time = 5, output = 50 } },
}
r = made:run { policy = "home_twice", validate = true }
expect(r.bytes_out == 50 and r.status == "complete", "once home")

-- Runs whose data has no bytes need not wait for it.
policy "no_bytes" {
  accepts = { "sweeps" },
  arrived = function(self, sim, sweeps)
    sim:chunk(sweeps[1], 1)
    sim:start(sweeps[1], 1)
  end,
}
local s = scenario { platform = two, workload = workload.sweep { runs = 3, time = 2 } }
expect(s:run { policy = "no_bytes", validate = true }.makespan == 6, "3 runs of 2 s")
print "all is well"
