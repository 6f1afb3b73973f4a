-- The files of the simulator of LIP RR 1999-46 (sections 7.1 and 7.2, Appendices A and B): what is read, and what happens then.
-- takes: a moment
-- perigee run scripts/pst/formats.lua

require "statements"
local verdicts = require "verdicts"

local function says(number, verdict, holds, found, note)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note }
end

-- The code of the error that a function ends with.
local function refusal(f)
  local ok, problem = pcall(f)
  if ok then return "none" end
  return type(problem) ~= "string" and problem.code or problem
end

local function near(a, b) return math.abs(a - b) <= 1e-9 * math.max(1, math.abs(b)) end

-- ---- behaviours: constants, samples, series (7.1), and their files (7.2.1) ----

-- When an amount is done that begins at `start`, at the rates of a circular series whose entry at time 0 is the one of the offset.
local function integrated(start, amount, rates, offset, period)
  local time = start
  while amount > 0 do
    local k = math.floor(time / period + 1e-12)
    local rate, till = rates[(k + offset) % #rates + 1], (k + 1) * period
    if rate * (till - time) >= amount then return time + amount / rate end
    amount, time = amount - rate * (till - time), till
  end
  return time
end
local function entry(time, series, offset, period) return series[(math.floor(time / period + 1e-12) + offset) % #series + 1] end

-- A task of one input on one host of one cluster, by hand: the transfer, after its latency, and the computation.
local function by_hand(bytes, seconds, link, host, link_offset, host_offset, period)
  local begun = entry(0, link.latency, link_offset, period)
  local there = integrated(begun, bytes, link.bandwidth, link_offset, period)
  return there, integrated(there, seconds, host, host_offset, period)
end

local function one_task(bytes, seconds)
  return workload.pst { text = ("WorkDescription 1 1 1\nFile: <0> <a> <%g> <%g>\nWork: <0> <1: 0> <0:> <1: %g> <1: %g>\n"):format(
    bytes, bytes, seconds, seconds) }
end
local function one_host(link_offset, host_offset, options)
  return platform.pst({ text = ("GridDescription 1\n0:ADD_CLUSTER <c> <l> <%d>\n0:ADD_HOST <c> <h> <a> <%d> <0>\n"):format(
    link_offset, host_offset) }, options)
end

do
  -- Each kind has a latency, a bandwidth and an availability; samples are of a uniform, an exponential and a normal law.
  local rng, kinds, right, n, ends = stream("behaviours", 1), {}, 0, 0, {}
  local function samples(draw)
    local list = {}
    for i = 1, 40 do list[i] = draw() end
    return list
  end
  kinds[1] = { "constants", { bandwidth = { 20 }, latency = { 1 } }, { 0.5 } }
  kinds[2] = { "samples", {
    bandwidth = samples(function() return rng:uniform(5, 35) end), latency = samples(function() return rng:exponential(1) end) },
    samples(function() return math.min(1, math.max(0.05, rng:normal(0.5, 0.2))) end) }
  kinds[3] = { "time series", { bandwidth = { 10, 20, 30, 20 }, latency = { 0, 1, 2, 1 } }, { 0.9, 0.5, 0.1, 0.5 } }
  for _, kind in ipairs(kinds) do
    for case = 1, 20 do
      local bytes, seconds, a, b = rng:integer(10, 900), rng:integer(1, 60), rng:integer(0, 9), rng:integer(0, 9)
      local p, events = one_host(a, b, { behaviours = { l = kind[2], a = #kind[3] == 1 and kind[3][1] or kind[3] } })
      local r = scenario { platform = p, events = events, workload = one_task(bytes, seconds) }:run { policy = "workqueue" }
      local start, finish = by_hand(bytes, seconds, kind[2], kind[3], a, b, 5)
      n = n + 1
      if near(r:jobs()[1].start, start) and near(r.makespan, finish) then right = right + 1 end
      if case == 20 then ends[#ends + 1] = kind[1] end
    end
  end
  says("S3-92", "reproduces", right == n, ("a transfer and a computation end as integrated by hand in %d of %d runs with %s of latency, " ..
          "bandwidth and availability")
    :format(right, n, table.concat(ends, ", ")))
end
do
  -- The two files in the folder behaviours, read here once more by hand.
  local link, host = { bandwidth = { 100, 10, 40, 25 }, latency = { 0, 2, 0.5, 0 } }, { 1, 0.2, 0.6 }
  local right, n = 0, 0
  for _, period in ipairs { 5, 12 } do
    for link_offset = 0, 5 do
      for host_offset = 0, 4 do
        local text = ("GridDescription 1\n0:ADD_CLUSTER <c> <uneven> <%d>\n0:ADD_HOST <c> <h> <busy> <%d> <0>\n"):format(link_offset, host_offset)
        local options = { behaviours = "behaviours" }
        if period ~= 5 then options.period = period end
        local p, events = platform.pst({ text = text }, options)
        local r = scenario { platform = p, events = events, workload = one_task(333, 37) }:run { policy = "workqueue" }
        local start, finish = by_hand(333, 37, link, host, link_offset, host_offset, period)
        n = n + 1
        if near(r:jobs()[1].start, start) and near(r.makespan, finish) then right = right + 1 end
      end
    end
  end
  -- A file with one value: the host is stable whatever the offset.
  local finishes = {}
  for offset = 0, 3 do
    local text = ("GridDescription 1\n0:ADD_CLUSTER <c> <uneven> <1>\n0:ADD_HOST <c> <h> <steady> <%d> <0>\n"):format(offset)
    local p, events = platform.pst({ text = text }, { behaviours = "behaviours" })
    local r = scenario { platform = p, events = events, workload = one_task(333, 37) }:run { policy = "workqueue" }
    if near(r.makespan - r:jobs()[1].start, 37 / 0.5) then finishes[#finishes + 1] = offset end
  end
  says("S3-96", "reproduces", right == n and #finishes == 4,
       ("with 5 s and 12 s between values, and offsets up to beyond the end of the series, as by hand in %d of %d runs; with a single value " ..
         "stable in %d of 4")
         :format(right, n, #finishes), "the report prints no file; perigee reads a header with or without the words HostBehavior 1 and " ..
                 "LinkBehavior 1")
end

-- ---- events (7.2.1) ----

local links = { third = { bandwidth = 10 }, slow = { bandwidth = 5, latency = 5 }, all = 1, half = 0.5, quarter = 0.25 }
local function scene(lines, application)
  local p, events = platform.pst({ text = "GridDescription 1\n" .. lines }, { behaviours = links })
  return scenario { platform = p, events = events, workload = workload.pst { text = "WorkDescription 1 " .. application } }
end
local function run(lines, application, policy) return scene(lines, application):run { policy = policy or "workqueue" } end
local start_lines = "0:ADD_CLUSTER <c> <third> <0>\n0:ADD_HOST <c> <h> <all> <0> <0>\n"
local one = "1 1\nFile: <0> <a> <10> <10>\nWork: <0> <1: 0> <0:> <1: 40> <1: 40>\n"  -- 1 s for its file, 40 s on a whole CPU

do
  -- The effect of each event on that task, by hand: it begins at 1 s, and would end at 41 s.
  local effects = {
    { "ADD_CLUSTER", 46, "5:ADD_CLUSTER <c> <third> <0>\n5:ADD_HOST <c> <h> <all> <0> <0>\n" },
    { "ADD_HOST", 49, "0:ADD_CLUSTER <c> <third> <0>\n8:ADD_HOST <c> <h> <all> <0> <0>\n" },
    { "REMOVE_CLUSTER", 71, start_lines .. "20:REMOVE_CLUSTER <c>\n31:ADD_CLUSTER <c> <third> <0>\n31:ADD_HOST <c> <h> <all> <0> <0>\n" },
    { "REMOVE_HOST", 65, start_lines .. "20:REMOVE_HOST <h>\n25:ADD_HOST <c> <h> <all> <0> <0>\n" },
    { "CHANGE_HOST_BEHAVIOR", 61, start_lines .. "21:CHANGE_HOST_BEHAVIOR <h> <half> <0>\n" },
    { "CHANGE_CLUSTER_BEHAVIOR", 41.5, start_lines .. "0.5:CHANGE_CLUSTER_BEHAVIOR <c> <slow> <0>\n" },
  }
  local arguments = { ADD_CLUSTER = 3, ADD_HOST = 5, REMOVE_CLUSTER = 1, REMOVE_HOST = 1, CHANGE_HOST_BEHAVIOR = 3, CHANGE_CLUSTER_BEHAVIOR = 3 }
  local values = { ADD_CLUSTER = { "d", "third", 0 }, ADD_HOST = { "c", "g", "all", 0, 0 }, REMOVE_CLUSTER = { "c" }, REMOVE_HOST = { "h" },
                   CHANGE_HOST_BEHAVIOR = { "h", "half", 0 }, CHANGE_CLUSTER_BEHAVIOR = { "c", "slow", 0 } }
  local right, read, refused = 0, 0, 0
  for _, effect in ipairs(effects) do
    local name, ends, lines = table.unpack(effect)
    local makespan = run(lines, one).makespan
    if near(makespan, ends) then right = right + 1 end
    local given = {}
    for _, value in ipairs(values[name]) do given[#given + 1] = ("<%s>"):format(value) end
    local function read_with(list)
      return refusal(function() scene(start_lines .. ("50:%s %s\n"):format(name, table.concat(list, " ")), one) end)
    end
    if #given == arguments[name] and read_with(given) == "none" then read = read + 1 end
    local fewer, more = { table.unpack(given, 1, #given - 1) }, { table.unpack(given) }
    more[#more + 1] = "<0>"
    for _, list in ipairs { fewer, more } do
      if read_with(list) == "pst_line" then refused = refused + 1 end
    end
  end
  local versions = 0
  for _, header in ipairs { "GridDescription 2", "GridDescription", "# none" } do
    if refusal(function() platform.pst({ text = header .. "\n" .. start_lines }, { behaviours = links }) end) == "pst_header" then
      versions = versions + 1
    end
  end
  local other = refusal(function() scene(start_lines .. "50:STOP_HOST <h>\n", one) end)
  says("S3-97", "reproduces", right == #effects and read == #effects and refused == 2 * #effects and versions == 3 and other == "pst_line",
       ("%d of %d events are read with the arguments printed, %d of %d lines with one argument less or more are refused, %d of 3 wrong " ..
         "headers, and another event; the effect of each is as by hand in %d of %d")
         :format(read, #effects, refused, 2 * #effects, versions, right, #effects))
end
do
  -- Two hosts compute 40 s each from 1 s on; their cluster goes at 20 s. It is back at 30 s, its hosts at 35 s: the file is there.
  local two = "1 2\nFile: <0> <a> <10> <10>\nWork: <0> <1: 0> <0:> <1: 40> <1: 40>\nWork: <1> <1: 0> <0:> <1: 40> <1: 40>\n"
  local both = start_lines .. "0:ADD_HOST <c> <g> <all> <0> <0>\n"
  local gone = both .. "20:REMOVE_CLUSTER <c>\n30:ADD_CLUSTER <c> <third> <0>\n35:ADD_HOST <c> <h> <all> <0> <0>\n35:ADD_HOST <c> <g> <all> <0> <0>\n"
  local back = run(gone, two)
  local elsewhere = run(gone .. "35:ADD_CLUSTER <d> <third> <0>\n", two)
  -- Meanwhile another cluster has to get the file from the origin: from 22 s on, 1 s, then one task after the other.
  local sent_again = run(both .. "20:REMOVE_CLUSTER <c>\n22:ADD_CLUSTER <d> <third> <0>\n22:ADD_HOST <d> <k> <all> <0> <0>\n", two)
  -- A host alone goes at 20 s: its task fails, the other's goes on to 41 s and then does the first.
  local host_gone = run(both .. "20:REMOVE_HOST <h>\n", two)
  local first_lost = host_gone.lost == 1 and near(host_gone.makespan, 81) and near(host_gone.bytes_moved, 10)
  says("S3-98", "reproduces", back.lost == 2 and near(back.makespan, 75) and near(back.bytes_moved, 10) and near(elsewhere.makespan, 75)
         and near(sent_again.makespan, 103) and near(sent_again.bytes_moved, 20) and first_lost,
       ("of a cluster %d tasks fail, and end at %g s after it is back at 30 s and its hosts at 35 s, with %g B sent once; a cluster that " ..
         "does them meanwhile gets the file anew, %g B in all, until %g s; of a host %d task fails, until %g s")
         :format(back.lost, back.makespan, back.bytes_moved, sent_again.bytes_moved, sent_again.makespan, host_gone.lost, host_gone.makespan))
end
do
  -- Order of time, comments and blank lines, architectures.
  local lines = {}
  for line in (start_lines .. "0:ADD_HOST <c> <g> <half> <0> <1>\n10:CHANGE_HOST_BEHAVIOR <h> <quarter> <0>\n15:REMOVE_HOST <g>\n"):gmatch "[^\n]+" do
    lines[#lines + 1] = line
  end
  local work = "1 3\nFile: <0> <a> <10> <10>\nWork: <0> <1: 0> <0:> <2: 40 4> <2: 40 4>\n" ..
               "Work: <1> <1: 0> <0:> <2: 40 4> <2: 40 4>\nWork: <2> <1: 0> <0:> <2: 3 30> <2: 3 30>\n"
  local plain = run(table.concat(lines, "\n") .. "\n", work).fingerprint
  local same, n = 0, 0
  for k = 0, #lines do
    for _, extra in ipairs { "", "# 3:REMOVE_HOST <h>" } do
      local copy = { table.unpack(lines) }
      table.insert(copy, k + 1, extra)
      n = n + 1
      if run(table.concat(copy, "\n") .. "\n", work).fingerprint == plain then same = same + 1 end
    end
  end
  local unsorted, all = 0, 0
  for k = 4, #lines do
    for j = 1, k - 1 do
      local copy = { table.unpack(lines) }
      table.insert(copy, j, table.remove(copy, k))
      if lines[j]:match "^%d+" ~= lines[k]:match "^%d+" then
        all = all + 1
        if refusal(function() scene(table.concat(copy, "\n") .. "\n", work) end) ~= "none" then unsorted = unsorted + 1 end
      end
    end
  end
  -- The host of architecture 1 takes 4 s at half a CPU for what takes 40 s on the other, and 30 s for what takes 3 s there.
  local affine = run(start_lines .. "0:ADD_HOST <c> <g> <all> <0> <1>\n", work, planner { map = "min_min" })
  local where = {}
  for i, job in ipairs(affine:jobs()) do where[i] = job.hosts end
  says("S3-99", "reproduces", same == n and unsorted == all and all > 0 and table.concat(where, " ") == "g g h",
       ("%d of %d files that are not in the order of time are refused; a blank line or a comment anywhere leaves the same run in %d of %d; " ..
         "tasks that take 40 s and 4 s on two architectures, or 3 s and 30 s, go to %s")
         :format(unsorted, all, same, n, table.concat(where, ", ")), "min-min places the tasks; \"sorted\" is read as a " ..
         "rule for the file, which perigee demands, and not as something that the reader does")
end
do
  -- Hosts and clusters that come and go, drawn, under the planner and under workqueue: everything is done in the end, on hosts that were there.
  local grids = require "grids"
  local complete, n, gone = 0, 0, { host = 0, link = 0 }
  for seed = 1, setting("full", false) and 20 or 3 do
    local p, events = grids.grid({ clusters = 4, hosts = 3, churn = { hosts = 0.5, clusters = 0.5, stay = 900, away = 300, till = 2500 } }, seed)
    local w = grids.application { tasks = 40, shared = 1e5 }
    for _, policy in ipairs { planner { map = "extended_sufferage" }, "workqueue" } do
      local r = scenario { platform = p, events = events, workload = w }:run { policy = policy, seed = seed }
      n = n + 1
      if r.status == "complete" and #r:validate() == 0 then complete = complete + 1 end
      for _, row in ipairs(r:resources()) do
        if row.down > 0 then gone[row.kind] = (gone[row.kind] or 0) + 1 end
      end
    end
  end
  says("S3-93", "reproduces", complete == n and gone.host > 0 and gone.link > 0,
       ("%d of %d runs with hosts and clusters that go and come back end with all work done and a valid trace; %d times a host was away, %d " ..
         "times the link of a cluster")
         :format(complete, n, gone.host, gone.link))
end

-- ---- applications (7.2.2) ----

do
  -- A small file with all that the syntax has, in any order of ids; what a policy reads of it, and what is refused.
  local lines = {
    "# files", "File: <2> <out> <5> <6>", "File: <0> <in> <20> <25>", "", "Work: <1> <0:> <1: 2> <2: 3 4> <2: 3.5 4.5>",
    "File: <1> <own> <10> <10>", "Work: <0> <2: 0 1> <0:> <2: 6 2> <2: 5 2.5>",
  }
  local function text(list, files, tasks) return ("WorkDescription 1 %d %d\n%s\n"):format(files or 3, tasks or 2, table.concat(list, "\n")) end
  local function read(list, files, tasks) return refusal(function() workload.pst { text = text(list, files, tasks) } end) end
  local function with(k, line)
    local copy = { table.unpack(lines) }
    copy[k] = line
    return copy
  end
  local wrong = {
    { "another version", refusal(function() workload.pst { text = (text(lines):gsub("Description 1", "Description 2")) } end) },
    { "fewer files than announced", read(lines, 4) }, { "fewer tasks", read(lines, 3, 3) },
    { "a file's id of 3", read(with(2, "File: <3> <out> <5> <6>")) }, { "an id twice", read(with(2, "File: <0> <out> <5> <6>")) },
    { "a task's id of 2", read(with(7, "Work: <2> <2: 0 1> <0:> <2: 6 2> <2: 5 2.5>")) },
    { "no estimated size", read(with(2, "File: <2> <out> <5>")) }, { "no estimated times", read(with(7, "Work: <0> <2: 0 1> <0:> <2: 6 2>")) },
    { "a file after its task", read { lines[2], lines[3], "Work: <0> <2: 0 1> <0:> <2: 6 2> <2: 5 2.5>", lines[6], lines[5] } },
    { "times of one architecture only", read(with(7, "Work: <0> <2: 0 1> <0:> <1: 6> <2: 5 2.5>")) },
  }
  local refused = 0
  for _, each in ipairs(wrong) do if each[2] ~= "none" then refused = refused + 1 end end
  -- A run has the true sizes and times, and a policy sees the estimates.
  policy "reads_estimates" {
    accepts = { "tasks", "files" },
    arrived = function(self, sim, works)
      for _, work in ipairs(works) do
        for host = 1, 2 do sim:note("time", work, host, sim:estimate(work, host)) end
      end
      for file = 1, sim:file_count() do sim:note("size", file, sim:file_size(file)) end
      sim:post(2, 2)
      sim:post(1, 1)
    end,
    computed = function(self, sim, works, hosts)
      for i, work in ipairs(works) do sim:fetch(work, hosts[i]) end
    end,
  }
  local p, events = platform.pst({ text = "GridDescription 1\n" .. start_lines .. "0:ADD_HOST <c> <g> <all> <0> <1>\n" }, { behaviours = links })
  local r = scenario { platform = p, events = events, workload = workload.pst { text = text(lines) } }
    :run { policy = "reads_estimates", information = "declared" }
  local seen = {}
  for _, note in ipairs(r:notes()) do seen[#seen + 1] = note.values end
  local jobs = r:jobs()
  local estimates = table.concat(seen, "; ") == "1 1 5; 1 2 2.5; 2 1 3.5; 2 2 4.5; 1 25; 2 10; 3 6"
  local truth = near(jobs[1].start, 3) and near(jobs[1].finish, 9) and near(jobs[2].start, 0)
  says("S3-102", "reproduces", read(lines) == "none" and refused == #wrong and estimates and truth,
       ("a file with ids in any order, comments and blank lines is %s; %d of %d faulty ones are refused (%s); a policy sees the estimates " ..
         "(task, host, time in s; then file, size in B) %s; the run has the true ones: the first task from %g to %g s")
         :format(read(lines) == "none" and "read" or "refused", refused, #wrong, (function()
           local names = {}
           for i, each in ipairs(wrong) do names[i] = each[1] end
           return table.concat(names, ", ")
         end)(), table.concat(seen, "; "), jobs[1].start, jobs[1].finish), "tasks, hosts and files are counted from 1 here")
end
do
  -- The same truth with other estimates: other plans. Other truth with the same estimates: the same plan, other times.
  local rng, other_plan, same_plan, other_times, cases = stream("estimates", 1), 0, 0, 0, 40
  local function application(times, estimates)
    local lines = { "8 8" }
    for k = 0, 7 do lines[#lines + 1] = ("File: <%d> <f%d> <20> <20>"):format(k, k) end
    for k = 0, 7 do lines[#lines + 1] = ("Work: <%d> <1: %d> <0:> <1: %.6f> <1: %.6f>"):format(k, k, times[k + 1], estimates[k + 1]) end
    return table.concat(lines, "\n") .. "\n"
  end
  local lines = start_lines .. "0:ADD_HOST <c> <g> <half> <0> <0>\n"
  local function drawn()
    local list = {}
    for k = 1, 8 do list[k] = rng:uniform(10, 100) end
    return list
  end
  local function plan(times, estimates)
    local s = scene(lines, application(times, estimates))
    local sim = s:start { policy = planner { map = "min_min" }, information = "declared" }
    local chart = sim:chart()
    chart:fill "min_min"
    local parts = {}
    for _, c in ipairs(chart:computations()) do parts[#parts + 1] = ("%d@%d"):format(c.task, c.machine) end
    return table.concat(parts, " "), sim:run().makespan
  end
  for _ = 1, cases do
    local a, b = drawn(), drawn()
    local first, ends = plan(a, a)
    local second = plan(a, b)
    local third, other_ends = plan(b, a)
    if first ~= second then other_plan = other_plan + 1 end
    if first == third then same_plan = same_plan + 1 end
    if not near(ends, other_ends) then other_times = other_times + 1 end
  end
  says("S3-103", "reproduces", other_plan == cases and same_plan == cases and other_times == cases,
       ("other estimates of the same tasks give another first plan in %d of %d cases; other true times with the same estimates the same " ..
         "plan in %d, and another makespan in %d")
         :format(other_plan, cases, same_plan, other_times), "min-min, run times of 10 to 100 s, information \"declared\"")
end
do
  -- The structures of Figure 8, as a policy in Lua reads them: two clusters, three hosts, two tasks.
  policy "reads_structures" {
    accepts = { "tasks", "files" },
    arrived = function(self, sim)
      for _, file in ipairs { 3, 1, 2 } do sim:transfer(file, 1) end  -- the queue of the first cluster's link, in this order
      sim:post(2, 1)                                                  -- and of its first host
      sim:post(1, 1)
      for host = 1, 3 do sim:note("host", host, sim:cluster(host) == "c" and 1 or 2, #sim:queued_on(host), sim:speed(host), sim:estimate(1, host)) end
      for file = 1, 3 do
        local users, producers = 0, 0
        for work = 1, 2 do
          for _, each in ipairs(sim:inputs(work)) do if each == file then users = users + 1 end end
          for _, each in ipairs(sim:outputs(work)) do if each == file then producers = producers + 1 end end
        end
        sim:note("file", file, sim:file_size(file), users, producers, sim:transfer_time(file, 1), sim:transfer_time(file, 3))
      end
      sim:note("output", #sim:outputs(1), sim:outputs(1)[1], sim:file_name(1) == "a" and 1 or 0, sim:host_name(2) == "g" and 1 or 0)
    end,
    decide = function(self, sim)
      if self.seen or not sim:in_store(3, 1) then return end
      self.seen = true
      for file = 1, 3 do
        sim:note("disk", file, sim:in_store(file, 1) and 1 or 0, sim:in_transfer(file, 1) and 1 or 0, sim:in_store(file, 3) and 1 or 0)
      end
    end,
    computed = function(self, sim, works, hosts)
      for i, work in ipairs(works) do sim:fetch(work, hosts[i]) end
    end,
  }
  local lines = start_lines .. "0:ADD_HOST <c> <g> <half> <0> <0>\n0:ADD_CLUSTER <d> <slow> <0>\n0:ADD_HOST <d> <k> <all> <0> <1>\n"
  local r = run(lines, "4 2\nFile: <0> <a> <10> <10>\nFile: <1> <b> <20> <20>\nFile: <2> <e> <30> <30>\nFile: <3> <out> <5> <5>\n" ..
                       "Work: <0> <2: 0 1> <1: 3> <2: 10 4> <2: 10 4>\nWork: <1> <2: 0 2> <0:> <2: 6 2> <2: 6 2>\n", "reads_structures")
  local seen = {}
  for _, note in ipairs(r:notes()) do
    seen[note.name] = seen[note.name] or {}
    table.insert(seen[note.name], note.values)
  end
  local function is(name, ...)
    local n, right = 0, 0
    for i, wanted in ipairs { ... } do
      n = n + 1
      if (seen[name] or {})[i] == wanted then right = right + 1 end
    end
    return right, n
  end
  local right, n = 0, 0
  for _, each in ipairs {
    { "host", "1 1 2 1 10", "2 1 0 1 20", "3 2 0 1 4" },                         -- its disk, its queue, speed, estimate of a task
    { "file", "1 10 2 0 1 7", "2 20 1 0 2 9", "3 30 1 0 3 11" },                 -- size, users, producers, time to either disk
    { "output", "1 4 1 1" }, { "disk", "1 0 1 0", "2 0 1 0", "3 1 0 0" },        -- its output, names; what is there and what is queued
  } do
    local a, b = is(table.unpack(each))
    right, n = right + a, n + b
  end
  local sent, computed = {}, {}
  for kind, name in r:graph():gmatch 'label="(%S+) (%w+)' do
    if kind == "transfer_in" then sent[#sent + 1] = name elseif kind == "compute" then computed[#computed + 1] = name end
  end
  local fifo = table.concat(sent, " ") == "e a b" and table.concat(computed, " ") == "task1 task0"
  says("S3-95", "reproduces", right == n and fifo and r.status == "complete",
       ("%d of %d records that a policy reads are as declared; files are sent in the order %s in which they were queued, tasks run in the " ..
         "order %s"):format(right, n,
         table.concat(sent, ", "), table.concat(computed, ", ")))
end

-- ---- Appendix A: a grid ----

-- Its clusters by their numbers: when each comes and goes, bandwidth in KB/s and offset of its link; hosts with availability in %, offset
-- and architecture, all there at once with their cluster.
local example = {
  { 3, 0, 200, 100, 5, { 50, 1, 0 }, { 50, 0, 1 } }, { 4, 0, 1500, 100, 12, { 70, 2, 0 }, { 50, 0, 1 } },
  { 5, 0, nil, 100, 13, { 90, 4, 0 }, { 100, 2, 1 } }, { 6, 0, nil, 100, 12, { 100, 0, 0 }, { 100, 0, 1 } },
  { 1, 1000, nil, 10, 2, { 70, 4, 0 }, { 70, 3, 1 } }, { 2, 1000, nil, 1000, 0, { 50, 4, 0 }, { 90, 2, 1 } },
}
local listing = { "GridDescription 1" }
local function add(time, name, ...)
  local parts = {}
  for i, value in ipairs { ... } do parts[i] = ("<%s>"):format(value) end
  listing[#listing + 1] = ("%d:%s %s"):format(time, name, table.concat(parts, " "))
end
local function came(from, to)
  for i = from, to do
    local number, at, _, bandwidth, offset, one, two = table.unpack(example[i], 1, 7)
    add(at, "ADD_CLUSTER", "cluster" .. number, "stable_" .. bandwidth .. "KB", offset)
    for h, host in ipairs { one, two } do
      add(at, "ADD_HOST", "cluster" .. number, ("host%d.%d"):format(number, h), "stable_" .. host[1], host[2], host[3])
    end
  end
end
came(1, 4)
add(200, "REMOVE_CLUSTER", "cluster3")
add(553, "CHANGE_HOST_BEHAVIOR", "host4.2", "loaded_2", 4)
came(5, 6)
add(1500, "REMOVE_CLUSTER", "cluster4")
local last_event = "1550:CHANGE_CLUSTER_BEHAVIOR <cluster3> <stable_100KB> <2>"
-- Behaviours are not printed: here they have one value each, as their names say.
local named = { loaded_2 = 0.4 }
for _, percent in ipairs { 50, 70, 90, 100 } do named["stable_" .. percent] = percent / 100 end
for _, bandwidth in ipairs { 10, 100, 1000 } do named[("stable_%dKB"):format(bandwidth)] = { bandwidth = bandwidth * 1e3 } end
do
  local text = table.concat(listing, "\n") .. "\n"
  local p, events = platform.pst({ text = text }, { behaviours = named })
  local counts, offset = {}, 0
  for line in (text .. last_event .. "\n"):gmatch "[^\n]+" do
    local kind = line:match ":(%u[%u_]+)"
    if kind then counts[kind], counts.all = (counts[kind] or 0) + 1, (counts.all or 0) + 1 end
    offset = math.max(offset, tonumber(line:match "ADD_CLUSTER.*<(%d+)>$") or 0)
  end
  -- Appendix B has tasks of three architectures; hosts here are of 0 and 1, which a task of 10 s and 1 s can tell apart.
  local tasks = { "12 12" }
  for k = 0, 11 do tasks[#tasks + 1] = ("File: <%d> <f> <10> <10>"):format(k) end
  for k = 0, 11 do tasks[#tasks + 1] = ("Work: <%d> <1: %d> <0:> <2: 9000 10> <2: 9000 10>"):format(k, k) end
  local twelve = workload.pst { text = "WorkDescription 1 " .. table.concat(tasks, "\n") .. "\n" }
  local r = scenario { platform = p, events = events, workload = twelve }:run { policy = planner { map = "min_min" } }
  local on = {}
  for _, job in ipairs(r:jobs()) do on[job.hosts:match "%.(%d)$"] = true end
  says("S3-138", "reproduces",
       counts.all == 22 and counts.ADD_CLUSTER == 6 and counts.ADD_HOST == 12 and counts.REMOVE_CLUSTER == 2 and counts.CHANGE_HOST_BEHAVIOR == 1
         and counts.CHANGE_CLUSTER_BEHAVIOR == 1 and #p:hosts() == 12 and offset == 13 and r.status == "complete" and on["2"] and not on["1"],
       ("%d events: %d, %d, %d, %d and %d of the kinds named; %d hosts; offsets up to %d; tasks that are fast on architecture 1 run on the " ..
         "second hosts of clusters alone")
         :format(counts.all, counts.ADD_CLUSTER, counts.ADD_HOST, counts.REMOVE_CLUSTER, counts.CHANGE_HOST_BEHAVIOR, counts.CHANGE_CLUSTER_BEHAVIOR,
                 #p:hosts(), offset), "rebuilt from a table, behaviours of one value as their names say; the last event is counted and not " ..
                         "run, for it names what is away")
  local most, by_time, alone = 0, {}, 0
  for _, time in ipairs { 0, 200, 1000, 1500 } do
    local there = 0
    for _, c in ipairs(example) do if c[2] <= time and (c[3] or math.huge) > time then there = there + 1 end end
    most, by_time[#by_time + 1] = math.max(most, there), ("%d from %d s"):format(there, time)
  end
  for _, line in ipairs(listing) do if line:find "REMOVE_HOST" then alone = alone + 1 end end
  local left = example[1][3]
  says("S3-140", "source in error", #example == 6 and left > 1550,
       ("clusters: %s, so at most %d; %d events remove a host by itself; the event at 1550 s changes a cluster that left at %d s"):format(
         table.concat(by_time, ", "), most, alone, left), "the verdict rests on the event at 1550 s; 6 clusters in all are right, and their " ..
         "hosts come and go with them; perigee ignores an event on what is away, with a warning")
  -- The syntax has the time in brackets; the listing has brackets around arguments only. Both are read here.
  local in_brackets, arguments, lines = 0, 0, 0
  for i = 2, #listing do
    lines = lines + 1
    if listing[i]:match "^<" then in_brackets = in_brackets + 1 end
    if listing[i]:match "^%d+:%u[%u_]+ <[^%s]+>" then arguments = arguments + 1 end
  end
  local other, other_events = platform.pst({ text = (text:gsub("\n(%d+):", "\n<%1>:")) }, { behaviours = named })
  local again = scenario { platform = other, events = other_events, workload = twelve }
  local same = again:run { policy = planner { map = "min_min" } }.fingerprint == r.fingerprint
  says("S3-101", "source in error", in_brackets == lines,
       ("%d of %d lines of the example have the time in brackets, %d the arguments; perigee reads both forms, with the same run: %s"):format(
         in_brackets, lines, arguments, same and "yes" or "no"), "perigee writes the form of the example. " ..
         "Were all brackets of the syntax there for the reader only, those of " ..
         "the example's arguments would be wrong")
end

-- ---- Appendix B: an application ----

do
  local sizes = { 10456, 22356, 1230456, 234559, 1130456, 1230456, 230456, 1334559, 120456, 1223456,
                  230456, 323459, 230456, 334559, 230456, 234559, 230456, 323459, 230456, 334559, 230456, 234559 }
  -- Inputs, times and estimates of each task; its output is the file 10 after its number.
  local works = {
    { "0 1 2", "600 500 600", "610 503 602" }, { "1 2 3", "600 500 600", "590 502 604" }, { "3 4 5", "700 600 600", "703 604 623" },
    { "2 6 8", "300 200 600", "304 206 601" }, { "5 8 9", "500 300 600", "502 308 578" }, { "7 2 3", "300 200 600", "303 210 600" },
    { "4 1 2", "600 500 600", "610 503 592" }, { "9 2 6", "600 500 600", "612 512 600" }, { "2 4 9", "700 600 600", "689 603 620" },
    { "2 6 8", "300 200 600", "256 202 577" }, { "3 8 5", "500 300 600", "512 301 609" }, { "6 2 3", "300 200 600", "300 200 600" },
  }
  local lines = { ("WorkDescription 1 %d %d"):format(#sizes, #works) }
  for k, bytes in ipairs(sizes) do lines[#lines + 1] = ("File: <%d> <file_%d> <%d> <%d>"):format(k - 1, k - 1, bytes, bytes) end
  local uses, most, least_inputs = {}, 0, math.huge
  for k, w in ipairs(works) do
    lines[#lines + 1] = ("Work: <%d> < 3 : %s> < 1 : %d > < 3 : %s > < 3 : %s >"):format(k - 1, w[1], k + 9, w[2], w[3])
    local n, times = 0, {}
    for file in w[1]:gmatch "%d+" do uses[file], n = (uses[file] or 0) + 1, n + 1 end
    least_inputs = math.min(least_inputs, n)
    for time in w[2]:gmatch "%d+" do times[#times + 1] = tonumber(time) end
    local a = 0
    for estimate in w[3]:gmatch "%d+" do
      a = a + 1
      most = math.max(most, math.abs(estimate - times[a]) / times[a])
    end
  end
  local read = workload.pst { text = table.concat(lines, "\n") .. "\n" }
  local shared = 0
  for _, n in pairs(uses) do shared = math.max(shared, n) end
  local architectures = {}
  for a = 0, 3 do
    local grid = ("GridDescription 1\n0:ADD_CLUSTER <c> <third> <0>\n0:ADD_HOST <c> <h> <all> <0> <%d>\n"):format(a)
    local p, events = platform.pst({ text = grid }, { behaviours = links })
    local alone = scenario { platform = p, events = events, workload = read }
    if refusal(function() alone:run { policy = "workqueue" } end) == "none" then architectures[#architectures + 1] = a end
  end
  -- A plan sees the number of files, one output of each task, and the same transfers whether sizes are declared or known.
  local function seen(information)
    local p, events = platform.pst({ text = "GridDescription 1\n0:ADD_CLUSTER <c> <third> <0>\n0:ADD_HOST <c> <h> <all> <0> <0>\n" },
      { behaviours = links })
    local chart = scenario { platform = p, events = events, workload = read }:start { policy = planner {}, information = information }:chart()
    local parts, one = {}, 0
    for f = 1, chart:files() do parts[f] = ("%.9g"):format(chart:transfer_time(f, 1)) end
    for t = 1, chart:tasks() do if #chart:outputs(t) == 1 then one = one + 1 end end
    return chart:files(), one, table.concat(parts, " ")
  end
  local files, one_output, as_declared = seen "declared perfect"
  local _, _, as_known = seen "perfect"
  local as_said = files == 22 and one_output == 12 and as_declared == as_known
    and #read == 12 and least_inputs == 3 and uses["2"] == 9 and shared == 9
    and #architectures == 3 and ("%.1f"):format(100 * most) == "14.7"
  says("S3-141", "reproduces", as_said,
       ("%d files and %d tasks read, %d of which have one output, with %d inputs each and run times on %d architectures; " ..
         "file 2 is in %d tasks, no file in more than %d; estimates " ..
         "are off by at most %.1f %%, sizes by nothing: %s"):format(
         files, #read, one_output, least_inputs, #architectures, uses["2"], shared, 100 * most, as_declared == as_known and "yes" or "no"),
       "rebuilt from tables")
end
