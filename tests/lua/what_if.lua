-- sim:when, sim:back_to, sim:fork(n): for policies of both languages, with interventions; what cannot be copied; what is refused.
-- expect: what if agrees
policy "stack" {
  begin = function(self) self.works, self.seen = {}, {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  failed = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  decide = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      if sim:idle_cores(h) > 0 and #self.works > 0 then
        local w = table.remove(self.works, sim:stream("which"):integer(1, #self.works))
        self.seen[#self.seen + 1] = { w, sim:now() }
        sim:start(w, h)
      end
    end
  end,
}
-- Keeps a function in self: it has no forks, but its past is found from the start.
policy "closed" {
  begin = function(self) self.first = function(list) return table.remove(list, 1) end self.works = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  decide = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      while sim:idle_cores(h) > 0 and #self.works > 0 do sim:start(self.first(self.works), h) end
    end
  end,
}
local s = scenario {
  platform = platform { cluster "a" { nodes = 3 } },
  workload = workload.tasks(2500, function(i, rng) return { time = rng:uniform(5, 15), arrival = 4 * i } end),
  events = { failures { host = "a.3", mtbf = 900, mttr = 50 } },
}

-- The interventions at their times; `later` is a policy to be taken over to.
local function life(sim, from, prints, later)
  for t = 500, 9500, 500 do
    if t > from then
      sim:run_until(t)
      prints[t] = prints[t] or sim:result().full_fingerprint
      expect(prints[t] == sim:result().full_fingerprint, "at " .. t)
      if t == 2000 then sim:fail "a.1" end
      if t == 2500 then sim:recover "a.1" end
      if t == 4000 then sim:submit { { time = 30 }, { time = 5, arrival = 7000 } } end
      if t == 6000 then sim:set_policy(later) end
      sim:run_until(t + 1)  -- the change has happened
    end
  end
  local full = sim:run().full_fingerprint
  prints.last = prints.last or full
  expect(prints.last == full, "the end")
end
for name, later in pairs { workqueue = "stack", stack = "workqueue", fcfs = "fcfs" } do
  local sim, prints = s:start { policy = name, seed = 2 }, {}
  life(sim, 0, prints, later)
  for _, t in ipairs { 8999, 4001, 6001, 2101, 501, 0, 9001 } do
    if t <= sim:now() then
      sim:back_to(t)
      assert(sim:now() == t)
      if t >= 1 then life(sim, t - 1, prints, later) end
    end
  end
end

-- Without a name of its own a change is forgotten by going back before it.
local sim = s:start { policy = "workqueue", seed = 2 }
sim:run_until(1000)
sim:fail "a.2"
local one, two, three = sim:fork(3)
assert(one:run().makespan == two:run().makespan and three:now() == 1000)
expect(three:back_to(999.5):run().full_fingerprint == s:run { policy = "workqueue", seed = 2 }.full_fingerprint, "undone")
assert(select("#", sim:fork()) == 1)

-- when: the first instant at which it holds, counted by hand: 1 runs, 2 to 5 arrive meanwhile, at 1, 2, 3, 4 s.
local q = scenario {
  platform = platform { host "h" {} },
  workload = workload.tasks(5, function(i) return { time = 10, arrival = i - 1 } end),
}:start { policy = "fcfs" }
local back, held = q:when(function(x) return x.queue == 3 end)
assert(back == q and held and q:now() == 3 and q.state.running == 1 and q.state.unsettled == 4)
expect(select(2, q:when(function(x) return x:now() >= 3 end)) and q:now() == 3, "at once where it holds")
assert(select(2, q:when(function(x) return x.finished == 2 and x:is_up "h" end)) and q:now() == 20)
assert(not select(2, q:when(function(x) return x.queue > 50 end)) and q:over() and q:now() == 50)
expect(tostring(q.state):find "queue 0, running 0, finished 5" ~= nil, tostring(q.state))

-- A simulation that cannot be copied goes back by a replay from the start.
local closed = s:start { policy = "closed" }
local first = closed:run_until(3000):result().full_fingerprint
closed:run_until(6000)
expect(not pcall(closed.fork, closed), "no fork")
assert(closed:back_to(3000):result().full_fingerprint == first)

-- Refused, each with the reason.
local function refused(text, f, ...)
  local good, problem = pcall(f, ...)
  expect(not good, "refused: " .. text)
  expect(tostring(problem):find(text, 1, true) ~= nil, tostring(problem))
end
refused("t = 9000 s is still to come", sim.back_to, sim, 9000)
refused("must be >= 0", sim.back_to, sim, -1)
refused("run_until: t = 500 s is over, it is t = 1000 s; back_to goes there", sim.run_until, sim, 500)
do
  local host = sim:hosts()[1].host
  local b = sim:fork()
  refused("recover: no outage covers " .. host, b.recover, b, host)
  refused("recover: no outage covers " .. host, b:fail(host):recover(host):step() and b.recover, b, host)
  refused("fail: " .. host .. " has been failed already", b:fail(host).fail, b, host)
  b:step()
  refused("fail: " .. host .. " has been failed already", b.fail, b, host)
  assert(not b.state:is_up(host))
  b:recover(host):step()
  assert(b.state:is_up(host))
end
refused("the number of forks must be", sim.fork, sim, 0)
refused("the number of forks must be", sim.fork, sim, 1e6)
refused("a function of the state is needed", sim.when, sim, 5)
refused("its own callbacks cannot steer it", sim.when, sim, function() sim:run() end)
refused("its own callbacks cannot steer it", sim.when, sim, function() sim:back_to(1) end)
refused("in the condition of when at t = 1000 s", sim.when, sim, function(x) return x.queue + nil > 1 end)
expect(sim:now() == 1000 and sim:run().status == "complete", "an error in a condition leaves the run as it was")

-- A policy that keeps state outside of self goes back no more than it forks.
local count = 0
policy "outside" { arrived = function(self, sim, works) count = count + 1 for _, w in ipairs(works) do sim:post(w, 1 + count % 3) end end }
local out = s:start { policy = "outside" }
out:run_until(100)
refused("has changed the variable 'count'", out.back_to, out, 50)
print "what if agrees"
