-- expect: users react
-- Users who submit the next job so long after the last one has ended. Times by hand.
local users = require "users"
local function same(got, expected, what)
  assert(got == expected, ("%s: expected %s, got %s"):format(what, expected, got))
end
local function refused(text, f)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), ("expected '%s', got '%s'"):format(text, message))
end

local jobs = {
  { name = "a1", user = "ada", time = 10, think = 5 }, { name = "b1", user = "bob", time = 4 },
  { name = "a2", user = "ada", time = 3, think = "2 s" }, { name = "b2", user = "bob", time = 20, limit = 6, think = 1 },
  { name = "b3", user = "bob", time = 1, cores = 9, think = 2 }, { name = "b4", user = "bob", time = 1, think = 3 },
}
local s = scenario { platform = platform { host "h" {} }, workload = workload.jobs {}, events = users.react(jobs) }
-- One core. b1 0 to 4; a1 comes at 5; b2 comes at 5 too, behind it: 15 to 21, killed; a2 comes at 17: 21 to 24. b3 comes at 23, too wide: rejected
-- at once; b4 comes at 26.
local expected = { b1 = { 0, 0 }, a1 = { 5, 5 }, b2 = { 5, 15 }, a2 = { 17, 21 }, b3 = { 23 }, b4 = { 26, 26 } }
local r = s:run { policy = "easy", validate = true }
same(#r:jobs(), 6, "jobs")
for _, job in ipairs(r:jobs()) do
  same(job.arrival, expected[job.name][1], job.name .. " arrives")
  if expected[job.name][2] then same(job.start, expected[job.name][2], job.name .. " starts") else same(job.state, "rejected", job.name) end
end
same(r.status, "complete", "status")
same(s:run { policy = "easy" }.fingerprint, r.fingerprint, "again")

-- A fork goes on alike.
local sim = s:start { policy = "easy" }
for t = 1, 26 do
  sim:run_until(t)
  same(sim:fork():run().fingerprint, r.fingerprint, "forked at " .. t)
end

-- Who is served sooner submits sooner: a closed system.
local function closed(policy)
  local list = {}
  for i = 1, 60 do list[i] = { user = "u" .. i % 6, time = 10 + i % 7 * 10, nodes = 1 + i % 3, think = 5 } end
  return scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.jobs {}, events = users.react(list) }
    :run { policy = policy, validate = true }
end
assert(closed "easy".makespan < closed "fcfs".makespan)

refused("job 1 has no user", function() users.react { { time = 1 } } end)
refused("x has an arrival", function() users.react { { name = "x", user = "u", time = 1, arrival = 3 } } end)
refused("a list of records of jobs is needed", function() users.react(3) end)
refused("there is no work 7", function()
  scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 1 } }, events = { process(function(p) p:is_settled(7) end) } }
    :run { policy = "fcfs" }
end)
print "users react"
