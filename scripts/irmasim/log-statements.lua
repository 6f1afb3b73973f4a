-- IRMaSim thesis, sections 5.3.4 to 6: its sentences on runs of a real log, each held against runs; the scripts here use it.
-- takes: nothing, the other scripts here use it
-- test: no

local lists = require "clock-lists"
local logs = { measures = { "total", "wait", "slowdown", "bounded", "largest" } }

-- Tables 4 and 5: nodes, cores of each, GHz. Table 5 prints four nodes of each kind, 16 in all, where the text has 32.
logs.tables = {
  dist0 = { { 13, 32, 4.6 }, { 11, 20, 10.2 }, { 4, 8, 6.4 }, { 4, 8, 15.2 } },
  dist1 = { { 13, 32, 2.6 }, { 11, 20, 5.2 }, { 4, 8, 3.4 }, { 4, 8, 7.2 } },
  dist1_printed = { { 4, 32, 2.6 }, { 4, 20, 5.2 }, { 4, 8, 3.4 }, { 4, 8, 7.2 } },
}
function logs.platform(kinds)
  local parts = {}
  for i, kind in ipairs(kinds) do parts[i] = cluster("kind" .. i) { nodes = kind[1], cores = kind[2], speed = kind[3] * 1e9 } end
  return platform(parts)
end

-- The measures of a run: total time in h, the others as they are; and how often duplex has chosen, and how often max-min.
function logs.measured(r)
  local choices, by_max = 0, 0
  for _, note in ipairs(r:notes()) do
    if note.name == "max_min_taken" then choices, by_max = choices + 1, by_max + note[1] end
  end
  return { total = r.total_time / 3600, wait = r.mean_wait, slowdown = r.mean_slowdown, bounded = r.mean_bounded_slowdown, largest = r.max_slowdown,
           choices = choices, by_max = by_max }
end

local names = require "policies" (16)
local old, new = { "first_first", "full_random", "shortest_fastest", "longest_fastest" }, { "min_min", "max_min", "duplex", "a_star" }
local simple, three = { "first_first", "full_random", "shortest_fastest" }, { "wait", "slowdown", "bounded" }

-- Our thresholds for words of the thesis.
logs.ours = {
  [133] = "close to is taken as within 5 %", [134] = "some deviation is taken as at least 5 % of the mean",
  [136] = "almost 160 is taken as 150 to 160", [141] = "related is taken as nearer to the partner than to either of the other two",
  [140] = "similar is taken as correlations over 0.9", [142] = "much better is taken as less than half; the two numbers are shown",
  [144] = "hardly differ is taken as less than 5 %, do as more than 50 %, very long as a slowdown over 100",
  [145] = "favourable is taken as one of the four shortest totals",
  [151] = "similar is taken as within 25 %, much lower as less than 0.8 times, alike as within 10 %",
  [152] = "comparable and on par are taken as within 10 %", [153] = "about is taken as within 10 %",
  [155] = "similar is taken as within 10 %, much higher as over 1.5 times", [156] = "similar and near are taken as within 10 %",
  [157] = "140 is taken as within 10 %", [161] = "poor is taken as one of the three worst", [162] = "similar is taken as within 10 %",
  [169] = "tend is taken as a rank correlation over 0.5; the order of complexity is that of the figures",
}

-- of[platform][policy] is a list of what its runs measured, for platforms 0 and 1; `heterogeneity` the spread of totals in sections 5.3.1 and 5.3.2,
-- %.
-- A list of { number, whether it holds, text, note }.
function logs.evaluate(of, heterogeneity)
  local s = {}
  for p = 0, 1 do
    s[p] = {}
    for _, m in ipairs(logs.measures) do
      s[p][m] = { mean = {}, min = {}, max = {}, sd = {} }
      for _, name in ipairs(names) do
        local values = {}
        for i, run in ipairs(of[p][name]) do values[i] = run[m] end
        local summary = stats.summary(values)
        for _, field in ipairs { "mean", "min", "max", "sd" } do s[p][m][field][name] = summary[field] end
      end
    end
  end
  local function mean(p, m) return s[p][m].mean end
  local function near(a, b, share) return math.abs(a - b) <= (share or 0.1) * math.abs(b) end
  local function extreme(t, sense)
    local best
    for _, name in ipairs(names) do if not best or (t[name] - t[best]) * sense > 0 then best = name end end
    return best, t[best]
  end
  local function lowest(t, set)
    local inside, top, rest = {}, -math.huge, math.huge
    for _, name in ipairs(set) do inside[name], top = true, math.max(top, t[name]) end
    for _, name in ipairs(names) do if not inside[name] then rest = math.min(rest, t[name]) end end
    return top < rest
  end
  local function spread(p, m)
    local _, low = extreme(mean(p, m), -1)
    local _, high = extreme(mean(p, m), 1)
    return 100 * (high / low - 1)
  end
  local function rank(t, name)
    local n = 1
    for _, other in ipairs(names) do if t[other] < t[name] then n = n + 1 end end
    return n
  end
  local function between(t) return (t.duplex - t.min_min) * (t.duplex - t.max_min) < 0 end
  local function every(set, f)
    for _, each in ipairs(set) do if not f(each) then return false end end
    return true
  end
  local function beats(t, a, b) return every(a, function(x) return every(b, function(y) return t[x] < t[y] end) end) end
  local function goes_with(p, a, b)
    local x, y = {}, {}
    for i, name in ipairs(names) do x[i], y[i] = mean(p, a)[name], mean(p, b)[name] end
    return lists.correlation(x, y)
  end
  local function complexity(p)
    local x, y = {}, {}
    for i, name in ipairs(names) do x[i], y[i] = i, rank(mean(p, "wait"), name) end
    return lists.correlation(x, y)
  end
  local t0, t1, w0, w1 = s[0].total, s[1].total, s[0].wait, s[1].wait
  local out = {}
  local function tell(number, holds, form, ...) out[#out + 1] = { "S1-" .. number, holds, form:format(...), logs.ours[number] } end

  local low, high = extreme(t0.mean, -1), extreme(t0.mean, 1)
  tell(133, every(names, function(name) return near(t0.mean[name], 120, 0.05) end), "means from %.1f to %.1f h", t0.mean[low], t0.mean[high])
  tell(134, every(names, function(name) return t0.sd[name] >= 0.05 * t0.mean[name] end), "the deviation of first_first is %.1f %%",
      100 * t0.sd.first_first / t0.mean.first_first)
  tell(135, low == "a_star" and t0.min.a_star < 80, "best %s; minimum of A* %.1f h", low, t0.min.a_star)
  tell(136, high == "full_random" and near(t0.max.full_random, 155, 5 / 155), "worst %s; maximum of full_random %.1f h", high, t0.max.full_random)
  tell(137, lowest(w0.mean, simple), "least wait %s", extreme(w0.mean, -1))
  tell(138, every(three, function(m) return mean(0, m).shortest_fastest < mean(0, m).min_min and mean(0, m).longest_fastest < mean(0, m).max_min end),
       "waits of shortest_fastest and min-min %.0f and %.0f s, of longest_fastest and max-min %.0f and %.0f s", w0.mean.shortest_fastest,
           w0.mean.min_min,
       w0.mean.longest_fastest, w0.mean.max_min)
  local choices, by_max, fewest = 0, 0, math.huge
  for _, run in ipairs(of[0].duplex) do
    choices, by_max, fewest = choices + run.choices, by_max + run.by_max, math.min(fewest, run.choices)
  end
  tell(139, every(three, function(m) return between(mean(0, m)) end) and fewest > 1 and by_max > 0 and by_max < choices,
       "waits of min-min, duplex and max-min %.0f, %.0f and %.0f s; duplex chooses %d times, max-min %d times", w0.mean.min_min, w0.mean.duplex,
       w0.mean.max_min, choices, by_max)
  tell(140, goes_with(0, "wait", "slowdown") > 0.9 and goes_with(0, "wait", "bounded") > 0.9, "correlations with wait %.2f and %.2f", goes_with(0,
      "wait", "slowdown"),
       goes_with(0, "wait", "bounded"))
  -- Each is nearer to its partner than to either of the other two.
  local function related(t)
    local within = math.max(math.abs(t.shortest_fastest - t.min_min), math.abs(t.longest_fastest - t.max_min))
    return within < math.min(t.longest_fastest, t.max_min) - math.max(t.shortest_fastest, t.min_min)
  end
  tell(141, every(three, function(m) return related(mean(0, m)) end),
       "waits of shortest_fastest and min-min %.0f and %.0f s, of longest_fastest and max-min %.0f and %.0f s", w0.mean.shortest_fastest,
           w0.mean.min_min,
       w0.mean.longest_fastest, w0.mean.max_min)
  tell(142, extreme(w0.mean, 1) == "a_star" and extreme(mean(0, "slowdown"), 1) == "a_star" and mean(0, "bounded").a_star < mean(0,
      "slowdown").a_star / 2,
       "worst wait %s, worst slowdown %s; A* %.1f and bounded %.1f", extreme(w0.mean, 1), extreme(mean(0, "slowdown"), 1), mean(0, "slowdown").a_star,
           mean(0, "bounded").a_star)
  local _, largest = extreme(s[0].largest.max, 1)
  tell(144, spread(0, "total") < 5 and every(three, function(m) return spread(0, m) > 50 end) and largest > 100,
       "means differ by %.1f %% in total, %.0f %% in wait, %.0f %% in slowdown, %.0f %% in bounded; largest slowdown %.0f", spread(0, "total"),
           spread(0, "wait"),
       spread(0, "slowdown"), spread(0, "bounded"), largest)
  tell(145, every(three, function(m) return extreme(mean(0, m), -1) == "shortest_fastest" end) and rank(t0.mean, "shortest_fastest") <= 4,
       "least wait %s, slowdown %s, bounded %s; shortest_fastest is %d of 8 in total", extreme(w0.mean, -1), extreme(mean(0, "slowdown"), -1),
           extreme(mean(0, "bounded"), -1),
       rank(t0.mean, "shortest_fastest"))
  local worst = extreme(t1.mean, 1)
  tell(146, worst == "min_min" and t1.mean.min_min > 130 and t1.max.min_min > 160, "worst %s; min-min %.1f h, at most %.1f h", worst, t1.mean.min_min,
      t1.max.min_min)
  tell(147, rank(t1.mean, "full_random") == 7, "full_random is %d of 8", rank(t1.mean, "full_random"))
  tell(149, extreme(t1.mean, -1) == "a_star" and t1.min.a_star < 90, "best %s; minimum of A* %.1f h", extreme(t1.mean, -1), t1.min.a_star)
  tell(150, lowest(w1.mean, simple), "least wait %s", extreme(w1.mean, -1))
  tell(151, near(w1.mean.longest_fastest, w1.mean.min_min, 0.25) and w1.min.longest_fastest < 0.8 * w1.min.min_min and near(w1.max.longest_fastest,
      w1.max.min_min)
       and w1.mean.longest_fastest < w1.mean.min_min, "longest_fastest %.0f s (%.0f to %.0f), min-min %.0f s (%.0f to %.0f)", w1.mean.longest_fastest,
           w1.min.longest_fastest,
       w1.max.longest_fastest, w1.mean.min_min, w1.min.min_min, w1.max.min_min)
  tell(152, near(w1.mean.max_min, w1.mean.duplex) and near(w1.min.duplex, w1.min.min_min), "means of max-min and duplex %.0f and %.0f s, minima " ..
      "of duplex and min-min %.0f and %.0f s",
       w1.mean.max_min, w1.mean.duplex, w1.min.duplex, w1.min.min_min)
  tell(153, w1.mean.a_star < w1.mean.duplex and near(w1.max.a_star, 4000) and near(w1.max.duplex, 7000), "maxima of A* %.0f s, of duplex %.0f s",
      w1.max.a_star, w1.max.duplex)
  tell(154, lowest(mean(1, "slowdown"), simple) and lowest(mean(1, "bounded"), simple), "least slowdown %s, bounded %s", extreme(mean(1, "slowdown"),
      -1), extreme(mean(1, "bounded"), -1))
  local function pair(m, a, b) return near(mean(1, m)[a], mean(1, m)[b]) end
  tell(155, every({ "slowdown", "bounded" }, function(m) return pair(m, "longest_fastest", "min_min")
      and s[1][m].max.longest_fastest > 1.5 * s[1][m].max.min_min end),
       "slowdowns of longest_fastest and min-min %.1f and %.1f, maxima %.1f and %.1f", mean(1, "slowdown").longest_fastest, mean(1,
           "slowdown").min_min,
       s[1].slowdown.max.longest_fastest, s[1].slowdown.max.min_min)
  tell(156, every({ "slowdown", "bounded" }, function(m)
         local min = s[1][m].min
         return pair(m, "max_min", "duplex") and near(min.duplex, min.longest_fastest) and near(min.duplex, min.min_min)
       end), "slowdowns of max-min and duplex %.1f and %.1f, minima of duplex, longest_fastest and min-min %.1f, %.1f and %.1f", mean(1,
           "slowdown").max_min, mean(1, "slowdown").duplex,
       s[1].slowdown.min.duplex, s[1].slowdown.min.longest_fastest, s[1].slowdown.min.min_min)
  local slow, bound = s[1].slowdown, s[1].bounded
  tell(157, extreme(slow.sd, 1) == "a_star" and extreme(slow.mean, 1) == "a_star"
      and bound.mean.a_star / bound.mean.max_min < slow.mean.a_star / slow.mean.max_min
       and slow.max.a_star > 250 and near(bound.max.a_star, 140), "worst %s; A* at most %.0f, bounded %.0f; over max-min %.2f and %.2f times",
           extreme(slow.mean, 1), slow.max.a_star,
       bound.max.a_star, slow.mean.a_star / slow.mean.max_min, bound.mean.a_star / bound.mean.max_min)
  local others = { "max_min", "duplex", "a_star" }
  tell(158, beats(t1.mean, others, old) and beats(slow.mean, old, others) and every({ "total", "wait", "slowdown", "bounded" },
      function(m) return beats(mean(1, m), old, { "min_min" }) end),
       "max-min, duplex and A* all shorter in total than the four old ones: %s, all with more slowdown: %s", beats(t1.mean, others, old) and "yes"
           or "no",
       beats(slow.mean, old, others) and "yes" or "no")
  local without = false
  local runs = #of[1].min_min
  for leave = 1, runs do
    local sums = {}
    for _, name in ipairs(names) do
      sums[name] = 0
      for i, run in ipairs(of[1][name]) do if i ~= leave then sums[name] = sums[name] + run.total end end
    end
    without = without or extreme(sums, 1) ~= "min_min"
  end
  tell(159, worst == "min_min" and without, "worst %s; without one window another is: %s", worst, without and "yes" or "no")
  tell(160, every({ "total", "wait", "slowdown", "bounded" }, function(m) return between(mean(1, m)) end),
      "waits of min-min, duplex and max-min %.0f, %.0f and %.0f s", w1.mean.min_min,
       w1.mean.duplex, w1.mean.max_min)
  tell(161, extreme(t1.mean, -1) == "a_star" and rank(slow.mean, "a_star") >= 6 and rank(bound.mean, "a_star") >= 6,
      "A* is %d of 8 in total, %d in slowdown, %d in bounded",
       rank(t1.mean, "a_star"), rank(slow.mean, "a_star"), rank(bound.mean, "a_star"))
  tell(162, spread(0, "total") < 10 and spread(1, "total") < 10, "means differ by %.2f %% on platform 0 and %.2f %% on platform 1", spread(0,
      "total"), spread(1, "total"))
  tell(164, spread(1, "total") > spread(0, "total"), "means of totals differ by %.2f %% on platform 1 and %.2f %% on platform 0", spread(1, "total"),
      spread(0, "total"))
  tell(168, every(three, function(m) return between(mean(0, m)) and between(mean(1, m)) end), "waits of min-min, duplex and max-min %.0f, %.0f " ..
      "and %.0f s, and %.0f, %.0f and %.0f s",
       w0.mean.min_min, w0.mean.duplex, w0.mean.max_min, w1.mean.min_min, w1.mean.duplex, w1.mean.max_min)
  tell(169, complexity(0) > 0.5 and complexity(1) > 0.5, "rank correlations of the order of policies and of their waits %.2f and %.2f", complexity(0),
      complexity(1))
  tell(170, every({ 0, 1 }, function(p) return every(three, function(m) return lowest(mean(p, m), simple) and extreme(mean(p, m),
      -1) == "shortest_fastest" end) end),
       "least wait %s on platform 0 and %s on platform 1", extreme(w0.mean, -1), extreme(w1.mean, -1))
  tell(171, every({ 0, 1 }, function(p) return extreme(mean(p, "slowdown"), 1) == "a_star" and extreme(mean(p, "total"), -1) == "a_star" end),
       "worst slowdown %s and %s, best total %s and %s", extreme(mean(0, "slowdown"), 1), extreme(slow.mean, 1), extreme(t0.mean, -1),
           extreme(t1.mean, -1))
  tell(172, math.max(spread(0, "total"), spread(1, "total")) < heterogeneity, "means of totals differ by %.2f and %.2f %%; by %.1f %% in the " ..
      "heterogeneity experiments", spread(0, "total"),
       spread(1, "total"), heterogeneity)
  tell(177, every({ 0, 1 }, function(p) return every(three, function(m) return extreme(mean(p, m), -1) == "shortest_fastest" end) end),
       "waits of shortest_fastest, of longest_fastest, which has the longest first and is the same else, and of min-min %.0f, %.0f and %.0f s, and "
         .. "%.0f, %.0f and %.0f s", w0.mean.shortest_fastest, w0.mean.longest_fastest, w0.mean.min_min, w1.mean.shortest_fastest,
       w1.mean.longest_fastest, w1.mean.min_min)
  tell(183, beats(t0.mean, new, old) and beats(t1.mean, new, old), "best total %s and %s", extreme(t0.mean, -1), extreme(t1.mean, -1))
  return out
end

-- The least spread of totals, %, on the two platforms of Tables 2 and 3: mean of some lists of clock rates, one workload each.
function logs.heterogeneity(n)
  local _, policy_of = require "policies" (16)
  local least = math.huge
  for _, platform in ipairs { "low", "high" } do
    local sum = 0
    for d = 1, n do
      local low, high = math.huge, 0
      local s = scenario { platform = lists.platform(lists.clocks(platform, d)), workload = (lists.workload(d, 1)) }
      for _, name in ipairs(names) do
        local total = s:run { policy = policy_of[name], seed = d }.total_time
        low, high = math.min(low, total), math.max(high, total)
      end
      sum = sum + 100 * (high / low - 1) / n
    end
    least = math.min(least, sum)
  end
  return least
end

return logs
