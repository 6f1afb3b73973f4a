-- Task graphs: counts in closed form, the check values of random ones, functions for amounts, files there and back, and
-- what is refused.
-- args: --out $OUT --data $OUT
-- expect: graphs ok
local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local function counts(g, tasks, edges)
  same(#g, tasks, tostring(g) .. ": tasks")
  same(#g:edges(), edges, tostring(g) .. ": edges")
end
local function close(a, b, what) assert(math.abs(a - b) <= 1e-12 * b, what .. ": " .. a .. " is not " .. b) end
local function coded(code, text, f)
  refused(text, f)
  local _, problem = pcall(f)
  same(problem.code, code, "code of '" .. text .. "'")
end

counts(graph.chain { n = 7 }, 7, 6)
counts(graph.fork_join { width = 5, stages = 3 }, 19, 30)
counts(graph.out_tree { branching = 3, depth = 2 }, 13, 12)
counts(graph.in_tree { depth = 3 }, 15, 14)
counts(graph.stencil { r = 3, c = 4 }, 12, 17)
counts(graph.gaussian { size = 5 }, 14, 19)
counts(graph.fft { points = 4 }, 15, 22)
counts(graph.cholesky { tiles = 5 }, 35, 60)
counts(graph.lu { tiles = 5 }, 55, 110)
counts(graph.montage { r = 3, c = 4 }, 58, 138)
counts(graph.montage { r = 10, c = 10 }, 547, 1429)

-- The check values of the generators.
for _, check in ipairs {
  { graph.layered { tasks = 20, alpha = 1, degree = 5, hosts = 4, ccr = 1, beta = 1, rng = stream.splitmix(1) },
    36, 4225.822982311441, 1579.8662086788233 },
  { graph.layered { tasks = 100, alpha = 0.5, degree = 3, hosts = 4, ccr = 1, beta = 1, rng = stream.splitmix(2) },
    206, 22331.691677590923, 9945.657452729136 },
  { graph.levels { tasks = 30, fat = 0.5, regularity = 0.2, density = 0.8, jump = 2, hosts = 4, ccr = 1, beta = 2, rng = stream.splitmix(4) },
    63, 5409.939873892449, 3088.8211098828197 },
} do
  local s = check[1]:summary()
  same(s.edges, check[2], "edges")
  same(s.files, check[2], "files")
  same(s.hosts, 4, "hosts")
  close(s.time, check[3], "times")
  close(s.bytes, check[4], "bytes")
end

-- The ten tasks of Topcuoglu et al. 2002.
local ten = graph.matrix {
  times = { { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 }, { 12, 13, 10 }, { 13, 16, 9 }, { 7, 15, 11 },
            { 5, 11, 14 }, { 18, 12, 20 }, { 21, 7, 16 } },
  edges = { { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 }, { 1, 5, 11 }, { 1, 6, 14 }, { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 },
            { 4, 8, 27 }, { 4, 9, 23 }, { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 } },
}
same(tostring(ten), "task graph of 10 tasks and 15 edges", "text")
same(table.concat(ten:entries(), " "), "1", "entries")
same(table.concat(ten:exits(), " "), "10", "exits")
same(ten:summary().bytes, 241.0, "bytes")
same(ten:summary().levels, 4, "levels")
same(ten:names()[10], "task 10", "names")
same(table.concat(ten:edges()[9], " "), "4 8 27.0", "an edge")

-- By names, with edges that only wait, an edge twice, and a task that one host cannot run.
local named = graph.matrix { times = etc { { 1, math.huge }, { 2, 2 }, { 3, 1 } }, names = { "a", "b", "c" },
  edges = { { "a", "b" }, { "a", 2, "1 KB" }, { 3, "b" } } }
same(#named:edges(), 2, "an edge twice is one")
same(named:edges()[1][3], 1000.0, "with the bytes that one of them says")
same(#named:edges()[2], 2, "the other only waits")
same(named:summary().time, 9.0, "finite times")
same(#named:entries(), 2, "entries")
same(#graph.matrix { times = { { 1 } } }, 1, "no edges")

-- Amounts: numbers, quantities, functions; sizes by the two tasks of an edge.
local seen = {}
local tiled = graph.cholesky { tiles = 2, rng = stream.splitmix(3), ops = function(task, rng, name)
  seen[#seen + 1] = task .. " " .. name
  return name:find "potrf" and "2 Gop" or rng:uniform()
end, size = function(task, rng, reader) return 10 * task + reader end }
same(table.concat(seen, ", "), "1 potrf 1, 2 trsm 2,1, 3 syrk 2,1, 4 potrf 2", "tasks in order")
local drawn = stream.splitmix(3)
close(tiled:summary().ops, 4e9 + drawn:uniform() + drawn:uniform(), "ops")
same(tiled:summary().bytes, 12.0 + 23 + 34, "bytes")
local plain = graph.chain { n = 3, ops = 5, size = 0 }
same(plain:summary().ops, 15.0, "ops")
same(plain:summary().files, 2, "an empty file is a file")
same(graph.chain { n = 3 }:summary().files, 0, "no size, no files")
same(graph.gaussian { size = 3, bytes = 2 }:summary().bytes, 10.0, "bytes of gaussian")
same(graph.fft { points = 2, hosts = 2, ccr = 0, beta = 0, rng = stream "mine" }:summary().bytes, 0.0, "no bytes")

-- Files.
local function all(g)
  local texts = { table.concat(g:names(), ","), tostring(g:summary().ops), tostring(g:summary().time) }
  for _, edge in ipairs(g:edges()) do texts[#texts + 1] = table.concat(edge, " ") end
  return table.concat(texts, "; ")
end
tiled:wfformat "tiled.json"
same(all(graph.wfformat "tiled.json"), all(tiled), "WfFormat")
close(graph.wfformat("tiled.json", { reference = "1 Gop/s" }):summary().ops, 1e9 * tiled:summary().ops, "reference")
close(graph.wfformat("tiled.json", { form = "time" }):summary().time, tiled:summary().ops, "form")
ten:dot "ten.dot"
same(all(graph.dot "ten.dot"), all(ten), "DOT")
named:dot "named.dot"
same(all(graph.dot "named.dot"), all(named), "DOT with names")
local waits = graph.lu { tiles = 3, ops = 2 }
waits:stg "lu.stg"
local again = graph.stg("lu.stg", { dummies = "drop" })
counts(graph.stg "lu.stg", #waits + 2, #waits:edges() + 2)  -- one entry, one exit
counts(again, #waits, #waits:edges())
same(again:summary().time, 28.0, "14 tasks of 2 s")

-- Refusals.
coded("workflow_cycle", "2 tasks wait for one another: 'task 1' -> 'task 2' -> 'task 1'",
      function() graph.matrix { times = { { 1 }, { 1 } }, edges = { { 1, 2 }, { 2, 1 } } } end)
coded("workflow_cycle", "task 'task 2' waits for itself", function() graph.matrix { times = { { 1 }, { 1 } }, edges = { { 2, 2 } } } end)
coded("workflow_reference", "edges[1]: there is no task 'bb'; did you mean 'bbb'?",
      function() graph.matrix { times = { { 1 }, { 1 } }, names = { "aaa", "bbb" }, edges = { { "aaa", "bb" } } } end)
for _, wrong in ipairs { 0, 3, 1.5, true } do
  coded("workflow_reference", "graph.matrix: edges[1]: a task",
        function() graph.matrix { times = { { 1 }, { 1 } }, edges = { { 1, wrong } } } end)
end
coded("workflow_size", "two edges from 'task 1' to 'task 2' say different sizes: 1 and 2 bytes",
      function() graph.matrix { times = { { 1 }, { 1 } }, edges = { { 1, 2, 1 }, { 1, 2, 2 } } } end)
coded("workflow_size", "edges[1]: bytes", function() graph.matrix { times = { { 1 }, { 1 } }, edges = { { 1, 2, -1 } } } end)
coded("workflow_hosts", "times[2] has 1 hosts, times[1] has 2", function() graph.matrix { times = { { 1, 2 }, { 1 } } } end)
coded("workflow_time", "times[1]", function() graph.matrix { times = { { -1 } } } end)
coded("workflow_time", "times[1]", function() graph.matrix { times = { { 0 / 0 } } } end)
coded("workflow_empty", "times has no row", function() graph.matrix { times = {} } end)
coded("workflow_duplicate", "two tasks of a graph are called 'a'", function() graph.matrix { times = { { 1 }, { 1 } }, names = { "a", "a" } } end)
coded("workflow_time", "ops of task 2", function() graph.chain { n = 2, ops = function(i) return 2 - i * 1.5 end } end)
coded("workflow_size", "graph.chain: size", function() graph.chain { n = 2, size = -3 } end)
refused("1 names for 2 tasks", function() graph.matrix { times = { { 1 }, { 1 } }, names = { "a" } } end)
refused("edges[1] must be { from, to, bytes }", function() graph.matrix { times = { { 1 } }, edges = { { 1 } } } end)
refused("'rng' is missing: layers and edges are drawn", function() graph.layered { tasks = 5, degree = 2 } end)
refused("'rng' is missing: times and sizes are drawn", function() graph.chain { n = 2, hosts = 2, ccr = 1, beta = 1 } end)
refused("random stream", function() graph.levels { tasks = 5, rng = 3 } end)
refused("'ccr' is missing", function() graph.chain { n = 2, hosts = 2, beta = 1, rng = stream "x" } end)
refused("ops is drawn, where hosts are given", function() graph.chain { n = 2, ops = 3, hosts = 2, ccr = 1, beta = 1, rng = stream "x" } end)
refused("beta is of costs that are drawn for hosts", function() graph.chain { n = 2, beta = 1 } end)
refused("'points' must be a power of two", function() graph.fft { points = 6 } end)
refused("a graph has at most 100000000 tasks", function() graph.out_tree { branching = 2, depth = 60 } end)
refused("did you mean 'cholesky'?", function() graph.choleski { tiles = 3 } end)
coded("wfformat_type", "this graph has times by host", function() ten:wfformat "ten.json" end)
coded("stg_line", "STG has no files, and this graph has 'potrf 1>trsm 2,1' and 2 more", function() tiled:stg "tiled.stg" end)
coded("bad_json", "lu.stg:2: column 1: ", function() graph.wfformat "lu.stg" end)
coded("dot_syntax", "tiled.json:1: column 1: 'digraph' is expected, got '{'", function() graph.dot "tiled.json" end)
coded("stg_line", "ten.dot:1: column 1: the number of tasks must be a number, got 'digraph'", function() graph.stg "ten.dot" end)
refused("'tiled.json' was written before", function() tiled:wfformat "tiled.json" end)
refused("a task graph cannot be changed", function() ten.tasks = 3 end)
print "graphs ok"
