-- The algorithms of Chapter 6 of Mamat (2011) in Lua, apart from perigee's own, with switches for parts: required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- perigee has Algorithms 6 to 11 only in the form that keeps its promises. Here each part can be left out or taken as printed.

local fast = {}

-- The time of a unit on `nodes` nodes that are all free (equation 6.1).
function fast.unit_time(tau, chi, nodes)
  local beta = chi / (tau + chi)
  return (1 - beta) / (1 - beta ^ nodes) * (tau + chi)
end

local function not_more(a, b) return a <= b + 1e-9 * math.max(1, math.abs(a), math.abs(b)) end

-- Nodes of Chuprat and Baruah: as few of those that are free first, sorted `free`, as finish `size` by `deadline`, from when the channel is free.
-- Returns their number and the end that all have in common; nil where all are too few.
local function fewest(free, channel, size, deadline, tau, chi)
  local t, sum, n = channel, 0, nil
  for i = 1, #free do
    local s = math.max(t, free[i])
    local x = math.max(0, (deadline - s) / (tau + chi))
    sum, t = sum + x, s + x * tau
    if not_more(size, sum) then n = i break end
  end
  if not n then return nil end
  local low, high = math.min(channel, free[1]), deadline
  for _ = 1, 48 do
    local middle = (low + high) / 2
    t, sum = channel, 0
    for i = 1, n do
      local s = math.max(t, free[i])
      local x = math.max(0, (middle - s) / (tau + chi))
      sum, t = sum + x, s + x * tau
    end
    if sum < size then low = middle else high = middle end
  end
  return n, high
end
fast.fewest = fewest

-- The plan of EDF-IIT-2 for a queue in the order of deadlines: chunks of each load, or nil where one would be late.
local function plan_of(queue, p, h, now, tau, chi, counts)
  local order, channel = {}, math.max(h, now)
  for j = 1, #p do order[j] = { at = math.max(p[j], now), node = j } end
  local plan = {}
  for q, load in ipairs(queue) do
    table.sort(order, function(a, b) return a.at < b.at or a.at == b.at and a.node < b.node end)
    local free = {}
    for j, each in ipairs(order) do free[j] = each.at end
    local n, finish = fewest(free, channel, load.left, load.d, tau, chi)
    counts.steps = counts.steps + #p * math.ceil(math.log(#p, 2)) + 2 * (n or #p)
    if not n then return nil end
    local chunks = {}
    for i = 1, n do
      local s = math.max(channel, free[i])
      local x = math.max(0, (finish - s) / (tau + chi))
      if x > 0 then
        chunks[#chunks + 1] = { node = order[i].node, start = s, size = x }
        channel = s + x * tau
        order[i].at = finish
      end
    end
    plan[q] = { load = load, chunks = chunks, finish = finish }
  end
  return plan
end

-- given: nodes, tau, chi; loads, a list of { arrival, size, deadline } with absolute deadlines, in the order of arrival; and
--   start      "safe" (the default), "printed": a load that becomes the first of a queue starts when the last one that was sent whole ends
--   adjust     false: without Algorithm 8
--   threshold  HYBRID goes over when so many wait (Algorithms 9 to 11); without it FAST-EDF-IIT
--   guard      false: it goes over whatever becomes of those that wait, as printed
--   least      false: Algorithm 11 as printed, which leaves the least slack unset, so that no successor speaks against a load
--   running    "chi" (the default, Algorithm 10 as printed): what runs counts as time / chi; "both": as time / (tau + chi)
--   node       function(list of free nodes) that returns one: the first unless it is given
-- Returns the loads, each with `admitted`, `reason`, `finish`, `late`, `chunks`; and counts.
function fast.run(given)
  local N, tau, chi = given.nodes, given.tau, given.chi
  local unit = fast.unit_time(tau, chi, N)
  local p, h, queue = {}, 0, {}
  for j = 1, N do p[j] = 0 end
  local last_c, last_time, ever = nil, 0, false
  local exact = given.threshold ~= nil
  local plan = {}
  local counts = { admitted = 0, rejected = 0, late = 0, fast = 0, exact = 0, refused_fast = 0, by_fast = 0, idle_arrivals = 0,
                   steps = 0, steps_admitted = 0, steps_rejected = 0 }
  local loads = {}
  for i, each in ipairs(given.loads) do
    loads[i] = { id = i, a = each.arrival or each[1], size = each.size or each[2], d = each.deadline or each[3], chunks = {} }
    loads[i].left = loads[i].size
  end

  local function send(load, node, t, x)
    load.chunks[#load.chunks + 1] = { node = node, start = t, size = x, finish = t + x * (tau + chi) }
    h = t + x * tau
    p[node] = t + x * (tau + chi)
    load.finish = math.max(load.finish or 0, p[node])
    ever = true
  end
  -- The dispatcher of section 6.2.2, up to `now`.
  local function dispatch(now)
    while #queue > 0 do
      local earliest = math.huge
      for j = 1, N do earliest = math.min(earliest, p[j]) end
      local t = math.max(earliest, h, last_time)
      if t > now then return end
      local node
      if given.node then
        local list = {}
        for j = 1, N do if p[j] <= t then list[#list + 1] = j end end
        node = given.node(list)
      else
        for j = 1, N do if p[j] <= t then node = j break end end
      end
      local load = queue[1]
      local x = (load.d - t) / (tau + chi)
      last_time = t
      if x <= 1e-9 * load.size then
        load.late = true
        table.remove(queue, 1)
      else
        if x >= load.left - 1e-9 * load.size then x = load.left end
        send(load, node, t, x)
        load.left = load.left - x
        if x == load.left or load.left <= 0 then
          load.left = 0
          last_c = load.c
          table.remove(queue, 1)
        end
      end
    end
  end
  -- EDF-IIT-2: a planned load is under way as a whole when its first chunk is due.
  local function commit(now)
    while plan[1] and plan[1].chunks[1].start <= now do
      local each = table.remove(plan, 1)
      for _, chunk in ipairs(each.chunks) do send(each.load, chunk.node, chunk.start, chunk.size) end
      each.load.left = 0
      table.remove(queue, 1)
    end
  end
  local function place(load)
    local k = #queue + 1
    while k > 1 and (queue[k - 1].d > load.d) do k = k - 1 end
    return k
  end
  -- AC-FAST (Algorithms 6 to 8).
  local function admit(load, now, adjust)
    if not_more(load.d, h + load.size * tau) then return false, "head" end
    local k, e = place(load), unit * load.size
    counts.steps = counts.steps + 3 * math.ceil(math.log(#queue + 2, 2))
    local least = math.huge
    for i = k, #queue do least = math.min(least, queue[i].unset and math.huge or queue[i].slack) end
    if k <= #queue and not not_more(e, least) then return false, "succ" end
    local s
    if k > 1 then
      s = queue[k - 1].c
    elseif #queue > 0 then
      if given.start == "printed" then s = last_c or now else s = queue[1].c - unit * queue[1].left end
    else
      local busy = h > now
      for j = 1, N do busy = busy or p[j] > now end
      if not ever or not busy then
        s = now
      else
        s = last_c or now
        if adjust then
          local idle = 0
          counts.steps = counts.steps + N
          for j = 1, N do idle = idle + math.max(now - math.max(p[j], h), 0) end
          s = s + unit * idle / (tau + chi)
        end
      end
    end
    s = math.max(s, now)
    if not not_more(e, load.d - s) then return false, "self" end
    load.e, load.c = e, s + e
    load.slack = load.d - load.c
    for i = k, #queue do
      queue[i].c, queue[i].slack = queue[i].c + e, queue[i].slack - e
    end
    for i = 1, #queue do queue[i].unset = nil end  -- Algorithm 7 computes the least slack of all
    table.insert(queue, k, load)
    counts.steps = counts.steps + 3 * #queue
    return true
  end
  -- EDF-IIT-2 for the queue with this load in it.
  local function admit_exact(load, now)
    local with, k = table.move(queue, 1, #queue, 1, {}), place(load)
    table.insert(with, k, load)
    local new = plan_of(with, p, h, now, tau, chi, counts)
    if not new then return false, "plan" end
    queue, plan = with, new
    return true
  end
  local function go_over(now)
    local r = 0
    for j = 1, N do r = r + math.max(p[j] - now, 0) end
    local c = now + unit * r / (given.running == "both" and tau + chi or chi)
    local begin = c
    local safe = true
    local made = {}
    for i, each in ipairs(queue) do
      c = c + unit * each.left
      made[i] = c
      if not not_more(c, each.d) then safe = false end
    end
    if not safe and given.guard ~= false then counts.refused_fast = counts.refused_fast + 1 return end
    for i, each in ipairs(queue) do
      each.c, each.e, each.slack, each.unset = made[i], unit * each.left, each.d - made[i], given.least == false
    end
    last_c, plan, exact, last_time = begin, {}, false, now
    counts.fast = counts.fast + 1
  end

  for _, load in ipairs(loads) do
    local now, steps = load.a, counts.steps
    if exact then commit(now) else dispatch(now) end
    last_time = math.max(last_time, now)
    if given.threshold then
      if #queue >= given.threshold and exact then
        go_over(now)
      elseif #queue < given.threshold and not exact then
        local new = plan_of(queue, p, h, now, tau, chi, counts)
        if new then
          plan, exact = new, true
          counts.exact = counts.exact + 1
        end
      end
    end
    if #queue == 0 then counts.idle_arrivals = counts.idle_arrivals + 1 end
    if exact then
      load.admitted, load.reason = admit_exact(load, now)
    else
      counts.by_fast = counts.by_fast + 1
      load.admitted, load.reason = admit(load, now, given.adjust ~= false and not (given.threshold and #queue >= given.threshold))
    end
    local which = load.admitted and "steps_admitted" or "steps_rejected"
    counts[which] = counts[which] + counts.steps - steps
    if load.admitted then
      counts.admitted = counts.admitted + 1
      if exact then commit(now) else dispatch(now) end
    else
      counts.rejected = counts.rejected + 1
    end
  end
  if exact then commit(math.huge) else dispatch(math.huge) end
  for _, load in ipairs(loads) do
    if load.finish and not not_more(load.finish, load.d) then load.late = true end
    if load.late then counts.late = counts.late + 1 end
  end
  counts.loads = loads
  return counts
end

-- A random case: a few nodes, a dozen loads or more that come fast or slowly, with deadlines from tight to long.
function fast.case(rng, given)
  given = given or {}
  local N = rng:integer(given.least_nodes or 2, given.most_nodes or 6)
  local chi = 2 ^ rng:uniform(-1, 6)
  local unit, loads, now = fast.unit_time(1, chi, N), {}, 0
  local gap = rng:uniform(0.3, 2)
  local tight = rng:uniform(0, 4)
  for i = 1, given.loads or 12 do
    local size = rng:exponential(4) + 0.05
    loads[i] = { now, size, now + math.max(unit * size * (1 + rng:uniform(0, 1) ^ 2 * tight * 2), 1e-3) }
    if rng:uniform(0, 1) < 0.15 then loads[i][3] = now + unit * size * rng:uniform(2, 20) end
    now = now + rng:exponential(gap * 4 * unit)
  end
  return { nodes = N, tau = 1, chi = chi, loads = loads }
end

-- A random case in which loads wait: they come faster than they can be done. So many nodes, 2 to 4 unless it is given.
function fast.busy_case(rng, nodes)
  local N = nodes or rng:integer(2, 4)
  local chi = 2 ^ rng:uniform(-1, 3)
  local unit, loads, now = fast.unit_time(1, chi, N), {}, 0
  local tight = rng:uniform(0.05, 1.5)
  for i = 1, 8 do
    local size = rng:exponential(4) + 0.05
    loads[i] = { now, size, now + unit * size + unit * 4 * rng:uniform(0, 3) * tight }
    now = now + rng:exponential(unit)
  end
  return { nodes = N, tau = 1, chi = chi, loads = loads }
end

-- The same case as a scenario of perigee.
function fast.scenario(case)
  local works = {}
  for i, each in ipairs(case.loads) do
    works[i] = { arrival = each[1], size = each[2], bytes = case.tau, time = case.chi, deadline = each[3] }
  end
  return scenario { platform = platform { cluster "c" { nodes = case.nodes, link = { bandwidth = 1 } } }, workload = workload.loads(works) }
end

return fast
