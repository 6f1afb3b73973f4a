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
  measure = { "makespan" },
}

local mean = {}
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
  local least, most = ratio("sufferage", "extended_sufferage", 2400)
  says("sufferage cannot use that files are shared: from 2400 KB on it is worse than extended sufferage", least > 1,
       ("%.2f to %.2f times as long"):format(least, most), "reproduces")
end
do
  local _, most = ratio("extended_sufferage", "min_min", 4800)
  local _, other = ratio("sufferage_2", "min_min", 4800)
  says("min-min is worse than extended sufferage and sufferage II where files are large", most < 1 and other < 1,
       ("from 4800 KB on they take at most %.3f and %.3f times as long"):format(most, other), "reproduces")
end
do
  local least = ratio("extended_sufferage", "min_min", 0, 2400)
  says("extended sufferage is the best at every size", least < 1,
       ("up to 2400 KB it takes at least %.3f times as long as min-min"):format(least), "does not reproduce")
end
do
  local least, most = ratio("max_min", "extended_sufferage", 4800)
  says("max-min is as good as the heuristics that look at sufferage at 4800 and 9600 KB", least < 1.02,
       ("%.2f to %.2f times as long as extended sufferage"):format(least, most), "does not reproduce")
end
