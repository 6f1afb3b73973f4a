-- Arguments are checked when the call is made, whether or not somebody asks why, and before anything is drawn.
local s = scenario { platform = platform { host "h" {} }, workload = workload.tasks { { time = 1 } } }
local function refused(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok and e.message:find(text, 1, true), tostring(e))
end
policy "scores" { arrived = function(self, sim) sim:consider(1, 1, {}) sim:start(1, 1) end }
policy "reasons" { arrived = function(self, sim) sim:consider(1, 1, 2, {}) sim:start(1, 1) end }
refused("consider: score must be a number, got a table", s.run, s, { policy = "scores" })
refused("consider: the reason must be a text, got a table", s.run, s, { policy = "reasons" })
refused("run must be a function of the replication's number, got 3", stats.replicate, { run = 3 })
