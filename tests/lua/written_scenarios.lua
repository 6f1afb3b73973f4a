-- s:script() of random scenarios: what is written runs to the same fingerprint, and is written alike again.
-- expect: 60 scenarios, 0 others
local rng = stream.splitmix(17)
local function chance(share) return rng:uniform() < share end
local function pick(list) return list[rng:integer(1, #list)] end

-- Numbers with few and with many digits.
local function number(low, high)
  local x = rng:uniform(low, high)
  return chance(0.3) and math.floor(x) + (low >= 1 and 0 or 1) or x
end

local function some_platform()
  local parts, hosts, links = {}, {}, {}
  if chance(0.5) then
    parts[#parts + 1] = router "r"
    parts[#parts + 1] = link "bone" { to = "r", bandwidth = number(1, 20), latency = chance(0.5) and number(0, 1) or nil,
      sharing = pick { "exclusive", "fair", "unlimited" } }
  end
  local at = #parts > 0 and chance(0.6) and "r" or nil
  for c = 1, rng:integer(1, 3) do
    local name = "c" .. c
    local way = chance(0.7) and { bandwidth = number(1, 9), latency = chance(0.3) and { { 0, 0.1 }, { 7, 0.2 } } or nil,
      sharing = pick { "exclusive", "fair" }, overtake = chance(0.2) or nil } or nil
    if way then links[#links + 1] = name .. ".link" end
    if chance(0.4) then
      local list = { link = way, at = at }
      for h = 1, rng:integer(1, 3) do
        local host_name = ("%s h%d"):format(name, h)
        hosts[#hosts + 1] = host_name
        list[h] = host(host_name) { cores = rng:integer(1, 4), speed = number(0.5, 3), setup = chance(0.3) and number(0, 1) or nil,
          availability = chance(0.3) and { values = { 1, number(0.1, 0.9), 1 }, every = number(1, 7) } or nil }
      end
      parts[#parts + 1] = cluster(name)(list)
    else
      local nodes = rng:integer(1, 3)
      for h = 1, nodes do hosts[#hosts + 1] = ("%s.%d"):format(name, h) end
      parts[#parts + 1] = cluster(name) { nodes = nodes, cores = rng:integer(1, 4), speed = number(0.5, 3), link = way, at = at }
    end
  end
  return platform(parts), hosts, links
end

local function some_jobs(n)
  local jobs, clock = {}, 0
  for i = 1, n do
    clock = clock + number(0, 5)
    jobs[i] = { time = number(1, 30), arrival = clock, cores = chance(0.3) and 1 or nil, user = "user " .. rng:integer(1, 3),
      priority = chance(0.3) and number(-3, 3) or nil, deadline = chance(0.2) and clock + number(10, 90) or nil,
      name = chance(0.3) and "job \"" .. i or nil }
    if chance(0.6) then jobs[i].estimate = jobs[i].time * number(1, 3) end
    if chance(0.2) then jobs[i].limit = number(5, 60) end
    if chance(0.2) then jobs[i].ops, jobs[i].time, jobs[i].estimate = number(1, 30), nil, nil end
  end
  return workload.jobs(jobs), { "fcfs", "easy", "sjf" }
end

local function some_tasks(n)
  local tasks = {}
  for i = 1, n do
    local task = { name = "t" .. i, time = number(1, 9), inputs = { file("shared", 5) }, outputs = { file("f" .. i, number(0.1, 9)) } }
    for before = 1, i - 1 do
      if chance(0.3) then
        if chance(0.7) then task.inputs[#task.inputs + 1] = "f" .. before else
          task.after = task.after or {}
          task.after[#task.after + 1] = before
        end
      end
    end
    tasks[i] = task
  end
  local made = chance(0.5) and workload.tasks(tasks)
    or workload.workflow { tasks = tasks, name = "flow", home = pick { "exits", "all", "none" }, arrival = number(0, 3) }
  return made, { "workqueue" }
end

local function some_events(hosts, links)
  local events = {}
  for _ = 1, rng:integer(0, 3) do
    local from = number(0, 40)
    local kind = rng:integer(1, 5)
    if kind == 1 then events[#events + 1] = outage { host = pick(hosts), from = from, to = from + number(1, 9), announced = chance(0.7) }
    elseif kind == 2 then events[#events + 1] = failures { all = true, mtbf = number(30, 90), mttr = number(1, 5), law = pick { "exponential", "weibull" } }
    elseif kind == 3 then events[#events + 1] = maintenance { hosts = { pick(hosts) }, from = from, to = from + 3, every = 11.1, times = 2 }
    elseif kind == 4 then events[#events + 1] = change { host = pick(hosts), at = from, factor = number(0.2, 2) }
    elseif #links > 0 then events[#events + 1] = outage { link = pick(links), from = from, to = from + number(1, 9) } end
  end
  return events
end

local others = 0
for case = 1, 60 do
  local p, hosts, links = some_platform()
  local work, policies
  if chance(0.5) then work, policies = some_jobs(rng:integer(1, 12)) else work, policies = some_tasks(rng:integer(1, 9)) end
  local s = scenario { platform = p, workload = work, events = some_events(hosts, links),
    on_failure = { compute = pick { "lost", "resumed", "restarted" }, transfer = pick { "lost", "resumed" } } }
  local text = s:script { seed = case }
  local again = load(text)()
  if again:script { seed = case + 1 } ~= text then
    others = others + 1
    print(case, "is written otherwise the second time")
  end
  for _, policy in ipairs(policies) do
    local how = { policy = policy, seed = case, validate = true }
    local a, b = s:run(how), again:run(how)
    if a.fingerprint ~= b.fingerprint or a.status ~= b.status then
      others = others + 1
      print(case, policy, a.fingerprint, b.fingerprint)
    end
  end
end
print(("60 scenarios, %d others"):format(others))
