-- Figure 4.6 of Mamat (2011): chunks that end together against equal ones, few nodes against all, by the load.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure4-6.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes
--
-- Deadlines are as printed, so that their mean is twice what Equation 4.6 says of 256 nodes. Beside them those that a schedule can have, twice the
-- time on the 63 nodes that help ("effective").

local dlsim = require "dlsim"
local verdicts = require "verdicts"
local loads = require "loads"
local full, horizon = dlsim.full, dlsim.horizon(1e6)
local names = { "EDF-OPR-MN", "EDF-EPR-MN", "EDF-OPR-AN", "EDF-EPR-AN" }

-- The measures of the figures, and the reject ratios of the first and of the second half of the time.
local function measured(r)
  local found, arrived, rejected = dlsim.measure(r), { 0, 0 }, { 0, 0 }
  for _, job in ipairs(r:jobs()) do
    local half = job.arrival < horizon / 2 and 1 or 2
    arrived[half] = arrived[half] + 1
    if job.state == "rejected" then rejected[half] = rejected[half] + 1 end
  end
  found.halves = rejected[2] / math.max(1, arrived[2]) - rejected[1] / math.max(1, arrived[1])
  return found
end
local function study(name, algorithms, factors, replications, given)
  local all = {}
  for i, factor in ipairs(factors) do all[i] = factor end
  all[#all + 1] = { "algorithm", algorithms }
  return experiment(name) {
    factors = all, replications = replications,
    run = function(f)
      local fields = dlsim.printed { load = f.load, horizon = horizon }
      if given then given(fields, f) end
      return loads.scenario(fields):run { policy = loads.algorithm(f.algorithm), horizon = fields.horizon }
    end,
    measure = measured,
  }
end
local e = study("figure 4.6", names, { { "load", full and dlsim.loads() or { 0.4, 1.0 } } }, full and 10 or 3)
for _, measure in ipairs { "reject_ratio", "utilization" } do
  dlsim.show(e, measure, "load")
  dlsim.plot(e, measure, "figure4-6-" .. measure, "load")
end
local effective = study("figure 4.6, effective", names, { { "load", full and { 0.2, 0.6, 1.0 } or { 1.0 } } }, full and 10 or 2,
                        function(fields) fields.deadline_reference = "effective" end)
print "\nDeadlines by the time on the nodes that help"
dlsim.show(effective, "reject_ratio", "load")
print ""

-- The verdict of the printed deadlines, and what comes with the others.
local function both(statement, verdict, test, of, than)
  local v, other = test(e, of, than), test(effective, of, than)
  return { statement = statement, verdict = verdict, holds = v.holds, found = v.found .. "; with effective deadlines " .. other.found,
           note = "the verdict rests on deadlines as printed; " .. dlsim.margin }
end
claim(both("S2-30", "reproduces", dlsim.fewer, "EDF-OPR-MN", "EDF-EPR-MN"))
claim(both("S2-31", "reproduces", dlsim.busier, "EDF-OPR-MN", "EDF-EPR-MN"))
local an_fewer = both("S2-32", "does not reproduce", dlsim.fewer, "EDF-OPR-AN", "EDF-EPR-AN")
claim(an_fewer)
claim(both("S2-33", "does not reproduce", dlsim.busier, "EDF-OPR-AN", "EDF-EPR-AN"))

-- Times and node times of the tasks of one run: with AN on the nodes that help, with MN on the fewest for the deadline.
local opr = cost.divisible { transmission = 1, computation = 1000, transmission_setup = 500, computation_setup = 500 }
local epr = cost.divisible { transmission = 1, computation = 1000, transmission_setup = 500, computation_setup = 500, partition = "equal" }
local tasks, shorter, sums = 0, 0, { 0, 0, 0, 0, 0, 0 }
for _, job in ipairs(loads.scenario(dlsim.printed { load = 1, horizon = horizon }):run { policy = "edf", seed = 1, trace = "work" }:jobs()) do
  local a, b, within = opr:useful_nodes(job.size), epr:useful_nodes(job.size), job.deadline - job.arrival
  local n, m = opr:fewest_nodes(job.size, within, 256), epr:fewest_nodes(job.size, within, 256)
  tasks = tasks + 1
  if opr:time(job.size, a) <= epr:time(job.size, b) then shorter = shorter + 1 end
  sums[1], sums[2] = sums[1] + opr:time(job.size, a), sums[2] + epr:time(job.size, b)
  sums[3], sums[4] = sums[3] + a * opr:time(job.size, a), sums[4] + b * epr:time(job.size, b)
  if n and m then sums[5], sums[6] = sums[5] + n * opr:time(job.size, n), sums[6] + m * epr:time(job.size, m) end
end
local times = { holds = shorter == tasks, found = ("OPR takes the shorter time for %d of %d tasks, %.2f times that of EPR, for which AN holds "
    .. "%.3f times the node time and MN %.3f times")
  :format(shorter, tasks, sums[1] / sums[2], sums[3] / sums[4], sums[5] / sums[6]) }
local reason = verdicts.all { { "times", times }, { "MN", dlsim.better(e, "EDF-OPR-MN", "EDF-EPR-MN") }, { "AN", dlsim.better(e,
    "EDF-OPR-AN", "EDF-EPR-AN") } }
claim { statement = "S2-34", verdict = "does not reproduce", holds = reason.holds, found = reason.found,
        note = "if the shorter time were the reason, AN would reject fewer too; its shorter tasks hold more nodes" }

-- ---- few nodes against all ----

local function outperforms(x)
  return verdicts.all { { "rejects", verdicts.mostly(verdicts.points(x, "reject_ratio", "algorithm", "EDF-OPR-AN", "EDF-OPR-MN"), "lower") },
                        { "utilization", verdicts.mostly(verdicts.points(x, "utilization", "algorithm", "EDF-OPR-AN", "EDF-OPR-MN"), "higher") } }
end
local printed, other = outperforms(e), outperforms(effective)
claim { statement = "S2-46", verdict = "does not reproduce", holds = printed.holds, found = printed.found .. "; with effective deadlines "
    .. other.found, note = "the text says that initial data seem to indicate it, and sums up that both have their own advantages, S2-51; the verdict "
    .. "rests on deadlines as printed" }
-- Node time that AN needs for a task of mean size, and that a load of 1 brings for each task at most.
local each, brought = 63 * opr:time(1000, 63), opr:time(1000, 1)
local ratios = {}
for _, row in ipairs(e:table "reject_ratio") do if row.load == 1 then ratios[row.algorithm] = row end end
local an, mn = ratios["EDF-OPR-AN"], ratios["EDF-OPR-MN"]
local an_lower = verdicts.mostly(verdicts.points(e, "reject_ratio", "algorithm", "EDF-OPR-AN", "EDF-OPR-MN"), "lower")
-- The loads at which MN rejects fewer than AN must by that calculation.
local excluded, some_loads = 0, 0
for _, row in ipairs(e:table "reject_ratio") do
  if row.algorithm == "EDF-OPR-MN" then
    some_loads = some_loads + 1
    if row.reject_ratio + row.reject_ratio_half_width < 1 - brought / each / row.load then excluded = excluded + 1 end
  end
end
claim { statement = "S2-47", verdict = "source in error", holds = an_lower.holds,
        found = ("a task of mean size takes AN %.2e node-seconds, a load of 1 leaves %.2e for each, so that %.2f of them can be served; MN rejects "
            .. "fewer than the rest at %d of %d loads; at a load of 1 AN rejects %.3f +- %.3f, MN %.3f +- %.3f; AN less MN %s")
                :format(each, brought, brought / each, excluded, some_loads, an.reject_ratio, an.reject_ratio_half_width, mn.reject_ratio,
                    mn.reject_ratio_half_width, an_lower.found),
        note = "the calculation takes each task to have the mean size; it excludes that AN rejects fewer at high loads with the printed set-ups, "
          .. "which the text takes initial data, Figure 4.6, to indicate; its summary is that both have their own advantages, S2-51" }

-- ---- how long runs are ----

local widest, drifts, n = 0, {}, 0
for _, row in ipairs(e:table "reject_ratio") do
  widest, n = math.max(widest, row.reject_ratio_half_width), n + 1
end
for _, row in ipairs(e:rows()) do
  local key = ("%s, load %g"):format(row.algorithm, row.load)
  if not drifts[key] then
    drifts[key] = { name = key, values = {} }
    drifts[#drifts + 1] = drifts[key]
  end
  table.insert(drifts[key].values, row.halves)
end
local unlike, worst = 0, 0
for _, point in ipairs(drifts) do
  local i = stats.interval(point.values)
  if not i:contains(0) then unlike = unlike + 1 end
  worst = math.max(worst, math.abs(i.mean))
end
local enough = "not decided"
if full then
  if widest <= 0.02 and verdicts.share(unlike, #drifts, 0.2).holds == false then enough = true
  elseif widest > 0.04 or verdicts.share(unlike, #drifts, 0.2).holds == true then enough = false end
end
claim { statement = "S2-29", verdict = "not decided", holds = enough,
        found = ("half widths of reject ratios are %.4f at most over %d points; at %d of %d points the second half of the time differs from the "
            .. "first beyond the 95 %% interval, by %.3f at most on average")
                :format(widest, n, unlike, #drifts, worst),
        note = "sufficient: half widths of at most 0.02, and halves alike at more than four of five points, which is ours" }

-- ---- other pairs, clusters and sizes ----

local pairs_of = { { "FIFO-OPR-MN", "FIFO-EPR-MN" }, { "FIFO-OPR-AN", "FIFO-EPR-AN" }, { "MWF-OPR-MN", "MWF-EPR-MN" } }
local others = study("figure 4.6, other pairs", { "FIFO-OPR-MN", "FIFO-EPR-MN", "FIFO-OPR-AN", "FIFO-EPR-AN", "MWF-OPR-MN", "MWF-EPR-MN" },
                     { { "load", full and { 0.2, 0.6, 1.0 } or { 1.0 } } }, full and 10 or 2)
local list = {}
for i, pair in ipairs(pairs_of) do list[i] = { pair[1], dlsim.better(others, pair[1], pair[2]) } end
local similar = verdicts.all(list)
claim { statement = "S2-35", verdict = "does not reproduce", holds = similar.holds, found = similar.found,
        note = "deadlines as printed, three of the ten loads; " .. dlsim.margin }

-- In the short form as many tasks come as in the basic configuration.
local cases = { { "64 nodes", { "nodes", 64 } }, { "512 nodes", { "nodes", 512 } }, { "size 200", { "mean_size", 200 } }, { "size 5000",
    { "mean_size", 5000 } } }
local varied = study("figure 4.6, varied", names, { { "case", full and cases or { cases[2], cases[3] } }, { "load", full and { 0.4, 1.0 }
    or { 1.0 } } }, full and 10 or 2,
                     function(fields, f)
                       fields[f.case[1]] = f.case[2]
                       local tasks = 256 / (fields.nodes or 256) * opr:time(fields.mean_size or 1000, 1) / opr:time(1000, 1)
                       fields.horizon = full and horizon or 0.3 * horizon * tasks
                     end)
local changed = verdicts.all { { "MN", dlsim.better(varied, "EDF-OPR-MN", "EDF-EPR-MN") }, { "AN", dlsim.better(varied, "EDF-OPR-AN",
    "EDF-EPR-AN") } }
claim { statement = "S2-36", verdict = "does not reproduce", holds = changed.holds, found = changed.found,
        note = "the numbers of nodes and sizes are ours, the publication prints none, and two of the ten loads; deadlines as printed; "
          .. dlsim.margin }
local whatever = verdicts.all { { "EDF-MN", dlsim.better(e, "EDF-OPR-MN", "EDF-EPR-MN") }, { "EDF-AN", dlsim.better(e, "EDF-OPR-AN", "EDF-EPR-AN") },
                                { "other pairs", similar }, { "other clusters and sizes", changed } }
local holds_in, fails_in, points_in, worse_for = 0, 0, 0, {}
for _, pair in ipairs { { e, "EDF-OPR-MN", "EDF-EPR-MN" }, { e, "EDF-OPR-AN", "EDF-EPR-AN" }, { others, table.unpack(pairs_of[1]) }, { others,
    table.unpack(pairs_of[2]) },
                        { others, table.unpack(pairs_of[3]) }, { varied, "EDF-OPR-MN", "EDF-EPR-MN" }, { varied, "EDF-OPR-AN", "EDF-EPR-AN" } } do
  local worse = 0
  for measure, sense in pairs { reject_ratio = "lower", utilization = "higher" } do
    local d = dlsim.difference(pair[1], measure, pair[2], pair[3])
    holds_in, worse, points_in = holds_in + d[sense], worse + d[sense == "lower" and "higher" or "lower"], points_in + d.n
  end
  if worse > 0 then
    worse_for[#worse_for + 1] = ("%s%s %d"):format(pair[2], pair[1] == varied and " on other clusters and sizes" or "", worse)
  end
  fails_in = fails_in + worse
end
claim { statement = "S2-45", verdict = "does not reproduce", holds = whatever.holds,
        found = ("OPR is better beyond the 95 %% interval at %d, worse at %d of %d points of five pairs of algorithms, loads, clusters and "
            .. "sizes, both measures; worse are %s"):format(holds_in, fails_in, points_in,
                #worse_for > 0 and table.concat(worse_for, ", ") or "none"),
        note = "deadlines as printed; by DCRatio and processing speed see S2-37 and S2-40" }
