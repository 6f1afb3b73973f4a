-- The order in which files are sent, and what links do with it, when tasks take longer or shorter than declared (sections 5.6.4 and 5.6.5).
-- takes: seconds
-- perigee run scripts/pst/order.lua --out results
--   --set full=true     more noise, ten applications: minutes
--
-- The grid of Figure 11; a task lists four own files of 1 to 120 KB, and then a file of 60 KB that it shares with 49 others, so that links and
-- hosts have about as much to do. Run times are declared with an error of up to `noise`, everything else is known.

local grids = require "grids"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local links = { greedy = { links = "greedy" }, strict = { links = "strict" }, ["hybrid, 2 s"] = { links = "hybrid", patience = 2 },
                ["hybrid, 10 s"] = { links = "hybrid" } }
local e = experiment "order" {
  factors = {
    { "noise", full and { 0, 0.25, 0.5, 0.9 } or { 0, 0.5 } }, { "order", { "usage", "listed", "largest", "smallest" } },
    { "links", { "greedy", "strict", "hybrid, 2 s", "hybrid, 10 s" } },
  },
  replications = setting("replications", full and 10 or 5),
  run = function(f, seed)
    local application = workload.tasks(full and 400 or 150, function(i, rng)
      local inputs, time = {}, rng:uniform(90, 110)
      for k = 1, 4 do inputs[k] = file(("in%d.%d"):format(i, k), rng:uniform(1e3, 120e3)) end
      inputs[5] = file("shared" .. (i - 1) // 50, 60e3)
      return { time = time, estimate = time * (1 + f.noise * rng:uniform(-1, 1)), inputs = inputs, output = rng:uniform(8e3, 12e3) }
    end)
    local given = { map = "extended_sufferage", order = f.order, interval = 600 }
    for name, value in pairs(links[f.links]) do given[name] = value end
    return scenario { platform = grids.grid({ clusters = pst.clusters }, seed), workload = application }:run {
      policy = planner(given), information = "declared perfect",
    }
  end,
  measure = { "makespan" },
}
-- end of experiment

for _, noise in ipairs(full and { 0, 0.25, 0.5, 0.9 } or { 0, 0.5 }) do
  print(("run times declared with an error of %g %%: makespan, s"):format(100 * noise))
  studies.print(e, "makespan", "order", "links", nil, function(row) return row.noise == noise end)
end
studies.plot(e, { x = "order", y = "makespan", by = "links", kind = "bars", file = "order" }, function(row) return row.noise == 0.5 end)
print ""

local function noisy(noise, links) return function(row) return row.noise == noise and (not links or row.links == links) end end
pst.claim("section 5.6.4", "files that most tasks need are sent first: that is better than the smallest first",
          studies.ratio(e, "makespan", "order", "usage", "smallest", noisy(0.5, "greedy")), "less", "does not reproduce")
pst.claim("section 5.6.5", "where tasks run longer than predicted, links that keep to the plan stay idle: greedy ones are better",
          studies.ratio(e, "makespan", "links", "greedy", "strict", noisy(0.5)), "less")
pst.claim("section 5.6.5", "to wait for outputs that will be there within 2 s is better than greedy links",
          studies.ratio(e, "makespan", "links", "hybrid, 2 s", "greedy", noisy(0.5)), "less", "does not reproduce")
-- What is overdue is expected in 10 s, always: to wait that long is to wait for all of it.
pst.claim("section 5.6.5", "a link that waits 10 s at most is better than one that waits for as long as it takes",
          studies.ratio(e, "makespan", "links", "hybrid, 10 s", "strict", noisy(0.5)), "less", "does not reproduce")
