-- The standard library's grids and applications: by hand where nothing is random, by what must hold where it is.
-- expect: grids ok

local grids = require "grids"
local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local function ran(p, w, seed, events, policy)
  return scenario { platform = p, workload = w, events = events }:run { policy = policy or "workqueue", seed = seed }
end

-- ---- nothing random ----
-- One host, one link of 10 B/s. 100 B for tasks 1 and 2: the first computes from 10 to 20 s, the second to 30; 100 B more, and two
-- tasks: 40 to 60 s.
local plain = grids.grid({ clusters = 1, hosts = 1, bandwidth = 10 }, 1)
same(table.concat(plain:hosts(), " "), "c1.1", "name of a host")
local bare = { tasks = 4, chunks = 2, inputs = 0, shared = 100, output = 0, time = 10 }
same(ran(plain, grids.application(bare)).makespan, 60, "shared files only")
same(ran(plain, grids.application(bare)).bytes_moved, 200, "each shared file sent once")
local three = grids.application { tasks = 3, chunks = 2, inputs = 1, shared = 100, own = 20, output = 30, time = 10 }
same(ran(plain, three).bytes_moved, 2 * 100 + 3 * 20 + 3 * 30, "bytes of all files")
same(ran(plain, grids.application { tasks = 0 }).status, "complete", "no task")

-- The files of a task alone take (100 + 20 + 30) / 10 = 15 s; half of it is 7.5 s, and then 3 s for the output.
local stretched = grids.application { tasks = 1, chunks = 1, inputs = 1, shared = 100, own = 20, output = 30, time = { 3, 3 },
                                      ratio = 0.5, bandwidth = 10 }
same(ran(plain, stretched):jobs()[1].run, 10.5, "ratio")

-- Declared: the sizes of outputs, and what errors make of times.
local declared = grids.application { tasks = 200, chunks = 1, inputs = 0, shared = 0, output = 0, time = 10, time_error = 0.5 }
local d = ran(grids.grid({ clusters = 1, hosts = 200 }, 1), declared, 3)
local user = d.total_user_slowdown  -- sum of 10 s / declared, of u in [5, 15): 200 ln 3 on average
same(math.abs(user / 200 - math.log(3)) < 0.06, true, "declared times lie evenly from half to one and a half")

-- ---- a seed has its application, and each field what is its own ----
local function spread(more)
  local a = { tasks = 60, chunks = 3, shared = { 100, 200 }, own = { 5, 10 }, output = { 1, 2 }, time = { 10, 20 } }
  for name, value in pairs(more or {}) do a[name] = value end
  return grids.application(a)
end
local wide = grids.grid({ clusters = 2, hosts = 3, bandwidth = 100 }, 1)
local function times(w, seed, policy)
  local list = {}
  for i, job in ipairs(ran(wide, w, seed, nil, policy):jobs()) do list[i] = ("%.9f"):format(job.run) end
  return table.concat(list, " ")
end
-- The run of a task holds the way home of its output, which depends on the link; so without one.
local quiet = { output = 0 }
same(times(spread(quiet), 5), times(spread(quiet), 5, planner {}), "policies share the application of a seed")
same(times(spread(quiet), 5) ~= times(spread(quiet), 6), true, "seeds do not")
same(times(spread(quiet), 5), times(spread { output = 0, perturbation = 0.5, own = 3, inputs = 4, shared = 7 }, 5),
     "times are the same, whatever the files")

-- With perturbation 1 each task reads the file of the other of two chunks. Three tasks in clusters of their own read the file of the
-- first chunk twice and that of the second once, or the other way round.
local apart_hosts = grids.grid({ clusters = 3, hosts = 1, bandwidth = 1e9 }, 1)
local function moved(tasks, share, chunks)
  return ran(apart_hosts, grids.application { tasks = tasks, chunks = chunks or 2, inputs = 0, shared = { 1, 1000 }, output = 0, time = 9,
                                              perturbation = share }).bytes_moved
end
same(math.abs(moved(3, 0) + moved(3, 1) - 3 * moved(2, 0)) < 1e-9, true, "the other chunk")
same(moved(3, 0) ~= moved(3, 1), true, "which has another size")
same(moved(3, 1, 1), moved(3, 0, 1), "one chunk has no other")

-- ---- grids ----
local p = grids.grid({ clusters = { { name = "fast", hosts = 4 }, { hosts = 6, availability = 0.7 }, { hosts = 12, availability = 0.3 } } }, 1)
same(#p:hosts(), 22, "hosts")
same(p:hosts()[1] .. " " .. p:hosts()[5], "fast.1 c2.1", "names")
for seed = 1, 20 do
  local n = #grids.grid({ clusters = 2, hosts = { 3, 5 } }, seed):hosts()
  same(n >= 6 and n <= 10, true, "from 3 to 5 hosts in each cluster")
end

-- A constant availability of 0.5 takes 20 s for 10 s; with jitter 0.4 it is from 0.3 to 0.7, and so is what a host does in 5 s.
local one = grids.application { tasks = 1, chunks = 1, inputs = 0, shared = 0, output = 0, time = 10 }
local function run_of(fields, seed)
  fields.clusters, fields.hosts, fields.availability = 1, 1, 0.5
  return ran(grids.grid(fields, seed), one).makespan
end
same(run_of({}, 1), 20, "stable")
local seen, others = {}, 0
for seed = 1, 40 do
  seen[seed] = run_of({ jitter = 0.4, persistence = 0 }, seed)
  same(seen[seed] > 10 / 0.7 and seen[seed] < 10 / 0.3, true, "within the jitter")
  if seen[seed] ~= seen[1] then others = others + 1 end
end
same(others, 39, "each seed has its behaviours")
same(run_of({ jitter = 0.4, jittery = 0 }, 1), 20, "a share of 0 jitters")
same(run_of({ jitter = 0.4, samples = 1 }, 7), run_of({ jitter = 0.4, persistence = 1 }, 7), "one level that stays")

-- ---- what comes and goes ----
-- Shares are spread evenly: half of 6 hosts are 3. The leaves and joins of each alternate, and at the end all are there: what could
-- run on no other host is done soon after.
local churn = { hosts = 0.5, stay = 50, away = 50, till = 1000 }
local cp, events = grids.grid({ clusters = 2, hosts = 3, churn = churn }, 4)
local later = workload.tasks(6, function(i) return { arrival = 1000, times = { [cp:hosts()[i]] = 5 } } end)
local at_the_end = ran(cp, later, 1, events)
same(at_the_end.makespan, 1005, "all are there in the end")
local _, none = grids.grid({ clusters = 2, hosts = 3 }, 4)
same(#none, 0, "no events")
local kp, gone = grids.grid({ clusters = 4, hosts = 1, churn = { clusters = 0.5, hosts = 0, stay = 100, away = 100, till = 4000 } }, 2)
local work = grids.application { tasks = 200, chunks = 4, shared = 1000, time = 30 }
for seed = 1, 3 do
  local r = ran(kp, work, seed, gone, planner { replan = "both" })
  same(r.status, "complete", "a grid whose clusters come and go")
end

-- ---- what is refused, at the line of the caller ----
refused("grids.lua:110: a grid: unknown field 'cluster'; known are availability, bandwidth, churn, clusters",
  function() grids.grid({ cluster = 2 }, 1) end)
refused("a grid: a seed is needed", function() grids.grid {} end)
refused("a grid: jitter must be a number from 0 to 1, got 2", function() grids.grid({ jitter = 2 }, 1) end)
refused("a grid: clusters must be a whole number >= 1 or a list, got 0", function() grids.grid({ clusters = 0 }, 1) end)
refused("cluster 2 of a grid: hosts must be", function() grids.grid({ clusters = { {}, { hosts = 0 } } }, 1) end)
refused("a grid: availability must be a number, { low, high } or a distribution, with values from 0 to 1, got a table",
  function() grids.grid({ availability = { 0.5, 1.5 } }, 1) end)
refused("churn of a grid: stay is needed", function() grids.grid({ churn = {} }, 1) end)
refused("an application: tasks must be a whole number >= 0, got 1.5", function() grids.application { tasks = 1.5 } end)
refused("an application: time must be a number >= 0, got -1",
  function() grids.application { time = -1 } end)
refused("an application: time_error must be a number from 0 to 1, got nan", function() grids.application { time_error = 0 / 0 } end)
refused("an application: ratio and bandwidth go together", function() grids.application { ratio = 1 } end)
refused("an application: 8 chunks of 4 tasks", function() grids.application { tasks = 4 } end)
refused("an application: time must be a number, { low, high } or a distribution, with values >= 0, got",
  function() grids.application { time = stream("x", 1) } end)
print "grids ok"
