-- The twin in Lua of a native scheduler, stdlib/heuristics/NAME.lua, decides as it does on random problems: schedule by schedule,
-- ties included. ctest runs this for each file that is there.
-- perigee run tests/twins.lua --set twin=NAME [--set share=1]
local grids = require "grids"
local name = args.twin
local share = setting("share", 0.1)  -- of the problems and runs; all of them take ten times as long
local twin, native = require("heuristics." .. name), _ENV[name]

local rng, compared = stream("twins", 1), 0
local function same(what, mine, other)
  compared = compared + 1
  if mine ~= other then error(("%s: the twin of %s says\n  %s\nand the native one\n  %s"):format(what, name, mine, other), 0) end
end

-- Parameters with which both are asked; none unless said.
local given = ({
  kpb = { {}, { k = 1 }, { k = 100 / 3 }, { k = 50 }, { k = 100 } },
  switching = { {}, { low = 0, high = 0 }, { low = 0.5, high = 0.5 }, { low = 0.2, high = 0.8 }, { low = 1, high = 1 } },
})[name] or { {} }

-- ---- mappers, on problems ----

-- Whole times, so that there are ties: the more the smaller `most` is. A share of the entries cannot run.
local function rows(tasks, machines, most, holes)
  local out = {}
  for t = 1, tasks do
    out[t] = {}
    for m = 1, machines do out[t][m] = rng:bernoulli(holes) and math.huge or rng:integer(1, most) end
  end
  return out
end

local function problem()
  local tasks, machines = rng:integer(1, 30), rng:integer(1, 8)
  local p = { etc = rows(tasks, machines, rng:choice { 2, 5, 1000 }, rng:choice { 0, 0.3, 0.8 }), ready = {} }
  if rng:bernoulli(0.5) then
    p.cores, p.widths, p.now = {}, {}, rng:choice { 0, 7 }
    for m = 1, machines do p.cores[m], p.ready[m] = rng:integer(1, 4), {} end
    for m = 1, machines do
      for c = 1, p.cores[m] do p.ready[m][c] = rng:choice { 0, rng:integer(0, 20) } end
    end
    local flat = {}
    for m = 1, machines do table.sort(p.ready[m]) table.move(p.ready[m], 1, p.cores[m], #flat + 1, flat) end
    p.ready = flat
    for t = 1, tasks do p.widths[t] = rng:integer(1, 4) end
  else
    for m = 1, machines do p.ready[m] = rng:choice { 0, rng:integer(0, 20) } end
  end
  return p
end

local function mapping(p, mapper)
  local answer, parts = map(mapper, cost.problem(p)), {}
  for i, task in ipairs(answer.order) do parts[i] = ("%d on %d until %.17g"):format(task, answer.machine[task], answer.completion[task]) end
  return table.concat(parts, ", ")
end

local function maps_alike()
  for k = 1, math.ceil(2000 * share) do
    local p, with = problem(), given[k % #given + 1]
    same("problem " .. k, mapping(p, twin(with)), mapping(p, native(with)))
  end
  for k = 1, math.ceil(40 * share) do  -- real times, in a simulation, where it maps what waits at each event
    local s = scenario {
      platform = platform { cluster "a" { nodes = 3 }, cluster "b" { nodes = 2, speed = 4, cores = 2 } },
      workload = workload.tasks(60, function(i, own) return { ops = own:lognormal(60, 40), arrival = own:uniform(0, 400) } end),
      events = { outage { host = "a.2", from = 50, to = 150 } },
    }
    local function run(mapper) return s:run { policy = mapped { map = mapper }, seed = k }.fingerprint end
    same("run " .. k, run(twin(given[k % #given + 1])), run(native(given[k % #given + 1])))
  end
end

-- ---- what chooses on the Gantt chart of a grid ----

local function plans_alike()
  for k = 1, math.ceil(100 * share) do
    local p, events = grids.grid({
      clusters = 3, hosts = { 1, 4 }, availability = { 0.3, 1 }, bandwidth = { 10, 40 },
      churn = k % 2 == 0 and { hosts = 0.5, stay = 60, away = 20, till = 200 } or nil,
    }, k)
    local w = grids.application { tasks = 30, chunks = 4, shared = { 50, 400 }, own = { 5, 30 }, output = 10, time = { 5, 40 }, perturbation = 0.2 }
    local s = scenario { platform = p, workload = w, events = events }
    local function run(map) return s:run { policy = planner { map = map, interval = k % 3 == 0 and 15 or nil }, seed = k }.fingerprint end
    same("grid " .. k, run(twin {}), run(native {}))
  end
end

-- ---- policies, on the works of their family ----

local function times_of_hosts(own, hosts)  -- by name; some hosts may not run it
  local times = {}
  for _, host in ipairs(hosts) do if own:bernoulli(0.8) then times[host] = own:integer(1, 30) end end
  times.c = own:integer(1, 30)
  return times
end

local scenes = {}
function scenes.batch(k)
  local p = platform { cluster "a" { nodes = 2, cores = 4 }, cluster "b" { nodes = 2, cores = 2, speed = 2 }, host "c" { cores = 8 } }
  local hosts = p:hosts()
  return scenario {
    platform = p,
    workload = workload.jobs(80, function(i, own)
      local job = { cores = own:integer(1, own:bernoulli(0.1) and 8 or 4), arrival = own:integer(0, 200) }
      if k % 4 == 0 then job.times = times_of_hosts(own, hosts)
      elseif k % 2 == 0 then job.time, job.estimate = own:integer(1, 30), own:integer(1, 30)
      else job.ops = own:lognormal(20, 20) end
      return job
    end),
    events = k % 3 ~= 0 and {
      outage { host = "a.1", from = 30, to = 60 }, outage { cluster = "b", from = 50, to = 90 },
      change { host = "c", at = 100, speed = 0.5 }, failures { host = "a.2", mtbf = 60, mttr = 10 },
    } or nil,
  }
end
function scenes.sweep(k)
  local p = platform { host "x" { cores = 4, setup = 0.5 }, host "y" { cores = 2 }, host "z" { cores = 2, speed = 2 }, host "v" {}, host "w" { speed = 0.5 } }
  return scenario {
    platform = p,
    workload = workload.sweeps(2, function(i, own)
      local sweep = { runs = own:integer(1, 300), trials = own:integer(1, 9), arrival = 20 * i, noise = k % 3 == 0 and 0.3 or 0 }
      if k % 4 == 0 then sweep.times = { x = 3, y = 2, z = 1, w = 4 } else sweep.ops = own:integer(1, 5) end
      return sweep
    end),
    events = k % 2 == 0 and { outage { host = "y", from = 30, to = 60 }, failures { host = "z", mtbf = 40, mttr = 10 },
                              change { host = "x", at = 45, speed = 0.5 } } or nil,
  }
end
function scenes.realtime(k)
  local setup = k % 3 == 0 and 2 or 0
  return scenario {
    platform = platform { cluster "c" { nodes = rng:integer(1, 12), setup = setup,
                                        link = { bandwidth = 1, latency = setup } } },
    workload = workload.random_loads { load = rng:uniform(0.2, 1.5), horizon = 40000, mean_size = 40, bytes = 1, time = 20,
                                       deadline_ratio = rng:uniform(1, 4) },
  }, setup
end

-- The fingerprint has the reason of a rejection too, which is not the same: the native head's plan, or a policy in Lua.
local function chunks_of(r)
  local lines = {}
  for _, job in ipairs(r:jobs()) do lines[#lines + 1] = ("%s %s %s %s %s"):format(job.name, job.state, job.hosts, job.start, job.finish) end
  return table.concat(lines, "\n") .. r:graph()
end

local function runs_alike(family)
  for k = 1, math.ceil(200 * share) do
    local s, setup = scenes[family](k)
    local with = setup and { transmission_setup = setup, computation_setup = setup } or {}
    local function run(policy)
      local r = s:run { policy = policy, seed = k, information = k % 4 == 2 and "declared" or nil, validate = k % 10 == 0 }
      return family == "realtime" and chunks_of(r) or r.fingerprint
    end
    same("run " .. k, run(twin(with)), run(native {}))
    if k % 10 == 0 then                                    -- what it remembers is copied with the run
      local sim = s:start { policy = twin(with), seed = k }
      sim:run_until(60)
      local fork = sim:fork()
      same("fork " .. k, fork:run().full_fingerprint, sim:run().full_fingerprint)
    end
  end
end

local families = {}
for _, family in ipairs { "mapping", "batch", "sweep", "realtime" } do
  for _, each in ipairs(schedulers(family)) do families[each] = family end
end
if families[name] == "mapping" then
  if name ~= "xsufferage" then maps_alike() end           -- it asks for clusters, which only a chart has
  if name == "xsufferage" or name == "min_min" or name == "max_min" then plans_alike() end
else
  runs_alike(families[name])
end
print(("%s: %d schedules alike"):format(name, compared))
