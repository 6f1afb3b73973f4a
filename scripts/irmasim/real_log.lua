-- IRMaSim thesis, section 5.3: windows of a real log on both 32-node platforms, beside Figures 14 to 21.
-- takes: seconds to minutes, with the size of the groups
-- perigee run scripts/irmasim/real_log.lua --set log=FILE --out results     any log in the Standard Workload Format
--   --set windows=5 --set jobs=500     five runs of 500 consecutive jobs    --set round=100000  submit times, s
-- test: --set log="$(ls "$ROOT"/../shared/data/swf/*.swf.gz 2>/dev/null | head -n 1)" --set windows=2 --set jobs=120

local path, windows, jobs, round = setting("log", ""), setting("windows", 5), setting("jobs", 500), setting("round", 100000)
if path == "" then
  print "which log? pass one with --set log=FILE; that of the thesis (ForHLR II) is not needed, any will do"
  return
end

-- Tables 4 and 5: nodes, cores of each, GHz. Table 5 prints four nodes of each kind, 16 in all, where the text has 32.
local tables = {
  dist0 = { { 13, 32, 4.6 }, { 11, 20, 10.2 }, { 4, 8, 6.4 }, { 4, 8, 15.2 } },
  dist1 = { { 13, 32, 2.6 }, { 11, 20, 5.2 }, { 4, 8, 3.4 }, { 4, 8, 7.2 } },
  dist1_printed = { { 4, 32, 2.6 }, { 4, 20, 5.2 }, { 4, 8, 3.4 }, { 4, 8, 7.2 } },
}
local platforms = {}
for name, kinds in pairs(tables) do
  local parts = {}
  for i, kind in ipairs(kinds) do
    parts[i] = cluster("kind" .. i) { nodes = kind[1], cores = kind[2], speed = kind[3] * 1e9 }
  end
  platforms[name] = platform(parts)
end

-- Windows of consecutive jobs, spread over the log. The thesis rounds submit times to groups of 100 to 300 jobs.
local total = #workload.swf(path, { oversize = "split", ref_rate = 1e9 })
local size = math.min(jobs, total // windows)
if size < 1 then error(("%s has %d jobs, too few for %d windows"):format(path, total, windows), 0) end
local parts = {}
for i = 1, windows do
  parts[i] = workload.swf(path, { skip = (i - 1) * ((total - size) // math.max(1, windows - 1)), first = size,
                                  round_submit = round, oversize = "split", ref_rate = 1e9 })
end

local names, policy_of = require "policies" (128)
local numbers = {}
for i = 1, windows do numbers[i] = i end

local e = experiment "real_log" {
  factors = { { "platform", { "dist0", "dist1", "dist1_printed" } }, { "policy", names }, { "window", numbers } },
  run = function(f)
    return scenario { platform = platforms[f.platform], workload = parts[f.window] }
      :run { policy = policy_of[f.policy], information = "declared" }
  end,
  measure = { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown", "utilization" },
}

print(("%d windows of %d jobs of %s, submitted together every %g s"):format(windows, size, path, round))
local log = path:match("[^/]*$"):gsub("%.gz$", ""):gsub("%.swf$", "")
local rows, figure = {}, { dist0 = 14, dist1 = 18 }
for _, row in ipairs(e:rows()) do
  rows[row.platform] = rows[row.platform] or {}
  table.insert(rows[row.platform], row)
end
for _, name in ipairs { "dist0", "dist1", "dist1_printed" } do
  print(("\n%s, mean of the windows"):format(name))
  print(("%-17s %10s %10s %10s %10s"):format("policy", "total h", "wait s", "slowdown", "bounded"))
  for _, policy in ipairs(names) do
    local sum = { 0, 0, 0, 0 }
    for _, row in ipairs(rows[name]) do
      if row.policy == policy then
        for i, measure in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" } do
          sum[i] = sum[i] + row[measure] / windows
        end
      end
    end
    print(("%-17s %10.2f %10.1f %10.2f %10.2f"):format(policy, sum[1] / 3600, sum[2], sum[3], sum[4]))
  end
  if figure[name] and windows > 1 then
    local units = { total_time = "h", mean_wait = "s" }  -- as in the thesis
    for i, measure in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" } do
      plot(rows[name], { x = "policy", y = measure, y_unit = units[measure], kind = "box", text = false,
                         file = "figure" .. figure[name] + i - 1,
                         title = ("%s: %s on %s, as in Figure %d"):format(log, measure:gsub("_", " "), name, figure[name] + i - 1) })
    end
  end
end
print [[

The thesis, with another log: on dist0 all policies take near 120 h, A* least and full_random most (Figure 14); on dist1
min-min takes longest, then full_random, and A* is best (Figure 18). On both first-first, full_random and shortest_fastest
wait least. On dist0 shortest_fastest waits less than min-min, longest_fastest less than max-min, duplex between min-min and
max-min, and A* longest (Figure 15); on dist1 min-min waits as long as longest_fastest, max-min as long as duplex, and A* less
than duplex (Figure 19). All of this depends on the log, so it is printed and not claimed.]]
