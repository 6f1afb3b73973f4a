-- Outages from a file: a byte-order mark is skipped, mistakes are found where they stand.
-- expect: one outage
local expect = require "modules.expect"
local p = platform { cluster "c" { nodes = 1 } }
local function run(file)
  return scenario { platform = p, workload = workload.tasks { { time = 10 } }, events = { outages_from(file) } }
    :run { policy = "workqueue" }
end
expect.same(run("data/outages_mark.csv").makespan, 12, "lost at 1, done again from 2")
expect.refused("outages_quotes.csv:3: ", function() run("data/outages_quotes.csv") end)
print "one outage"
