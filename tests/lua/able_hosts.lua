-- Work never starts where it cannot run: workqueue on a sweep, a planner that steals, a policy that trusts sim:fits. By hand:
-- four runs of 1 s on the one host that can; 5 + 5 s on a, where b can run the third task alone.
-- args: --validate
-- expect: workqueue	4.0	complete
-- expect: two runs at a time	6.0	complete
-- expect: no theft	10.0	complete
-- expect: trusting	11.0	complete
local ab = platform { host "a" {}, host "b" {} }
local r = scenario { platform = ab, workload = workload.sweep { runs = 4, times = { a = 1 } } }:run { policy = "workqueue" }
print("workqueue", r.makespan, r.status)
-- b takes 3 s for a run, c none: a has 2 packages of 2 runs, or b one. Packages go out in the order of the hosts: a and b begin
-- at 0; a is done at 2 and takes nothing more, b at 6.
r = scenario {
  platform = platform { host "c" {}, host "a" {}, host "b" {} }, workload = workload.sweep { runs = 4, times = { a = 1, b = 3 } },
}:run { policy = workqueue { chunk = 2 } }
print("two runs at a time", r.makespan, r.status)
local tasks = workload.tasks { { times = { a = 5 } }, { times = { a = 5 } }, { times = { a = 1, b = 1 } } }
r = scenario { platform = ab, workload = tasks }:run { policy = planner { steal = true } }
print("no theft", r.makespan, r.status)
-- The first host that fits, in order: both long tasks and the third on a would be 11, and so it is, one after the other.
policy "trusting" {
  begin = function(self) self.works = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do table.insert(self.works, w) end end,
  decide = function(self, sim)
    local left = {}
    for _, w in ipairs(self.works) do
      local given = false
      for _, h in ipairs(sim:hosts()) do
        if not given and sim:fits(w, h) then sim:start(w, h) given = true end
      end
      if not given then table.insert(left, w) end
    end
    self.works = left
  end,
}
r = scenario { platform = platform { host "b" {}, host "a" {} }, workload = workload.tasks { { times = { a = 5 } }, { times = { a = 5 } }, { times = { a = 1 } } } }
  :run { policy = "trusting" }
print("trusting", r.makespan, r.status)
