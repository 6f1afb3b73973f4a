-- A fork goes on as the original would have, whatever the policy is written in; interventions change one copy only.
-- expect: forks agree
policy "stack" {
  parameters = { bonus = 0 },
  begin = function(self, sim) self.works, self.shared = {}, {}; self.loop = self; self.again = self.shared end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  failed = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  decide = function(self, sim)
    assert(self.loop == self and self.again == self.shared)
    for _, h in ipairs(sim:hosts()) do
      while sim:idle_cores(h) > 0 and #self.works > 0 do sim:start(table.remove(self.works), h) end
    end
  end,
}
local s = scenario {
  platform = platform { cluster "a" { nodes = 3 } },
  workload = workload.tasks(40, function(i, rng) return { time = rng:uniform(5, 15), arrival = rng:uniform(0, 60) } end),
}
for _, name in ipairs { "workqueue", "stack" } do
  local whole = s:run { policy = name, seed = 3 }
  local sim = s:start { policy = name, seed = 3 }
  local forks = {}
  while not sim:over() do
    forks[#forks + 1] = sim:fork()
    sim:step()
  end
  assert(sim:result().full_fingerprint == whole.full_fingerprint)
  for i, f in ipairs(forks) do assert(f:run().full_fingerprint == whole.full_fingerprint, name .. " " .. i) end
end

local sim = s:start { policy = "stack" }
sim:run_until(20)
local a, b = sim:fork(), sim:fork()
b:fail "a.1"
a:run()
b:run()
assert(a:result().fingerprint ~= b:result().fingerprint)
assert(a:result().fingerprint == s:run { policy = "stack" }.fingerprint)
local c = sim:fork()
c:set_policy "workqueue"
assert(c:run().status == "complete")
assert(#compare(a, b) == 2)
print("forks agree")
