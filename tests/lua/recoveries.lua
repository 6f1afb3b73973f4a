-- A recovery ends one outage: the one begun by hand, else one of the scenario, which then is over for good. Reservations
-- stay, and each outage ends for itself.
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good, "taken: " .. text)
  assert(tostring(message):find(text, 1, true), message)
end
local function scene(events, rule)
  return scenario { platform = platform { cluster "c" { nodes = 2 } },
    workload = workload.tasks { { name = "x", time = 100 } }, events = events,
    on_failure = { compute = rule or "resumed" } }
end
local function right(r)
  local wrong = r:validate()
  assert(#wrong == 0, wrong[1])
  return r
end

-- A reservation is no outage: neither a recovery by hand nor a process ends it.
local reserved = scene({ reserve { hosts = { "c.1", "c.2" }, from = 10, to = 50 } }):start { policy = "workqueue" }
reserved:run_until(20)
refused("no outage covers c.1; it is reserved", reserved.recover, reserved, "c.1")
reserved:fail "c.1"
reserved:run_until(30)
reserved:recover "c.1"
reserved:run_until(40)
assert(reserved:hosts()[1].state == "down")
assert(right(reserved:run()).makespan == 140)  -- 10 s, then 90 s from t = 50 s on
refused("it is reserved", function()
  scene({ reserve { hosts = { "c.1", "c.2" }, from = 10, to = 50 },
    process(function(sim) sim:wait(20) sim:recover "c.1" end) }):run { policy = "workqueue" }
end)

-- An outage that was ended early does not end another one at its declared end.
local early = scene { outage { cluster = "c", from = 10, to = 50 } }:start { policy = "workqueue" }
early:run_until(20)
early:recover "c"
early:run_until(40)
early:fail "c"
early:run_until(60)
assert(early:hosts()[1].state == "down")
early:recover "c"
assert(right(early:run()).makespan == 130)  -- away in [10, 20) and [40, 60)

-- A drawn failure ended by hand: its repair ends nothing else. The host stays down until it recovers.
local drawn = scene({ failures { all = true, mtbf = 30, mttr = 1000 } }, "restarted"):start { policy = "workqueue", seed = 3 }
repeat drawn:step() until drawn:hosts()[1].state == "down"
local failed_at = drawn:now()
drawn:recover "c.1"
drawn:step()
assert(drawn:hosts()[1].state == "up", "at " .. failed_at)
right(drawn:result())

-- The order of two outages of different lengths does not matter; the shorter one is over for itself.
local function away(events)
  local r = right(scene(events):run { policy = "workqueue" })
  return r.makespan - 100
end
assert(away { outage { cluster = "c", from = 10, to = 60 }, outage { cluster = "c", from = 20, to = 30 } } == 50)
assert(away { outage { cluster = "c", from = 20, to = 30 }, outage { cluster = "c", from = 10, to = 60 } } == 50)

-- A host that fails and recovers in one instant begins its work anew.
local anew = scene({}, "restarted"):start { policy = "workqueue" }
anew:run_until(20)
for _, host in ipairs { "c.1", "c.2" } do anew:fail(host):recover(host) end
assert(right(anew:run()).makespan == 120)

-- Two outages begin in one instant, and the policy knows of the second one only: what it starts between waits.
for _, rule in ipairs { "lost", "resumed", "restarted" } do
  local sim = scenario { platform = platform { cluster "c" { nodes = 1 } }, workload = workload.tasks { { time = 10 } },
    on_failure = { compute = rule } }:start { policy = "workqueue" }
  sim:run_until(15)
  sim:fail("c.1", { announced = false }):step()
  sim:submit { time = 10 }
  sim:step()
  sim:fail "c"
  sim:run_until(30)
  sim:recover("c"):recover "c.1"
  assert(right(sim:run()).makespan == 40)
end

-- A host that recovers from the outage of its cluster and fails for itself stays down when the cluster recovers.
local own = scene {}:start { policy = "workqueue" }
own:fail("c"):fail("c.2", { at = 3 })
own:run_until(2)
own:recover "c.2"
own:run_until(5)
own:recover "c"
own:run_until(6)
assert(own:hosts()[1].state == "up" and own:hosts()[2].state == "down")
own:recover "c.2"
right(own:run())

-- Several outages of one instant: the last of them is silent, and a reservation that comes during it is told.
local instant = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks { { time = 5 } },
  events = { reserve { host = "c.2", from = 6, to = 10 } } }:start { policy = "workqueue" }
instant:run_until(1)
instant:fail("c"):recover("c"):fail("c", { announced = false }):recover("c", { at = 20 })
right(instant:run())
