-- Outputs whose size is not known before: assumed, or learnt from those that have come home (Berman et al. 1999, section 5.2.1).
-- takes: seconds
-- perigee run scripts/pst/outputs.lua --out results
--   --set full=true     more heuristics: minutes
--
-- The grid of Figure 11; outputs of 20 to 180 KB are declared as they are, or all alike: as the mean, a tenth or ten times of it. A plan each
-- 600 s. Everything else is known.

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local declared = { known = false, mean = 100e3, tenth = 10e3, tenfold = 1e6 }
local e = experiment "outputs" {
  factors = {
    { "map", full and { "min_min", "sufferage", "extended_sufferage", "xsufferage" } or { "extended_sufferage" } },
    { "declared", { "known", "mean", "tenth", "tenfold" } }, { "information", { "declared perfect", "learnt perfect" } },
  },
  replications = setting("replications", 10),
  run = function(f, seed)
    local application = grids.application { output = { 20e3, 180e3 }, declared_output = declared[f.declared] or nil }
    return scenario { platform = grids.grid({ clusters = pst.clusters }, seed), workload = application }:run {
      policy = planner { map = f.map, interval = 600 }, information = f.information,
    }
  end,
  measure = { "makespan" },
}
-- end of experiment

studies.print(e, "makespan", "declared", "information")
plot(e:rows(), { x = "declared", y = "makespan", by = "information", kind = "bars", file = "outputs" })
print ""

local function declares(row) return row.information == "declared perfect" end
for _, row in ipairs { { "mean", "to take all outputs to be as large as their mean" }, { "tenth", "as a tenth of it" },
                       { "tenfold", "as ten times that" } } do
  local ratio = studies.ratio(e, "makespan", "declared", row[1], "known", declares)
  claim { source = pst.source .. ", section 5.2.1", says = "unknown sizes of outputs are not critical: " .. row[2], holds = ratio.mean < 1.05,
          found = studies.text(ratio) .. " times as long as when they are known", verdict = "reproduces" }
end
local learnt = studies.ratio(e, "makespan", "information", "learnt perfect", "declared perfect", function(row) return row.declared == "tenfold" end)
claim { source = pst.source .. ", section 5.2.1", says = "to estimate them from earlier ones is better than to take ten times too much",
        holds = learnt.mean < 1, found = studies.text(learnt) .. " times as long", verdict = "reproduces" }
