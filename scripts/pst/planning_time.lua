-- A plan that takes time, what hosts keep to do meanwhile, and old information against slow plans (Berman et al. 1999, sections 5.3, 5.6.1 and 7.4).
-- takes: seconds
-- perigee run scripts/pst/planning_time.lua --out results
--   --set full=true     more of both, ten applications: a minute
--
-- Figure 11's grid and application with 1200 KB for a shared file. A plan each 600 s takes D s, in which each host has K tasks to
-- do, of which it may have done the first already: tasks take 100 to 333 s.

local figure11 = require "figure11_scenario"
local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local verdicts = require "verdicts"
local full = setting("full", false)

local e = experiment "planning time" {
  factors = {
    { "planning_time", full and { 0, 1, 60, 120, 240 } or { 0, 60, 240 } },
    { "keep", full and { 0, 1, 3 } or { 0, 3 } },
  },
  replications = setting("replications", full and 12 or 2),
  run = function(f, seed)
    local p = planner { map = "extended_sufferage", interval = 600, planning_time = f.planning_time, keep = f.keep }
    return figure11.scenario(1200e3, seed):run { policy = p }
  end,
  measure = function(r) return { makespan = r.makespan, busy = 100 * r.utilization, plans = r.plan_count } end,
}
-- end of experiment

print "Makespan, s, by the planning time, s, and the tasks that each host keeps"
studies.print(e, "makespan", "planning_time", "keep")
print "\nShare of the hosts' time that is busy, per cent"
studies.print(e, "busy", "planning_time", "keep", "%.1f +- %.1f")
plot(e:rows(), { x = "planning_time", y = "makespan", by = "keep", file = "planning_time", x_unit = "s" })
print ""

local function long(row) return row.planning_time >= 60 end
local function short(row) return row.planning_time < 60 end
claim(pst.of("S3-60", "reproduces", verdicts.all {
  { "three tasks kept against none: busy time, % more", verdicts.always(pst.changes(e, "busy", "keep", 3, 0, { "planning_time" }, long), "higher", 0,
    "%+.1f") },
  { "makespan, %", verdicts.always(pst.changes(e, "makespan", "keep", 3, 0, { "planning_time" }, long), "lower", 0, "%+.1f") },
}, "a few: three; plans that take a minute or more"))
local alike = verdicts.alike(pst.changes(e, "makespan", "keep", 3, 0, { "planning_time" }, short), 2, "%+.1f")
alike.found = "makespan with three tasks kept against none, %: " .. alike.found
claim(pst.of("S3-61", "reproduces", alike, "does not matter: within 2 %, a limit of ours; plans of 0 and 1 s"))

-- By hand: a plan takes 50 s from 60 s on; the host has one kept task of 40 s, which it begins at 80 s, in the time of the plan.
local list = {}
for i = 1, 6 do list[i] = { time = 40 } end
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks(list) }
local function starts(parameters)
  local values = {}
  for _, job in ipairs(s:run { policy = planner(parameters) }:jobs()) do values[#values + 1] = job.start end
  table.sort(values)
  return values
end
local with, without = starts { interval = 60, planning_time = 50, keep = 1 }, starts { interval = 60, planning_time = 50 }
claim { statement = "S3-32", verdict = "reproduces", holds = with[1] == 50 and without[1] == 50 and with[3] < without[3] and without[3] >= 160,
        found = ("a plan of 50 s: the first task begins at %g s; one that was kept begins at %g s, while the second plan is made, without it at "
          .. "%g s"):format(with[1], with[3],
            without[3]) }

-- ---- new information that takes time against old information at once ----

local ages, times = full and { 60, 300, 900 } or { 300 }, full and { 10, 30, 60 } or { 30 }
local ways, order = {}, {}
for _, age in ipairs(ages) do
  order[#order + 1] = ("%d s old"):format(age)
  ways[order[#order]] = { information = ("current age(%d)"):format(age), planning_time = 0 }
end
for _, time in ipairs(times) do
  order[#order + 1] = ("takes %d s"):format(time)
  ways[order[#order]] = { information = "current", planning_time = time }
end
local persistences = { ["for 50 s"] = 0.9, ["for 500 s"] = 0.99 }
local trade = experiment "trade" {
  factors = { { "levels", full and { "for 50 s", "for 500 s" } or { "for 500 s" } }, { "way", order } },
  replications = setting("replications", full and 15 or 3),
  run = function(f, seed)
    local way = ways[f.way]
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = 0.8, persistence = persistences[f.levels] }, seed)
    return scenario { platform = p, workload = grids.application { tasks = full and 220 or 60, shared = 3e5 } }:run {
      policy = planner { map = "extended_sufferage", interval = 300, planning_time = way.planning_time, keep = 1 }, information = way.information,
    }
  end,
  measure = { "makespan" },
}
print "\nMakespan, s, with old information at once and with that of now after a time; levels of availability last"
studies.print(trade, "makespan", "way", "levels")
local points = {}
for _, time in ipairs(times) do
  for _, age in ipairs(ages) do
    local of, to = ("takes %d s"):format(time), ("%d s old"):format(age)
    for _, point in ipairs(pst.changes(trade, "makespan", "way", of, to, { "levels" })) do
      points[#points + 1] = { name = ("%s for %s, %s"):format(of, to, point.name), values = point.values }
    end
  end
end
local some = verdicts.always(points, "lower", 0, "%+.1f")
local lower, higher = tonumber(some.found:match "lower at (%d+)") or 0, tonumber(some.found:match "higher at (%d+)") or 0
some.holds = "not decided"
if lower > 0 then some.holds = true elseif higher == #points then some.holds = false end
some.found = "a plan that takes time and knows what is now, against one at once that knows what was, %: " .. some.found
claim(pst.of("S3-31", "not decided", some, "may be better: at one combination at least, beyond its interval; a plan each 300 s, availability "
  .. "within 80 % of its mean, one task kept"))
