-- A horizon that ends inside scheduling time: the run is over then, nothing has begun, and what was spent until then counts.
-- expect: thinking horizon ok
local same = require("modules.expect").same
policy "slow" {
  begin = function(self) self.works = {} end,
  arrived = function(self, sim, works)
    self.works = { table.unpack(works) }
    sim:think(10)
  end,
  thought = function(self, sim)
    for _, work in ipairs(self.works) do sim:start(work, 1) end
  end,
}
local s = scenario { platform = platform { host "a" { cores = 2 } }, workload = workload.tasks { { time = 10 }, { time = 5 } } }
-- The policy thinks from 0 to 10 s; the tasks begin then and end at 15 and 20 s.
for _, expected in ipairs {
  { horizon = 4, share = 1, started = 0, finished = 0 }, { horizon = 10, share = 1, started = 2, finished = 0 },
  { horizon = 12.5, share = 0.8, started = 2, finished = 0 }, { horizon = 16, share = 10 / 16, started = 2, finished = 1 },
} do
  local r = s:run { policy = "slow", horizon = expected.horizon, validate = true }
  same(r.status, "horizon", "status")
  same(r.end_time, expected.horizon, "end")
  same(r.scheduler_utilization, expected.share, "share of the time spent on scheduling")
  same(r.finished, expected.finished, "finished")
  local started = 0
  for _, job in ipairs(r:jobs()) do
    if job.start == job.start then started = started + 1 end
  end
  same(started, expected.started, "started")
end
print "thinking horizon ok"
