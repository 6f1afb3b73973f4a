-- Speeds of nodes, run times and latency, which Sim-PETEK (2010) does not publish, drawn many times.
-- takes: nothing, the other scripts here use it
-- test: no
-- A world is one model of run times and latency with one draw of speeds, within 20 % of those of petek.lua, and of noise of 10 %.

local petek = require "petek"
local worlds = { full = setting("full", false) }
worlds.models = { "wsn 0", "wsn 0.5", "equal 0", "equal 0.5" }  -- weights and latency in s
worlds.draws = worlds.full and 20 or 1
worlds.note = ("speeds of nodes, run times and latency are not published; %d worlds are drawn"):format(#worlds.models * worlds.draws)

local function drawn(nodes, seed, latency)
  local rng = stream("speeds of nodes", seed)
  for _, node in ipairs(nodes) do
    node.tau = node.tau * rng:uniform(0.8, 1.2)
    node.latency = latency
  end
  return nodes
end

-- A case of a model, "wsn 0.5", with the speeds of that seed; so many velocities; `make` makes the nodes.
function worlds.case(model, seed, trials, vx, vy, make)
  local weights, latency = model:match "^(%S+) (%S+)$"
  local nodes = drawn((make or petek.cluster)(), seed, tonumber(latency))
  return petek.case(nodes, trials, vx, vy, { weights = weights, noise = 0.1 }), nodes
end

-- The rows of an experiment with the factors model, trials, runs, policy: a list of worlds, world[trials .. "x" .. runs][policy] = row.
function worlds.read(e)
  local list, at = {}, {}
  for _, row in ipairs(e:rows()) do
    local name = row.model .. " " .. row.replication
    if not at[name] then
      at[name] = { model = row.model, draw = row.replication }
      list[#list + 1] = at[name]
    end
    local case = ("%dx%d"):format(row.trials, row.runs)
    at[name][case] = at[name][case] or {}
    at[name][case][row.policy] = row
  end
  return list
end

-- Where each host has nothing to do: before its first package, after its last one; in how many there was none; s together.
function worlds.waits(r)
  local first, last, late, early, none = {}, {}, 0, 0, 0
  for _, p in ipairs(r:packages()) do
    first[p.host] = math.min(first[p.host] or p.start, p.start)
    last[p.host] = math.max(last[p.host] or 0, p.finish)
  end
  for _, row in ipairs(r:hosts()) do
    if first[row.host] then
      late, early = late + first[row.host], early + r.makespan - last[row.host]
    else
      none = none + 1
    end
  end
  return late, early, none
end

-- In how many worlds, or whatever is in the list, a condition is true.
function worlds.count(list, condition)
  local n = 0
  for _, each in ipairs(list) do if condition(each) then n = n + 1 end end
  return n
end

-- The cases of worlds as a list of { draw =, model =, case =, cell = }: worlds of one draw have the same speeds and noise.
function worlds.cells(list, cases)
  local out = {}
  for _, w in ipairs(list) do
    for _, case in ipairs(cases) do out[#out + 1] = { draw = w.draw, model = w.model, case = case, cell = w[case] } end
  end
  return out
end

-- The count of each draw, and of how many; both in the order of the draws.
local function by_draw(list, value)
  local sums, order = {}, {}
  for _, each in ipairs(list) do
    local own = sums[each.draw]
    if not own then
      own = { 0, 0 }
      sums[each.draw], order[#order + 1] = own, own
    end
    own[1], own[2] = own[1] + value(each), own[2] + 1
  end
  return order
end

-- Whether a condition is true in most of a list of worlds or cases, each with its draw. Worlds of one draw share speeds and noise. So the interval
-- (Wilson 1927) is for as many independent ones as the spread of the shares between draws tells (Korn and Graubard 1998), for a share of 0 or 1 as
-- many as draws. The short form, with few worlds, decides nothing.
function worlds.most(list, condition, what)
  local draws, n = by_draw(list, function(each) return condition(each) and 1 or 0 end), #list
  local count, residues = 0, 0
  for _, own in ipairs(draws) do count = count + own[1] end
  if n == 0 then return "not decided", "in no case" end
  local p, d = count / n, #draws
  for _, own in ipairs(draws) do residues = residues + (own[1] - p * own[2]) ^ 2 end
  local z, size = 1.959963984540054, p > 0 and p < 1 and n or d
  if residues > 0 and d > 1 then
    local numbers = {}
    for i = 1, d do numbers[i] = i end
    local t = stats.interval(numbers).half_width / math.sqrt((d + 1) / 12)  -- Student's, by an interval whose deviation is known
    size = math.min(n, p * (1 - p) * n ^ 2 * (d - 1) / d / residues * (z / t) ^ 2)
  end
  local middle = (p + z * z / (2 * size)) / (1 + z * z / size)
  local half = z / (1 + z * z / size) * math.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
  local holds = "not decided"
  if worlds.full and middle - half > 0.5 then holds = true elseif worlds.full and middle + half < 0.5 then holds = false end
  return holds, ("in %d of %d %s (95 %% interval %.0f %% to %.0f %%)"):format(count, n, what or "worlds", 100 * math.max(0, middle - half),
         100 * math.min(1, middle + half)), count
end

-- The interval of the mean of a value over such a list, by the means of the draws.
function worlds.interval(list, value)
  local means = {}
  for i, own in ipairs(by_draw(list, value)) do means[i] = own[1] / own[2] end
  local i = stats.interval(means)
  return i.mean, i.half_width or 0
end

-- holds and found by that interval: above `least` as a whole, or below it.
function worlds.above(list, value, least, form)
  local mean, half = worlds.interval(list, value)
  local holds = "not decided"
  if worlds.full and mean - half > least then holds = true elseif worlds.full and mean + half < least then holds = false end
  return holds, (form or "%.3f"):format(mean) .. " +- " .. (form or "%.3f"):format(half)
end

-- The common value of several verdicts; "not decided" where they differ, as with thresholds of ours that disagree.
function worlds.same(...)
  local first = ...
  for _, each in ipairs { ... } do if each ~= first then return "not decided" end end
  return first
end

-- All of several verdicts: true when all are, false when one is.
function worlds.all(...)
  local holds = true
  for _, each in ipairs { ... } do
    if each == false then return false end
    if each ~= true then holds = "not decided" end
  end
  return holds
end
return worlds
