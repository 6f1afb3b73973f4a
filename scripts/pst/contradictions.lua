-- Where sections 5.2 and 5.5 of the report contradict others (Berman et al. 1999).
-- takes: a moment
-- perigee run scripts/pst/contradictions.lua

require "pst"

-- When a chart is full: section 5.5 says that no sub-task starts after the next event and the margin, step (6) of Figure 5 that each host has one
-- which does.
local both, none, each, charts = 0, 0, 0, 0
for seed = 1, 200 do
  local rng, times, empty = stream("full", seed), {}, {}
  for i = 1, 30 do
    times[i], empty[i] = {}, {}
    for m = 1, 4 do times[i][m] = rng:uniform(10, 40) end
  end
  local c, horizon = cost.chart { times = times, clusters = { 1, 1, 2, 2 }, transfers = {}, inputs = empty, outputs = empty }, rng:uniform(30, 90)
  charts = charts + 1
  -- After each choice until each host has a task beyond the horizon.
  local by_none, by_each, together = false, false, false
  for _ = 1, 30 do
    c:fill("min_min", { count = 1 })
    local last, after = {}, 0
    for _, one in ipairs(c:computations()) do
      last[one.machine] = math.max(last[one.machine] or 0, one.start)
      if one.start > horizon then after = after + 1 end
    end
    local full = true
    for m = 1, 4 do full = full and (last[m] or 0) > horizon end
    by_none, by_each, together = by_none or after == 0, by_each or full, together or after == 0 and full
    if full then break end
  end
  if by_none then none = none + 1 end
  if by_each then each = each + 1 end
  if together then both = both + 1 end
end
claim { statement = "S3-46", verdict = "source in error", holds = both == charts,
        found = ("of %d charts that min-min fills, %d have no task after the margin at some choice, %d reach a task of each host after it, %d "
          .. "both at once"):format(charts, none, each,
            both),
        note = "perigee plans as Figure 5 has it: until each host has one" }

-- The ways of estimating that section 5.2.2 compares, and the results that the report has of each: section 8 alone has results, with perfect
-- estimates.
local announced = { ["exact estimates"] = 1, ["a bounded error"] = 0, ["discovered distributions"] = 0, ["forecasts from history"] = 0 }
local ways, with_results = 0, 0
for _, results in pairs(announced) do
  ways = ways + 1
  if results > 0 then with_results = with_results + 1 end
end
claim { statement = "S3-27", verdict = "source in error", holds = with_results == ways,
        found = ("section 5.2.2 announces results in section 7 of %d ways of estimating; the report has results of %d, in section 8"):format(ways,
          with_results),
        note = "counted in the text, no run decides it; section 9 says that studies of the quality of information are still to be done; " ..
              "quality.lua makes them" }
