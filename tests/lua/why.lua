-- sim:why, sim:why_not, compare's first difference and profile, as a script asks for them.
local function near(message, f, ...)
  local ok, problem = pcall(f, ...)
  assert(not ok, "no error where '" .. message .. "' was expected")
  assert(tostring(problem):find(message, 1, true), tostring(problem))
end

-- Hosts of speed 2, 1, 2 and fcfs: work 1 has the first of the two fastest, from 0 to 4; work 3 only the slow one.
local s = scenario {
  platform = platform { host "a" { speed = 2 }, host "b" { speed = 1 }, host "c" { speed = 2 } },
  workload = workload.tasks {
    { ops = 8 }, { ops = 12 }, { ops = 9 }, { name = "late", ops = 2, arrival = 1 }, { ops = 2, arrival = 1 },
    { name = "future", ops = 1, arrival = 100 },
  },
}
local sim = s:start { policy = "fcfs" }
sim:run_until(2)
local d = sim:why(1)
assert(d.action == "started" and d.time == 0 and d.started == 0 and d.chosen == "a" and d.policy == "fcfs")
assert(d.better == "largest" and d.score == "speed, op/s")
assert(d.decided == "the largest speed; c has the same: lowest host", d.decided)
assert(#d.candidates == 3 and d.candidates[1].score == 2 and d.candidates[2].score == 1)
assert(sim:why "task 3".chosen == "b")
assert(sim:why_not(3, "a") == "a at t = 0 s: 0 of 1 core idle, 1 is needed")
assert(d:why_not "b" == sim:why_not(1, 2))
local waits = sim:why "late"
assert(waits.action == "waits" and waits.time == 2 and waits.chosen == nil and waits.started == nil)
assert(sim:why "future".action == "none" and sim:why "future".time == 100)
near("there is no work 'lat'; did you mean 'late'?", sim.why, sim, "lat")
near("there is no host 'd'", sim.why_not, sim, 1, "d")
near("the work must be", sim.why, sim, 7)

-- The interventions in between are done again: b dies at 3, and work 3, which ran there, starts again when a is
-- free at 4 (task 3 takes 9 / 2 s there).
sim:run_until(3)
sim:fail "b"
sim:run_until(3.5)
assert(sim:why(3).action == "waits")
sim:submit { name = "more", time = 1 }
sim:run_until(50)
local again = sim:why(3)
assert(again.action == "started" and again.time == 4 and again.chosen == "a", again.time)
assert(again.candidates[2].note == "down")
assert(sim:why "more".action == "started")
local r = sim:run()
assert(r:why(3).time == 4 and r:why(1).chosen == "a")
local q = s:run { policy = mapped { map = "sufferage" } }
assert(q:why(1).score == "completion, s from now")
assert(q:why_not(1, "b"):find "completion")

-- The reports of a policy; the output of its callbacks is not printed again, and nothing of a run changes.
local printed = 0
policy "teller" {
  arrived = function(self, sim, works)
    self.queue = self.queue or {}
    for _, work in ipairs(works) do table.insert(self.queue, work) end
  end,
  decide = function(self, sim)
    local first = self.queue and self.queue[1]
    for _, host in ipairs(sim:hosts()) do
      if first and sim:fits(first, host) then
        sim:consider(first, host, 10 * host)
        sim:start(table.remove(self.queue, 1), host)
        first = self.queue[1]
      elseif first then
        sim:consider(first, host, nil, "it is busy")
      end
    end
  end,
}
local t = s:run { policy = "teller" }
local told = t:why(2)
assert(told.chosen == "b" and told.score == "score" and told.candidates[2].score == 20)
assert(told.candidates[1].open == false)
assert(t.fingerprint == s:run { policy = "teller" }.fingerprint)

-- Where futures part.
local one = s:start { policy = "fcfs" }
one:run_until(2)
local two = one:fork()
assert(compare(one, two):first_difference().same)
two:fail "c"
one:run()
two:run()
local c = compare(one, two)
local parting = c:first_difference()
assert(not parting.same and parting.time == 2 and parting.first == nil and parting.second.on == "c")
assert(parting.settings[1] == "interventions: nothing more against c down at t = 2 s", parting.settings[1])
assert(c:first_difference(2, 1).first.on == "c")
near("two runs are needed, the comparison has 1", function() compare(one):first_difference() end)
near("the number of a result", c.first_difference, c, 3)

-- A sufferage that asks for every completion, and is not declared pure.
heuristic "slow_sufferage" {
  pick = function(c, task)
    local best, second = math.huge, math.huge
    for m = 1, c:machines() do
      local t = c:completion(task, m)
      if t < best then best, second = t, best elseif t < second then second = t end
    end
    return second - best
  end,
}
local matrix = etc.range_based { tasks = 30, machines = 5 }
local p = profile("slow_sufferage", matrix)
assert(p.callbacks == 30 * 31 // 2)  -- all that wait at each choice: 30 + 29 + ... + 1
local calls = {}
for _, row in ipairs(p.native) do calls[row["function"]] = row.calls end
assert(calls["c:completion"] == 5 * p.callbacks and calls["c:machines"] == p.callbacks)
assert(table.concat(p.same_as, " ") == "sufferage xsufferage")  -- each machine is a cluster of its own
local advice = table.concat(p.advice, "\n")
assert(advice:find("c:completion was called for every machine in 465 of 465 callbacks: c:best(task)", 1, true), advice)
assert(advice:find("that of sufferage", 1, true))
assert(advice:find("pure = true", 1, true), advice)
local total = 0
for _, row in ipairs(p.lines) do total = total + row.instructions end
assert(total == p.instructions)
assert(profile("slow_sufferage", matrix).instructions == p.instructions)
assert(tostring(profile("slow_sufferage", matrix)) == tostring(p))  -- without times
local run = profile("teller", s)
assert(run.callbacks > 0 and #run.functions == 2)
near("the second argument is an etc matrix or a scenario", profile, "slow_sufferage", 3)
near("profile", profile, "teller", matrix)

-- Works that the engine refuses, and works that wait behind another, in words.
do
  local wide = scenario { platform = platform { host "big" {} }, workload = workload.jobs { { time = 5, cores = 4 } } }
  for _, policy in ipairs { "fcfs", "planned", "grouped", "workqueue" } do
    local decision = wide:run { policy = policy }:why(1)
    assert(decision.action == "rejected" and decision.reason == "infeasible", policy)
    assert(tostring(decision):find("has 1 core, 4 are needed", 1, true), tostring(decision))
  end
  local s = scenario {
    platform = platform { host "big" { cores = 2 }, host "one" {} },
    workload = workload.jobs { { time = 10, cores = 1 }, { time = 10, cores = 2 }, { time = 1, cores = 1 } },
  }
  local sim = s:start { policy = "fcfs" }
  sim:run_until(1)
  assert(tostring(sim:why_not(3, "one")):find("job 3 waits at t = 1 s: job 2 is before it", 1, true), tostring(sim:why_not(3, "one")))
  sim = s:start { policy = "conservative" }
  sim:run_until(2)
  assert(tostring(sim:why_not(2, "big")):find("1 of 2 cores idle, 2 are needed", 1, true), tostring(sim:why_not(2, "big")))
end

-- A fresh intervention shows for works that already waited.
do
  local s = scenario {
    platform = platform { cluster "c" { nodes = 2 } },
    workload = workload.tasks(6, function(i) return { name = "t" .. i, time = 20 - i, arrival = i } end),
  }
  for _, policy in ipairs { "workqueue", "fcfs", "easy", "mapped" } do
    local sim = s:start { policy = policy }
    sim:run_until(7)
    local before = tostring(sim:why "t5")
    assert(not before:find("was just changed", 1, true), before)
    sim:fail "c.1"
    local decision = sim:why "t5"
    assert(sim:why_not("t5", "c.1"):find("down", 1, true), policy .. ": " .. sim:why_not("t5", "c.1"))
    for _, candidate in ipairs(decision.candidates) do
      if candidate.host == "c.1" then assert(not candidate.open and candidate.note == "down", policy) end
    end
    assert(tostring(decision):find("of what was just changed", 1, true), tostring(decision))
    sim:step()
    assert(not tostring(sim:why "t5"):find("was just changed", 1, true))
  end
end

-- A host that is not on: it says so, and from when on it could be.
do
  local node = { idle = 100, busy = 200, off = 10, boot = { time = 20, power = 150 }, shutdown = { time = 5, power = 130 } }
  local function waiting(policy, at, nodes, arrival)
    local s = scenario {
      platform = platform { cluster "n" { nodes = 2, power = node } },
      workload = workload.jobs { { time = 100, only = { "n.1" } }, { name = "late", nodes = nodes, time = 5, arrival = arrival } },
    }
    local sim = s:start { policy = policy }
    sim:run_until(at)
    return sim
  end
  local function says(sim, host, note)
    local text = tostring(sim:why_not("late", host))
    assert(text:find(note, 1, true), text)
  end
  -- n.2 is idle for 10 s, shuts down until 15, and boots from 40 on. The job of two hosts waits for n.1 until 100.
  local sim = waiting(fcfs { off_after = 10 }, 45, 1, 40)
  says(sim, "n.2", "n.2 at t = 45 s: boots until t = 60 s")
  says(waiting(fcfs { off_after = 10 }, 12, 1, 11), "n.2", "n.2 at t = 12 s: shutting down, then boots until t = 35 s")
  policy "switches_off" {
    accepts = { "jobs", "several_cores", "several_hosts" },
    begin = function(self, sim) sim:power_off "n.2" end,
    arrived = function(self, sim, works) if not self.first then self.first = sim:start(works[1], 1) end end,
  }
  for nodes = 1, 2 do
    says(waiting("switches_off", 3, nodes, 1), "n.2", "shutting down, could be on at t = 25 s")
    says(waiting("switches_off", 50, nodes, 1), "n.2", "off, could be on at t = 70 s")
  end
end
