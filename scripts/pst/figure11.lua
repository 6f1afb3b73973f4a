-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): the makespan by the size of shared files, all heuristics.
-- takes: seconds
-- perigee run scripts/pst/figure11.lua --out results
--   --set full=true     all ten sizes and ten applications

local figure11 = require "figure11_scenario"
local full = setting("full", false)
local maps = { "workqueue", "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" }
local sizes = full and figure11.sizes or { 0, 600, 2400, 4800, 9600 }

local e = experiment "figure 11" {
  factors = { { "size", sizes }, { "map", maps } },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    return figure11.scenario(f.size * 1000, seed):run { policy = f.map == "workqueue" and "workqueue" or planner { map = f.map } }
  end,
  measure = { "makespan", "shared_sends" },
}

local mean, sends = {}, {}
print "Makespan, s, by the size of a shared file, KB"
print("  size  " .. (("%19s"):rep(#maps)):format(table.unpack(maps)))
for _, size in ipairs(sizes) do
  mean[size] = {}
  local line = {}
  for _, row in ipairs(e:table "makespan") do
    if row.size == size then
      mean[size][row.map] = row.makespan
      line[#line + 1] = ("%11.0f +- %4.0f"):format(row.makespan, row.makespan_half_width)
    end
  end
  print(("%6d  %s"):format(size, table.concat(line)))
end
print "\nTransfers of a shared file to a cluster, of at most 24"
for _, size in ipairs(sizes) do
  sends[size] = {}
  local line = {}
  for _, row in ipairs(e:table "shared_sends") do
    if row.size == size then
      sends[size][row.map] = row.shared_sends
      line[#line + 1] = ("%19.1f"):format(row.shared_sends)
    end
  end
  print(("%6d  %s"):format(size, table.concat(line)))
end
plot(e:rows(), { x = "size", y = "makespan", by = "map", file = "figure11" })

-- The ratio of one heuristic to another, at the least and at the most, over the sizes of at least `from` and at most `to`.
local function ratio(of, to_that, from, to)
  local least, most = math.huge, -math.huge
  for _, size in ipairs(sizes) do
    if size >= from and size <= (to or math.huge) then
      local r = mean[size][of] / mean[size][to_that]
      least, most = math.min(least, r), math.max(most, r)
    end
  end
  return least, most
end

local function says(what, holds, found, verdict)
  claim { source = figure11.source .. ", Figure 11", says = what, holds = holds, found = found, verdict = verdict }
end

print ""
do
  local least = math.huge
  for _, map in ipairs(maps) do
    if map ~= "workqueue" then least = math.min(least, (ratio("workqueue", map, 0))) end
  end
  says("workqueue is the worst of all at every size", least > 1,
       ("its makespan is at least %.2f times that of any other"):format(least), "reproduces")
end
do
  local least = math.huge
  for _, size in ipairs(sizes) do
    least = math.min(least, sends[size].workqueue)
  end
  says("workqueue cannot take advantage of shared files", least == 24,
       ("it sends each to each cluster, and 1 KB more of each costs %.2f s"):format(
         (mean[9600].workqueue - mean[4800].workqueue) / 4800), "reproduces")
end
do
  local least, most = ratio("sufferage", "extended_sufferage", 4800)
  says("sufferage cannot use that files are shared: from 4800 KB on it is worse than extended sufferage", least > 1,
       ("%.2f to %.2f times as long"):format(least, most), "reproduces")
end
do
  local least, most = math.huge, 0
  for _, size in ipairs(sizes) do
    if size >= 2400 then
      least, most = math.min(least, sends[size].sufferage), math.max(most, sends[size].extended_sufferage, sends[size].sufferage_2)
    end
  end
  says("extended sufferage and sufferage II exploit that files are shared, sufferage does not: from 2400 KB on", least > most,
       ("sufferage makes at least %.1f transfers of 24, the others at most %.1f"):format(least, most), "reproduces")
end
do
  local _, two = ratio("sufferage_2", "min_min", 4800)
  says("min-min is worse than sufferage II where files are large", two < 1,
       ("from 4800 KB on sufferage II takes at most %.3f times as long"):format(two), "reproduces")
  local one, other = mean[4800].extended_sufferage / mean[4800].min_min, mean[9600].extended_sufferage / mean[9600].min_min
  says("min-min is worse than extended sufferage at 4800 and 9600 KB", one < 1 and other < 1,
       ("extended sufferage takes %.3f and %.3f times as long"):format(one, other), "reproduces")
end
do
  local least = ratio("extended_sufferage", "min_min", 0, 600)
  local two = ratio("sufferage_2", "min_min", 0, 600)
  says("extended sufferage and sufferage II are the best at every size", least <= 1 or two <= 1,
       ("up to 600 KB they take at least %.3f and %.3f times as long as min-min"):format(least, two), "does not reproduce")
end
do
  local least, most = ratio("max_min", "extended_sufferage", 4800)
  says("max-min is as good as the heuristics that look at sufferage at 4800 and 9600 KB", least < 1.02,
       ("%.2f to %.2f times as long as extended sufferage"):format(least, most), "does not reproduce")
end
do
  local least, found = 1, {}
  for _, map in ipairs(maps) do
    local y = {}
    for i, size in ipairs(sizes) do y[i] = mean[size][map] end
    local square = stats.fit.linear(sizes, y).r_squared
    found[#found + 1] = ("%s %.3f"):format(map, square)
    if map ~= "max_min" and map ~= "xsufferage" then least = math.min(least, square) end
  end
  says("all curves but that of max-min are nearly straight", least > 0.98, "R² of straight lines: " .. table.concat(found, ", "),
       "does not reproduce")
end
