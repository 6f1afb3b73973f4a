-- Figure 4.9 of Mamat (2011): the fewest nodes that are in time against all, by the cost of transmission and by deadlines.
-- takes: seconds
-- perigee run scripts/dlsim/figure4-9.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local horizon = dlsim.horizon(3e5)
-- With long set-ups there are fewer loads in the same time, and runs that are too short say the contrary of long ones.
local function long_enough(setup) return (setup < 500 or dlsim.full) and horizon or 10 * horizon end

-- By a factor, the mean over loads of what MN rejects more than AN.
local function part(figure, factor, levels, setup)
  local e = dlsim.experiment(("%s, set-ups of %d"):format(figure, setup), { "EDF-OPR-MN", "EDF-OPR-AN" },
                             { { factor, levels }, { "load", dlsim.loads { 0.4, 0.8 } } },
                             function() return { horizon = long_enough(setup), setup = setup } end)
  local gaps, texts, points = {}, {}, {}
  for i, level in ipairs(levels) do
    local found = dlsim.difference(e, "reject_ratio", "EDF-OPR-MN", "EDF-OPR-AN", function(row) return row[factor] == level end)
    gaps[level], texts[i] = found.mean, ("%+.3f at %d"):format(found.mean, level)
    for _, row in ipairs(found.rows) do points[#points + 1] = { [factor] = level, difference = row.difference, load = row.load } end
  end
  print(("\n%s, set-ups of %d: reject ratio of MN less that of AN"):format(figure, setup))
  for _, point in ipairs(points) do
    print(("  %s %2d, load %.1f: %+.3f"):format(factor, point[factor], point.load, point.difference))
  end
  if dlsim.full then
    plot(points, { x = factor, y = "difference", by = "load", file = ("%s-%d"):format(figure:lower():gsub("[ .]", ""), setup) })
  end
  return gaps, table.concat(texts, ", ")
end

local by_bytes, by_deadline = { 1, 10, 20 }, { 2, 6, 10 }
if dlsim.full then by_bytes, by_deadline = { 1, 5, 10, 15, 20 }, { 2, 4, 6, 8, 10 } end
for _, setup in ipairs { 0, 5, 500 } do
  local gap, text = part("Figure 4.9a", "bytes", by_bytes, setup)
  claim { source = dlsim.source .. ", Figure 4.9a",
          says = ("MN rejects more than AN where transmission costs little, fewer where it costs much: set-ups of %d"):format(setup),
          holds = gap[1] > 0 and gap[20] < 0, found = text, verdict = setup == 500 and "does not reproduce" or "reproduces" }
  gap, text = part("Figure 4.9b", "deadline_ratio", by_deadline, setup)
  claim { source = dlsim.source .. ", Figure 4.9b",
          says = ("MN gains on AN as deadlines become longer: set-ups of %d"):format(setup),
          holds = gap[10] < gap[2], found = text, verdict = "reproduces" }
end
