-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): randomised heuristics against those that are not.
-- takes: seconds
-- perigee run scripts/pst/figure11_random.lua --out results
--   --set full=true     four sizes, ties only (0) too, ten applications: minutes

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local maps = { "min_min", "max_min", "sufferage", "extended_sufferage" }

local e = experiment "figure 11, random" {
  factors = { { "size", full and { 600, 2400, 4800, 9600 } or { 4800 } }, { "map", maps }, { "random", full and { "no", "0", "0.01" } or { "no", "0.01" } } },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    return figure11.scenario(f.size * 1000, seed):run { policy = planner { map = f.map, random = tonumber(f.random) } }
  end,
  measure = { "makespan", "shared_sends" },
}
-- end of experiment

for _, size in ipairs(full and { 600, 2400, 4800, 9600 } or { 4800 }) do
  print(("%d KB: makespan, s; candidates within no, 0 or 1 %% of the best"):format(size))
  studies.print(e, "makespan", "map", "random", nil, function(row) return row.size == size end)
end
studies.plot(e, { x = "map", y = "makespan", by = "random", kind = "bars", file = "figure11_random" }, function(row) return row.size == 4800 end)
print ""

local found, apart = {}, 0
for _, map in ipairs(maps) do
  local ratio = studies.ratio(e, "makespan", "random", "0.01", "no", function(row) return row.map == map and row.size == 4800 end)
  found[#found + 1] = ("%s %s"):format(map, studies.text(ratio))
  apart = math.max(apart, math.abs(ratio.mean - 1))
end
claim { source = figure11.source, says = "randomised heuristics perform as those that are not", holds = apart < 0.01,
        found = "at 4800 KB the randomised ones take so many times as long: " .. table.concat(found, ", "), verdict = "does not reproduce" }
local function sufferage(measure)
  return studies.ratio(e, measure or "makespan", "random", "0.01", "no", function(row) return row.map == "sufferage" and row.size == 4800 end)
end
claim { source = figure11.source, says = "randomised sufferage, too, cannot use that files are shared", holds = sufferage("shared_sends").mean > 0.9,
        found = ("it makes %s times as many transfers of shared files, and takes %s times as long, at 4800 KB"):format(
          studies.text(sufferage "shared_sends"), studies.text(sufferage())), verdict = "does not reproduce" }
