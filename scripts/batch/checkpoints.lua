-- Nodes fail: jobs with and without checkpoints, and the best interval between them by an experiment, beside Young (1974) and Daly (2006).
-- takes: seconds
-- perigee run batch/checkpoints --out results     the figure is results/checkpoints.svg
--   --set full=true                more replications (20 batches of 20 for 4 of 5; of a quarter of that where a failure comes every 15 minutes)
--   --set batches=8 --set batch=5  so many batches of so many replications each
--   --set cost=2 --set restart=5   minutes to write a checkpoint (5), and to go on from one (10), at most 15; claims are made of 5 and 10 alone
--   --set hours=100                of work (500; in the short form 50 where a failure comes every 15 minutes)
-- test: --set batches=2

local settings = require "settings"
local verdicts = require "verdicts"
local full = setting("full", false)
local batches, batch = settings.number("batches", full and 20 or 4, 2), settings.number("batch", full and 20 or 5, 1)
local minute, hour = 60, 3600
local cost_minutes, restart_minutes = settings.number("cost", 5.0, 0.01, 15), settings.number("restart", 10.0, 0, 15)
local written, read = cost_minutes * minute, restart_minutes * minute
local hours = settings.number("hours", 500.0, 0.1)
local published_costs = cost_minutes == 5 and restart_minutes == 10

-- A cluster first: jobs of 1 to 16 nodes, each of which fails every ten days; intervals are Daly's for the nodes of each job.
local cluster_study = experiment "with and without checkpoints" {
  factors = { { "checkpoints", { "none", "daly" } } },
  replications = full and 40 or 6,
  run = function(f, seed)
    local rng, jobs, useful = stream("jobs", seed), {}, 0
    local checkpoint = f.checkpoints == "daly" and { interval = "daly", cost = written, restart = read } or nil
    for i = 1, 150 do
      local nodes, time = rng:integer(1, 16), rng:lognormal(8 * hour, 8 * hour)
      jobs[i] = { arrival = rng:uniform(0, 20 * 24 * hour), nodes = nodes, time = time, checkpoint = checkpoint }
      useful = useful + nodes * time
    end
    local r = scenario {
      platform = platform { cluster "n" { nodes = 32 } }, workload = workload.jobs(jobs),
      events = { failures { cluster = "n", mtbf = "10 d", mttr = "1 h" } },
    }:run { policy = "easy" }
    local held = 0
    for _, attempt in ipairs(r:attempts()) do held = held + attempt.cores * (attempt.finish - attempt.start) end
    return { hours = r.mean_response / hour, lost = r.lost, wasted = 100 * (1 - useful / held) }
  end,
  measure = { "hours", "lost", "wasted" },
}
print "Jobs on 32 nodes that fail: mean response in hours, attempts that were lost, node-hours that were of no use, %"
print(cluster_study:table("hours", "lost", "wasted"))

-- One job on one node. Mean times between failures, with what Daly's Figures 3 to 5 show as the best interval, in minutes.
local rates = {
  { name = "24 h", mtbf = 24 * hour, published = 117, margin = 0.5, hours = hours },
  { name = "6 h", mtbf = 6 * hour, published = 57, margin = 0.5, hours = hours },
  { name = "15 min", mtbf = 15 * minute, published = 9.1, margin = 0.05, hours = full and hours or hours / 10,
    batch = full and math.ceil(batch / 4) or batch },
}
local repair = 1  -- s: Daly counts the time away as part of the restart
local shares = { 0.6, 0.8, 1, 1.25, 1.6 }  -- of Daly's interval, and Young's
local function expected(rate, interval)
  return cost.checkpointed { time = rate.hours * hour, interval = interval, cost = written, restart = read, mtbf = rate.mtbf, mttr = repair }
end

-- Where the parabola through the points, over the logarithm of the share, has its lowest place; nil where it has none. By least squares.
local function lowest(x, y)
  local s, t = { [0] = 0, 0, 0, 0, 0 }, { [0] = 0, 0, 0 }
  for i = 1, #x do
    for k = 0, 4 do s[k] = s[k] + x[i] ^ k end
    for k = 0, 2 do t[k] = t[k] + y[i] * x[i] ^ k end
  end
  local function determinant(a, b, c)
    return a[1] * (b[2] * c[3] - b[3] * c[2]) - a[2] * (b[1] * c[3] - b[3] * c[1]) + a[3] * (b[1] * c[2] - b[2] * c[1])
  end
  local line, curve = { s[1], s[2], s[3] }, { s[2], s[3], s[4] }
  local flat, values = { s[0], s[1], s[2] }, { t[0], t[1], t[2] }
  local bend, slope = determinant(flat, line, values), determinant(flat, values, curve)
  if bend > 0 then return -slope / (2 * bend) end
end

local off, best, flat, young, figure = {}, {}, {}, {}, {}
for _, rate in ipairs(rates) do
  rate.daly, rate.young = cost.daly { cost = written, mtbf = rate.mtbf }, cost.young { cost = written, mtbf = rate.mtbf }
  local least = expected(rate, rate.daly)
  local size, levels = rate.batch or batch, { table.unpack(shares) }
  levels[#levels + 1] = { "young", rate.young / rate.daly }
  local e = experiment("mtbf " .. rate.name) {
    factors = { { "share", levels } },
    replications = batches * size,
    run = function(f, seed)
      local interval = f.share * rate.daly
      local s = scenario {
        platform = platform { host "node" {} },
        workload = workload.jobs { { time = rate.hours * hour, checkpoint = { interval = interval, cost = written, restart = read } } },
        events = { failures { host = "node", mtbf = rate.mtbf, mttr = repair } },
      }
      local makespan = s:run { policy = "fcfs", trace = "none" }.makespan
      -- In hours; in per cent of what is expected with Daly's interval; and beyond what is expected with this one.
      return { hours = makespan / hour, percent = 100 * makespan / least, beyond = 100 * (makespan / expected(rate, interval) - 1) }
    end,
    measure = { "hours", "percent", "beyond" },
  }

  -- Rows by batch: the mean makespan with each share.
  local sums = {}
  for i = 1, batches do sums[i] = {} end
  for _, row in ipairs(e:rows()) do
    local sum = sums[(row.replication - 1) // size + 1]
    sum[row.share] = (sum[row.share] or 0) + row.percent / size
  end
  local found = { name = rate.name, values = {} }
  for _, sum in ipairs(sums) do
    local x, y = {}, {}
    for i, share in ipairs(shares) do x[i], y[i] = math.log(share), sum[share] end
    local place = lowest(x, y)
    -- A parabola without a lowest place says nothing: it counts as the end of what was tried.
    found.values[#found.values + 1] = 100 * (math.exp(math.min(math.log(1.6), math.max(math.log(0.6), place or 1))) - 1)
  end
  best[#best + 1] = found
  print(("\nA failure every %s, %g h of work; Daly's interval %.2f min, Young's %.2f min; by the lowest place of a parabola %s min"):format(
    rate.name, rate.hours, rate.daly / minute, rate.young / minute,
    #found.values > 1 and ("%.2f +- %.2f"):format((1 + stats.interval(found.values).mean / 100) * rate.daly / minute,
                                                  stats.interval(found.values).half_width / 100 * rate.daly / minute) or "-"))
  print(("%8s %12s %24s %14s"):format("share", "interval, min", "makespan, h", "expected, h"))
  for _, level in ipairs(levels) do
    local name, share = level, level
    if type(level) == "table" then name, share = level[1], level[2] end
    local values, beyond = {}, {}
    for _, row in ipairs(e:rows()) do
      if tostring(row.share) == tostring(name) then values[#values + 1], beyond[#beyond + 1] = row.hours, row.beyond end
    end
    off[#off + 1] = { name = ("%s, %s"):format(rate.name, name), values = beyond }
    local mean = stats.interval(values)
    print(("%8s %12.2f %16.2f +- %5.2f %14.2f"):format(name, share * rate.daly / minute, mean.mean, mean.half_width,
                                                       expected(rate, share * rate.daly) / hour))
    figure[#figure + 1] = { mtbf = rate.name, interval = share * rate.daly / minute, percent = 100 * mean.mean * hour / least }
  end
  local function less(share, name)
    local points = verdicts.points(e, "percent", "share", share, 1)
    return { name = ("%s, %s"):format(rate.name, name), values = points[1].values }
  end
  flat[#flat + 1], flat[#flat + 2] = less(0.8, "0.8"), less(1.25, "1.25")
  young[rate.name] = less("young", "young")
end
table.sort(figure, function(a, b) return a.interval < b.interval end)
plot(figure, { x = "interval", y = "percent", by = "mtbf", log_x = true, file = "checkpoints", text = false, x_unit = "min",
               title = "Makespan over the interval between checkpoints, in per cent of what is expected with Daly's" })

local shorter = verdicts.always(verdicts.points(cluster_study, "hours", "checkpoints", "daly", "none"), "lower", 0, "%+.2f")
claim { source = "found here", says = "checkpoints at Daly's intervals shorten the mean response of jobs over several nodes that fail", holds = shorter.holds,
        found = shorter.found .. " h", verdict = "reproduces", note = "32 nodes, each of which fails every 10 d, under EASY" }
if not published_costs then return end

for _, rate in ipairs(rates) do
  claim { source = "Daly 2006, Figures 3 to 5", says = ("the best interval for a failure every %s is %g min"):format(rate.name, rate.published),
          value = rate.daly / minute, published = rate.published, margin = rate.margin, verdict = "reproduces", note = "by his formula" }
end
local near = verdicts.alike(best, 10, "%+.1f")
claim { source = "Daly 2006, Figures 3 to 5", says = "by an experiment, makespans are the least at the interval of the formula", holds = near.holds,
        found = "the lowest place less Daly's interval, in per cent of it: " .. near.found, verdict = "reproduces",
        note = "alike is within 10 %, a threshold of ours; the lowest place of a parabola through mean makespans with five intervals" }
local level = verdicts.alike(flat, 2, "%+.2f")
claim { source = "Daly 2006, Figures 3 to 5", says = "makespans are flat around the best interval", holds = level.holds,
        found = "with 0.8 and 1.25 times Daly's interval less with it, in per cent: " .. level.found, verdict = "reproduces",
        note = "flat is within 2 %, a threshold of ours" }
local rare = verdicts.alike({ young["24 h"], young["6 h"] }, 1, "%+.2f")
claim { source = "Young 1974", says = "the best interval is sqrt(2 C M) where failures are rare", holds = rare.holds,
        found = "makespans with it less with Daly's, in per cent: " .. rare.found, verdict = "reproduces", note = "alike is within 1 %, a threshold of ours" }
local often = verdicts.always({ young["15 min"] }, "higher", 0, "%+.2f")
claim { source = "Daly 2006", says = "Young's interval is too long for a failure every 15 min", holds = often.holds,
        found = "makespans with it less with Daly's, in per cent: " .. often.found, verdict = "reproduces" }
local agrees = verdicts.alike(off, 2, "%+.2f")
claim { source = "a calculation: cost.checkpointed", says = "the mean makespan with exponential failures", holds = agrees.holds,
        found = "simulated makespans less that, in per cent: " .. agrees.found, verdict = "reproduces", note = "alike is within 2 %, a threshold of ours" }
