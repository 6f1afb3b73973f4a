-- The studies on grids share these clusters and claims.
-- takes: nothing, the other scripts here use it
-- test: no
require "statements"
local studies = require "studies"
local verdicts = require "verdicts"
local pst = { source = "LIP RR 1999-46" }

-- The clusters of Figure 11, for the standard library's grids.
pst.clusters = {
  { name = "fast", hosts = 4 }, { name = "shared", hosts = 6, availability = 0.7 }, { name = "busy", hosts = 12, availability = 0.3 },
}

-- The same hosts, of which two thirds are ours, so that availability can vary.
pst.clusters_shared = {
  { name = "fast", hosts = 4, availability = 0.66 }, { name = "shared", hosts = 6, availability = 0.46 },
  { name = "busy", hosts = 12, availability = 0.2 },
}

-- Claims that a ratio is of that sense.
function pst.claim(section, says, i, sense, verdict)
  return claim { source = pst.source .. ", " .. section, says = says, holds = studies.sense(i) == sense,
                 found = studies.text(i) .. " times as long", verdict = verdict or "reproduces" }
end

-- The fields of a claim about a statement, of what a function of `verdicts` returns.
function pst.of(statement, verdict, v, note, chosen)
  return { statement = statement, verdict = verdict, holds = v.holds, found = v.found, note = note, chosen = chosen }
end

-- The heuristics of the report by their numbers; H5 to H8 are the randomised H1 to H4.
pst.maps = { H1 = "min_min", H2 = "max_min", H3 = "sufferage", H4 = "extended_sufferage", H9 = "sufferage_2" }
pst.numbers = { "H0", "H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9" }

-- A heuristic of the report under the given strategy, as a policy.
function pst.policy(name, given)
  if name == "H0" then return "workqueue" end
  local k, parameters = tonumber(name:sub(2)), {}
  for field, value in pairs(given or {}) do parameters[field] = value end
  if k >= 5 and k <= 8 then k, parameters.random = k - 4, 0.01 end
  parameters.map = pst.maps["H" .. k]
  return planner(parameters)
end

-- The sub-tasks of a run from its graph, { kind =, what =, on =, from =, to = }, and the dependencies between them, pairs of these.
function pst.sub_tasks(r)
  local list, of, edges, text = {}, {}, {}, r:graph()
  if type(text) ~= "string" then return list, edges end  -- perigee check runs nothing
  for number, kind, what, on, from, to in text:gmatch '(%d+)%[label="(%S+) ([^\\]+)\\n([^\\]+)\\n(%S+) to (%S+) s"' do
    local each = { number = number, kind = kind, what = what, on = on, from = tonumber(from), to = tonumber(to) }
    list[#list + 1], of[number] = each, each
  end
  for a, b, style in text:gmatch "(%d+)%->(%d+) *%[style=(%a+)" do
    if style == "solid" then edges[#edges + 1] = { of[a], of[b] } end
  end
  return list, edges
end

-- Points for `verdicts`: by how many per cent a measure is larger at level `of` of a factor than at level `to`, run by run, for each combination of
-- the
-- factors `by` (a list of names); runs with other levels of further factors are averaged. `where` is a function of a row.
function pst.changes(e, measure, factor, of, to, by, where)
  local base, cells, order, others = {}, {}, {}, { "replication" }
  local no_factor = { [factor] = true, n = true, [measure] = true, [measure .. "_half_width"] = true, [measure .. "_n"] = true }
  for name in pairs(e:table(measure)[1] or {}) do if not no_factor[name] then others[#others + 1] = name end end
  local function key(row)
    local parts = {}
    for i, name in ipairs(others) do parts[i] = tostring(row[name]) end
    return table.concat(parts, "\n")
  end
  for _, row in ipairs(e:rows()) do
    if tostring(row[factor]) == tostring(to) then base[key(row)] = row[measure] end
  end
  for _, row in ipairs(e:rows()) do
    if tostring(row[factor]) == tostring(of) and base[key(row)] and (not where or where(row)) then
      local parts = {}
      for i, name in ipairs(by) do parts[i] = ("%s %s"):format(name, tostring(row[name])) end
      local name = table.concat(parts, ", ")
      if not cells[name] then
        cells[name] = {}
        order[#order + 1] = name
      end
      local at = cells[name][row.replication] or { 0, 0 }
      cells[name][row.replication] = { at[1] + 100 * (row[measure] / base[key(row)] - 1), at[2] + 1 }
    end
  end
  local points = {}
  for i, name in ipairs(order) do
    local values = {}
    for _, at in pairs(cells[name]) do values[#values + 1] = at[1] / at[2] end
    points[i] = { name = name, values = values }
  end
  return points
end

-- Holds when no point is longer by the margin, in per cent, beyond doubt; fails when one is longer by more than that beyond its interval (Holm 1979).
function pst.no_longer(points, margin)
  local shifted = {}
  for k, point in ipairs(points) do
    local values = {}
    for i, x in ipairs(point.values) do values[i] = x - margin end
    shifted[k] = { name = point.name, values = values, exact = point.exact }
  end
  local v = verdicts.always(shifted, "lower", 0)
  local below, above = v.found:match "^lower at (%d+), higher at (%d+)"
  local parts = {}
  for k, point in ipairs(points) do
    local i = stats.interval(point.values)
    parts[k] = ("%s%+.1f +- %.1f"):format(point.name ~= "" and point.name .. ": " or "", i.mean, i.half_width or 0)
  end
  return { holds = v.holds, found = ("no longer by %g %% at %s, longer at %s of %d: %s"):format(margin, below or "-", above or "-", #points,
    table.concat(parts, ", ")) }
end

return pst
