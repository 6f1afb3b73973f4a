-- A policy that acts when it stalls is asked again within an instant as long as something comes of it: work of length zero
-- leaves no run incomplete. One that does nothing is asked once.
-- args: --validate
-- expect: 3	complete	3.0
-- expect: 3	complete	0.0
-- expect: 3	complete	2.0
-- expect: one plan at a time	3	complete
-- expect: one task of a plan	3	complete
-- expect: idle	1	incomplete
-- expect: cancels	1	incomplete
local pair = platform { host "a" {}, host "b" {} }
policy "one_by_one" {
  begin = function(self) self.works = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do table.insert(self.works, w) end end,
  stalled = function(self, sim) sim:start(table.remove(self.works, 1), 1) end,
}
local function tasks(times)
  return scenario { platform = pair, workload = workload.tasks(#times, function(i) return { time = times[i] } end) }
end
for _, times in ipairs { { 1, 1, 1 }, { 0, 0, 0 }, { 1, 0, 1 } } do
  local r = tasks(times):run { policy = "one_by_one" }
  print(r.finished, r.status, r.makespan)
end
local r = tasks { 1, 0, 1 }:run { policy = planner { idle_replan = "never", count = 1 } }
print("one plan at a time", r.finished, r.status)
r = tasks { 1, 0, 1 }:run { policy = planner { idle_replan = "never", subset_size = 1 } }
print("one task of a plan", r.finished, r.status)

-- The count of a policy is seen in its notes.
local function stalls(r)
  local count = 0
  for _, note in ipairs(r:notes()) do if note.name == "stalled" then count = count + 1 end end
  return count
end
policy "idle" { stalled = function(self, sim) sim:note("stalled", 1) end }
r = tasks { 1 }:run { policy = "idle" }
print("idle", stalls(r), r.status)
-- To begin something and drop it again is nothing that has come of it.
policy "cancels" { stalled = function(self, sim) sim:note("stalled", 1) sim:cancel(sim:start(1, 1)) end }
r = tasks { 1 }:run { policy = "cancels" }
print("cancels", stalls(r), r.status)
