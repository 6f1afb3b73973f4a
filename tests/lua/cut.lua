-- A policy in Lua is told of a lost transfer, and sends or fetches again. Times by hand: 10 B/s.
-- args: --validate
-- expect: cut and sent again
policy "files" {
  accepts = { "tasks", "files" },
  begin = function(self) self.cuts = 0 end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do sim:post(w, 1 + (w - 1) % sim:host_count()) end end,
  computed = function(self, sim, works, hosts) for i, w in ipairs(works) do sim:fetch(w, hosts[i]) end end,
  cut = function(self, sim, works, hosts)
    self.cuts = self.cuts + 1
    sim:note("cut", #works, works[1], hosts[1])
    for i, w in ipairs(works) do
      if sim:state(w) == "computed" then sim:fetch(w, hosts[i]) else sim:send(w, hosts[i]) end
    end
  end,
}
local function run(task, from, to, policy, hosts)
  return scenario {
    platform = platform { cluster "c" { nodes = hosts or 1, link = { bandwidth = 10 } } },
    workload = workload.tasks(task),
    events = { outage { link = "c.link", from = from, to = to } },
    on_failure = { transfer = "lost" },
  }:run { policy = policy or "files" }
end
-- sent 0 to 10, cut at 5; again 20 to 30; computes 7
local r = run({ { time = 7, inputs = { file("in", 100) } } }, 5, 20)
assert(r.status == "complete" and r.end_time == 37, r.end_time)
-- two works on two hosts wait for one file: it is sent once, both are named
r = run({ { time = 7, inputs = { file("in", 100) } }, { time = 9, inputs = { file("in", 100) } } }, 5, 20, nil, 2)
assert(r.status == "complete" and r.end_time == 39, r.end_time)
-- computes 0 to 4, comes home 4 to 9, cut at 6; again 8 to 13
r = run({ { time = 4, output = 50 } }, 6, 8)
assert(r.status == "complete" and r.end_time == 13, r.end_time)
-- two outputs, one after the other (4 to 9, 9 to 14): the first is home when the second is cut at 10; 12 to 17
r = run({ { time = 4, outputs = { file("a", 50), file("b", 50) } } }, 10, 12)
assert(r.status == "complete" and r.end_time == 17, r.end_time)
-- a policy that is not told is left waiting, and the run says so
policy "deaf" { accepts = { "tasks", "files" }, arrived = function(self, sim, works) sim:post(works[1], 1) end }
r = run({ { time = 7, inputs = { file("in", 100) } } }, 5, 20, "deaf")
assert(r.status == "incomplete" and #r:waiting() > 0)
assert(run({ { time = 7, inputs = { file("in", 100) } } }, 5, 20, "workqueue").end_time == 37)
print("cut and sent again")
