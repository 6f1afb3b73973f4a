-- Features that Breitinger (1999) names of its simulation, each in a small run that would show it if it were otherwise.
-- takes: seconds
-- test: thorough
-- perigee run scripts/mshn/features.lua
--   --set full=true       more runs

local advisor = require "advisor"
local full = setting("full", false)

-- ---- a trace by hand ----

-- Groups of 2 on three machines; the scheduler takes 3 s for a group. By hand: 1 and 2 are taken at 1, when both are there, and released at 4.
-- The scheduler is busy until then, so 3 and 4 are taken at 4 and released at 7; 5 waits for 6 until 20. To the mapper all machines are idle
-- at each group, so 2, 4 and 5 queue at x, where they start in turn as the job before them ends.
local hosts3 = platform { host "x" {}, host "y" {}, host "z" {} }
local function hand(cost, more)
  local rows = { { 10, 20, 30 }, { 10, 30, 40 }, { 9, 4, 30 }, { 12, 40, 50 }, { 7, 30, 8 }, { 6, 5, 4 } }
  local given = { size = 2, map = "max_min", ready = "zero", flush = false, cost = cost }
  for name, value in pairs(more or {}) do given[name] = value end
  return scenario { platform = hosts3, workload = workload.etc(etc(rows), { arrivals = { 0, 1, 2, 3, 4, 20 } }) }
    :run { policy = grouped(given), trace = "full" }
end
local expected = {  -- release, start, finish, host
  { 4, 4, 14, "x" }, { 4, 14, 24, "x" }, { 7, 7, 11, "y" }, { 7, 24, 36, "x" }, { 23, 36, 43, "x" }, { 23, 23, 27, "z" },
}
local as_by_hand, traced = 0, hand(3)
for i, job in ipairs(traced:jobs()) do
  local e = expected[i]
  if job.release == e[1] and job.start == e[2] and job.finish == e[3] and job.hosts == e[4] then as_by_hand = as_by_hand + 1 end
end
print(("a trace by hand: %d of %d jobs are released, start, end and run as expected"):format(as_by_hand, #expected))

-- In a run of the thesis: what may not be, counted over all its jobs.
local function faults(size, seed)
  local r = advisor.run(advisor.scenario { tau = 0.067 }, advisor.policy(size, nil, { cost = 0.02 }), seed, { trace = "full" })
  local jobs, broken, by_host, at = r:jobs(), 0, {}, {}
  for _, job in ipairs(jobs) do
    if job.hosts ~= "" and job.start == job.start and job.release == job.release then
      by_host[job.hosts] = by_host[job.hosts] or {}
      table.insert(by_host[job.hosts], job)
      at[job.release] = (at[job.release] or 0) + 1
    end
  end
  -- Taken and released together: as many as a group has. Some jobs of late groups have not started at the end, and have no release.
  for _, note in ipairs(r:notes()) do
    if note.name == "group" and tonumber(note.values:match "%S+") ~= size then broken = broken + 1 end
  end
  for time, n in pairs(at) do if n > size or n < size and time < 70 then broken = broken + 1 end end
  local machines, checked = 0, 0
  for _, list in pairs(by_host) do
    machines = machines + 1
    table.sort(list, function(a, b) return a.start < b.start end)
    for i = 2, #list do
      local before, job = list[i - 1], list[i]
      checked = checked + 1
      -- Not before the one before it has ended; in the order of release and, within a group, of arrival.
      local in_turn = before.release < job.release or before.release == job.release and before.id < job.id
      if before.finish == before.finish and job.start < before.finish or not in_turn then broken = broken + 1 end
      -- No machine idles while one waits there.
      if before.finish == before.finish and job.start > math.max(before.finish, job.release) + 1e-9 then broken = broken + 1 end
    end
  end
  return broken, checked, machines
end
local broken, checked, machines = 0, 0, 15
for _, size in ipairs { 2, 15, 51 } do
  for seed = 1, full and 10 or 1 do
    local b, c, m = faults(size, seed)
    broken, checked, machines = broken + b, checked + c, math.min(machines, m)
  end
end
local again = hand(3, { reschedule = true })
local moved = 0
for i, job in ipairs(again:jobs()) do if job.hosts ~= expected[i][4] then moved = moved + 1 end end
claim { statement = "S4-22", verdict = "reproduces", holds = as_by_hand == #expected and broken == 0 and machines == 15,
        found = (("%d of %d jobs of a small run are released, start and end when they do by hand, on the machine of that; " ..
                  "in runs with 15 machines %d exceptions among %d pairs of successive jobs on a machine"))
                :format(as_by_hand, #expected, broken, checked),
        note = ("perigee can also map again what queues: then %d of the 6 jobs run elsewhere"):format(moved) }

-- ---- the kind of simulation ----

-- As many events where all times are a thousand times as long: the clock goes from event to event. Same seed, same numbers; others differ.
local function scaled(factor)
  local rows = { { 10, 20, 30 }, { 10, 30, 40 }, { 9, 4, 30 }, { 12, 40, 50 }, { 7, 30, 8 }, { 6, 5, 4 } }
  local times = { 0, 1, 2, 3, 4, 20 }
  for i, row in ipairs(rows) do
    for k = 1, 3 do row[k] = row[k] * factor end
    times[i] = times[i] * factor
  end
  return scenario { platform = hosts3, workload = workload.etc(etc(rows), { arrivals = times }) }
    :run { policy = grouped { size = 2, map = "max_min", ready = "zero", flush = false, cost = 3 * factor }, trace = "full" }
end
local once, thousand = scaled(1), scaled(1000)
local notes_in_order, last = true, -1
for _, note in ipairs(once:notes()) do
  notes_in_order = notes_in_order and note.time >= last
  last = note.time
end
local s = advisor.scenario { tau = 0.067 }
local first, same, other = advisor.run(s, advisor.policy(15), 1), advisor.run(s, advisor.policy(15), 1), advisor.run(s, advisor.policy(15), 2)
claim { statement = "S4-10", verdict = "reproduces",
        holds = once.events == thousand.events and math.abs(thousand.makespan / once.makespan - 1000) < 1e-9 and notes_in_order and
          first.mean_response == same.mean_response and first.mean_response ~= other.mean_response,
        found = (("%d events in a small run, %d where all times are a thousand times as long and it ends at %g s in place of %g; " ..
                 "mean times in system of two runs with one seed %.0f and %.0f ms, with another seed %.0f ms"))
                :format(once.events, thousand.events, thousand.makespan, once.makespan, 1e3 * first.mean_response, 1e3 * same.mean_response,
                        1e3 * other.mean_response) }

-- ---- Little's law ----

local worst, rows, window = 0, 0, 0
for seed = 1, full and 30 or 2 do
  for _, size in ipairs { 1, 15 } do
    -- From empty to empty: the last jobs are flushed, and no horizon.
    local r = s:run { policy = advisor.policy(size, nil, { flush = true, cost = 0.01 }), seed = seed, information = "declared", trace = "full" }
    for _, q in ipairs(r:queues()) do
      rows = rows + 1
      worst = math.max(worst, q.littles_law)
    end
    local all = advisor.run(s, advisor.policy(size), seed, { trace = "full" }):queues()
    window = math.max(window, all[#all].littles_law)
  end
end
claim { statement = "S4-18", verdict = "reproduces", holds = worst < 1e-9,
        found = (("in runs from empty to empty, for the scheduler, each of 15 machines and the whole: mean number and rate x mean time " ..
                 "differ by at most a relative %.0e in %d cases")):format(worst, rows),
        note = ("in the window from 10 s to 110 s, where jobs are there at both ends, up to %.0f %% off"):format(100 * window) }

-- ---- Kendall's letters ----

local clock
local function station(servers, arrival, service)
  return scenario {
    platform = platform { cluster "s" { nodes = servers } },
    workload = workload.jobs(full and 20000 or 1500, function(i, rng)
      clock = i == 1 and 0 or clock + arrival:draw(rng)
      return { arrival = clock, time = service:draw(rng) }
    end),
  }
end
local exponential = distribution.exponential { mean = 1 }
local every = 1 / 0.7
local arrivals = distribution.exponential { mean = every }
local D = distribution.deterministic { value = 1 }
-- The wait of D/M/1: sigma is the root of sigma = exp(-every (1 - sigma)).
local sigma = 0.5
for _ = 1, 200 do sigma = math.exp(-every * (1 - sigma)) end
local kinds = {
  { "M/M/1", 1, arrivals, exponential, stats.mm1 { lambda = 0.7, mu = 1 }.mean_wait },
  { "M/E4/1", 1, arrivals, distribution.erlang { k = 4, mean = 1 }, 0.7 * 1.25 / 2 / 0.3 },
  { "M/H2/1", 1, arrivals, distribution.hyperexponential { probabilities = { 0.5, 0.5 }, means = { 0.5, 1.5 } }, 0.7 * 2.5 / 2 / 0.3 },
  { "M/D/1", 1, arrivals, D, 0.7 / 2 / 0.3 },
  { "M/G/1, uniform", 1, arrivals, distribution.uniform { low = 0, high = 2 }, 0.7 * 4 / 3 / 2 / 0.3 },
  { "D/M/1", 1, distribution.deterministic { value = every }, exponential, sigma / (1 - sigma) },
  { "M/M/3", 3, distribution.exponential { mean = every / 3 }, exponential, stats.mmc { lambda = 2.1, mu = 1, servers = 3 }.mean_wait },
}
local inside, parts = 0, {}
for i, kind in ipairs(kinds) do
  local means, station_of = {}, station(kind[2], kind[3], kind[4])
  for seed = 1, full and 20 or 5 do
    local sum, n = 0, 0
    for k, job in ipairs(station_of:run { policy = "fcfs", seed = seed, trace = "full" }:jobs()) do
      if k > 300 then sum, n = sum + job.wait, n + 1 end
    end
    means[seed] = sum / n
  end
  -- All seven together hold with 99 %.
  local interval = stats.interval(means, { confidence = 1 - 0.01 / #kinds })
  if interval:contains(kind[5]) then inside = inside + 1 end
  parts[i] = ("%s %.2f +- %.2f (%.2f)"):format(kind[1], interval.mean, interval.half_width, kind[5])
end
claim { statement = "S4-19", verdict = "reproduces", holds = inside == #kinds or not full and "not decided",
        found = ("theory lies within the interval at %d of %d simulated queues; mean waits, s, at a utilization of 0.7, with theory in brackets: %s")
          :format(inside, #kinds, table.concat(parts, ", ")),
        note = "intervals that hold together with 99 %, each with 99.86 %; B, K and SD are not bounded or changed here: infinite, infinite and " ..
               "first come first served" }

-- ---- what the user sets, and what comes out ----

local base = { machines = 15, tau = 0.067, size = 15, horizon = 110 }
local function study(changed)
  local given = {}
  for name, value in pairs(base) do given[name] = changed[name] or value end
  local list = {}
  for seed = 1, changed.runs or 3 do
    list[seed] = advisor.run(advisor.scenario(given), advisor.policy(given.size), seed, { horizon = given.horizon }).mean_response
  end
  return stats.summary(list)
end
local reference, differ = study {}, 0
local changes = { { machines = 16 }, { tau = 0.08 }, { size = 5 }, { horizon = 60 }, { runs = 4 } }
-- Another arrival process: the same jobs, as often on average, at equal distances.
local function arriving(equally)
  local rng, list = stream("arriving", 1), {}
  for i = 1, 1500 do list[i] = equally and 0.067 * (i - 1) or i == 1 and 0 or list[i - 1] + rng:exponential(0.067) end
  local rows = etc.cv_based { tasks = 1500, machines = 15, mean = 1, task_cv = 0.5, machine_cv = 0.1, first = "tasks", whole = "1 ms",
                              rng = stream("of arriving", 1) }
  local process = scenario { platform = platform { cluster "m" { nodes = 15 } }, workload = workload.etc(rows, { arrivals = list }) }
  local jobs = process:run { policy = advisor.policy(15), trace = "full" }:jobs()
  local as_set = 0
  for i, job in ipairs(jobs) do if math.abs(job.arrival - list[i]) < 1e-9 then as_set = as_set + 1 end end
  return as_set == #list
end
local processes = (arriving(false) and 1 or 0) + (arriving(true) and 1 or 0)
for _, change in ipairs(changes) do
  local found = study(change)
  if change.runs and found.n == change.runs or not change.runs and found.mean ~= reference.mean then differ = differ + 1 end
end
-- Means and further statistics of the scheduler's queue, by hand from its jobs.
local waits, by_queue = {}, traced:queues()[1]
for i, job in ipairs(traced:jobs()) do waits[i] = job.scheduler_wait end
local of_waits, right_numbers = stats.summary(waits), 0
for _, pair in ipairs { { by_queue.mean_wait, of_waits.mean }, { by_queue.sd_wait, of_waits.sd }, { by_queue.min_wait, of_waits.min },
                        { by_queue.max_wait, of_waits.max }, { by_queue.waits, of_waits.n } } do
  if math.abs(pair[1] - pair[2]) < 1e-9 then right_numbers = right_numbers + 1 end
end
claim { statement = "S4-9", verdict = "reproduces", holds = differ == #changes and processes == 2 and right_numbers == 5,
        found = (("%d of %d settings, each changed alone, change the result: number of machines, time between arrivals, group size, " ..
                 "length and number of runs; jobs of %d of 2 arrival processes, exponential and at equal distances, come when they are set to; of " ..
                 "a small run %d of 5 numbers on the wait for the scheduler are those of its jobs: mean, deviation, least, most and how many"))
                :format(differ, #changes, processes, right_numbers) }

-- ---- another measure ----

local price = etc { { 9, 1 }, { 1, 8 }, { 1, 7 }, { 5, 2 } }
local priced = scenario { platform = platform { host "x" {}, host "y" {} },
                          workload = workload.etc(etc { { 10, 20 }, { 10, 20 }, { 10, 20 }, { 10, 20 } }, { quality = price }) }
local by_time, by_price = priced:run { policy = grouped { size = 4, map = "min_min", ready = "zero" } },
  priced:run { policy = grouped { size = 4, map = "min_min", ready = "zero", by = "least_quality" } }
local function by_priority(where)
  local rows, priorities = {}, {}
  for i = 1, 60 do rows[i], priorities[i] = { 2, 2 }, i % 2 end
  local r = scenario { platform = platform { host "x" {}, host "y" {} }, workload = workload.etc(etc(rows), { priorities = priorities }) }
    :run { policy = grouped { size = 4, map = "mct", ready = "zero", priority = where, cost = 1 } }
  local sums = { [0] = 0, [1] = 0 }
  for i, job in ipairs(r:jobs()) do sums[i % 2] = sums[i % 2] + job.response / 30 end
  return sums
end
local with, without = by_priority "both", by_priority "none"
claim { statement = "S4-23", verdict = "reproduces",
        holds = by_price.mean_quality < by_time.mean_quality and by_price.makespan > by_time.makespan and with[1] < without[1] and with[1] < with[0],
        found = (("a price of %g a job when mapped by time, %g when mapped by price; jobs of higher priority are there for %.1f s, " ..
                 "others for %.1f s, and %.1f and %.1f s without priorities"))
                :format(by_time.mean_quality, by_price.mean_quality, with[1], with[0], without[1], without[0]) }

-- ---- the time of the scheduler ----

-- Does a mapper that computes a hundred times as long take longer in simulated time? And does a time that is told advance the clock?
local function slow(rounds)
  return heuristic("slow_" .. rounds) {
    pick = function(c, task)
      local work = 0
      for i = 1, rounds do work = work + i % 3 end
      return c:best(task) + 0 * work
    end,
  }
end
slow(10)
slow(1000)
local quick, long = hand(0, { map = "slow_10" }), hand(0, { map = "slow_1000" })
local told, exact = 0, 0
for _, each in ipairs { { { cost = 3 }, 3 }, { { cost = 0.5 }, 0.5 }, { { cost = 0, cost_of = function(p) return 0.25 * p:tasks() end }, 0.5 } } do
  local r = hand(each[1].cost, each[1].cost_of and { cost_of = each[1].cost_of })
  told = told + 1
  if math.abs(r:jobs()[1].release - 1 - each[2]) < 1e-12 then exact = exact + 1 end
end
claim { statement = "S4-30", verdict = "does not reproduce", holds = long:jobs()[1].release > quick:jobs()[1].release,
        found = (("the first group is released at %g s of simulated time by a mapper that computes for 1000 rounds, and at %g s by one for 10: " ..
                 "the real time is not measured; a scheduling time that the user gives advances the clock by just that in %d of %d cases"))
                :format(long:jobs()[1].release, quick:jobs()[1].release, exact, told),
        note = "on purpose: runs here repeat to the last bit, so that the time to schedule is given (cost, cost_law, cost_of) and not measured" }

-- ---- the procedure ----

local runs = full and 30 or 3
local by_hand, counted, gaps, times = {}, 0, {}, {}
for seed = 1, runs do
  local r = advisor.run(s, advisor.policy(17), seed, { trace = "full" })
  local sum, n, jobs = 0, 0, r:jobs()
  for _, job in ipairs(jobs) do
    if job.state == "finished" and job.finish >= 10 and job.finish <= 110 then sum, n = sum + job.response, n + 1 end
  end
  by_hand[seed] = sum / n
  if math.abs(by_hand[seed] - r.mean_response) < 1e-9 and n == r.finished then counted = counted + 1 end
  gaps[seed] = 1e3 * jobs[#jobs].arrival / (#jobs - 1)
  local rng = stream("procedure", seed)
  times[seed] = 1e3 * etc.cv_based { tasks = 1600, machines = 15, mean = 1, task_cv = 0.5, machine_cv = 0.1, first = "tasks", whole = "1 ms",
                                     rng = rng }:summary().mean
end
local gap, time = stats.interval(gaps, { confidence = 0.99 }), stats.interval(times, { confidence = 0.99 })
claim { statement = "S4-44", verdict = "reproduces",
        holds = counted == runs and gap:contains(67) and time:contains(1000 - 0.5) or (not full and counted == runs and "not decided"),
        found = (("in %d of %d runs the result is the mean over the jobs that end from 10 s to 110 s; " ..
                 "the mean of the means is %.0f ms for G = 17; jobs arrive %.1f +- %.1f ms apart and take %.0f +- %.0f ms on average"))
                :format(counted, runs, 1e3 * advisor.mean(by_hand), gap.mean, gap.half_width, time.mean, time.half_width),
        note = "times are cut to whole ms, so that their mean is half a ms below 1000" }
