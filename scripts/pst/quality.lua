-- Quality of information against heuristics, and what may do without (Berman et al. 1999, sections 5.2.1 and 5.2.2).
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/quality.lua --out results
--   --set full=true     all heuristics and qualities, ten grids and applications: two minutes
--
-- The grid of Figure 11 with two thirds of its availability, in its jittery form with availabilities and bandwidths that are drawn anew
-- each 50 s on average, within 60 % of their mean. A plan each 600 s. Run times are declared with an error of up to 50 %, sizes of 25 %.

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local verdicts = require "verdicts"
local full = setting("full", false)
local tasks = full and 220 or 50

local qualities = full and { "perfect", "error(0.5)", "quantile(0.5)", "mean", "last", "adapt_mse" }
                  or { "perfect", "error(0.5)", "last" }
local maps = full and { "workqueue", "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2" } or { "workqueue", "min_min",
  "extended_sufferage" }
local e = experiment "quality" {
  factors = {
    { "grid", { "stable", "jittery" } }, { "shared", full and { 0, 2400, 9600 } or { 0, 2400 } }, { "information", qualities }, { "map", maps },
  },
  where = function(f) return f.shared == 2400 or f.information == "perfect" or f.information == "last" or f.information == "error(0.5)" end,
  replications = setting("replications", full and 10 or 2),
  run = function(f, seed)
    local jitter = f.grid == "jittery" and 0.6 or 0
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = jitter, link_jitter = jitter }, seed)
    local application = grids.application { tasks = tasks, shared = 1e3 * f.shared, time_error = 0.5, size_error = 0.25 }
    return scenario { platform = p, workload = application }:run {
      policy = f.map == "workqueue" and "workqueue" or planner { map = f.map, interval = 600 }, information = f.information,
    }
  end,
  measure = function(r) return { makespan = r.makespan, wrong = r.estimate_error } end,
}
-- end of experiment

for _, grid in ipairs { "stable", "jittery" } do
  print(grid .. " grid, 2400 KB shared: makespan, s")
  studies.print(e, "makespan", "information", "map", nil, function(row) return row.grid == grid and row.shared == 2400 end)
end
studies.plot(e, { x = "information", y = "makespan", by = "map", kind = "bars", file = "quality" }, function(row) return row.grid == "jittery" end)
print ""

-- Workqueue against each heuristic with estimates, in each cell of grid, size and quality.
local points = {}
for _, map in ipairs(maps) do
  if map ~= "workqueue" then
    for _, point in ipairs(pst.changes(e, "makespan", "map", "workqueue", map, { "grid", "shared", "information" })) do
      points[#points + 1] = { name = ("%s, %s"):format(map, point.name), values = point.values }
    end
  end
end
local generally = verdicts.mostly(points, "higher", "%+.0f")
local means = {}
for i, point in ipairs(points) do means[i] = stats.summary(point.values).mean end
local spread = stats.summary(means)
generally.found = ("workqueue takes longer in so many cells: %s; by %.0f %% on average, from %.0f %% to %.0f %%"):format((
  generally.found:match "^[^:]*"), spread.mean, spread.min,
                  spread.max)
claim(pst.of("S3-17", "reproduces", generally, "cells of heuristic, grid, size of the shared file (none among them) and quality of information; "
  .. "generally: in more than half, a limit of ours"))

-- The error of estimates itself, by grid and by way of estimating; constant resources have none to measure, so that they are nearly constant here.
local accuracy = experiment "accuracy" {
  factors = { { "jitter", full and { 0.05, 0.3, 0.6, 0.9 } or { 0.05, 0.6 } }, { "information", full and { "mean", "last", "sw_avg(10)", "median(5)",
    "exp(0.25)", "adapt_mse" }
      or { "last", "adapt_mse" } } },
  replications = full and 10 or 3,
  run = function(f, seed)
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = f.jitter, link_jitter = f.jitter }, seed)
    return scenario { platform = p, workload = grids.application { tasks = tasks } }:run { policy = planner { map = "min_min", interval = 600 },
      information = f.information }
  end,
  measure = function(r) return { wrong = 100 * r.estimate_error } end,
}
print "\nError of the estimates, per cent of what it took, by jitter"
studies.print(accuracy, "wrong", "information", "jitter", "%.1f +- %.1f")
local worse = {}
local jitters = full and { 0.05, 0.3, 0.6, 0.9 } or { 0.05, 0.6 }
for k = 2, #jitters do
  for _, point in ipairs(verdicts.points(accuracy, "wrong", "jitter", jitters[k], jitters[k - 1])) do
    worse[#worse + 1] = { name = ("%s, %g against %g"):format(point.name, jitters[k], jitters[k - 1]), values = point.values }
  end
end
local unstable = verdicts.always(worse, "higher", 0, "%+.1f")
local best = studies.by(accuracy:table "wrong", "information", { jitter = jitters[1] })
local most = 0
for _, row in pairs(best) do if type(row) == "table" and row.wrong then most = math.max(most, row.wrong) end end
unstable.found = ("%.1f %% at most where availability stays within 5 %% of its mean; error of estimates on the less stable grid less that on "
  .. "the more stable one, points: %s"):format(most,
                 unstable.found)
claim(pst.of("S3-25", "reproduces", unstable, "estimates of computations and transfers when they begin, by six ways of estimating"))

-- Whether the quality changes schedules.
local harmed = {}
for _, quality in ipairs(qualities) do
  if quality ~= "perfect" then
    for _, point in ipairs(pst.changes(e, "makespan", "information", quality, "perfect", { "grid" },
                                       function(row) return row.map ~= "workqueue" and row.shared == 2400 end)) do
      harmed[#harmed + 1] = { name = ("%s, %s"):format(quality, point.name:sub(6)), values = point.values }
    end
  end
end
local changes = verdicts.always(harmed, "higher", 0, "%+.1f")
local changed, n = tonumber(changes.found:match "higher at (%d+)") or 0, #harmed
local lower = tonumber(changes.found:match "lower at (%d+)") or 0
changes.holds = "not decided"
if changed + lower > 0 then changes.holds = true elseif verdicts.alike(harmed, 1).holds == true then changes.holds = false end
changes.found = "makespan against perfect information, %: " .. changes.found
claim(pst.of("S3-26", "reproduces", changes, ("exact, bounded error, quantile of what was measured, long-run mean and forecasts are compared; "
  .. "it has an impact where an interval "
             .. "excludes 0: at %d of %d; it would have none if all intervals were within 1 %%, a limit of ours"):format(changed + lower, n)))

-- ---- no estimates at all ----

-- Work stealing without estimates: each host begins with an equal share of the tasks, and who has none takes the last of the longest queue.
policy "steals" {
  accepts = { "tasks", "files" },
  arrived = function(self, sim, works)
    self.queue = {}
    for host = 1, sim:host_count() do self.queue[host] = {} end
    for i, work in ipairs(works) do table.insert(self.queue[(i - 1) % sim:host_count() + 1], work) end
  end,
  computed = function(_, sim, works, hosts) for i, work in ipairs(works) do sim:fetch(work, hosts[i]) end end,
  decide = function(self, sim)
    for _, host in ipairs(sim:hosts()) do
      if #sim:running_on(host) + #sim:queued_on(host) == 0 then
        local from = host
        if #self.queue[host] == 0 then
          for other = 1, sim:host_count() do if #self.queue[other] > #self.queue[from] then from = other end end
        end
        local work = from == host and table.remove(self.queue[host], 1) or table.remove(self.queue[from])
        if work then sim:post(work, host) end
      end
    end
  end,
}
local same, all = 0, 0
for seed = 1, full and 10 or 2 do
  for _, jitter in ipairs { 0, 0.6 } do
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = jitter, link_jitter = jitter }, seed)
    local s = scenario { platform = p, workload = grids.application { tasks = 60, time_error = 0.5 } }
    for _, name in ipairs { "workqueue", "steals" } do
      local first
      for _, quality in ipairs { "perfect", "error(0.9)", "last", "declared", "learnt mean" } do
        local print_ = s:run { policy = name, information = quality, seed = seed }.fingerprint
        first = first or print_
        all = all + 1
        if print_ == first then same = same + 1 end
      end
    end
  end
end
local v = verdicts.cases(same, all)
v.found = "the same schedule to the bit under five qualities of information " .. v.found
claim(pst.of("S3-15", "reproduces", v, "workqueue, and a policy in Lua whose idle hosts take the last task of the longest queue"))

-- ---- affinities ----

-- Two architectures: each task runs k times as long on the other one.
local affine = experiment "affinity" {
  factors = { { "times", { 1, 2, 4 } }, { "map", { "workqueue", "min_min" } } },
  replications = full and 12 or 3,
  run = function(f)
    local function part(name, nodes, architecture)
      return cluster(name) { nodes = nodes, architecture = architecture, availability = 0.5, link = { bandwidth = 1e4 } }
    end
    return scenario {
      platform = platform { part("a", 11, "one"), part("b", 11, "other") },
      workload = workload.tasks(full and 220 or 60, function(i, rng)
        local time, first = rng:uniform(90, 110), rng:bernoulli(0.5)
        return { time = { one = first and time or time * f.times, other = first and time * f.times or time }, inputs = { file("own" .. i, 1e4) },
          output = 1e4 }
      end),
    }:run { policy = f.map == "workqueue" and "workqueue" or planner { map = f.map } }
  end,
  measure = { "makespan" },
}
local gain = pst.changes(affine, "makespan", "map", "workqueue", "min_min", { "times" })
local rising = {}
for k = 2, 3 do
  local values = {}
  for i, x in ipairs(gain[k] and gain[k].values or {}) do values[i] = x - gain[k - 1].values[i] end
  rising[k - 1] = { name = gain[k] and ("%s against %s"):format(gain[k].name, gain[k - 1].name) or "", values = values }
end
local affinity = verdicts.all {
  { "workqueue takes longer than min-min, %", verdicts.always({ gain[2], gain[3] }, "higher", 0, "%+.0f") },
  { "and the more the stronger the affinity, points", verdicts.always(rising, "higher", 0, "%+.0f") },
}
affinity.found = ("without affinity %+.1f %%; %s"):format(gain[1] and stats.summary(gain[1].values).mean or 0, affinity.found)
claim(pst.of("S3-16", "reproduces", affinity, "two architectures, half of the tasks made for each; the other one takes 1, 2 and 4 times as long"))
