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
print("preemption ok")
