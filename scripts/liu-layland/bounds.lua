-- Periodic tasks on one core, by deadlines and by rates, against the bounds of Liu and Layland, JACM 20(1), 1973.
-- takes: seconds
-- perigee run liu-layland/bounds          sets of 2, 3 and 5 tasks, drawn with each utilization, simulated over a hyperperiod
--   --set full=true                more sets (100 for 10)
--   --set sets=30                  of each number of tasks and utilization
-- test: --set sets=3

local settings = require "settings"
local sets = settings.number("sets", setting("full", false) and 100 or 10, 1)
local core = platform { host "core" {} }
local kEps = 1e-9

-- Tasks are { period =, time = }, those with the shorter period first. The hyperperiod of these periods is 120 s: what is not
-- late until then never is.
local periods, hyperperiod = { 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40 }, 120

local function draw(rng, n, utilization)
  local tasks, left = {}, utilization
  for i = 1, n do                                         -- uniform among all that have that sum (Bini and Buttazzo 2005)
    local rest = i < n and left * rng:uniform(0, 1) ^ (1 / (n - i)) or 0
    local period = rng:choice(periods)
    tasks[i] = { name = "t" .. i, period = period, time = (left - rest) * period }
    left = rest
  end
  table.sort(tasks, function(a, b) return a.period < b.period or (a.period == b.period and a.name < b.name) end)
  return tasks
end

local function run(tasks, policy, horizon)
  local declared = { horizon = horizon or hyperperiod }
  for i, task in ipairs(tasks) do declared[i] = task end
  return scenario { platform = core, workload = workload.periodic(declared) }:run { policy = policy, validate = true }
end

-- The response of a task that is released together with all those of higher rates: the least R with R = C + sum of ceil(R / T) C
-- (Joseph and Pandya 1986); nil where it is longer than the period.
local function response(tasks, i)
  local now, before = tasks[i].time, nil
  while now ~= before and now <= tasks[i].period * (1 + kEps) do
    before, now = now, tasks[i].time
    for j = 1, i - 1 do now = now + math.ceil(before / tasks[j].period - kEps) * tasks[j].time end
    if math.abs(now - before) <= kEps then now = before end
  end
  return now <= tasks[i].period * (1 + kEps) and now or nil
end
local function meets_all(tasks)
  for i = 1, #tasks do if not response(tasks, i) then return false end end
  return true
end
local function bound(n) return n * (2 ^ (1 / n) - 1) end

-- Over all drawn sets: the number of those that part from a statement.
local seen, parted = { edf = 0, below = 0, rates = 0, first = 0 }, { edf = 0, below = 0, rates = 0, first = 0 }
local function see(what, holds)
  seen[what] = seen[what] + 1
  if not holds then parted[what] = parted[what] + 1 end
end

local rng = stream "sets"
print(("%-6s %-12s %18s %18s"):format("tasks", "utilization", "all met by rates", "all met by deadline"))
for _, n in ipairs { 2, 3, 5 } do
  for _, utilization in ipairs { 0.6, 0.7, 0.74, 0.77, 0.82, 0.85, 0.9, 0.95, 0.999, 1.02 } do
    local by_rates, by_deadline = 0, 0
    for _ = 1, sets do
      local tasks = draw(rng, n, utilization)
      local rates, deadlines = run(tasks, "rate_monotonic"), run(tasks, "edf_preemptive")
      if rates.missed == 0 then by_rates = by_rates + 1 end
      if deadlines.missed == 0 then by_deadline = by_deadline + 1 end
      see("edf", (deadlines.missed == 0) == (utilization <= 1))
      if utilization <= bound(n) then see("below", rates.missed == 0) end
      see("rates", (rates.missed == 0) == meets_all(tasks))
      if rates.missed == 0 then                           -- nobody responds later than the first job, which is released with all others
        local longest = {}
        for _, job in ipairs(rates:jobs()) do longest[job.user] = math.max(longest[job.user] or 0, job.response) end
        for i, task in ipairs(tasks) do see("first", math.abs(longest[task.name] - response(tasks, i)) <= 1e-6) end
      end
    end
    print(("%-6d %-12g %18s %18s"):format(n, utilization, by_rates .. " of " .. sets, by_deadline .. " of " .. sets))
  end
end

local function found(what) return ("%d of %d"):format(seen[what] - parted[what], seen[what]) end
local paper = "Liu and Layland 1973"
claim { source = paper .. ", Theorem 7", says = "by deadlines all deadlines are met if and only if the utilization is at most 1",
        verdict = "reproduces", holds = parted.edf == 0, found = found "edf" .. " sets" }
claim { source = paper .. ", Theorem 5", says = "by rates all deadlines are met if the utilization of n tasks is at most n (2^(1/n) - 1)",
        verdict = "reproduces", holds = parted.below == 0, found = found "below" .. " sets" }
claim { source = paper .. ", Theorem 1", says = "a task responds latest where it is released together with all tasks of higher priority",
        verdict = "reproduces", holds = parted.first == 0, found = found "first" .. " tasks whose longest response in a hyperperiod is that of the first job" }
claim { source = "Joseph and Pandya 1986", says = "the least R with R = C + sum of ceil(R / T) C tells who is late by rates", verdict = "reproduces",
        holds = parted.rates == 0, found = found "rates" .. " sets" }

-- The bound of two tasks is that of periods 1 and sqrt(2); 5 and 7 are near to that. Times 2 and 3 use the core up: 29 / 35 = 0.8286.
local full, more = { { period = 5, time = 2 }, { period = 7, time = 3 } }, { { period = 5, time = 2 }, { period = 7, time = 3.02 } }
claim { source = paper .. ", Theorem 3", says = "two tasks may miss a deadline with a utilization just above 2 (sqrt(2) - 1) = 0.8284, by rates",
        verdict = "reproduces", holds = run(full, "rate_monotonic", 35).missed == 0 and run(more, "rate_monotonic", 35).missed > 0,
        found = ("periods 5 and 7: %g is met, %g is not"):format(2 / 5 + 3 / 7, 2 / 5 + 3.02 / 7) }
expect(run(more, "edf_preemptive", 35).missed == 0, "by deadlines that set is met")

-- By hand: periods 4 and 6, times 2 and 3, utilization 1. By rates the second task waits for 2 s at 0 and again at 4: it is done at 7,
-- after its deadline at 6.
local hand = { { name = "a", period = 4, time = 2 }, { name = "b", period = 6, time = 3 } }
local late = run(hand, "rate_monotonic", 12)
claim { source = "a calculation by hand", says = "periods 4 and 6, times 2 and 3: by rates the first job of the second task responds after, s", value =
          late:jobs()[2].response, published = 7, verdict = "reproduces" }
expect(late.missed > 0 and run(hand, "edf_preemptive", 12).missed == 0, "that set is met by deadlines alone")

-- Harmonic periods: each is a multiple of the shorter ones.
claim { source = "found here", says = "by rates harmonic periods allow a utilization of 1", verdict = "reproduces",
        holds = run({ { period = 2, time = 1 }, { period = 4, time = 1 }, { period = 8, time = 2 } }, "rate_monotonic", 8).missed == 0,
        found = "periods 2, 4 and 8, times 1, 1 and 2" }
