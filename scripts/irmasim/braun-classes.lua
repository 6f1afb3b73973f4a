-- IRMaSim thesis, sections 5.3.3 and 6: its results beside the eleven mappers of Braun et al. (2001) on matrices drawn as theirs were.
-- takes: seconds
-- test: thorough
-- perigee run scripts/irmasim/braun-classes.lua
--   --set full=false     5 matrices of each of 12 classes, of 512 x 16; else one of three classes, of 128 x 16

require "statements"
local verdicts, lists = require "verdicts", require "clock-lists"
local full = setting("full", false)
local tasks, matrices = full and 512 or 128, full and 5 or 1
local eleven = { "olb", "met", "mct", "min_min", "max_min", "duplex", "ga", "sa", "gsa", "tabu", "a_star" }
local common = { "olb", "min_min", "max_min", "duplex", "a_star" }  -- olb is first_first in the thesis
local here_name = { olb = "first_first", min_min = "min_min", max_min = "max_min", duplex = "duplex", a_star = "a_star" }
local mapper_of = { a_star = a_star { max_tree_nodes = 16 } }

local classes = {}
for _, consistency in ipairs { "consistent", "inconsistent", "semi_consistent" } do
  for _, class in ipairs(full and { "hihi", "hilo", "lohi", "lolo" } or { "hihi" }) do classes[#classes + 1] = consistency .. " " .. class end
end
local e = experiment "classes" {
  factors = { { "class", classes }, { "mapper", eleven } },
  replications = matrices,
  run = function(f, seed)
    local consistency, class = f.class:match "^(%S+) (%S+)$"
    local m = etc.range_based { tasks = tasks, machines = 16, class = class, consistency = consistency, rng = stream(f.class, seed) }
    return { makespan = map(mapper_of[f.mapper] or f.mapper, m, { seed = seed % 2 ^ 40 }).makespan }
  end,
  measure = { "makespan" },
}
local there = {}
local cases = {}
for _, row in ipairs(e:rows()) do
  local key = row.class .. " " .. row.replication
  if not there[key] then
    there[key] = { class = row.class, of = {} }
    cases[#cases + 1] = there[key]
  end
  there[key].of[row.mapper] = row.makespan
end

-- The platforms of the thesis, five workloads on each list of clock rates.
local names, policy_of = require "policies" (16)
local draws = full and 20 or 2
local ours = experiment "platforms" {
  factors = { { "platform", { "low", "high" } }, { "policy", names } },
  replications = draws,
  run = function(f, seed)
    local total = 0
    for k = 1, lists.workloads do
      total = total + scenario { platform = lists.platform(lists.clocks(f.platform, seed)), workload = (lists.workload(seed, k)) }
        :run { policy = policy_of[f.policy], seed = seed % 2 ^ 40 + k }.total_time / lists.workloads
    end
    return { total = total }
  end,
  measure = { "total" },
}
local here = {}
for d = 1, draws do here[d] = { low = {}, high = {} } end
for _, row in ipairs(ours:rows()) do here[row.replication][row.platform][row.policy] = row.total end

print(("makespan over that of min-min, mean of %d matrices of a class, %d x 16"):format(matrices, tasks))
local head = ("%-26s"):format("class")
for _, mapper in ipairs(eleven) do head = head .. (" %8s"):format(mapper) end
print(head)
for _, class in ipairs(classes) do
  local line = ("%-26s"):format(class)
  for _, mapper in ipairs(eleven) do
    local sum = 0
    for _, c in ipairs(cases) do if c.class == class then sum = sum + c.of[mapper] / c.of.min_min / matrices end end
    line = line .. (" %8.3f"):format(sum)
  end
  print(line)
end
print()

local function place(of, set, name)
  local n = 1
  for _, other in ipairs(set) do if of[other] < of[name] then n = n + 1 end end
  return n
end
local function last(of, set, name)
  for _, other in ipairs(set) do if other ~= name and of[other] >= of[name] then return false end end
  return true
end
-- In how many of the cases f is true; of all, and of the consistent ones, which the thesis means.
local function count(f)
  local n, consistent, of = 0, 0, 0
  for _, c in ipairs(cases) do
    local yes = f(c.of)
    if yes then n = n + 1 end
    if c.class:find "^consistent" then
      of = of + 1
      if yes then consistent = consistent + 1 end
    end
  end
  return n, consistent, of
end
local function there_text(f)
  local n, consistent, of = count(f)
  return ("on %d of %d matrices, %d of %d consistent ones"):format(n, #cases, consistent, of)
end
local function count_here(f)
  local n = 0
  for d = 1, draws do for _, platform in ipairs { "low", "high" } do if f(here[d][platform]) then n = n + 1 end end end
  return n
end
local function here_text(f) return ("on %d of %d drawn platforms"):format(count_here(f), 2 * draws) end
local note = "there means in Braun et al., whose matrices are drawn again in their way; here means on platforms of the thesis, whose clock rates are "
    .. "drawn; the verdict says whether it is so on more or less than half of both"
-- Two readings: of the five algorithms that both have, which can be compared, and of all eleven there and all eight here.
local function five_here(f)
  return function(total)
    local of = {}
    for _, one in ipairs(common) do of[one] = total[here_name[one]] end
    return f(of)
  end
end
local function both(number, verdict, common_there, common_here, all_there, all_here, found)
  local function reading(there_f, here_f)
    return verdicts.all { { "there", verdicts.share((count(there_f)), #cases) }, { "here", verdicts.share(count_here(here_f), 2 * draws) } }.holds
  end
  local few, every, holds = reading(common_there, common_here), reading(all_there, all_here), "not decided"
  if few == every then holds = few end
  claim { statement = number, verdict = verdict, holds = holds,
          found = ("of the five of both there %s, here %s; of all there %s, here %s; %s"):format(there_text(common_there), here_text(common_here),
            there_text(all_there), here_text(all_here), found),
          note = "the text does not say whether it means the five algorithms that both have, or all eleven there and eight here: both have to give "
            .. "one verdict; " .. note }
end

-- How many of the ten pairs of the five common policies go the same way there and here; pairs that tie on one side count as half.
local function alike(platform_total, of)
  local n = 0
  for i, a in ipairs(common) do
    for k = i + 1, #common do
      local b = common[k]
      local x, y = of[a] - of[b], platform_total[here_name[a]] - platform_total[here_name[b]]
      n = n + (x * y > 0 and 1 or x * y == 0 and 0.5 or 0)
    end
  end
  return n
end
-- On how many matrices at least 7, 8 or 9 of 10 pairs are alike on more than half of the drawn lists, the least of these platforms counting; and the
-- mean. The verdict is that of all three limits, if they have one.
local limits = { 7, 8, 9 }
local function matrices_alike(platforms)
  local sum, right_of = 0, {}
  for i, c in ipairs(cases) do
    right_of[c.of] = { 0, 0, 0 }
    for d = 1, draws do
      local least = 10
      for _, platform in ipairs(platforms) do least = math.min(least, alike(here[d][platform], c.of)) end
      sum = sum + least / draws
      for l, limit in ipairs(limits) do if least >= limit then right_of[c.of][l] = right_of[c.of][l] + 1 end end
    end
  end
  local texts, holds = {}, nil
  for l, limit in ipairs(limits) do
    local function good(of) return right_of[of][l] > draws / 2 end
    local one = verdicts.share((count(good)), #cases).holds
    if holds == nil then holds = one elseif holds ~= one then holds = "not decided" end
    texts[l] = ("%d pairs %s"):format(limit, there_text(good))
  end
  return holds, sum / #cases, table.concat(texts, ", ")
end
local parts = {}
for index, mapper in ipairs(common) do
  local a, b = 0, 0
  for _, c in ipairs(cases) do a = a + place(c.of, common, mapper) / #cases end
  for d = 1, draws do
    for _, platform in ipairs { "low", "high" } do
      local of = {}
      for _, one in ipairs(common) do of[one] = here[d][platform][here_name[one]] end
      b = b + place(of, common, mapper) / (2 * draws)
    end
  end
  parts[index] = ("%s %.1f and %.1f"):format(mapper, a, b)
end
local similar = "similar is taken as at least 7, 8 or 9 of 10 pairs of the five algorithms of both in the same order, on most lists, thresholds of "
    .. "ours, which all have to give one verdict; five pairs would be chance; " .. note
local low, low_mean, low_text = matrices_alike { "low" }
local high, high_mean, high_text = matrices_alike { "high" }
local apart = "not decided"
if low == false or high == false then apart = false elseif low == high then apart = low end
claim { statement = "S1-128", verdict = "does not reproduce", holds = apart,
        found = ("low platform: at least %s, with on average %.1f of 10 pairs in the same order; high platform: %s, %.1f pairs; mean ranks of the "
            .. "five there and here: %s"):format(low_text,
            low_mean, high_text, high_mean,
          table.concat(parts, ", ")), note = similar }
local both_hold, both_mean, both_text = matrices_alike { "low", "high" }
claim { statement = "S1-182", verdict = "does not reproduce", holds = both_hold,
        found = ("on both platforms together at least %s, with on average %.1f of 10 pairs in the same order"):format(both_text, both_mean),
        note = "what is in Braun et al. alone can be compared, five of the eight policies; " .. similar }

local function olb_last(set) return function(of) return last(of, set, "olb") end end
both("S1-129", "not decided", olb_last(common), five_here(olb_last(common)), olb_last(eleven),
     function(total) return last(total, names, "first_first") end,
     ("met is behind it there %s, shortest_fastest here %s"):format(there_text(function(of) return of.met > of.olb end),
       here_text(function(total) return total.shortest_fastest > total.first_first end)))
local function better_option(of) return of.duplex == math.min(of.min_min, of.max_min) end
local function duplex_first(set) return function(of) return better_option(of) and place(of, set, "duplex") == 1 end end
both("S1-131", "not decided", duplex_first(common), five_here(duplex_first(common)), duplex_first(eleven), duplex_first(names),
     ("the better option there %s, here %s; before it there are ga %s, a_star %s"):format(there_text(better_option), here_text(better_option),
       there_text(function(of) return of.ga < of.duplex end), there_text(function(of) return of.a_star < of.duplex end)))
local function min_min_best(set) return function(of) return place(of, set, "min_min") == 1 end end
local function max_min_best(set) return function(of) return place(of, set, "max_min") == 1 and of.max_min < of.min_min end end
both("S1-132", "not decided", min_min_best(common), five_here(max_min_best(common)), min_min_best(eleven), max_min_best(names),
     ("min-min before max-min there %s, max-min before min-min here %s"):format(there_text(function(of) return of.min_min < of.max_min end),
       here_text(function(total) return total.max_min < total.min_min end)))

-- The chosen four: the first four of eleven.
local sums, order = {}, {}
for index, mapper in ipairs(eleven) do
  sums[mapper], order[index] = 0, mapper
  for _, c in ipairs(cases) do sums[mapper] = sums[mapper] + place(c.of, eleven, mapper) / #cases end
end
table.sort(order, function(a, b) return sums[a] < sums[b] end)
local ranks = {}
for index, mapper in ipairs(order) do ranks[index] = ("%s %.1f"):format(mapper, sums[mapper]) end
local function four_first(of)
  for _, chosen in ipairs { "min_min", "max_min", "duplex", "a_star" } do
    for _, other in ipairs { "olb", "met", "mct", "ga", "sa", "gsa", "tabu" } do if of[other] < of[chosen] then return false end end
  end
  return true
end
local four = count(four_first)
claim { statement = "S1-181", verdict = "does not reproduce", holds = verdicts.share(four, #cases).holds,
        found = ("all four are before all other seven %s; mean ranks of the eleven, 1 for the shortest makespan: "
            .. "%s"):format(there_text(four_first), table.concat(ranks,
            ", ")), note = "by makespan, on matrices drawn again in the way of Braun et al.; the set of algorithms is taken from three articles, of "
          .. "which theirs alone has results to compare by: their eleven; four and seven that are equal are not told apart; the verdict says whether "
          .. "it is so on more or less than half of the matrices" }
