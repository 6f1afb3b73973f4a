-- d:small() is 1-minimal: a slow twin takes each element away, lowers each whole number and simplifies each real of the smallest case
-- alone, and none of that keeps the ratio.
-- expect: all smallest cases are minimal
local same = require("modules.expect").same

-- The ratio that must be kept: 0.95 of the ratio, or below 2 of its excess over 1.
local function wanted(ratio) return ratio < 2 and 1 + 0.95 * (ratio - 1) or 0.95 * ratio end
local function makespan(mapper, times) return map(mapper, etc(times)).makespan end
local function copy(value)
  if type(value) ~= "table" then return value end
  local all = {}
  for name, inner in pairs(value) do all[name] = copy(inner) end
  return all
end

-- Whole numbers above `least` by the steps that lower them: to the least, halfway, ..., by 1.
local function lowered(value, least)
  local all, less = {}, value - least
  while less >= 1 do
    all[#all + 1] = value - less
    less = less // 2
  end
  return all
end
-- Simpler reals: a bound, 0, fewer digits. None of a bound or of 0.
local function simpler(value, low, high)
  if value == low or value == high or value == 0 then return {} end
  local all = { low, high }
  if low <= 0 and high >= 0 and math.abs(value) < 0.5 then all[#all + 1] = 0 end
  for digits = 1, 17 do
    local fewer = tonumber(("%." .. digits .. "g"):format(value))
    if fewer == value then break end
    if fewer >= low and fewer <= high then all[#all + 1] = fewer end
  end
  return all
end

local duels, tried, shrunk = 0, 0, 0
local function minimal(what, d, trials, ratio_of)
  local case, ratio, is_minimal = d:small()
  duels = duels + 1
  same(is_minimal, true, what .. ": the budget sufficed")
  same(math.abs(ratio_of(case) - ratio) <= 1e-12 * ratio, true, what .. ": the ratio of the smallest case")
  if not (ratio >= wanted(d.ratio) * (1 - 1e-12)) then error(("%s: %g of %g was not kept"):format(what, ratio, d.ratio), 2) end
  for _, trial in ipairs(trials(case)) do
    tried = tried + 1
    local good, found = pcall(ratio_of, trial)
    -- Equal but for a rounding is no argument.
    if good and found >= wanted(d.ratio) * (1 + 1e-9) then
      error(("%s: a smaller case keeps %.17g, which is at least %.17g"):format(what, found, wanted(d.ratio)), 2)
    end
  end
  return case
end

local mappers = { "olb", "met", "mct", "min_min", "max_min", "duplex", "sufferage", "kpb" }
local function pair(i) return mappers[1 + i % #mappers], mappers[1 + (i + 1 + i // #mappers % (#mappers - 1)) % #mappers] end

-- ---- matrices of whole numbers: rows, columns, entries ----
local whole = space "whole" {
  times = vary.matrix { rows = { 2, 5 }, columns = { 2, 3 }, of = vary.whole { 1, 30 } },
  problem = function(x) return etc(x.times) end,
}
local function of_matrix(change)
  return function(case)
    local all = {}
    local function trial(edit)
      local other = copy(case)
      edit(other.times)
      all[#all + 1] = other
    end
    local rows, columns = #case.times, #case.times[1]
    for r = 1, rows do
      if rows > 1 then trial(function(t) table.remove(t, r) end) end
      for c = 1, columns do
        for _, value in ipairs(change(case.times[r][c])) do trial(function(t) t[r][c] = value end) end
      end
    end
    for c = 1, columns do
      if columns > 1 then trial(function(t) for _, row in ipairs(t) do table.remove(row, c) end end) end
    end
    return all
  end
end
for i = 0, 15 do
  local a, b = pair(i)
  local d = duel { a = a, b = b, space = whole, budget = 150, seed = i + 1, shrink = 20000 }
  if d.ratio > 1 then
    local case = minimal(("%d: %s against %s"):format(i, a, b), d, of_matrix(function(value) return lowered(value, 1) end),
                         function(x) return makespan(a, x.times) / makespan(b, x.times) end)
    if #case.times < #d.case.times then shrunk = shrunk + 1 end
  end
end

-- ---- matrices of reals ----
local real = space "real" {
  times = vary.matrix { rows = { 2, 4 }, columns = 2, of = vary.real { 0.1, 1 } },
  problem = function(x) return etc(x.times) end,
}
for i = 0, 13 do
  local a, b = pair(i + 3)
  local d = duel { a = a, b = b, space = real, budget = 100, seed = i + 1, shrink = 20000 }
  if d.ratio > 1 then
    minimal(("%d: %s against %s on reals"):format(i, a, b), d, of_matrix(function(value) return simpler(value, 0.1, 1) end),
            function(x) return makespan(a, x.times) / makespan(b, x.times) end)
  end
end

-- ---- lists of records in a scenario ----
local days = space "days" {
  nodes = vary.whole { 1, 3 },
  jobs = vary.list { n = { 3, 6 }, of = { time = vary.whole { 1, 20 }, cores = vary.whole { 1, 3 }, gap = vary.whole { 0, 9 } } },
  scenario = function(x)
    local clock, jobs = 0, {}
    for i, job in ipairs(x.jobs) do
      clock = clock + job.gap
      jobs[i] = { arrival = clock, time = job.time, cores = job.cores }
    end
    return scenario { platform = platform { cluster "n" { nodes = x.nodes, cores = 3 } }, workload = workload.jobs(jobs) }
  end,
}
local policies = { "fcfs", "sjf", "easy", "conservative" }
for i = 0, 7 do
  local a, b = policies[1 + i % 4], policies[1 + (i + 1 + i // 4) % 4]
  local d = duel { a = a, b = b, space = days, measure = "mean_response", budget = 150, seed = i + 1, shrink = 20000 }
  if d.ratio > 1 then
    minimal(("%d: %s against %s on days"):format(i, a, b), d, function(case)
      local all = {}
      local function trial(edit)
        local other = copy(case)
        edit(other)
        all[#all + 1] = other
      end
      for _, value in ipairs(lowered(case.nodes, 1)) do trial(function(x) x.nodes = value end) end
      for j, job in ipairs(case.jobs) do
        trial(function(x) table.remove(x.jobs, j) end)
        for name, least in pairs { time = 1, cores = 1, gap = 0 } do
          for _, value in ipairs(lowered(job[name], least)) do trial(function(x) x.jobs[j][name] = value end) end
        end
      end
      return all
    end, function(x)
      local scenario = days:at(x)
      return scenario:run({ policy = a }).mean_response / scenario:run({ policy = b }).mean_response
    end)
  end
end

-- ---- graphs: edges, their values, costs; what is counted by a function follows ----
local graphs = space "graphs" {
  costs = vary.list { n = { 2, 4 }, of = vary.whole { 1, 9 } },
  edges = vary.dag { n = function(x) return #x.costs end, edge = vary.whole { 0, 9 } },
  problem = function(x)
    local times = {}
    for t, cost in ipairs(x.costs) do times[t] = { cost, 2 * cost } end
    return cost.graph { times = times, edges = x.edges }
  end,
}
local schedulers = { "heft", "cpop", "heft" }
for i = 0, 3 do
  local a, b = schedulers[1 + i % 2], schedulers[2 + i % 2]
  local d = duel { a = a, b = b, space = graphs, budget = 300, seed = i + 1, shrink = 20000 }
  if d.ratio > 1 then
    minimal(("%d: %s against %s on graphs"):format(i, a, b), d, function(case)
      local all = {}
      for e, edge in ipairs(case.edges) do
        local other = copy(case)
        table.remove(other.edges, e)
        all[#all + 1] = other
        for _, value in ipairs(lowered(edge[3], 0)) do
          other = copy(case)
          other.edges[e][3] = value
          all[#all + 1] = other
        end
      end
      for t, cost in ipairs(case.costs) do
        for _, value in ipairs(lowered(cost, 1)) do
          local other = copy(case)
          other.costs[t] = value
          all[#all + 1] = other
        end
      end
      return all
    end, function(x)
      local problem = graphs:at(x)
      return schedule(a, problem).makespan / schedule(b, problem).makespan
    end)
  end
end
same(duels >= 30, true, "duels: " .. duels)
same(tried > 400, true, "trials: " .. tried)
same(shrunk >= 3, true, "matrices that became smaller: " .. shrunk)

-- `keep` and `shrink`: all of the ratio, or no evaluation.
local function duelled(more)
  local given = { a = "mct", b = "min_min", space = whole, budget = 300, seed = 3 }
  for name, value in pairs(more) do given[name] = value end
  return duel(given)
end
local all = duelled { keep = 1 }
local _, ratio = all:small()
same(ratio >= all.ratio, true, "keep = 1")
local case, untouched, is_minimal = duelled({ shrink = 0 }):small()
same(untouched, all.ratio, "shrink = 0")
same(is_minimal, false, "which is not minimal")
same(select(3, duelled({ shrink = 3 }):small()), false, "nor is it with three evaluations")
print "all smallest cases are minimal"
