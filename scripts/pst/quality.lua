-- Quality of information against heuristics, on a stable and a jittery grid (Berman et al. 1999, section 5.2.2).
-- takes: seconds
-- perigee run scripts/pst/quality.lua --out results
--   --set full=true     all heuristics and qualities, ten grids and applications: minutes
--
-- The grid of Figure 11 with two thirds of its availability, in its jittery form with availabilities and bandwidths that are drawn anew
-- each 50 s on average, within 60 % of their mean. A plan each 600 s. Run times are declared with an error of up to 50 %, sizes of 25 %.

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local qualities = full and { "perfect", "error(0.1)", "error(0.25)", "error(0.5)", "error(0.75)", "mean", "last", "adapt_mse", "declared perfect",
                             "declared last" }
                  or { "perfect", "error(0.5)", "mean", "last" }
local e = experiment "quality" {
  factors = {
    { "grid", { "stable", "jittery" } }, { "information", qualities },
    { "map", full and { "workqueue", "min_min", "max_min", "sufferage", "extended_sufferage", "sufferage_2", "xsufferage" }
        or { "workqueue", "min_min", "extended_sufferage" } },
  },
  replications = setting("replications", full and 10 or 6),
  run = function(f, seed)
    local jitter = f.grid == "jittery" and 0.6 or 0
    local p = grids.grid({ clusters = pst.clusters_shared, jitter = jitter, link_jitter = jitter }, seed)
    local application = grids.application { tasks = full and 400 or 150, shared = 2.4e6, time_error = 0.5, size_error = 0.25 }
    return scenario { platform = p, workload = application }:run {
      policy = f.map == "workqueue" and "workqueue" or planner { map = f.map, interval = 600 }, information = f.information,
    }
  end,
  measure = { "makespan" },
}
-- end of experiment

for _, grid in ipairs { "stable", "jittery" } do
  print(grid .. " grid: makespan, s")
  studies.print(e, "makespan", "information", "map", nil, function(row) return row.grid == grid end)
end
studies.plot(e, { x = "information", y = "makespan", by = "map", kind = "bars", file = "quality" }, function(row) return row.grid == "jittery" end)
print ""

local function planned(grid) return function(row) return row.map ~= "workqueue" and row.grid == grid end end
local function selfish(row) return row.map == "workqueue" end
pst.claim("section 5.2.1", "workqueue needs no estimates: their quality makes no difference to it",
          studies.ratio(e, "makespan", "information", "error(0.5)", "perfect", selfish), "same")
pst.claim("section 5.2.2", "stable resources lead to good quality of information: the latest measurement is as good as the truth",
          studies.ratio(e, "makespan", "information", "last", "perfect", planned "stable"), "same")
pst.claim("section 5.2.2", "errors of up to 50 % harm plans on a stable grid",
          studies.ratio(e, "makespan", "information", "error(0.5)", "perfect", planned "stable"), "more")
pst.claim("section 5.2.2", "unstable resources make it difficult to obtain accurate estimates: the latest measurement harms plans on a jittery grid",
          studies.ratio(e, "makespan", "information", "last", "perfect", planned "jittery"), "more")
local ratio = studies.ratio(e, "makespan", "map", "extended_sufferage", "workqueue", function(row) return row.information == "last" and row.grid == "jittery" end)
claim { source = pst.source .. ", section 5.2.1", says = "scheduling with estimates is better than self-scheduling without, also where they are bad",
        holds = ratio.high < 1, found = "extended sufferage with the latest measurement takes " .. studies.text(ratio) ..
        " times as long as workqueue, on the jittery grid", verdict = "reproduces" }
