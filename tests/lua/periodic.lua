-- A policy that maps what has come each minute: its timer keeps the run going while work is left, unless it is idle, and not for
-- ever. By hand: two tasks a minute, the fifth begins at 180 s and takes 10.
-- expect: every_minute	complete	190.0
-- expect: samples	incomplete	5.0
-- expect: policy 'samples' has a timer for t = 60 s, for which alone no run goes on (idle)
-- expect: never	incomplete	6000000.0
-- expect: policy 'never' has a timer for t = 6000060 s; timers woke 100000 times while nothing progressed
-- expect: both	incomplete	processes and timers woke 100000 times
-- expect: alive	0	complete	70.0
-- expect: plain	1	complete	70.0
-- expect: a timer with keeps_alive = true is not idle
local nodes = platform { cluster "c" { nodes = 2 } }
local s = scenario { platform = nodes, workload = workload.tasks(5, function(i) return { time = 10, arrival = i } end) }
policy "every_minute" {
  begin = function(self, sim) self.w = {} sim:timer(60) end,
  arrived = function(self, sim, works) for _, x in ipairs(works) do table.insert(self.w, x) end end,
  timer = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      if #self.w > 0 and sim:idle_cores(h) > 0 then sim:start(table.remove(self.w, 1), h) end
    end
    sim:timer(sim:now() + 60)
  end,
}
local r = s:run { policy = "every_minute", validate = true }
print("every_minute", r.status, r.makespan)
policy "samples" { begin = function(self, sim) sim:timer(60, { phase = "sample", idle = true }) end }
r = s:run { policy = "samples" }
print("samples", r.status, r.end_time)
print(r:waiting()[#r:waiting()])
-- The last of 100000 timers in vain; the works arrive before the first.
policy "never" {
  begin = function(self, sim) sim:timer(60) end,
  timer = function(self, sim) sim:timer(sim:now() + 60) end,
}
r = s:run { policy = "never" }
print("never", r.status, r.end_time)
print(r:waiting()[#r:waiting()])
r = scenario { platform = nodes, workload = workload.tasks { { time = 1 } }, events = { process(function(sim) while true do sim:wait(60) end end) } }
  :run { policy = "never" }
print("both", r.status, table.concat(r:waiting(), " "):match "processes and timers woke 100000 times")
-- keeps_alive counts as progress: no `stalled`.
for name, keeps in pairs { alive = true, plain = false } do
  policy(name) {
    begin = function(self, sim) sim:timer(60, { keeps_alive = keeps }) end,
    stalled = function(self, sim) sim:note("stalled", 1) end,
    timer = function(self, sim) sim:start(1, 1) end,
  }
  r = scenario { platform = nodes, workload = workload.tasks { { time = 10 } } }:run { policy = name }
  print(name, #r:notes(), r.status, r.makespan)
end
policy "torn" { begin = function(self, sim) sim:timer(60, { keeps_alive = true, idle = true }) end }
local _, message = pcall(s.run, s, { policy = "torn" })
print(message)
