-- A platform for each of Tables 2 and 3 of the IRMaSim thesis, and the workloads of section 5.1.1.
-- takes: nothing, the other scripts here use it
-- test: no

local platforms = {}

-- Lists of clock rates in the ranges of Tables 2 and 3, which they span, GHz. The thesis does not print its own; clock-lists.lua draws others.
platforms.clocks = {
  low = { 1, 1.8, 2.6, 3.4, 4.2, 5, 5.5, 6, 6.5, 7, 7.5, 8, 9, 10, 11, 12 },
  high = { 1, 4, 7, 10, 12.5, 15, 17.5, 20, 22.5, 25, 27.5, 30, 32.5, 35, 37.5, 40 },
}
function platforms.of(rates)
  local nodes = {}
  for i, rate in ipairs(rates) do nodes[i] = host("node" .. i) { speed = rate * 1e9 } end
  return platform(nodes)
end

-- 512 jobs of one task at time 0, of 100 to 3000 s on a node of 1 GHz, whose estimates are exact.
function platforms.seconds(number)
  local rng, list = stream.splitmix(number), {}
  for i = 1, 512 do list[i] = 100 + math.floor(rng:uniform() * 2901) end
  return list
end
function platforms.jobs(number)
  local list = platforms.seconds(number)
  for i, seconds in ipairs(list) do list[i] = { cores = 1, ops = seconds * 1e9 } end
  return workload.jobs(list)
end

return platforms
