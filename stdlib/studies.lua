-- Results of a study from its experiment: ratios and differences by pairs, agreement with published means, tables, figures.
-- `e` is an experiment. `where` is a function of one of its rows, or a table of levels, { size = 15 }. Only rows for which it returns
-- true, or with these levels, count; all unless it is given. A measure that is absent or NaN counts nowhere.
local studies = {}

local fields = require "fields"

-- Error at the line that calls the function which calls this one, where an argument of `call`, "studies.f(e, x)", is missing.
local function needs(call, ...)
  local i = 0
  for name in call:match("%((.*)%)"):gmatch "[%a_]+" do
    i = i + 1
    if select(i, ...) == nil then error(("'%s' is missing in %s"):format(name, call), 3) end
  end
end

-- Rows hold a level that is no number as a text.
local function is_level(value, level) return value == level or type(level) ~= "number" and value == tostring(level) end

local function has(row, fixed)
  for name, level in pairs(fixed or {}) do
    if not is_level(row[name], level) then return false end
  end
  return true
end

-- Error, at that depth of calls, unless the factor has the level in some row; there are no rows when the script is only checked.
local function need_level(rows, factor, level, depth)
  local levels, seen = {}, {}
  for _, row in ipairs(rows) do
    local value = row[factor]
    if is_level(value, level) then return end
    if value ~= nil and not seen[value] then levels[#levels + 1], seen[value] = tostring(value), true end
  end
  if #levels > 0 then
    error(("the factor '%s' has no level '%s' here; its levels are %s"):format(factor, tostring(level), table.concat(levels, ", ")), depth)
  elseif #rows > 0 then
    error(("there is no factor '%s' here"):format(tostring(factor)), depth)
  end
end

local function need_levels(rows, fixed, depth)
  for factor, level in pairs(fixed or {}) do need_level(rows, factor, level, depth + 1) end
end

-- `where` as a function; what it must not be is an error at that depth of calls.
local function condition(rows, where, depth)
  if type(where) == "function" then return where end
  if where and type(where) ~= "table" then
    error(("`where` must be a function of a row, or a table as { size = 15 }, got %s"):format(fields.text(where)), depth)
  end
  need_levels(rows, where, depth + 1)
  return function(row) return has(row, where) end
end

local function is_value(x) return x ~= nil and x == x end

-- Whether the script is only checked: the experiment has no cells then, but its tables know their columns.
local function only_checked(e) return #e == 0 end

-- The interval, over the replications, of the mean over the cells of `combine(a, b)`. `a` is the measure of a run at level `of` that
-- counts, `b` that at level `to` with all else the same.
local function paired(e, measure, factor, of, to, where, combine)
  local rows, others = e:rows(), { "replication" }
  if only_checked(e) then
    for _, level in ipairs { of, to } do e:compare(measure, { factor = factor, baseline = level }) end
  end
  need_level(rows, factor, of, 4)
  need_level(rows, factor, to, 4)
  local counts = condition(rows, where, 4)
  local no_factor = { n = true, [measure] = true, [measure .. "_half_width"] = true, [measure .. "_n"] = true }
  for name in pairs(e:table(measure)[1]) do
    if name ~= factor and not no_factor[name] then others[#others + 1] = name end
  end
  local function key(row)
    local parts = {}
    for k, name in ipairs(others) do parts[k] = tostring(row[name]) end
    return table.concat(parts, "\n")
  end
  local base, sums, cells, last, tried = {}, {}, {}, 0, 0
  for _, row in ipairs(rows) do
    if is_level(row[factor], to) then base[key(row)] = row[measure] end
  end
  for _, row in ipairs(rows) do
    if is_level(row[factor], of) and counts(row) then
      local a, b, i = row[measure], base[key(row)], row.replication
      local value = a and b and combine(a, b)
      if is_value(value) then
        sums[i], cells[i], last = (sums[i] or 0) + value, (cells[i] or 0) + 1, math.max(last, i)
      end
      tried = tried + 1
    end
  end
  local means = {}
  for i = 1, last do
    if cells[i] then means[#means + 1] = sums[i] / cells[i] end
  end
  if #rows > 0 and tried == 0 then error("no run counts: `where` is true for none", 3) end
  if #rows > 0 and #means == 0 then
    error(("no pair is left: of %d, each has a '%s' that is absent or NaN"):format(tried, measure), 3)
  end
  return stats.interval(means)
end

local differences = {}  -- the intervals that studies.difference has returned

-- The rows of a table, e:table() or e:compare(), as { [level of the factor] = row }. `fixed` has levels of other factors, as
-- { ready = "zero" }: only rows with these are taken. Two rows with one level are an error.
function studies.by(rows, factor, fixed)
  needs("studies.by(rows, factor)", rows, factor)
  need_levels(rows, fixed, 3)
  local out = {}
  if #rows == 0 then setmetatable(out, { __index = function() return rows[1] end }) end  -- what perigee check knows of them
  for _, row in ipairs(rows) do
    local level = row[factor]
    if level == nil then error(("the rows have no '%s'"):format(tostring(factor)), 2) end
    if has(row, fixed) then
      if out[level] then
        local unlike = {}
        for name, value in pairs(row) do
          if value ~= out[level][name] then unlike[#unlike + 1] = name end
        end
        error(("several rows have the level '%s' of '%s'; they differ in %s: `fixed` must say which is meant"):format(
          tostring(level), factor, table.concat(unlike, ", ")), 2)
      end
      out[level] = row
    end
  end
  return out
end

-- The rows of any list by the value of one column: { { [by] = value, n =, mean =, largest = }, ... }, where the last two are of the column `of`. Numbers
-- come in their order, other values as they first come. A row without either column counts nowhere.
function studies.grouped(rows, by, of)
  needs("studies.grouped(rows, by, of)", rows, by, of)
  if by == "n" or by == "mean" or by == "largest" then error(("'%s' is a column of the result; rows cannot be grouped by one of that name"):format(by), 2) end
  local groups, known, numbers = {}, {}, true
  for _, row in ipairs(rows) do
    local value, x = row[by], row[of]
    if value ~= nil and value == value and type(x) == "number" and x == x then
      local group = known[value]
      if not group then
        group = { [by] = value, n = 0, mean = 0, largest = x }
        known[value], groups[#groups + 1] = group, group
        numbers = numbers and math.type(value) ~= nil
      end
      group.n, group.mean, group.largest = group.n + 1, group.mean + x, math.max(group.largest, x)
    end
  end
  for _, group in ipairs(groups) do group.mean = group.mean / group.n end
  if numbers then table.sort(groups, function(a, b) return a[by] < b[by] end) end
  return groups
end

-- The level of what studies.by returns with the least `measure`.
function studies.best(by_level, measure)
  local best
  for level, row in pairs(by_level) do
    if row[measure] == row[measure] and (not best or row[measure] < by_level[best][measure]) then best = level end
  end
  return best
end

-- The values of a measure in each replication, in their order, of runs with the levels `fixed`, as { size = 15 }. A replication whose
-- value is absent or NaN has none; one with several such runs is an error.
function studies.values(e, measure, fixed)
  needs("studies.values(e, measure)", e, measure)
  local rows = e:rows()
  need_levels(rows, fixed, 3)
  local out, seen = #rows == 0 and rows or {}, {}
  for _, row in ipairs(rows) do
    if has(row, fixed) then
      if seen[row.replication] then error("a replication has several runs of these levels: `fixed` must say which is meant", 2) end
      seen[row.replication] = true
      if is_value(row[measure]) then out[#out + 1] = row[measure] end
    end
  end
  if #rows > 0 and #out == 0 then error(("no run of these levels has a value of '%s'"):format(measure), 2) end
  return out
end

-- Whether somebody else's `mean` is within three standard errors of the difference to that of our values; and how many of them it is
-- away. It is a mean of `n` replications (30), of which no deviation is published.
function studies.agrees(values, mean, n)
  local ours = stats.summary(values)
  if #values == 1 or not ours.sd then error("studies.agrees: two values or more are needed, got " .. #values, 2) end
  local away = (ours.mean - mean) / (ours.sd * math.sqrt(1 / (n or 30) + 1 / ours.n))
  return math.abs(away) <= 3, away
end

-- ---- one level against another ----

-- A measure at level `of` of a factor over that at level `to`, with all else the same: the interval, over the replications, of its
-- mean over the cells.
function studies.ratio(e, measure, factor, of, to, where)
  needs("studies.ratio(e, measure, factor, of, to)", e, measure, factor, of, to)
  local interval = paired(e, measure, factor, of, to, where, function(a, b) return a / b end)
  return interval
end

-- The same of a measure at level `of` less that at level `minus`.
function studies.difference(e, measure, factor, of, minus, where)
  needs("studies.difference(e, measure, factor, of, minus)", e, measure, factor, of, minus)
  local interval = paired(e, measure, factor, of, minus, where, function(a, b) return a - b end)
  differences[interval] = true
  return interval
end

-- The same point by point, where a point is a combination of the other factors. It tells at how many of `n` points the difference is
-- `lower` or `higher` beyond its 95 % interval. It has the `mean` of all, the `rows` of e:compare(), and all that as a `text`. Points
-- that count but have no difference, since the measure is absent or NaN in every replication, are the rows `absent`; `others` are the
-- names of the other factors.
function studies.points(e, measure, factor, of, minus, where)
  needs("studies.points(e, measure, factor, of, minus)", e, measure, factor, of, minus)
  local compared = e:compare(measure, { factor = factor, baseline = minus })
  local found = { n = 0, lower = 0, higher = 0, mean = 0, rows = {}, absent = {}, others = {} }
  if only_checked(e) then e:compare(measure, { factor = factor, baseline = of }) end
  need_level(compared, factor, of, 3)
  local no_factor = { [factor] = true, n = true, [measure] = true, [measure .. "_half_width"] = true, [measure .. "_n"] = true }
  for name in pairs(e:table(measure)[1] or {}) do
    if not no_factor[name] then found.others[#found.others + 1] = name end
  end
  table.sort(found.others)
  local counts = condition(compared, where, 3)
  for _, row in ipairs(compared) do
    if is_level(row[factor], of) and counts(row) then
      if is_value(row.difference) then
        found.rows[#found.rows + 1] = row
        found.n, found.mean = found.n + 1, found.mean + row.difference
        if found[row.verdict] then found[row.verdict] = found[row.verdict] + 1 end
      else
        found.absent[#found.absent + 1] = row
      end
    end
  end
  if #compared > 0 and found.n == 0 then
    local first = {}
    for i, name in ipairs(found.others) do first[i] = ("%s %s"):format(name, tostring((found.absent[1] or {})[name])) end
    error(#found.absent == 0 and "no point is left: `where` is true for none" or
          ("no point is left: '%s' is absent or NaN at each, as at the point '%s'"):format(measure, table.concat(first, ", ")), 2)
  end
  found.mean = found.mean / found.n
  found.text = ("%+.3f on average; lower at %d and higher at %d of %d points"):format(found.mean, found.lower, found.higher, found.n)
  return found
end

-- An interval as a text, "1.042 +- 0.013".
function studies.text(interval) return ("%.3f +- %.3f"):format(interval.mean, interval.half_width or 0) end

-- Whether an interval of ratios is "less" or "more" than 1, or neither, "same". One of studies.difference is compared with 0.
function studies.sense(interval)
  needs("studies.sense(interval)", interval)
  local same = differences[interval] and 0 or 1
  if interval.half_width and interval:contains(same) then return "same" end
  return interval.mean < same and "less" or interval.mean > same and "more" or "same"
end

-- ---- shown ----

-- Means of a measure with their half-widths, as texts by `form` ("%.0f +- %.0f"), and the list of the levels of `across`. The means
-- are a list of rows, one for each level of the factor `down`. Each row has its `level`, and its `cells` by the level of `across`.
function studies.pivot(e, measure, down, across, form, where)
  needs("studies.pivot(e, measure, down, across)", e, measure, down, across)
  local all, rows, at, columns, seen, taken = e:table(measure), {}, {}, {}, {}, {}
  local counts = condition(all, where, 3)
  for _, name in ipairs { down, across } do all:columns { name } end  -- names those that there are not
  for _, row in ipairs(all) do
    if counts(row) then
      local r, c = tostring(row[down]), tostring(row[across])
      if not at[r] then
        at[r] = { level = r, cells = {} }
        rows[#rows + 1] = at[r]
      end
      if not seen[c] then
        seen[c] = true
        columns[#columns + 1] = c
      end
      if taken[r .. "\n" .. c] then
        error(("several rows have the level '%s' of '%s' and '%s' of '%s': `where` must say which is meant"):format(r, down, c, across), 2)
      end
      taken[r .. "\n" .. c] = true
      if is_value(row[measure]) then
        at[r].cells[c] = (form or "%.0f +- %.0f"):format(row[measure], row[measure .. "_half_width"] or 0)
      end
    end
  end
  return rows, columns
end

-- Prints that.
function studies.print(e, measure, down, across, form, where)
  needs("studies.print(e, measure, down, across)", e, measure, down, across)
  local rows, columns = studies.pivot(e, measure, down, across, form, condition(e:table(measure), where, 3))
  local width = #down
  for _, row in ipairs(rows) do width = math.max(width, #row.level) end
  local function line(first, cells)
    local parts = { first .. (" "):rep(width - #first) }
    for k, cell in ipairs(cells) do parts[k + 1] = ("%19s"):format(cell) end
    print(table.concat(parts, " "))
  end
  line(down, columns)
  for _, row in ipairs(rows) do
    local cells = {}
    for k, c in ipairs(columns) do cells[k] = row.cells[c] or "-" end
    line(row.level, cells)
  end
end

-- A figure of the runs that count; `options` are those of plot.
function studies.plot(e, options, where)
  local all, rows = e:rows(), {}
  if only_checked(e) then all:plot(options) end
  local counts = condition(all, where, 3)
  for _, row in ipairs(all) do
    if counts(row) then rows[#rows + 1] = row end
  end
  if #rows > 0 then plot(rows, options) end
end

-- A figure for each level of the factor `each`, FILE-LEVEL, whose title says which; without `each` one figure, FILE. `options` are those
-- of plot, with a `file`.
function studies.plots(e, options, each)
  local all, figures, titles, names = e:rows(), {}, {}, {}
  if only_checked(e) then
    if each then all:columns { each } end
    all:plot(options)
  end
  for _, row in ipairs(all) do
    local name = each and ("%s-%s"):format(options.file, row[each]) or options.file
    if not figures[name] then
      figures[name], titles[name] = {}, each and ("%s %s"):format(each, row[each]) or nil
      names[#names + 1] = name
    end
    table.insert(figures[name], row)
  end
  for _, name in ipairs(names) do
    local given = { file = name, title = titles[name] }
    for option, value in pairs(options) do given[option] = given[option] or value end
    plot(figures[name], given)
  end
end

-- Saves a result or an experiment, as its own `save` does, where there is an --out folder; without one, nothing.
function studies.save(what, ...)
  local given = { ... }
  local saved, problem = pcall(function() what:save(table.unpack(given)) end)
  if not saved and problem.code ~= "no_output" then error(problem) end
end

return studies
