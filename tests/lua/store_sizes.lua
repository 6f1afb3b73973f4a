-- Stores that have a size: who waits for room, and who gives it back. All numbers by hand.
-- expect: store sizes ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- Posts tasks on hosts by name: "x=a.1 y=b.1", again where they were lost: "x=a.2". The files that a finished task has read
-- and made leave the store if `keeps` is not set.
local function post_on(self, sim, works, where)
  for task, host in where:gmatch("(%S+)=(%S+)") do
    for _, work in ipairs(works) do
      if sim:work_name(work) == task then sim:post(work, self.numbers[host]) end
    end
  end
end
local count = 0
local function placed(places, again, keeps)
  count = count + 1
  local name = "placed_" .. count
  policy(name) {
    accepts = { "tasks", "files", "precedence" },
    begin = function(self, sim)
      self.numbers = {}
      for h = 1, sim:host_count() do self.numbers[sim:host_name(h)] = h end
    end,
    arrived = function(self, sim, works) post_on(self, sim, works, places) end,
    failed = function(self, sim, works) post_on(self, sim, works, again or places) end,
    computed = function(self, sim, works, hosts)
      for i, work in ipairs(works) do sim:fetch(work, hosts[i]) end
    end,
    finished = function(self, sim, works)
      for _, work in ipairs(keeps and {} or works) do
        for _, files in ipairs { sim:inputs(work), sim:outputs(work) } do
          for _, f in ipairs(files) do
            for h = 1, sim:host_count() do
              if sim:in_store(f, h) then pcall(sim.discard, sim, f, h) end
            end
          end
        end
      end
    end,
  }
  return name
end

local function times(what, s, policy, expected)
  local r = s:run { policy = policy, validate = true }
  same(r.status, "complete", what)
  for _, row in ipairs(r:jobs()) do
    same(row.start, expected[row.name][1], ("%s: start of %s"):format(what, row.name))
    same(row.finish, expected[row.name][2], ("%s: finish of %s"):format(what, row.name))
  end
  local sim = s:start { policy = policy }
  for t = 1, 40, 3 do
    sim:run_until(t)
    same(sim:fork():run().fingerprint, r.fingerprint, ("%s: fork at %d"):format(what, t))
  end
  return r
end
local function linked(store, nodes)
  return platform { cluster "a" { nodes = nodes or 1, store = store, link = { bandwidth = 10, latency = 1 } } }
end
local function free(store) return platform { cluster "a" { nodes = 2, store = store } } end
local two_inputs = workload.tasks { { name = "x", time = 5, inputs = { file("f", 100) } }, { name = "y", time = 2, inputs = { file("g", 100) } } }

-- f comes in 1 + 100 / 10 s. The store has no room for g until x has ended at 16 and f is discarded: g comes at 27.
local both = { x = { 11, 16 }, y = { 27, 29 } }
times("a transfer waits", scenario { platform = linked(150), workload = two_inputs }, placed "x=a.1 y=a.1", both)
times("one byte too few", scenario { platform = linked(199), workload = two_inputs }, placed "x=a.1 y=a.1", both)
times("no byte too few", scenario { platform = linked "200 B", workload = two_inputs }, placed "x=a.1 y=a.1", { x = { 11, 16 }, y = { 22, 24 } })
-- A part of a byte takes a whole one.
local parts = workload.tasks { { name = "x", time = 5, inputs = { file("f", 99.5) } }, { name = "y", time = 2, inputs = { file("g", 100) } } }
times("a part of a byte", scenario { platform = linked(199), workload = parts }, placed "x=a.1 y=a.1", { x = { 10.95, 15.95 }, y = { 26.95, 28.95 } })
-- One copy of a file does for both, and takes its room once.
times("one file for two", scenario { platform = linked(100, 2), workload = workload.tasks {
  { name = "x", time = 5, inputs = { file("f", 100) } }, { name = "y", time = 2, inputs = { file("f", 100) } } } },
  placed("x=a.1 y=a.2", nil, true), { x = { 11, 16 }, y = { 11, 13 } })

-- x makes 80 B, which are kept for it from its start; y, which makes 60 B, waits until they are home and discarded.
local two_outputs = workload.tasks { { name = "x", time = 4, output = 80 }, { name = "y", time = 3, output = 60 } }
times("a computation waits", scenario { platform = free(100), workload = two_outputs }, placed "x=a.1 y=a.2", { x = { 0, 4 }, y = { 4, 7 } })
times("room for both", scenario { platform = free(140), workload = two_outputs }, placed "x=a.1 y=a.2", { x = { 0, 4 }, y = { 0, 3 } })
-- x is lost at 2 with its host, and its room with it.
times("a lost computation", scenario { platform = free(100), workload = two_outputs, events = { leave { host = "a.1", at = 2 } } },
      placed("x=a.1 y=a.2", "x=a.2"), { x = { 5, 9 }, y = { 2, 5 } })
-- It stands still from 2 to 12, and keeps its room.
times("a computation that stands still", scenario { platform = free(100), workload = two_outputs, on_failure = { compute = "resumed" },
  events = { outage { host = "a.1", from = 2, to = 12 } } }, placed "x=a.1 y=a.2", { x = { 0, 14 }, y = { 14, 17 } })

-- The store comes back empty at 25: g, which had no room, comes at 36.
times("a store that is lost", scenario { platform = linked(150), workload = two_inputs, on_failure = { store = "lost" },
  events = { leave { cluster = "a", at = 20 }, join { cluster = "a", at = 25 } } }, placed("x=a.1 y=a.1", nil, true), { x = { 11, 16 }, y = { 36, 38 } })

-- In a workflow f goes from a to b over both links: 4 + 2 + 100 / 10 = 16. There h is kept room for from 5 on, while z,
-- which makes it, runs to 25; 50 + 100 B have no room together. h goes home in 1 + 5 s and is discarded: f comes at 43.
local chain = workload.tasks {
  { name = "x", time = 4, outputs = { file("f", 100) } }, { name = "y", time = 1, inputs = { "f" } }, { name = "z", time = 25, output = 50 } }
local function clusters(store)
  local link = { bandwidth = 10, latency = 1 }
  return platform { cluster "a" { nodes = 1, link = link }, cluster "b" { nodes = 2, link = link, store = store } }
end
times("between clusters", scenario { platform = clusters(149), workload = chain }, placed "x=a.1 y=b.1 z=b.2",
      { x = { 0, 4 }, y = { 43, 44 }, z = { 0, 31 } })
times("between clusters, with room", scenario { platform = clusters(150), workload = chain }, placed "x=a.1 y=b.1 z=b.2",
      { x = { 0, 4 }, y = { 16, 17 }, z = { 0, 31 } })

-- A transfer that is cancelled at 5 gives its room back: g comes at 16, and f, sent again, when y has ended at 18.
policy "changes_its_mind" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim)
    same(sim:room(1), 150, "room at the start")
    self.first = sim:transfer(sim:inputs(1)[1], 1)
    sim:post(2, 1)
    sim:settle()
    same(sim:room(1), 50, "room beside a transfer")
    sim:timer(5)
  end,
  timer = function(self, sim)
    sim:cancel(self.first)
    same(sim:room(1), 150, "room after a transfer")
    sim:post(1, 1, { rank = 1 })
  end,
  finished = function(self, sim, works) sim:discard(sim:inputs(works[1])[1], 1) end,
}
local unlimited = platform { cluster "a" { nodes = 1, store = 150, link = { bandwidth = 10, latency = 1, sharing = "unlimited" } } }
local r = scenario { platform = unlimited, workload = two_inputs }:run { policy = "changes_its_mind", validate = true }
same(r:jobs()[1].start, 29, "x, whose input was sent again")
same(r:jobs()[2].start, 16, "y")

-- A task that cannot start now is refused, and is no host's to take.
policy "starts" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim)
    sim:start(1, 1)
    same(sim:fits(2, 2), false, "no room for its output")
    same(sim:room(2), 20, "room beside a computation")
    refused("start y on host 'a.2': its outputs need 60 B, and 20 B of the 100 B of the store of cluster 'a' are free", function() sim:start(2, 2) end)
  end,
  computed = function(self, sim, works) sim:fetch(works[1], 1) end,
  finished = function(self, sim, works)
    sim:discard(sim:outputs(works[1])[1], 1)
    if works[1] == 1 then sim:start(2, 2) end
  end,
}
same(scenario { platform = free(100), workload = two_outputs }:run { policy = "starts", validate = true }.makespan, 7, "started when there was room")

-- Files of 90 + 50 B fit the store of b alone, those of 90 + 51 B none. A task that waits for p is rejected with it.
local function wide(out)
  return workload.tasks {
    { name = "p", time = 1, inputs = { file("in", 90) }, outputs = { file("out", out) } }, { name = "q", time = 1, inputs = { "out" } } }
end
local sizes = platform { host "a" { store = 100 }, host "b" { store = 140 } }
r = scenario { platform = sizes, workload = wide(50) }:run { policy = placed "p=b q=a", validate = true }
same(r.rejected, 0, "one store is large enough")
same(r.finished, 2, "both")
r = scenario { platform = sizes, workload = wide(51) }:run { policy = placed "p=b q=a", validate = true }
same(r.rejected, 2, "no store is large enough")
same(r.status, "complete", "nothing is left")

-- Nothing is thrown away by itself.
local stuck = scenario { platform = linked(150), workload = two_inputs }:run { policy = placed("x=a.1 y=a.1", nil, true), validate = true }
same(stuck.status, "incomplete", "a transfer waits for ever")
same(stuck:waiting()[2], "file 'g' is posted to cluster 'a' and waits for room: it needs 100 B, and 50 B of the 150 B of the store of cluster 'a' are free",
     "who waits for room")
stuck = scenario { platform = free(100), workload = two_outputs }:run { policy = placed("x=a.1 y=a.2", nil, true), validate = true }
same(stuck.status, "incomplete", "a computation waits for ever")
same(stuck:waiting()[1], "y is posted on a.2 and waits for room: its outputs need 60 B, and 20 B of the 100 B of the store of cluster 'a' are free",
     "which task waits for room")

refused("host 'h': the cluster's hosts share its store", function() cluster "c" { host "h" { store = 1 } } end)
print("store sizes ok")
