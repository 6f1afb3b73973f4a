-- Hosts, grids, the run-time model and the tables of chapter 3 of Sim-PETEK, which the scripts on it share.
-- takes: nothing, the other scripts here use it
-- test: no
require "statements"
local petek = { source = "Sim-PETEK, 2010" }

-- Simulations that a host of so many cores runs at once: section 3.1 for 2, 4, 8 and 16 cores, the others are ours.
function petek.slots(cores)
  if cores <= 2 then return 1 end
  return cores < 16 and cores or cores - 1
end

-- Refuses nodes that perigee allows and these studies do not, with the short codes of docs/sweeps.md.
local function check(nodes)
  local function refuse(node, text, code, ...)
    error(("node '%s': %s (%s)"):format(tostring(node.name), text:format(...), code), 0)
  end
  if #nodes == 0 then error("there are no nodes (no-nodes)", 0) end
  local seen = {}
  for _, node in ipairs(nodes) do
    if type(node.name) ~= "string" or node.name == "" then refuse(node, "a name is needed, a text", "bad-name") end
    if seen[node.name] then refuse(node, "there is another one of this name", "duplicate-node") end
    seen[node.name] = true
    if math.type(node.cores) ~= "integer" or node.cores < 1 then
      refuse(node, "cores must be a whole number >= 1, got %s", "bad-node", tostring(node.cores))
    end
    if type(node.tau) ~= "number" or not (node.tau > 0 and node.tau < math.huge) then
      refuse(node, "tau must be > 0 s and finite, got %s", "bad-node", tostring(node.tau))
    end
    if node.background then
      local period, busy, factor = table.unpack(node.background)
      if not (period > 0 and busy >= 0 and busy <= period and factor > 0) then
        refuse(node, "background must be { period > 0, 0 <= busy <= period, factor > 0 }, got { %s, %s, %s }", "bad-background",
               period, busy, factor)
      end
    end
    local before = -math.huge
    for _, step in ipairs(node.speeds or {}) do
      if not (step[1] > before and step[1] >= 0 and step[2] > 0) then
        refuse(node, "speeds must be { time, factor > 0 } with increasing times, got { %s, %s }", "bad-speed", step[1], step[2])
      end
      before = step[1]
    end
  end
end

-- An availability whose every value is so much smaller. Calibrations read it at 0 s, when it is the share alone: a load that
-- is there from the beginning begins 10^-12 s later.
local function shared(availability, share)
  if availability == 1 then return share end
  if type(availability) == "number" then return { { 0, share }, { 1e-12, share * availability } } end
  if availability.times then
    local factor = availability.values[1]
    return { times = { 0, 1e-12, availability.times[2] }, values = { share, share * factor, share }, period = availability.period }
  end
  local steps = { { 0, share } }
  for _, step in ipairs(availability) do steps[#steps + 1] = { math.max(step[1], 1e-12), share * step[2] } end
  return steps
end

-- nodes: a list of { name =, cores =, tau = (s of a simulation on one slot), slots =, latency = (s before each package),
-- background = { period, busy, factor }, speeds = { { time, factor }, ... }, share = (of the processor, as calibrations see
-- it at the beginning; tau is with that share), link_latency = (the same of its link, s) }.
-- sweep: a list of fields as of workload.sweep, without times; its runs or points, trials, weights, noise.
-- The steps of a profile are known beforehand to estimates, which are exact; a change beside a background load is not.
function petek.scenario(nodes, ...)
  check(nodes)
  local hosts, times, events = {}, {}, {}
  for i, node in ipairs(nodes) do
    local availability = 1
    if node.background then
      local period, busy, factor = table.unpack(node.background)
      availability = busy == 0 and 1 or busy == period and factor or { times = { 0, busy }, values = { factor, 1 }, period = period }
    elseif node.speeds and #node.speeds > 0 then
      availability = { { 0, 1 } }
      for _, step in ipairs(node.speeds) do
        if step[2] > 1 then availability = 1 break end
        if step[1] == 0 then availability = {} end
        availability[#availability + 1] = { step[1], step[2] }
      end
    end
    for _, step in ipairs(availability == 1 and node.speeds or node.background and node.speeds or {}) do
      events[#events + 1] = change { host = node.name, at = step[1], factor = step[2] }
    end
    local tau, link = node.tau, nil
    if node.share then
      availability, tau = shared(availability, node.share), tau * node.share
    end
    if node.link_latency then link = { bandwidth = "1 GB/s", latency = node.link_latency, name = node.name .. ".link" } end
    hosts[i] = host(node.name) { cores = node.cores, slots = node.slots or petek.slots(node.cores),
                                 setup = node.latency or 0, availability = availability, link = link }
    times[node.name] = tau
  end
  local sweeps = {}
  for i, given in ipairs { ... } do
    local record = { times = times }
    for name, value in pairs(given) do record[name] = value end
    sweeps[i] = record
  end
  return scenario { platform = platform(hosts), workload = workload.sweeps(sweeps), events = events }
end

-- Table 3.1; tau so that the packages stated there take as long as they do: 8 runs of 10 trials on A 10 s, 4 on B 25 s,
-- 4 on C 10 s, 2 on D 20 s, 2 on E 10 s.
function petek.chapter3_nodes()
  return { { name = "A", cores = 8, tau = 1 }, { name = "B", cores = 4, tau = 2.5 }, { name = "C", cores = 4, tau = 1 },
           { name = "D", cores = 2, tau = 1 }, { name = "E", cores = 2, tau = 0.5 } }
end
function petek.chapter3() return petek.scenario(petek.chapter3_nodes(), { runs = 60, trials = 10 }) end
-- Our reading of the assumed case of Figures 3.14 and 3.15: from 25 s on B has 0.625 of its speed.
function petek.assumed_case()
  local nodes = petek.chapter3_nodes()
  nodes[2].speeds = { { 25, 0.625 } }
  return petek.scenario(nodes, { runs = 60, trials = 10 })
end

-- The cluster of section 5.2.1: 5 hosts of 16 cores, 7 of 4 (the last is the coordinator's), 4 of 2. Speeds and latency are
-- ours. coordinator_works = false leaves out the coordinator's.
function petek.cluster(options)
  options = options or {}
  local nodes = {}
  local function add(name, cores, tau)
    nodes[#nodes + 1] = { name = name, cores = cores, tau = tau, latency = options.latency or 0.5 }
  end
  for i = 1, 5 do add("S" .. i, 16, 1) end
  for i, tau in ipairs { 0.85, 0.90, 0.95, 1, 1.05, 1.10, 1 } do
    if i < 7 or options.coordinator_works ~= false then add("Q" .. i, 4, tau) end
  end
  for i, tau in ipairs { 1.2, 1.3, 1.4, 1.25 } do add("D" .. i, 2, tau) end
  return nodes
end

-- The hosts of the third group: 3 of 16 cores, 2 of 4 and 1 of 2, these with a background load of 30 s in every 40 s. Speeds
-- and the strength of the load are ours.
function petek.loaded_cluster(factor)
  local load = { 40, 30, factor or 0.5 }
  return { { name = "S1", cores = 16, tau = 1 }, { name = "S2", cores = 16, tau = 1 }, { name = "S3", cores = 16, tau = 1 },
           { name = "Q1", cores = 4, tau = 1, background = load }, { name = "Q2", cores = 4, tau = 1, background = load },
           { name = "D1", cores = 2, tau = 1.25, background = load } }
end

-- Sensors 150 to 169, step sizes 0.020 to 0.024, and so many velocities from 0.40 on along x and, unless nil, y.
function petek.grid(vx, vy)
  local axes = { { "sensors", from = 150, to = 169, step = 1 }, { "step_size", from = 0.020, step = 0.001, count = 5 },
                 { "vx", from = 0.40, step = 0.01, count = vx } }
  if vy then axes[4] = { "vy", from = 0.40, step = 0.01, count = vy } end
  return workload.grid(axes)
end

-- Run times of the wireless sensor networks. The model is ours, the thesis gives no run times: a simulation of s sensors
-- with step size h and velocity v takes steps in proportion to 1 / (h v), of work in proportion to
-- linear s + quadratic s^2 (detection, messages between neighbours); 1 for 150 sensors, 0.020 and 0.40 (along both axes).
function petek.wsn(coefficients)
  local c = coefficients or {}
  local linear, quadratic = c.linear or 0.7, c.quadratic or 0.3
  local sensors, step_size, velocity = c.sensors or 150, c.step_size or 0.020, c.velocity or 0.40
  return function(point)
    local s = point.sensors / sensors
    local both = rawget(point, "vy") ~= nil
    local v0 = both and math.hypot(velocity, velocity) or velocity
    local v = both and math.hypot(point.vx, point.vy) or point.vx
    return (linear * s + quadratic * s ^ 2) * (step_size / point.step_size) * (v0 / v)
  end
end

-- One case of the groups of tests: so many trials and the runs of a grid, equal or weighted by the model.
function petek.case(nodes, trials, vx, vy, options)
  options = options or {}
  local weights = options.weights ~= "equal" and petek.wsn() or nil
  return petek.scenario(nodes, { points = petek.grid(vx, vy), trials = trials, weights = weights, noise = options.noise })
end
function petek.label(trials, runs) return ("MC%dNumberOfRuns%d"):format(trials, runs) end

-- Velocities along x and y for so many runs, by group (section 5.2.1; those of the third group are ours).
petek.velocities = { [1] = { [100] = { 1 }, [400] = { 4 }, [800] = { 8 } },
                     [2] = { [500] = { 5, 1 }, [1000] = { 5, 2 }, [1500] = { 5, 3 } },
                     [3] = { [100] = { 1, 1 }, [400] = { 2, 2 }, [1000] = { 5, 2 }, [2000] = { 5, 4 } } }

-- Claims of one line: any; one that a text comes out as printed; that what is printed is wrong; that a rule is kept.
function petek.claim(number, verdict, holds, found, note, chosen)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note, chosen = chosen }
end
function petek.same(number, published, found, note, chosen) petek.claim(number, "reproduces", found == published, found, note, chosen) end
function petek.wrong(number, holds, found, note) petek.claim(number, "source in error", holds, found, note) end
function petek.rule(number, holds, found, note, chosen) petek.claim(number, "reproduces", holds, found, note, chosen) end

return petek
