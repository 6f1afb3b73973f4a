-- Declarations that could be taken for something else.
-- expect: as it should be
local expect = require "modules.expect"
local refused, same = expect.refused, expect.same

local pair = platform { host "a" {}, host "b" {}, cluster "c" { nodes = 2, link = { bandwidth = 1 } } }
local one = workload.tasks { { time = 1 } }
local function events(...) return scenario { platform = pair, workload = one, events = { ... } } end

-- The error for a value that is like a platform, a workload or an event tells how one is made.
refused("platform must be a platform, got a table; one is made by platform { part, ... }", function()
  scenario { platform = { host "a" {} }, workload = one }
end)
refused("platform must be a platform, got a platform part; one is made by platform", function()
  scenario { platform = host "a" {}, workload = one }
end)
refused("workload must be a workload, got a table; one is made by workload.tasks", function()
  scenario { platform = pair, workload = { { time = 1 } } }
end)
refused("there is no 'reservation'; the event is reserve { }, and work that reserves hosts workload.reservations { }", function()
  events(reservation { host = "a", from = 1, to = 2 })
end)

-- Who leaves is there, who joins is away.
refused("leave: 'a' leaves already at t = 1 s, in line 27; a join between the two is missing", function()
  events(
    leave { host = "a", at = 1 },
    leave { host = "a", at = 2 })
end)
refused("join: 'c' joins already at t = 3 s", function() events(join { cluster = "c", at = 5 }, join { cluster = "c", at = 3 }) end)
events(leave { host = "a", at = 1 }, join { host = "a", at = 2 }, leave { host = "a", at = 3 })
events(join { host = "a", at = 2 }, leave { host = "b", at = 2 })
events(leave { host = "c.1", at = 1 }, leave { cluster = "c", at = 2 }, join { cluster = "c", at = 3 }, leave { host = "c.1", at = 4 })
-- A cluster takes its hosts along and brings them, as it does in a simulation under way.
refused("leave: 'c.1' leaves with 'c' already at t = 1 s, in line 36; a join between the two is missing", function()
  events(leave { cluster = "c", at = 1 }, leave { host = "c.1", at = 2 })
end)
refused("join: 'c.1' joins with 'c' already at t = 2 s", function()
  events(leave { cluster = "c", at = 1 }, join { cluster = "c", at = 2 }, join { host = "c.1", at = 3 })
end)
refused("leave: 'c.1' is not there before 'c' joins at t = 5 s", function()
  events(join { cluster = "c", at = 5 }, leave { host = "c.1", at = 2 })
end)
refused("leave: 'c.1' leaves already at t = 1 s", function()
  events(leave { host = "c.1", at = 1 }, leave { cluster = "c", at = 2 },
    join { cluster = "c", at = 3, with_hosts = false }, leave { host = "c.1", at = 4 })
end)
events(leave { cluster = "c", at = 1 }, join { host = "c.1", at = 2 }, leave { host = "c.1", at = 3 })
events(join { cluster = "c", at = 5 }, join { host = "c.1", at = 2 }, leave { host = "c.1", at = 3 })

-- Hosts are named in one way.
refused("reserve: only one of host and cluster can be given; hosts = { ... } lists any hosts",
  function() events(reserve { host = "a", cluster = "c", from = 1, to = 2 }) end)
refused("failures: only one of host and hosts can be given",
  function() events(failures { hosts = { "b" }, host = "a", mtbf = 1, mttr = 2 }) end)
events(reserve { cluster = "c", link = "c.link", from = 1, to = 2 })

-- Outages add up: the task waits from 1 to 7 and ends at 8.
local r = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 2 } },
  on_failure = { compute = "resumed" },
  events = { outage { host = "a", from = 1, to = 5 }, outage { host = "a", from = 3, to = 7 } } }:run { policy = "fcfs" }
same(r.makespan, 8, "the makespan")

-- Deadlines.
for word, kind in pairs { tasks = "task", jobs = "job" } do
  refused(kind .. " 1: deadline must be after its arrival at 5, got 4", function() workload[word] { { time = 1, arrival = 5, deadline = 4 } } end)
  refused(kind .. " 1: deadline must be > 0 s, got -1", function() workload[word] { { time = 1, deadline = -1 } } end)
end

-- A text has a unit.
refused("host 'h': speed: '2' has no unit: write a number and a unit (as '2.6 GHz'), or 2 without quotation marks for 2 op/s",
  function() host "h" { speed = "2" } end)
refused("'10.' has no unit", function() workload.tasks { { time = "10." } } end)
refused("'0.5' has no unit: write a number and a unit (as '70 %'), or 0.5 without quotation marks",
  function() host "h" { availability = "0.5" } end)
refused("grouped: timeout: '3' has no unit", function() return grouped { timeout = "3" } end)
same(host "h" { speed = "2 op/s" } ~= nil and host "g" { availability = "50 %" } ~= nil, true, "texts with units")

-- Names of works may repeat; then a number is needed.
local twice = scenario { platform = pair, workload = workload.merge {
  workload.tasks { { name = "x", time = 1 }, { name = "y", time = 1 } }, workload.tasks { { name = "x", time = 1 } } } }
local done = twice:run { policy = "fcfs" }
refused("why: 2 works are called 'x', the first ones are number 1 and 3; give a number", function() done:why "x" end)
same(done:why("y").work, "y", "the work that is asked for")
same(done:why(3).work, "x", "the work that is asked for")

-- Work that no failure lets end, and work that a run gives up at its horizon.
local function failing(rule)
  return scenario { platform = platform { host "h" {} }, workload = workload.tasks { { name = "long", time = 1000 } },
    events = { failures { host = "h", mtbf = 1, mttr = 1 } }, on_failure = { compute = rule } }
end
for _, rule in ipairs { "lost", "restarted" } do
  refused("long is never done: by t = ", function() failing(rule):run { policy = "fcfs", trace = "none" } end)
  same(failing(rule):run { policy = "fcfs", horizon = 1e4 }.status, "horizon", rule)
end
same(failing "resumed":run { policy = "fcfs" }.status, "complete", "resumed")

print "as it should be"

-- A host that has joined another cluster leaves with it, and may join again.
scenario {
  platform = platform { cluster "c" { nodes = 2 }, host "h" {} },
  workload = workload.tasks { { time = 9 } },
  events = {
    leave { host = "h", at = 1 }, join { host = "h", cluster = "c", at = 2 },
    leave { cluster = "c", at = 3 }, join { host = "h", at = 5 },
  },
}
