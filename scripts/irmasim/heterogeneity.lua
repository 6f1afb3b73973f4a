-- IRMaSim thesis, section 5.3: eight policies on platforms of low and high heterogeneity, beside Figures 6 to 13.
-- takes: seconds
-- perigee run scripts/irmasim/heterogeneity.lua --out results     tables, figures and claims
--   --set leaves=128     active leaves of A*, as many as in the thesis

-- Tables 2 and 3 give ranges of clock rates and how many of 16 one-core nodes are in each; these are in them. GHz.
local clocks = {
  low = { 1, 1.8, 2.6, 3.4, 4.2, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12 },
  high = { 1, 4, 7, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40 },
}
local platforms = {}
for name, rates in pairs(clocks) do
  local nodes = {}
  for i, rate in ipairs(rates) do nodes[i] = host("node" .. i) { speed = rate * 1e9 } end
  platforms[name] = platform(nodes)
end

-- 512 jobs at once, of 100 to 3000 s on the slowest node, whose estimates are exact.
local function jobs_of(number)
  local rng, list = stream.splitmix(number), {}
  for i = 1, 512 do
    local seconds = 100 + math.floor(rng:uniform() * 2901)
    list[i] = { cores = 1, ops = seconds * 1e9 }
  end
  return workload.jobs(list)
end

-- A* keeps 16 active leaves, where the thesis has 128: the ranks of its totals are the same, in a fraction of the time.
local leaves = setting("leaves", 16)
local names, policy_of = require "policies" (leaves)

local e = experiment "heterogeneity" {
  factors = { { "heterogeneity", { "low", "high" } }, { "policy", names }, { "workload", { 1, 2, 3, 4, 5 } } },
  run = function(f)
    return scenario { platform = platforms[f.heterogeneity], workload = jobs_of(f.workload) }
      :run { policy = policy_of[f.policy] }
  end,
  measure = { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" },
}

-- Means over the five workloads.
local measures = { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" }
local mean = { low = {}, high = {} }
for _, row in ipairs(e:rows()) do
  local of = mean[row.heterogeneity][row.policy] or {}
  mean[row.heterogeneity][row.policy] = of
  for _, measure in ipairs(measures) do of[measure] = (of[measure] or 0) + row[measure] / 5 end
end
for _, heterogeneity in ipairs { "low", "high" } do
  print(("\n%s heterogeneity, mean of five workloads; A* with %d leaves"):format(heterogeneity, leaves))
  print(("%-17s %10s %10s %10s %10s"):format("policy", "total s", "wait s", "slowdown", "bounded"))
  for _, name in ipairs(names) do
    local of = mean[heterogeneity][name]
    print(("%-17s %10.1f %10.1f %10.2f %10.2f"):format(name, of.total_time, of.mean_wait, of.mean_slowdown,
                                                       of.mean_bounded_slowdown))
  end
end
print()

local rows = { low = {}, high = {} }
for _, row in ipairs(e:rows()) do table.insert(rows[row.heterogeneity], row) end
local figure = { low = 6, high = 10 }
for _, heterogeneity in ipairs { "low", "high" } do
  for i, measure in ipairs(measures) do
    local number = figure[heterogeneity] + i - 1
    plot(rows[heterogeneity], { x = "policy", y = measure, kind = "box", text = false, file = "figure" .. number,
                                title = ("Figure %d: %s, %s heterogeneity"):format(number, measure, heterogeneity) })
  end
end

-- The findings of the thesis, figure by figure.
local function finding(figure_number, says, verdict, holds)
  claim { source = "IRMaSim thesis, Figure " .. figure_number, says = says, holds = holds, verdict = verdict }
end
local function least(of, measure, name)
  for _, other in ipairs(names) do if of[other][measure] < of[name][measure] then return false end end
  return true
end
local function below(of, measure, name, others)
  for _, other in ipairs(others) do if of[name][measure] >= of[other][measure] then return false end end
  return true
end
local low, high = mean.low, mean.high
local function all_below(of, measure, some, others)
  for _, name in ipairs(some) do if not below(of, measure, name, others) then return false end end
  return true
end

finding(6, "low heterogeneity: max-min and duplex take the least total time", "reproduces",
  least(low, "total_time", "max_min") and low.duplex.total_time == low.max_min.total_time)
finding(6, "low heterogeneity: longest_fastest takes less total time than min-min, and min-min less than shortest_fastest",
  "reproduces", below(low, "total_time", "longest_fastest", { "min_min" }) and below(low, "total_time", "min_min", { "shortest_fastest" }))
finding(6, "low heterogeneity: first-first and full_random take more total time than min-min, max-min, duplex and A*", "reproduces",
  all_below(low, "total_time", { "min_min", "max_min", "duplex", "a_star" }, { "first_first", "full_random" }))
finding(7, "low heterogeneity: jobs wait longer under longest_fastest, max-min and duplex than under A*", "reproduces",
  below(low, "mean_wait", "a_star", { "longest_fastest", "max_min", "duplex" }))
finding(7, "low heterogeneity: jobs wait least under shortest_fastest and min-min", "reproduces",
  all_below(low, "mean_wait", { "shortest_fastest", "min_min" }, { "first_first", "full_random", "longest_fastest", "max_min", "duplex", "a_star" }))
finding(7, "low heterogeneity: jobs wait no longer under max-min than under longest_fastest", "does not reproduce",
  low.max_min.mean_wait <= low.longest_fastest.mean_wait)
for i, measure in ipairs { "mean_slowdown", "mean_bounded_slowdown" } do
  finding(7 + i, "low heterogeneity: shortest_fastest and min-min have the least " .. measure:gsub("_", " "), "reproduces",
    all_below(low, measure, { "shortest_fastest", "min_min" }, { "first_first", "full_random", "longest_fastest", "max_min", "duplex", "a_star" }))
  finding(7 + i, ("low heterogeneity: the %s of max-min is five to seven times that of shortest_fastest"):format(measure:gsub("_", " ")),
    "reproduces", low.max_min[measure] > 5 * low.shortest_fastest[measure] and low.max_min[measure] < 7 * low.shortest_fastest[measure])
end
finding(10, "high heterogeneity: max-min and duplex take the least total time, then A*, then min-min", "reproduces",
  least(high, "total_time", "max_min") and high.duplex.total_time == high.max_min.total_time
  and below(high, "total_time", "a_star", { "min_min" })
  and all_below(high, "total_time", { "min_min" }, { "first_first", "full_random", "shortest_fastest", "longest_fastest" }))
finding(10, "high heterogeneity: longest_fastest now takes more total time than min-min", "reproduces",
  below(high, "total_time", "min_min", { "longest_fastest" }))
finding(10, "high heterogeneity: first-first and full_random take more than 3000 s", "reproduces",
  high.first_first.total_time > 3000 and high.full_random.total_time > 3000)
finding(11, "high heterogeneity: jobs wait longest under longest_fastest, max-min and duplex", "reproduces",
  all_below(high, "mean_wait", { "first_first", "full_random", "shortest_fastest", "min_min", "a_star" }, { "longest_fastest", "max_min", "duplex" }))
for i, measure in ipairs { "mean_slowdown", "mean_bounded_slowdown" } do
  finding(11 + i, ("high heterogeneity: shortest_fastest has the least %s, then min-min, between 10 and 20"):format(measure:gsub("_", " ")),
    "reproduces", least(high, measure, "shortest_fastest")
    and below(high, measure, "min_min", { "first_first", "full_random", "longest_fastest", "max_min", "duplex", "a_star" })
    and high.min_min[measure] > 10 and high.min_min[measure] < 20)
end
finding(12, "high heterogeneity: longest_fastest, max-min and duplex have a mean slowdown above 60", "reproduces",
  math.min(high.longest_fastest.mean_slowdown, high.max_min.mean_slowdown, high.duplex.mean_slowdown) > 60)
finding(13, "high heterogeneity: longest_fastest, max-min and duplex have a mean bounded slowdown above 50", "reproduces",
  math.min(high.longest_fastest.mean_bounded_slowdown, high.max_min.mean_bounded_slowdown, high.duplex.mean_bounded_slowdown) > 50)
for i, number in ipairs { 8, 9, 12, 13 } do
  local of, heterogeneity = i < 3 and low or high, i < 3 and "low" or "high"
  local measure = measures[3 + (i - 1) % 2]
  finding(number, ("%s heterogeneity: first-first, full_random and A* have a %s between the others"):format(heterogeneity, measure:gsub("_", " ")),
    "reproduces", all_below(of, measure, { "shortest_fastest", "min_min" }, { "first_first", "full_random", "a_star" })
    and all_below(of, measure, { "first_first", "full_random", "a_star" }, { "longest_fastest", "max_min", "duplex" }))
end
local between = { high.first_first.mean_wait, high.full_random.mean_wait, high.a_star.mean_wait }
finding(11, "high heterogeneity: jobs wait about as long, within 10 %, under A*, first-first and full_random", "reproduces",
  math.max(table.unpack(between)) < 1.1 * math.min(table.unpack(between)))
local moved = {}
for _, name in ipairs { "shortest_fastest", "min_min", "max_min", "longest_fastest" } do
  for _, other in ipairs { "shortest_fastest", "min_min", "max_min", "longest_fastest" } do
    if low[name].total_time < low[other].total_time and high[name].total_time > high[other].total_time then
      moved[#moved + 1] = name .. " and " .. other
    end
  end
end
claim { source = "IRMaSim thesis, section 5.3.3", verdict = "reproduces",
        says = "of min-min, max-min, longest_fastest and shortest_fastest, heterogeneity exchanges longest_fastest and min-min alone",
        holds = #moved == 1 and moved[1] == "longest_fastest and min_min", found = table.concat(moved, "; ") }
