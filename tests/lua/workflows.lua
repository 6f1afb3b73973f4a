-- Tasks that wait for each other: ends, files, failures. All numbers by hand.
-- expect: workflows ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- A policy that puts tasks on hosts by name: placed "x=a.1 y=b.1".
local count = 0
local function placed(places)
  count = count + 1
  local name = "placed_" .. count
  policy(name) {
    accepts = { "tasks", "files", "precedence" },
    arrived = function(self, sim, works)
      local host_of, numbers = {}, {}
      for h = 1, sim:host_count() do numbers[sim:host_name(h)] = h end
      for task, host in places:gmatch("(%S+)=(%S+)") do host_of[task] = numbers[host] end
      for _, work in ipairs(works) do sim:post(work, host_of[sim:work_name(work)]) end
    end,
    computed = function(self, sim, works, hosts)
      for i, work in ipairs(works) do sim:fetch(work, hosts[i]) end
    end,
  }
  return name
end

-- { name = { start, finish } } of every task; the trace is valid, and each fork ends alike.
local function times(what, s, policy, expected)
  local r = s:run { policy = policy, validate = true }
  for _, row in ipairs(r:jobs()) do
    same(row.start, expected[row.name][1], ("%s: start of %s"):format(what, row.name))
    same(row.finish, expected[row.name][2], ("%s: finish of %s"):format(what, row.name))
  end
  local sim = s:start { policy = policy }
  for t = 1, 30, 4 do
    sim:run_until(t)
    same(sim:fork():run().fingerprint, r.fingerprint, ("%s: fork at %d"):format(what, t))
  end
  return r
end

local function two_clusters()
  return platform {
    cluster "a" { nodes = 1, link = { bandwidth = 10, latency = 1 } },
    cluster "b" { nodes = 2, link = { bandwidth = 5, latency = 2 } },
  }
end
local function after_x(...)
  return workload.workflow { tasks = { { name = "x", time = 4, outputs = { file("f", 100) } }, ... } }
end

-- A file goes once from cluster to cluster, over both links: 4 + (1 + 2) + 100 / 5 = 27.
local shared = after_x({ name = "y1", time = 3, inputs = { "f" } }, { name = "y2", time = 3, inputs = { "f" } })
local r = times("shared file", scenario { platform = two_clusters(), workload = shared }, placed "x=a.1 y1=b.1 y2=b.2",
                { x = { 0, 4 }, y1 = { 27, 30 }, y2 = { 27, 30 } })
same(r.bytes_between, 100, "bytes between clusters")
same(r.transfers_between, 1, "transfers between clusters")
same(r.slr, 30 / 7, "schedule length ratio: the longest path is x, y1")
times("own cluster", scenario { platform = two_clusters(), workload = shared }, placed "x=a.1 y1=a.1 y2=b.2",
      { x = { 0, 4 }, y1 = { 4, 7 }, y2 = { 27, 30 } })
-- Order alone costs nothing.
times("after", scenario { platform = two_clusters(), workload = workload.tasks {
  { name = "x", time = 4 }, { name = "y1", time = 3, after = { "x" } }, { name = "y2", time = 3, after = { 1 } } } },
  placed "x=a.1 y1=b.1 y2=b.2", { x = { 0, 4 }, y1 = { 4, 7 }, y2 = { 4, 7 } })

-- a's link is taken until 27; the input of z, which arrives at 5, then needs 1 + 50 / 10 s.
local beside = workload.merge(after_x({ name = "y1", time = 3, inputs = { "f" } }, { name = "y2", time = 3, inputs = { "f" } }),
  workload.tasks { { name = "z", time = 2, arrival = 5, inputs = { file("own", 50) } } })
times("a link in use", scenario { platform = two_clusters(), workload = beside }, placed "x=a.1 y1=b.1 y2=b.2 z=a.1",
      { x = { 0, 4 }, y1 = { 27, 30 }, y2 = { 27, 30 }, z = { 33, 35 } })

-- Two files leave over one fair link of 10 B/s: 5 B/s each from 4, so g (50) ends at 14; f has 50 left, at 10 B/s.
times("fair link", scenario {
  platform = platform {
    cluster "a" { nodes = 1, link = { bandwidth = 10, sharing = "fair" } },
    cluster "b" { nodes = 1, link = { bandwidth = 100, sharing = "unlimited" } },
    cluster "c" { nodes = 1, link = { bandwidth = 100, sharing = "unlimited" } },
  },
  workload = workload.tasks {
    { name = "x", time = 4, outputs = { file("f", 100), file("g", 50) } },
    { name = "y", time = 1, inputs = { "f" } }, { name = "z", time = 1, inputs = { "g" } },
  } }, placed "x=a.1 y=b.1 z=c.1", { x = { 0, 4 }, y = { 19, 20 }, z = { 14, 15 } })

-- A cluster goes at 8, and x's output with it: y is lost, x is done again. The chain is x 4, y 10, z 3.
local function chain(more)
  local tasks = {
    { name = "x", time = 4, outputs = { file("f", 1) } },
    { name = "y", time = 10, inputs = { "f" }, outputs = { file("g", 1) } },
    { name = "z", time = 3, inputs = { "g" } },
  }
  for _, each in ipairs(more or {}) do tasks[#tasks + 1] = each end
  return workload.workflow { tasks = tasks }
end
local function pair() return platform { cluster "a" { nodes = 1 }, cluster "b" { nodes = 1 } } end
local gone = { leave { cluster = "a", at = 8 } }
r = times("stranded", scenario { platform = pair(), workload = chain(), events = gone }, "workqueue",
          { x = { 8, 12 }, y = { 12, 22 }, z = { 22, 25 } })
same(r.recomputed, 1, "tasks done again")
same(r:workflows()[1].recomputed, 1, "tasks done again, of the workflow")
-- Another task on b has read the output before: x need not be done again.
r = times("a copy elsewhere", scenario { platform = pair(), workload = chain { { name = "w", time = 1, inputs = { "f" } } }, events = gone },
          "workqueue", { x = { 0, 4 }, w = { 4, 5 }, y = { 8, 18 }, z = { 18, 21 } })
same(r.recomputed, 0, "no task is done again")

-- The cluster is back at 10. b is busy till 11, so that x only waits to be done again: its output is back, and it is not
-- done. y, which was lost, then reads it on b. Where the store comes back empty, x is done, and all is 4 s later.
policy "goes_to_b" {
  accepts = { "tasks", "files", "precedence" },
  arrived = function(self, sim, works) for _, work in ipairs(works) do sim:post(work, sim:work_name(work) == "w" and 2 or 1) end end,
  failed = function(self, sim, works)
    table.sort(works, function(a, b) return sim:work_name(a) < sim:work_name(b) end)  -- x before y, which reads its output
    for _, work in ipairs(works) do sim:post(work, 2) end
  end,
}
for store, expected in pairs { kept = { x = { 0, 10 }, y = { 11, 21 }, z = { 21, 24 }, w = { 0, 11 } },
                               lost = { x = { 11, 15 }, y = { 15, 25 }, z = { 25, 28 }, w = { 0, 11 } } } do
  r = times("store " .. store, scenario { platform = pair(), workload = chain { { name = "w", time = 11 } }, on_failure = { store = store },
    events = { leave { cluster = "a", at = 8 }, join { cluster = "a", at = 10 } } }, "goes_to_b", expected)
  same(r.recomputed, 1, "given back, store " .. store)
  same(r.recovered, store == "kept" and 1 or 0, "spared, store " .. store)
end

-- Two instances of one graph do not share what they make, but share their initial input.
local function instance(i)
  return workload.workflow { name = "w" .. i, tasks = {
    { name = "p" .. i, time = 2, inputs = { file("in", 10) }, outputs = { file("f", 6) } },
    { name = "q" .. i, time = 2, inputs = { "f" } } } }
end
r = times("two instances", scenario {
  platform = platform { cluster "a" { nodes = 2, link = { bandwidth = 10 } }, cluster "b" { nodes = 2, link = { bandwidth = 10 } } },
  workload = workload.workflows { instance(1), instance(2) } }, placed "p1=a.1 p2=a.2 q1=a.1 q2=b.1",
  { p1 = { 1, 3 }, p2 = { 1, 3 }, q1 = { 3, 5 }, q2 = { 3.6, 5.6 } })
same(r.bytes_in, 16, "one transfer of the input, one of an f")

-- Outputs go home: an exit's does, and counts for the finish; one in the middle does not unless asked.
local function homes(home, asked)
  return scenario { platform = platform { cluster "a" { nodes = 1, link = { bandwidth = 10 } } },
    workload = workload.workflow { home = home, tasks = {
      { name = "p", time = 1, outputs = { file("f", 20, { home = asked }) } }, { name = "q", time = 1, inputs = { "f" }, outputs = { file("g", 30) } } } } }
end
local here = placed "p=a.1 q=a.1"
times("exits go home", homes("exits"), here, { p = { 0, 1 }, q = { 1, 5 } })
times("one more goes home", homes("exits", true), here, { p = { 0, 3 }, q = { 1, 6 } })
times("all go home", homes("all"), here, { p = { 0, 3 }, q = { 1, 6 } })
times("none goes home", homes("none"), here, { p = { 0, 1 }, q = { 1, 2 } })

-- A complete network: what is sent takes latency + bytes / bandwidth, whatever else is.
local joined = scenario {
  platform = platform { complete { bandwidth = { { 0, 2 }, { 5, 0 } }, latency = { 1, 3 } }, host "P1" {}, host "P2" {} },
  workload = workload.tasks {
    { name = "x", time = 4, outputs = { file("f", 10) } }, { name = "y", time = 2, inputs = { "f" }, outputs = { file("g", 10) } },
    { name = "z", time = 1, inputs = { "g" } } } }
r = times("complete network", joined, placed "x=P1 y=P2 z=P1", { x = { 0, 4 }, y = { 10, 12 }, z = { 17, 18 } })

-- Policies that know nothing of precedence hear of a task when it is ready.
local plain = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks {
  { name = "a", time = 2 }, { name = "b", time = 3, after = { "a" } }, { name = "c", time = 5, after = { 1 } }, { name = "d", time = 1, after = { "b", "c" } } } }
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative", "mapped", "pending_list", "workqueue" } do
  times(policy, plain, policy, { a = { 0, 2 }, b = { 2, 5 }, c = { 2, 7 }, d = { 7, 8 } })
end

-- An expired task takes all behind it along.
policy "gives_up" {
  accepts = { "tasks", "precedence" },
  arrived = function(self, sim, works) for _, work in ipairs(works) do if sim:is_ready(work) then sim:expire(work) end end end,
}
r = plain:run { policy = "gives_up", validate = true }
for i, row in ipairs(r:jobs()) do same(row.state, i == 1 and "expired" or "rejected", "state of " .. row.name) end

-- Questions of a policy.
policy "asks" {
  accepts = { "tasks", "precedence" },
  arrived = function(self, sim, works)
    if #works == 0 then return end
    same(#works, 4, "works that arrive")
    same(table.concat(sim:predecessors(4), " "), "2 3", "predecessors")
    same(table.concat(sim:successors(1), " "), "2 3", "successors")
    same(sim:state(4), "pending", "state")
    same(sim:workflow(1), 0, "no workflow")
  end,
  ready = function(self, sim, works)
    for _, work in ipairs(works) do self[#self + 1] = work end
  end,
  decide = function(self, sim)
    while #self > 0 and sim:idle_cores(1) > 0 do sim:start(table.remove(self, 1), 1) end
  end,
}
same(plain:run { policy = "asks", validate = true }.makespan, 11, "one host: 2 + 3 + 5 + 1")

-- A run that cannot go on says who waits for whom.
policy "stops" { accepts = { "tasks", "precedence" }, ready = function(self, sim, works) end }
local waits = plain:run { policy = "stops" }
same(waits.status, "incomplete", "status")
same(table.concat(waits:waiting(), "\n"):find("d waits for b", 1, true) ~= nil, true, "who waits")

-- Mistakes.
refused("a -> a", function() return workload.tasks { { name = "a", time = 1, after = { "a" } } } end)
refused("p -> q -> p", function()
  return workload.tasks { { name = "p", time = 1, inputs = { "g" }, outputs = { file("f", 1) } }, { name = "q", time = 1, inputs = { "f" }, outputs = { file("g", 1) } } }
end)
refused("did you mean 'split'?", function() return workload.tasks { { name = "split", time = 1 }, { time = 1, after = { "spilt" } } } end)
refused("after names task 0", function() return workload.tasks { { time = 1, after = { 0 } } } end)
refused("after names task 3", function() return workload.tasks { { time = 1, after = { 3 } }, { time = 1 } } end)
refused("file 'f' is an output of", function()
  return workload.tasks { { time = 1, outputs = { file("f", 1) } }, { time = 1, outputs = { file("f", 1) } } }
end)
refused("file 'f' is 2 B here, but 1 B", function()
  return workload.tasks { { time = 1, outputs = { file("f", 1) } }, { time = 1, inputs = { file("f", 2) } } }
end)
refused("no task of the same list makes file 'g'", function()
  return workload.tasks { { time = 1, outputs = { file("f", 1) } }, { time = 1, inputs = { "g" } } }
end)
refused("complete { } joins all clusters", function()
  return platform { complete {}, cluster "a" { link = { bandwidth = 1 } } }
end)
refused("before the workflow", function()
  return workload.workflow { arrival = 5, tasks = { { time = 1, arrival = 3 } } }
end)

print "workflows ok"
