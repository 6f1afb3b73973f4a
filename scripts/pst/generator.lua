-- The generator of LIP RR 1999-46 (section 8) with the set of Figure 11, and sentences about its own program and pages that contradict each other.
-- takes: a moment
-- perigee run scripts/pst/generator.lua
--   --set full=true     more drawn applications

require "statements"
local grids = require "grids"
local figure11 = require "figure11_scenario"
local full = setting("full", false)

local function says(number, verdict, holds, found, note)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note }
end

-- ---- the generator ----

-- All tasks of an application as a chart sees them: run time, the sizes of the files and who reads which shared file.
local function contents(application, seed)
  local s = scenario { platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 1 } } }, workload = grids.application(application) }
  local chart = s:start { policy = planner { map = "min_min" }, seed = seed }:chart()
  local list = {}
  for task = 1, chart:tasks() do
    local one = { time = chart:time(task, 1), own = {} }
    for _, file in ipairs(chart:inputs(task)) do
      local name, bytes = chart:file_name(file), chart:transfer_time(file, 1)
      if name:match "^shared" then one.chunk, one.shared = tonumber(name:match "%d+"), bytes else table.insert(one.own, bytes) end
    end
    one.output = chart:transfer_time(chart:outputs(task)[1], 1)
    list[task] = one
  end
  return list
end
-- Whether a mean of drawn values is within three standard errors of what was asked for.
local function near_mean(values, mean)
  local s = stats.interval(values)
  return math.abs(s.mean - mean) <= 3 * s.sd / math.sqrt(s.n)
end
do
  local n, regular, constant, uniform, lognormal, perturbed, ratio = full and 30 or 3, 0, 0, 0, 0, 0, 0
  local share = {}
  for seed = 1, n do
    local good = true
    local plain = contents({ tasks = 80, chunks = 8, shared = 5e4, own = 1e3, output = 2e3, time = 60 }, seed)
    for i, task in ipairs(plain) do good = good and task.chunk == (i - 1) // 10 + 1 and #task.own == 2 end
    if good then regular = regular + 1 end
    local same = true
    for _, task in ipairs(plain) do same = same and task.time == 60 and task.shared == 5e4 and task.own[1] == 1e3 and task.output == 2e3 end
    if same then constant = constant + 1 end
    local drawn, times, own = contents({ tasks = 200, own = { 8e3, 12e3 }, time = { 90, 110 }, output = 100 }, seed), {}, {}
    for i, task in ipairs(drawn) do times[i], own[i] = task.time, task.own[1] end
    local a, b = stats.summary(times), stats.summary(own)
    if near_mean(times, 100) and near_mean(own, 10e3)
       and a.min >= 90 and a.max <= 110 and b.min >= 8e3 and b.max <= 12e3 then
      uniform = uniform + 1
    end
    local long, logs = contents({ tasks = 200, time = distribution.lognormal { mean = 100, sd = 80 }, output = 100 }, seed), {}
    for i, task in ipairs(long) do logs[i] = math.log(task.time) end
    local variance = math.log(1 + (80 / 100) ^ 2)
    if near_mean(logs, math.log(100) - variance / 2) then lognormal = lognormal + 1 end
    local other = 0
    for i, task in ipairs(contents({ tasks = 200, chunks = 8, perturbation = 0.2, output = 100 }, seed)) do
      if task.chunk ~= (i - 1) * 8 // 200 + 1 then other = other + 1 end
    end
    share[seed] = other / 200
    local computation, bytes = 0, 0
    for _, task in ipairs(contents({ tasks = 200, ratio = 5, bandwidth = 1, shared = 100, own = { 8, 12 }, output = { 8, 12 } }, seed)) do
      computation, bytes = computation + task.time, bytes + task.shared + task.own[1] + task.own[2] + task.output
    end
    if math.abs(computation / bytes / 5 - 1) < 0.03 then ratio = ratio + 1 end
  end
  local p = stats.interval(share)
  -- Each test of a mean fails in 0.3 % of the cases by chance; one in 30 may.
  says("S3-115", "reproduces", regular == n and constant == n and uniform >= n - 1 and lognormal >= n - 1 and ratio == n
         and math.abs(p.mean - 0.2) <= 2 * (p.half_width or 0),
       ("of %d drawn applications %d have the regular pattern, %d constant sizes and times; means as asked for, within three standard " ..
         "errors, in %d of uniform and %d of lognormal ones; %.3f +- %.3f of the tasks are perturbed where 0.2 is asked for; the ratio of " ..
           "computation to communication is within 3 %% in %d")
         :format(n, regular, constant, uniform, lognormal, p.mean, p.half_width or 0, ratio))
end

-- ---- the set of Figure 11 ----

do
  local seeds, times, sizes, hosts, shared, right = full and 30 or 5, {}, {}, {}, 0, 0
  for _, name in ipairs(figure11.platform():hosts()) do
    local of = name:match "^(%a+)%."
    hosts[of] = (hosts[of] or 0) + 1
  end
  for seed = 1, seeds do
    local _, drawn = figure11.application(1200e3, seed)
    if #drawn == 400 then right = right + 1 end
    for _, task in ipairs(drawn) do
      times[#times + 1] = task.time
      for _, bytes in ipairs { task.inputs[1], task.inputs[2], task.output } do sizes[#sizes + 1] = bytes / 1e3 end
    end
  end
  -- Groups of tasks that share a file, and how long the hosts and links take.
  local s = figure11.scenario(1200e3, 1)
  local r = s:run { policy = planner { map = "min_min" } }
  for _, group in ipairs(r:components()) do if group.tasks == 50 and group.shared_files == 1 then shared = shared + 1 end end
  local chart = s:start { policy = planner { map = "min_min" } }:chart()
  local _, first = figure11.application(1200e3, 1)
  local speeds = {}
  for _, machine in ipairs { 1, 5, 11 } do speeds[#speeds + 1] = math.floor(100 * first[1].time / chart:time(1, machine) + 0.5) end
  local link = 1200 / chart:transfer_time(1, 1)
  local a, b = stats.summary(times), stats.summary(sizes)
  says("S3-117", "reproduces", hosts.fast == 4 and hosts.shared == 6 and hosts.busy == 12
         and table.concat(speeds, " ") == "100 70 30" and math.abs(link - 10) < 1e-9
         and right == seeds and shared == 8 and a.min >= 90 and a.max <= 110 and b.min >= 8 and b.max <= 12
         and near_mean(times, 100) and near_mean(sizes, 10)
         and (r.estimate_error ~= r.estimate_error or r.estimate_error == 0),
       ("%d, %d and %d hosts that give %s %%; links of %g KB/s; in %d of %d applications 400 tasks; %d groups of 50 share a file; times " ..
         "from %.2f to %.2f s, mean %.2f s; sizes from %.2f to %.2f KB, mean %.3f KB")
         :format(hosts.fast, hosts.shared, hosts.busy, table.concat(speeds, ", "), link, right, seeds, shared,
                 a.min, a.max, a.mean, b.min, b.max, b.mean),
       "the input of the study; tested is that applications and charts of perigee have it. 1 KB is 1000 bytes, links have no latency and files " ..
             "whole bytes, " ..
         "of which the report says nothing")
end

-- ---- what is said of the program in different places ----

do
  -- Things that section 5 calls simulated, and the sections that say otherwise: 7.1, 7.3.3 and 9.
  local features = {
    { "intervals by deviation, with and without " ..
      "weights", simulated = "5.6.1", missing = "7.1" }, { "schemes of intervals", simulated = "5.6.1", missing = "9" },
    { "orders of transfers", simulated = "5.6.5", missing = "7.3.3" }, { "qualities of information", simulated = "5.2.2", missing = "9" },
    { "planning at changes of the set of hosts", simulated = "5.6.1" },
  }
  local contrary, names = 0, {}
  for _, f in ipairs(features) do
    if f.simulated and f.missing then
      contrary = contrary + 1
      names[#names + 1] = ("%s (%s and %s)"):format(f[1], f.simulated, f.missing)
    end
  end
  -- perigee has them all.
  local w = workload.tasks(20, function(i, rng) return { time = rng:uniform(5, 15), inputs = { file("f" .. i, 10) }, output = 5 } end)
  local s = scenario { platform = platform { cluster "c" { nodes = 2, link = { bandwidth = 10 } } }, workload = w }
  local done, tried = 0, 0
  for _, strategy in ipairs { "constant", "deviation", "weighted" } do
    for _, links in ipairs { "greedy", "strict", "hybrid" } do
      for _, information in ipairs { "perfect", "error(0.3)", "run_avg" } do
        tried = tried + 1
        local policy = planner { interval = 20, strategy = strategy, links = links }
        if s:run { policy = policy, information = information }.status == "complete" then done = done + 1 end
      end
    end
  end
  says("S3-94", "source in error", contrary == 0, ("%d of %d things that section 5 calls simulated are not implemented, or not tried, by " ..
          "later sections: %s; perigee runs %d of %d combinations of strategy, order and information")
    :format(contrary, #features, table.concat(names, ", "), done, tried), "read in the text, no run decides it; no result of the report rests on " ..
          "them")
end
do
  local titles = { ["1"] = "Introduction", ["3"] = "Application Model", ["5.3"] = "General Scheduling Scheme" }
  local wrong, all = {}, 0
  local function refers(where, section, meant)
    all = all + 1
    if titles[section] ~= titles[meant] then wrong[#wrong + 1] = ("%s refers to section %s for %s"):format(where, section, meant) end
  end
  refers("5.1", "1", "3")    -- the application model
  refers("7.4", "3", "5.3")  -- that do_plan() takes time
  local numbers, seen = { "i", "ii", "iii", "iii" }, {}
  for _, number in ipairs(numbers) do
    all = all + 1
    if seen[number] then wrong[#wrong + 1] = ("5.2.2 has two items (%s)"):format(number) end
    seen[number] = true
  end
  -- Who is moved to a list, and which list or parameter it is.
  for _, each in ipairs { { "sched_new_work", moved = "Hosts", list = "Works" }, { "sched_fileTransfer_done", moved = "Disks", list = "Disks" },
                          { "sched_work_done", moved = "Works", list = "Works" }, { "sched_host_failed", moved = "Hosts", list = "Hosts" } } do
    all = all + 1
    if each.moved ~= each.list then wrong[#wrong + 1] = ("%s moves %s to a list of %s"):format(each[1], each.moved, each.list) end
  end
  says("S3-153", "source in error", #wrong == 0, ("%d of %d places that were looked at are slips: %s"):format(#wrong, all, table.concat(wrong, "; ")),
       "section 3 has the application model, and section 5.3 says that do_plan() takes time; read in the text, place by place, no run decides it")
end
