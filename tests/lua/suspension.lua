-- Jobs and tasks that a policy suspends and resumes. All numbers by hand.
-- expect: suspension ok
-- expect: s suspended
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- A policy that does what it is told: { t, "start", job, hosts }, { t, "suspend", job }, ... Jobs are numbers.
local count = 0
local function scripted(acts)
  count = count + 1
  local name = "scripted_" .. count
  policy(name) {
    accepts = { "tasks", "jobs", "several_cores", "several_hosts", "memory", "limits", "files" },
    begin = function(self, sim)
      self.ids, self.done, self.lost = {}, {}, 0
      for _, act in ipairs(acts) do sim:timer(act[1]) end
    end,
    failed = function(self, sim, works) self.lost = self.lost + #works end,
    decide = function(self, sim)
      for i, act in ipairs(acts) do
        if not self.done["act " .. i] and act[1] <= sim:now() then
          self.done["act " .. i] = true
          local verb, job = act[2], act[3]
          if verb == "start" then self.ids["job " .. job] = sim:start(job, act[4])
          elseif verb == "fits" then same(sim:fits(job, act[4]), act[5], "fits at " .. act[1])
          elseif verb == "can" then same(sim:can_resume(self.ids["job " .. job]), act[4], "can resume at " .. act[1])
          elseif verb == "idle" then same(sim:idle_cores(act[3]), act[4], "idle cores at " .. act[1])
          elseif verb == "free" then same(sim:free(act[3]), act[4], "free memory at " .. act[1])
          elseif verb == "suspended" then same(#sim:suspended(), act[3], "suspended at " .. act[1])
          elseif verb == "end" then same(sim:end_of(self.ids["job " .. job]), act[4], "expected end at " .. act[1])
          elseif verb == "lost" then same(self.lost, act[3], "lost by " .. act[1])
          elseif verb == "expire" then sim:expire(job)
          else sim[verb](sim, self.ids["job " .. job]) end
        end
      end
    end,
  }
  return name
end

local function on(hosts, jobs, more)
  local declared = { platform = platform { type(hosts) == "number" and cluster "n" { nodes = hosts } or hosts }, workload = workload.jobs(jobs) }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end
local function run(what, s, acts, finishes)
  local r = s:run { policy = scripted(acts), validate = true }
  for i, row in ipairs(r:jobs()) do
    if finishes[i] ~= nil then same(row.finish == row.finish and row.finish or row.state, finishes[i], ("finish of job %d, %s"):format(i, what)) end
  end
  -- The same whenever it is forked, also while something is suspended.
  local sim, forked = s:start { policy = scripted(acts) }, nil
  for t = 1, 30, 4 do
    sim:run_until(t)
    forked = sim:fork():run()
    same(forked.fingerprint, r.fingerprint, ("fork at %d, %s"):format(t, what))
  end
  return r
end

-- Ten seconds, suspended from 5 to 9 for another job, on one core.
local two = { { name = "a", time = 10 }, { name = "b", time = 4, arrival = 5 } }
local r = run("one core", on(1, two), {
  { 0, "start", 1, 1 }, { 5, "suspend", 1 }, { 5, "suspended", 1 }, { 5, "can", 1, true }, { 5, "start", 2, 1 }, { 5, "can", 1, false },
  { 7, "end", 1, 12 }, { 9, "resume", 1 }, { 9, "suspended", 0 } }, { 14, 9 })
local rows, tries = r:jobs(), r:attempts()
for key, value in pairs { start = 0, run = 10, wait = 0, response = 14, slowdown = 1.4, suspended = 4 } do same(rows[1][key], value, key) end
same(rows[2].suspended, 0, "time of the other")
same(#tries, 2, "attempts")
same(tries[1].suspended, 4, "time of the attempt")
for metric, value in pairs { preempted = 1, requeued = 0, suspended_time = 4, busy_time = 14, utilization = 1, mean_run = 7, killed = 0, lost = 0,
                             ["core_time.useful"] = 14, waste = 0, ["utilization.jobs"] = 1, ["utilization.hosts"] = 1, lost_capacity = 0 } do
  same(r[metric], value, metric)
end
same(r:resources()[1].busy, 14, "busy core-seconds of the host")
same(r:hosts()[1].useful, 14, "useful time of the host")
r:gantt(40)

-- Set-up goes on where it was: 1 of 3 s is done at 1.
run("set-up", on(cluster "n" { nodes = 1, setup = 3 }, { { time = 10 } }), { { 0, "start", 1, 1 }, { 1, "suspend", 1 }, { 11, "resume", 1 } }, { 23 })
-- A change meanwhile counts from the resumption on.
run("half the speed", on(1, { { time = 10 } }, { events = { change { host = "n.1", at = 6, factor = 0.5 } } }),
    { { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 8, "end", 1, 20 }, { 10, "resume", 1 } }, { 22 })
-- A changing availability: 1 until 4, then 0.5. Suspended from 2 to 6: 2 + 0.5 (t - 6) = 5 at 12.
run("availability", on(host "n" { availability = { { 0, 1 }, { 4, 0.5 } } }, { { time = 5 } }),
    { { 0, "start", 1, 1 }, { 2, "suspend", 1 }, { 6, "resume", 1 } }, { 12 })
-- Suspended twice, once in the instant in which it starts.
r = run("twice", on(1, { { time = 10 } }),
        { { 0, "start", 1, 1 }, { 0, "suspend", 1 }, { 3, "resume", 1 }, { 5, "suspend", 1 }, { 6, "resume", 1 } }, { 14 })
same(r.suspended_time, 4, "twice")
same(r.preempted, 2, "twice")
-- A task.
run("task", scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 10 } } },
    { { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 5, "resume", 1 } }, { 11 })

-- Several hosts: all cores are free meanwhile, and all must be idle again.
local wide = { { nodes = 2, cores = 2, time = 10 }, { cores = 1, time = 6, arrival = 3 } }
run("two hosts", on(cluster "n" { nodes = 2, cores = 2 }, wide), {
  { 0, "start", 1, { 1, 2 } }, { 3, "suspend", 1 }, { 3, "idle", 1, 2 }, { 3, "idle", 2, 2 }, { 3, "start", 2, 2 }, { 3, "can", 1, false },
  { 9, "can", 1, true }, { 9, "resume", 1 }, { 9, "idle", 2, 0 } }, { 16, 9 })
run("exclusive", on(cluster "n" { nodes = 1, cores = 4 }, { { exclusive = true, time = 10 }, { cores = 4, time = 2, arrival = 1 } }),
    { { 0, "start", 1, 1 }, { 1, "suspend", 1 }, { 1, "start", 2, 1 }, { 3, "resume", 1 } }, { 12, 3 })

-- Memory and licences are kept.
local memory = on(cluster "n" { nodes = 1, cores = 1, memory = 100 }, {
  { time = 10, memory = 60 }, { time = 2, memory = 60 }, { time = 3, memory = 40 } })
run("memory", memory, {
  { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 4, "free", 1, 40 }, { 4, "fits", 2, 1, false }, { 4, "fits", 3, 1, true }, { 4, "start", 3, 1 },
  { 7, "free", 1, 40 }, { 7, "resume", 1 }, { 13, "free", 1, 100 }, { 13, "start", 2, 1 } }, { 13, 15, 7 })
run("memory of one that is given up", memory, {
  { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 5, "expire", 1 }, { 5, "free", 1, 100 }, { 5, "start", 2, 1 }, { 7, "start", 3, 1 } },
    { "expired", 7, 10 })
local licensed = scenario {
  platform = platform { cluster "n" { nodes = 2 }, licence "solver" { count = 1 } },
  workload = workload.jobs { { time = 10, licences = { solver = 1 } }, { time = 2, licences = { solver = 1 } } },
}
run("licences", licensed, { { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 4, "fits", 2, 2, false }, { 6, "resume", 1 }, { 12, "start", 2, 2 } }, { 12, 14 })

-- The clock of the limit stands.
local limited = { { time = 10, limit = 8 } }
r = run("limit", on(1, limited), { { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 20, "resume", 1 } }, { 24 })
same(r.killed, 1, "killed")
r = run("an end at the limit", on(1, { { time = 8, limit = 8 } }), { { 0, "start", 1, 1 }, { 4, "suspend", 1 }, { 20, "resume", 1 } }, { 24 })
same(r.finished, 1, "finished")

-- A host goes away meanwhile, [6, 8), told or not. Lost: at once, or when it is back. Resumed: 4 + (16 - 10). Restarted: anew from 10 on.
local job = { { nodes = 2, time = 10 } }
for _, announced in ipairs { true, false } do
  local function away(rule)
    return on(2, job, { events = { outage { host = "n.2", from = 6, to = 8, announced = announced } }, on_failure = { compute = rule } })
  end
  local begun = { { 0, "start", 1, { 1, 2 } }, { 4, "suspend", 1 } }
  r = run("lost", away "lost", { begun[1], begun[2], { 7, "lost", announced and 1 or 0 }, { 9, "lost", 1 }, { 9, "suspended", 0 },
                                 { 10, "start", 1, { 1, 2 } } }, { 20 })
  same(#r:attempts(), 2, "attempts where it is lost")
  same(r["core_time.lost"], 8, "core-seconds lost")
  run("resumed", away "resumed", { begun[1], begun[2], { 7, "can", 1, not announced }, { 10, "resume", 1 } }, { 16 })
  run("restarted", away "restarted", { begun[1], begun[2], { 10, "resume", 1 } }, { 20 })
end
-- Suspended while it stands still; resumed on a host of which nobody knows that it is down: it goes on at 8.
run("while it stands still", on(2, job, { events = { outage { host = "n.2", from = 3, to = 8 } }, on_failure = { compute = "resumed" } }),
    { { 0, "start", 1, { 1, 2 } }, { 4, "suspend", 1 }, { 4, "idle", 1, 1 }, { 7, "can", 1, false }, { 9, "resume", 1 } }, { 16 })
run("unaware", on(2, job, { events = { outage { host = "n.2", from = 6, to = 8, announced = false } }, on_failure = { compute = "resumed" } }),
    { { 0, "start", 1, { 1, 2 } }, { 4, "suspend", 1 }, { 7, "resume", 1 } }, { 14 })
run("a host that leaves", on(2, job, { events = { leave { host = "n.2", at = 6 }, join { host = "n.2", at = 7 } }, on_failure = { compute = "resumed" } }),
    { { 0, "start", 1, { 1, 2 } }, { 4, "suspend", 1 }, { 8, "lost", 1 }, { 8, "start", 1, { 1, 2 } } }, { 18 })

-- Dumps of 2 s after each 4 s of computing. One is half written at 5 and goes on at 15; over a link it begins anew.
run("dumps", on(1, { { time = 10, checkpoint = { interval = 4, cost = 2 } } }),
    { { 0, "start", 1, 1 }, { 5, "suspend", 1 }, { 7, "end", 1, 16 }, { 15, "resume", 1 } }, { 24 })
local over_link = scenario {
  platform = platform { cluster "n" { nodes = 1 }, router "file server", link "store" { from = "origin", to = "file server", bandwidth = 5 } },
  workload = workload.jobs { { time = 10, checkpoint = { interval = 4, bytes = 10, link = "store" } } },
}
run("dumps over a link", over_link, { { 0, "start", 1, 1 }, { 5, "suspend", 1 }, { 15, "resume", 1 } }, { 25 })
-- Computing until the next dump is counted over suspensions: 2 s, then 2 s, a dump, 4 s, a dump, 2 s.
run("between dumps", on(1, { { time = 10, checkpoint = { interval = 4, cost = 2 } } }),
    { { 0, "start", 1, 1 }, { 2, "suspend", 1 }, { 10, "resume", 1 } }, { 22 })
-- Requeued while it is suspended, it goes on from its dump at 6: 4 s are done, 6 are left, with a dump in between.
r = run("requeued", on(1, { { time = 10, checkpoint = { interval = 4, cost = 2, restart = 1 } } }),
        { { 0, "start", 1, 1 }, { 7, "suspend", 1 }, { 8, "requeue", 1 }, { 10, "start", 1, 1 } }, { 10 + 1 + 4 + 2 + 2 })
same(r.requeued, 1, "requeued")
same(r.preempted, 2, "suspended and requeued")
same(r:jobs()[1].run, 7 + 9, "what both attempts held")

-- Refusals.
local function wrong(text, acts, jobs, more)
  refused(text, function() on(2, jobs or { { time = 10 }, { time = 10 } }, more):run { policy = scripted(acts) } end)
end
local begun = { 0, "start", 1, 1 }
wrong("it is suspended already", { begun, { 1, "suspend", 1 }, { 1, "suspend", 1 } })
wrong("it is not suspended", { begun, { 1, "resume", 1 } })
wrong("it needs 1 of the 1 cores of host 'n.1', 0 are idle", { begun, { 1, "suspend", 1 }, { 1, "start", 2, 1 }, { 2, "resume", 1 } })
wrong("it is over", { begun, { 11, "suspend", 1 } })
wrong("host 'n.1' is down", { begun, { 1, "suspend", 1 }, { 3, "resume", 1 } }, nil,
      { events = { outage { host = "n.1", from = 2, to = 5 } }, on_failure = { compute = "resumed" } })
wrong("it is suspended", { begun, { 6, "suspend", 1 }, { 6, "checkpoint", 1 } }, { { time = 10, checkpoint = { interval = 100, cost = 1 } } })

-- Nobody resumes it: the run says who waits for what.
r = on(1, { { name = "a", time = 10 } }):run { policy = scripted { { 0, "start", 1, 1 }, { 4, "suspend", 1 } } }
same(r.status, "incomplete", "status")
same(r:attempts()[1].state, "suspended", "state of the attempt")
local waiting = table.concat(r:waiting(), "\n")
same(waiting:find("waits for its policy to resume it", 1, true) ~= nil, true, waiting)

-- Under way, its row says where it will go on.
local sim = on(2, { { name = "a", nodes = 2, time = 10 } }):start { policy = scripted { { 0, "start", 1, { 1, 2 } }, { 4, "suspend", 1 }, { 6, "resume", 1 } } }
sim:run_until(5)
same(sim:jobs()[1].state, "suspended", "state under way")
same(sim:jobs()[1].hosts, "n.1, n.2", "hosts under way")
sim:run()
same(sim:jobs()[1].state, "finished", "state at the end")

print("suspension ok")
