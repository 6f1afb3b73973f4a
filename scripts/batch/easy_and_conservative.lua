-- EASY against conservative backfilling, with requested times and with exact ones, beside Mu'alem and Feitelson (2001).
-- takes: seconds
-- perigee run batch/easy_and_conservative         on drawn logs of 128 nodes, of two kinds
--   --set full=true                more replications (200 for 15)
--   --set replications=30          of each combination
--   --set jobs=3000 --set load=0.9 of each log (1500), and the share of the machine that they ask for (0.75)
--   --set log=FILE                 a log in the Standard Workload Format in their place, each processor a node; claims are made of logs of an SP2
--   --set speed=1.6                then divides the times between its arrivals (1)
-- test: thorough --set replications=8

local settings = require "settings"
local verdicts = require "verdicts"
local drawn = require "drawn_log"
local full = setting("full", false)
local path, speed = setting("log", ""), setting("speed", 1.0)
local count, load = settings.number("jobs", 1500, 1), settings.number("load", 0.75, 0.01)
local replications = settings.number("replications", full and 200 or 15, 1)

-- One log, or two kinds of drawn ones. A log without requested times has the exact ones alone.
local logs, times, machine, log = { "skewed", "even" }, { "requested", "exact" }, drawn.platform(), nil
if path ~= "" then
  log = workload.swf(path, { shape = "nodes", cores_per_node = 1, speed = speed })
  logs, machine, replications = { path:match "[^/]*$" }, log.log:platform { cores_per_node = 1 }, 1
  if log.log:count "unknown_requested_time" >= #log then times = { "exact" } end
end

local e = experiment "easy_and_conservative" {
  factors = { { "log", logs }, { "times", times }, { "policy", drawn.policies } },
  replications = replications,
  run = function(f, seed)
    return scenario { platform = machine, workload = log or drawn.log(f.log, count, load, seed) }
      :run { policy = f.policy, information = f.times == "exact" and "perfect" or "declared" }
  end,
  measure = { "mean_wait", "mean_bounded_slowdown", "utilization" },
}
if log then
  print(("%-12s %-10s %14s %22s %14s"):format("policy", "times", "mean wait, s", "mean bounded slowdown", "utilization"))
  for _, row in ipairs(e:rows()) do
    print(("%-12s %-10s %14.2f %22.4f %14.4f"):format(row.policy, row.times, row.mean_wait, row.mean_bounded_slowdown, row.utilization))
  end
else
  print(e:table("mean_wait", "mean_bounded_slowdown", "utilization"))
end

-- A measure of EASY less that of conservative, in one kind of log, with one kind of times.
local function less(measure, kind, estimates)
  local points = verdicts.points(e, measure, "policy", "easy", "conservative", { log = kind, times = estimates })
  if log then points[1].exact = true end
  return points
end
local function judged(source, says, verdict, about, note)
  claim { source = source, says = says, verdict = verdict, holds = about.holds, found = about.found, note = note }
end
local paper = "Mu'alem and Feitelson 2001"

if log then
  if #times == 2 and tostring(log.log.computer):find("SP2", 1, true) then
    judged(paper, "on logs of an SP2, with the requested times, EASY is better than conservative backfilling", "reproduces", verdicts.all {
      { "mean wait, s", verdicts.mostly(less("mean_wait", logs[1], "requested"), "lower", "%+.1f") },
      { "mean bounded slowdown", verdicts.mostly(less("mean_bounded_slowdown", logs[1], "requested"), "lower", "%+.3f") } })
  end
  return
end

judged(paper, "whether EASY or conservative backfilling is better depends on the workload", "reproduces", verdicts.all {
  { "mean bounded slowdown of EASY less that of conservative, skewed run times",
    verdicts.always(less("mean_bounded_slowdown", "skewed", "exact"), "higher", 0, "%+.3f") },
  { "even run times",
    verdicts.always(less("mean_bounded_slowdown", "even", "exact"), "lower", 0, "%+.3f") },
}, "on drawn logs, with exact times; the mean wait of EASY is the shorter one in both")

-- The same policy on the same jobs: what it loses or gains by requested times.
local function requested_less(measure, policy, form)
  return verdicts.always(verdicts.points(e, measure, "times", "requested", "exact", { policy = policy }), "lower", 0, form)
end
judged(paper, "EASY does better when estimates are longer than run times", "does not reproduce", verdicts.all {
  { "mean wait with requested times less that with exact ones, s", requested_less("mean_wait", "easy", "%+.0f") },
  { "mean bounded slowdown", requested_less("mean_bounded_slowdown", "easy", "%+.3f") },
}, "on drawn logs, where users request the next round time or one up to three steps further; estimates that are a little longer at random do better, " ..
   "by wrong_estimates.lua")

judged("found here", "with requested times EASY has the shorter mean wait, whatever the run times", "reproduces",
       verdicts.always(less("mean_wait", nil, "requested"), "lower", 0, "%+.0f"))

-- EASY less conservative with requested times, less the same with exact ones.
local gained, exact = less("mean_wait", nil, "requested"), less("mean_wait", nil, "exact")
for k, point in ipairs(gained) do
  point.name = "log " .. logs[k]
  for i, value in ipairs(exact[k].values) do point.values[i] = point.values[i] - value end
end
local more = verdicts.always(gained, "lower", 0, "%+.0f")
claim { source = "found here", says = "requested times in the place of exact ones cost conservative backfilling more mean wait than EASY", holds = more.holds,
        found = more.found .. " s", verdict = "reproduces" }
