-- Files of the Parameter Sweep Template's simulator: what they declare happens when they say, traced by hand.
-- expect: pst ok
-- args: --validate --out $OUT/out

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

-- ---- a behaviour begins where it is installed ----
-- At 3 s the link is at entry 1: 2 s of latency, then 10 B/s until 8 s (30 B), then 20 B/s: 70 B are there at 10 s. The
-- host is at 100 % until 13 s (3 of 6 s are done), at 50 % until 18 s (5.5 s), at 100 % again: done at 18.5 s, when the link is
-- at entry 1 again, for 15 s have passed: 2 s, 25 B until 23 s, and 5 B at 20 B/s: 23.25 s.
local p, events = platform.pst "data/pst/grid.txt"
same(table.concat(p:hosts(), " "), "h", "hosts")
local w = workload.pst "data/pst/application.txt"
same(#w, 1, "tasks")
local s = scenario { platform = p, workload = w, events = events }
local r = s:run { policy = "workqueue" }
same(r.status, "complete", "status")
same(r:jobs()[1].name, "task0", "name")
same(r:jobs()[1].start, 10, "start")
same(r.makespan, 23.25, "makespan")

-- ---- from tables, with another period ----
-- 10 s for each entry: 2 s, then 10 B/s for 7 s: 12 s; at half speed for 1 s, then at full: 18.5 s; from 13 s on the link is at
-- entry 2: 30 B at 20 B/s.
local function tables(behaviours)
  return platform.pst("data/pst/grid.txt", { period = 10, behaviours = behaviours })
end
local p2, events2 = tables {
  uneven = { bandwidth = { "100 B/s", 10, 20 }, latency = { 1, "2000 ms", 0 } }, half = { 1, "50 %" },
}
same(scenario { platform = p2, workload = w, events = events2 }:run { policy = "workqueue" }.makespan, 20, "period")

-- ---- a change in flight ----
-- Latency that has begun keeps its end at 2 s, the bytes move at 5 B/s from there on: 4 s. The second file has 5 s of latency, 5 B
-- until 10 s, and the rest at 10 B/s: 10.5 s.
local two = workload.pst { text = [[
WorkDescription 1 2 1
File: <0> <a> <10> <10>
File: <1> <b> <10> <10>
Work: <0> <2: 0 1> <0:> <1: 1> <1: 1>
]] }
local function ran(text, behaviours, work, policy)
  local where, what = platform.pst({ text = "GridDescription 1\n" .. text }, { behaviours = behaviours })
  return scenario { platform = where, workload = work, events = what }:run { policy = policy or "workqueue" }
end
local links = {
  first = { bandwidth = 10, latency = 2 }, second = { bandwidth = 5, latency = 5 }, third = { bandwidth = 10 },
  all = 1, half = 0.5,
}
local changed = ran([[
0:ADD_CLUSTER <c> <first> <0>
0:ADD_HOST <c> <h> <all> <0> <0>
1:CHANGE_CLUSTER_BEHAVIOR <c> <second> <0>
10:CHANGE_CLUSTER_BEHAVIOR <c> <third> <0>
11:CHANGE_HOST_BEHAVIOR <h> <half> <9>
]], links, two)
same(changed:jobs()[1].start, 10.5, "a change in flight")
same(changed.makespan, 12, "0.5 s at full speed until 11 s, the rest at half")

-- ---- what goes and comes back ----
-- The host goes at 15 s, its 30 s not done, and comes back at 20 s in the other cluster, where it is of another architecture and has
-- no files: 1 s for 10 B, then 4 s.
local moves = ran([[
0:ADD_CLUSTER <one> <third> <0>
0:ADD_CLUSTER <two> <third> <0>
0:ADD_HOST <one> <h> <half> <0> <0>
9:CHANGE_HOST_BEHAVIOR <h> <all> <0>
15:REMOVE_HOST <h>
20:ADD_HOST <two> <h> <all> <0> <1>
]], links, workload.pst { text = [[
WorkDescription 1 1 1
File: <0> <a> <10> <10>
Work: <0> <1: 0> <0:> <2: 30 4> <2: 30 4>
]] })
same(moves.lost, 1, "lost with its host")
same(moves.makespan, 25, "elsewhere")
same(moves.bytes_moved, 20, "sent to either cluster")

-- The store keeps its file while its cluster is away, and the host does not come back with it.
local back = [[
0:ADD_CLUSTER <c> <third> <0>
0:ADD_HOST <c> <h> <all> <0> <0>
3:REMOVE_CLUSTER <c>
5:ADD_CLUSTER <c> <third> <0>
]]
local one = workload.pst { text = [[
WorkDescription 1 1 1
File: <0> <a> <10> <10>
Work: <0> <1: 0> <0:> <1: 4> <1: 4>
]] }
same(ran(back, links, one).status, "incomplete", "its host stays away")
local again = ran(back .. "8:ADD_HOST <c> <h> <all> <0> <0>\n", links, one)
same(again.makespan, 12, "no transfer before it runs again")
same(again.bytes_moved, 10, "sent once")

-- A task computed at 5 s, whose 100 B are on the way home when its cluster goes, is done again.
local stranded = ran([[
0:ADD_CLUSTER <c> <third> <0>
0:ADD_HOST <c> <h> <all> <0> <0>
8:REMOVE_CLUSTER <c>
10:ADD_CLUSTER <c> <third> <0>
10:ADD_HOST <c> <h> <all> <0> <0>
]], links, workload.pst { text = [[
WorkDescription 1 2 1
File: <0> <a> <10> <10>
File: <1> <out> <100> <100>
Work: <0> <1: 0> <1: 1> <1: 4> <1: 4>
]] })
same(stranded.makespan, 24, "4 s of work and 10 s on the link, from 10 s on")

-- ---- writing, and reading it again ----
s:pst("written", { seed = 1 })
-- (below --out, which no script reads: that it is read as it was is tested elsewhere)

-- ---- what is refused ----
refused("data/pst/application.txt:1: the first line must begin with 'GridDescription'",
  function() platform.pst "data/pst/application.txt" end)
refused("unknown field 'behaviors'; did you mean 'behaviours'?",
  function() platform.pst("data/pst/grid.txt", { behaviors = "data/pst" }) end)
refused("data/pst/grid.txt:3: there is no file 'data/uneven' or 'data/uneven.link'; platform.pst(..., { behaviours = }) takes "
        .. "another folder, or a table of what is missing: { uneven = { bandwidth = }, half = 1 }",
  function() platform.pst("data/pst/grid.txt", { behaviours = "data" }) end)
refused("data/pst/grid.txt:3: 'uneven' is the behaviour of a host, that of a link is needed",
  function() tables { uneven = 1, half = 1 } end)
refused("data/pst/grid.txt:4: there is no behaviour 'half' of a host; did you mean 'hafl'?",
  function() tables { uneven = { bandwidth = 1 }, hafl = 1 } end)
refused("2 entries of bandwidth and 3 of latency do not go together",
  function() tables { uneven = { bandwidth = { 1, 2 }, latency = { 1, 2, 3 } }, half = 1 } end)
refused("must be >= 0 and <= 1, got 1.5", function() tables { half = 1.5 } end)
refused("text:2: version must be 1, got '3'", function() workload.pst { text = "\nWorkDescription 3 0 0" } end)
refused("the grid has no clusters", function() platform.pst { text = "GridDescription 1" } end)
refused("architecture must be below 1, for which there are run times, got 1", function()
  ran("0:ADD_CLUSTER <c> <first> <0>\n0:ADD_HOST <c> <h> <all> <0> <1>\n", links, one)
end)
refused("unknown host 'h'", function()
  scenario { platform = platform { cluster "c" { link = { bandwidth = 1 } } }, workload = w, events = events }
end)
refused("the format has tasks on one core only", function()
  scenario { platform = p, workload = workload.jobs { { time = 1, cores = 2 } } }:pst "wide"
end)
print "pst ok"
