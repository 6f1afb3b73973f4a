-- Figure 4.7 of Mamat (2011): chunks that end together against equal ones, on all nodes, by how long deadlines are.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure4-7.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads and the three ratios of the figure, of seven: minutes
--
-- Set-ups of 500, and mean deadlines by Equation 4.6 on 256 nodes, as printed.

local dlsim = require "dlsim"
local verdicts = require "verdicts"
local full, horizon = dlsim.full, dlsim.horizon(6e5)
local ratios = { 2, 10, 100 }
local of, than = "EDF-OPR-AN", "EDF-EPR-AN"
local function study(name, levels, some, reference)
  return dlsim.experiment(name, { of, than }, { { "deadline_ratio", levels }, { "load", some } },
                          function() return { horizon = horizon, setup = 500, deadline_reference = reference } end)
end
local e = study("figure 4.7", ratios, dlsim.loads { 0.4, 1.0 }, "raw")
for _, measure in ipairs { "reject_ratio", "utilization" } do
  dlsim.show(e, measure, "load", "deadline_ratio")
  if full then dlsim.plot(e, measure, "figure4-7-" .. measure, "load", "deadline_ratio") end
end
local effective = study("figure 4.7, effective", ratios, { 0.4 }, "effective")
print "\nDeadlines by the time on the nodes that help"
dlsim.show(effective, "reject_ratio", "load", "deadline_ratio")
print ""

local list = {}
for i, ratio in ipairs(ratios) do
  list[i] = { ("DCRatio %d"):format(ratio), dlsim.better(e, of, than, function(row) return row.deadline_ratio == ratio end) }
end
local each = verdicts.all(list)
claim { statement = "S2-37", verdict = "does not reproduce", holds = each.holds, found = each.found,
        note = "the three ratios of the figure, of seven; deadlines as printed; " .. dlsim.margin }

-- The lead of OPR, by the replication: the slope over the levels of DCRatio is below 0 where EPR comes closer. Beside it the distance, whoever leads.
local function low(row) return row.load < 0.8 end
local function closer(x)
  return verdicts.all { { "rejects", verdicts.always(dlsim.slopes(x, "reject_ratio", than, of, "deadline_ratio", ratios, low), "lower", 0, "%+.4f") },
                        { "utilization", verdicts.always(dlsim.slopes(x, "utilization", of, than, "deadline_ratio", ratios, low), "lower", 0,
                            "%+.4f") } }
end
-- By load: the mean distance of all runs at each ratio; how often it is smaller with the next ratio.
local function distances(measure)
  local sums, steps, smaller = {}, 0, 0
  for _, ratio in ipairs(ratios) do
    for _, row in ipairs(dlsim.difference(e, measure, of, than, function(r) return r.deadline_ratio == ratio and low(r) end).rows) do
      sums[row.load] = sums[row.load] or {}
      sums[row.load][ratio] = math.abs(row.difference)
    end
  end
  for _, by in pairs(sums) do
    for i = 2, #ratios do
      steps = steps + 1
      if by[ratios[i]] < by[ratios[i - 1]] then smaller = smaller + 1 end
    end
  end
  return ("%d of %d steps"):format(smaller, steps)
end
local printed, other = closer(e), closer(effective)
local leads = {}
for i, ratio in ipairs(ratios) do
  local d = dlsim.difference(e, "reject_ratio", than, of, function(row) return row.deadline_ratio == ratio and low(row) end)
  leads[i] = ("%+.3f at %d"):format(d.mean, ratio)
end
claim { statement = "S2-38", verdict = "does not reproduce", holds = printed.holds,
        found = ("what EPR rejects more, on average of loads: %s; the distance of the means, whoever leads, gets smaller at %s of DCRatio in reject "
          .. "ratio, at %s in utilization; slope of the lead of OPR by step of DCRatio: %s; with effective deadlines: %s")
                :format(table.concat(leads, ", "), distances "reject_ratio", distances "utilization", printed.found, other.found),
        note = "the verdict rests on the lead of OPR with deadlines as printed; at DCRatio 2 it has none at most loads that could shrink" }

-- The reason: a longer time costs little where deadlines are loose and nodes are plenty.
local function rejected(level, some)
  local points = {}
  for _, name in ipairs { of, than } do
    for _, load in ipairs(some) do
      local values = {}
      for _, row in ipairs(e:rows()) do
        if row.algorithm == name and row.deadline_ratio == level and row.load == load then values[#values + 1] = row.reject_ratio end
      end
      if #values > 0 then points[#points + 1] = { name = ("%s, load %g"):format(name, load), values = values } end
    end
  end
  return points
end
local little = verdicts.alike(rejected(100, { 0.4 }), 0.02, "%.3f")
local tight = verdicts.always(verdicts.points(e, "reject_ratio", "algorithm", than, of, function(row) return row.deadline_ratio == 2
    and low(row) end), "higher", 0)
local cause = verdicts.all { { "reject ratios at DCRatio 100 and a load of 0.4", little }, { "EPR less OPR at DCRatio 2", tight } }
claim { statement = "S2-39", verdict = "does not reproduce", holds = cause.holds, found = cause.found,
        note = "it would take both: hardly a task rejected with loose deadlines, 0.02 at most, which is ours, and the longer time of EPR to matter "
          .. "with short ones" }
