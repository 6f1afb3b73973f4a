-- The sharing of files and the heuristics of LIP RR 1999-46: Figure 11's grid, with the same bytes for each task, shared or not.
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/sharing.lua --out results
--   --set full=true     three sizes, ten applications
--
-- 400 tasks in 8 or 40 chunks read the file of their chunk; in 400 chunks each has a file of its own, and nothing is shared.

require "statements"
local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local verdicts = require "verdicts"
local full = setting("full", false)
local maps = { "workqueue", "min_min", "max_min", "extended_sufferage", "sufferage_2" }

local e = experiment "sharing" {
  factors = { { "size", full and { 192, 1200, 4800 } or { 192 } }, { "chunks", full and { 400, 40, 8 } or { 400, 8 } }, { "map", maps } },
  where = function(f) return f.chunks < 400 or f.size < 4800 end,
  replications = setting("replications", full and 10 or 2),
  run = function(f, seed)
    return scenario { platform = (grids.grid({ clusters = pst.clusters }, seed)),
                      workload = grids.application { chunks = f.chunks, shared = f.size * 1e3 } }
      :run { policy = f.map == "workqueue" and "workqueue" or planner { map = f.map } }
  end,
  measure = { "makespan", "sends" },
}
-- end of experiment

for _, size in ipairs(full and { 192, 1200, 4800 } or { 192 }) do
  print(("%d KB: makespan, s, by the number of chunks"):format(size))
  studies.print(e, "makespan", "chunks", "map", nil, function(row) return row.size == size end)
end
print ""

local of = {}
for _, row in ipairs(e:rows()) do
  local key = ("%s/%s/%s"):format(row.size, row.chunks, row.map)
  of[key] = of[key] or { makespan = {}, sends = {} }
  of[key].makespan[row.replication], of[key].sends[row.replication] = row.makespan, row.sends
end
-- How much longer one takes than another, %, at each size and number of chunks.
local function points(one, other, chunks, measure)
  local list = {}
  for _, size in ipairs { 192, 1200, 4800 } do
    for _, n in ipairs(chunks) do
      local a, b = of[("%s/%s/%s"):format(size, n, one)], of[("%s/%s/%s"):format(size, n, other)]
      if a and b then
        local values = {}
        for i, value in ipairs(a[measure or "makespan"]) do values[i] = 100 * (value / b[measure or "makespan"][i] - 1) end
        list[#list + 1] = { name = ("%d KB, %d chunks"):format(size, n), size = size, values = values }
      end
    end
  end
  return list
end
local names = { workqueue = "workqueue", min_min = "min-min", max_min = "max-min", extended_sufferage = "extended sufferage",
                sufferage_2 = "sufferage II" }
local function brief(v, mine)
  local least, most = math.huge, -math.huge
  for _, point in ipairs(mine) do
    local mean = stats.summary(point.values).mean
    least, most = math.min(least, mean), math.max(most, mean)
  end
  return ("%+.1f to %+.1f %%, %s"):format(least, most, (v.found:match "^[^:]+":gsub("lower", "shorter"):gsub("higher", "longer")))
end
local function says(number, verdict, judge, note)
  local v = judge()
  claim { statement = number, verdict = verdict, holds = v.holds, found = v.found, note = "one plan of all tasks; " .. note }
end

says("S3-122", "does not reproduce", function()
  -- The excess of workqueue over extended sufferage with 8 chunks less that without sharing, where both are known.
  local with, without, list, parts = points("workqueue", "extended_sufferage", { 8 }), points("workqueue", "extended_sufferage", { 400 }), {}, {}
  for k, point in ipairs(without) do
    local values = {}
    for i, value in ipairs(point.values) do values[i] = with[k].values[i] - value end
    list[#list + 1] = { name = ("%g KB"):format(point.size), values = values }
    parts[#parts + 1] = ("%.1f %% with sharing and %.1f %% without at %d KB"):format(stats.summary(with[k].values).mean,
      stats.summary(point.values).mean, point.size)
  end
  local v = verdicts.always(list, "higher", 0, "%+.1f")
  return { holds = v.holds, found = ("workqueue takes longer than extended sufferage by %s; the loss with sharing less that without, percentage " ..
    "points: %s")
    :format(table.concat(parts, ", "), v.found) }
end, "the cause is asked for at each size: workqueue loses more where files are shared than where as many bytes are not")
says("S3-135", "reproduces", function()
  local list, parts = {}, {}
  for _, map in ipairs { "min_min", "max_min", "extended_sufferage", "sufferage_2" } do
    local mine = points("workqueue", map, { 40, 8 })
    for _, point in ipairs(mine) do list[#list + 1] = point end
    parts[#parts + 1] = ("against %s %s cells"):format(names[map], brief(verdicts.always(mine, "higher"), mine))
  end
  return { holds = verdicts.always(list, "higher").holds, found = "makespan of workqueue, from the least to the largest mean of a " ..
        "cell, " .. table.concat(parts, "; ") }
end, "not well adapted: longer than each other heuristic wherever files are shared, in cells of three sizes and two numbers of " ..
  "chunks; of what it does where nothing is shared see S3-122")
says("S3-136", "not decided", function()
  local judged, parts = {}, {}
  for i, other in ipairs { "workqueue", "min_min", "max_min" } do
    local list = {}
    for _, one in ipairs { "extended_sufferage", "sufferage_2" } do
      local mine = points(one, other, { 40, 8 })
      for _, point in ipairs(mine) do list[#list + 1] = point end
      local sends = points(one, other, { 40, 8 }, "sends")
      parts[#parts + 1] = ("of %s against %s %s cells (files sent %s)"):format(names[one], names[other], brief(verdicts.mostly(mine, "lower"), mine),
        brief(verdicts.mostly(sends, "lower"), sends):match "^[^,]+")
    end
    judged[i] = { other, verdicts.mostly(list, "lower") }
  end
  return { holds = verdicts.all(judged).holds, found = "makespan, from the least to the largest mean of a cell, " .. table.concat(parts, "; ") }
end, "more adapted than workqueue, min-min and max-min each by itself: the two are shorter in most of the cells of three sizes and two numbers of " ..
  "chunks, in all of which files are shared")
