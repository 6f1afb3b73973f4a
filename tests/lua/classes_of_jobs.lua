-- Classes of jobs by width and length, core-seconds by what they went into, further columns of jobs. All by hand.
-- expect: classes ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

-- Two jobs on three hosts, one after the other, and one that is killed at 4 s.
local s = scenario {
  platform = platform { cluster "n" { nodes = 4, setup = 1 } },
  workload = workload.jobs {
    { name = "a", nodes = 3, time = 9 }, { name = "b", nodes = 3, time = 9, arrival = 1 },
    { name = "c", time = 30, limit = 4, arrival = 2 },
  },
}
local r = s:run { policy = "fcfs", validate = true }
-- a from 0 to 10, b from 10 to 20; c behind b from 10 to 14.
same(r["core_time.useful"], 54.0, "useful")
same(r["core_time.setup"], 6.0, "setup")
same(r["core_time.killed"], 4.0, "killed")
same(r["core_time.lost"], 0.0, "lost")
same(r["core_time.standing"], 0.0, "standing")
same(r.waste, 10 / 64, "waste")
-- One core is idle from 1 to 10: b asks for three of them.
same(r.lost_capacity, 9 / 80, "lost capacity")
same(r.fragmentation, 0.0, "fragmentation")

local rows = r:classes { widths = { 2 }, lengths = { "10 s", "1 min" } }
same(#rows, 2, "classes")
same(rows[1].width .. ", " .. rows[1].length, "1-2, up to 10 s", "first class")
same(rows[1].killed, 1, "killed of it")
same(rows[2].width .. ", " .. rows[2].length, "above 2, up to 10 s", "second class")
same(rows[2].works, 2, "works of it")
same(rows[2].mean_wait, 4.5, "wait of it")
same(rows[2].core_seconds, 60, "core-seconds of it")
same(r:classes { widths = {}, lengths = {} }[1].works, 3, "one class")
same(r:classes { unit = "nodes" }[2].width, "2-8", "classes of nodes")
same(#r:classes(), 2, "classes by default")

refused("widths must ascend: 4 comes after 8", function() r:classes { widths = { 8, 4 } } end)
refused("widths[2] must be a whole number, got 2.5", function() r:classes { widths = { 1, 2.5 } } end)
refused("widths[1]", function() r:classes { widths = { 0 } } end)
refused("lengths must ascend: 60 comes after 60", function() r:classes { lengths = { "1 min", 60 } } end)
refused("lengths[1]", function() r:classes { lengths = { 0 } } end)
refused("did you mean 'lengths'", function() r:classes { length = { 1 } } end)
refused("unit", function() r:classes { unit = "hosts" } end)
refused("trace = \"full\"", function() s:run { policy = "fcfs", trace = "work" }:classes() end)
refused("rows", function() r:gantt { rows = 0 } end)
refused("rows goes with kind = \"gantt\" alone", function() r:plot { kind = "queue", rows = 3 } end)

local jobs = r:jobs()
same(jobs[1].allocation, "n.1:1 n.2:1 n.3:1", "allocation")
same(jobs[1].hosts, "n.1 n.2 n.3", "hosts as a value")
same(jobs[3].nodes, 1, "nodes")
same(jobs[3].attempts, 1, "attempts")
same(jobs[3].limit, 4, "limit")
same(jobs[1].limit, nil, "no limit")
assert(tostring(r:attempts()):find("n.1..n.3", 1, true), "a range in the text")
assert(not r:attempts():csv():find("..", 1, true), "no range in the file")

-- Without shapes and limits the table is as it was.
local plain = scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 1 } } }
refused("no column 'nodes'", function() return plain:run { policy = "fcfs" }:jobs()[1].nodes end)
print("classes ok")
