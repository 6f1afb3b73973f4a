-- Urgent jobs take the cores of others, which are suspended, killed and begun anew, or write a checkpoint first: what each way costs.
-- takes: seconds
-- perigee run batch/preempted
--   --set full=true                more replications (60 for 10)
--   --set replications=20          of each combination
--   --set jobs=400 --set load=0.8  of each log (250), and the share of the machine that they ask for (0.7)
--   --set urgent=0.2               the part of them that is urgent (0.1)
-- test: --set replications=4 --set jobs=100

local settings = require "settings"
local verdicts = require "verdicts"
local full = setting("full", false)
local count, load = settings.number("jobs", 250, 1), settings.number("load", 0.7, 0.01, 1)
local part = settings.number("urgent", 0.1, 0, 1)
local replications = settings.number("replications", full and 60 or 10, 1)
local nodes, hour = 32, 3600

-- Jobs of 1 to 16 nodes; urgent ones are shorter. All may write checkpoints, one every 30 minutes, in a minute.
local function log(seed)
  local rng, list, area = stream("preempted", seed), {}, 0
  for i = 1, count do
    local urgent = rng:bernoulli(part)
    local width, time = 1 << rng:integer(0, 4), rng:lognormal(urgent and 0.5 * hour or 4 * hour, 4 * hour)
    list[i] = { nodes = width, time = time, qos = urgent and "urgent" or nil, user = urgent and "urgent" or "normal",
                checkpoint = { interval = "30 min", cost = "1 min", restart = "1 min" } }
    area = area + width * time
  end
  for _, job in ipairs(list) do job.arrival = rng:uniform(0, area / (nodes * load)) end
  return workload.jobs(list)
end

local ways = { "off", "suspend", "requeue", "checkpoint" }
local e = experiment "preempted" {
  factors = { { "preempt", ways } },
  replications = replications,
  run = function(f, seed)
    local r = scenario { platform = platform { cluster "n" { nodes = nodes } }, workload = log(seed), qos = { qos "urgent" { tier = 2 } } }
      :run { policy = easy { preempt = f.preempt } }
    local wait = {}
    for _, user in ipairs(r:users()) do wait[user.user] = user.mean_wait / hour end
    return { urgent_wait = wait.urgent, other_wait = wait.normal, preempted = r.preempted, lost = r["core_time.lost"] / hour }
  end,
  measure = { "urgent_wait", "other_wait", "preempted", "lost" },
}
print "Mean waits in hours, preemptions, and node-hours that were lost"
print(e:table("urgent_wait", "other_wait", "preempted", "lost"))

local function against(measure, way, other)
  return verdicts.points(e, measure, "preempt", way, other, {})
end
local function all(measure, ways_, other)
  local points = {}
  for _, way in ipairs(ways_) do points[#points + 1] = against(measure, way, other)[1] end
  return points
end
local sooner = verdicts.always(all("urgent_wait", { "suspend", "requeue", "checkpoint" }, "off"), "lower", 0, "%+.2f")
claim { source = "found here", says = "urgent jobs wait less where they preempt others", holds = sooner.holds, found = "hours with it less without: " .. sooner.found,
        verdict = "reproduces", note = ("%d jobs that ask for %g of %d nodes, under EASY"):format(count, load, nodes) }
local kept = verdicts.always(all("lost", { "suspend", "checkpoint" }, "requeue"), "lower", 0, "%+.1f")
claim { source = "found here", says = "less work is lost by suspending jobs, and by a checkpoint first, than by killing them", holds = kept.holds,
        found = "node-hours less those of requeue: " .. kept.found, verdict = "reproduces" }
