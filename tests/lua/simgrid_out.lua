-- A run saved for SimGrid: the platform reads back, and what SimGrid has no words for is refused.
-- args: --out $OUT --data $OUT
-- expect: simgrid out ok

local same, refused = require("modules.expect").same, require("modules.expect").refused
local p = platform {
  router "hub", link "backbone" { to = "hub", bandwidth = 20, latency = 1, sharing = "fair" },
  cluster "c" { nodes = 2, cores = 4, speed = 2.5, at = "hub", link = { bandwidth = 100, latency = 0.5, sharing = "unlimited" } },
}
local s = scenario { platform = p, workload = workload.tasks { { ops = 10, inputs = { file("data", 200) } }, { ops = 5 } } }
local r = s:run { policy = "workqueue" }
r:save("run", { "simgrid", only = { "metrics" } })

local again, notes = platform.simgrid("run/simgrid_platform.xml")
same(table.concat(again:hosts(), " "), "@origin c.1 c.2 @route 1", "hosts")
same(again:total_cores(), 10, "cores")
for _, note in ipairs(notes) do assert(note.what == "links" or note.what == "routes", note.what) end

local anew = scenario {
  platform = platform { host "n" {} }, workload = workload.tasks { { time = 10 } },
  events = { outage { host = "n", from = 5, to = 20 } }, on_failure = { compute = "restarted" },
}:run { policy = "workqueue" }
refused("work on 'n' is begun anew after its absence from t = 5 on", function() anew:save("anew", { "simgrid" }) end)
refused("did you mean 'simgrid'?", function() r:save("again", { "simgrit" }) end)
refused('trace = "full"', function() s:run { policy = "workqueue", trace = "none" }:save("short", { "simgrid" }) end)
print "simgrid out ok"
