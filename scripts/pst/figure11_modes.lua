-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999) with one plan, a plan each 600 s, and plans of three tasks a host.
-- takes: seconds
-- perigee run scripts/pst/figure11_modes.lua --out results
--   --set full=true     all ten sizes and ten applications: minutes
--
-- Section 7.4 says that the authors planned a number of tasks in proportion to the hosts at a time.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local maps = { "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" }
local modes = { ["one plan"] = {}, ["each 600 s"] = { interval = 600 }, ["three a host"] = { count = 3 } }
local order = { "one plan", "each 600 s", "three a host" }

local e = experiment "figure 11, modes" {
  factors = { { "mode", order }, { "size", full and figure11.sizes or { 600, 4800, 9600 } }, { "map", { "workqueue", table.unpack(maps) } } },
  where = function(f) return f.map ~= "workqueue" or f.mode == "one plan" end,  -- it has no plans
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    local given = { map = f.map }
    for name, value in pairs(modes[f.mode]) do given[name] = value end
    return figure11.run(f.size * 1000, seed, f.map == "workqueue" and "workqueue" or planner(given))
  end,
}
