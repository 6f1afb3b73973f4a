-- Periodic tasks on one core. All numbers by hand.
-- expect: periodic ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

local function run(tasks, policy, more)
  return scenario { platform = platform { host "h" (more or {}) }, workload = workload.periodic(tasks) }:run { policy = policy, validate = true }
end

-- The declared jobs: in order of arrival; those that arrive together in order of the tasks.
local w = workload.periodic { { name = "a", period = 4, time = 2 }, { name = "b", period = 6, time = 3, deadline = 5, offset = 1 }, horizon = 12 }
same(#w, 3 + 2, "jobs")
local r = scenario { platform = platform { host "h" {} }, workload = w }:run { policy = "edf_preemptive" }
local arrivals, names, deadlines = {}, {}, {}
for i, job in ipairs(r:jobs()) do arrivals[i], names[i], deadlines[i] = job.arrival, job.name, job.deadline end
same(table.concat(arrivals, " "), "0 1 4 7 8", "arrivals")
same(table.concat(names, " "), "a.1 b.1 a.2 b.2 a.3", "names")
same(table.concat(deadlines, " "), "4 6 8 12 12", "deadlines")
same(r:jobs()[2].user, "b", "user")

-- Periods 4 and 6, times 2 and 3. By rates: a 0-2, b 2-4, a 4-6, b 6-7, late by 1; b 7-8, a 8-10, b 10-12. By deadline: a 0-2, b 2-5,
-- a 5-7, b 7-8, then a.3, whose deadline is that of b.2, waits: b goes on to 10, a 10-12.
local tasks = { { name = "a", period = 4, time = 2 }, { name = "b", period = 6, time = 3 }, horizon = 12 }
for policy, expected in pairs { rate_monotonic = { 2, 7, 6, 12, 10, missed = 1, preempted = 2 }, edf_preemptive = { 2, 5, 7, 10, 12, missed = 0, preempted = 0 } } do
  r = run(tasks, policy)
  for i, job in ipairs(r:jobs()) do same(job.finish, expected[i], ("finish of job %d, %s"):format(i, policy)) end
  same(r.missed, expected.missed, "missed, " .. policy)
  same(r.preempted, expected.preempted, "preempted, " .. policy)
  same(r.utilization, 1, "utilization, " .. policy)
end

-- Two cores: the two most urgent jobs run. a 0-2, b 0-3, c waits until 2 and is done at 6; a.2 4-6.
r = run({ { period = 4, time = 2 }, { period = 5, time = 3 }, { period = 8, time = 4 }, horizon = 5 }, "rate_monotonic", { cores = 2 })
for i, finish in ipairs { 2, 3, 6, 6 } do same(r:jobs()[i].finish, finish, "two cores, job " .. i) end

-- Two hosts: a job goes on where it has begun. At 1 c preempts a, on n.2; b is done at 2, but a waits for n.2 until 4.
r = scenario {
  platform = platform { cluster "n" { nodes = 2 } },
  workload = workload.jobs { { time = 5, deadline = 20 }, { time = 2, deadline = 10 }, { time = 3, deadline = 4, arrival = 1 } },
}:run { policy = "edf_preemptive", validate = true }
for i, finish in ipairs { 8, 2, 4 } do same(r:jobs()[i].finish, finish, "two hosts, job " .. i) end

-- Priorities of jobs that are not periodic.
r = scenario {
  platform = platform { host "h" { setup = 1 } },
  workload = workload.jobs { { time = 10, priority = 1 }, { time = 2, priority = 3, arrival = 3 }, { time = 2, priority = 2, arrival = 4 } },
}:run { policy = "rate_monotonic", validate = true }
for i, finish in ipairs { 11 + 3 + 3, 6, 9 } do same(r:jobs()[i].finish, finish, "priorities, job " .. i) end

-- An outage: what runs begins anew, and so does what is suspended.
local s = scenario {
  platform = platform { host "h" {} }, events = { outage { host = "h", from = 4, to = 5 } },
  workload = workload.jobs { { time = 10, deadline = 100 }, { time = 4, deadline = 50, arrival = 2 } },
}
r = s:run { policy = "edf_preemptive", validate = true }
for i, finish in ipairs { 19, 9 } do same(r:jobs()[i].finish, finish, "outage, job " .. i) end
local sim = s:start { policy = "edf_preemptive" }
for t = 1, 19, 3 do
  sim:run_until(t)
  same(sim:fork():run().fingerprint, r.fingerprint, "fork at " .. t)
end

-- Refusals.
refused("'period' is missing", function() workload.periodic { { time = 1 }, horizon = 5 } end)
refused("'horizon' is missing", function() workload.periodic { { period = 1, time = 1 } } end)
refused("workload.periodic: task 1: period must be > 0", function() workload.periodic { { period = 0, time = 1 }, horizon = 5 } end)
refused("unknown field 'periods'", function() workload.periodic { { periods = 4, time = 1 }, horizon = 5 } end)

print("periodic ok")
