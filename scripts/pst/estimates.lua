-- Estimates of run times, and of when what runs will end (Berman et al. 1999, sections 5.2.1 and 6.3).
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/estimates.lua
--   --set full=true     more draws, ten grids and applications

local grids = require "grids"
local pst = require "pst"
local verdicts = require "verdicts"
local full = setting("full", false)

local function near(a, b) return math.abs(a - b) <= 1e-6 * math.max(1, math.abs(b)) end
local counts = setmetatable({}, { __index = function() return { 0, 0 } end })
local function tell(name, yes)
  local at = counts[name]
  counts[name] = { at[1] + (yes and 1 or 0), at[2] + 1 }
end
local function cases(name) return verdicts.cases(table.unpack(counts[name])) end

-- ---- what the user says, what was seen before, what is foretold ----

-- Forecasts of a list, calculated anew.
local function mean(list, n)
  local sum, first = 0, math.max(1, #list - (n or #list) + 1)
  for k = first, #list do sum = sum + list[k] end
  return sum / (#list - first + 1)
end
local function median(list, n)
  local last = {}
  for k = math.max(1, #list - n + 1), #list do last[#last + 1] = list[k] end
  table.sort(last)
  local half = #last // 2
  return #last % 2 == 1 and last[half + 1] or (last[half] + last[half + 1]) / 2
end
local function smooth(list, gain)
  local value = list[1]
  for k = 2, #list do value = gain * list[k] + (1 - gain) * value end
  return value
end
local forecasters = {
  last = function(list) return list[#list] end, run_avg = mean, ["sw_avg(3)"] = function(list) return mean(list, 3) end,
  ["median(5)"] = function(list) return median(list, 5) end, ["exp(0.3)"] = function(list) return smooth(list, 0.3) end,
}
local forecaster_names = { "last", "run_avg", "sw_avg(3)", "median(5)", "exp(0.3)" }

-- A host that computes one task and has another to come, with drawn availabilities.
local function one_host(rng, declared, times)
  local values = {}
  for k = 1, 60 do values[k] = rng:uniform(0.2, 1) end
  local tasks = {}
  for i, time in ipairs(times) do tasks[i] = { time = time, estimate = time * declared } end
  return values, scenario {
    platform = platform { cluster "c" { nodes = 1, availability = { values = values, every = "5 s" }, link = { bandwidth = 1e4 } } },
    workload = workload.tasks(tasks),
  }
end
for seed = 1, full and 50 or 5 do
  local rng = stream("estimates", seed)
  local values, s = one_host(rng, 0.7, { 100, 80 })
  local t = rng:uniform(20, 90)
  local seen = {}
  for k = 1, math.floor(t / 5) + 1 do seen[k] = values[k] end
  local function estimated(information)
    local sim = s:start { policy = planner {}, information = information }
    sim:run_until(t)
    return sim:chart():time(1, 1)
  end
  tell("user", near(estimated "declared", 0.7 * 80) and near(estimated "declared perfect error(0)", estimated "declared perfect"))
  for _, name in ipairs(forecaster_names) do tell("forecast", near(estimated("declared " .. name), 0.7 * 80 / forecasters[name](seen))) end
  -- History: of three tasks that have ended each took a share more than declared.
  local ratios, list, sum = {}, {}, 0
  for i = 1, 3 do
    ratios[i] = rng:uniform(0.5, 2)
    list[i], sum = { time = 10 * ratios[i], estimate = 10 }, sum + ratios[i]
  end
  list[4] = { time = 10, estimate = 10 }
  list[5] = { time = 10, estimate = 10 }
  local history = scenario { platform = platform { cluster "c" { nodes = 1 } }, workload = workload.tasks(list) }
  local sim = history:start { policy = "workqueue", information = "learnt perfect" }
  sim:run_until(10 * sum + 1)
  local chart, m = sim:chart(), (sum + 1) / 4
  tell("history", near(chart:time(1, 1), 10 * (sum + m) / 4))
  -- The same forecasters on any list: here the run times of the tasks that have ended.
  local series = {}
  for _, job in ipairs(s:run { policy = planner {} }:jobs()) do series[#series + 1] = job.run end
  for k = 1, 6 do series[#series + 1] = rng:lognormal(50, 30) end
  for _, name in ipairs(forecaster_names) do tell("series", near(stats.forecast(series, name), forecasters[name](series))) end
end
claim(pst.of("S3-18", "reproduces", verdicts.all {
  { "from the user", cases "user" }, { "from what tasks took before", cases "history" }, { "five forecasters on measured availability",
    cases "forecast" },
  { "and on run times of the application itself", cases "series" },
}, "each against a calculation by hand"))
local any = cases "series"
claim(pst.of("S3-90", "reproduces", any, "lists of drawn run times, five forecasters, each calculated anew"))

-- ---- when what runs will end ----

-- The simple rule: until it is overdue by the estimate at its start, then a constant from now.
for seed = 1, full and 20 or 3 do
  local rng = stream("overdue", seed)
  local declared, constant = rng:uniform(0.3, 0.9), rng:choice { 5, 10, 30 }
  local s = scenario { platform = platform { cluster "c" { nodes = 1 } }, workload = workload.tasks { { time = 100, estimate = 100 * declared } } }
  local sim = s:start { policy = planner {}, information = ("declared perfect overdue(%d)"):format(constant) }
  for k = 1, 19 do
    sim:run_until(5 * k)
    local now = 5 * k
    tell(now < 100 * declared and "early" or "late", near(sim:chart(planner { overdue = constant }):ready(1),
      now < 100 * declared and 100 * declared or now + constant))
  end
end
claim(pst.of("S3-19", "reproduces", verdicts.all {
  { "not overdue: it ends as estimated at its start", cases "early" }, { "overdue: it ends a constant time from now", cases "late" },
}, "constants of 5, 10 and 30 s; the report gives none"))

-- Progress: what the past availability has done of the task, and the rest at the availability that is foretold.
local away = { rule = {}, progress = {} }
for seed = 1, full and 50 or 5 do
  local rng = stream("progress", seed)
  local values, s = one_host(rng, 1, { 100 })
  local ends = s:run { policy = planner {} }.makespan
  for k = 1, 8 do
    local t = ends * rng:uniform(0.1, 0.95)
    local sim = s:start { policy = planner {}, information = "progress last" }
    sim:run_until(t)
    local done, periods = 0, math.floor(t / 5)
    for i = 1, periods do done = done + 5 * values[(i - 1) % 60 + 1] end
    done = done + (t - 5 * periods) * values[periods % 60 + 1]
    local found = sim:chart():ready(1)
    tell("progress", near(found, t + (100 - done) / values[periods % 60 + 1]))
    local rule = s:start { policy = planner {}, information = "last" }
    rule:run_until(t)
    table.insert(away.progress, math.abs(found - ends))
    table.insert(away.rule, math.abs(rule:chart():ready(1) - ends))
  end
end
local progress = cases "progress"
progress.found = ("%s as by hand; the end is missed by %.1f s on average, by the simple rule by %.1f s"):format(progress.found,
                 stats.summary(away.progress).mean, stats.summary(away.rule).mean)
claim(pst.of("S3-21", "reproduces", progress, "100 s of computation at an availability that is drawn anew each 5 s, from 0.2 to 1; the last "
  .. "measurement as forecast"))

-- Start and predicted time give the time that is left, by the error of predictions: the mean error, relative to the run time, with this
-- knowledge, and without it, when a task that runs is as likely at any place of its run.
print "Error of the time that is left, relative to the run time"
local points, half = {}, {}
for _, p in ipairs { 0.05, 0.1, 0.2, 0.5, 0.9 } do
  local values, halves, with, without = {}, {}, {}, {}
  for seed = 1, full and 20 or 4 do
    local rng, list = stream("left", seed), {}
    for i = 1, 40 do
      local time = rng:uniform(90, 110)
      list[i] = { time = time, estimate = time * (1 + p * rng:uniform(-1, 1)) }
    end
    local sim = scenario { platform = platform { cluster "c" { nodes = 40 } }, workload = workload.tasks(list) }
      :start { policy = "workqueue", information = "declared perfect" }
    local t = rng:uniform(5, 85)
    sim:run_until(t)
    local chart, a, b = sim:chart(), 0, 0
    for i = 1, 40 do
      local left = list[i].time - t
      a = a + math.abs(chart:ready(i) - t - left) / list[i].time / 40
      b = b + math.abs(list[i].estimate / 2 - left) / list[i].time / 40
    end
    values[seed], halves[seed], with[seed], without[seed] = 100 * (a - b), 100 * (a - b / 2), 100 * a, 100 * b
  end
  print(("  predictions within %2.0f %%: %4.1f %% with start and predicted time, %4.1f %% with the predicted time alone"):format(100 * p,
        stats.summary(with).mean, stats.summary(without).mean))
  points[#points + 1], half[#half + 1] = { name = ("within %g %%"):format(100 * p), values = values }, { name = ("within %g %%"):format(100 * p),
    values = halves }
end
local accurate = verdicts.always({ points[1], points[2], points[3] }, "lower", 0, "%+.1f")
local bad = verdicts.always({ points[5] }, "lower", 0, "%+.1f")
-- The same less half of the error without the knowledge.
local by_half = verdicts.always({ half[1], half[2], half[3] }, "lower", 0, "%+.1f")
accurate.found = ("error of the remaining time less that without the knowledge, per cent of the run time: %s; less half of that: %s; predictions "
  .. "within 90 %%: %s"):format(accurate.found, by_half.found, bad.found)
if by_half.holds ~= accurate.holds then accurate.holds = "not decided" end
claim(pst.of("S3-22", "not decided", accurate, "reasonably accurate: predictions within 5, 10 and 20 %; without the knowledge half of the predicted "
  .. "time is left; good: any of the error is taken away, or more than half of it, limits of ours that come out differently"))

-- ---- whether the simple rule does ----

local e = experiment "running" {
  factors = {
    { "grid", { "stable", "nearly stable", "unstable" } }, { "running", { "overdue(5)", "overdue(10)", "overdue(60)", "progress" } },
    { "map", full and { "min_min", "extended_sufferage" } or { "extended_sufferage" } },
  },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    local jitter = ({ stable = 0, ["nearly stable"] = 0.1, unstable = 0.6 })[f.grid]
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = jitter, link_jitter = jitter }, seed)
    return scenario { platform = p, workload = grids.application { tasks = full and 400 or 100 } }:run {
      policy = planner { map = f.map, interval = 300, overdue = tonumber(f.running:match "%d+") or 10 },
      information = "last " .. f.running,
    }
  end,
  measure = { "makespan" },
}
print(e:table "makespan")
local all, unstable = {}, {}
for _, rule in ipairs { "overdue(5)", "overdue(10)", "overdue(60)" } do
  for _, point in ipairs(pst.changes(e, "makespan", "running", rule, "progress", { "grid" })) do
    local named = { name = ("%s, %s"):format(rule, point.name:gsub("grid ", "")), values = point.values }
    table.insert(point.name == "grid unstable" and unstable or all, named)
  end
end
local simple = verdicts.alike(all, 2, "%+.1f")
simple.found = ("the simple rule takes longer than progress by, %%: %s; %s"):format(simple.found, verdicts.alike(unstable, 2, "%+.1f").found)
claim(pst.of("S3-20", "reproduces", simple, "a plan each 300 s that knows the last measurement; availability is constant, or within 10 % of its "
  .. "mean; effective: within 2 %, a limit of ours, of "
             .. "progress by past load, for three constants; unstable grids, within 60 %, stand beside"))
