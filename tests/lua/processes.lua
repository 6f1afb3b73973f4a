-- Processes drive scenarios: what they do happens when it should, forks and going back repeat them, policies share their draws.
-- expect: 0	10	12
-- expect: processes agree
local function nodes(n, works, events)
  return scenario { platform = platform { cluster "a" { nodes = n } }, workload = workload.tasks(works), events = events }
end
local one = { { time = 30 } }

-- By hand: lost at 10, begun anew at 15, half speed from 25 on with 20 of 30 s left.
local r = nodes(1, one, { process(function(sim)
  sim:wait "10 s"
  sim:fail "a.1"
  sim:wait(5)
  sim:recover "a.1"
  sim:wait_until(25)
  sim:change("a.1", { factor = 0.5 })
end) }):run { policy = "workqueue", validate = true }
expect(r.makespan == 65 and r.lost == 1, "by hand: " .. r.makespan)

-- The views of a process and their times; a condition that holds already is not waited for.
local seen = {}
local s = nodes(2, { { time = 10 }, { time = 20 }, { time = 2, arrival = 1 } }, { process(function(sim)
  seen = { sim:now() }  -- outside: fine as long as one run does it
  expect(sim.queue == 0 and sim.up == 2 and sim.cores == 2 and sim.utilization == 0, "at the start")
  sim:wait(5)
  expect(sim.queue == 1 and sim.running == 2 and sim.unsettled == 3 and sim.idle == 0 and sim.utilization == 1, "at 5")
  expect(sim:is_up "a.1" and sim:idle_cores "a.1" == 0 and sim:speed "a.2" == 1, "hosts")
  expect(sim:idle_cores(1) == 0 and #sim:queued_on(2) == 0 and sim:activity(sim:running_on(2)[1]).work == 2, "hosts by number")
  sim:wait_for(function(x) return x.finished > 0 end)
  seen[#seen + 1] = sim:now()
  sim:wait_for(function() return sim:now() >= 10 end)
  sim:wait_for(function() return sim.finished == 2 end)
  seen[#seen + 1] = sim:now()
end) })
s:run { policy = "workqueue" }
print(math.tointeger(seen[1]), math.tointeger(seen[2]), math.tointeger(seen[3]))

-- Work, membership, notes, marks; what it may not do is an error that it can catch, and that a fork repeats.
s = nodes(3, { { time = 4 }, { time = 40 } }, { process { name = "crowd", keeps_alive = true, run = function(sim)
  sim:wait(3)
  sim:leave "a.3"
  sim:submit { { name = "x", time = 7 }, { time = 1, arrival = 60 } }
  local good, problem = pcall(sim.submit, sim, { time = 1, arrival = 1 })
  expect(not good and tostring(problem):find "before the present" ~= nil, tostring(problem))
  sim:note("level", 3, sim.queue)
  sim:wait(100)
  sim:join("a.3", { cluster = "a" })
  sim:mark "late"
  sim:submit(workload.tasks(2, function(i, rng) return { time = rng:uniform(1, 2) } end))
end } })
r = s:run { policy = "workqueue", validate = true }
expect(r.finished == 6 and r.makespan > 104 and r.makespan < 106, "work that comes when all is settled")
expect(r:notes()[1].name == "level" and #r:notes() == 2, "notes")

-- Forks at every instant, with processes that draw, look, wait for conditions and submit, for policies of both languages.
policy "mine" {
  decide = function(self, sim)
    for w = 1, sim:work_count() do
      for _, h in ipairs(sim:hosts()) do
        if sim:state(w) == "waiting" and sim:idle_cores(h) > 0 then sim:start(w, h) end
      end
    end
  end,
}
local function storm(sim)
  local rng, order = sim:stream "gaps", sim:stream "order"
  for i = 1, 8 do
    sim:wait(rng:exponential(6))
    local host = order:choice { "a.1", "a.2", "a.3" }
    if sim.queue > 3 then sim:change(host, { availability = rng:uniform(0.5, 1) }) end
    sim:fail(host, { announced = i % 3 ~= 0 })
    sim:wait(rng:uniform(1, 4))
    sim:recover(host)
    if sim.running < 2 then sim:submit { time = rng:uniform(1, 5) } end
  end
end
local function calm(sim)
  for i = 1, 4 do
    sim:wait_for(function(x) return x.finished >= 8 * i end)
    sim:note("done", sim.finished, sim:now(), sim:stream("x"):uniform())
  end
end
s = scenario {
  platform = platform { cluster "a" { nodes = 3 } },
  workload = workload.tasks(40, function(i, rng) return { time = rng:uniform(2, 9), arrival = rng:uniform(0, 60) } end),
  events = { process(storm), process(calm), outage { host = "a.2", from = 11, to = 13 } },
}
for _, name in ipairs { "workqueue", "mine" } do
  local whole = s:run { policy = name, seed = 3, validate = true }
  expect(#whole:notes() == 4, "calm has noted " .. #whole:notes())
  local sim, forks, times, prints = s:start { policy = name, seed = 3 }, {}, {}, {}
  repeat
    forks[#forks + 1] = sim:fork()
    times[#times + 1], prints[#prints + 1] = sim:now(), sim:result().full_fingerprint
  until not sim:step()
  expect(sim:result().full_fingerprint == whole.full_fingerprint, name)
  for i, f in ipairs(forks) do
    expect(f:run().full_fingerprint == whole.full_fingerprint, name .. " fork " .. i)
    if i % 7 == 0 then  -- a fork of the fork's past
      expect(f:back_to(times[i] / 2):run().full_fingerprint == whole.full_fingerprint, name .. " back in fork " .. i)
    end
  end
  for i = #times, 2, -3 do
    if times[i] < (times[i + 1] or math.huge) then
      expect(sim:back_to(times[i]):result().full_fingerprint == prints[i], name .. " back to " .. times[i])
    end
  end
  expect(sim:run().full_fingerprint == whole.full_fingerprint, name .. " after going back")
end

-- Draws do not depend on the policy, and each process has its own.
local function draws(policy)
  return table.concat((function()
    local list = {}
    for _, note in ipairs(nodes(2, { { time = 9 }, { time = 9 }, { time = 9 } }, {
      process(function(sim)
        for _ = 1, 3 do sim:note("a", sim:stream("x"):uniform()) sim:wait(1) end
      end),
      process(function(sim)
        for _ = 1, 3 do sim:note("b", sim:stream("x"):uniform()) sim:wait(sim.queue + 1) end
      end),
    }):run { policy = policy }:notes()) do list[#list + 1] = note.name .. note.values end
    table.sort(list)
    return list
  end)(), " ")
end
expect(draws "workqueue" == draws "mine", "the same draws")
expect(draws "workqueue":match "a(%S+)" ~= draws "workqueue":match "b(%S+)", "streams of their own")
print "processes agree"
