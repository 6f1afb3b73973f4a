-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): randomised heuristics against those that are not.
-- takes: seconds
-- perigee run scripts/pst/figure11_random.lua --out results
--   --set full=true     all ten sizes and ten applications

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local maps = { "min_min", "max_min", "sufferage", "extended_sufferage" }

local e = experiment "figure 11, random" {
  factors = { { "size", full and figure11.sizes or { 600, 4800 } }, { "map", maps }, { "random", { "no", "0", "0.01", "0.05" } } },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    return figure11.run(f.size * 1000, seed, planner { map = f.map, random = tonumber(f.random) })
  end,
}
