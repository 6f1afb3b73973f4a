-- Logs of a machine of 128 nodes, drawn: required by the scripts beside it.
-- takes: nothing
-- test: no

local drawn = { nodes = 128, policies = { "fcfs", "easy", { "conservative", conservative { promise = "count" } } } }

-- Mean and deviation of the lognormal run times, s. The skewed ones have many short jobs and a few very long ones.
drawn.kinds = { skewed = { 5400, 14400 }, even = { 14400, 14400 } }

local longest = 18 * 3600                                            -- no job may ask for more
local round = { 900, 1800, 3600, 7200, 14400, 28800, 43200, longest }  -- users ask for round times

-- The time that users request for a job of `time` s: the next round time, or one up to three steps further.
local function request(time, rng)
  local step = 1
  while round[step] < time do step = step + 1 end
  return round[math.min(#round, step + rng:choice { 0, 0, 1, 2, 3 })]
end

-- `count` jobs of a kind that keep the share `load` of all nodes busy while they come, which is at random. Widths are powers of two, from 1 to half the
-- machine. `f` declares estimates uniform in [r, (f + 1) r] for jobs of r s; without it jobs declare what users request. The same seed gives the
-- same jobs for any f.
function drawn.log(kind, count, load, seed, f)
  local rng, list, area = stream("drawn log", seed), {}, 0
  for i = 1, count do
    local nodes = rng:uniform(0, 1) < 0.25 and 1 or 1 << rng:integer(1, 6)
    local time = math.min(longest, math.max(1, rng:lognormal(table.unpack(drawn.kinds[kind]))))
    local requested, share = request(time, rng), rng:uniform(0, 1)
    list[i] = { nodes = nodes, time = time, estimate = f and time * (1 + f * share) or requested, arrival = rng:uniform(0, 1) }
    area = area + nodes * time
  end
  for _, job in ipairs(list) do job.arrival = job.arrival * area / (drawn.nodes * load) end
  return workload.jobs(list)
end

function drawn.platform() return platform { cluster "n" { nodes = drawn.nodes } } end

return drawn
