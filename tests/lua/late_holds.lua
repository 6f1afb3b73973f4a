-- The validator allows what the engine allows: a hold that begins late because its host is busy, and an output that is to be sent
-- home before its task has arrived. By hand: the task ends at 5, the hold waits for it and lasts until 20, the other task goes on
-- to 50; the output of 4 B is made at 4.
-- args: --validate
-- expect: late	complete	50.0	50
-- expect: sent home	complete	8.0
policy "holder" {
  arrived = function(self, sim, works)
    sim:post(works[1], 1)
    if sim:now() == 0 then sim:hold { hosts = { 1 }, to = 20 } end
  end,
}
local r = scenario {
  platform = platform { host "h" {} }, workload = workload.tasks { { time = 5 }, { time = 30, arrival = 10 } },
}:run { policy = "holder" }
print("late", r.status, r.makespan, r:resources()[1].held)
policy "early" {
  accepts = { "tasks", "files" },
  begin = function(self, sim) sim:transfer(1, 1) end,
  arrived = function(self, sim, works) sim:start(works[1], 1) end,
}
r = scenario {
  platform = platform { cluster "c" { nodes = 1, link = { bandwidth = "1 B/s" } } },
  workload = workload.tasks { { time = 3, arrival = 1, output = file("out", "4 B") } },
}:run { policy = "early" }
print("sent home", r.status, r.makespan)
