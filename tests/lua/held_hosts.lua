-- A host that is held has an activity under way: the same for tables, words and states.
local s = scenario {
  platform = platform { cluster "c" { nodes = 2, link = { bandwidth = 2 } } },
  workload = workload.reservations { { hosts = 1, from = 10, to = 20 } },
}
local sim = s:start { policy = "edf_reservations" }
sim:run_until(5)
expect(sim:jobs()[1].state == "waiting" and sim.state.running == 0, "before it begins")
sim:run_until(12)
local held = sim:hosts()[1]
expect(held.running == 1 and held.work == "reservation 1" and held.idle == 0, tostring(sim:hosts()))
expect(#sim:running_on "c.1" == 1 and #sim:queued_on "c.1" == 0 and #sim:running_on "c.2" == 0, "the hold is on c.1 alone")
expect(sim:activity(sim:running_on("c.1")[1]).kind == "hold", "its kind")
expect(sim.state.running == 1 and sim.state.queue == 0, "a reservation that runs does not wait")
expect(sim:jobs()[1].state == "running" and sim:jobs()[1].hosts == "c.1", tostring(sim:jobs()))
expect(#sim:queue() == 0, "nothing waits")
sim:run()
expect(sim:jobs()[1].state == "finished" and #sim:running_on "c.1" == 0, "it is over")

-- A reservation whose hold is lost waits again.
local lost = s:start { policy = "edf_reservations" }
lost:run_until(12)
lost:fail "c.1"
lost:step()
expect(lost.state.running == 0, "nothing runs after the failure")

-- A policy, a process and the prompt see a policy's own hold alike.
local seen = {}
local function note(who, sim, host) seen[#seen + 1] = ("%s %g %d"):format(who, sim:now(), #sim:running_on(host)) end
policy "holder" {
  accepts = { "tasks" },
  arrived = function(self, sim, works)
    self.work = works[1]
    sim:hold { hosts = { 1 }, to = 10 }
    sim:timer(5)
  end,
  timer = function(self, sim)
    note("policy", sim, 1)
    sim:post(self.work, 1)
  end,
}
local held_run = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 3 } },
  events = { process(function(process_sim) process_sim:wait(6) note("process", process_sim, "a") end) },
}:start { policy = "holder" }
held_run:run_until(7)
note("prompt", held_run, "a")
expect(held_run:hosts()[1].running == 1 and #held_run:queued_on "a" == 1, tostring(held_run:hosts()))
expect(table.concat(seen, ", ") == "policy 5 1, process 6 1, prompt 7 1", table.concat(seen, ", "))
