-- Figures 4.10 to 4.12 of Mamat (2011): arrivals, deadlines or workload derivatives first, by the cost of transmission.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure4-10.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads and the three costs of the figures, of 20: minutes
--
-- Set-ups of 500, DCRatio 2 and mean deadlines by Equation 4.6 on 256 nodes, as printed for the basic configuration. Few tasks wait for each other
-- with such deadlines; beside them those five times as long.

local dlsim = require "dlsim"
local verdicts = require "verdicts"
local loads = require "loads"
local full, horizon = dlsim.full, dlsim.horizon(8e5)
local fifo_, edf_, mwf_ = "FIFO-OPR-MN", "EDF-OPR-MN", "MWF-OPR-MN"
local names = { fifo_, edf_, mwf_ }
local bytes = full and { 1, 10, 20 } or { 1, 20 }

local function measured(r)
  local found, sum, n = dlsim.measure(r), 0, 0
  for _, job in ipairs(r:jobs()) do
    if job.state == "rejected" then sum, n = sum + job.size, n + 1 end
  end
  found.rejected_size = n > 0 and sum / n or 0 / 0
  return found
end
local function study(name, factors, replications, given)
  factors[#factors + 1] = { "algorithm", names }
  return experiment(name) {
    factors = factors, replications = replications,
    run = function(f)
      local fields = dlsim.printed { horizon = horizon, load = f.load, bytes = f.bytes }
      given(fields, f)
      return loads.scenario(fields):run { policy = loads.algorithm(f.algorithm), horizon = fields.horizon }
    end,
    measure = measured,
  }
end
local e = study("figures 4.10 to 4.12", { { "bytes", bytes }, { "load", dlsim.loads { 0.6, 1.0 } } }, full and 10 or 3,
    function() end)
for _, measure in ipairs { "reject_ratio", "utilization" } do
  dlsim.show(e, measure, "load", "bytes")
  if full then dlsim.plot(e, measure, "figure4-10-" .. measure, "load", "bytes") end
end
local longer = study("figures 4.10 to 4.12, long deadlines", { { "bytes", { 1, 20 } }, { "load", full and { 0.6, 1.0 } or { 1.0 } } }, full and 5
    or 2,
                     function(fields)
                       fields.deadline_ratio = 10
                       fields.horizon = horizon / 2
                     end)
print "\nDeadlines five times as long"
dlsim.show(longer, "reject_ratio", "load", "bytes")
print ""

local function points(x, measure, of, minus, tau)
  return verdicts.points(x, measure, "algorithm", of, minus, function(row) return not tau or row.bytes == tau end)
end
local function fewer(x, of, minus, tau) return verdicts.always(points(x, "reject_ratio", of, minus, tau), "lower", 0) end
local small, small_longer = fewer(e, edf_, mwf_, 1), fewer(longer, edf_, mwf_, 1)
claim { statement = "S2-54", verdict = "does not reproduce", holds = small.holds, found = small.found .. "; with deadlines five times as long "
    .. small_longer.found,
        note = "the verdict rests on the basic configuration" }

local three = ("%d of the 20 values of tau; the verdict rests on the basic configuration"):format(#bytes)
local improves = verdicts.all {
  { "MWF less EDF", verdicts.always(dlsim.slopes(e, "reject_ratio", mwf_, edf_, "bytes", bytes), "lower", 0, "%+.4f") },
  { "MWF less FIFO", verdicts.always(dlsim.slopes(e, "reject_ratio", mwf_, fifo_, "bytes", bytes), "lower", 0, "%+.4f") } }
local improves_longer = verdicts.all {
  { "MWF less EDF", verdicts.always(dlsim.slopes(longer, "reject_ratio", mwf_, edf_, "bytes", { 1, 20 }), "lower", 0, "%+.4f") },
  { "MWF less FIFO", verdicts.always(dlsim.slopes(longer, "reject_ratio", mwf_, fifo_, "bytes", { 1, 20 }), "lower", 0, "%+.4f") } }
claim { statement = "S2-55", verdict = "does not reproduce", holds = improves.holds,
        found = "slope of the difference of reject ratios by step of tau: " .. improves.found .. "; with deadlines five times as long: "
            .. improves_longer.found,
        note = three }

local most = verdicts.mostly(points(e, "reject_ratio", mwf_, edf_, 20), "lower")
local most_longer = verdicts.mostly(points(longer, "reject_ratio", mwf_, edf_, 20), "lower")
claim { statement = "S2-56", verdict = "not decided", holds = most.holds, found = most.found .. "; with deadlines five times as long "
    .. most_longer.found,
        note = "the verdict rests on the basic configuration" }

-- Over many points the text names how many, and the extreme ones.
local function brief(v, x, measure, of, minus)
  local d = dlsim.difference(x, measure, of, minus)
  return { holds = v.holds, found = v.found:match "^[^:]*" .. (" points, %+.4f on average"):format(d.mean) }
end
local always = brief(fewer(e, edf_, fifo_), e, "reject_ratio", edf_, fifo_)
local mostly = brief(verdicts.mostly(points(e, "reject_ratio", edf_, fifo_), "lower"), e, "reject_ratio", edf_, fifo_)
local always_longer = brief(fewer(longer, edf_, fifo_), longer, "reject_ratio", edf_, fifo_)
claim { statement = "S2-57", verdict = "does not reproduce", holds = always.holds,
        found = ("EDF less FIFO, %d values of tau: %s; with deadlines five times as long: %s"):format(#bytes, always.found, always_longer.found),
        note = three }
local strengths = verdicts.all { { "always", always }, { "most of the time", mostly } }
claim { statement = "S2-58", verdict = "does not reproduce", holds = strengths.holds, found = "EDF less FIFO, reject ratio: " .. strengths.found,
        note = "the summary says less than the section that it sums up, which is no contradiction: neither comes out; " .. three }

local function least(x) -- utilization of MWF below both others
  return verdicts.all {
    { "MWF less EDF", brief(verdicts.always(points(x, "utilization", mwf_, edf_), "lower", 0), x, "utilization", mwf_, edf_) },
    { "MWF less FIFO", brief(verdicts.always(points(x, "utilization", mwf_, fifo_), "lower", 0), x, "utilization", mwf_, fifo_) } }
end
local worst, worst_longer = least(e), least(longer)
claim { statement = "S2-59", verdict = "does not reproduce", holds = worst.holds, found = worst.found .. "; with deadlines five times as long "
    .. worst_longer.found,
        note = "the verdict rests on the basic configuration" }

-- Where MWF rejects the fewest on average, the utilization of the three.
local function where_best(x)
  local at, best = {}, {}
  for _, row in ipairs(x:table "reject_ratio") do
    local key = ("%g/%g"):format(row.bytes, row.load)
    at[key] = at[key] or {}
    at[key][row.algorithm] = row.reject_ratio
  end
  for key, by in pairs(at) do best[key] = by[mwf_] < by[edf_] and by[mwf_] < by[fifo_] end
  return best
end
local function also_worst(x)
  local best = where_best(x)
  local n = 0
  for _, yes in pairs(best) do if yes then n = n + 1 end end
  if n == 0 then return { holds = "not decided", found = "MWF has the best reject ratio at no point" } end
  local function there(row) return best[("%g/%g"):format(row.bytes, row.load)] end
  local list = {}
  for i, other in ipairs { edf_, fifo_ } do
    list[i] = { "MWF less " .. other:match "^%a+", verdicts.always(verdicts.points(x, "utilization", "algorithm", mwf_, other, there), "lower", 0) }
  end
  local v = verdicts.all(list)
  return { holds = v.holds, found = ("MWF rejects the fewest at %d points; utilization there, %s"):format(n, v.found) }
end
local even, even_longer = also_worst(e), also_worst(longer)
claim { statement = "S2-60", verdict = "does not reproduce", holds = even.holds, found = even.found .. "; with deadlines five times as long: "
    .. even_longer.found,
        note = "the verdict rests on the basic configuration" }

-- Sizes of what is rejected. Where a run rejects nothing, there is none.
local from = full and 0.7 or 1  -- the load from which on every run rejects some
local function rejects(row) return row.load >= from end
local sizes, list = {}, {}
for i, other in ipairs { edf_, fifo_ } do
  list[i] = { "MWF less " .. other:match "^%a+", verdicts.always(verdicts.points(e, "rejected_size", "algorithm", mwf_, other, rejects), "higher", 0,
      "%+.0f") }
end
for _, name in ipairs(names) do
  local values = {}
  for _, row in ipairs(e:rows()) do if row.algorithm == name and rejects(row) then values[#values + 1] = row.rejected_size end end
  local i = stats.interval(values)
  sizes[#sizes + 1] = ("%s %.0f +- %.0f"):format(name:match "^%a+", i.mean, i.half_width)
end
local large = verdicts.all(list)
local reason = verdicts.all { { "utilization", worst }, { "mean size of rejected tasks", large } }
claim { statement = "S2-62", verdict = "does not reproduce", holds = reason.holds,
        found = ("utilization, %s; mean size of rejected tasks at loads of %g and more: %s; %s"):format(
                worst.found, from, table.concat(sizes, ", "), large.found),
        note = "a reason needs its effect, that MWF has the worst utilization (S2-59); all orders reject large tasks; " .. three }

local largest = bytes[#bytes]
local advantage = verdicts.all {
  { "tau 1, MWF less EDF not below 0", verdicts.always(points(e, "reject_ratio", mwf_, edf_, 1), "higher", dlsim.nothing) },
  { "tau 20, MWF less EDF", fewer(e, mwf_, edf_, largest) }, { "tau 20, MWF less FIFO", fewer(e, mwf_, fifo_, largest) } }
claim { statement = "S2-63", verdict = "does not reproduce", holds = advantage.holds, found = advantage.found,
        note = "the verdict rests on the basic configuration; no advantage: no interval below -0.005, which is ours" }

-- ---- whether MWF gains with the overhead ----

-- Overhead: the part of the node time of a task that is no computing, on the fewest nodes for its deadline. It is changed by tau, by chi and by
-- set-ups.
local cases = { { "tau 1", { 1, 1000, 500 } }, { "tau 10", { 10, 1000, 500 } }, { "tau 20", { 20, 1000, 500 } }, { "chi 300", { 1, 300, 500 } },
                { "set-ups 50", { 1, 1000, 50 } } }
if not full then cases = { cases[1], cases[3] } end
local function fields_of(case)
  return dlsim.printed { load = 0.8, bytes = case[1], time = case[2], setup = case[3], horizon = (full and 0.5 or 1) * horizon * case[2] / 1000 }
end
local hypothesis = experiment "overhead" {
  factors = { { "case", cases }, { "algorithm", { edf_, mwf_ } } },
  replications = full and 10 or 2,
  run = function(f)
    local fields = fields_of(f.case)
    return loads.scenario(fields):run { policy = loads.algorithm(f.algorithm), horizon = fields.horizon }
  end,
  measure = { "reject_ratio" },
}
local share = {}
for _, case in ipairs(cases) do
  local c = case[2]
  local costs = cost.divisible { transmission = c[1], computation = c[2], transmission_setup = c[3], computation_setup = c[3] }
  local sum, n = 0, 0
  for _, job in ipairs(loads.scenario(fields_of(c)):run { policy = "edf", seed = 1, trace = "work" }:jobs()) do
    local fewest = costs:fewest_nodes(job.size, job.deadline - job.arrival, 256)
    if fewest then sum, n = sum + 1 - job.size * c[2] / (fewest * costs:time(job.size, fewest)), n + 1 end
  end
  share[case[1]] = sum / n
end
local by, slopes, texts = {}, {}, {}
for _, row in ipairs(hypothesis:rows()) do
  by[row.replication] = by[row.replication] or {}
  by[row.replication][row.case] = (by[row.replication][row.case] or 0) + (row.algorithm == mwf_ and 1 or -1) * row.reject_ratio
end
for r, differences in ipairs(by) do
  local x, y = {}, {}
  for i, case in ipairs(cases) do x[i], y[i] = share[case[1]], differences[case[1]] end
  slopes[r] = stats.fit.linear(x, y).coefficients[2]
end
for i, case in ipairs(cases) do
  local values = {}
  for r, differences in ipairs(by) do values[r] = differences[case[1]] end
  local interval = stats.interval(values)
  texts[i] = ("%s: overhead %.2f, %+.3f +- %.3f"):format(case[1], share[case[1]], interval.mean, interval.half_width)
end
local slope = verdicts.always({ { name = "", values = slopes } }, "lower", 0, "%+.3f")
claim { statement = "S2-64", verdict = "not decided", holds = slope.holds,
        found = ("reject ratio of MWF less that of EDF, %s; slope by the overhead %s"):format(table.concat(texts, "; "), slope.found),
        note = "a load of 0.8, deadlines as printed; overhead on the fewest nodes that are in time" }
