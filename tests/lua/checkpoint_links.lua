-- Dumps that are sent over links, and those that policies ask for. All numbers by hand.
-- expect: checkpoints over links ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused
local policies = { "fcfs", "sjf", "easy", "conservative" }

-- Hosts behind a link of 10 B/s.
local function on(nodes, jobs, more, sharing, latency)
  local declared = {
    platform = platform { cluster "n" { nodes = nodes, link = { bandwidth = 10, sharing = sharing, latency = latency or 0 } } },
    workload = workload.jobs(jobs),
  }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end
local function check(what, s, expected, policy, options)
  local request = { policy = policy or "fcfs", validate = true, trace = "full" }
  for key, value in pairs(options or {}) do request[key] = value end
  local r = s:run(request)
  local rows = r:jobs()
  for i, row in ipairs(expected) do
    for key, value in pairs(row) do
      same(rows[i][key], value, ("%s of job %d, %s, under %s"):format(key, i, what, tostring(policy)))
    end
  end
  return r
end
local function link_of(r)
  for _, row in ipairs(r:resources()) do if row.resource == "n.link" then return row end end
end
local function parts(r, what, expected)
  for part, seconds in pairs(expected) do same(r["core_time." .. part], seconds, what .. ": core_time." .. part) end
end

-- 20 B take 2 s. Alone a dump of 20 B is one that costs 2 s: 35 s take three of them, 30 s two.
local each10 = { interval = 10, bytes = 20, link = "n.link" }
for _, policy in ipairs(policies) do
  for _, sharing in ipairs { "exclusive", "fair", "unlimited" } do
    check(sharing, on(1, { { time = 35, checkpoint = each10 } }, {}, sharing), { { finish = 41 } }, policy)
    check(sharing, on(1, { { time = 30, checkpoint = each10 } }, {}, sharing), { { finish = 34 } }, policy)
    -- A latency of 1 s comes before each.
    check(sharing .. ", latency", on(1, { { time = 35, checkpoint = each10 } }, {}, sharing, 1), { { finish = 44 } }, policy)
  end
end

-- Two jobs of 10 s on a host each dump after 4 and 8 s of computing, 2 s each on an idle link.
-- One at a time: 4-6 and 6-8; then 10-12 of the first, which ends at 14, and 12-14 of the other.
-- Half the bandwidth each: both 4-8 and 12-16. The whole each: both 4-6 and 10-12.
local each4 = { interval = 4, bytes = 20, link = "n.link" }
local pair = { { time = 10, checkpoint = each4 }, { time = 10, checkpoint = each4 } }
for sharing, ends in pairs { exclusive = { 14, 16, 8 }, fair = { 18, 18, 8 }, unlimited = { 14, 14, 4 } } do
  for _, policy in ipairs(policies) do
    local r = check(sharing, on(2, pair, {}, sharing), { { finish = ends[1] }, { finish = ends[2] } }, policy)
    same(link_of(r).busy, ends[3], sharing .. ": busy")
    same(link_of(r).activities, 4, sharing .. ": transfers")
    same(link_of(r).bytes, 80, sharing .. ": bytes")
    parts(r, sharing, { useful = 20, dump = ends[1] + ends[2] - 20, restart = 0, lost = 0 })
  end
end
-- With a latency of 1 s: 4-5, then both until 9; 13-14, until 18; 2 s.
check("fair, latency", on(2, pair, {}, "fair", 1), { { finish = 20 }, { finish = 20 } })
-- Other transfers count too: a file of 20 B is sent from 4 on, so that both have 5 B/s until 8. The second dump is alone.
policy "with_file" { accepts = { "jobs", "tasks", "files", "several_hosts" },
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      if #sim:inputs(work) > 0 then sim:post(work, 2) else sim:start(work, 1) end
    end
  end }
check("beside a file", on(2, {}, { workload = workload.merge { workload.jobs { { time = 10, checkpoint = each4 } }, workload.tasks { { time = 1, arrival = 4, inputs = { file("f", 20) } } } } }, "fair"),
      { { finish = 16 }, { start = 8 } }, "with_file")

-- The link goes away from 5 to 20, in the dump that began at 4. Lost, it is skipped: 4 s more of computing until 9, the
-- dump that begins then waits for the link, 20-22, and 2 s are left. Resumed: 1 s of it is left at 20; 21-25, 25-27, 29.
-- Restarted: 20-22, 22-26, 26-28, 30.
for rule, finish in pairs { lost = 24, resumed = 29, restarted = 30 } do
  for _, policy in ipairs(policies) do
    check(rule, on(1, { { time = 10, checkpoint = each4 } },
                   { events = { outage { link = "n.link", from = 5, to = 20 } }, on_failure = { transfer = rule } }),
          { { finish = finish } }, policy)
  end
end
-- Nobody is told: it stands still until 20, is lost then, and skipped: 20-24, 24-26, 28.
check("lost later", on(1, { { time = 10, checkpoint = each4 } },
                       { events = { outage { link = "n.link", from = 5, to = 20, announced = false } } }), { { finish = 28 } })
-- Half the bandwidth from 5 on: 10 B are left then, 2 s; 7-11, 11-15, 2 s.
check("slower", on(1, { { time = 10, checkpoint = each4 } }, { events = { change { link = "n.link", at = 5, factor = 0.5 } } }),
      { { finish = 17 } })

-- n.1 goes away at 7, when 4 s are saved. On n.2: 1 s and 2 s to read, 6 s with a dump in between.
local restarting = { interval = 4, bytes = 20, link = "n.link", restart = 1 }
local function away(from, to, more, checkpoint)
  local events = { outage { host = "n.1", from = from, to = to } }
  for _, each in ipairs(more or {}) do events[#events + 1] = each end
  return on(2, { { time = 10, checkpoint = checkpoint or restarting } }, { events = events })
end
for _, policy in ipairs(policies) do
  local r = check("restart", away(7, 100), { { start = 0, finish = 18, run = 18, attempts = 2 } }, policy)
  parts(r, "restart", { useful = 10, dump = 4, restart = 3, lost = 1 })
  -- The link goes away at 9, while it reads: that attempt is lost. From 9 on the same again; it reads from 10 to 12.
  r = check("restart lost", away(7, 100, { outage { link = "n.link", from = 9, to = 10 } }), { { finish = 20, attempts = 3 } }, policy)
  same(r:attempts()[2].state .. " " .. r:attempts()[2].reason, "lost outage", "the attempt whose restart is lost")
  same(r:attempts()[2].finish, 9, "its end")
  parts(r, "restart lost", { useful = 10, dump = 4, restart = 3, lost = 1 + 2 })
end
-- Under `restarted` it reads on its own host: 100, 1 s, 2 s, 6 s with a dump.
check("restarted", on(1, { { time = 10, checkpoint = restarting } },
                      { events = { outage { host = "n.1", from = 7, to = 100 } }, on_failure = { compute = "restarted" } }),
      { { finish = 111 } })

-- A host goes away at 5, in the dump: the link is free for the other job, whose dump waits from 4.5 on: 5-7, and 1.5 s.
-- Lost, the first job begins anew on n.2 at 8.5: 4 + 2 + 4 + 2 + 2 s. Resumed at 20, it sends the dump again: 22, 26, 28, 30.
local later = { interval = 4.5, bytes = 20, link = "n.link" }
for rule, finish in pairs { lost = 22.5, resumed = 30 } do
  for _, policy in ipairs { "fcfs", "easy", "conservative" } do
    check("a host in the dump, " .. rule,
          on(2, { { time = 10, checkpoint = each4 }, { time = 6, checkpoint = later } },
             { events = { outage { host = "n.1", from = 5, to = 20 } }, on_failure = { compute = rule } }),
          { { finish = finish }, { finish = 8.5 } }, policy)
  end
end
-- A host in the restart, which is read from 8.5 to 10.5: away from 9.5 to 30, the job begins anew, and reads again.
check("a host in the restart",
      on(1, { { time = 10, checkpoint = restarting } },
         { events = { outage { host = "n.1", from = 7, to = 7.5 }, outage { host = "n.1", from = 9.5, to = 30 } },
           on_failure = { compute = "restarted" } }),
      { { finish = 30 + 1 + 2 + 4 + 2 + 2 } })

-- Limits as with a cost: 30 s, dumps of 1 s after each 6 s, 1 + 1 s to restart: 0-16, 20-36, 36-44.
local limited = { { time = 30, limit = 16, checkpoint = { interval = 6, bytes = 10, link = "n.link", restart = 1 } }, { time = 4, arrival = 5 } }
for _, policy in ipairs(policies) do
  local r = check("limits", on(1, limited, { at_limit = "requeue" }), { { finish = 44, run = 40 }, { start = 16 } }, policy)
  parts(r, "limits", { useful = 34, dump = 4, restart = 4, lost = 2, killed = 0 })
end
-- 3 s from the limit on, within 4 s of grace: 13, 1 s, 3 s, 5 s. Within 2 s it is not whole.
local last = { interval = 100, bytes = 30, link = "n.link", restart = 1 }
check("a last dump", on(1, { { time = 15, limit = 10, grace = 4, checkpoint = last } }, { at_limit = "checkpoint" }), { { finish = 22, run = 22 } })
check("no time for it", on(1, { { time = 15, limit = 10, grace = 2, checkpoint = last } }, { at_limit = "checkpoint" }),
      { { state = "killed", finish = 12 } })

-- A job that waits behind such a job is promised the end that the idle link gives.
local promised = on(2, { { nodes = 2, time = 35, checkpoint = each10 }, { nodes = 2, time = 5, arrival = 1 }, { time = 40, arrival = 2 } })
check("promises", promised, { { finish = 41 }, { start = 41 }, { start = 46 } }, "easy")
check("promises", promised, { { finish = 41 }, { start = 41 }, { start = 46 } }, "conservative")

-- Young's interval where a dump takes 1 + 10 / 10 s on the idle link: sqrt(2 x 2 x 25) = 10.
local young = on(2, { { nodes = 2, time = 35, checkpoint = { interval = "young", bytes = 10, link = "n.link" } } },
                 { events = { failures { cluster = "n", mtbf = 50, mttr = 1e-6 } }, on_failure = { compute = "resumed", transfer = "resumed" } },
                 "exclusive", 1)
local drawn = young:run { policy = "fcfs", seed = 3, validate = true, trace = "full" }:jobs()[1].finish
same(drawn >= 41 and drawn < 46, true, "Young's interval")  -- a dump in which a host fails is sent again

-- ---- what policies may do ----

-- A job of 20 s; another comes at 3 and goes first. A policy that starts by priority, and clears the host as `how` says.
local told
local function clearing(name, how)
  policy(name) { accepts = { "jobs", "several_hosts", "limits" },
    arrived = function(self, sim, works)
      for _, work in ipairs(works) do if sim:priority(work) > 0 then how(sim, sim:running_on(1)[1]) end end
    end,
    saved = function(self, sim, works) told[#told + 1] = ("saved %d at %g"):format(works[1], sim:now()) end,
    requeued = function(self, sim, works) told[#told + 1] = ("requeued %d at %g, line %s"):format(works[1], sim:now(), table.concat(sim:line(), " ")) end,
    decide = function(self, sim)
      local line = { table.unpack(sim:line()) }
      table.sort(line, function(a, b) return sim:priority(a) > sim:priority(b) end)
      for _, work in ipairs(line) do if sim:fits(work, { 1 }) then sim:start(work, { 1 }) end end
    end }
end
local function two(checkpoint)
  return on(1, { { time = 20, checkpoint = checkpoint }, { time = 10, arrival = 3, priority = 1 } })
end
clearing("dumping", function(sim, id) sim:checkpoint(id, { requeue = true }) end)
clearing("requeueing", function(sim, id) sim:requeue(id) end)
clearing("saving", function(sim, id) sim:checkpoint(id) end)
for what, checkpoint in pairs { cost = { interval = 100, cost = 2, restart = 2 }, bytes = { interval = 100, bytes = 20, link = "n.link" } } do
  -- 3 s are saved at 5; the other, 5 to 15; 2 s to read, 17 s.
  told = {}
  local r = check("dump, then requeue, " .. what, two(checkpoint), { { finish = 34, start = 0, attempts = 2 }, { start = 5 } }, "dumping")
  same(table.concat(told, "; "), "saved 1 at 5; requeued 1 at 5, line 1 2", "told")
  same(r:attempts()[1].state .. " " .. r:attempts()[1].reason, "requeued policy", "the first attempt")
  parts(r, what, { useful = 30, dump = 2, restart = 2, lost = 0 })
  -- Nothing is saved: 3 to 13, and 20 s.
  told = {}
  r = check("requeue, " .. what, two(checkpoint), { { finish = 33, start = 13 }, { start = 3 } }, "requeueing")
  same(table.concat(told, "; "), "requeued 1 at 3, line 1", "told")  -- the other has started by then
  parts(r, what, { useful = 30, dump = 0, lost = 3 })
  -- The dump alone: 22 s, and 10 s.
  told = {}
  check("dump, " .. what, two(checkpoint), { { finish = 22 }, { finish = 32 } }, "saving")
  same(table.concat(told, "; "), "saved 1 at 5", "told")
end
-- After a dump that was asked for the interval begins anew: 3 s, 2 s, 6 s, 2 s, 6 s, 2 s, 5 s.
told = {}
check("interval", two { interval = 6, cost = 2 }, { { finish = 26 }, { finish = 36 } }, "saving")
same(table.concat(told, "; "), "saved 1 at 5; saved 1 at 13; saved 1 at 21", "told of all")
-- A dump that is lost with its link does not requeue: 3 s, lost at 4, 17 s.
told = {}
check("lost when asked for", on(1, { { time = 20, checkpoint = { interval = 100, bytes = 20, link = "n.link" } }, { time = 10, arrival = 3, priority = 1 } },
                                { events = { outage { link = "n.link", from = 4, to = 9 } } }), { { finish = 21 }, { finish = 31 } }, "dumping")
same(#told, 0, "told of nothing")
-- A job without a checkpoint can be requeued, and so can one without a Shape.
check("no checkpoint", two(nil), { { finish = 33 }, { start = 3 } }, "requeueing")
-- A fork between the dump and its end goes the same way.
policy "forked" { accepts = { "jobs", "several_hosts" },
  arrived = function(self, sim, works)
    if sim:priority(works[1]) > 0 then sim:checkpoint(sim:running_on(1)[1], { requeue = true }) else sim:start(works[1], 1) end
  end,
  requeued = function(self, sim, works) sim:start(2, 1) end,
  finished = function(self, sim, works) if works[1] == 2 then sim:start(1, 1) end end }
local sim = two({ interval = 100, bytes = 20, link = "n.link" }):start { policy = "forked" }
sim:run_until(4)
local fork = sim:fork()
same(fork:run():jobs()[1].finish, 34, "a fork in the dump")
same(sim:run():jobs()[1].finish, 34, "its original")

-- A refused action of a policy names the job, and why.
local function cannot(text, jobs, at, f, more)
  policy("cannot" .. text:gsub("%W", "_")) { accepts = { "jobs", "several_hosts", "limits" },
    begin = function(self, sim) sim:timer(at) end,
    arrived = function(self, sim, works) for _, work in ipairs(works) do sim:start(work, { work }) end end,
    failed = function(self, sim, works) end,
    timer = function(self, sim) f(sim, sim:running_on(1)[1]) end }
  refused(text, function() on(2, jobs, more):run { policy = "cannot" .. text:gsub("%W", "_") } end)
end
local dump = function(sim, id) sim:checkpoint(id) end
local written = { { time = 20, checkpoint = { interval = 4, cost = 2, restart = 3 } } }
cannot("it declares no checkpoint", { { time = 20 } }, 3, dump)
cannot("a dump of it is under way", written, 5, dump)
cannot("its last whole dump holds all that is computed", written, 6, dump)
cannot("it stands still while a host of it is away", written, 3, dump,
       { events = { outage { host = "n.1", from = 2, to = 9 } }, on_failure = { compute = "resumed" } })
cannot("it is in its fixed phase", written, 11, dump,
       { events = { outage { host = "n.1", from = 7, to = 9 } }, on_failure = { compute = "restarted" } })
policy "at_once" { accepts = { "jobs", "several_hosts" },
  arrived = function(self, sim, works) sim:checkpoint(sim:start(works[1], 1)) end }
refused("nothing has been computed that a dump could hold", function() on(1, written):run { policy = "at_once" } end)
cannot("requeue must be true or false", written, 3, function(sim, id) sim:checkpoint(id, { requeue = 1 }) end)
cannot("it is over", { { time = 2 }, { time = 9 } }, 1, function(sim, id) sim:requeue(id) sim:requeue(id) end)

-- ---- bad input ----

local function bad(text, checkpoint)
  local ok, problem = pcall(function() on(1, { { time = 1, checkpoint = checkpoint } }):run { policy = "fcfs" } end)
  same(ok, false, text)
  same(problem.code, "bad_checkpoint", text)
  if not tostring(problem):find(text, 1, true) then error(tostring(problem) .. " is not " .. text, 2) end
  same(tostring(problem):find("checkpoint_links.lua:%d+: ") ~= nil, true, "the line of " .. text)
end
bad("bytes need the 'link'", { interval = 1, bytes = 1 })
bad("link is where 'bytes' go", { interval = 1, link = "n.link" })
bad("bytes over a link stand in place of 'cost'", { interval = 1, bytes = 1, cost = 1, link = "n.link" })
bad("bytes must be", { interval = 1, bytes = 0, link = "n.link" })
bad("the platform has no link 'n.lnk'; did you mean 'n.link'?", { interval = 1, bytes = 1, link = "n.lnk" })
refused("the platform has no link 'io'; it declares none", function()
  scenario { platform = platform { host "a" {} }, workload = workload.jobs { { time = 1, checkpoint = { interval = 1, bytes = 1, link = "io" } } } }:run { policy = "fcfs" }
end)
print "checkpoints over links ok"
