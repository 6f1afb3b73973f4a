-- Figure 11 of Casanova, Zagorodnov, Berman and Legrand (1999): links that do what the chart says, and links that send what can be sent.
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/figure11_links.lua --out results
--   --set full=true     all ten sizes and ten applications
--
-- order.lua judges what the report says of orders.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local maps = { "min_min", "extended_sufferage", "sufferage_2" }

local e = experiment "figure 11, links" {
  factors = { { "size", full and figure11.sizes or { 2400, 4800 } }, { "map", maps }, { "links", { "greedy", "strict", "hybrid" } } },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed) return figure11.scenario(f.size * 1000, seed):run { policy = planner { map = f.map, links = f.links } } end,
  measure = { "makespan" },
}
-- end of experiment

print "Makespan over that with greedy links, by the size of a shared file, KB"
print(("%6s %-20s %16s %16s"):format("size", "", "strict", "hybrid"))
for _, row in ipairs(e:table "makespan") do
  if row.links == "greedy" then
    local function here(r) return r.size == row.size and r.map == row.map end
    print(("%6d %-20s %16s %16s"):format(row.size, row.map, studies.text(studies.ratio(e, "makespan", "links", "strict", "greedy", here)),
                                         studies.text(studies.ratio(e, "makespan", "links", "hybrid", "greedy", here))))
  end
end
studies.plot(e, { x = "size", y = "makespan", by = "links", file = "figure11_links" }, function(row) return row.map == "extended_sufferage" end)
