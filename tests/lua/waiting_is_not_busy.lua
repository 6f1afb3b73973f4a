-- expect: away
-- A computation that waits for its host to come back is not busy meanwhile, and a chart shows the host as away.
for _, rule in ipairs { "resumed", "restarted" } do
  for _, announced in ipairs { true, false } do
    local r = scenario { platform = platform { cluster "c" { nodes = 2 } },
      workload = workload.tasks { { time = 100 }, { time = 60 } }, on_failure = { compute = rule },
      events = { outage { host = "c.1", from = 20, to = 70, announced = announced } } }:run { policy = "workqueue" }
    -- c.1 computes in [0, 20) and from 70 s on, c.2 in [0, 60).
    local finish = rule == "resumed" and 150 or 170
    assert(r.makespan == finish)
    local busy = finish - 50 + 60
    assert(r.busy_time == busy)
    assert(math.abs(r.utilization - busy / (2 * finish)) < 1e-12)
    assert(math.abs(r["utilization.up"] - busy / (2 * finish - 50)) < 1e-12)
    assert(r:hosts()[1].useful == finish - 50 and r:hosts()[1].idle == 50)
    local resources = r:resources()
    assert(resources[1].busy == finish - 50 and resources[1].down == 50)
    if not announced then r:gantt(60) end
  end
end
