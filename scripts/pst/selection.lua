-- The heuristics against each other on the grid of Figure 11 (Berman et al. 1999, abstract, sections 2 and 5.6.3).
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/selection.lua --out results
--   --set full=true     the application of Figure 11, four sizes, six applications: two minutes
--
-- Perfect information. One plan of everything, and plans of 1 or 3 tasks for each host, as section 7.4 has it without a number.

local figure11 = require "figure11_scenario"
local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local verdicts = require "verdicts"
local full = setting("full", false)
local replications = setting("replications", full and 6 or 2)

local sizes = full and { 150, 600, 2400, 9600 } or { 600, 9600 }
local parameters = {
  H0 = {}, H1 = { map = "min_min" }, H2 = { map = "max_min" }, H3 = { map = "sufferage" }, H4 = { map = "extended_sufferage" },
    H9 = { map = "sufferage_2" },
  H5 = { map = "min_min", random = 0.01 }, H6 = { map = "max_min", random = 0.01 }, H7 = { map = "sufferage", random = 0.01 },
  H8 = { map = "extended_sufferage", random = 0.01 }, XSufferage = { map = "xsufferage" }, ["H4 by groups"] = { map = extended_sufferage {
    suff = "group" } },
}
local order = { "H0", "H1", "H2", "H3", "H4", "H9", "H5", "H6", "H7", "H8", "XSufferage", "H4 by groups" }
local function policy(name, more)
  if name == "H0" then return "workqueue" end
  local given = {}
  for _, part in ipairs { parameters[name], more or {} } do for field, value in pairs(part) do given[field] = value end end
  return planner(given)
end
-- In the short form a few tasks on the same grid.
local function scene(size, seed)
  if full then return figure11.scenario(1e3 * size, seed) end
  return scenario { platform = figure11.platform(), workload = grids.application { tasks = 40, shared = 1e3 * size } }
end
local e = experiment "figure11 selection" {
  factors = { { "size", sizes }, { "heuristic", order } },
  replications = replications,
  run = function(f, seed) return scene(f.size, seed):run { policy = policy(f.heuristic) } end,
  measure = function(r) return { makespan = r.makespan, ratio = r.bound_ratio, sends = r.shared_sends } end,
}
-- end of experiment
print "Makespan, s, by the size of a shared file, KB"
studies.print(e, "makespan", "heuristic", "size")
print ""
local plain = { "H1", "H2", "H3", "H4", "H9" }
local counted = experiment "tasks a host" {
  factors = { { "each", { 1, 3 } }, { "size", sizes }, { "heuristic", plain } },
  replications = replications,
  run = function(f, seed) return scene(f.size, seed):run { policy = policy(f.heuristic, { count = f.each }) } end,
  measure = function(r) return { makespan = r.makespan } end,
}

-- Points of heuristics against others, at each size.
local function against(from, of, to, by)
  local points = {}
  for _, a in ipairs(of) do
    for _, b in ipairs(to) do
      for _, point in ipairs(pst.changes(from, "makespan", "heuristic", a, b, by)) do
        points[#points + 1] = { name = ("%s for %s, %s"):format(a, b, point.name), values = point.values }
      end
    end
  end
  return points
end
-- The counts of a verdict without the list of its points.
local function counts(v) return (v.found:match "^[^:]*":gsub("lower", "shorter"):gsub("higher", "longer")) end

-- Against each of the others by itself. The verdict rests on plans of some tasks for each host, which section 7.4 has; one plan of everything
-- stands beside.
local names = { H1 = "min-min", H2 = "max-min", H3 = "sufferage", H4 = "extended sufferage", H9 = "sufferage II" }
local function better(of, to)
  local list, those = {}, {}
  for i, name in ipairs(of) do those[i] = names[name] end
  for i, other in ipairs(to) do
    local printed = verdicts.mostly(against(counted, of, { other }, { "each", "size" }), "lower")
    local one = verdicts.mostly(against(e, of, { other }, { "size" }), "lower")
    list[i] = { "against " .. names[other], { holds = printed.holds, found = ("%s cells, with one plan of everything %s"):format(counts(printed),
      counts(one)) } }
  end
  local v = verdicts.all(list)
  v.found = ("makespan of %s with 1 and 3 tasks a host in a plan, %s"):format(table.concat(those, " and "), v.found)
  return v
end
claim(pst.of("S3-3", "not decided", better({ "H4", "H9" }, { "H1", "H2", "H3" }),
             "cells of the two heuristics, sizes and tasks a host, of which the report gives no number; against each of the three by itself; an "
               .. "improvement: shorter in more than half of the cells, a limit of ours"))
claim(pst.of("S3-72", "does not reproduce", better({ "H3", "H4", "H9" }, { "H1", "H2" }),
             "should lead to better performance: in more than half of the cells of heuristics, sizes and tasks a host, of which the report "
               .. "gives no number, a limit of ours; against each of the two by itself"))

-- The worth of careful scheduling of transfers: heuristics that know clusters against those that do not.
local major = {}
for _, other in ipairs { "H0", "H3" } do
  for _, point in ipairs(pst.changes(e, "makespan", "heuristic", other, "H4", { "size" }, function(row) return row.size == 9600 end)) do
    local values = {}
    for i, x in ipairs(point.values) do values[i] = x - 20 end
    major[#major + 1] = { name = other, values = values }
  end
end
local worth = verdicts.always(major, "higher", 0, "%+.0f")
local by_size = {}
for _, point in ipairs(pst.changes(e, "makespan", "heuristic", "H0", "H4", { "size" })) do
  by_size[#by_size + 1] = ("%+.0f %% %s KB"):format(stats.summary(point.values).mean, (point.name:gsub("size ", "")))
end
worth.found = ("makespan at 9600 KB of workqueue (H0) and sufferage (H3) against extended sufferage, what is over 20 %%: %s; workqueue against it by "
  .. "size: %s"):format(worth.found, table.concat(by_size, ", "))
claim(pst.of("S3-7", "reproduces", worth, "major: more than 20 %, a limit of ours; can have: at the largest size"))

-- Classical sufferage, and its twin that sees clusters and is otherwise the same.
local blind = {}
for _, point in ipairs(pst.changes(e, "makespan", "heuristic", "H3", "XSufferage", { "size" })) do blind[#blind + 1] = point end
local worse = verdicts.mostly(blind, "higher", "%+.0f")
local workqueue = verdicts.always(pst.changes(e, "makespan", "heuristic", "H3", "H0", { "size" }), "lower", 0, "%+.0f")
worse.found = ("makespan of sufferage by hosts against that by clusters, %%: %s; against that of workqueue: %s"):format(worse.found, workqueue.found)
claim(pst.of("S3-75", "not decided", worse, "the cause: with values of clusters and nothing else changed the results are good, at more than half "
  .. "of the sizes; not good: longer than the twin"))

-- The difference of the two descriptions of extended sufferage.
local one = 0
local cells = {}
for _, row in ipairs(e:rows()) do cells[row.heuristic .. row.size .. " " .. row.replication] = row.makespan end
local n, largest = 0, 0
for _, row in ipairs(e:rows()) do
  if row.heuristic == "H4" then
    local other = cells["H4 by groups" .. row.size .. " " .. row.replication]
    n = n + 1
    largest = math.max(largest, math.abs(other / row.makespan - 1))
    if math.abs(other / row.makespan - 1) < 1e-9 then one = one + 1 end
  end
end
claim { statement = "S3-80", verdict = "source in error", holds = one == n,
        found = ("the difference of the mean of the groups (5.6.3) and the height of the first jump (Appendix C) make the same schedule in %d "
          .. "of %d runs; their makespans differ "
                 .. "by up to %.1f %%"):format(one, n, 100 * largest), note = "perigee follows Appendix C; suff = \"group\" is the other" }

-- The randomised heuristics against the plain ones.
local random, identical, hardly, alike = {}, 0, 0, 0
for k = 1, 4 do
  for _, point in ipairs(pst.changes(e, "makespan", "heuristic", "H" .. k + 4, "H" .. k, { "size" })) do
    random[#random + 1] = { name = ("H%d, %s KB"):format(k + 4, (point.name:gsub("size ", ""))), values = point.values }
    for _, x in ipairs(point.values) do
      alike = alike + 1
      if math.abs(x) < 0.1 then identical = identical + 1 end
      if math.abs(x) < 1 then hardly = hardly + 1 end
    end
  end
end
local better = verdicts.always(random, "lower", 0, "%+.1f")
local lower = tonumber(better.found:match "lower at (%d+)") or 0
local least = math.huge
for _, point in ipairs(random) do least = math.min(least, stats.summary(point.values).mean) end
local some = { holds = "not decided", found = (
  "the randomised heuristic against the plain one: makespan %s combinations of heuristic and size; by %.0f %% where it gains most"):format(
    counts(better), least) }
if lower > 0 then some.holds = true elseif better.found:match "higher at (%d+)" == tostring(#random) then some.holds = false end
claim(pst.of("S3-77", "reproduces", some, "in certain cases: at one cell at least, beyond its interval; not if the plain one is better in all"))
claim { statement = "S3-79", verdict = "does not reproduce", holds = lower > 0 and hardly == alike,
        found = ("shorter than the plain one beyond the interval in %d cells; within 0.1 %% of it in %d of %d runs of Figure 11, within 1 %% in %d")
          :format(lower, identical, alike, hardly),
        note = "the two sentences do not contradict each other, for the first is about certain cases and the second about one experiment; it " ..
          "fails by the second; identical: within 1 %, a limit of ours" }
