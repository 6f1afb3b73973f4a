-- Looking at a run never changes it, beyond its end either; there it can be gone on with. By hand: the task for a alone is lost
-- when a leaves at 1, and only b fails and is repaired from then on.
-- expect: looked	incomplete	1.0
-- expect: at t = 500 s, incomplete at t = 1 s
-- expect: repaired	complete	205.0
-- expect: drained	complete	4.0	true
-- expect: asked	true	9.0
-- expect: reopened	complete	10.0
-- expect: the outage	complete	25.0
local s = scenario {
  platform = platform { host "a" {}, host "b" {} }, workload = workload.tasks { { times = { a = 5 } } },
  events = { leave { host = "a", at = 1 }, failures { hosts = { "b" }, mtbf = 20, mttr = 5 } },
}
local straight = s:run { policy = "workqueue" }
local function same(r) return r.full_fingerprint == straight.full_fingerprint and r.end_time == straight.end_time end
local sim
for _, times in ipairs { { 2 }, { 0.5, 1, 1.5 }, { 150 }, { 3, 700, 5000 } } do
  sim = s:start { policy = "workqueue" }
  for _, t in ipairs(times) do
    sim:run_until(t)
    assert(sim:now() == t and same(sim:fork():run()))
  end
  local r = sim:run()
  assert(same(r) and r:resources()[2].down == straight:resources()[2].down)
end
print("looked", straight.status, straight.end_time)
-- While somebody looks, b goes down and comes back.
sim = s:start { policy = "workqueue" }
local seen = {}
for t = 1, 500 do sim:run_until(t) seen[sim:is_up "b"] = true end
assert(seen[true] and seen[false] and same(sim:result()))
print(sim)
assert(same(sim:back_to(0.5):run()) and same(sim:back_to(1):run()))
-- What happens to it there is no longer a look. The way to 200 has been gone, drawn failures included.
sim:run_until(200)
sim:join "a"
local r = sim:run()
print("repaired", r.status, r.makespan)
local fork = sim:fork():back_to(200.5)
assert(fork:run().full_fingerprint == r.full_fingerprint)

-- A drained simulation: its work is done at 4; at 5 it can be asked, and given more.
local head = scenario {
  platform = platform { cluster "c" { nodes = 1, link = { bandwidth = "1 B/s" } } },
  workload = workload.loads { { size = 1, bytes = 1, time = 3, deadline = 30 } },
}
sim = head:start { policy = "fast_edf_iit" }
r = sim:run()
print("drained", r.status, r.makespan, sim:over())
sim:run_until(5)
-- 1 s to send it, 3 s to compute it.
local q = sim:quote { size = 1, bytes = 1, time = 3, deadline = 30 }
print("asked", q.admitted, q.finish)
assert(sim:over() and sim:result().full_fingerprint == r.full_fingerprint)
sim:run_until(6)
sim:submit { size = 1, bytes = 1, time = 3, deadline = 30 }
assert(not sim:over() and sim:status() == "running")
r = sim:run()
print("reopened", r.status, r.makespan)
-- What the scenario says goes on after the work: the host is down from 10 to 20.
sim = scenario {
  platform = platform { host "h" {} }, workload = workload.tasks { { time = 4 } }, events = { outage { host = "h", from = 10, to = 20 } },
}:start { policy = "fcfs" }
sim:run_until(15)
assert(sim:result().end_time == 4 and not sim:is_up "h")
sim:submit { time = 5 }
r = sim:run()
print("the outage", r.status, r.makespan)
-- A policy for what is drained already ends at once; so does a failure.
sim:set_policy "workqueue"
assert(sim:run().status == "complete" and sim:now() == 25)
sim:fail "h"
assert(sim:run().status == "complete" and sim:now() == 25)
