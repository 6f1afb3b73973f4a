-- How the heuristics of LIP RR 1999-46 choose a task and a host (Appendix C): the formulas on drawn Gantt charts, computed a second time.
-- takes: a moment
-- perigee run scripts/pst/formulas.lua
--   --set full=true     500 charts in place of 60

require "statements"
local verdicts = require "verdicts"
local full = setting("full", false)
local charts = full and 500 or 60

local function says(number, verdict, holds, found, note)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note }
end

-- Tasks that share files, on hosts in clusters behind links; a part of them is placed already.
local function drawn(seed, clusters, placed)
  local rng = stream("chart", seed)
  local hosts, of, times, transfers, inputs, outputs = 0, {}, {}, {}, {}, {}
  for c = 1, clusters do
    for _ = 1, rng:integer(1, 4) do
      hosts = hosts + 1
      of[hosts] = c
    end
  end
  local tasks, shared = rng:integer(6, 12), rng:integer(1, 4)
  local function file(low, high)
    local row = {}
    for c = 1, clusters do row[c] = rng:uniform(low, high) end
    transfers[#transfers + 1] = row
    return #transfers
  end
  for _ = 1, shared do file(10, 80) end
  for t = 1, tasks do
    times[t], inputs[t], outputs[t] = {}, { rng:integer(1, shared), file(1, 3) }, { file(1, 3) }
    local seconds = rng:uniform(20, 100)
    for h = 1, hosts do times[t][h] = seconds * rng:uniform(1, 3) end
  end
  local chart = cost.chart { times = times, clusters = of, transfers = transfers, inputs = inputs, outputs = outputs }
  for t = 1, placed and rng:integer(0, 3) or 0 do chart:place(t, rng:integer(1, hosts)) end
  return chart
end

-- The completions of a task on all hosts, its least one in each cluster, ascending, and its best host: of equals the one that has computed it
-- first.
local function completions(chart, task)
  local all, bests, machine = {}, {}, nil
  for h = 1, chart:machines() do
    all[h] = chart:completion(task, h)
    local c = chart:cluster(h)
    bests[c] = math.min(bests[c] or math.huge, all[h])
    local within = 1e-9 * math.max(1, all[h])
    if not machine or all[h] < all[machine] - within
       or all[h] <= all[machine] + within and chart:computed(task, h) < chart:computed(task, machine) - within then
      machine = h
    end
  end
  local ordered = {}
  for _, value in pairs(bests) do ordered[#ordered + 1] = value end
  table.sort(ordered)
  return all, ordered, machine
end

local function near(a, b) return a == b or math.abs(a - b) <= 1e-9 * math.max(1, math.abs(b)) end

-- The first step that is larger than mean plus deviation of all steps: its height and how many clusters are before it; nothing where
-- there is none.
local function first_jump(ordered, sample)
  local steps, mean, square = {}, 0, 0
  for k = 1, #ordered - 1 do steps[k] = ordered[k + 1] - ordered[k] end
  for _, step in ipairs(steps) do mean = mean + step / #steps end
  for _, step in ipairs(steps) do square = square + (step - mean) ^ 2 end
  local sd = math.sqrt(square / (sample and #steps - 1 or #steps))
  for k, step in ipairs(steps) do
    if step > mean + sd + 1e-9 * math.max(1, ordered[#ordered]) then return step, k end
  end
end

-- ---- MCT and the choice between equals ----

do
  local n, least, second, attained, first = 0, 0, 0, 0, 0
  for seed = 1, charts do
    local chart = drawn(seed, 1 + seed % 5, true)
    for _, task in ipairs(chart:waiting()) do
      local all, _, machine = completions(chart, task)
      local sorted = { table.unpack(all) }
      table.sort(sorted)
      n = n + 1
      if near(chart:best(task), sorted[1]) then least = least + 1 end
      if near(chart:second(task), sorted[2] or math.huge) then second = second + 1 end
      if near(all[chart:best_machine(task)], sorted[1]) then attained = attained + 1 end
      if near(all[chart:best_machine(task)], all[machine]) then first = first + 1 end
    end
  end
  -- Without equals the randomised heuristics that draw among equals are the plain ones; with equals each seed has its own schedule.
  local unequal, equal = {}, {}
  for h = 1, 5 do unequal[h] = cluster("u" .. h) { nodes = 1, availability = 0.31 + 0.113 * h, link = { bandwidth = 7 + 1.7 * h } } end
  for c = 1, 2 do equal[c] = cluster("e" .. c) { nodes = 3, link = { bandwidth = 10 } } end
  local function tasks(alike)
    return workload.tasks(24, function(i, rng)
      if alike then return { time = 50, inputs = { file("own" .. i, 20) }, output = 10 } end
      return { time = rng:uniform(40, 80), inputs = { file("own" .. i, rng:uniform(20, 40)) }, output = rng:uniform(10, 20) }
    end)
  end
  local apart = scenario { platform = platform(unequal), workload = tasks(false) }
  local tied = scenario { platform = platform(equal), workload = tasks(true) }
  local same, runs, several = 0, 0, 0
  for _, map in ipairs { "min_min", "max_min", "sufferage", "extended_sufferage" } do
    local schedules, different = {}, 0
    for seed = 1, full and 20 or 4 do
      runs = runs + 1
      local plain = apart:run { policy = planner { map = map }, seed = seed }
      local random = apart:run { policy = planner { map = map, random = 0 }, seed = seed }
      if plain.fingerprint == random.fingerprint then same = same + 1 end
      local one = tied:run { policy = planner { map = map, random = 0 }, seed = seed }.fingerprint
      if not schedules[one] then schedules[one], different = true, different + 1 end
    end
    if different > 1 then several = several + 1 end
  end
  says("S3-142", "reproduces", least == n and second == n and attained == n and same == runs and several == 4,
       ("the best completion is the least of all hosts' for %d of %d tasks on charts, and the chosen host has it for %d; where no two are " ..
         "equal a draw among equals changes nothing in %d of %d runs, where tasks and hosts are alike it gives several schedules for %d of " ..
           "4 heuristics")
         :format(least, n, attained, same, runs, several), "planner { random = 0 }, min-min, max-min, sufferage and extended sufferage")
end

-- ---- the choice of the next task ----

-- Places all tasks of a chart, each time the one that `better` prefers, on its best host; returns the hosts in the order of placing.
local function placed_by(chart, better)
  local parts = {}
  while true do
    local best
    for _, task in ipairs(chart:waiting()) do
      local _, ordered, machine = completions(chart, task)
      local candidate = { task = task, machine = machine, mct = ordered[1], ordered = ordered }
      if not best or better(candidate, best) then best = candidate end
    end
    if not best then return table.concat(parts, " ") end
    local finish = chart:place(best.task, best.machine)
    parts[#parts + 1] = ("%d:%.6f"):format(best.task, finish)
  end
end
local function placed_natively(chart, map)
  -- One task after the other, so that the order shows.
  local parts, before = {}, {}
  for _, task in ipairs(chart:waiting()) do before[task] = true end
  while chart:fill(map, { count = 1 }) == 1 do
    for task in pairs(before) do
      if not chart:waits(task) then
        before[task] = nil
        for _, c in ipairs(chart:computations()) do if c.task == task then parts[#parts + 1] = ("%d:%.6f"):format(task, c.complete) end end
      end
    end
  end
  return table.concat(parts, " ")
end
local function less(a, b) return a < b - 1e-9 * math.max(1, math.abs(b)) end
local function compared(map, clusters_of, better)
  local same, n = 0, 0
  for seed = 1, charts do
    local chart = drawn(10000 + seed, clusters_of(seed), true)
    local other = chart:copy()
    n = n + 1
    if placed_by(chart, better) == placed_natively(other, map) then same = same + 1 end
  end
  return same, n
end
do
  local function clusters(seed) return 1 + seed % 4 end
  local a, n = compared("min_min", clusters, function(x, y) return less(x.mct, y.mct) end)
  local b = compared("max_min", clusters, function(x, y) return less(y.mct, x.mct) end)
  says("S3-143", "reproduces", a == n and b == n, ("the same tasks in the same order with the same completions as by this rule on %d of %d " ..
          "charts, min-min, and %d, max-min"):format(a, n, b))
end
local function jump_of(x)
  if not x.height then
    local height, before = first_jump(x.ordered)
    if not height then  -- perigee's largest step, where the report says nothing
      height, before = 0, #x.ordered
      for k = 1, #x.ordered - 1 do
        if less(height, x.ordered[k + 1] - x.ordered[k]) then height, before = x.ordered[k + 1] - x.ordered[k], k end
      end
    end
    x.height, x.before = height, before
  end
  return x.height, x.before
end
do
  -- Charts of four to eight clusters, where a first jump can exist.
  local n, right, with = 0, 0, 0
  for seed = 1, charts do
    local chart = drawn(20000 + seed, 4 + seed % 5, true)
    for _, task in ipairs(chart:waiting()) do
      local _, ordered = completions(chart, task)
      local height, before = first_jump(ordered)
      local is, count = chart:first_jump(task, "none")
      n = n + 1
      if height then
        with = with + 1
        if near(is, height) and count == before then right = right + 1 end
      elseif near(is, 0) then
        right = right + 1
      end
    end
  end
  local same, all = compared("extended_sufferage", function(seed) return 4 + seed % 5 end, function(x, y) return less((jump_of(y)), (jump_of(x))) end)
  says("S3-146", "reproduces", right == n and with > 0 and same == all,
       ("height and place of the first jump as by hand for %d of %d tasks on 4 to 8 clusters, %d of which have one; the task that suffers " ..
         "most goes first, to its best host, on %d of %d charts")
         :format(right, n, with, same, all), "steps as derivatives, the deviation of all steps; where there is no jump perigee takes the " ..
                 "largest step, the report says nothing")
  local two, charts_two = compared("sufferage_2", function(seed) return 4 + seed % 5 end, function(x, y)
    local height, before = jump_of(x)
    local other_height, other_before = jump_of(y)
    return before < other_before or before == other_before and less(other_height, height)
  end)
  says("S3-150", "reproduces", two == charts_two, ("the same tasks in the same order with the same completions as by this rule on %d of %d " ..
          "charts"):format(two, charts_two),
       "where there is no jump perigee takes the largest step, the report says nothing")
end

-- ---- sufferage and its printed second best host ----

-- The least completion over the hosts of other clusters with another number in their cluster.
local function printed_second(chart, task)
  local all, _, machine = completions(chart, task)
  local number, last = {}, {}
  for h = 1, chart:machines() do
    local c = chart:cluster(h)
    last[c] = (last[c] or 0) + 1
    number[h] = last[c]
  end
  local least = math.huge
  for h = 1, chart:machines() do
    if chart:cluster(h) ~= chart:cluster(machine) and number[h] ~= number[machine] then least = math.min(least, all[h]) end
  end
  return least
end
do
  local n, same, none = 0, 0, 0
  for seed = 1, charts do
    local chart = drawn(30000 + seed, 3, true)
    for _, task in ipairs(chart:waiting()) do
      local second = printed_second(chart, task)
      n = n + 1
      if near(second, chart:second(task)) then same = same + 1 end
      if second == math.huge then none = none + 1 end
    end
  end
  says("S3-144", "source in error", same == n, ("the host so chosen is second best for %d of %d tasks on three clusters of 1 to 4 hosts, " ..
          "and there is none for %d"):format(same, n, none),
       "perigee takes the second best of all hosts")
end
do
  local zero, n, printed = 0, 0, { 0, 0 }
  for seed = 1, charts do
    local rng = stream("twins", seed)
    for where = 1, 2 do
      -- Two hosts that are alike and the best ones, in one cluster or in two whose links are alike; a third one is slower.
      local times = {}
      for t = 1, 4 do
        local s = rng:uniform(20, 60)
        times[t] = where == 1 and { s, s, 3 * s } or { s, 9 * s, s, 3 * s }
      end
      local chart = cost.chart { times = times, clusters = where == 1 and { 1, 1, 2 } or { 1, 2, 2, 2 }, transfers = { 5, 1 },
                                 inputs = { { 1 }, { 1 }, { 1 }, { 1 } }, outputs = { { 2 }, { 2 }, { 2 }, { 2 } } }
      for task = 1, 4 do
        n = n + 1
        if near(chart:second(task) - chart:best(task), 0) then zero = zero + 1 end
        if near(printed_second(chart, task) - chart:best(task), 0) then printed[where] = printed[where] + 1 end
      end
    end
  end
  says("S3-145", "reproduces", zero == n, ("it is 0 for %d of %d tasks whose MCT two hosts achieve; with the second best host as printed " ..
          "for %d of %d where these are in one cluster, and %d of %d in two clusters")
    :format(zero, n, printed[1], n // 2, printed[2], n // 2), "by the second best of all hosts; in two clusters with other numbers there")
end

-- ---- the first jump of three clusters ----

do
  local function count(clusters)
    local with, n, sample = 0, 0, 0
    for seed = 1, charts do
      local rng, ordered = stream("steps", 100 * clusters + seed), { 0 }
      for k = 2, clusters do ordered[k] = ordered[k - 1] + rng:exponential(10) end
      n = n + 1
      if first_jump(ordered) then with = with + 1 end
      if clusters > 2 and first_jump(ordered, true) then sample = sample + 1 end
    end
    return with, sample, n
  end
  local parts, at_three = {}, 0
  for clusters = 2, 8 do
    local with, sample, n = count(clusters)
    if clusters == 3 then at_three = with + sample end
    parts[#parts + 1] = clusters == 2 and ("2 clusters: %d of %d"):format(with, n) or ("%d: %d and %d"):format(clusters, with, sample)
  end
  says("S3-147", "source in error", at_three > 0, ("lists with such a step, by the deviation of all steps and of a sample: " ..
          "%s"):format(table.concat(parts, ", ")),
       "the largest of two steps is their mean plus their deviation; no rule for this case is printed. perigee takes the largest step then")
  -- The relation of sufferage II on drawn tasks.
  local function precedes(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] > b[2] end
  local reflexive, both, n = 0, 0, 0
  for seed = 1, charts do
    local rng = stream("relation", seed)
    local a, b = { rng:integer(1, 4), rng:uniform(1, 9) }, { rng:integer(1, 4), rng:uniform(1, 9) }
    n = n + 1
    if precedes(a, a) then reflexive = reflexive + 1 end
    if precedes(a, b) and precedes(b, a) then both = both + 1 end
  end
  says("S3-152", "source in error", reflexive == n, ("a task precedes or equals itself in %d of %d cases; two precede each other in %d: the " ..
          "relation is strict"):format(reflexive, n, both),
       "equal tasks are taken in their order")
end
