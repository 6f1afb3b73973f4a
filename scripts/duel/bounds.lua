-- What is known of the worst case of a scheduler, as a test of the searches of duels: bounds that can be reached, and whole tables of small spaces.
-- takes: seconds; --set full=true minutes
-- perigee run duel/bounds
--   --set full=true                20 seeds and 20,000 evaluations for each bound (1 and 10,000), searches compared over 20 seeds (3), all of both tables
--   --set seeds=5                  so many seeds for each bound
-- test: thorough

local settings = require "settings"
local spaces = require "spaces"
local full = setting("full", false)
local seeds = settings.number("seeds", full and 20 or 1, 1)
local kBudget = full and 20000 or 10000  -- evaluations within which a bound is to be found

-- ---- bounds that can be reached ----

local function unrelated(machines, tasks) return spaces.etc { tasks = tasks, machines = machines } end

-- Two jobs or more at time 0 on one core.
local kLongest = 10
local function queue(jobs)
  return space(("%d jobs on a core"):format(jobs)) {
    times = vary.list { n = jobs, of = vary.real { 1, kLongest } },
    scenario = function(x)
      local list = {}
      for i, time in ipairs(x.times) do list[i] = { arrival = 0, time = time, cores = 1 } end
      return scenario { platform = platform { host "core" {} }, workload = workload.jobs(list) }
    end,
  }
end

local Graham, Cho = "Graham 1969", "Cho, Sahni 1980"
local golden, root = (1 + math.sqrt(5)) / 2, (1 + math.sqrt(17)) / 4
local bounds = {
  { "olb", "optimal", "2 machines that are alike", spaces.identical { machines = 2 }, 3 / 2, Graham },
  { "olb", "optimal", "3 machines that are alike", spaces.identical { machines = 3 }, 5 / 3, Graham },
  { "mct", "optimal", "2 machines that are alike", spaces.identical { machines = 2 }, 3 / 2, Graham },
  { "mct", "optimal", "3 machines that are alike", spaces.identical { machines = 3 }, 5 / 3, Graham },
  { "max_min", "optimal", "2 machines that are alike", spaces.identical { machines = 2 }, 7 / 6, Graham },
  { "max_min", "optimal", "3 machines that are alike", spaces.identical { machines = 3 }, 11 / 9, Graham },
  { "mct", "optimal", "2 related machines", spaces.related {}, golden, Cho },
  { "max_min", "optimal", "2 related machines", spaces.related {}, root, "Gonzalez, Ibarra, Sahni 1977" },
  { "met", "optimal", "2 unrelated machines", unrelated(2, { 2, 4 }), 2, "Ibarra, Kim 1977" },
  { "met", "optimal", "3 machines that are alike", spaces.identical { machines = 3 }, 3, "Ibarra, Kim 1977" },
  { "mct", "optimal", "2 unrelated machines", unrelated(2, { 2, 4 }), 2, "Ibarra, Kim 1977" },
  { "fcfs", "sjf", "two jobs of 1 to 10 s, one core, mean response", queue(2), (2 * kLongest + 1) / (kLongest + 2), "a calculation by hand", "mean_response" },
}

print(("%-8s %-45s %10s   found"):format("", "", "bound"))
for _, row in ipairs(bounds) do
  local a, b, where, cases, bound, source, measure = table.unpack(row, 1, 7)
  local near, least, most = 0, math.huge, 0
  for seed = 1, seeds do
    local ratio = duel { a = a, b = b, space = cases, measure = measure, budget = kBudget, seed = seed }.ratio
    if ratio >= 0.99 * bound then near = near + 1 end
    least, most = math.min(least, ratio), math.max(most, ratio)
  end
  print(("%-8s %-45s %10.6f   %.6f to %.6f"):format(a, where, bound, least, most))
  expect(most <= bound * (1 + 1e-9), ("no case exceeds the bound of %s on %s"):format(a, where))
  claim { source = source, says = ("%s, %s: at most %.4f times the best, which a case comes within 1 %% of"):format(a, where, bound),
          holds = most <= bound * (1 + 1e-9) and near >= 0.9 * seeds, verdict = "reproduces",
          found = ("within 1 %% by %d evaluations with %d of %d seeds: %.4f to %.4f"):format(kBudget, near, seeds, least, most) }
end

-- ---- searches beside each other ----

local searches = { "random_search", "pisa", "annealing" }
local function median(values)
  table.sort(values)
  local n = #values
  return (values[(n + 1) // 2] + values[n // 2 + 1]) / 2
end
local compared = {}
local kChosen = { ["2 related machines"] = true, ["3 machines that are alike"] = true, ["2 unrelated machines"] = true }
for _, row in ipairs(bounds) do  -- olb is mct on machines that are alike
  if row[1] ~= "olb" and (full or kChosen[row[3]]) then
    compared[#compared + 1] = { row[1], row[2], row[3], row[4], measure = row[7] }
  end
end
compared[#compared + 1] = { "mct", "optimal", "3 unrelated machines", unrelated(3, 4) }
compared[#compared + 1] = { "min_min", "optimal", "3 unrelated machines", unrelated(3, 4) }
local kSeeds, kShort = full and 20 or 3, 3000
local worse, better, lines = 0, 0, {}
local medians = {}
print(("\nmedian of the worst ratios of %d seeds, %d evaluations each"):format(kSeeds, kShort))
print(("%-8s %-45s %14s %14s %14s"):format("", "", table.unpack(searches)))
for _, row in ipairs(compared) do
  local found = {}
  for _, search in ipairs(searches) do
    local ratios = {}
    for seed = 1, kSeeds do
      ratios[seed] = duel { a = row[1], b = row[2], space = row[4], measure = row.measure, budget = kShort, search = search, seed = seed }.ratio
    end
    found[search] = median(ratios)
  end
  medians[row[1] .. ", " .. row[3]] = found
  if found.annealing < 0.99 * found.random_search then
    worse, lines[#lines + 1] = worse + 1, ("%s on %s: %.4f for %.4f"):format(row[1], row[3], found.annealing, found.random_search)
  end
  if found.annealing > 1.005 * found.random_search then better = better + 1 end
  print(("%-8s %-45s %14.4f %14.4f %14.4f"):format(row[1], row[3], found.random_search, found.pisa, found.annealing))
end
claim { source = "found here", says = "annealing finds nowhere less than 99 % of what independent draws find, and more in four spaces at least",
        holds = worse == 0 and better >= 4, verdict = "reproduces",
        found = ("less in %d of %d spaces, more by 0.5 %% in %d%s"):format(worse, #compared, better, worse > 0 and ": " .. table.concat(lines, "; ") or "") }

-- Ratios that a plain program found with 7 seeds: draws, PISA, Metropolis with restarts.
local plain = {
  ["mct, 2 related machines"] = { 1.588, 1.610, 1.616 }, ["max_min, 2 related machines"] = { 1.237, 1.259, 1.275 },
  ["mct, 3 unrelated machines"] = { 2.0672, 2.0670, 2.6652 }, ["min_min, 3 unrelated machines"] = { 1.9337, 1.9927, 1.9972 },
}
for _, name in ipairs { "mct, 2 related machines", "max_min, 2 related machines", "mct, 3 unrelated machines", "min_min, 3 unrelated machines" } do
  local theirs, ours = plain[name], medians[name]
  claim { source = "an independent program", says = ("%s: annealing finds more than PISA does, and than independent draws do"):format(name),
          holds = ours.annealing >= ours.pisa and ours.annealing >= ours.random_search, verdict = "reproduces",
          found = ("%.4g; %.4g, %.4g"):format(ours.annealing, ours.pisa, ours.random_search),
          note = ("there %.4g; %.4g, %.4g, medians of 7 seeds"):format(theirs[3], theirs[2], theirs[1]) }
end

-- ---- every case of a small space ----

-- Three tasks on two machines, whole times 1 to 4; a row is worst against a column.
local tiny = space "three tasks on two machines" {
  times = vary.matrix { rows = 3, columns = 2, of = vary.whole { 1, 4 } },
  problem = function(x) return etc(x.times) end,
}
local mappers = { "olb", "met", "mct", "min_min", "max_min", "duplex", "optimal" }
local exact = {
  { nil, 4, 4, 4, 4, 4, 4 }, { 2, nil, 2, 2, 2, 2, 2 }, { 5 / 3, 2, nil, 2, 2, 2, 2 }, { 5 / 3, 2, 5 / 3, nil, 2, 2, 2 },
  { 2, 7 / 4, 2, 2, nil, 2, 2 }, { 3 / 2, 4 / 3, 3 / 2, 1, 1, nil, 3 / 2 },
}
local function compared_with(names, published, cases, measure, first, last)
  local equal, all, others = 0, 0, {}
  for i = first, last do
    for k, b in ipairs(names) do
      if k ~= i then
        local ratio = duel { a = names[i], b = b, space = cases, search = "exhaustive", budget = 20736, measure = measure }.ratio
        all = all + 1
        if math.abs(ratio - published[i][k]) < 1e-9 then equal = equal + 1
        else others[#others + 1] = ("%s against %s %g for %g"):format(names[i], b, ratio, published[i][k]) end
      end
    end
  end
  return equal == all, ("%d of %d entries are equal%s"):format(equal, all, #others > 0 and ": " .. table.concat(others, ", ") or "")
end
local holds, found = compared_with(mappers, exact, tiny, nil, full and 1 or 3, full and 6 or 4)
claim { source = "two independent programs", says = "the worst of each mapper against each other one, of all 4096 matrices of three tasks on two machines",
        holds = holds, found = found, verdict = "reproduces" }

-- Four jobs on a host of 3 cores, arrivals 0 to 3, times 1 to 4 and exact estimates.
local days = space "four jobs on three cores" {
  jobs = vary.list { n = 4, of = { cores = vary.whole { 1, 3 }, time = vary.whole { 1, 4 } } },
  scenario = function(x)
    for i, job in ipairs(x.jobs) do job.arrival = i - 1 end
    return scenario { platform = platform { host "h" { cores = 3 } }, workload = workload.jobs(x.jobs) }
  end,
}
local batch = { "fcfs", "sjf", "easy", "conservative" }
local responses = {
  { nil, 25 / 13, 25 / 13, 25 / 13 }, { 5 / 4, nil, 8 / 5, 8 / 5 }, { 1, 21 / 13, nil, 1 }, { 1, 21 / 13, 14 / 11, nil } }
local makespans = { { nil, 11 / 7, 3 / 2, 3 / 2 }, { 4 / 3, nil, 3 / 2, 3 / 2 }, { 1, 11 / 7, nil, 1 }, { 1, 11 / 7, 11 / 8, nil } }
for _, one in ipairs { { "mean response", "mean_response", responses }, { "makespan", "makespan", makespans } } do
  holds, found = compared_with(batch, one[3], days, one[2], full and 1 or 3, full and 4 or 3)
  claim { source = "two independent programs", says = ("the worst %s of each batch policy against each other one, of all 20,736 days of four jobs"):format(one[1]),
          holds = holds, found = found, verdict = "reproduces" }
  if not full then break end
end
