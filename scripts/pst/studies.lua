-- What the studies on grids share: ratios of policies by pairs, claims, and numbers of a run.
-- takes: nothing, the other scripts here use it
-- test: no
local studies = { source = "LIP RR 1999-46" }

-- The clusters of Figure 11, for the standard library's grids.
studies.clusters = {
  { name = "fast", hosts = 4 }, { name = "shared", hosts = 6, availability = 0.7 }, { name = "busy", hosts = 12, availability = 0.3 },
}

-- The same hosts, of which two thirds are ours, so that availability can vary.
studies.clusters_shared = {
  { name = "fast", hosts = 4, availability = 0.66 }, { name = "shared", hosts = 6, availability = 0.46 },
  { name = "busy", hosts = 12, availability = 0.2 },
}

-- The makespan (or `measure`) at level `of` of a factor over that at level `to`, with all else the same: the interval, over the
-- replications, of its mean over the cells for which where(row) holds.
function studies.ratio(e, factor, of, to, where, measure)
  measure = measure or "makespan"
  local rows, others = e:rows(), { "replication" }
  for name in pairs(e:table(measure)[1]) do
    if name ~= factor and name ~= "n" and name:sub(1, #measure) ~= measure then others[#others + 1] = name end
  end
  local function key(row)
    local parts = {}
    for k, name in ipairs(others) do parts[k] = tostring(row[name]) end
    return table.concat(parts, "\n")
  end
  local base, sums, counts = {}, {}, {}
  for _, row in ipairs(rows) do
    if row[factor] == to then base[key(row)] = row[measure] end
  end
  for _, row in ipairs(rows) do
    if row[factor] == of and (not where or where(row)) and base[key(row)] then
      local i = row.replication
      sums[i], counts[i] = (sums[i] or 0) + row[measure] / base[key(row)], (counts[i] or 0) + 1
    end
  end
  for i = 1, #sums do sums[i] = sums[i] / counts[i] end
  return stats.interval(sums)
end

-- "1.042 +- 0.013"
function studies.text(i) return ("%.3f +- %.3f"):format(i.mean, i.half_width or 0) end

-- Whether a ratio is "less" or "more" than 1 beyond its interval, or neither, "same".
function studies.sense(i)
  if i.half_width and i:contains(1) then return "same" end
  return i.mean < 1 and "less" or i.mean > 1 and "more" or "same"
end

-- That a ratio is of that sense.
function studies.claim(section, says, i, sense, verdict)
  return claim { source = studies.source .. ", " .. section, says = says, holds = studies.sense(i) == sense,
                 found = studies.text(i) .. " times as long", verdict = verdict or "reproduces" }
end

-- A table of means: a row for each level of `down`, a column for each of `across`; of the combinations for which where(row) holds.
function studies.print(e, measure, down, across, form, where)
  local columns, at, rows, seen = {}, {}, {}, {}
  for _, row in ipairs(e:table(measure)) do
    local r, c = tostring(row[down]), tostring(row[across])
    if not where or where(row) then
      if not at[r] then
        at[r] = {}
        rows[#rows + 1] = r
      end
      if not seen[c] then
        seen[c] = true
        columns[#columns + 1] = c
      end
      at[r][c] = (form or "%.0f +- %.0f"):format(row[measure], row[measure .. "_half_width"] or 0)
    end
  end
  local width = #down
  for _, r in ipairs(rows) do width = math.max(width, #r) end
  local function line(first, cells)
    local parts = { first .. (" "):rep(width - #first) }
    for k, cell in ipairs(cells) do parts[k + 1] = ("%19s"):format(cell) end
    print(table.concat(parts, " "))
  end
  line(down, columns)
  for _, r in ipairs(rows) do
    local cells = {}
    for k, c in ipairs(columns) do cells[k] = at[r][c] or "-" end
    line(r, cells)
  end
end

-- A figure of the cells for which where(row) holds.
function studies.plot(e, where, options)
  local rows = {}
  for _, row in ipairs(e:rows()) do
    if where(row) then rows[#rows + 1] = row end
  end
  if #rows > 0 then plot(rows, options) end  -- there are none when the script is only checked
end

return studies
