-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999) with one plan, a plan each 600 s, and plans of three tasks a host.
-- takes: seconds
-- perigee run scripts/pst/figure11_modes.lua --out results
--   --set full=true     all ten sizes, all heuristics, ten applications: minutes
--
-- Section 7.4 says that the authors planned a number of tasks in proportion to the hosts at a time.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local maps = full and { "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" }
             or { "min_min", "sufferage", "extended_sufferage" }
local modes = { ["one plan"] = {}, ["each 600 s"] = { interval = 600 }, ["three a host"] = { count = 3 } }
local order = { "one plan", "each 600 s", "three a host" }

local e = experiment "figure 11, modes" {
  factors = { { "mode", order }, { "size", full and figure11.sizes or { 9600 } }, { "map", { "workqueue", table.unpack(maps) } } },
  where = function(f) return f.map ~= "workqueue" or f.mode == "one plan" end,  -- it has no plans
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    local given = { map = f.map }
    for name, value in pairs(modes[f.mode]) do given[name] = value end
    return figure11.scenario(f.size * 1000, seed):run { policy = f.map == "workqueue" and "workqueue" or planner(given) }
  end,
  measure = { "makespan" },
}
-- end of experiment

for _, mode in ipairs(order) do
  print(("%s: makespan, s, by the size of a shared file, KB"):format(mode))
  local function here(row) return row.mode == mode end
  studies.print(e, "makespan", "size", "map", nil, here)
  if full then
    studies.plot(e, { x = "size", y = "makespan", by = "map", title = mode, file = "figure11_modes, " .. mode, text = false }, here)
  end
end
studies.plot(e, { x = "map", y = "makespan", by = "mode", kind = "bars", file = "figure11_modes, 9600 KB" }, function(row) return row.size == 9600 end)
print ""

-- Of two heuristics, in a mode and with shared files of a size: whether one takes longer than the other, on average.
local function says(what, mode, size, one, other, verdict, holds)
  local ratio = studies.ratio(e, "makespan", "map", one, other, function(row) return row.mode == mode and row.size == size end)
  holds = holds or function(mean) return mean > 1 end
  claim { source = figure11.source .. ", Figure 11", says = ("%s: %s, %d KB"):format(what, mode, size), holds = holds(ratio.mean),
          found = studies.text(ratio) .. " times as long", verdict = verdict or "reproduces" }
end
for _, mode in ipairs(order) do
  says("min-min is worse than extended sufferage", mode, 9600, "min_min", "extended_sufferage")
  says("sufferage is worse than min-min", mode, 9600, "sufferage", "min_min")
  if full then
    for _, size in ipairs { 4800, 9600 } do
      says("max-min is as good as extended sufferage", mode, size, "max_min", "extended_sufferage", "does not reproduce",
           function(mean) return mean < 1.02 end)
    end
  end
end
if full then
  says("min-min is worse than extended sufferage", "three a host", 4800, "min_min", "extended_sufferage")
  says("min-min is worse than extended sufferage", "each 600 s", 4800, "min_min", "extended_sufferage", "does not reproduce")
end
