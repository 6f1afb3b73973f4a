-- sim:quote: of loads and jobs, under policies of both languages; nothing changes.
-- expect: quotes agree
local head = scenario {
  platform = platform { cluster "c" { nodes = 4, link = { bandwidth = 1 } } },
  workload = workload.loads {
    { arrival = 0, size = 8, bytes = 1, time = 4, deadline = 16 },
    { arrival = 50, size = 8, bytes = 1, time = 4, deadline = 66 },
  },
}
-- Mamat 2011, the counter-example to the literal reading of Algorithm 6: the head knows only the first load.
for start, state in pairs { safe = "rejected", literal = "expired" } do
  local sim = head:start { policy = fast_edf_iit { start = start } }
  sim:run_until(1)
  local quote = sim:quote { name = "asked", size = 1, bytes = 1, time = 4, deadline = 5 }
  assert(quote.state == state and quote.admitted == (state == "expired") and quote.name == "asked")
  assert(quote.reason == (state == "rejected" and "self" or nil))
  assert(quote.arrival == 1 and quote.finish == nil and quote.deadline == 5)
  assert(quote.admitted or quote.start == nil and #quote.hosts == 0)
end

-- The quote of a job: the first in line waits for both cores until 10.
local jobs = scenario {
  platform = platform { host "x" { cores = 2 } },
  workload = workload.jobs {
    { time = 10 }, { time = 5, cores = 2, arrival = 1 }, { time = 100, cores = 2, arrival = 3 }
  },
}
local sim = jobs:start { policy = "fcfs" }
sim:run_until(2)
local quote = sim:quote { time = 3, cores = 1 }
assert(quote.start == 15 and quote.finish == 18 and quote.hosts[1] == "x" and quote.deadline == nil)
assert(tostring(quote) == "job 4 would be admitted: from 15 s to 18 s on x")
sim:set_policy "easy"
assert(sim:quote { time = 3, cores = 1 }.start == 2)  -- behind nobody whom it would delay
assert(sim:quote { time = 3, cores = 1, arrival = 40 }.start == 40)
local rows = sim:quote { { time = 3, cores = 1 }, { name = "two", time = 8, cores = 1 } }
assert(#rows == 2 and rows[1].start == 2 and rows[2].name == "two" and rows[2].admitted == true)
assert(rows[1].arrival == 2 and rows[1].hosts[1] == "x" and #rows[1].waiting == 0 and rows[1].deadline == nil)
assert(tostring(rows):find("yes", 1, true) and rows:csv():find("two,true,,", 1, true))
assert(#sim:quote(workload.jobs(3, function(i, rng) return { time = rng:uniform(1, 2) } end)) == 3)
assert(sim:quote { time = 3, cores = 5 }.reason == "infeasible")
assert(sim:quote { { time = 3, cores = 5 }, { time = 3, cores = 1 } }[1].admitted == false)
sim:fail "x"
local never = sim:quote { time = 3, cores = 1 }
assert(never.admitted and never.state == "waiting" and never.start == nil and #never.waiting > 0)

-- Beyond a horizon, and without a trace.
local short = jobs:start { policy = "fcfs", horizon = 12, trace = "none" }
short:run_until(2)
assert(short:quote { time = 3, cores = 1 }.finish == 18)

-- Neither streams nor what is printed, nor what a process would do, change anything.
policy "dice" {
  begin = function(self) self.works = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  decide = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      while sim:idle_cores(h) > 0 and #self.works > 0 do
        sim:start(table.remove(self.works, sim:stream("which"):integer(1, #self.works)), h)
      end
    end
  end,
}
local s = scenario {
  platform = platform { cluster "a" { nodes = 2 } },
  workload = workload.tasks(40, function(i, rng) return { time = rng:uniform(5, 15), arrival = 4 * i } end),
  events = {
    failures { host = "a.1", mtbf = 30, mttr = 5 },
    process(function(sim) while true do sim:wait(7) sim:submit { time = 3 } end end),
  },
}
local function fingerprint(asks)
  local sim = s:start { policy = "dice", horizon = 200 }
  for t = 10, 150, 20 do
    sim:run_until(t)
    if asks then
      local one, other = sim:quote { time = 5 }, sim:quote { time = 5 }
      assert(one.start == other.start and one.start >= t)
    end
  end
  return sim:run().fingerprint
end
assert(fingerprint(false) == fingerprint(true))

local function refused(text, ...)
  local ok, problem = pcall(sim.quote, sim, ...)
  assert(not ok and problem.message:find(text, 1, true), tostring(problem))
end
refused("quote: a record { time = ... }, a list of them or a workload is needed, got 7", 7)
refused("did you mean 'time'?", { tme = 1 })
refused("is before the present, t = 2 s", { time = 1, arrival = 1 })
refused("does not accept work of kind 'sweep'", { runs = 3, time = 1 })
local over = jobs:start { policy = "fcfs" }
over:run()
sim = over
assert(sim:quote { time = 1 }.finish == sim:now() + 1)  -- whose work is all done
sim = jobs:start { policy = "fcfs", horizon = 1 }
sim:run()
refused("the run is over (horizon)", { time = 1 })
-- For later, as submit takes it: the second job is done at 15, and the third never comes.
sim = jobs:start { policy = "fcfs" }
sim:run_until(2)
local later = sim:quote({ time = 3, cores = 1 }, { at = 40 })
assert(later.arrival == 40 and later.start == 40 and later.finish == 43 and #sim:planned() == 0)
refused("t = 1 s is over, it is t = 2 s", { time = 3 }, { at = 1 })
refused("unknown field 'when'", { time = 3 }, { when = 9 })
print "quotes agree"
