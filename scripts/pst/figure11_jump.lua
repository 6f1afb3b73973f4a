-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): what extended sufferage and sufferage II do where no step stands out.
-- takes: seconds
-- perigee run scripts/pst/figure11_jump.lua --out results
--   --set full=true     all ten sizes and ten applications
--
-- With three clusters there are two steps between completions, and the larger one equals their mean plus their standard deviation
-- (Figures 12 and 13): the strict test never finds a first jump on this grid, and `jump` decides everything.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local source = figure11.source .. ", Figures 12 and 13"

local maps = { ["xsufferage"] = "xsufferage" }
local order = { "xsufferage" }
for _, jump in ipairs { "classic", "largest", "none" } do
  maps["extended, " .. jump], maps["II, " .. jump] = extended_sufferage { jump = jump }, sufferage_2 { jump = jump }
  order[#order + 1], order[#order + 2] = "extended, " .. jump, "II, " .. jump
end
local e = experiment "figure 11, jump" {
  factors = { { "size", full and figure11.sizes or { 2400, 7200, 9600 } }, { "map", order } },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed) return figure11.scenario(f.size * 1000, seed):run { policy = planner { map = maps[f.map] } } end,
  measure = { "makespan", "shared_sends" },
}
-- end of experiment

print "Makespan, s, by the size of a shared file, KB"
studies.print(e, "makespan", "size", "map")
print "\nTransfers of a shared file to a cluster, of at most 24"
studies.print(e, "shared_sends", "size", "map", "%.1f +- %.1f")
plot(e:rows(), { x = "size", y = "makespan", by = "map", file = "figure11_jump" })
print ""

local function largest(row) return row.size == 9600 end
-- Whether two levels have the same makespan in every cell, to the bit.
local function identical(one, other)
  local of = {}
  for _, row in ipairs(e:rows()) do of[row.map .. row.size .. "/" .. row.replication] = row.makespan end
  for _, row in ipairs(e:rows()) do
    if of[one .. row.size .. "/" .. row.replication] ~= of[other .. row.size .. "/" .. row.replication] then return false end
  end
  return true
end
local none = studies.ratio(e, "makespan", "map", "extended, none", "xsufferage", largest)
claim { source = source, says = "taken literally, the first jump makes extended sufferage and sufferage II the best heuristics",
        holds = none.mean <= 1, found = "with three clusters there is none, and both take " .. studies.text(none) ..
        " times as long as XSufferage at 9600 KB", verdict = "source in error" }
claim { source = source, says = "where no jump is found and none counts, extended sufferage and sufferage II are the same",
        holds = identical("extended, none", "II, none"), found = "in every run", verdict = "reproduces" }
claim { source = "Casanova et al., HCW 2000", says = "with the first step as the jump both are XSufferage",
        holds = identical("extended, classic", "xsufferage") and identical("II, classic", "xsufferage"), found = "in every run",
        verdict = "reproduces" }
-- Against the best of the others here.
for _, row in ipairs { { "extended sufferage", "extended, largest", "does not reproduce" }, { "sufferage II", "II, largest", "reproduces" } } do
  local name, level, verdict = table.unpack(row)
  local ratio = studies.ratio(e, "makespan", "map", level, "xsufferage", function(r) return r.size >= 7200 end)
  claim { source = figure11.source .. ", Figure 11", says = name .. ", with the largest step as the jump, is the best where files are large",
          holds = studies.sense(ratio) ~= "more",
          found = studies.text(ratio) .. " times as long as XSufferage at 7200 and 9600 KB", verdict = verdict }
end
