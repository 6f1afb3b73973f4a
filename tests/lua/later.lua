-- An intervention in a simulation may be for later. A fresh one shows at once, without a step and without changing
-- anything. By hand: tasks of 100 s on three hosts, submitted at 0.
-- expect: state	up 2	down 1	queue 2
-- expect: hosts	down
-- expect: jobs	waiting	urgent
-- expect: why	urgent waits
-- expect: the same	true	true
-- expect: later is as then	true
-- expect: planned	b at 60.0	60.0
-- expect: changed	75.0
-- expect: asked	complete	120.0
-- expect: t = 5 s is over, it is t = 10 s; sim:back_to goes there
-- expect: fail: a at t = 20 s has been failed already
-- expect: recover: no outage covers a at t = 30 s
-- expect: leave: a at t = 40 s is not there
-- expect: change: a at t = 45 s is not there
-- expect: join: a is there and has never left, or is back already
-- expect: recover: a at t = 15 s comes before a planned recover, which then is impossible: no outage covers a at t = 20 s
-- expect: leave: c.2 at t = 8 s is not there
-- expect: leave: c at t = 4 s comes before a planned leave, which then is impossible: c.1 at t = 5 s is not there
-- expect: join: c.1 at t = 10 s is there and has never left, or is back already
-- expect: unknown field 'at_time'
-- expect: does not accept work of kind 'task'
local abc = platform { host "a" {}, host "b" {}, host "c" {} }
local s = scenario { platform = abc, workload = workload.tasks(3, function(i) return { name = "t" .. i, time = 100 } end) }
local straight, sim = s:start { policy = "workqueue" }, s:start { policy = "workqueue" }
for _, each in ipairs { straight, sim } do
  each:run_until(40)
  each:fail "b"
  each:submit { name = "urgent", time = 5 }
end
local before = sim:result().full_fingerprint
print("state", "up " .. sim.state.up, "down " .. sim.state.down, "queue " .. sim.state.queue)
print("hosts", sim:hosts()[2].state)
assert(not sim:is_up "b" and #sim:running_on "b" == 0 and #sim:running_on "a" == 1 and sim:now() == 40)
local names = {}
for _, row in ipairs(sim:queue()) do names[#names + 1] = row.name end
assert(table.concat(names, " ") == "t2 urgent")
print("jobs", sim:jobs()[4].state, sim:jobs()[4].name)
print("why", (tostring(sim:why "urgent"):match "^[^\n]* waits"))
assert(tostring(sim:why "urgent"):find "the next step tells 'workqueue' of what was just changed" and sim:why "t1".chosen == "a")
assert(sim:why_not("urgent", "b"):find "down")
-- Nothing of all that was a change, and a fork has the same to come.
local fork = sim:fork()
print("the same", sim:result().full_fingerprint == before, fork:run().full_fingerprint == straight:run().full_fingerprint)
assert(sim:run().full_fingerprint == straight:run().full_fingerprint)
assert(sim:back_to(40):run().full_fingerprint == straight:run().full_fingerprint)

-- Planned at 10 for later: the same as gone there and done then, as nothing else happens at these times.
local function life(now)
  local one = s:start { policy = "workqueue" }
  local function at(t, f) if now then f { at = t } else one:run_until(t) f() end end
  if now then one:run_until(10) end
  at(20, function(o) one:fail("b", o) end)
  at(30, function(o) one:submit({ { time = 7 }, { time = 8 } }, o) end)
  at(35, function(o) one:recover("b", o) end)
  at(50, function(o) one:leave("a", o) end)
  at(60, function(o) one:set_policy("fcfs", o) end)
  at(70, function(o) if o then one:change("c", { factor = 2, at = 70 }) else one:change("c", { factor = 2 }) end end)
  at(80, function(o) one:join("a", o) end)
  return one
end
local then_, planned = life(false), life(true)
assert(planned:now() == 10)
local jumped = planned:fork()
local function jobs_of(r)
  local text = {}
  for _, row in ipairs(r:jobs()) do text[#text + 1] = row.name .. row.start .. " " .. row.finish .. row.hosts end
  return table.concat(text, "\n")
end
local a, b = then_:run(), planned:run()
print("later is as then", jobs_of(a) == jobs_of(b) and a.policy == b.policy and b.policy == "fcfs")
assert(jumped:run_until(65):fork():run().full_fingerprint == b.full_fingerprint)
assert(jumped:back_to(55):run().full_fingerprint == b.full_fingerprint)
-- Before it was planned it is not planned.
assert(jumped:back_to(5):run().full_fingerprint == s:run { policy = "workqueue" }.full_fingerprint)

-- A run with nothing else to come waits for what is planned: the only host that can is back at 60.
local only = scenario { platform = abc, workload = workload.tasks { { times = { b = 10 } } } }:start { policy = "workqueue" }
only:fail "b"
only:recover("b", { at = "1 min" })
assert(only:quote { times = { b = 1 } }.finish == 71)
local r = only:run()
print("planned", "b at 60.0", r.makespan - 10)
-- Twice as fast from 50 on: 50 + 25.
local fast = scenario { platform = abc, workload = workload.tasks { { times = { a = 100 } } } }:start { policy = "workqueue" }
fast:change("a", { speed = 2, at = 50 })
print("changed", fast:run().makespan)
-- A policy that takes over may be the one that goes on.
policy "asleep" { decide = function() end }
local idle = scenario { platform = abc, workload = workload.tasks { { time = 20 } } }:start { policy = "asleep" }
idle:set_policy("workqueue", { at = 100 })
r = idle:run()
print("asked", r.status, r.makespan)

local function refused(f, ...)
  local _, message = pcall(f, ...)
  print(message)
end
local x = s:start { policy = "workqueue" }
x:run_until(10)
refused(x.fail, x, "a", { at = 5 })
x:fail("a", { at = 15 })
refused(x.fail, x, "a", { at = 20 })
x:recover("a", { at = 25 })
refused(x.recover, x, "a", { at = 30 })
x:leave("a", { at = 35 })
refused(x.leave, x, "a", { at = 40 })
refused(x.change, x, "a", { at = 45, speed = 2 })
refused(x.join, x, "a")
x:join("a", { at = 45 })
x:fail("a", { at = 50 })
refused(x.submit, x, { time = 1 }, { at_time = 50 })
refused(x.set_policy, x, "samra", { at = 50 })
assert(x:run().status == "complete")

-- Plans make sense whatever the order of the calls: each is looked at together with all that is to come.
local function plan() return s:start { policy = "workqueue" } end
local function twice(word, first)
  for _, order in ipairs { { 2, 3 }, { 3, 2 } } do
    local y = plan()
    if first then y[first](y, "a", { at = 1 }) end
    y[word](y, "a", { at = order[1] })
    local ok, message = pcall(y[word], y, "a", { at = order[2] })
    local planned = "^" .. word .. ": a at t = 2 s comes before a planned " .. word .. ", which then is impossible: .*a at t = 3 s"
    assert(not ok and (order[1] == 2 or message.message:find(planned)), tostring(message))
    assert(#y:planned() == (first and 2 or 1))
  end
end
twice "fail"
twice("recover", "fail")
twice "leave"
twice("join", "leave")
-- Between a fail and a recover there is room for another pair, from its end on; a cluster takes its hosts along.
local y = plan()
y:fail("a", { at = 10 }):recover("a", { at = 20 }):fail("a", { at = 30 }):recover("a", { at = 40 })
refused(y.recover, y, "a", { at = 15 })
local pair = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks { { time = 1 } } }
local z = pair:start { policy = "workqueue" }
z:leave("c.1", { at = 5 })
z:leave("c", { at = 7 })
refused(z.leave, z, "c.2", { at = 8 })
refused(z.leave, z, "c", { at = 4 })
z:join("c.1", { at = 6 })
z:join("c", { at = 9 })
assert(#z:planned() == 4 and z:run().status == "complete")
z = pair:start { policy = "workqueue" }
z:leave("c", { at = 1 }):join("c", { at = 9 })
refused(z.join, z, "c.1", { at = 10 })
z:join("c.1", { at = 5 })  -- what the cluster brings along then is there already
