-- The cluster, the loads and the measures of DLSim (Mamat, 2011): required by the scripts beside it.
-- takes: nothing
-- test: no

require "statements"
local loads = require "loads"
local studies = require "studies"
local verdicts = require "verdicts"
local dlsim = {}

dlsim.source = "Mamat, 2011"

-- Ten runs of ten million time units as published, or what is as good as a first look.
dlsim.full = setting("full", false)
dlsim.replications = setting("replications", dlsim.full and 10 or 3)
expect(dlsim.replications >= 2 and dlsim.replications % 1 == 0, "replications: two or more, for intervals")
function dlsim.horizon(short) return setting("horizon", dlsim.full and 1e7 or short) end

-- The loads of the figures, 0.1 to 1.0, or some of them.
function dlsim.loads(some)
  if not dlsim.full then return some or { 0.1, 0.4, 0.7, 1.0 } end
  local all = {}
  for i = 1, 10 do all[i] = i / 10 end
  return all
end

-- The measures of the figures. The publication counts the time for which nodes receive and compute up to the horizon T, of N T;
-- the metric `utilization` begins with the first arrival.
function dlsim.measure(r)
  return { reject_ratio = r.reject_ratio, utilization = r["utilization.system"], miss_ratio = r.miss_ratio, missed = r.missed }
end

-- An experiment of some algorithms. `factors` are named as the fields of loads.scenario, or `given(f)` is what these are.
-- Measured is what arrives before the horizon, and what the nodes do until then.
function dlsim.experiment(name, algorithms, factors, given)
  local all = {}
  for i, factor in ipairs(factors) do all[i] = factor end
  all[#all + 1] = { "algorithm", algorithms }
  return experiment(name) {
    factors = all,
    replications = setting("replications", dlsim.full and 10 or 5),
    run = function(f)
      local fields = given(f)
      for _, factor in ipairs(factors) do fields[factor[1]] = f[factor[1]] end
      return loads.scenario(fields):run { policy = loads.algorithm(f.algorithm), horizon = fields.horizon }
    end,
    measure = dlsim.measure,
  }
end

-- The difference of a measure between two algorithms, point by point.
function dlsim.difference(e, measure, of, minus, where) return studies.points(e, measure, "algorithm", of, minus, where) end

-- The basic configuration of section 4.5.1 as printed: set-ups of 500, mean deadlines by Equation 4.6 on all nodes; and more fields.
function dlsim.printed(more)
  local fields = { setup = 500, deadline_reference = "raw" }
  for name, value in pairs(more or {}) do fields[name] = value end
  return fields
end

-- Judges by intervals "always lower" or "higher" where 0.005 on the other side counts as none. Points that are all alike would pass: it takes
-- one whose plain interval lies on the side that is said.
dlsim.nothing = dlsim.full and 0.005 or 0  -- means of short runs say nothing
dlsim.margin = "always: no interval passes 0.005 on the other side, none lies beyond 0.001 there, both ours, and one lies on the side that is said"
function dlsim.always(points, sense)
  local v, seen = verdicts.always(points, sense, dlsim.nothing), false
  for _, point in ipairs(points) do
    local i = stats.interval(point.values)
    local bound = sense == "lower" and i.high or i.low
    if i.n > 1 and (sense == "lower" and bound < 0 or sense == "higher" and bound > 0) then seen = true end
  end
  if v.holds == true and (not seen or verdicts.always(points, sense, math.min(0.001, dlsim.nothing)).holds == false) then v.holds = "not decided" end
  return v
end

-- A verdict that rests on a threshold of ours: judge(threshold) for some, { number or { name, ... }, ... }. The text is that of the first, and says
-- what comes out with the others. Where they do not agree, nothing is decided.
function dlsim.thresholds(list, judge)
  local first, holds, parts = nil, nil, {}
  for i, threshold in ipairs(list) do
    local v = judge(threshold)
    if i == 1 then
      first, holds = v, v.holds
    else
      if v.holds ~= holds then holds = "not decided" end
      local outcome = v.holds == true and "it holds" or v.holds == false and "it does not hold" or "it is not decided"
      parts[i - 1] = ("with %s %s"):format(type(threshold) == "table" and threshold[1] or threshold, outcome)
    end
  end
  return { holds = holds, found = ("%s; %s"):format(first.found, table.concat(parts, ", ")) }
end

-- Whether the algorithm `of` is always better than `than`: rejects fewer and uses the nodes more at every point. `where` is as in verdicts.points.
function dlsim.fewer(e, of, than, where) return dlsim.always(verdicts.points(e, "reject_ratio", "algorithm", of, than, where), "lower") end
function dlsim.busier(e, of, than, where) return dlsim.always(verdicts.points(e, "utilization", "algorithm", of, than, where), "higher") end
function dlsim.better(e, of, than, where)
  return verdicts.all { { "rejects", dlsim.fewer(e, of, than, where) }, { "utilization", dlsim.busier(e, of, than, where) } }
end

-- Whether a measure falls ("lower") or rises with a factor at every point of the others: the slope of each replication is a value.
-- `of`, `than`: two algorithms, whose difference is taken.
function dlsim.slopes(e, measure, of, than, factor, levels, where)
  local at, order = {}, {}
  for _, row in ipairs(e:rows()) do
    if (row.algorithm == of or row.algorithm == than) and (not where or where(row)) then
      local key = row.load
      if not at[key] then
        at[key] = {}
        order[#order + 1] = key
      end
      local one = at[key]
      one[row.replication] = one[row.replication] or {}
      one[row.replication][row[factor]] = (one[row.replication][row[factor]] or 0) + (row.algorithm == of and 1 or -1) * row[measure]
    end
  end
  local points = {}
  for _, load in ipairs(order) do
    local values = {}
    for r, one in ipairs(at[load]) do
      local x, y = {}, {}
      for i, level in ipairs(levels) do x[i], y[i] = i, one[level] end
      values[r] = stats.fit.linear(x, y).coefficients[2]
    end
    points[#points + 1] = { name = ("load %g"):format(load), values = values }
  end
  return points
end

-- A claim that such a difference is `sense`, "lower" or "higher": beyond the interval somewhere, and nowhere the contrary.
function dlsim.claim(figure, says, difference, sense, verdict)
  local contrary = sense == "lower" and "higher" or "lower"
  claim { source = dlsim.source .. ", " .. figure, says = says, holds = difference[sense] > 0 and difference[contrary] == 0,
          found = difference.text, verdict = verdict }
end

-- Figures of a measure by `x`, a curve for each algorithm: FILE, or FILE-LEVEL for each level of `by`.
function dlsim.plot(e, measure, file, x, by) studies.plots(e, { x = x, y = measure, by = "algorithm", file = file }, by) end

-- Prints a measure, a line for each value of `x` and a column for each algorithm, one block for each level of `by`.
function dlsim.show(e, measure, x, by)
  local blocks, seen = {}, {}
  for _, row in ipairs(e:table(measure)) do
    local level = by and row[by] or ""
    if not seen[level] then blocks[#blocks + 1], seen[level] = { level = level }, true end
  end
  for _, block in ipairs(blocks) do
    local rows, algorithms = studies.pivot(e, measure, x, "algorithm", "%.3f +- %.3f", by and function(row) return row[by] == block.level end)
    print("\n" .. measure .. (by and (", %s %s"):format(by, block.level) or ""))
    local function line(first, texts)
      local parts = { ("%8s"):format(first) }
      for i, name in ipairs(algorithms) do parts[i + 1] = ("%15s"):format(texts and (texts[name] or "-") or name) end
      print(table.concat(parts, "  "))
    end
    line(x)
    for _, row in ipairs(rows) do line(row.level, row.cells) end
  end
end

return dlsim
