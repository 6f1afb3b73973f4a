-- Speeds of nodes, run times and latency, which Sim-PETEK (2010) does not publish, drawn many times.
-- takes: nothing, the other scripts here use it
-- test: no
-- A world is one model of run times and latency with one draw of speeds, within 20 % of those of petek.lua, and of noise of 10 %.

local petek = require "petek"
local verdicts = require "verdicts"
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
      at[name] = { model = row.model }
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

-- Whether that is most of them; the short form, with few worlds, decides nothing.
function worlds.most(count, n, what)
  local v = verdicts.share(count, n)
  if not worlds.full then v.holds = "not decided" end
  local counted, interval = v.found:match "^(.-), (.*)$"
  return v.holds, ("%s %s (95 %% interval %s)"):format(counted, what or "worlds", interval)
end

-- holds and found by an interval of values: above `least` as a whole, or below it.
function worlds.above(values, least, form)
  local i = stats.interval(values)
  local holds = "not decided"
  local half = i.half_width or math.huge
  if worlds.full and i.mean - half > least then holds = true elseif worlds.full and i.mean + half < least then holds = false end
  return holds, (form or "%.3f"):format(i.mean) .. " +- " .. (form or "%.3f"):format(i.half_width or 0)
end
return worlds
