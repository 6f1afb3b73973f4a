-- Statements of chapters 1 and 2 of Sim-PETEK (2010) that a calculation, a count or a small run decides.
-- takes: a moment
-- perigee run scripts/sim-petek/chapter2.lua

local petek = require "petek"
local sweeps = require "sweeps"

-- ---- 1.1 and 2.5.1: all processors stop together ----

-- Speeds of 2 to 10 processors, a divisible load of 1: in proportion to the speeds all stop together. Random cuts beside it.
local rng, platforms, cuts, shorter, least = stream("platforms", 1), 1000, 20, 0, math.huge
for _ = 1, platforms do
  local speeds, sum = {}, 0
  for i = 1, rng:integer(2, 10) do
    speeds[i] = rng:uniform(0.1, 1)
    sum = sum + speeds[i]
  end
  for _ = 1, cuts do
    local parts, all, last = {}, 0, 0
    for i in ipairs(speeds) do
      parts[i] = rng:exponential(1)
      all = all + parts[i]
    end
    for i, speed in ipairs(speeds) do last = math.max(last, parts[i] / all / speed) end
    if last < 1 / sum * (1 - 1e-12) then shorter = shorter + 1 end
    least = math.min(least, last * sum)
  end
end
claim { statement = "S0-4", verdict = "reproduces", holds = shorter == 0 and least > 1,
        found = ("%d of %d random cuts on %d platforms are shorter than the one in proportion to the speeds; the best of them takes %.3f times " ..
               "as long")
                :format(shorter, cuts * platforms, platforms, least),
        note = "a load that can be cut at will, known speeds, nothing to send" }

-- ---- 1.2: the announced chapters ----

local announced = { [2] = "background", [3] = "literature", [4] = "algorithms", [5] = "implementation", [6] = "analysis", [7] = "discussion",
                    [8] = "conclusion" }
local printed = { "introduction", "background", "algorithms", "implementation", "analysis", "conclusion" }  -- the table of contents
local as_announced, total = 0, 0
for number, title in pairs(announced) do
  total = total + 1
  if printed[number] == title then as_announced = as_announced + 1 end
end
claim { statement = "S0-6", verdict = "source in error", holds = as_announced == total,
        found = ("%d of the %d announced chapters has that number; there are %d chapters"):format(as_announced, total, #printed),
        note = "read in the table of contents, no run decides it; the literature is in sections 2.4 and 2.5, the discussion in section 5.3" }

-- ---- 2.1 and 2.2: the batch parameter set ----

local grid = petek.grid(4)
local sensors, sizes = workload.grid { { "s", from = 150, to = 169, step = 1 } }, workload.grid { { "h", from = 0.020, to = 0.024, step = 0.001 } }
local order = petek.scenario(petek.chapter3_nodes(), { points = grid, trials = 10 })
local r = order:run { policy = amra { rounds = 5 } }
-- How often each run is in a package that counts.
local function dealt(result, runs)
  local times = {}
  for k = 0, runs - 1 do times[k] = 0 end
  for _, package in ipairs(result:packages()) do
    if package.use == "useful" or package.use == "duplicate" then
      for k = package.first, package.first + package.runs - 1 do times[k] = times[k] + 1 end
    end
  end
  local once = 0
  for k = 0, runs - 1 do if times[k] == 1 then once = once + 1 end end
  return once
end
claim { statement = "S0-7", verdict = "reproduces", holds = #sensors == 20 and #sizes == 5 and dealt(r, #grid) == #grid,
        found = ("150 to 169 by 1 are %d values, 0.020 to 0.024 by 0.001 are %d; of the %d points of a grid %d are run once"):format(#sensors, #sizes,
                #grid, dealt(r, #grid)) }
local union = #sensors + #sizes + 4
claim { statement = "S0-8", verdict = "source in error", holds = union == #grid,
        found = ("the union of sets of %d, %d and 4 values has %d members; section 5.2.1 counts %d runs for them, the product"):format(#sensors,
               #sizes,
                union, #grid), note = "perigee's workload.grid is the product" }

local cases, right = 0, 0
for _, trials in ipairs { 10, 20, 50 } do
  for _, vx in ipairs { 1, 4, 8 } do
    local result = petek.case(petek.cluster(), trials, vx, nil, { weights = "equal" }):run { policy = amra { rounds = 15 } }
    local simulations = 0
    for _, package in ipairs(result:packages()) do simulations = simulations + package.runs * trials end
    cases = cases + 1
    if simulations == 100 * vx * trials then right = right + 1 end
  end
end
claim { statement = "S0-13", verdict = "reproduces", holds = right == cases,
        found = ("the packages hold M N T simulations in %d of %d cases of 100, 400, 800 runs and 10, 20, 50 trials"):format(right, cases) }
-- An exponential increase has equal ratios, a linear one equal differences.
local function total_runs(repetitions) return 20 * 5 * repetitions end
local ratio_first, ratio_last = total_runs(2) / total_runs(1), total_runs(101) / total_runs(100)
local step_first, step_last = total_runs(2) - total_runs(1), total_runs(101) - total_runs(100)
claim { statement = "S0-14", verdict = "source in error", holds = math.abs(ratio_first - ratio_last) < 1e-9,
        found = ("one more repetition multiplies M N T by %g at T = 1 and by %g at T = 100, and adds %d each time (%s)"):format(ratio_first,
               ratio_last,
                step_first, step_first == step_last and "linear" or "not linear") }

-- ---- 2.3: the system ----

local sentence = { "WS-ResourceProperties", "WS-ResourceLifetime", "WS-ServiceGroup", "WS-ResourceLifetime" }
local explained = { "WS-ResourceProperties", "WS-ResourceLifetime", "WS-ServiceGroup", "WS-BaseFaults" }
local function distinct(list)
  local seen, n = {}, 0
  for _, name in ipairs(list) do
    if not seen[name] then seen[name], n = true, n + 1 end
  end
  return n
end
claim { statement = "S0-15", verdict = "source in error", holds = distinct(sentence) == 4,
        found = ("the sentence names %d different specifications, the list below it %d"):format(distinct(sentence), distinct(explained)),
        note = "read in the text, no run decides it; the last of the sentence must be WS-BaseFaults" }

-- An order has a scenario, parameters with values, trials. Stages: ratios of all hosts at 0 s; packages, each for one host; trials inside
-- them; what each host has done; all results when the last package is done.
local starts, one_host = #sweeps.power_at(r, 0), 0
for _, package in ipairs(r:packages()) do
  local slots = ({ A = 8, B = 4, C = 4, D = 1, E = 1 })[package.host]
  local tau = ({ A = 1, B = 2.5, C = 1, D = 1, E = 0.5 })[package.host]
  if math.abs(package.finish - package.start - math.ceil(package.runs * 10 / slots) * tau) < 1e-9 then one_host = one_host + 1 end
end
local gathered, last = 0, 0
for _, row in ipairs(r:hosts()) do gathered, last = gathered + row.runs, math.max(last, row.last_finish) end
claim { statement = "S0-16", verdict = "reproduces",
        holds = starts == 5 and one_host == r.package_count and gathered == #grid and last == r.makespan,
        found = ("%d nodes have a ratio at the start; %d of %d jobs take the time of their trials on one node; the results of %d of %d runs are " ..
               "there after %g s"):format(starts,
                one_host, r.package_count, gathered, #grid, r.makespan),
        note = "tested on a model of Sim-PETEK; its services and the filters for results are not modelled" }

-- Status messages every so many seconds: at each one the latest package is copied to a host without work that would end it sooner.
local messages = 0
local function reporting(name, period)
  policy(name) {
    summary = "shares by cores in three rounds; status messages, upon which packages are scheduled anew", accepts = { "sweeps" },
    begin = function(self, sim) if period then sim:timer(period) end end,
    decide = function(self, sim)
      for _, host in ipairs(sim:hosts()) do
        if #sim:running_on(host) == 0 and sim:undealt(1) > 0 then sim:start(1, host, { size = math.min(sim:undealt(1), sim:host_cores(host)) }) end
      end
    end,
    timer = function(self, sim)
      if sim:done(1) == sim:size(1) then return end
      messages = messages + #sim:hosts()
      for _, host in ipairs(sim:undealt(1) == 0 and sim:hosts() or {}) do
        local latest, ends = nil, 0
        for _, other in ipairs(#sim:running_on(host) == 0 and sim:hosts() or {}) do
          local id = sim:running_on(other)[1]
          local package = id and sim:activity(id)
          if id and sim:end_of(id) > ends and sim:now() + sim:estimate(1, host, { first = package.first, size = package.size }) < sim:end_of(id) then
            latest, ends = id, sim:end_of(id)
          end
        end
        if latest then sim:copy(latest, host) end
      end
      sim:timer(sim:now() + period)
    end,
  }
end
reporting("silent", nil)
reporting("reporting", 5)
local assumed = petek.assumed_case()
local silent = assumed:run { policy = "silent" }.makespan
local told = assumed:run { policy = "reporting" }
local expected = 5 * math.floor((told.makespan - 1e-9) / 5)
claim { statement = "S0-17", verdict = "reproduces", holds = messages == expected and told.makespan < silent and told.duplicate_time > 0,
        found = ("5 nodes send %d messages, one every 5 s, by hand %d; the assumed case of chapter 3 takes %g s where jobs are copied upon them, " ..
               "%g s without them"):format(messages,
                expected, told.makespan, silent),
        note = "tested on a policy of ours with a timer of 5 s; the period and what a message says are not published" }

-- The properties of a node that the listings of chapter 3 read.
local reads = {
  ["3.2"] = { "cores", "jobs" }, ["3.3"] = { "cores" }, ["3.4"] = { "job times", "jobs" }, ["3.6"] = { "cores", "jobs" },
  ["3.8"] = { "cores", "jobs" }, ["3.11"] = { "cores", "jobs" }, ["3.13"] = { "finish times", "jobs" },
}
local listings, with_load = 0, 0
for _, names in pairs(reads) do
  listings = listings + 1
  for _, name in ipairs(names) do if name == "load" or name == "memory" then with_load = with_load + 1 end end
end
-- Done as the listings stand: whether the first jobs are others where half of the nodes have a load of 0.1 to 0.9 from the beginning.
local function first_jobs(nodes, policy)
  local jobs = {}
  for _, package in ipairs(petek.case(nodes, 20, 4):run { policy = policy }:packages()) do
    if package.start == 0 then jobs[#jobs + 1] = package.host .. " " .. package.runs end
  end
  table.sort(jobs)
  return table.concat(jobs, ", ")
end
local same, compared = 0, 0
for _, policy in ipairs { amrs { rounds = 5 }, amra { rounds = 15 }, samra { rounds = 15 }, ssse_amra { peak = 2, k = 15, m = 10.5 },
                          issse_amra { peak = 2, k = 15, m = 10.5 } } do
  local free = petek.loaded_cluster()
  for _, node in ipairs(free) do node.background = nil end
  for _, left in ipairs { 0.1, 0.5, 0.9 } do
    compared = compared + 1
    if first_jobs(petek.loaded_cluster(left), policy) == first_jobs(free, policy) then same = same + 1 end
  end
end
claim { statement = "S0-18", verdict = "source in error", holds = with_load > 0 or same < compared,
        found = ("%d of the %d listings of chapter 3 read the load or the memory of a node; run as they stand, the five schedulers deal the same " ..
               "first jobs with and without a load on half of the nodes in %d of %d cases"):format(with_load, listings, same, compared),
        note = "the listings read cores, job times and jobs, and perigee's schedulers read what they read; a load leaves a node 0.1, 0.5 or 0.9 " ..
               "of its speed. Nodes have no memory here" }
