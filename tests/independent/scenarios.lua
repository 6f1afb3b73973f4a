-- Random scenarios for simgrid_replay.cpp beside this file: each is run here, and saved for SimGrid below --out.
--
--   perigee run tests/independent/scenarios.lua --out DIR --set count=100
--
-- Folders hosts/N and links/N have what both models of SimGrid know, the others what ptask_L07 alone knows: jobs over
-- several hosts, bytes that are no whole numbers, transfers of unequal latencies on one link, bandwidths that grow.
local count_of_each = setting("count", 100)  -- runs of each family

local function steps(rng, least, most, until_)
  local times, values, t = { 0 }, { rng:uniform(least, most) }, 0
  for i = 2, rng:integer(2, 6) do
    t = t + rng:exponential(until_ / 5)
    times[i], values[i] = t, rng:uniform(least, most)
  end
  return { times = times, values = values }
end

-- The share of a host that is there: all, a part, steps, or a loop of steps; some stand still for a time.
local function availability(rng)
  local kind = rng:choice { "all", "part", "steps", "loop", "gaps" }
  if kind == "all" then return 1 end
  if kind == "part" then return rng:uniform(0.2, 1) end
  local profile = steps(rng, 0.1, 1, 120)
  if kind == "gaps" then profile.values[rng:integer(2, #profile.values)] = 0; profile.values[#profile.values] = 1 end
  if kind == "loop" then profile.period = profile.times[#profile.times] + rng:exponential(20) end
  return profile
end

-- The power that every second host draws.
local function power(rng)
  local idle = rng:uniform(10, 100)
  local epsilon = idle + rng:uniform(0, 20)
  local drawn = { idle = idle, epsilon = epsilon, busy = epsilon + rng:uniform(0, 100), down = rng:uniform(0, 10) }
  return rng:bernoulli(0.5) and drawn or nil
end

-- Hosts h1, h2, ...; the cores of the widest one, and those of all. `most`: cores of a host.
local function hosts(rng, most)
  local all, widest, total = {}, 0, 0
  local steady = rng:bernoulli(0.4)  -- hosts whose energies SimGrid can be asked for
  for i = 1, rng:integer(2, 6) do
    local cores = rng:integer(1, most)
    widest, total = math.max(widest, cores), total + cores
    all[i] = host("h" .. i) { cores = cores, speed = rng:choice { 1, 2.5, 1e3, rng:uniform(0.5, 4) },
                              availability = steady and 1 or availability(rng), setup = steady and 0 or rng:choice { 0, 0, rng:uniform(0, 5) },
                              power = power(rng) }
  end
  return all, widest, total
end

-- Outages of hosts, announced or not, and changes of their speeds and availabilities.
local function mishaps(rng, names)
  local events = {}
  for i = 1, rng:integer(0, 4) do
    local from = rng:uniform(0, 150)
    events[#events + 1] = outage { host = rng:choice(names), from = from, to = from + rng:uniform(1, 40),
                                   announced = rng:bernoulli(0.6) }
  end
  if #names > 1 and rng:bernoulli(0.1) then
    events[#events + 1] = join { host = names[#names], at = rng:uniform(1, 60) }  -- it is not there before
  end
  for i = 1, rng:integer(0, 3) do
    local change_of = { host = rng:choice(names), at = rng:uniform(0, 150) }
    if rng:bernoulli(0.5) then change_of.factor = rng:uniform(0.3, 2) else change_of.availability = steps(rng, 0.1, 1, 60) end
    events[#events + 1] = change(change_of)
  end
  return events
end

local function names_of(n)
  local all = {}
  for i = 1, n do all[i] = "h" .. i end
  return all
end

local makers = {}

-- Jobs and tasks on one host each, of several cores, by operations, by seconds, or by a time for each host.
function makers.hosts(rng)
  local all, widest = hosts(rng, 6)
  local jobs, arrival = {}, 0
  for i = 1, rng:integer(5, 30) do
    arrival = arrival + rng:choice { 0, rng:exponential(8) }
    local job = { arrival = arrival, cores = rng:integer(1, math.min(widest, 3)) }
    local form = rng:choice { "ops", "time", "times" }
    if form == "ops" then job.ops = rng:uniform(1, 60)
    elseif form == "time" then job.time = rng:uniform(0, 60)
    else
      job.times = {}
      for h = 1, #all do job.times[h] = rng:uniform(1, 60) end
    end
    jobs[i] = job
  end
  local rule = rng:choice { "lost", "resumed" }
  return { platform = platform(all), workload = workload.jobs(jobs), events = mishaps(rng, names_of(#all)),
           on_failure = { compute = rule } }, rng:choice { "fcfs", "sjf", "easy", "workqueue", "mapped" }
end

-- The same with jobs over several hosts.
function makers.jobs(rng)
  local all, _, total = hosts(rng, 4)
  local jobs, arrival = {}, 0
  for i = 1, rng:integer(4, 20) do
    arrival = arrival + rng:choice { 0, rng:exponential(10) }
    local job = { arrival = arrival, ops = rng:uniform(1, 60) }
    local form = rng:choice { "nodes", "nodes", "processes", "moldable", "plain" }
    if form == "nodes" then job.nodes = rng:integer(2, #all)
    elseif form == "processes" then job.processes = rng:integer(2, math.min(total, 5))
    elseif form == "moldable" then
      local ops = job.ops
      job.nodes, job.ops = { 1, 2, #all + 1 }, function(nodes) return 1 + ops / nodes end
    end
    if form ~= "moldable" and rng:bernoulli(0.3) then
      job.ops, job.times = nil, {}
      for h = 1, #all do job.times[h] = rng:uniform(1, 60) end
    end
    if rng:bernoulli(0.15) then job.limit = rng:uniform(5, 60) end
    jobs[i] = job
  end
  return { platform = platform(all), workload = workload.jobs(jobs), events = mishaps(rng, names_of(#all)),
           on_failure = { compute = rng:choice { "lost", "resumed" } } }, rng:choice { "fcfs", "easy", "conservative" }
end

-- Tasks with files: clusters behind links of their own, some of them behind a backbone that all share. A link that is
-- shared by halves is the narrowest of each route, for then both programs share alike: docs/model.md.
local function grid(rng, whole_bytes)
  local parts, names, links = { router "hub" }, {}, {}
  local function latency(most) return rng:choice { 0, rng:uniform(0, most) } end
  local equal = latency(3)
  local function transfers_at(bandwidth)
    if whole_bytes then return bandwidth end  -- in CM02 a transfer does not become faster than it began
    local profile = steps(rng, 0.5 * bandwidth, bandwidth, 100)
    if rng:bernoulli(0.2) then profile.values[1] = 0 end
    return rng:choice { bandwidth, profile }
  end
  local kind = rng:choice { "backbone", "backbone", "gateways" }
  if kind == "backbone" then
    local sharing = rng:choice { "fair", "fair", "exclusive", "unlimited" }
    parts[#parts + 1] = link "backbone" { to = "hub", bandwidth = transfers_at(rng:uniform(5, 20)), latency = latency(2), sharing = sharing }
    links[#links + 1] = "backbone"
  end
  local n = 0
  for c = 1, rng:integer(1, 4) do
    local own = { latency = whole_bytes and equal or latency(3) }
    if kind == "backbone" then
      own.sharing, own.bandwidth = rng:choice { "exclusive", "unlimited", "unlimited" }, rng:uniform(21, 100)
    else
      own.sharing, own.bandwidth = rng:choice { "exclusive", "fair", "unlimited" }, transfers_at(rng:uniform(5, 50))
    end
    parts[#parts + 1] = cluster("c" .. c) { nodes = rng:integer(1, 3), cores = rng:integer(1, 2), speed = rng:uniform(0.5, 2),
                                            availability = availability(rng), link = own,
                                            at = kind == "backbone" and "hub" or "origin" }
    names[#names + 1] = "c" .. c .. ".1"
  end
  local function size() return whole_bytes and rng:integer(0, 300) or rng:uniform(0, 300) end
  local tasks, shared, arrival = {}, {}, 0
  for f = 1, rng:integer(1, 4) do shared[f] = file("shared" .. f, size()) end
  for i = 1, rng:integer(5, 25) do
    arrival = arrival + rng:choice { 0, rng:exponential(5) }
    local task = { arrival = arrival, ops = rng:uniform(1, 40), inputs = { rng:choice(shared) } }
    if rng:bernoulli(0.7) then task.inputs[2] = file("own" .. i, size()) end
    if rng:bernoulli(0.6) then task.output = size() end
    tasks[i] = task
  end
  local events = mishaps(rng, names)
  local failing = rng:choice { "lost", "resumed" }
  if #links > 0 and not whole_bytes and rng:bernoulli(0.3) then
    events[#events + 1] = change { link = "backbone", at = rng:uniform(0, 100), bandwidth = rng:uniform(2, 5) }
  end
  if #links > 0 and not whole_bytes and rng:bernoulli(0.3) then
    events[#events + 1] = change { link = "backbone", at = rng:uniform(0, 100), latency = rng:uniform(0, 3) }
  end
  if rng:bernoulli(0.2) then
    local at = rng:uniform(10, 100)
    events[#events + 1] = leave { host = names[1], at = at }
    events[#events + 1] = join { host = names[1], at = at + rng:uniform(1, 30) }
  end
  if #links > 0 and not whole_bytes then
    for i = 1, rng:integer(0, 2) do
      local from = rng:uniform(0, 100)
      events[#events + 1] = outage { link = rng:choice(links), from = from, to = from + rng:uniform(1, 20) }
    end
  end
  return { platform = platform(parts), workload = workload.tasks(tasks), events = events,
           on_failure = { compute = rng:choice { "lost", "resumed" }, transfer = failing } },
         rng:choice { "workqueue", planner { map = "min_min" }, planner { map = "sufferage" } }
end
function makers.links(rng) return grid(rng, true) end
function makers.grids(rng) return grid(rng, false) end

-- Sweeps dealt out in packages.
function makers.packages(rng)
  local all = hosts(rng, 4)
  local sweep = { runs = rng:integer(15, 60), trials = rng:integer(1, 5), time = rng:uniform(0.5, 5) }
  return { platform = platform(all), workload = workload.sweeps { sweep }, events = mishaps(rng, names_of(#all)),
           on_failure = { compute = rng:choice { "lost", "resumed" } } },
         rng:choice { amra { rounds = 5 }, "ssse_amra", "factoring", "issse_amra", amrs { rounds = 3 } }
end

-- Divisible loads, whose chunks go over one channel.
function makers.loads(rng)
  local loads, arrival, bytes, time = {}, 0, rng:uniform(0.2, 2), rng:uniform(1, 10)
  for i = 1, rng:integer(2, 10) do
    arrival = arrival + rng:exponential(30)
    loads[i] = { arrival = arrival, size = rng:uniform(1, 20), bytes = bytes, time = time,
                 deadline = arrival + rng:uniform(50, 300) }
  end
  return { platform = platform { cluster "c" { nodes = rng:integer(2, 8), link = { bandwidth = rng:uniform(0.5, 2) } } },
           workload = workload.loads(loads) }, rng:choice { "edf", "fifo", "edf_iit_2" }
end

for _, family in ipairs { "hosts", "links", "jobs", "grids", "packages", "loads" } do
  local saved, refused = 0, 0
  for i = 1, count_of_each do
    local declared, policy = makers[family](stream(family, i))
    local r = scenario(declared):run { policy = policy, seed = i }
    local well, message = pcall(r.save, r, family .. "/" .. i, { "simgrid", only = { "metrics" } })
    if well then
      saved = saved + 1
    else  -- the one thing here that SimGrid cannot be told
      assert(tostring(message):find("a latency stands still", 1, true), message)
      refused = refused + 1
    end
  end
  print(family, ("%d runs saved, %d left out because a latency stood still"):format(saved, refused))
end
