-- IRMaSim thesis, section 5.3.1: eight policies on the platform of low heterogeneity, over drawn clock rates; with Figures 6 to 13.
-- takes: seconds
-- test: thorough
-- perigee run scripts/irmasim/heterogeneity.lua --out results     tables, figures and claims
--   --set full=true      60 lists of clock rates in place of 4, and 40 workloads of the first one
--   --set leaves=128     active leaves of A*, as many as in the thesis

require "statements"
local platforms, clock_lists = require "platforms", require "clock-lists"
local verdicts = require "verdicts"
local full = setting("full", false)
-- A* keeps 16 active leaves, where the thesis has 128: asked for 128, it gives up and answers with 16 too.
local leaves = setting("leaves", 16)
local names, policy_of = require "policies" (leaves)
local old, new = { "first_first", "full_random", "shortest_fastest", "longest_fastest" }, { "min_min", "max_min", "duplex", "a_star" }
local measures = { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" }

-- ---- one list of clock rates, which spans the ranges ----

-- How lengths of jobs and their waits go together, and the share of jobs on that node on which they are complete first by what was placed before:
-- in the order in which the policy places them, by start unless `by_length` says so. And how many nodes are idle when a job starts, on average.
local function looked_at(r, rates, by_length)
  local jobs, x, y = r:jobs(), {}, {}
  for i, job in ipairs(jobs) do x[i], y[i] = job.requested, job.wait end
  table.sort(jobs, function(a, b)
    if not by_length then return a.start < b.start end
    if by_length == "shortest" then return a.requested < b.requested end
    return a.requested > b.requested
  end)
  local mat, first, idle = {}, 0, 0
  for k = 1, #rates do mat[k] = 0 end
  for _, job in ipairs(jobs) do
    local node = tonumber(job.hosts:match "%d+")
    local least, ops = math.huge, (job.finish - job.start) * rates[node]
    for k, rate in ipairs(rates) do
      least = math.min(least, mat[k] + ops / rate)
      if mat[k] <= job.start + 1e-9 then idle = idle + 1 end
    end
    if job.finish <= least * (1 + 1e-9) then first = first + 1 end
    mat[node] = job.finish
  end
  return clock_lists.correlation(x, y), first / #jobs, idle / #jobs
end

local workloads = {}
for i = 1, full and 40 or 3 do workloads[i] = i end
local shown = math.min(5, #workloads)
local e = experiment "heterogeneity" {
  factors = { { "heterogeneity", { "low", "high" } }, { "policy", names }, { "workload", workloads } },
  run = function(f)
    return scenario { platform = platforms.of(platforms.clocks[f.heterogeneity]), workload = platforms.jobs(f.workload) }
      :run { policy = policy_of[f.policy], seed = f.workload }
  end,
  measure = function(r, f)
    local found = { choices = 0, max_min = 0 }
    for _, measure in ipairs(measures) do found[measure] = r[measure] end
    local order = f.policy == "min_min" and "shortest" or (f.policy == "max_min" or f.policy == "duplex") and "longest"
    found.correlation, found.first, found.idle = looked_at(r, platforms.clocks[f.heterogeneity], order)
    for _, note in ipairs(r:notes()) do
      if note.name == "planned" then found.off = math.abs(note[2] / r.makespan - 1) end
      if note.name == "created" then found.created = note[1] end
      if note.name == "max_min_taken" then found.choices, found.max_min = found.choices + 1, found.max_min + note[1] end
    end
    return found
  end,
}

-- value[heterogeneity][policy][measure][workload]
local value, figure_rows = { low = {}, high = {} }, { low = {}, high = {} }
for _, row in ipairs(e:rows()) do
  local of = value[row.heterogeneity]
  of[row.policy] = of[row.policy] or setmetatable({}, { __index = function(t, name) local list = {} rawset(t, name, list) return list end })
  for _, name in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown", "correlation", "first", "idle", "created", "off",
    "choices", "max_min" } do
    of[row.policy][name][row.workload] = row[name]
  end
  if row.workload <= 5 then table.insert(figure_rows[row.heterogeneity], row) end
end
local function mean_of(list, n)
  local sum = 0
  for i = 1, n or #list do sum = sum + list[i] / (n or #list) end
  return sum
end
for _, heterogeneity in ipairs { "low", "high" } do
  print(("\n%s heterogeneity, mean of %d workloads; A* with %d leaves"):format(heterogeneity, shown, leaves))
  print(("%-17s %10s %10s %10s %10s"):format("policy", "total s", "wait s", "slowdown", "bounded"))
  for _, name in ipairs(names) do
    local of = value[heterogeneity][name]
    print(("%-17s %10.1f %10.1f %10.2f %10.2f"):format(name, mean_of(of.total_time, shown), mean_of(of.mean_wait, shown), mean_of(of.mean_slowdown,
      shown), mean_of(of.mean_bounded_slowdown, shown)))
  end
end
print()
local figure = { low = 6, high = 10 }
for _, heterogeneity in ipairs { "low", "high" } do
  for i, measure in ipairs(measures) do
    local number = figure[heterogeneity] + i - 1
    plot(figure_rows[heterogeneity], { x = "policy", y = measure, kind = "box", text = false, file = "figure" .. number,
                                       title = ("Figure %d: %s, %s heterogeneity"):format(number, measure, heterogeneity) })
  end
end

-- ---- lists of clock rates drawn from the ranges of Tables 2 and 3, five workloads each ----

-- Whether each node runs its jobs from the shortest to the longest, and how many jobs are on the node of least completion time: of those that are
-- idle when the job starts, or with `busy_too` of all.
local function chosen_nodes(r, rates, busy_too)
  local jobs, mat, last, ascending, least_of, least_of_all = r:jobs(), {}, {}, true, 0, 0
  table.sort(jobs, function(a, b)
    if not busy_too and a.start ~= b.start then return a.start < b.start end
    if a.requested ~= b.requested then return a.requested < b.requested end
    return a.finish < b.finish
  end)
  for k = 1, #rates do mat[k], last[k] = 0, { start = 0, requested = 0 } end
  for _, job in ipairs(jobs) do
    local node = tonumber(job.hosts:match "%d+")
    local least, of_all, ops = math.huge, math.huge, (job.finish - job.start) * rates[node]
    for k, rate in ipairs(rates) do
      of_all = math.min(of_all, mat[k] + ops / rate)
      if busy_too then
        least = of_all
      elseif mat[k] <= job.start + 1e-9 then
        least = math.min(least, job.start + ops / rate)
      end
    end
    if job.finish <= least * (1 + 1e-9) then least_of = least_of + 1 end
    if job.finish <= of_all * (1 + 1e-9) then least_of_all = least_of_all + 1 end
    if job.start < last[node].start or job.requested < last[node].requested then ascending = false end
    mat[node], last[node] = job.finish, job
  end
  return ascending, least_of, #jobs, least_of_all
end

local lists, few = {}, full and 5 or 2
for i = 1, full and 60 or 4 do lists[i] = i end
local drawn = experiment "clock rates" {
  factors = { { "heterogeneity", { "low", "high" } }, { "list", lists }, { "policy", names } },
  -- On the high platform the claims of this script need no more than these two.
  where = function(f) return f.heterogeneity == "low" or f.policy == "shortest_fastest" or f.policy == "min_min" end,
  run = function(f)
    local rates = clock_lists.clocks(f.heterogeneity, f.list)
    local on, found = clock_lists.platform(rates), { choices = 0, max_min = 0, ascending = 0, of_least = 0, of_all = 0, placed = 0 }
    for i = 1, few do
      local work = clock_lists.workload(f.list, i)
      local r = scenario { platform = on, workload = work }
        :run { policy = policy_of[f.policy], seed = 5 * f.list + i }
      for _, measure in ipairs(measures) do found[measure] = (found[measure] or 0) + r[measure] / few end
      if f.policy == "shortest_fastest" or f.policy == "min_min" then
        local ascending, of_least, placed, of_all = chosen_nodes(r, rates, f.policy == "min_min")
        found.ascending, found.of_least = found.ascending + (ascending and 1 or 0), found.of_least + of_least
        found.placed, found.of_all = found.placed + placed, found.of_all + of_all
      end
      if f.policy == "duplex" then
        for _, note in ipairs(r:notes()) do
          if note.name == "max_min_taken" then found.choices, found.max_min = found.choices + 1, found.max_min + note[1] end
        end
      end
    end
    return found
  end,
}
-- means[heterogeneity][list][policy]: the row of that cell.
local means = { low = {}, high = {} }
for _, row in ipairs(drawn:rows()) do
  local of = means[row.heterogeneity]
  of[row.list] = of[row.list] or {}
  of[row.list][row.policy] = row
end

-- ---- claims ----

local function rule(number, verdict, judged, found, note)
  claim { statement = number, verdict = verdict, holds = judged.holds, found = found and found .. judged.found or judged.found, note = note }
end
-- On how many lists it is so, each by the mean of its five workloads.
local function on_lists(good, heterogeneity)
  local count = 0
  for _, m in ipairs(means[heterogeneity or "low"]) do if good(m) then count = count + 1 end end
  local share = verdicts.share(count, #lists)
  share.count = count
  share.found = share.found:gsub("^in (.-), (.*)$", "on %1 lists of clock rates (95 %% interval of the share: %2)")
  return share
end
-- The same at several thresholds, from the strictest to the widest: true when the strictest holds on most lists, false when the widest does not.
local function at_limits(limits, form, good)
  local shares, parts, holds = {}, {}, "not decided"
  for i, limit in ipairs(limits) do
    shares[i] = on_lists(function(m) return good(m, limit) end)
    parts[i] = form:format(100 * limit) .. " " .. shares[i].found
  end
  if shares[1].holds == true then holds = true elseif shares[#shares].holds == false then holds = false end
  return { holds = holds, found = table.concat(parts, ", ") }
end
local function interval(f, heterogeneity)
  local list = {}
  for i, m in ipairs(means[heterogeneity or "low"]) do list[i] = f(m) end
  local s = stats.interval(list)
  return s.mean, s.half_width or 0, math.min(table.unpack(list)), math.max(table.unpack(list))
end
local function least(m, measure, of)
  local value = math.huge
  for _, name in ipairs(of) do value = math.min(value, m[name][measure]) end
  return value
end
local function most(m, measure, of)
  local value = -math.huge
  for _, name in ipairs(of) do value = math.max(value, m[name][measure]) end
  return value
end
local function all_below(m, measure, some, others) return most(m, measure, some) < least(m, measure, others) end
local function ratio(measure, a, b)
  return ("%.4f +- %.4f; "):format(interval(function(m) return m[a][measure] / m[b][measure] end))
end
local simple = { "first_first", "full_random", "shortest_fastest" }
local rests = "the clock rates are not published: lists of them are drawn from the ranges of Table 2, and the verdict says whether it is so on more "
    .. "or less than half of them"
local ours = "; the threshold of %s is ours"

do
  -- In seconds at 1 GHz, and, as section 3.3.2 has it, on the slowest node of the list: all times are longer by its rate then.
  local function as_printed(m, scale)
    local shortest = scale * least(m, "total_time", names)
    return shortest >= 8250 and shortest < 8750 and scale * most(m, "total_time", names) > 10000
  end
  local slowest, ratios = {}, {}
  for number, m in ipairs(means.low) do
    slowest[m] = math.min(table.unpack(clock_lists.clocks("low", number)))
    ratios[number] = most(m, "total_time", names) / least(m, "total_time", names)
  end
  -- Neither the scale of the clock rates nor the node of the requested times is known: it is enough that one reading holds.
  local readings = {
    { "requested times are those at 1 GHz", on_lists(function(m) return as_printed(m, 1) end) },
    { "requested times are those on the slowest node", on_lists(function(m) return as_printed(m, slowest[m]) end) },
    { "whatever the scale, the largest is at least 10,000 / 8500 times the least", on_lists(function(m)
      return most(m, "total_time", names) / least(m, "total_time", names) >= 10000 / 8500
    end) },
  }
  local judged, any = verdicts.all(readings), false
  for _, reading in ipairs(readings) do
    if reading[2].holds == true then any = true elseif reading[2].holds ~= false and not any then any = "not decided" end
  end
  judged.holds = any
  local low, low_half = interval(function(m) return least(m, "total_time", names) end)
  local high, high_half = interval(function(m) return most(m, "total_time", names) end)
  local ratio_of = stats.interval(ratios)
  rule("S1-73", "does not reproduce", judged,
       ("the least of the eight mean totals is %.0f +- %.0f s and the largest %.0f +- %.0f s, %.3f +- %.3f times as long (10,000 / 8500 is %.3f); "
         .. "the least within 250 s of 8500 s and the largest over 10,000 s: "):format(low, low_half, high, high_half, ratio_of.mean,
         ratio_of.half_width, 10000 / 8500), rests .. ours:format "250 s")
end
rule("S1-74", "reproduces", on_lists(function(m) return all_below(m, "total_time", new, simple) end), "each of the three is above each of the four ",
  rests)
rule("S1-75", "reproduces", on_lists(function(m) return m.longest_fastest.total_time < m.min_min.total_time end),
     "the total of longest_fastest over that of min-min is " .. ratio("total_time", "longest_fastest", "min_min") .. "it is shorter ", rests)
do
  local apart = function(m) return math.abs(m.longest_fastest.total_time / m.a_star.total_time - 1) end
  rule("S1-76", "reproduces", at_limits({ 0.02, 0.05 }, "within %g %%", function(m, limit) return apart(m) < limit end),
       "the total of longest_fastest over that of A* is " .. ratio("total_time", "longest_fastest", "a_star") .. "both are within 1 % "
         .. on_lists(function(m) return apart(m) < 0.01 end).found .. ", ",
       rests .. "; similar is taken as within 2 % and within 5 %, thresholds of ours: the eight means reach over 14 %")
end
rule("S1-77", "reproduces", on_lists(function(m)
  return m.duplex.total_time == m.max_min.total_time and m.duplex.total_time < least(m, "total_time", { "min_min", "a_star", table.unpack(old) })
end), "both are equal, and below all others ", rests)
do
  local runs, once, by_max = 0, 0, 0
  for _, m in ipairs(means.low) do
    runs, once, by_max = runs + few, once + m.duplex.choices, by_max + m.duplex.max_min
  end
  for _, count in ipairs(value.low.duplex.choices) do runs, once = runs + 1, once + count end
  for _, count in ipairs(value.low.duplex.max_min) do by_max = by_max + count end
  -- The same jobs in four sets, far apart and close together.
  local sets, apart = 0, 0
  for number = 1, few do
    for _, gap in ipairs { 100, 100000 } do
      local list = {}
      for i, seconds in ipairs(platforms.seconds(number)) do list[i] = { cores = 1, ops = seconds * 1e9, arrival = gap * ((i - 1) // 128) } end
      sets = sets + 4
      for _, note in ipairs(scenario { platform = platforms.of(platforms.clocks.low), workload = workload.jobs(list) }
          :run { policy = policy_of.duplex }:notes()) do
        if note.name == "max_min_taken" then apart = apart + 1 end
      end
    end
  end
  claim { statement = "S1-78", verdict = "reproduces", holds = once == runs and apart == sets,
          found = ("duplex chooses %d times in %d runs; where the same jobs come in four sets it chooses %d times for %d sets"):format(once, runs,
            apart, sets) }
  claim { statement = "S1-79", verdict = "source in error", holds = by_max < runs / 2,
          found = ("duplex chooses max-min in %d of %d runs"):format(by_max, runs),
          note = "the same paragraph has duplex tied with max-min, the best" }
end
rule("S1-80", "reproduces", on_lists(function(m)
  return m.longest_fastest.total_time > m.max_min.total_time and m.shortest_fastest.total_time > m.min_min.total_time
end), "longest_fastest over max-min is " .. ratio("total_time", "longest_fastest", "max_min") .. "shortest_fastest over min-min is "
  .. ratio("total_time", "shortest_fastest", "min_min") .. "both are longer ", rests)
rule("S1-81", "reproduces", at_limits({ 0.02, 0.05 }, "at most %g %% longer", function(m, limit)
  return m.a_star.total_time < (1 + limit) * least(m, "total_time", { "max_min", "duplex" })
end), "the total of A* over that of max-min is " .. ratio("total_time", "a_star", "max_min") .. "it is at most 1 % longer "
       .. on_lists(function(m) return m.a_star.total_time < 1.01 * least(m, "total_time", { "max_min", "duplex" }) end).found .. ", ",
     rests .. "; almost is taken as 2 % and as 5 %, thresholds of ours: the eight means reach over 14 %; A* has " .. leaves .. " active leaves, for "
       .. "what the thesis counts to 128 is not clear, and Algorithm 4 as printed does not end with 128")
rule("S1-82", "reproduces", on_lists(function(m)
  return all_below(m, "mean_wait", { "first_first", "full_random", "shortest_fastest", "min_min" }, { "longest_fastest", "max_min", "duplex",
    "a_star" })
end), "each of the four is above each of the other four ", rests)
local six = { "first_first", "full_random", "longest_fastest", "max_min", "duplex", "a_star" }
rule("S1-83", "reproduces", on_lists(function(m) return all_below(m, "mean_wait", { "shortest_fastest", "min_min" }, six) end),
     "both are below each of the other six ", rests)
rule("S1-85", "does not reproduce", on_lists(function(m) return m.max_min.mean_wait < m.longest_fastest.mean_wait end),
     "the wait under max-min over that under longest_fastest is " .. ratio("mean_wait", "max_min", "longest_fastest") .. "it is shorter ", rests)
local function lower_bounded(m)
  local count = 0
  for _, name in ipairs(names) do if m[name].mean_bounded_slowdown < m[name].mean_slowdown then count = count + 1 end end
  return count
end
do
  local function mean_gap(m)
    local bounded, unbounded = 0, 0
    for _, name in ipairs(names) do bounded, unbounded = bounded + m[name].mean_bounded_slowdown, unbounded + m[name].mean_slowdown end
    return 100 * (1 - bounded / unbounded)
  end
  local gap, gap_half = interval(mean_gap)
  local count, count_half = interval(lower_bounded)
  rule("S1-86", "does not reproduce", on_lists(function(m) return lower_bounded(m) == #names end),
       ("bounded slowdown is lower than slowdown for %.1f +- %.1f of the eight algorithms, and their mean by %.3f +- %.3f %%; it is lower for all "
         .. "eight "):format(count, count_half, gap, gap_half),
       rests .. "; better is taken as lower for each algorithm. By its formula bounded slowdown is never higher, and lower only where a job of less "
         .. "than 10 s has waited")
end
rule("S1-87", "reproduces", on_lists(function(m)
  for _, a in ipairs(names) do
    for _, b in ipairs(names) do
      if m[a].mean_slowdown < m[b].mean_slowdown and m[a].mean_bounded_slowdown >= m[b].mean_bounded_slowdown then return false end
    end
  end
  return true
end), "the order of all eight is the same in both ", rests)
local function in_both(good)
  return function(m) return good(m, "mean_slowdown") and good(m, "mean_bounded_slowdown") end
end
rule("S1-88", "reproduces", on_lists(in_both(function(m, measure) return all_below(m, measure, { "shortest_fastest", "min_min" }, six) end)),
     "both are below each of the other six, in slowdown and bounded slowdown, ", rests)
local three = { "longest_fastest", "max_min", "duplex" }
rule("S1-90", "reproduces", on_lists(in_both(function(m, measure)
  return all_below(m, measure, { "first_first", "full_random", "shortest_fastest", "min_min", "a_star" }, three)
end)), "each of the three is above each of the other five, in slowdown and bounded slowdown, ", rests)
local function times_within(low, high)
  return on_lists(in_both(function(m, measure)
    for _, a in ipairs(three) do
      for _, b in ipairs { "shortest_fastest", "min_min" } do
        local times = m[a][measure] / m[b][measure]
        if times < low or times > high then return false end
      end
    end
    return true
  end))
end
local rounds, near_six = times_within(5.5, 6.5), times_within(5, 7)
rule("S1-91", "not decided", { holds = rounds.holds == near_six.holds and rounds.holds or "not decided", found = rounds.found },
     ("slowdown of longest_fastest over that of shortest_fastest %smax-min over shortest_fastest %slongest_fastest over min-min %s"
    .. "max-min (and duplex) over min-min %s"):format(
     ratio("mean_slowdown", "longest_fastest", "shortest_fastest"), ratio("mean_slowdown", "max_min", "shortest_fastest"),
     ratio("mean_slowdown", "longest_fastest", "min_min"), ratio("mean_slowdown", "max_min", "min_min")) 
    .. "all six are 5 to 7 " .. near_six.found .. ", 5.5 to 6.5, in slowdown and bounded slowdown, ",
  rests .. "; six is taken as what rounds to six and as 5 to 7, bands of ours")
rule("S1-92", "does not reproduce", on_lists(in_both(function(m, measure)
  return least(m, measure, { "first_first", "full_random", "a_star" }) >= 40 and most(m, measure, { "first_first", "full_random", "a_star" }) <= 50
end)), ("slowdowns of first-first %.1f +- %.1f, full random %.1f +- %.1f and A* %.1f +- %.1f; all three are 40 to 50, in slowdown and bounded "
    .. "slowdown, "):format(table.unpack((function()
  local parts = {}
  for _, name in ipairs { "first_first", "full_random", "a_star" } do
    local mean, half = interval(function(m) return m[name].mean_slowdown end)
    parts[#parts + 1], parts[#parts + 2] = mean, half
  end
  return parts
end)())), rests)

-- Over the workloads of the first list.
local function of(measure, name, heterogeneity) return value[heterogeneity or "low"][name][measure] end
do
  local holds, parts = true, {}
  for _, each in ipairs { { "longest_fastest", -1 }, { "max_min", -1 }, { "duplex", -1 }, { "a_star", -1 }, { "shortest_fastest", 1 }, { "min_min",
    1 } } do
    local s, sign = stats.interval(of("correlation", each[1])), each[2]
    parts[#parts + 1] = ("%s %.2f +- %.2f"):format(each[1], s.mean, s.half_width)
    local low, high = math.min(sign * s.low, sign * s.high), math.max(sign * s.low, sign * s.high)
    if high < 0.3 then holds = false elseif low <= 0.5 and holds then holds = "not decided" end
  end
  -- Jobs of one length: no order by length, and no difference in waits.
  local alike = {}
  for i = 1, 512 do alike[i] = { cores = 1, ops = 1550e9 } end
  local s = scenario { platform = platforms.of(platforms.clocks.low), workload = workload.jobs(alike) }
  local wait = {}
  for _, name in ipairs { "min_min", "max_min", "shortest_fastest", "longest_fastest" } do
    wait[#wait + 1] = s:run { policy = policy_of[name] }.mean_wait
  end
  claim { statement = "S1-84", verdict = "does not reproduce", holds = holds,
          found = ("correlations of requested time and wait over the jobs: %s; with jobs of equal length max-min waits %.4g s longer than min-min, "
              .. "and longest_fastest %.4g s longer than shortest_fastest"):format(table.concat(parts, ", "), wait[2] - wait[1], wait[4] - wait[3]),
          note = "a correlation over 0.5 in size is asked for, a threshold of ours; with 0.3 the verdict is the same. The thesis "
              .. "names A* among those that wait more, but A* takes "
              .. "jobs in random order: the reason explains the others alone" }
end
local function deviations(list)
  local mean, found = mean_of(list), {}
  for i, x in ipairs(list) do found[i] = math.abs(x - mean) end
  return found, mean
end
do
  local points = {}
  for _, measure in ipairs { "mean_slowdown", "mean_bounded_slowdown" } do
    for _, name in ipairs { "shortest_fastest", "min_min" } do
      for _, other in ipairs(six) do
        local a, b, values = deviations(of(measure, name)), deviations(of(measure, other)), {}
        for i = 1, #a do values[i] = a[i] - b[i] end
        points[#points + 1] = { name = "", values = values }
      end
    end
  end
  local judged, parts = verdicts.always(points, "lower"), {}
  for _, name in ipairs(names) do parts[#parts + 1] = ("%s %.2f"):format(name, stats.summary(of("mean_slowdown", name)).sd) end
  claim { statement = "S1-89", verdict = "reproduces", holds = judged.holds,
          found = ("standard deviations of slowdown over %d workloads: %s; mean absolute deviations of each of the two less those of each of the six "
              .. "others, in slowdown and bounded slowdown: %s"):format(#workloads, table.concat(parts, ", "), judged.found:match "^[^:]*"),
          note = "low is taken as lower than under each other algorithm" }
end
do
  -- Relative deviations from the mean, bounded less unbounded: of each policy on each platform, and of all sixteen together.
  local points, parts, together, lower_sd = {}, {}, {}, 0
  for _, heterogeneity in ipairs { "low", "high" } do
    local bounded_sd, unbounded_sd = 0, 0
    for _, name in ipairs(names) do
      local a, mean_a = deviations(of("mean_bounded_slowdown", name, heterogeneity))
      local b, mean_b = deviations(of("mean_slowdown", name, heterogeneity))
      local values = {}
      for i = 1, #a do
        values[i] = a[i] / mean_a - b[i] / mean_b
        together[i] = (together[i] or 0) + values[i] / (2 * #names)
      end
      points[#points + 1] = { name = "", values = values }
      local bounded = stats.summary(of("mean_bounded_slowdown", name, heterogeneity)).sd / mean_a
      local unbounded = stats.summary(of("mean_slowdown", name, heterogeneity)).sd / mean_b
      bounded_sd, unbounded_sd = bounded_sd + bounded / #names, unbounded_sd + unbounded / #names
      if bounded < unbounded then lower_sd = lower_sd + 1 end
    end
    parts[#parts + 1] = ("%.2f and %.2f %% on the %s platform"):format(100 * bounded_sd, 100 * unbounded_sd, heterogeneity)
  end
  local judged = verdicts.always({ { name = "", values = together } }, "lower")
  local each, s = verdicts.always(points, "lower"), stats.interval(together)
  -- The two readings: the metric on the whole, and under each algorithm on each platform.
  local holds = judged.holds == each.holds and each.holds or "not decided"
  claim { statement = "S1-71", verdict = "not decided", holds = holds,
          found = ("standard deviations over %d workloads as shares of the mean, bounded and not, on average over eight algorithms: %s; lower for "
              .. "%d of %d pairs of algorithm and platform; mean absolute deviations differ by %.3f +- %.3f %% of the mean over all %d, and taken "
              .. "singly are %s")
                :format(#workloads, table.concat(parts, ", "), lower_sd, #points, 100 * s.mean, 100 * (s.half_width or 0), #points,
                  each.found:match "^[^:]*"),
          note = "on all algorithms and both platforms together it holds, under each algorithm on each platform it does not: the sentence names no "
              .. "algorithm and can be read either way. No job fails in these workloads" }
end
do
  local points, parts, off, planned_runs = {}, {}, 0, 0
  for _, name in ipairs(names) do
    local s = stats.interval(of("first", name))
    parts[#parts + 1] = ("%s %.0f +- %.0f %%"):format(name, 100 * s.mean, 100 * s.half_width)
  end
  for _, a in ipairs(old) do
    for _, b in ipairs(new) do
      local values = {}
      for i, x in ipairs(of("first", a)) do values[i] = x - of("first", b)[i] end
      points[#points + 1] = { name = "", values = values }
    end
  end
  for _, name in ipairs(new) do
    for i = 1, #workloads do
      planned_runs = planned_runs + 1
      off = math.max(off, of("off", name)[i] or math.huge)
    end
  end
  -- How many nodes are compared for a job, by completion time or by speed: the idle ones, all of them, all of them twice, or the vertices of A*.
  local nodes, compared, most_old, least_new = #platforms.clocks.low, {}, 0, math.huge
  for _, name in ipairs(names) do
    local n = nodes
    if name == "duplex" then n = 2 * nodes elseif name == "a_star" then n = mean_of(of("created", name)) / 512 end
    for _, each in ipairs(old) do if each == name then n = mean_of(of("idle", name)) end end
    compared[#compared + 1] = ("%s %.1f"):format(name, n)
  end
  for _, name in ipairs(old) do most_old = math.max(most_old, table.unpack(of("idle", name))) end
  least_new = math.min(nodes, mean_of(of("created", "a_star")) / 512)
  local judged = verdicts.always(points, "lower")
  if off > 1e-9 or most_old >= least_new then judged.holds = false end
  claim { statement = "S1-17", verdict = "reproduces", holds = judged.holds,
          found = ("nodes compared for each job: %s; the new ones predict the total time exactly in %d of %d runs, the old ones predict nothing; "
              .. "shares of jobs that are on the node on which they are complete first: %s; of old less new, for 4 x 4 pairs: %s")
                  :format(table.concat(compared, ", "), off > 1e-9 and 0 or planned_runs, planned_runs, table.concat(parts, ", "),
                    judged.found:match "^[^:]*"),
          note = "low heterogeneity; the share stands for precision. More complex is taken as this: a new one computes a completion time of each job "
              .. "on each node, and A* a vertex or more for each, where an old one looks at the idle nodes. A* does not choose by the completion of "
              .. "a job, but by f" }
end

-- min-min and shortest_fastest on both platforms.
do
  local parts, lower, firsts, points = {}, {}, {}, {}
  local runs, ascending, placed, of_all, of_least = 0, 0, 0, 0, { shortest_fastest = 0, min_min = 0 }
  for _, heterogeneity in ipairs { "low", "high" } do
    local ratios = {}
    for i, measure in ipairs(measures) do
      ratios[i] = ("%s %.3f +- %.3f"):format(measure:gsub("_", " "), interval(function(m)
        return m.shortest_fastest[measure] / m.min_min[measure]
      end, heterogeneity))
    end
    local judged = on_lists(function(m)
      for _, measure in ipairs(measures) do if math.abs(m.shortest_fastest[measure] / m.min_min[measure] - 1) > 0.1 then return false end end
      return true
    end, heterogeneity)
    parts[#parts + 1] = ("%s platform: %s, all four within 10 %% on %d of %d lists"):format(heterogeneity, table.concat(ratios, ", "), judged.count,
      #lists)
    for _, m in ipairs(means[heterogeneity]) do
      for name in pairs(of_least) do
        runs, ascending, of_least[name] = runs + few, ascending + m[name].ascending, of_least[name] + m[name].of_least
      end
      placed, of_all = placed + m.min_min.placed, of_all + m.shortest_fastest.of_all
    end
    lower[heterogeneity] = on_lists(function(m) return m.min_min.total_time < m.shortest_fastest.total_time end, heterogeneity)
    local values, s = {}, {}
    for _, name in ipairs { "min_min", "shortest_fastest" } do s[name] = stats.interval(of("first", name, heterogeneity)) end
    for i, x in ipairs(of("first", "shortest_fastest", heterogeneity)) do values[i] = x - of("first", "min_min", heterogeneity)[i] end
    points[#points + 1] = { name = "", values = values }
    firsts[#firsts + 1] = ("%.0f %% and %.0f +- %.0f %% on the %s platform"):format(100 * s.min_min.mean, 100 * s.shortest_fastest.mean,
      100 * (s.shortest_fastest.half_width or 0), heterogeneity)
  end
  claim { statement = "S1-13", verdict = "reproduces",
          holds = ascending == runs and of_least.shortest_fastest == placed and of_least.min_min == placed,
          found = ("both run the jobs of each node from the shortest to the longest in %d of %d runs; shortest_fastest gives %d of %d jobs to the "
              .. "idle node of least completion time, and %d to that of all nodes, min-min %d of %d to that of all nodes; results "
              .. "of shortest_fastest over those of min-min: %s")
                :format(ascending, runs, of_least.shortest_fastest, placed, of_all, of_least.min_min, placed, table.concat(parts, "; ")),
          note = "the thesis says in what they are similar: the verdict rests on the order of jobs and on the choice of nodes, of the available ones "
              .. "under shortest_fastest, which takes a node off its list. Of all nodes it takes mostly another one. Whether results are similar "
              .. "too, for which a threshold of 10 % is ours, is shown beside it" }
  -- Where nodes are equal the first that is idle is the one on which the job is complete first.
  local rates, largest_difference = {}, 0
  for k = 1, 16 do rates[k] = 5 end
  for i = 1, few do
    local s = scenario { platform = platforms.of(rates), workload = platforms.jobs(i) }
    local a, b = s:run { policy = policy_of.min_min }.total_time, s:run { policy = policy_of.shortest_fastest }.total_time
    largest_difference = math.max(largest_difference, math.abs(a - b))
  end
  local both = verdicts.all { { "min-min has the shorter total time, low platform", lower.low }, { "high platform", lower.high },
    { "shares of shortest_fastest less those of min-min", verdicts.always(points, "lower") } }
  if largest_difference > 1e-6 then both.holds = false end
  claim { statement = "S1-26", verdict = "reproduces", holds = both.holds,
          found = ("shares of jobs that min-min and shortest_fastest put on the node on which they are complete first: %s; %s; on 16 equal nodes the "
              .. "total times differ by %.3g s"):format(table.concat(firsts, ", "), both.found, largest_difference),
          note = "on equal nodes the node that is idle first is also that of least completion time, so that there is nothing to gain by looking at "
              .. "busy ones" }
end
