-- The event-driven scheduler of LIP RR 1999-46 (sections 7.3 and 7.4): who is told what, what is done then, traced by hand.
-- takes: a moment
-- perigee run scripts/pst/events.lua
--   --set full=true     more drawn grids

require "statements"
local grids = require "grids"
local figure11 = require "figure11_scenario"
local full = setting("full", false)

local function says(number, verdict, holds, found, note)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note }
end
local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(b)) end

-- Sub-tasks of a run: kind, name, resource, start, finish.
local function subtasks(r)
  local list = {}
  for kind, name, resource, from, to in tostring(r:graph()):gmatch 'label="(%S+) ([^\\]+)\\n([^\\]+)\\n([%d.e+-]+) to ([%d.e+-]+) s"' do
    list[#list + 1] = { kind = kind, name = name, resource = resource, start = tonumber(from), finish = tonumber(to) }
  end
  return list
end
local function plan_times(r, cause)
  local times = {}
  for _, plan in ipairs(r:plans()) do if not cause or plan.cause == cause then times[#times + 1] = plan.time end end
  return times
end
local function text(list)
  local parts = {}
  for i, value in ipairs(list) do parts[i] = ("%g"):format(value) end
  return #parts > 0 and table.concat(parts, ", ") or "none"
end
local function starts(r)
  local list = {}
  for i, job in ipairs(r:jobs()) do list[i] = job.start end
  return list
end

-- ---- decisions at events only (Figure 9) ----

do
  local at_events, all, first, behind, ahead, tasks = 0, 0, 0, 0, 0, 0
  for seed = 1, full and 12 or 2 do
    local p, events = grids.grid({ clusters = 3, hosts = 3, jitter = 0.5, churn = { hosts = 0.5, stay = 900, away = 200, till = 1500 } }, seed)
    local w = grids.application { tasks = 60, shared = 1e5, time_error = 0.3 }
    local r = scenario { platform = p, events = events, workload = w }:run { policy = planner { map = "min_min", interval = 400 },
                                                                              information = "declared mean", seed = seed }
    local times = { 0 }
    for _, t in ipairs(subtasks(r)) do times[#times + 1] = t.finish end
    for _, time in ipairs(plan_times(r)) do times[#times + 1] = time end
    table.sort(times)
    for _, t in ipairs(subtasks(r)) do
      all = all + 1
      for _, time in ipairs(times) do
        if math.abs(time - t.start) <= 1e-4 * math.max(1, time) then
          at_events = at_events + 1
          break
        end
      end
    end
    -- The first plan alone, and tasks that start before it has them.
    local s = scenario { platform = p, workload = w }
    local one = s:start { policy = planner { map = "min_min" }, information = "declared mean", seed = seed }
    local chart = one:chart()
    chart:fill "min_min"
    local planned = {}
    for _, c in ipairs(chart:computations()) do planned[chart:task_name(c.task)] = c.start end
    local ran = one:run()
    first = first + ran:plans()[1].tasks
    for _, job in ipairs(ran:jobs()) do
      tasks = tasks + 1
      if job.start < planned[job.name] - 1e-6 then ahead = ahead + 1 elseif job.start > planned[job.name] + 1e-6 then behind = behind + 1 end
    end
  end
  says("S3-104", "reproduces", at_events == all and first == tasks and ahead > 0,
       ("%d of %d sub-tasks begin when another one ends or a plan is made; a first plan places %d of %d tasks; where times are not as " ..
         "declared %d of these start earlier than the plan has them, %d later")
         :format(at_events, all, first, tasks, ahead, behind), "jittery grids with hosts that come and go; the first plans on such grids " ..
                 "without that")
end

-- ---- a plan takes its time (7.3.1) ----

do
  local tasks = workload.tasks(40, function(i, rng) return { time = rng:uniform(8, 14) } end)
  local takes, interval, found, right = 12, 40, {}, 0
  local makespans = {}
  for keep = 0, 3 do
    local s = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = tasks }
    local r = s:run { policy = planner { map = "min_min", interval = interval, planning_time = takes, keep = keep } }
    local most, begun = 0, 0
    for _, time in ipairs(plan_times(r, "timer")) do
      local of = {}
      for _, job in ipairs(r:jobs()) do
        if job.start > time and job.start < time + takes then
          begun, of[job.hosts] = begun + 1, (of[job.hosts] or 0) + 1
          most = math.max(most, of[job.hosts])
        end
      end
    end
    -- While nothing is kept nothing starts; and never more than what is kept.
    if r.status == "complete" and most <= keep and (begun > 0) == (keep > 0) then right = right + 1 end
    found[#found + 1] = ("%d (at most %d on a host) with %d kept"):format(begun, most, keep)
    makespans[keep] = r.makespan
  end
  says("S3-106", "reproduces", right == 4 and makespans[2] < makespans[0],
       ("tasks that start in the %d s that a plan takes: %s; the makespan is %.0f s with none and %.0f s with " ..
         "two"):format(takes, table.concat(found, ", "), makespans[0],
         makespans[2]), "two hosts, a plan each 40 s; the number of works that are kept is the parameter keep")
end

-- ---- notifications (7.3.2) ----

-- Two hosts without links, eight tasks of 10 s: four for each.
local function two_hosts(events, more)
  local list = {}
  for i = 1, 8 do list[i] = { name = "t" .. i, time = 10 } end
  for _, task in ipairs(more or {}) do list[#list + 1] = task end
  return scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks(list), events = events }
end
do
  policy "told" {
    accepts = { "tasks", "files" },
    begin = function(self) self.waiting = {} end,
    arrived = function(self, sim, works)
      sim:note("arrived", #works)
      for _, work in ipairs(works) do table.insert(self.waiting, work) end
    end,
    finished = function(self, sim, works) sim:note("finished", #works) end,
    failed = function(self, sim, works)
      sim:note("failed", #works)
      for _, work in ipairs(works) do table.insert(self.waiting, work) end
    end,
    cut = function(self, sim, works) sim:note("cut", #works) end,
    host_changed = function(self, sim, hosts) sim:note("host", hosts[1], sim:is_up(hosts[1]) and 1 or 0) end,
    decide = function(self, sim)
      sim:note("decide", #self.waiting)
      for _, host in ipairs(sim:hosts()) do
        if #self.waiting > 0 and #sim:running_on(host) + #sim:queued_on(host) == 0 then sim:post(table.remove(self.waiting, 1), host) end
      end
    end,
  }
  -- The file comes until 2 s, the task runs until 6 s. A task arrives at 10 s, fails at 12 s with its host, that is back at 14 s; the cluster
  -- goes at 15 s, while the file of a third task is on its way.
  local s = scenario {
    platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 10 } }, cluster "d" { nodes = 1, link = { bandwidth = 1 } } },
    workload = workload.tasks { { time = 4, inputs = { file("a", 20) } }, { time = 9, arrival = 10, inputs = { file("a", 20) } },
                                { time = 9, arrival = 13, inputs = { file("b", 20) } } },
    events = { leave { host = "d.1", at = 1 }, leave { host = "c.1", at = 12 }, join { host = "c.1", at = 14 }, leave { cluster = "c", at = 15 },
               join { host = "d.1", at = 16 } },
  }
  local heard, r = {}, s:run { policy = "told" }
  for _, note in ipairs(r:notes()) do heard[("%s@%g"):format(note.name, note.time)] = true end
  local wanted = { { "a new host", "host@14" }, { "new work", "arrived@10" }, { "a work done", "finished@6" }, { "a host failed", "host@12" },
                   { "a work failed", "failed@12" }, { "a disk failed", "host@15" }, { "a transfer done", "decide@2" } }
  local told, names = 0, {}
  for _, each in ipairs(wanted) do
    if heard[each[2]] then told = told + 1 else names[#names + 1] = each[1] end
  end
  -- The planner: what starts in the instant of a notification.
  local function begins_at(result, time)
    for _, job in ipairs(result:jobs()) do if near(job.start, time) then return true end end
    return false
  end
  local late = two_hosts({ leave { host = "c.2", at = 0 }, join { host = "c.2", at = 7 } }):run { policy = planner { map = "min_min" } }
  local lost = two_hosts({ leave { host = "c.2", at = 15 } }):run { policy = planner { map = "min_min" } }
  local linked = scenario { platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 10 } } },
                            workload = workload.tasks { { time = 4, inputs = { file("a", 20) } } } }:run { policy = planner { map = "min_min" } }
  local disk = scenario {
    platform = platform { cluster "c" { nodes = 1 }, cluster "d" { nodes = 1 } },
    workload = workload.tasks(8, function() return { time = 10 } end), events = { leave { cluster = "d", at = 15 } },
  }:run { policy = planner { map = "min_min" } }
  local calm = two_hosts():run { policy = planner { map = "min_min" } }
  local more = two_hosts({}, { { name = "late", time = 10, arrival = 25 } }):run { policy = planner { map = "min_min" } }
  local acted = (begins_at(late, 7) and 1 or 0) + (begins_at(calm, 10) and 1 or 0) + (begins_at(linked, 2) and 1 or 0)
  local quiet = 0
  for _, each in ipairs { { lost, 15 }, { disk, 15 } } do
    local planned = false
    for _, time in ipairs(plan_times(each[1])) do planned = planned or near(time, each[2]) end
    if not begins_at(each[1], each[2]) and not planned and each[1].status == "complete" then quiet = quiet + 1 end
  end
  local untouched = 0
  for i, job in ipairs(calm:jobs()) do if job.start < 25 and near(more:jobs()[i].start, job.start) then untouched = untouched + 1 end end
  local running = 0
  for _, job in ipairs(calm:jobs()) do if job.start < 25 then running = running + 1 end end
  says("S3-107", "reproduces", told == 7 and acted == 3 and quiet == 2 and untouched == running,
       ("a policy is told of %d of 7; a new host, a work done and a transfer done start something in their instant: %d of 3; a host or disk " ..
         "that fails, with its work, starts and plans nothing: %d of 2; new work leaves %d of %d tasks under way as they are")
         :format(told, acted, quiet, untouched, running), "a policy is told of a disk that fails as of its hosts, and of a transfer " ..
         "that is done by a call of `decide`; perigee makes a plan when work arrives after the beginning, the report's applications have none " ..
         "that does")
end
do
  -- The second host goes at 15 s. What it ran and what was in its queue waits until the first one's queue is empty, at 40 s.
  local r = two_hosts({ leave { host = "c.2", at = 15 } }):run { policy = planner { map = "min_min" } }
  local list = starts(r)
  local host_right = near(r.makespan, 70) and near(list[4], 40) and near(list[6], 50) and near(list[8], 60) and text(plan_times(r)) == "0, 40"
  -- A cluster of two hosts goes at 5 s and is back at 8 s, with hosts and link; plans are at 0 and 20 s only. Its transfer under way is lost,
  -- the files behind it are not sent before the next plan. A third host computes all the time.
  local tasks = {}
  for i = 1, 4 do tasks[i] = { name = "t" .. i, times = { ["d.1"] = 10, ["d.2"] = 10 }, inputs = { file("f" .. i, 20) } } end
  tasks[5] = { name = "long", times = { ["e.1"] = 100 } }
  local d = scenario { platform = platform { cluster "d" { nodes = 2, link = { bandwidth = 5 } }, cluster "e" { nodes = 1 } },
                       workload = workload.tasks(tasks), events = { leave { cluster = "d", at = 5 }, join { cluster = "d", at = 8 } } }
    :run { policy = planner { map = "min_min", interval = 20, replan = "none", idle_replan = "never", stop = "never" } }
  local between, before, sent = 0, 0, {}
  for _, t in ipairs(subtasks(d)) do
    if t.kind == "transfer_in" then sent[#sent + 1] = t.start end
    if t.start >= 5 and t.start < 20 - 1e-6 then between = between + 1 elseif t.start < 5 then before = before + 1 end
  end
  says("S3-108", "reproduces", host_right and between == 0 and d.lost > 0 and d.status == "complete",
       ("of a host that goes at 15 s one task is lost and two were in its queue: they start at %g, %g and %g s, after the plan at 40 s " ..
         "(plans at %s s); of a cluster that goes at 5 s, and is back at 8 s, %d sub-tasks start before the next plan at 20 s, the files of " ..
           "its queue are sent from %s s on")
         :format(list[4], list[6], list[8], text(plan_times(r)), between, text(sent)))
end

-- ---- do_schedule() (Figure 10) ----

do
  -- Six tasks of 10 s are declared; those that the plan gives to the second host take 30 s there. The first host is idle at 30 s.
  local function run(steal, idle)
    local tasks = {}
    for i = 1, 6 do tasks[i] = { name = "t" .. i, time = i % 2 == 1 and 10 or 30, estimate = 10 } end
    return scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks(tasks) }
      :run { policy = planner { map = "min_min", steal = steal, idle_replan = idle or "always" }, information = "declared" }
  end
  local with, without, never = run(true), run(false), run(false, "never")
  local first_of_queue = true
  for _, result in ipairs { with, without, never } do
    local list = starts(result)
    first_of_queue = first_of_queue and near(list[1], 0) and near(list[2], 0) and near(list[3], 10) and near(list[5], 20)
  end
  -- Figure 10's links: the first task's output is late, the second one's input is behind it. Its computation takes 40 s and not 10 s.
  local function link(kind)
    return scenario {
      platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 1 } } },
      workload = workload.tasks {
        { time = 40, estimate = 10, inputs = { file("a", 5) }, output = 5 }, { time = 10, inputs = { file("b", 12) }, output = 5 },
      },
    }:run { policy = planner { map = "min_min", links = kind }, information = "declared" }
  end
  local sent = {}
  for _, kind in ipairs { "greedy", "strict" } do
    for _, t in ipairs(subtasks(link(kind))) do if t.kind == "transfer_in" and t.name == "b" then sent[kind] = t.start end end
  end
  local asked = plan_times(without, "idle")
  says("S3-109", "reproduces", first_of_queue and with.stolen > 0 and without.stolen == 0 and #asked > 0
         and #plan_times(never, "idle") == 0 and sent.greedy == 5,
       ("hosts start the first work of their queues in %s of the runs; an idle host takes %d work of another's queue where it may, %d " ..
         "where it may not, and asks for plans at %s s; an input behind an output that is not there is sent at %g s, at %g s where the order is kept")
         :format(first_of_queue and "all" or "not all", with.stolen, without.stolen, text(asked), sent.greedy, sent.strict),
       "idle_replan = \"always\"; the figure asks for a plan also where a work was taken")
end
do
  -- Lines 11 to 13, as they stand, on each queue of one to four files that are inputs, outputs that are ready, or outputs that are not: whether
  -- the search ends at a file of the queue. The figure names no other end.
  local kinds, queues, beyond, beyond_when_all_wait, all_wait = { "input", "ready output", "output" }, 0, 0, 0, 0
  for length = 1, 4 do
    for code = 0, 3 ^ length - 1 do
      local queue, rest, waiting, k = {}, code, true, 1
      for i = 1, length do
        queue[i], rest = kinds[rest % 3 + 1], rest // 3
        waiting = waiting and queue[i] == "output"
      end
      while queue[k] == "output" do k = k + 1 end
      queues = queues + 1
      if waiting then all_wait = all_wait + 1 end
      if not queue[k] then
        beyond = beyond + 1
        if waiting then beyond_when_all_wait = beyond_when_all_wait + 1 end
      end
    end
  end
  -- Line 9 beside it. Runs to which no host comes, with run times that are otherwise than declared: how often a host has an empty queue at the end.
  local literal, plans, runs, ends = 0, { always = 0, pool = 0, never = 0 }, 0, 0
  for seed = 1, full and 20 or 3 do
    local w = workload.tasks(30, function(i, rng)
      local time = rng:uniform(5, 50)
      return { time = time, estimate = time * rng:uniform(0.5, 1.5) }
    end)
    local s = scenario { platform = platform { cluster "c" { nodes = 4 } }, workload = w }
    runs = runs + 1
    for _, when in ipairs { "always", "pool", "never" } do
      local r = s:run { policy = planner { map = "min_min", idle_replan = when }, information = "declared", seed = seed }
      plans[when] = plans[when] + #plan_times(r, "idle")
      if when == "never" then
        local last = {}
        for _, job in ipairs(r:jobs()) do last[job.hosts] = math.max(last[job.hosts] or 0, job.finish) end
        for _, finish in pairs(last) do if finish < r.makespan then literal = literal + 1 end end
      end
    end
  end
  says("S3-110", "source in error", beyond == 0,
       ("the search of lines 12 and 13 goes past the end of %d of %d queues of one to four files, all %d that have only outputs that are not " ..
         "ready and %d others; line 9 asks for %d plans in the last part of %d runs to which no host comes; perigee makes %d plans for idle " ..
         "hosts where it may while a task is in any queue, %d where it may while one is in no queue, %d where it may not")
         :format(beyond, queues, all_wait, beyond - beyond_when_all_wait, literal, runs, plans.always, plans.pool, plans.never),
       "the verdict rests on the search, for which the figure has no end of the queue; perigee ends it there; the plan that line 9 asks for is " ..
         "no error, since 7.3.1 names a host that becomes idle unexpectedly as a case for one and only hopes that well chosen times make it " ..
         "needless, S3-105")
end

-- ---- actions (7.3.4) ----

do
  policy "acts" {
    accepts = { "tasks", "files" },
    arrived = function(self, sim) sim:transfer(1, 1) end,  -- do_store
    decide = function(self, sim)
      if not self.stored and sim:in_store(1, 1) then
        self.stored = true
        sim:note("stored", sim:now())
        self.run = sim:post(1, 1)                            -- do_computation
        sim:timer(5)
      elseif self.back and not self.fetched and sim:at_home(2) then
        self.fetched = true
        sim:note("retrieved", sim:now())
      end
    end,
    timer = function(self, sim)
      if not self.cancelled then
        self.cancelled = true
        sim:cancel(self.run)                                 -- cancel_computation
        sim:note("running", #sim:running_on(1))
        sim:timer(7)
      else
        sim:post(1, 1)
      end
    end,
    computed = function(self, sim)
      sim:note("computed", sim:now())
      sim:discard(1, 1)                                      -- do_remove
      sim:note("removed", sim:in_store(1, 1) and 1 or 0)
      sim:fetch(1, 1)                                        -- do_retrieve
      self.back = true
    end,
  }
  -- The file is there at 2 s; the computation is cancelled at 5 s, begins again at 7 s, ends at 17 s; its output is home at 18 s.
  local r = scenario { platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 10 } } },
                       workload = workload.tasks { { time = 10, inputs = { file("in", 20) }, output = 10 } } }:run { policy = "acts" }
  local seen = {}
  for _, note in ipairs(r:notes()) do seen[note.name] = tonumber(note.values) end
  local actions = (seen.stored == 2 and 1 or 0) + (seen.running == 0 and r.cancelled == 1 and 1 or 0) + (seen.computed == 17 and 1 or 0) +
                  (seen.removed == 0 and 1 or 0) + (r.makespan == 18 and 1 or 0)
  says("S3-111", "reproduces", actions == 5,
       ("%d of 5 do as they should: stored at %g s, cancelled %d time, computed at %g s, removed, retrieved at %g " ..
         "s"):format(actions, seen.stored, r.cancelled, seen.computed,
         r.makespan), "sim:transfer, sim:discard, sim:fetch, sim:post and sim:cancel")
end

-- ---- do_plan() (7.4) ----

do
  local right, n, whole, kept, needed = 0, 0, 0, 0, {}
  for _, factor in ipairs(full and { 1, 2, 3, 5, 10, 20 } or { 2, 3, 5, 10, 20 }) do
    local s = figure11.scenario(600e3, 1)
    local r = s:run { policy = planner { map = "min_min", count = factor } }
    -- The tasks that have not begun by then are looked at.
    for _, plan in ipairs(r:plans()) do
      local left = 0
      for _, job in ipairs(r:jobs()) do if job.start >= plan.time - 1e-9 then left = left + 1 end end
      n = n + 1
      if plan.tasks == math.min(left, 22 * factor) then right = right + 1 end
    end
    if r.finished == 400 then whole = whole + 1 end
    needed[#needed + 1] = ("%d a host: %d"):format(factor, #r:plans())
    if factor < 400 / 22 and #r:plans() == 1 then kept = kept + 1 end
  end
  -- Fewer hosts, fewer tasks; and of those that wait in queues a fixed number stays with each host.
  local half = figure11.scenario(600e3, 1)
  local away = {}
  for h = 1, 12 do away[h] = leave { host = "busy." .. h, at = 0 } end
  local few = scenario { platform = figure11.platform(), workload = half.workload, events = away }
    :run { policy = planner { map = "min_min", count = 2 } }
  local proportional = few:plans()[1].tasks == 10 * 2
  local counts = {}
  for keep = 0, 3 do
    local w = workload.tasks(200, function(i, rng) return { time = rng:uniform(8, 14) } end)
    local r = scenario { platform = platform { cluster "c" { nodes = 5 } }, workload = w }
      :run { policy = planner { map = "min_min", interval = 40, stop = "never", keep = keep } }
    local before = 0
    for _, job in ipairs(r:jobs()) do if job.start < 40 - 1e-6 then before = before + 1 end end
    counts[keep] = 200 - before - r:plans()[2].tasks  -- waits in queues, and is not planned anew
  end
  local fixed = counts[0] <= 1 and counts[1] == 5 and counts[2] == 10 and counts[3] == 15
  says("S3-112", "reproduces", right == n and whole == #needed and proportional and fixed,
       ("with up to 20 tasks a host %d of %d plans place that many times the %d hosts, or what is left; with 10 hosts there, two a host, " ..
         "%d; a plan leaves %d, %d, %d and %d works in the queues of 5 hosts where 0 to 3 are kept")
         :format(right, n, 22, few:plans()[1].tasks, counts[0], counts[1], counts[2], counts[3]), "count and keep; the report gives neither number")
  says("S3-113", "source in error", kept == #needed - 1, ("plans in a run of Figure 11 by section 7.4: %s"):format(table.concat(needed, ", ")),
       "how many tasks a host is not printed; with 400 / 22 or more one plan is enough. perigee can do both")
end
