-- The reports of a grid run: tables, metrics, the critical chain, the graph as a file.
-- expect: reports ok
-- args: --out $OUT/out
local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

-- Host near.1 takes tasks 1 and 2 in turn, behind 10 B/s: file "common" comes until 2, "own1" until 3, "own2" until 4; tasks
-- compute from 3 to 9 and 9 to 15, outputs are home at 10 and 16.
local grid = platform { cluster "near" { nodes = 1, link = { bandwidth = 10 } } }
local common = file("common", 20)
local s = scenario {
  platform = grid,
  workload = workload.tasks {
    { name = "one", time = 6, inputs = { common, file("own1", 10) }, output = 10 },
    { name = "two", time = 6, inputs = { common, file("own2", 10) }, output = 10 },
  },
}
local r = s:run { policy = planner { map = "min_min" }, validate = true }
same(r.makespan, 16, "makespan")
local chain = r:critical_chain()
same(chain:csv(), [[
kind,work,file,resource,start,finish,wait,after
transfer_in,,common,near.link,0,2,0,
transfer_in,,own1,near.link,2,3,0,resource
compute,one,,near.1,3,9,0,dependency
compute,two,,near.1,9,15,0,resource
transfer_out,two,two.out,near.link,15,16,0,dependency
]], "chain")
same(chain[4].work, "two", "a row")
same(r["chain.computation"], 12, "computation")
same(r["chain.transfer"], 4, "transfer")
same(r["chain.waiting"], 0, "waiting")
same(r.redundancy, 1, "redundancy")
same(math.type(r.sends), "integer", "a count")
same(r.sends, 3, "sends")
same(r.shared_sends, 1, "shared sends")
same(r.lower_bound, 12, "bound")
same(r.bytes_in, 40, "bytes in")
local plans = r:plans()
same(#plans, 1, "plans")
same(plans[1].cause, "arrival", "cause")
same(plans[1].tasks, 2, "tasks")
same(#r:deviations(), 0, "deviations")
local components = r:components()
same(#components, 1, "components")
same(components[1].tasks, 2, "tasks of a component")
same(components[1].bytes_alone, 60, "bytes alone")
same(r:resources()[1].computed, 2, "computed")
same(r:resources()[2].bytes_out, 20, "bytes out")

local text = r:graph()
assert(text:find("digraph G {", 1, true) == 1)
assert(text:find('[label="compute one\\nnear.1\\n3 to 9 s", shape=box, penwidth=3];', 1, true), text)
same(r:save_graph "run" , r, "chained")
refused("was written before", function() r:save_graph "run.dot" end)
refused("the name of a file is needed", function() r:save_graph(3) end)
refused("must be below the output folder", function() r:save_graph "../run" end)

-- Without the activities less is told.
local brief = s:run { policy = "planner", trace = "work" }
refused('run it with trace = "full"', function() return brief:critical_chain() end)
refused('run it with trace = "full"', function() return brief:graph() end)
refused('run it with trace = "full"', function() return brief.lower_bound end)

-- The planner's intervals: a plan each 5 s.
r = s:run { policy = planner { map = "min_min", interval = 5, strategy = "deviation" } }
assert(r.plan_count == #r:plans() and r.plan_count > 1)
same(r.plan_count, r["plan_count.arrival"] + r["plan_count.timer"] + r["plan_count.idle"], "causes")
local sum = 0
for _, row in ipairs(r:deviations()) do sum = sum + row.deviation end
assert(math.abs(r.mean_deviation - sum / #r:deviations()) < 1e-12)
print "reports ok"
