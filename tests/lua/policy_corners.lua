-- Actions that a policy in Lua may take or may not: parts, holds, ids, randomness, arrays of callbacks.
-- args: --validate
-- expect: policies keep to the rules
local function fails(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok, "it should fail with: " .. text)
  assert(tostring(e):find(text, 1, true), tostring(e))
end
local one = platform { host "a" {} }
local two = workload.tasks { { time = 10 }, { time = 5, arrival = 1 } }

-- a task is not divisible, a reservation is held
policy "half" { arrived = function(self, sim, works) sim:start(works[1], 1, { first = 0, size = 0.5 }) end }
fails("cannot be divided", function() scenario { platform = one, workload = two }:run { policy = "half" } end)
policy "computes" { accepts = { "reservations" }, arrived = function(self, sim, works) sim:start(works[1], 1) end }
policy "holds" { accepts = { "reservations" }, arrived = function(self, sim, works)
  sim:hold { work = works[1], hosts = { 1, 2 }, from = 10, to = 20 }
end }
local booked = scenario { platform = platform { cluster "c" { nodes = 2 } },
                          workload = workload.reservations { { hosts = 2, from = 10, to = 20 } } }
fails("a reservation holds hosts", booked.run, booked, { policy = "computes" })
local r = booked:run { policy = "holds" }
assert(r.status == "complete" and r.end_time == 20)

-- work that is lost where no `failed` is told of it stays where it is, and the list of who waits says so
local hosts = platform { cluster "c" { nodes = 5 } }
local broken = scenario { platform = hosts, workload = workload.tasks(5, function(i) return { time = 10, name = "t" .. i } end),
                          events = { outage { host = "c.2", from = 5, to = 6 }, outage { host = "c.5", from = 5, to = 6 } } }
local function waiting_of(name) return table.concat(broken:run { policy = name }:waiting(), "\n") end
local function fields_of(failed)
  return { accepts = { "tasks" }, failed = failed,
           arrived = function(self, sim, works) for i, work in ipairs(works) do sim:post(work, i) end end }
end
policy "deaf" (fields_of())
policy "hears" (fields_of(function(self, sim, works) end))
assert(waiting_of("deaf") == "t2 was lost on c.2, t5 on c.5; policy 'deaf' has no function `failed`, which is told of that\n" ..
  "t2 waits to be started by policy 'deaf'\nt5 waits to be started by policy 'deaf'", waiting_of("deaf"))
assert(not waiting_of("hears"):find("lost", 1, true))
local half = broken:start { policy = "deaf" }
half:run_until(5)
assert(table.concat(half:fork():run():waiting(), "\n") == waiting_of("deaf"))

-- ids that nobody gave out
for i, id in ipairs { 7, 0, -1, 0x7fff00000000 } do
  policy("after" .. i) { arrived = function(self, sim, works) sim:post(works[1], 1, { after = id }) end }
  fails("activity", function() scenario { platform = one, workload = two }:run { policy = "after" .. i } end)
end

-- pieces can be posted: 4 of 10 units at 1 s each, then the others
policy "posts_parts" { accepts = { "loads" }, arrived = function(self, sim, works)
  local first = sim:post(works[1], 1, { size = 4 })
  sim:post(works[1], 2, { size = 6, after = first })
end }
local load = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.loads { { size = 10, time = 1 } } }
assert(load:run { policy = "posts_parts" }.end_time == 10)

-- a run does not depend on what was drawn before it
policy "dice" { arrived = function(self, sim, works) for _, w in ipairs(works) do sim:post(w, math.random(1, 1)) end end }
fails("sim:stream", function() scenario { platform = one, workload = two }:run { policy = "dice" } end)
fails("rng", function()
  scenario { platform = one, workload = workload.tasks(2, function(i) return { time = math.random() } end) }:run { policy = "workqueue" }
end)
assert(math.random() >= 0)   -- outside it draws as ever

-- the array that a callback gets is not the policy's to keep
policy "keeper" { arrived = function(self, sim, works) self.last = works end,
  decide = function(self, sim) for _, h in ipairs(sim:hosts()) do
    for w = 1, sim:work_count() do if sim:state(w) == "waiting" and sim:idle_cores(h) > 0 then sim:start(w, h) end end end end }
local s = scenario { platform = one, workload = two }
local sim = s:start { policy = "keeper" }
sim:run_until(0.5)
fails("self.last", sim.fork, sim)
assert(sim:run().status == "complete")

-- between calls it is empty, and whoever looks at it is told; what the script puts into it makes it its own
local function looks(how, look)
  policy("looks_" .. how) {
    arrived = function(self, sim, works) self.last = self.last or works; for i, w in ipairs(works) do sim:post(w, 1) end end,
    finished = function(self, sim, works, hosts)
      assert(#works == 1 and hosts[1] == 1 and works[2] == nil)
      look(self.last)
    end,
  }
  local good, problem = pcall(s.run, s, { policy = "looks_" .. how })
  assert(not good and problem.code == "stale", how .. ": " .. tostring(problem))
  assert(problem.message:find("this array belongs to a callback that is over; keep a copy of it", 1, true), problem.message)
end
looks("index", function(last) return last[1] end)
looks("length", function(last) return #last end)
looks("ipairs", function(last) for _ in ipairs(last) do end end)
looks("pairs", function(last) for _ in pairs(last) do end end)
looks("unpack", function(last) return table.unpack(last) end)
looks("insert", function(last) table.insert(last, 1) end)
looks("assign", function(last) last.x = 1 end)
looks("concat", function(last) return table.concat(last) end)
policy "collects" {
  arrived = function(self, sim, works)
    for _, w in ipairs(works) do sim:post(w, 1) end
    works[#works + 1] = 0
    self.all = self.all or {}
    table.insert(self.all, works)
  end,
  finished = function(self, sim) assert(#self.all == 2 and self.all[1][1] == 1 and self.all[2][1] == 2 and self.all[1][2] == 0) end,
}
sim = s:start { policy = "collects" }
sim:run_until(2)
assert(sim:fork():run().finished == 2 and sim:run().finished == 2)

-- timers that never were, scores that are none
for i, wrong in ipairs {
  { "must be what sim:timer returned", function(self, sim) sim:cancel_timer(0) end },
  { "must be what sim:timer returned", function(self, sim) sim:cancel_timer(12345) end },
  { "cancel a timer: there was never such a timer", function(self, sim) sim:cancel_timer(0x500000000) end },
  { "score must be a number, got nan", function(self, sim, works) sim:consider(works[1], 1, 0 / 0) end },
} do
  policy("wrong" .. i) { arrived = wrong[2] }
  fails(wrong[1], s.run, s, { policy = "wrong" .. i })
end
policy "late_cancel" {
  arrived = function(self, sim, works) self.timer = sim:timer(2); for _, w in ipairs(works) do sim:post(w, 1) end end,
  finished = function(self, sim) sim:cancel_timer(self.timer) end,   -- it is over: nothing happens
}
assert(s:run { policy = "late_cancel" }.status == "complete")

-- a run that has come to its horizon is over
sim = s:start { policy = "workqueue", horizon = 0.5 }
sim:run()
fails("the run is over (horizon)", sim.set_policy, sim, "workqueue")

-- a cluster that comes back brings its hosts, unless told otherwise
local function away(options)
  options.cluster, options.at = "c", 7
  return scenario { platform = platform { cluster "c" { nodes = 2 }, cluster "d" { nodes = 1 } },
                    workload = workload.tasks { { time = 10 }, { time = 10 } },
                    events = { leave { cluster = "c", at = 5 }, outage { cluster = "d", from = 0, to = 100 }, join(options) } }
end
assert(away({}):run { policy = "workqueue" }.end_time == 17)
assert(away({ with_hosts = false }):run { policy = "workqueue" }.end_time == 120)
fails("link", function() return leave { link = "c.link", at = 1 } end)
print("policies keep to the rules")
