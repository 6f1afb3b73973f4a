-- What a study makes of an experiment: ratios and differences by pairs, agreement with published means, tables, figures.
-- `e` is an experiment, and `where` a function of one of its rows: only rows for which it returns true count; all unless it is given.
local studies = {}

local function counts(row, where) return not where or where(row) end

local function has(row, fixed)
  for name, value in pairs(fixed or {}) do
    if row[name] ~= value then return false end
  end
  return true
end

-- Error unless the factor has the level in some row; there are no rows when the script is only checked.
local function need_level(rows, factor, level)
  local levels, seen = {}, {}
  for _, row in ipairs(rows) do
    if row[factor] == level then return end
    if not seen[row[factor]] then levels[#levels + 1], seen[row[factor]] = tostring(row[factor]), true end
  end
  if #rows > 0 then
    error(("the factor '%s' has no level '%s' here; its levels are %s"):format(factor, tostring(level), table.concat(levels, ", ")), 3)
  end
end

-- The interval over the replications, of sums and numbers of cells.
local function interval_of(rows, sums, cells)
  if #rows > 0 and #sums == 0 then error("no run counts: `where` is true for none", 3) end
  for i = 1, #sums do sums[i] = sums[i] / cells[i] end
  return stats.interval(sums)
end

-- The rows of a table, e:table() or e:compare(), as { [level of the factor] = row }. `fixed` has levels of other factors, as
-- { ready = "zero" }: only rows with these are taken.
function studies.by(rows, factor, fixed)
  local out = {}
  if #rows == 0 then setmetatable(out, { __index = function() return rows[1] end }) end  -- what perigee check knows of them
  for _, row in ipairs(rows) do
    if has(row, fixed) then out[row[factor]] = row end
  end
  return out
end

-- The level of what studies.by returns with the least `measure`.
function studies.best(by_level, measure)
  local best
  for level, row in pairs(by_level) do
    if row[measure] == row[measure] and (not best or row[measure] < by_level[best][measure]) then best = level end
  end
  return best
end

-- The values of a measure in each replication, in their order, of runs with the levels `fixed`, as { size = 15 }.
function studies.values(e, measure, fixed)
  local rows = e:rows()
  local out = #rows == 0 and rows or {}
  for _, row in ipairs(rows) do
    if has(row, fixed) then out[row.replication] = row[measure] end
  end
  return out
end

-- Whether somebody else's `mean` of `n` replications (30), of which no deviation is published, is within three standard errors of the
-- difference to that of our values; and how many of them it is away.
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
  local rows, others = e:rows(), { "replication" }
  need_level(rows, factor, of)
  need_level(rows, factor, to)
  for name in pairs(e:table(measure)[1]) do
    if name ~= factor and name ~= "n" and name:sub(1, #measure) ~= measure then others[#others + 1] = name end
  end
  local function key(row)
    local parts = {}
    for k, name in ipairs(others) do parts[k] = tostring(row[name]) end
    return table.concat(parts, "\n")
  end
  local base, sums, cells = {}, {}, {}
  for _, row in ipairs(rows) do
    if row[factor] == to then base[key(row)] = row[measure] end
  end
  for _, row in ipairs(rows) do
    if row[factor] == of and counts(row, where) and base[key(row)] then
      local i = row.replication
      sums[i], cells[i] = (sums[i] or 0) + row[measure] / base[key(row)], (cells[i] or 0) + 1
    end
  end
  return interval_of(rows, sums, cells)
end

-- The same of a measure at level `of` less that at level `minus`.
function studies.difference(e, measure, factor, of, minus, where)
  local rows, sums, cells = e:rows(), {}, {}
  need_level(rows, factor, of)
  need_level(rows, factor, minus)
  for _, row in ipairs(rows) do
    local sign = row[factor] == of and 1 or row[factor] == minus and -1 or 0
    if sign ~= 0 and counts(row, where) then
      local i = row.replication
      sums[i] = (sums[i] or 0) + sign * row[measure]
      if sign > 0 then cells[i] = (cells[i] or 0) + 1 end
    end
  end
  return interval_of(rows, sums, cells)
end

-- The same point by point, where a point is a combination of the other factors: at how many of `n` points the difference is `lower` or
-- `higher` beyond its 95 % interval, the `mean` of all, the `rows` of e:compare(), and all that as a `text`.
function studies.points(e, measure, factor, of, minus, where)
  local found, compared = { n = 0, lower = 0, higher = 0, mean = 0, rows = {} }, e:compare(measure, { factor = factor, baseline = minus })
  need_level(compared, factor, of)
  for _, row in ipairs(compared) do
    if row[factor] == of and counts(row, where) then
      found.rows[#found.rows + 1] = row
      found.n, found.mean = found.n + 1, found.mean + row.difference
      if found[row.verdict] then found[row.verdict] = found[row.verdict] + 1 end
    end
  end
  found.mean = found.mean / found.n
  found.text = ("%+.3f on average; lower at %d and higher at %d of %d points"):format(found.mean, found.lower, found.higher, found.n)
  return found
end

-- An interval as a text, "1.042 +- 0.013".
function studies.text(interval) return ("%.3f +- %.3f"):format(interval.mean, interval.half_width or 0) end

-- Whether an interval of ratios is "less" or "more" than 1, or neither, "same".
function studies.sense(interval)
  if interval.half_width and interval:contains(1) then return "same" end
  return interval.mean < 1 and "less" or interval.mean > 1 and "more" or "same"
end

-- ---- shown ----

-- Means of a measure with their half-widths, as texts by `form` ("%.0f +- %.0f"): a list of rows, one for each level of the factor
-- `down`, each with its `level` and the cells by the level of `across`; and the list of these levels.
function studies.pivot(e, measure, down, across, form, where)
  local rows, at, columns, seen = {}, {}, {}, {}
  for _, row in ipairs(e:table(measure)) do
    if counts(row, where) then
      local r, c = tostring(row[down]), tostring(row[across])
      if not at[r] then
        at[r] = { level = r, cells = {} }
        rows[#rows + 1] = at[r]
      end
      if not seen[c] then
        seen[c] = true
        columns[#columns + 1] = c
      end
      at[r].cells[c] = (form or "%.0f +- %.0f"):format(row[measure], row[measure .. "_half_width"] or 0)
    end
  end
  return rows, columns
end

-- Prints that.
function studies.print(e, measure, down, across, form, where)
  local rows, columns = studies.pivot(e, measure, down, across, form, where)
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
  local rows = {}
  for _, row in ipairs(e:rows()) do
    if counts(row, where) then rows[#rows + 1] = row end
  end
  if #rows > 0 then plot(rows, options) end  -- there are none when the script is only checked
end

-- A figure for each level of the factor `each`, FILE-LEVEL, whose title says which; without `each` one figure, FILE. `options` are those
-- of plot, with a `file`.
function studies.plots(e, options, each)
  local figures = {}
  for _, row in ipairs(e:rows()) do
    local name = each and ("%s-%s"):format(options.file, row[each]) or options.file
    if not figures[name] then
      figures[name] = { title = each and ("%s %s"):format(each, row[each]) or nil }
      figures[#figures + 1] = name
    end
    table.insert(figures[name], row)
  end
  for _, name in ipairs(figures) do
    local given = { file = name, title = figures[name].title }
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
