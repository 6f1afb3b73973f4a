-- Jobs that write checkpoints. All numbers by hand.
-- expect: checkpoints ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused
local policies = { "fcfs", "sjf", "easy", "conservative" }

local function on(nodes, jobs, more)
  local declared = { platform = platform { cluster "n" { nodes = nodes } }, workload = workload.jobs(jobs) }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end
local function check(what, s, expected, policy, options)
  local request = { policy = policy, validate = true }
  for key, value in pairs(options or {}) do request[key] = value end
  local rows = s:run(request):jobs()
  for i, row in ipairs(expected) do
    for key, value in pairs(row) do
      same(rows[i][key], value, ("%s of job %d, %s, under %s"):format(key, i, what, tostring(policy)))
    end
  end
end

-- A dump of 2 s after each 10 s of computing, and none when the job ends: 35 s take three of them, 30 s two.
local each10 = { interval = 10, cost = 2, restart = 3 }
for _, policy in ipairs(policies) do
  check("no failure", on(1, { { time = 35, checkpoint = each10 } }), { { finish = 41 } }, policy)
  check("no failure", on(2, { { nodes = 2, time = 30, checkpoint = each10 } }), { { finish = 34 } }, policy)
  check("half the speed", on(1, { { time = 20, checkpoint = each10 } }, { events = { change { host = "n.1", at = 0, factor = 0.5 } } }),
        { { finish = 46 } }, policy)  -- dumps after 10, 20 and 30 s of computing
end

-- Two of four hosts; n.2 goes away for good. At 30 the dumps at 12 and 24 are whole: 15 s are left, with a dump in between.
local function away(at, checkpoint)
  return on(4, { { nodes = 2, time = 35, checkpoint = checkpoint } }, { events = { outage { host = "n.2", from = at, to = 1000 } } })
end
for _, policy in ipairs(policies) do
  check("away at 30", away(30, each10), { { finish = 50, start = 0, run = 50, hosts = "n.1 n.2 n.3" } }, policy)
  check("away at 23, in the dump", away(23, each10), { { finish = 55 } }, policy)  -- 23 + 3 + 25 + 2 x 2
  check("away at 24", away(24, each10), { { finish = 44 } }, policy)
  local own = { interval = 10, cost = 2, restart = 3, store = "local" }
  check("a dump that only its hosts read", away(30, own), { { finish = 71 } }, policy)
end

-- The same by the other rules, n.2 away from 23 to 30: it goes on with the dump, of which 1 s is left, or from 12 on.
for rule, finish in pairs { resumed = 48, restarted = 30 + 3 + 25 + 4 } do
  for _, announced in ipairs { true, false } do
    check(rule, on(2, { { nodes = 2, time = 35, checkpoint = each10 } },
                   { events = { outage { host = "n.2", from = 23, to = 30, announced = announced } }, on_failure = { compute = rule } }),
          { { finish = finish } }, "fcfs")
  end
end

-- The end of a job that waits behind it is foreseen, dumps and restart included: the head is promised that time.
local promised = on(2, { { nodes = 2, time = 35, checkpoint = each10 }, { nodes = 2, time = 5, arrival = 1 }, { time = 40, arrival = 2 } })
check("promises", promised, { { finish = 41 }, { start = 41 }, { start = 46 } }, "easy")
check("promises", promised, { { finish = 41 }, { start = 41 }, { start = 46 } }, "conservative")
-- An estimate that is declared says all: the promise is 35, and the job is overdue until 41.
local declared = on(3, { { nodes = 2, time = 35, estimate = 35, checkpoint = each10 }, { nodes = 3, time = 5, arrival = 1 },
                         { time = 38, estimate = 34, arrival = 1 }, { time = 38, estimate = 38, arrival = 1 } })
check("declared", declared, { { finish = 41 }, { start = 41 }, { start = 1 }, { start = 46 } }, "easy", { information = "declared" })

-- At its limit a job waits again, at the end of the line. 30 s, dumps of 1 s after each 6 s, 2 s to restart:
-- 0 to 16 (12 s saved), the other job, 20 to 36 (24 s), 36 to 44.
local limited = { { time = 30, limit = 16, checkpoint = { interval = 6, cost = 1, restart = 2 } }, { time = 4, arrival = 5 } }
for _, policy in ipairs(policies) do
  local r = on(1, limited, { at_limit = "requeue" }):run { policy = policy, validate = true }
  local rows, tries = r:jobs(), r:attempts()
  same(rows[1].finish, 44, "requeued under " .. policy)
  same(rows[1].start, 0, "the first attempt that counts")
  same(rows[1].run, 16 + 16 + 8, "what they held")
  same(rows[2].start, 16, "the other under " .. policy)
  same(#tries, 4, "attempts")
  same(tries[1].state, "requeued", "the first attempt")
  same(tries[3].start, 20, "the second one")
  for part, seconds in pairs { useful = 30 + 4, dump = 4, restart = 4, lost = 2, killed = 0, setup = 0 } do
    same(r["core_time." .. part], seconds, "core_time." .. part)
  end
end
-- Without a whole dump it is killed; and so it is where jobs are killed.
check("no dump", on(1, { { time = 30, limit = 6, checkpoint = { interval = 6, cost = 1 } } }, { at_limit = "requeue" }),
      { { state = "killed", finish = 6 } }, "fcfs")
check("kill", on(1, limited), { { state = "killed", finish = 16 } }, "fcfs")
check("keep", on(1, limited, { at_limit = "keep" }), { { finish = 34 } }, "fcfs")
-- A dump at the limit: 10 s, and 3 s to write them, within 4 s of grace. Within 2 s it is not whole.
local last = { interval = 100, cost = 3, restart = 1 }
check("a last dump", on(1, { { time = 15, limit = 10, grace = 4, checkpoint = last } }, { at_limit = "checkpoint" }),
      { { finish = 13 + 1 + 5, run = 19 } }, "fcfs")
check("no time for it", on(1, { { time = 15, limit = 10, grace = 2, checkpoint = last } }, { at_limit = "checkpoint" }),
      { { state = "killed", finish = 12 } }, "fcfs")

-- A dump that its hosts alone can read, and that nobody did, was in vain: the second attempt begins anew.
local r = on(2, { { time = 10, checkpoint = { interval = 3, cost = 1, store = "local" } } },
             { events = { outage { host = "n.1", from = 9, to = 100 } } }):run { policy = "fcfs", validate = true, trace = "full" }
same(r:jobs()[1].start .. " " .. r:jobs()[1].run, "9 13", "a dump in vain")
for part, seconds in pairs { useful = 10, dump = 3, lost = 9, restart = 0 } do same(r["core_time." .. part], seconds, "in vain: " .. part) end
-- Under `restarted` 2 s are read again, and 5 s are left: until 5.5 one dump is whole, behind it two.
local r = on(1, { { time = 7, checkpoint = { interval = 2, cost = 1, restart = 2 } } },
             { events = { outage { host = "n.1", from = 5.5, to = 11 } }, on_failure = { compute = "restarted" } })
  :run { policy = "fcfs", validate = true }
same(r:jobs()[1].finish, 11 + 2 + 5 + 2, "restarted")
for part, seconds in pairs { useful = 7, dump = 3, lost = 2.5 + 5.5, restart = 2 } do same(r["core_time." .. part], seconds, "restarted: " .. part) end
-- Dumps that take no time, in the instant of an outage and at the limit.
for rule, finish in pairs { lost = 7, resumed = 7, restarted = 7 } do
  for _, announced in ipairs { true, false } do
    check("no cost, " .. rule, on(1, { { time = 4, checkpoint = { interval = 2 } } },
      { events = { outage { host = "n.1", from = 2, to = 5, announced = announced } }, on_failure = { compute = rule } }),
      { { finish = finish } }, "fcfs")
  end
end
check("no cost at the limit", on(1, { { time = 10, limit = 2, checkpoint = { interval = 5 } } }, { at_limit = "checkpoint" }),
      { { finish = 10, state = "finished" } }, "fcfs")

-- By Young, sqrt(2 x 2 x 25) = 10 where two hosts fail once in 50 s each.
local drawn = on(2, { { nodes = 2, time = 35, checkpoint = { interval = "young", cost = 2 } } },
                 { events = { failures { cluster = "n", mtbf = 50, mttr = 1e-6 } }, on_failure = { compute = "resumed" } })
local r = drawn:run { policy = "fcfs", seed = 3, validate = true, trace = "full" }
same(math.abs(r:jobs()[1].finish - 41) < 1e-3, true, "Young's interval")
-- Hosts that never fail need none.
check("no failures", on(2, { { nodes = 2, time = 35, checkpoint = { interval = "daly", cost = 2 } } }), { { finish = 35 } }, "fcfs")

-- A policy in Lua.
local told = {}
policy "own" { accepts = { "jobs", "several_hosts", "limits" },
  requeued = function(self, sim, works) told[#told + 1] = ("%d %g %g"):format(works[1], sim:now(), sim:saved(works[1])) end,
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do if sim:fits(work, { 1 }) then sim:start(work, { 1 }) end end
  end }
check("in Lua", on(1, limited, { at_limit = "requeue" }), { { finish = 44 }, { start = 16 } }, "own")
same(table.concat(told, ", "), "1 16 0.4, 1 36 0.8", "requeued")

refused("checkpoint: interval must be", function() return workload.jobs { { time = 1, checkpoint = { interval = 0 } } } end)
refused("'interval' is missing", function() return workload.jobs { { time = 1, checkpoint = {} } } end)
refused('where interval is "young", cost must be above 0 s', function() return workload.jobs { { time = 1, checkpoint = { interval = "young" } } } end)
refused("store", function() return workload.jobs { { time = 1, checkpoint = { interval = 1, store = "there" } } } end)
refused("does not accept 'checkpoint', which job 1 has", function()
  on(1, { { time = 1, checkpoint = each10 } }):run { policy = mapped { map = "mct" } } end)
-- Rounding makes no dump: 6 s with an interval of 3 have one, whenever the job begins.
for _, arrival in ipairs { 0, 0.1, 1.1, 2.6, 7.3 } do
  local run = scenario { platform = platform { host "h" {} }, workload = workload.jobs {
    { arrival = arrival, time = 6, checkpoint = { interval = 3, cost = 0.7 } } } }:run { policy = "fcfs", validate = true }
  assert(math.abs(run:jobs()[1].run - 6.7) < 1e-9, run:jobs()[1].run)
end
-- A dump that takes no time is whole although the job is resumed before and suspended after it in one instant.
do
  policy "thrice" {
    accepts = { "jobs", "several_hosts" },
    begin = function(self, sim) for _, t in ipairs { 2, 4, 5 } do sim:timer(t) end end,
    timer = function(self, sim)
      if sim:now() == 2 then sim:suspend(self.a)
      elseif sim:now() == 5 then sim:resume(self.a)
      else sim:resume(self.a) sim:checkpoint(self.a) sim:suspend(self.a) end
    end,
    decide = function(self, sim) for _, work in ipairs(sim:line()) do self.a = sim:start(work, { 1 }) end end,
  }
  local r = scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 10, checkpoint = { interval = 100 } } } }:run { policy = "thrice", validate = true }
  same(r.makespan, 13, "suspended from 2 to 5")
end
print "checkpoints ok"

-- A policy is told what a job takes on a host with its dumps, and what is left of it: 1000 s of computing and nine dumps; after
-- four of them at 500, 632.
do
  local told = {}
  policy "looks" {
    accepts = { "jobs", "several_hosts" },
    arrived = function(self, sim, works)
      for _, work in ipairs(works) do
        if sim:work_name(work) == "dumps" then
          self.work = work
        else
          sim:requeue(sim:running_on(1)[1])
        end
        told[#told + 1] = sim:estimate(self.work, 1)
        sim:start(self.work, 1)
      end
    end,
    finished = function(self, sim) for _, work in ipairs(sim:line()) do sim:start(work, { 1 }) end end,
  }
  local r = scenario { platform = platform { host "h" {} },
                       workload = workload.jobs { { name = "dumps", time = 1000, checkpoint = { interval = 100, cost = 5, restart = 7 } },
                                                  { name = "short", time = 1, arrival = 500 } } }
    :run { policy = "looks", validate = true }
  same(table.concat(told, " "), "1045.0 632.0", "estimates")
  same(r:jobs()[1].finish, 500 + 632, "and so it is")
end
