-- Jobs of higher tiers preempt others under easy and backfill. All numbers by hand.
-- expect: preemption ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

local function on(hosts, jobs, more)
  local declared = { platform = platform { type(hosts) == "number" and cluster "n" { nodes = hosts } or hosts }, workload = workload.jobs(jobs),
                     qos = { qos "one" { tier = 2 }, qos "two" { tier = 3 } } }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end
local function check(what, s, policy, expected)
  local r = s:run { policy = policy, validate = true }
  for i, row in ipairs(expected) do
    for key, value in pairs(row) do same(r:jobs()[i][key], value, ("%s of job %d, %s, under %s"):format(key, i, what, tostring(policy))) end
  end
  local sim = s:start { policy = policy }
  for t = 2, 26, 4 do
    sim:run_until(t)
    same(sim:fork():run().fingerprint, r.fingerprint, ("fork at %d, %s"):format(t, what))
  end
  return r
end
local function each(how, more)
  local given = { preempt = how }
  for key, value in pairs(more or {}) do given[key] = value end
  return { easy(given), backfill(given) }
end

-- Four hosts; the third job has the higher tier.
local dumps = { interval = 100, cost = 1 }
local function four(checkpoint)
  return on(4, {
    { nodes = 2, time = 20, checkpoint = checkpoint }, { nodes = 2, time = 10, arrival = 1, checkpoint = checkpoint },
    { nodes = 3, time = 4, arrival = 5, qos = "one" }, { time = 3, arrival = 6 } })
end
for _, policy in ipairs(each "suspend") do
  local r = check("suspend", four(), policy, { { finish = 24 }, { finish = 15 }, { start = 5, finish = 9, hosts = "n.1 n.2 n.3" }, { start = 15 } })
  same(r.preempted, 2, "preempted")
  same(r.suspended_time, 8, "suspended")
end
for _, policy in ipairs(each "requeue") do
  local r = check("requeue", four(), policy, { { finish = 29 }, { finish = 19 }, { start = 5, finish = 9 }, { start = 6, finish = 9 } })
  same(r.requeued, 2, "requeued")
end
-- Their dumps are whole at 6. Nobody takes the cores meanwhile that the first leaves.
for _, policy in ipairs(each "checkpoint") do
  check("checkpoint", four(dumps), policy, { { finish = 25 }, { finish = 16 }, { start = 6, finish = 10 }, { start = 6, finish = 9 } })
  check("without checkpoints", four(), policy, { { finish = 29 }, { finish = 19 }, { start = 5, finish = 9 }, { start = 6, finish = 9 } })
end
for _, policy in ipairs(each "off") do
  check("off", four(), policy, { { finish = 20 }, { finish = 11 }, { start = 20 } })
end

-- The youngest is a victim first, but the other one alone suffices: it is spared.
local spared = { { nodes = 2, time = 20 }, { time = 10, arrival = 1 }, { nodes = 3, time = 4, arrival = 5, qos = "one" } }
for _, policy in ipairs(each "suspend") do
  check("spared", on(4, spared), policy, { { finish = 24, suspended = 4 }, { finish = 11, suspended = 0 }, { start = 5, hosts = "n.1 n.2 n.4" } })
end
-- Who has run for less than ten seconds is left alone. At 11 the second is done, and the first has run for eleven.
for _, policy in ipairs(each("suspend", { exempt = 10 })) do
  check("exempt", four(), policy, { { finish = 24 }, { finish = 11 }, { start = 11, finish = 15 } })
end
-- A lower tier preempts nobody, nor does the same one.
for _, policy in ipairs(each "suspend") do
  check("the same tier", on(1, { { time = 10, qos = "one" }, { time = 1, arrival = 1, qos = "one" } }), policy, { { finish = 10 }, { start = 10 } })
  check("two tiers up", on(1, { { time = 10 }, { time = 4, arrival = 1, qos = "one" }, { time = 1, arrival = 2, qos = "two" } }), policy,
        { { finish = 15 }, { finish = 6 }, { start = 2 } })
end
-- Suspended jobs keep their memory, so that there is nothing to be had by it; those that wait again give it back.
local full = on(cluster "n" { nodes = 1, memory = 100 }, { { time = 10, memory = 60 }, { time = 2, arrival = 3, memory = 60, qos = "one" } })
for _, policy in ipairs(each "suspend") do check("memory", full, policy, { { finish = 10, }, { start = 10 } }) end
for _, policy in ipairs(each "requeue") do check("memory", full, policy, { { finish = 15 }, { start = 3 } }) end

-- A victim goes on for its grace. One that is over by then is none, and it is spared where there is room elsewhere before.
local graced = { { time = 20 }, { time = 10, arrival = 5, qos = "one" } }
for _, policy in ipairs(each("suspend", { grace = 2 })) do
  check("grace", on(1, graced), policy, { { finish = 30 }, { start = 7, finish = 17 } })
  check("over in its grace", on(1, { { time = 6 }, graced[2] }), policy, { { finish = 6 }, { start = 6 } })
  check("room elsewhere", on(2, { { time = 20 }, { time = 6, qos = "one" }, graced[2] }), policy, { { finish = 20 }, { finish = 6 }, { start = 6, hosts = "n.1" } })
  -- the cores that the victim is about to leave are nobody else's
  check("promised", on(2, { { time = 20 }, { time = 20, qos = "one" }, graced[2], { time = 1, arrival = 6 } }), policy,
        { { finish = 30 }, { finish = 20 }, { start = 7, finish = 17 }, { start = 20 } })
end
for _, policy in ipairs(each("requeue", { grace = 2 })) do
  check("grace", on(1, graced), policy, { { start = 17, finish = 37 }, { start = 7 } })
end
for _, policy in ipairs(each("checkpoint", { grace = 2 })) do
  check("a dump is its grace", on(1, { { time = 20, checkpoint = dumps }, graced[2] }), policy, { { finish = 31 }, { start = 6 } })
  check("grace", on(1, graced), policy, { { finish = 37 }, { start = 7 } })
end
-- One victim writes its dump until 10, the other one has its grace until 7: who preempts them starts at 10, and the dump holds 5 s.
local slow_dump = { interval = 100, cost = 5 }
for _, policy in ipairs(each("checkpoint", { grace = 2 })) do
  check("a dump longer than the grace",
        on(2, { { time = 20, checkpoint = slow_dump }, { time = 20 }, { nodes = 2, time = 10, arrival = 5, qos = "one" } }), policy,
        { { finish = 35 }, { start = 20, finish = 40 }, { start = 10, finish = 20 } })
end
-- A function chooses who gives way: the long one, to what takes a tenth of its time.
local function much_longer(sim, work, works)
  local may = {}
  for _, other in ipairs(works) do
    if sim:estimate(other, 1) >= 10 * sim:estimate(work, 1) then may[#may + 1] = other end
  end
  return may
end
local long = { { time = 100 }, { time = 5, arrival = 10 }, { time = 20, arrival = 12 } }
for _, policy in ipairs(each("suspend", { victims = much_longer })) do
  check("much longer", on(1, long), policy, { { finish = 105 }, { start = 10, finish = 15 }, { start = 105 } })
end
for _, policy in ipairs(each("suspend", { victims = much_longer, grace = 2 })) do
  check("much longer", on(1, long), policy, { { finish = 105 }, { start = 12, finish = 17 }, { start = 105 } })
end
do
  local r = on(1, { { name = "slow", time = 20 }, { name = "urgent", time = 10, arrival = 5, qos = "one" } }):run { policy = easy { preempt = "requeue" } }
  assert(tostring(r:why("urgent")):find("it preempts slow", 1, true), tostring(r:why("urgent")))
  assert(tostring(r:why("slow")):find("it was preempted by urgent at t = 5 s", 1, true), tostring(r:why("slow")))
end
-- In the order of the function the oldest gives way first.
local function oldest(sim, work, works) table.sort(works) return works end
for _, policy in ipairs(each("suspend", { victims = oldest })) do
  check("the oldest", on(2, { { time = 20 }, { time = 20, arrival = 1 }, { time = 2, arrival = 5, qos = "one" } }), policy, { { finish = 22 }, { finish = 21 }, { start = 5, hosts = "n.1" } })
end
local function answers(what) return function() on(1, long):run { policy = easy { preempt = "suspend", victims = function() return what end } } end end
refused("must return a list of works, got 5", answers(5))
refused("returned job 2, which is none of the works that it was given", answers { 2 })
refused("returned job 1 twice", answers { 1, 1 })

refused("preempt does not go with admission", function() easy { preempt = "suspend", admission = "promised" } end)
refused("requeue", function() easy { preempt = "requeued" } end)

-- Another way of preemption takes over while a job is suspended.
for _, way in ipairs { easy { preempt = "requeue" }, easy { preempt = "checkpoint" }, backfill { preempt = "requeue" } } do
  for _, before in ipairs { easy { preempt = "suspend" }, gang { slice = 3 } } do
    local sim = scenario { platform = platform { host "h" {} },
                           workload = workload.jobs { { name = "a", time = 20 }, { name = "u", time = 10, arrival = 5, qos = "urgent" } },
                           qos = { qos "urgent" { tier = 2 } } }:start { policy = before }
    sim:set_policy(way, { at = 8 })
    assert(sim:run().status == "complete", tostring(way))
  end
end
-- With a policy that knows nothing of suspension, what is suspended waits again.
for _, other in ipairs { "fcfs", "easy", "conservative", "backfill", "sjf", "mapped { map = 'min_min' }" } do
  if other:find("{") then other = mapped { map = "min_min" } end
  local sim = scenario { platform = platform { host "h" {} },
                         workload = workload.jobs { { time = 20 }, { time = 10, arrival = 5, qos = "urgent" } }, qos = { qos "urgent" { tier = 2 } } }
    :start { policy = easy { preempt = "suspend" } }
  sim:set_policy(other, { at = 8 })
  local r = sim:run()
  same(r.status, "complete", "under " .. tostring(other))
  same(r:jobs()[1].start, 15, "it begins anew under " .. tostring(other))
  same(r.requeued, 1, "requeued")
  same(#r:validate(), 0, "valid")
end
print("preemption ok")
