-- Grids of clusters and applications of tasks that share files, drawn at random.
-- Source: Berman et al., LIP RR 1999-46, sections 3, 4 and 8.
local grids = {}

local fields = require "fields"
local number, whole, drawn = fields.number, fields.whole, fields.drawn

local function mean(value)
  if type(value) == "number" then return value end
  return type(value) == "table" and (value[1] + value[2]) / 2 or value:mean()
end

-- A draw from a distribution is kept within the bounds of `kind`.
local function draw(value, rng, kind)
  if type(value) == "number" then return value end
  if type(value) == "table" then return rng:uniform(value[1], value[2]) end
  return math.min(math.max(value:draw(rng), kind[2]), kind[3])
end

local size, error_of = drawn(0), number(0, 1)
local application = {
  tasks = whole(0), chunks = whole(1), inputs = whole(0), shared = size, own = size, output = size, time = drawn(0),
  perturbation = number(0, 1), ratio = number(0), bandwidth = number(0), time_error = error_of, size_error = error_of,
  declared_output = number(0),
}

-- The mean run time of a task over the time that its files take, alone on a link.
local function ratio_of(a, bandwidth)
  return mean(a.time) / ((mean(a.shared) + a.inputs * mean(a.own) + mean(a.output)) / bandwidth)
end

-- A workload of `tasks` (400) in `chunks` (8) of consecutive tasks. Each task reads the `shared` file of its chunk and `inputs` (2)
-- files of its `own`. It computes for a `time` and has an `output`, none where that is 0. Sizes are in bytes, times in seconds on a
-- dedicated host. A share `perturbation` (0) of the tasks reads the file of another chunk. With `ratio`, times are stretched so that
-- their mean is `ratio` times that which the files of a task take at `bandwidth`. Declared are times and sizes times 1 + `time_error`
-- u and 1 + `size_error` u, u uniform in [-1, 1), and `declared_output` of every output where it is given.
-- Each seed of a run has its application, whatever the policy; what is drawn for one field does not depend on the others.
function grids.application(given)
  local a = fields.check("an application", given or {}, application,
                         { tasks = 400, chunks = 8, inputs = 2, shared = 1.2e6, own = { 8e3, 12e3 }, output = { 8e3, 12e3 },
                           time = { 90, 110 }, perturbation = 0, time_error = 0, size_error = 0 })
  if (a.ratio == nil) ~= (a.bandwidth == nil) then error("an application: ratio and bandwidth go together", 2) end
  if a.chunks > a.tasks and a.tasks > 0 then
    error(("an application: %d chunks of %d tasks"):format(a.chunks, a.tasks), 2)
  end
  local stretch = 1
  if a.ratio then
    stretch = a.ratio / ratio_of(a, a.bandwidth)
    if not (stretch < math.huge) then error("an application: a ratio needs times above 0 and files", 2) end
  end
  return workload.tasks(a.tasks, function(i, rng)
    -- A stream for each field of a task, and for each shared file: 0 to chunks - 1 are files.
    local of = rng:sub(a.chunks + i)
    local function error_at(k, share) return 1 + share * of:sub(k):uniform(-1, 1) end
    local function sized(name, bytes, k, declared)
      return file(name, bytes, declared or bytes * error_at(k, a.size_error))
    end
    local chunk = (i - 1) * a.chunks // a.tasks
    local other = of:sub(1)
    if other:uniform() < a.perturbation and a.chunks > 1 then chunk = (chunk + other:integer(1, a.chunks - 1)) % a.chunks end
    local file_rng = rng:sub(chunk)
    local bytes = draw(a.shared, file_rng, size)
    local inputs = { file("shared" .. chunk + 1, bytes, bytes * (1 + a.size_error * file_rng:sub(1):uniform(-1, 1))) }
    for k = 1, a.inputs do
      inputs[k + 1] = sized(("in%d.%d"):format(i, k), draw(a.own, of:sub(2 + 2 * k), size), 3 + 2 * k)
    end
    local time = stretch * draw(a.time, of:sub(2), application.time)
    return {
      time = time, estimate = time * error_at(3, a.time_error), inputs = inputs,
      output = a.output ~= 0 and sized("out" .. i, draw(a.output, of:sub(4 + 2 * a.inputs), size), 5 + 2 * a.inputs, a.declared_output)
        or nil,
    }
  end)
end

local cluster_fields = {
  name = {}, hosts = drawn(1), availability = drawn(0, 1), bandwidth = drawn(0), latency = drawn(0), jitter = number(0, 1),
  link_jitter = number(0, 1), jittery = number(0, 1), persistence = number(0, 1),
}
local grid = { clusters = {}, churn = {}, period = number(0), samples = whole(1) }
for name, kind in pairs(cluster_fields) do grid[name] = name ~= "name" and kind or nil end
local churn_fields = {
  hosts = number(0, 1), clusters = number(0, 1), stay = number(0), away = number(0), till = number(0),
}

-- Every k-th of a share: as many of the first n, spread evenly.
local function chosen(n, share) return math.floor(n * share + 1e-9) > math.floor((n - 1) * share + 1e-9) end

-- A profile whose samples stay with probability `persistence`, or are drawn anew within `jitter` around the level.
local function series(level, jitter, g, rng, most)
  if jitter == 0 then return level end
  local values, value = {}, nil
  for k = 1, g.samples do
    local fresh, u = rng:uniform(), rng:uniform(-1, 1)
    if k == 1 or fresh >= g.persistence then value = math.min(level * (1 + jitter * u), most) end
    values[k] = value
  end
  return { values = values, every = g.period }
end

-- Goes and comes at random until `till`, when all is there: stays and absences are exponential, and it is there at the start as
-- often as later.
local function alternate(events, rng, churn, kind, name)
  local there = rng:bernoulli(churn.stay / (churn.stay + churn.away))
  local time = 0
  while true do
    time = time + rng:exponential(there and churn.stay or churn.away)
    if time >= churn.till then break end
    events[#events + 1] = (there and leave or join) { [kind] = name, at = time }
    there = not there
  end
  if not there then events[#events + 1] = join { [kind] = name, at = churn.till } end
end

-- A platform of `clusters` (3), and the list of events of hosts that come and go. `clusters` is a number, or a list of tables whose
-- fields come before the common ones. A cluster has `hosts` (8), each with an `availability` (1). Its link has a `bandwidth` (10 KB/s)
-- and a `latency` (0). `jitter` (0) is that of the availability of a share `jittery` (1) of the hosts, `link_jitter` (0) that of the
-- bandwidth of links. Each `period` (5 s) the value stays with probability `persistence` (0.9), or is drawn anew. It is drawn from
-- level (1 - jitter) to level (1 + jitter); an availability is at most 1. `samples` (500) are drawn, then they repeat.
-- `churn = { hosts = 1, clusters = 0, stay =, away =, till = }` names shares of hosts and clusters, spread evenly. They go after
-- `stay` s and come back after `away` s on average, until `till`, when all are there. The same seed has the same hosts whatever jitter
-- and churn are.
function grids.grid(given, seed)
  local g = fields.check("a grid", given or {}, grid,
                         { clusters = 3, hosts = 8, availability = 1, bandwidth = 10e3, latency = 0, jitter = 0, link_jitter = 0,
                           jittery = 1, persistence = 0.9, period = 5, samples = 500 })
  if math.type(seed) ~= "integer" then error("a grid: a seed is needed, a whole number", 2) end
  if g.period == 0 then error("a grid: period must be > 0, got 0", 2) end
  local churn
  if g.churn then
    churn = fields.check("churn of a grid", g.churn, churn_fields, { hosts = 1, clusters = 0 })
    for _, name in ipairs { "stay", "away", "till" } do
      if not churn[name] or churn[name] == 0 then error(("churn of a grid: %s is needed, in s"):format(name), 2) end
    end
  end
  local clusters = g.clusters
  if type(clusters) == "number" then
    if math.tointeger(clusters) == nil or clusters < 1 then
      error(("a grid: clusters must be a whole number >= 1 or a list, got %s"):format(clusters), 2)
    end
    clusters = {}
    for c = 1, g.clusters do clusters[c] = {} end
  elseif type(clusters) ~= "table" or #clusters == 0 then
    error(("a grid: clusters must be a whole number >= 1 or a list, got %s"):format(fields.text(clusters)), 2)
  end
  local common = {}
  for name in pairs(cluster_fields) do common[name] = g[name] end

  local rng, parts, events, hosts_before = stream("grid", seed), {}, {}, 0
  for c, its in ipairs(clusters) do
    local k = fields.check("cluster " .. c .. " of a grid", its, cluster_fields, common)
    local name = k.name or "c" .. c
    local of = rng:sub(c)
    local link = of:sub(0)
    local bandwidth, latency = draw(k.bandwidth, link, cluster_fields.bandwidth), draw(k.latency, link, cluster_fields.latency)
    local count = math.floor(draw(type(k.hosts) == "table" and { k.hosts[1], k.hosts[2] + 1 } or k.hosts, link, cluster_fields.hosts))
    local behaviour = { samples = g.samples, period = g.period, persistence = k.persistence }
    local goes = churn and chosen(c, churn.clusters)
    local list = { link = { bandwidth = series(bandwidth, k.link_jitter, behaviour, link:sub(1), math.huge), latency = latency } }
    for h = 1, count do
      local one, ordinal = of:sub(h), hosts_before + h
      local level = draw(k.availability, one, cluster_fields.availability)
      local jitter = chosen(ordinal, k.jittery) and k.jitter or 0
      list[h] = host(("%s.%d"):format(name, h)) { availability = series(level, jitter, behaviour, one:sub(1), 1) }
      if churn and not goes and chosen(ordinal, churn.hosts) then
        alternate(events, one:sub(2), churn, "host", ("%s.%d"):format(name, h))
      end
    end
    if goes then alternate(events, of:sub(count + 1), churn, "cluster", name) end
    hosts_before = hosts_before + count
    parts[c] = cluster(name)(list)
  end
  return platform(parts), events
end

return grids
