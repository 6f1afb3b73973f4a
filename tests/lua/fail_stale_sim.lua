-- expect: fail_stale_sim.lua:11: error: this sim belongs to a callback that is over
local kept
policy "keeper" {
  arrived = function(self, sim, works) kept = sim; for _, w in ipairs(works) do sim:start(w, 1) end end,
}
local s = scenario {
  platform = platform { host "a" { cores = 9 } },
  workload = workload.tasks { { time = 1 } },
}
s:run { policy = "keeper" }
print(kept:now())
