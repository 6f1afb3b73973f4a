-- Figure 11 of Berman, Casanova, Zagorodnov and Legrand (1999): the makespan by the size of shared files, all heuristics.
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/figure11.lua --out results
--   --set full=true     all sizes, ten applications, plans of 3, 6 and 10 tasks a host: a minute
--
-- Section 7.4 says that a plan has a number of tasks in proportion to the hosts, and does not say which: these plans are the printed
-- setting. One plan of all tasks (section 5.3) is the other reading.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local verdicts = require "verdicts"
require "statements"
local full = setting("full", false)
local maps = { "workqueue", "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" }
local sizes = full and { 150, 300, 600, 1200, 2400, 4800, 9600 } or { 9600 }
local counts = { ["one plan"] = 0, ["3 a host"] = 3, ["6 a host"] = 6, ["10 a host"] = 10 }
local modes = full and { "one plan", "3 a host", "6 a host", "10 a host" } or { "one plan", "6 a host" }

local e = experiment "figure 11" {
  factors = { { "mode", modes }, { "size", sizes }, { "map", maps } },
  where = function(f) return f.map ~= "workqueue" or f.mode == "one plan" end,  -- it has no plans
  replications = setting("replications", full and 10 or 2),
  run = function(f, seed)
    return figure11.scenario(f.size * 1000, seed):run {
      policy = f.map == "workqueue" and "workqueue" or planner { map = f.map, count = counts[f.mode] },
    }
  end,
  measure = { "makespan", "shared_sends" },
}
-- end of experiment

for _, mode in ipairs(modes) do
  local function here(row) return row.mode == mode end
  print(("%s: makespan, s, by the size of a shared file, KB"):format(mode))
  studies.print(e, "makespan", "size", "map", nil, here)
  print(("%s: transfers of a shared file to a cluster, of at most 24"):format(mode))
  studies.print(e, "shared_sends", "size", "map", "%.1f +- %.1f", here)
  studies.plot(e, { x = "size", y = "makespan", by = "map", file = "figure11, " .. mode, text = mode == "one plan" }, here)
end
print ""

-- A measure by mode, size, heuristic and replication. Workqueue is the same in all modes.
local of = {}
for _, row in ipairs(e:rows()) do
  for _, mode in ipairs(row.map == "workqueue" and modes or { row.mode }) do
    local key = mode .. row.size .. row.map
    of[key] = of[key] or { makespan = {}, shared_sends = {} }
    of[key].makespan[row.replication], of[key].shared_sends[row.replication] = row.makespan, row.shared_sends
  end
end
local names = { workqueue = "workqueue", min_min = "min-min", max_min = "max-min", sufferage = "sufferage", extended_sufferage = "extended sufferage",
                sufferage_2 = "sufferage II", xsufferage = "cluster level" }

-- How much longer one takes than another, %, at the sizes; or how many more transfers it makes.
local function points(mode, one, other, measure, at)
  local list = {}
  for _, size in ipairs(at or sizes) do
    local a, b, values = of[mode .. size .. one][measure or "makespan"], of[mode .. size .. other][measure or "makespan"], {}
    for i in ipairs(a) do values[i] = measure and a[i] - b[i] or 100 * (a[i] / b[i] - 1) end
    list[#list + 1] = { name = ("%s KB"):format(size), values = values }
  end
  return list
end

-- A statement in every printed mode, and the same in one plan for the note. `judge(mode)` is a verdict. It holds when it does in all printed
-- modes and fails when it does in one of them.
local printed = {}
for _, mode in ipairs(modes) do if mode ~= "one plan" then printed[#printed + 1] = mode end end
local function short(v) return v.brief or v.found end
local function says(number, verdict, judge, note, chosen)
  local list, one = {}, judge "one plan"
  for _, mode in ipairs(printed) do list[#list + 1] = { ("plans of %d tasks for each host"):format(counts[mode]), judge(mode) } end
  local parts = {}
  for _, each in ipairs(list) do parts[#parts + 1] = { each[1], { holds = each[2].holds, found = short(each[2]) } } end
  local all = verdicts.all(parts)
  claim { statement = number, verdict = verdict, holds = all.holds, chosen = chosen,
          found = ("%s; one plan of all tasks, by which the statement %s: %s"):format(all.found, one.holds == true and "holds"
            or one.holds == false and "fails" or "is not decided", short(one)),
          note = "the verdict rests on plans of a number of tasks for each host, as section 7.4 has them" ..
            (all.found:find " sizes%)" and "; ranges are those of the means of ten applications, from size to size; a size counts where the " ..
              "95 % interval excludes 0, all corrected together" or "") .. (note and "; " .. note or "") }
end

-- One heuristic against several: on that side of each, at all sizes. The text has the least and the most of the means, and at how many sizes it
-- is where.
local function against(mode, one, others, sense, margin, measure, at)
  local list, parts = {}, {}
  for _, other in ipairs(others) do
    local mine = points(mode, one, other, measure, at)
    for _, point in ipairs(mine) do list[#list + 1] = point end
    local v = verdicts.always(mine, sense, margin)
    local least, most = math.huge, -math.huge
    for _, point in ipairs(mine) do
      local mean = stats.summary(point.values).mean
      least, most = math.min(least, mean), math.max(most, mean)
    end
    local counted = v.found:match "^[^:]+":gsub("higher", measure and "more" or "longer"):gsub("lower", measure and "fewer" or "shorter")
    parts[#parts + 1] = ("%s: %+.1f to %+.1f%s (%s sizes)"):format(names[other], least, most, measure and "" or " %", counted)
  end
  local v = verdicts.always(list, sense, margin)
  v.brief = ("%s of %s against %s"):format(measure and "transfers of shared files" or "makespan", names[one], table.concat(parts, "; against "))
  if measure and not full then v.holds = "not decided" end  -- counts of few replications may have no deviation by chance
  return v
end
local better = { "min_min", "max_min", "extended_sufferage", "sufferage_2" }
-- At every size longer than each of the others: at all, by more than 10 % and by more than 20 %. Where these differ it is not decided.
local function very_bad(mode, map)
  local v, parts, first = against(mode, map, better, "higher"), {}, nil
  for i, limit in ipairs { 0, 10, 20 } do
    local list, holds = {}, nil
    for _, other in ipairs(better) do
      for _, point in ipairs(points(mode, map, other)) do
        local values = {}
        for k, x in ipairs(point.values) do values[k] = x - limit end
        list[#list + 1] = { name = point.name, values = values }
      end
    end
    local one = verdicts.always(list, "higher")
    holds = one.holds
    if i == 1 then first = holds elseif holds ~= first then v.holds = "not decided" end
    parts[i] = ("%g %% %s of %d"):format(limit, one.found:match "higher at (%d+)", #list)
  end
  v.brief = ("%s; longer by more than %s cells"):format(v.brief, table.concat(parts, ", "))
  return v
end
says("S3-121", "not decided", function(mode) return very_bad(mode, "workqueue") end,
     "very bad: longer than min-min, max-min, extended sufferage and sufferage II at every size, by more than nothing, 10 or 20 %, limits of " ..
       "ours: it holds by the first and fails by the others")
says("S3-123", "does not reproduce", function(mode) return against(mode, "sufferage", better, "higher") end,
     "very bad: at least longer than each of these at every size; workqueue is, S3-121")
says("S3-124", "does not reproduce", function(mode)
  local effect = against(mode, "sufferage", better, "higher")
  -- Where sufferage is much worse than extended sufferage: whether its twin that looks at clusters is better and sends less.
  local bad = {}
  for _, size in ipairs(sizes) do
    local mine = points(mode, "sufferage", "extended_sufferage", nil, { size })
    if verdicts.always(mine, "higher").holds == true and stats.summary(mine[1].values).mean >= 10 then bad[#bad + 1] = size end
  end
  if #bad == 0 then
    return { holds = effect.holds and "not decided", found = "sufferage takes at least 10 % longer than extended sufferage at no size" }
  end
  local v = verdicts.all {
    { "very bad", effect }, { "makespan", against(mode, "xsufferage", { "sufferage" }, "lower", 0, nil, bad) },
    { "sends", against(mode, "xsufferage", { "sufferage" }, "lower", 0, "shared_sends", bad) },
  }
  v.brief = ("that sufferage is very bad %s, S3-123; it takes at least 10 %% longer than extended sufferage at %d of %d sizes; at these " ..
    "%s; %s"):format(effect.holds == true and "holds" or effect.holds == false and "fails" or "is not decided", #bad, #sizes,
    against(mode, "xsufferage", { "sufferage" }, "lower", 0, nil, bad).brief,
    against(mode, "xsufferage", { "sufferage" }, "lower", 0, "shared_sends", bad).brief)
  return v
end, "it fails by its effect, for sufferage is not longer than max-min at every size; where it is bad the cause is as said; cluster level: " ..
  "XSufferage, by the difference of the best and the second best cluster, else the same")
says("S3-125", "does not reproduce", function(mode)
  local straight, bent, parts, undecided = 0, 0, {}, false
  local max_min
  for _, map in ipairs(maps) do
    if map ~= "xsufferage" then
      local squares = {}
      for i in ipairs(of[mode .. sizes[1] .. map].makespan) do
        local y = {}
        for k, size in ipairs(sizes) do y[k] = of[mode .. size .. map].makespan[i] end
        squares[i] = #sizes > 2 and stats.fit.linear(sizes, y).r_squared or 0.98
      end
      local s = stats.interval(squares)
      local is = s.mean - (s.half_width or 1) > 0.98 and "straight" or s.mean + (s.half_width or 1) < 0.98 and "bent" or "either"
      parts[#parts + 1] = ("%s %.3f +- %.3f"):format(names[map], s.mean, s.half_width or 0)
      if map == "max_min" then max_min = is elseif is == "straight" then straight = straight + 1 elseif is == "bent" then bent = bent + 1 end
      undecided = undecided or is == "either"
    end
  end
  local holds = "not decided"
  if max_min == "straight" or bent > 0 then holds = false elseif straight == 5 and max_min == "bent" then holds = true end
  return { holds = holds, found = "R² of a straight line through the makespans by size: " .. table.concat(parts, ", ") }
end, "pseudo-linear: R² of a straight line above 0.98, a limit of ours; max-min must be below, and is above in plans of three and six tasks")
local rest = { "workqueue", "min_min", "max_min", "sufferage" }
local function both(judge)
  return function(mode)
    local list, briefs = {}, {}
    for _, map in ipairs { "extended_sufferage", "sufferage_2" } do
      local v = judge(mode, map)
      list[#list + 1], briefs[#briefs + 1] = { names[map], v }, v.brief
    end
    local v = verdicts.all(list)
    v.brief = table.concat(briefs, "; ")
    return v
  end
end
says("S3-126", "does not reproduce", both(function(mode, map) return against(mode, map, rest, "lower", 1) end),
     "a difference of 1 %, a limit of ours, cannot be seen in a figure and counts as none")
says("S3-127", "does not reproduce", both(function(mode, map) return against(mode, "min_min", { map }, "higher") end), "at every size")
says("S3-128", "does not reproduce", both(function(mode, map) return against(mode, "min_min", { map }, "higher", 0, "shared_sends") end),
     "transfers: pairs of a shared file and a cluster that receives it; a heuristic that captures the pattern has fewer")
local function alike(mode, at, margin)
  local list, parts = {}, {}
  if not full then return { holds = "not decided", found = "see the full form" } end
  for _, map in ipairs { "extended_sufferage", "sufferage_2" } do
    for _, point in ipairs(points(mode, "max_min", map, nil, at)) do
      list[#list + 1] = point
      local s = stats.interval(point.values)
      parts[#parts + 1] = ("%s by %+.1f +- %.1f %% at %s"):format(names[map], s.mean, s.half_width or 0, point.name)
    end
  end
  local v = verdicts.alike(list, margin)
  v.brief = "max-min takes longer than " .. table.concat(parts, ", ")
  return v
end
says("S3-130", "does not reproduce", function(mode) return alike(mode, { 4800, 9600 }, 2) end, "the same: within 2 %, a limit of ours")
says("S3-120", "does not reproduce", function(mode) return alike(mode, { 600, 1200 }, 2) end,
     "the same: within 2 %, a limit of ours; read as kilobits; as kilobytes, as all other sizes are, it does not come out either, S3-130. The " ..
       "report does not say which are meant")
