-- Spaces of cases for duels, one for each family of scenarios, and what ought to make a scenario better.
-- Sources: Coleman, Krishnamachari 2025 (spaces.pisa); Graham, SIAM J. Applied Mathematics 17(2), 1969 (spaces.improve).
local spaces = {}

local fields = require "fields"
local number, whole, one_of = fields.number, fields.whole, fields.one_of

-- A range { low, high }, or a number that is both. Errors are those of `level`, as error() counts: behind a space's function by default.
local function range(what, value, least, level)
  local low, high = value, value
  if type(value) == "table" then low, high = value[1], value[2] end
  if type(low) ~= "number" or type(high) ~= "number" or low > high or low < (least or -math.huge) or high >= math.huge then
    error(("%s must be a number or { low, high }%s, got %s"):format(what, least and (" from %g on"):format(least) or "", fields.text(value)), level or 4)
  end
  return low, high
end

-- The fields of `given`, of which those that `known` says nothing of are ranges from `least` on.
local function check(what, given, known, defaults)
  for name, value in pairs(defaults) do
    if not known[name] then known[name] = fields.any() end
  end
  return fields.check(what, given or {}, known, defaults)  -- a tail call, so that errors are those of the script
end

local function whole_range(what, value, least)
  local low, high = range(what, value, least, 5)
  if math.tointeger(low) == nil or math.tointeger(high) == nil then
    error(("%s must be whole, got %s"):format(what, low == high and fields.text(low) or ("{ %g, %g }"):format(low, high)), 4)
  end
  return { math.tointeger(low), math.tointeger(high) }
end
local function real(what, value, least)
  local low, high = range(what, value, least)
  return vary.real { low, high }
end
local function count(what, value, least)
  local bounds = whole_range(what, value, least or 0)
  return vary.whole(bounds)
end
local function sizes(what, value, least)
  local bounds = whole_range(what, value, least or 1)
  return bounds
end

local most_of = { hi = { 3000, 1000 }, lo = { 100, 10 } }

-- Matrices of expected times, for mappers: `tasks` ({ 3, 6 }) on `machines` (3), times from { low, high } = `times` ({ 0.1, 1 }), whole
-- numbers with `whole = true`. With a `class`, "hihi" to "lolo", as etc.range_based draws them: a task's factor up to 3000 (hi) or 100,
-- times a factor of the machine up to 1000 or 10.
function spaces.etc(given)
  local g = check("spaces.etc", given, { class = one_of("hihi", "hilo", "lohi", "lolo"), whole = fields.any() },
                  { tasks = { 3, 6 }, machines = 3, times = { 0.1, 1 } })
  local shape = { rows = sizes("tasks", g.tasks), columns = sizes("machines", g.machines) }
  if g.class then
    local of_tasks, of_machines = most_of[g.class:sub(1, 2)][1], most_of[g.class:sub(3, 4)][2]
    return space(("matrices of class %s"):format(g.class)) {
      factors = vary.matrix { rows = shape.rows, columns = shape.columns, of = vary.real { 1, of_machines } },
      sizes = vary.list { n = function(x) return #x.factors end, of = vary.real { 1, of_tasks } },
      problem = function(x)
        local times = {}
        for t, row in ipairs(x.factors) do
          times[t] = {}
          for m, factor in ipairs(row) do times[t][m] = x.sizes[t] * factor end
        end
        return etc(times)
      end,
    }
  end
  return space "matrices" {
    times = vary.matrix {
      rows = shape.rows, columns = shape.columns, of = g.whole and count("times", g.times) or real("times", g.times, 0),
    },
    problem = function(x) return etc(x.times) end,
  }
end

-- Tasks of `sizes` ({ 0.1, 1 }) on `machines` (3) that are alike, for mappers: `tasks` ({ 3, 7 }) of them.
function spaces.identical(given)
  local g = check("spaces.identical", given, { machines = whole(1), whole = fields.any() },
                  { machines = 3, tasks = { 3, 7 }, sizes = { 0.1, 1 } })
  local machines = g.machines
  return space "machines that are alike" {
    sizes = vary.list { n = sizes("tasks", g.tasks),
                        of = g.whole and count("sizes", g.sizes) or real("sizes", g.sizes, 0) },
    problem = function(x)
      local times = {}
      for t, size in ipairs(x.sizes) do
        times[t] = {}
        for m = 1, machines do times[t][m] = size end
      end
      return etc(times)
    end,
  }
end

-- The same on `machines` (2) of speeds 1 and more, the others' from `speeds` ({ 1, 3 }).
function spaces.related(given)
  local g = check("spaces.related", given, { machines = whole(1) },
                  { machines = 2, tasks = { 2, 4 }, sizes = { 0.1, 1 }, speeds = { 1, 3 } })
  return space "related machines" {
    sizes = vary.list { n = sizes("tasks", g.tasks), of = real("sizes", g.sizes, 0) },
    speeds = vary.list { n = g.machines - 1, of = real("speeds", g.speeds, 0) },
    problem = function(x)
      local times = {}
      for t, size in ipairs(x.sizes) do
        times[t] = { size }
        for m, speed in ipairs(x.speeds) do times[t][m + 1] = size / speed end
      end
      return etc(times)
    end,
  }
end

-- Grids whose clusters are fed through links of their own: `clusters` ({ 1, 3 }) of up to `hosts` ({ 1, 3 }) hosts, `tasks` ({ 3, 8 })
-- of `time` ({ 10, 100 } s), each of which reads one of up to `files` ({ 1, 3 }) shared files of `size` ({ 1e5, 1e7 } B) through links
-- of `bandwidth` ({ 1e4, 1e6 } B/s). For policies such as planner.
function spaces.grid(given)
  local g = check("spaces.grid", given, {},
                  { clusters = { 1, 3 }, hosts = { 1, 3 }, tasks = { 3, 8 }, time = { 10, 100 }, files = { 1, 3 }, size = { 1e5, 1e7 },
                    bandwidth = { 1e4, 1e6 } })
  return space "grids" {
    clusters = vary.list { n = sizes("clusters", g.clusters),
                           of = { hosts = count("hosts", g.hosts, 1), bandwidth = real("bandwidth", g.bandwidth, 1) } },
    files = vary.list { n = sizes("files", g.files), of = real("size", g.size, 0) },
    tasks = vary.list { n = sizes("tasks", g.tasks), of = { time = real("time", g.time, 0), reads = vary.real { 0, 1 } } },
    scenario = function(x)
      local parts, tasks = {}, {}
      for c, each in ipairs(x.clusters) do
        parts[c] = cluster("c" .. c) { nodes = each.hosts, link = { bandwidth = each.bandwidth } }
      end
      for t, task in ipairs(x.tasks) do
        local f = math.min(1 + math.floor(task.reads * #x.files), #x.files)
        tasks[t] = { time = task.time, inputs = { file("shared" .. f, x.files[f]) } }
      end
      return scenario { platform = platform(parts), workload = workload.tasks(tasks) }
    end,
  }
end

-- A day of a batch system: `jobs` ({ 3, 8 }) of up to `cores` (4) cores and `time` ({ 1, 100 } s) on `nodes` ({ 1, 2 }) of as many cores,
-- with `gap` ({ 0, 20 } s) between arrivals and requests that are `overestimate` ({ 1, 1 }) times too long; `failures` (0) outages of
-- up to `down` ({ 10, 50 } s), `windows` (0) of maintenance that are known beforehand, each of one of the most nodes there may be: those of a
-- node that is not there are left out. Duels on wrong requests need information = "declared".
function spaces.batch_day(given)
  local g = check("spaces.batch_day", given, { cores = whole(1) },
                  { nodes = { 1, 2 }, cores = 4, jobs = { 3, 8 }, time = { 1, 100 }, gap = { 0, 20 }, overestimate = { 1, 1 },
                    failures = 0, windows = 0, down = { 10, 50 } })
  local cores = g.cores
  local away = { host = vary.whole { 1, sizes("nodes", g.nodes)[2] }, from = vary.real { 0, 200 }, for_ = real("down", g.down, 0.001) }
  return space "days of a batch system" {
    nodes = count("nodes", g.nodes, 1),
    jobs = vary.list { n = sizes("jobs", g.jobs),
                       of = { time = real("time", g.time, 0), cores = vary.whole { 1, cores }, gap = real("gap", g.gap, 0),
                              over = real("overestimate", g.overestimate, 0) } },
    failures = vary.list { n = sizes("failures", g.failures, 0), of = away },
    windows = vary.list { n = sizes("windows", g.windows, 0), of = away },
    scenario = function(x)
      local clock, jobs, events = 0, {}, {}
      for i, job in ipairs(x.jobs) do
        clock = clock + job.gap
        jobs[i] = { arrival = clock, time = job.time, cores = job.cores, estimate = job.time * job.over }
      end
      for _, kind in ipairs { { outage, x.failures }, { maintenance, x.windows } } do
        for _, each in ipairs(kind[2]) do
          if each.host <= x.nodes then
            events[#events + 1] = kind[1] { host = ("n.%d"):format(each.host), from = each.from, to = each.from + each.for_ }
          end
        end
      end
      return scenario { platform = platform { cluster "n" { nodes = x.nodes, cores = cores } }, workload = workload.jobs(jobs), events = events }
    end,
  }
end

-- A parameter sweep of `runs` ({ 10, 60 }) on `hosts` ({ 2, 4 }) of up to `cores` (4) cores that take `time` ({ 0.5, 4 } s) for a run,
-- and of which others leave a share of `availability` ({ 0.3, 1 }) that changes once.
function spaces.sweep(given)
  local g = check("spaces.sweep", given, { cores = whole(1) },
                  { runs = { 10, 60 }, hosts = { 2, 4 }, cores = 4, time = { 0.5, 4 }, availability = { 0.3, 1 } })
  return space "sweeps on loaded nodes" {
    runs = count("runs", g.runs, 1),
    hosts = vary.list { n = sizes("hosts", g.hosts),
                        of = { cores = vary.whole { 1, g.cores }, time = real("time", g.time, 1e-6),
                               before = real("availability", g.availability, 0.001), after = real("availability", g.availability, 0.001),
                               at = vary.real { 1, 60 } } },
    scenario = function(x)
      local parts, times = {}, {}
      for i, each in ipairs(x.hosts) do
        local name = "h" .. i
        parts[i] = host(name) { cores = each.cores, availability = { { 0, each.before }, { each.at, each.after } } }
        times[name] = each.time
      end
      return scenario { platform = platform(parts), workload = workload.sweep { runs = x.runs, trials = 1, times = times } }
    end,
  }
end

-- Divisible loads with deadlines: `loads` ({ 3, 8 }) of `size` ({ 1, 20 } units, 1 s each on the channel, `time` (5) s each on a node of
-- `nodes` ({ 2, 6 })), `gap` ({ 0, 20 } s) apart, with a deadline after `slack` ({ 1, 5 }) times what they take on all nodes, at least.
function spaces.loads(given)
  local g = check("spaces.loads", given, { time = number(0) },
                  { nodes = { 2, 6 }, loads = { 3, 8 }, size = { 1, 20 }, gap = { 0, 20 }, slack = { 1, 5 }, time = 5 })
  local time = g.time
  return space "loads with deadlines" {
    nodes = count("nodes", g.nodes, 1),
    loads = vary.list { n = sizes("loads", g.loads),
                        of = { size = real("size", g.size, 1e-6), gap = real("gap", g.gap, 0), slack = real("slack", g.slack, 0.001) } },
    scenario = function(x)
      local clock, loads = 0, {}
      local costs = cost.divisible { transmission = 1, computation = time }
      for i, each in ipairs(x.loads) do
        clock = clock + each.gap
        loads[i] = { arrival = clock, size = each.size, bytes = 1, time = time, deadline = clock + each.slack * costs:time(each.size, x.nodes) }
      end
      return scenario {
        platform = platform { cluster "c" { nodes = x.nodes, link = { bandwidth = 1, sharing = "exclusive" } } },
        workload = workload.loads(loads),
      }
    end,
  }
end

-- Graphs as the search PISA has them, for graph schedulers: `tasks` ({ 3, 5 }) on `nodes` ({ 3, 5 }), costs, data, speeds and bandwidths in
-- `weights` ({ 0.1, 1 }), which move by 0.1 at most. With `equal_nodes` or `equal_links` those are 1. With numbers for `tasks` and `nodes`
-- the search "pisa" makes exactly the six moves of the publication: it never changes the sizes of a graph. Edges lead from lower to higher
-- numbers, and a search begins with a random graph, each edge with equal chance; the publication begins with a chain.
function spaces.pisa(given)
  local g = check("spaces.pisa", given, { equal_nodes = fields.any(), equal_links = fields.any() },
                  { tasks = { 3, 5 }, nodes = { 3, 5 }, weights = { 0.1, 1 } })
  local low, high = range("weights", g.weights, 1e-6)
  local weight = vary.real { low, high, step = low < high and math.min(0.1 / (high - low), 1) or 0.1 }
  local one = vary.real { 1, 1 }
  local function tasks(x) return x.tasks end
  local function nodes(x) return x.nodes end
  return space "graphs of PISA" {
    tasks = count("tasks", g.tasks, 1),
    nodes = count("nodes", g.nodes, 1),
    costs = vary.list { n = tasks, of = weight },
    edges = vary.dag { n = tasks, edge = weight },
    links = vary.list { n = function(x) return x.nodes * (x.nodes - 1) // 2 end, of = g.equal_links and one or weight },
    speeds = vary.list { n = nodes, of = g.equal_nodes and one or weight },
    problem = function(x)
      local times = {}
      for t, cost_of in ipairs(x.costs) do
        times[t] = {}
        for m, speed in ipairs(x.speeds) do times[t][m] = cost_of / speed end
      end
      local bandwidth, n = {}, 0
      for i = 1, x.nodes do bandwidth[i] = {} end
      for i = 1, x.nodes do
        bandwidth[i][i] = 1  -- nothing is sent there
        for j = i + 1, x.nodes do
          n = n + 1
          bandwidth[i][j], bandwidth[j][i] = x.links[n], x.links[n]
        end
      end
      return cost.graph { times = times, edges = x.edges, bandwidth = bandwidth }
    end,
  }
end

-- Workflows whose tasks pass files from cluster to cluster, one node each: `tasks` ({ 3, 6 }) of `time` ({ 1, 10 } s on a node of speed 1),
-- `bytes` ({ 0, 10 }) on the edges, `nodes` ({ 2, 3 }) of `speeds` ({ 0.5, 2 }) behind links of `bandwidth` ({ 0.5, 5 } B/s). For
-- policies such as scheduled "heft".
function spaces.workflow(given)
  local g = check("spaces.workflow", given, {},
                  { tasks = { 3, 6 }, time = { 1, 10 }, bytes = { 0, 10 }, nodes = { 2, 3 }, speeds = { 0.5, 2 }, bandwidth = { 0.5, 5 } })
  return space "workflows" {
    times = vary.list { n = sizes("tasks", g.tasks), of = real("time", g.time, 1e-6) },
    edges = vary.dag { n = function(x) return #x.times end, edge = real("bytes", g.bytes, 0) },
    nodes = vary.list { n = sizes("nodes", g.nodes), of = { speed = real("speeds", g.speeds, 1e-6), bandwidth = real("bandwidth", g.bandwidth, 1e-6) } },
    scenario = function(x)
      local parts, tasks = {}, {}
      for i, each in ipairs(x.nodes) do
        parts[i] = cluster("c" .. i) { nodes = 1, speed = each.speed, link = { bandwidth = each.bandwidth } }
      end
      for t, time in ipairs(x.times) do tasks[t] = { name = "t" .. t, ops = time, inputs = {}, outputs = {} } end
      for _, edge in ipairs(x.edges) do
        local name = ("f%d_%d"):format(edge[1], edge[2])
        table.insert(tasks[edge[1]].outputs, file(name, edge[3]))
        table.insert(tasks[edge[2]].inputs, name)
      end
      return scenario { platform = platform(parts), workload = workload.workflow { tasks = tasks } }
    end,
  }
end

-- Tasks without data that wait for each other on hosts that are alike: `tasks` ({ 4, 9 }) of whole `time` ({ 1, 9 } s), `hosts` ({ 2, 4 }),
-- `edges` ({ 0, 8 }) between tasks, of which those are none that have one task, or one that is not there, at both ends. Graham's model, for
-- policies such as workqueue and for anomalies.
function spaces.precedence(given)
  local g = check("spaces.precedence", given, {}, { tasks = { 4, 9 }, time = { 1, 9 }, hosts = { 2, 4 }, edges = { 0, 8 } })
  local tasks_of = sizes("tasks", g.tasks)
  local task = vary.whole { 1, math.max(tasks_of[2], 1) }
  return space "tasks that wait for each other" {
    times = vary.list { n = tasks_of, of = count("time", g.time, 1) },
    edges = vary.list { n = sizes("edges", g.edges, 0), of = { one = task, other = task } },
    hosts = count("hosts", g.hosts, 1),
    scenario = function(x)
      local tasks = {}
      for t, time in ipairs(x.times) do tasks[t] = { name = "t" .. t, time = time, after = {} } end
      for _, edge in ipairs(x.edges) do
        local from, to = math.min(edge.one, edge.other), math.max(edge.one, edge.other)
        if from < to and tasks[to] then table.insert(tasks[to].after, "t" .. from) end
      end
      return scenario { platform = platform { cluster "c" { nodes = x.hosts } }, workload = workload.tasks(tasks) }
    end,
  }
end

-- Functions of a case which make it one that ought to be better: more_hosts (one more, as the last one, which never fails), shorter (whole times less 1, others
-- less a tenth), fewer_edges (without the first edge), no_failure (without the first outage), better_estimates (exact ones), faster_link
-- (twice as fast). Each returns the case, or nil where there is nothing to make better.
spaces.improve = {}

-- The hosts, nodes or clusters that the case lists.
local function listed(x)
  for _, name in ipairs { "nodes", "hosts", "clusters" } do
    if type(x[name]) == "table" and #x[name] > 0 then return x[name] end
  end
end

function spaces.improve.more_hosts(x)
  if x.links or x.loads then return nil end  -- links would be missing; deadlines are made for the nodes there are
  for _, name in ipairs { "hosts", "nodes" } do
    if math.type(x[name]) == "integer" then
      for _, away in ipairs { x.failures or {}, x.windows or {} } do  -- the new one has none
        for i = #away, 1, -1 do
          if away[i].host > x[name] then table.remove(away, i) end
        end
      end
      x[name] = x[name] + 1
      return x
    end
  end
  local list = listed(x)
  if not list then return nil end
  local last, copy = list[#list], {}
  if last.hosts then  -- a cluster
    last.hosts = last.hosts + 1
    return x
  end
  for name, value in pairs(last) do copy[name] = value end
  list[#list + 1] = copy
  return x
end

local function less(time)
  if type(time) == "table" then  -- a row of a matrix
    for i, each in ipairs(time) do time[i] = less(each) end
    return time
  end
  return math.type(time) == "integer" and math.max(time - 1, 0) or time * 0.9
end

function spaces.improve.shorter(x)
  local times = x.times or x.sizes or x.costs
  if times then
    less(times)
    return x
  end
  local list = x.jobs or x.tasks or listed(x)
  if type(list) ~= "table" or #list == 0 or not list[1].time then return nil end
  for _, each in ipairs(list) do each.time = less(each.time) end
  return x
end

function spaces.improve.fewer_edges(x)
  if not x.edges or #x.edges == 0 then return nil end
  table.remove(x.edges, 1)
  return x
end

function spaces.improve.no_failure(x)
  if not x.failures or #x.failures == 0 then return nil end
  table.remove(x.failures, 1)
  return x
end

function spaces.improve.better_estimates(x)
  if not x.jobs then return nil end
  for _, job in ipairs(x.jobs) do job.over = 1 end
  return x
end

function spaces.improve.faster_link(x)
  if x.links then
    for i, bandwidth in ipairs(x.links) do x.links[i] = bandwidth * 2 end
    return x
  end
  local list = listed(x)
  if not list or not list[1].bandwidth then return nil end
  for _, each in ipairs(list) do each.bandwidth = each.bandwidth * 2 end
  return x
end

-- A side of a duel: `policy` on the case after the improvement, a name of spaces.improve or a function of the case, which returns it, or nil where nothing can be improved. The duel of it with
-- the policy itself looks for an anomaly: a ratio above 1. `options` are those of s:run.
function spaces.improved(s, policy, improvement, options)
  local improve = improvement
  if type(improvement) == "string" then
    improve = rawget(spaces.improve, improvement)
    if not improve then
      local names = {}
      for name in pairs(spaces.improve) do names[#names + 1] = name end
      table.sort(names)
      error(("there is no improvement '%s'; there are %s"):format(improvement, table.concat(names, ", ")), 2)
    end
  end
  local run = {}
  for name, value in pairs(options or {}) do run[name] = value end
  run.policy = policy
  local function copy(value)
    if type(value) ~= "table" then return value end
    local own = {}
    for name, part in pairs(value) do own[name] = copy(part) end
    return own
  end
  return function(x, seed)
    local better = improve(copy(x))
    if not better then return nil end
    local own = {}
    for name, value in pairs(run) do own[name] = value end
    own.seed = seed
    return s:at(better, seed):run(own)
  end
end

return spaces
