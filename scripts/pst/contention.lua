-- The network inside of clusters, which the model leaves out (Berman et al. 1999, section 4).
-- takes: seconds
-- perigee run scripts/pst/contention.lua
--   --set full=true     the application of Figure 11, ten draws
--
-- After a run each host reads its tasks' inputs from the store of its cluster before it computes, over a network that all readers of a cluster share
-- evenly. A host keeps its tasks and their order; what waited for files still waits for them.

local figure11 = require "figure11_scenario"
local grids = require "grids"
local pst = require "pst"
local verdicts = require "verdicts"
local full = setting("full", false)

-- When the last computation of a cluster ends with reading. `hosts`: lists of { from, to, bytes } in order.
local function with_reading(hosts, bandwidth)
  local state, latest = {}, 0
  for k, list in ipairs(hosts) do state[k] = { list = list, at = 0, free = 0, before = 0 } end
  local now = 0
  -- The next task of a host begins when the one before has ended, and not before its files were there.
  local function begin(s)
    s.at = s.at + 1
    local task = s.list[s.at]
    if not task then
      s.phase = "over"
      return
    end
    local waited = task.from > s.before + 1e-6 * math.max(1, task.from)
    s.before = task.to
    s.start, s.phase = math.max(s.free, waited and task.from or 0), "waits"
  end
  for _, s in ipairs(state) do begin(s) end
  while true do
    local readers, next_time = 0, math.huge
    for _, s in ipairs(state) do if s.phase == "reads" then readers = readers + 1 end end
    for _, s in ipairs(state) do
      if s.phase == "waits" then next_time = math.min(next_time, s.start) end
      if s.phase == "computes" then next_time = math.min(next_time, s.free) end
      if s.phase == "reads" then next_time = math.min(next_time, now + s.left * readers / bandwidth) end
    end
    if next_time == math.huge then break end
    local moved = readers > 0 and (next_time - now) * bandwidth / readers or 0
    now = next_time
    for _, s in ipairs(state) do
      if s.phase == "reads" then
        s.left = s.left - moved
        if s.left <= 1e-6 * (1 + s.list[s.at].bytes) then
          local task = s.list[s.at]
          s.phase, s.free = "computes", now + task.to - task.from
        end
      elseif s.phase == "waits" and s.start <= now then
        s.phase, s.left = "reads", s.list[s.at].bytes
      elseif s.phase == "computes" and s.free <= now then
        latest = math.max(latest, now)
        begin(s)
      end
    end
  end
  return latest
end

local sizes = full and { 150, 600, 2400, 9600 } or { 600, 9600 }
local networks = { { "100 Mbit/s", 12.5e6 }, { "10 Mbit/s", 1.25e6 } }
local points = { {}, {} }
for j, size in ipairs(sizes) do
  for n = 1, 2 do points[n][j] = { name = ("%d KB"):format(size), values = {} } end
  for seed = 1, full and 10 or 2 do
    local s = full and figure11.scenario(1e3 * size, seed)
      or scenario { platform = figure11.platform(), workload = grids.application { tasks = 80, shared = 1e3 * size } }
    local r = s:run { policy = planner { map = "extended_sufferage" }, seed = seed }
    local clusters, last = {}, 0
    for _, each in ipairs(pst.sub_tasks(r)) do
      if each.kind == "compute" then
        local name = each.on:match "^[^.]*"
        clusters[name] = clusters[name] or {}
        clusters[name][each.on] = clusters[name][each.on] or {}
        table.insert(clusters[name][each.on], { from = each.from, to = each.to, bytes = 1e3 * size + 2e4 })
        last = math.max(last, each.to)
      end
    end
    for n, network in ipairs(networks) do
      local latest = 0
      for _, its in pairs(clusters) do
        local hosts = {}
        for _, list in pairs(its) do
          table.sort(list, function(a, b) return a.from < b.from end)
          hosts[#hosts + 1] = list
        end
        latest = math.max(latest, with_reading(hosts, network[2]))
      end
      if last > 0 then points[n][j].values[seed] = 100 * (latest / last - 1) end
    end
  end
end
print "Makespan with a network inside of clusters, longer by %"
for n, network in ipairs(networks) do
  local parts = {}
  for j, point in ipairs(points[n]) do parts[j] = ("%s: %.2f"):format(point.name, stats.summary(point.values).mean or 0) end
  print(("  %-10s  %s"):format(network[1], table.concat(parts, ", ")))
end
local fast, slow = pst.no_longer(points[1], 1), pst.no_longer(points[2], 1)
local both = verdicts.all { { "a shared network of 100 Mbit/s inside of each cluster", fast }, { "of 10 Mbit/s", slow } }
if fast.holds ~= slow.holds then both.holds = "not decided" end
claim(pst.of("S3-13", "not decided", both, "may be left out: the makespan is no longer by 1 %, a limit of ours, at any size of Figure 11; links of "
  .. "80 kbit/s from the origin. It holds with the faster network and fails with the slower one at the largest files; which networks clusters "
  .. "have the report does not say"))
