-- The algorithms of the IRMaSim thesis as it prints them, in plain Lua: what those of perigee are compared with.
-- takes: nothing, the other scripts here use it
-- test: no

local printed = {}

-- A node is { cores =, speed = }, a job { cores =, ops =, arrival = }. `free` has for each node when each of its cores is free.
function printed.idle(nodes)
  local free = {}
  for k, node in ipairs(nodes) do
    free[k] = {}
    for c = 1, node.cores do free[k][c] = 0 end
  end
  return free
end
function printed.copy(free)
  local to = {}
  for k, cores in ipairs(free) do to[k] = table.move(cores, 1, #cores, 1, {}) end
  return to
end
-- mat of a node: the maximum over its cores.
function printed.mat(cores)
  local latest = cores[1]
  for c = 2, #cores do latest = math.max(latest, cores[c]) end
  return latest
end
-- ct(J, N): the maximum over the nodes.
function printed.completion(free)
  local latest = 0
  for _, cores in ipairs(free) do latest = math.max(latest, printed.mat(cores)) end
  return latest
end

-- Takes those cores of a node that are free first (section 4.2). Returns start and end of the job.
local function take(cores, job, takes, now)
  if #cores > 1 then table.sort(cores) end
  local start = math.max(now, cores[job.cores])
  for c = 1, job.cores do cores[c] = start + takes end
  return start, start + takes
end
printed.take = take

-- The loop of Algorithms 1 and 2 over jobs in a given order. A job that fits no node is passed over. Returns for each job its node, start and end, or
-- false, and how many completion times were computed; `free` is changed.
function printed.pass(jobs, nodes, free, now)
  local placed, computed = {}, 0
  for i, job in ipairs(jobs) do
    local least, node = math.huge, nil
    for k, each in ipairs(nodes) do
      if job.cores <= each.cores then
        local cores = table.move(free[k], 1, #free[k], 1, {})
        take(cores, job, job.ops / each.speed, now)
        local ct = printed.mat(cores)
        computed = computed + 1
        if ct < least then least, node = ct, k end
      end
    end
    placed[i] = false
    if node then
      local start, finish = take(free[node], job, job.ops / nodes[node].speed, now)
      placed[i] = { node = node, start = start, finish = finish }
    end
  end
  return placed, computed
end

-- Jobs by requested time, the shortest or the longest first; equal ones as they come, or as an ascending list read backwards has them.
function printed.order(jobs, longest, backwards)
  local list = table.move(jobs, 1, #jobs, 1, {})
  if backwards then
    table.sort(list, function(a, b) return a.ops < b.ops end)
    local reversed = {}
    for i = #list, 1, -1 do reversed[#reversed + 1] = list[i] end
    return reversed
  end
  table.sort(list, function(a, b) if longest then return a.ops > b.ops end return a.ops < b.ops end)
  return list
end

-- The planners of a group: they return { [job] = placement }, and change `free`.
local function of_pass(longest)
  return function(group, nodes, free, now)
    local order = printed.order(group, longest)
    local placed, by_job = printed.pass(order, nodes, free, now), {}
    for i, job in ipairs(order) do by_job[job.number] = placed[i] end
    return by_job
  end
end
printed.min_min, printed.max_min = of_pass(false), of_pass(true)
-- Algorithm 3.
function printed.duplex(group, nodes, free, now)
  local other = printed.copy(free)
  local by_min, by_max = printed.min_min(group, nodes, free, now), printed.max_min(group, nodes, other, now)
  if printed.completion(free) <= printed.completion(other) then return by_min, 0 end
  for k in ipairs(free) do free[k] = other[k] end
  return by_max, 1
end

-- Algorithm 4 without its counter: the tree of a group, from the core times `root`. `options.limit` bounds the active leaves, `options.nodewise`
-- computes the
-- completions in h1 by mat + ETC in place of core by core. Returns the last vertex and all in the order of growth.
-- Ties, which the thesis leaves open: the leaf continued is the deepest, then the oldest of those with the least f; the one dropped the least deep,
-- then the
-- oldest of those with the largest.
function printed.tree(jobs, nodes, root, options)
  options = options or {}
  local smet = { [#jobs + 1] = 0 }
  for i = #jobs, 1, -1 do
    local least = math.huge
    for _, node in ipairs(nodes) do
      if jobs[i].cores <= node.cores then least = math.min(least, jobs[i].ops / node.speed) end
    end
    smet[i] = least + smet[i + 1]
  end
  local function worth(vertex)
    local free = vertex.free
    vertex.g = printed.completion(free)
    local mmct, sdma = 0, 0
    for i = vertex.depth + 1, #jobs do
      local least = math.huge
      for k, node in ipairs(nodes) do
        if jobs[i].cores <= node.cores then
          local ct
          if options.nodewise then
            ct = printed.mat(free[k]) + jobs[i].ops / node.speed
          else
            local cores = table.move(free[k], 1, #free[k], 1, {})
            take(cores, jobs[i], jobs[i].ops / node.speed, 0)
            ct = printed.mat(cores)
          end
          least = math.min(least, ct)
        end
      end
      mmct = math.max(mmct, least)
    end
    for k in ipairs(nodes) do sdma = sdma + (vertex.g - printed.mat(free[k])) end
    vertex.h1, vertex.h2 = math.max(0, mmct - vertex.g), math.max(0, (smet[vertex.depth + 1] - sdma) / #nodes)
    vertex.f = vertex.g + math.max(vertex.h1, vertex.h2)
    -- The same with mu as the number of cores in place of nodes.
    local all_cores = 0
    for _, node in ipairs(nodes) do all_cores = all_cores + node.cores end
    vertex.f_cores = vertex.g + math.max(vertex.h1, (smet[vertex.depth + 1] - sdma) / all_cores)
    -- The same with smet from the job just mapped on, as its formula is printed.
    vertex.f_printed = vertex.g + math.max(vertex.h1, (smet[vertex.depth] - sdma) / #nodes)
  end
  local leaves, all, expanded, pruned = {}, {}, 0, 0
  local function better(a, b)
    if a.f ~= b.f then return a.f < b.f end
    if a.depth ~= b.depth then return a.depth > b.depth end
    return a.age < b.age
  end
  local function worse(a, b)
    if a.f ~= b.f then return a.f > b.f end
    if a.depth ~= b.depth then return a.depth < b.depth end
    return a.age < b.age
  end
  local function remove(before)
    local place = 1
    for i = 2, #leaves do if before(leaves[i], leaves[place]) then place = i end end
    local leaf = leaves[place]
    leaves[place] = leaves[#leaves]
    leaves[#leaves] = nil
    return leaf
  end
  local vertex = { depth = 0, free = root, age = 0 }
  while vertex.depth < #jobs do
    expanded = expanded + 1
    vertex.expanded = expanded
    local job = jobs[vertex.depth + 1]
    for k, node in ipairs(nodes) do
      if job.cores <= node.cores then
        if options.limit and #leaves >= options.limit then
          remove(worse).fate = "pruned"
          pruned = pruned + 1
        end
        local child = { parent = vertex, depth = vertex.depth + 1, node = k, free = printed.copy(vertex.free), age = #all + 1 }
        take(child.free[k], job, job.ops / node.speed, 0)
        worth(child)
        leaves[#leaves + 1], all[#all + 1] = child, child
      end
    end
    vertex = remove(better)
  end
  return vertex, all, expanded, pruned
end
-- The nodes of the jobs on the way to a vertex.
function printed.nodes_of(vertex)
  local list = {}
  while vertex.depth > 0 do
    list[vertex.depth], vertex = vertex.node, vertex.parent
  end
  return list
end
-- A* as a planner: core times relative to now (section 4.5), in the order of input. `absolute` keeps them as they are.
function printed.a_star(options)
  return function(group, nodes, free, now)
    local jobs, root = {}, {}
    for _, job in ipairs(group) do
      local fits = false
      for _, node in ipairs(nodes) do fits = fits or job.cores <= node.cores end
      if fits then jobs[#jobs + 1] = job end
    end
    for k, cores in ipairs(free) do
      root[k] = {}
      for c, time in ipairs(cores) do root[k][c] = math.max(0, time - now) end
    end
    local placed = {}
    local nodes_of = printed.nodes_of(printed.tree(jobs, nodes, root, options))
    for i, job in ipairs(jobs) do
      local start, finish = take(free[nodes_of[i]], job, job.ops / nodes[nodes_of[i]].speed, now)
      placed[job.number] = { node = nodes_of[i], start = start, finish = finish }
    end
    return placed
  end
end

-- The groups of a list of jobs, by submit time: each is planned once, on what the groups before have left (section 4.1.2). Returns { [job] =
-- placement },
-- the choices of the planner, group by group, and the core times in the end.
function printed.flow(jobs, nodes, planner, options)
  options = options or {}
  local free, placed, choices, i = printed.idle(nodes), {}, {}, 1
  while i <= #jobs do
    local group, now = {}, jobs[i].arrival
    while jobs[i] and jobs[i].arrival == now do
      jobs[i].number = i
      group[#group + 1], i = jobs[i], i + 1
    end
    if options.forget then free = printed.idle(nodes) end
    local found, choice = planner(group, nodes, free, now)
    choices[#choices + 1] = choice
    for _, job in ipairs(group) do placed[job.number] = found[job.number] or false end
  end
  return placed, choices, free
end

-- The textbook's min-min (section 3.3.1), or with `largest` max-min (3.4.1), on a table of times. Ties: the lowest task, the lowest node.
function printed.textbook(times, largest)
  local mat, node_of, order, waits, computed = {}, {}, {}, {}, 0
  for k = 1, #times[1] do mat[k] = 0 end
  for i = 1, #times do waits[i] = true end
  for _ = 1, #times do
    local chosen, value, place
    for i = 1, #times do
      if waits[i] then
        local least, node = math.huge, nil
        for k, time in ipairs(times[i]) do
          computed = computed + 1
          if mat[k] + time < least then least, node = mat[k] + time, k end
        end
        if not chosen or (largest and least > value or not largest and least < value) then chosen, value, place = i, least, node end
      end
    end
    waits[chosen] = false
    mat[place] = value
    node_of[chosen], order[#order + 1] = place, chosen
  end
  return node_of, order, computed
end

-- Drawn cases: nodes of several kinds, and jobs in groups. Times are drawn from a continuum, so that none are equal.
function printed.draw(rng, given)
  local nodes, jobs = {}, {}
  for k = 1, given.nodes do nodes[k] = { cores = given.cores and rng:integer(1, given.cores) or 1, speed = rng:integer(1, 8) } end
  for i = 1, given.jobs do
    jobs[i] = { number = i, cores = given.cores and rng:integer(1, given.wide or given.cores) or 1, ops = rng:uniform(10, 100),
                arrival = (given.every or 0) * ((i - 1) * (given.groups or 1) // given.jobs) }
  end
  return nodes, jobs
end
function printed.scenario(nodes, jobs)
  local hosts, list = {}, {}
  for k, node in ipairs(nodes) do hosts[k] = host("node" .. k) { cores = node.cores, speed = node.speed } end
  for i, job in ipairs(jobs) do list[i] = { name = "job" .. i, cores = job.cores, ops = job.ops, arrival = job.arrival, estimate = job.estimate } end
  return scenario { platform = platform(hosts), workload = workload.jobs(list) }
end
-- Whether a run placed every job as planned: on that node, from start to end, up to rounding. A job without a place did not run.
function printed.same(result, placed)
  for i, row in ipairs(result:jobs()) do
    local plan = placed[i]
    if not plan then
      if row.finish then return false end
    elseif not row.finish or row.hosts ~= "node" .. plan.node or math.abs(row.start - plan.start) > 1e-9 * (1 + plan.start)
           or math.abs(row.finish - plan.finish) > 1e-9 * plan.finish then
      return false
    end
  end
  return true
end

return printed
