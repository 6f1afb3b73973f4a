-- Figures of tables, lists of rows and results; what is written below --out, and what is refused.
-- args: --out "$OUT" --data "$OUT" --set out="$OUT"
-- expect: makespan (s)
-- expect: easy  fcfs ██████████
-- expect: a.1|
-- expect: plots ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local out = args.out .. "/"
local function read(name) return csv.read(out .. name) end
local function exists(name)
  local read, problem = pcall(csv.read, out .. name)
  return read or not tostring(problem):find "no such file"
end

local rows = {}
for _, size in ipairs { "300 KB", "1200 KB" } do
  for seed = 1, 3 do rows[#rows + 1] = { size = size, policy = "fcfs", makespan = seed * (size == "300 KB" and 1 or 10) } end
end

-- means, at their place
same(plot(rows, { x = "size", y = "makespan", by = "policy", file = "sub/means" }), rows, "plot returns what it was given")
local t = read "sub/means.csv"
same(#t, 2, "points")
same(t[1]["size (KB)"], 300, "x")
same(t[2]["makespan (s)"], 20, "mean of 10, 20, 30")
same(t[2].n, 3, "values")
-- t(2, 97.5 %) = 4.302653: 20 - 4.302653 * 10 / sqrt(3)
assert(math.abs(t[2].low - (20 - 4.302653 * 10 / 3 ^ 0.5)) < 1e-4)
same(exists "sub/means.svg", true, "SVG")

-- half-widths of the table's own
plot({ { case = "easy", by = "fcfs", span = 5, span_half_width = 1 }, { case = "hard", by = "fcfs", span = 7 } },
  { x = "case", y = "span", by = "by", y_unit = "min", file = "half.svg" })
t = read "half.csv"
same(t[1].low, 4, "low")
same(t[2].low, nil, "no interval")
same(t[1]["span (min)"], 5, "unit that nobody knew")
same(t[1].n, nil, "nobody said how many values")
plot({ { case = "easy", n = 10, span = 5, span_half_width = 1 }, { case = "hard", n = 12, span = 7, span_half_width = 2, span_n = 3 } },
  { x = "case", y = "span", file = "counted.svg", text = false })
t = read "counted.csv"
same(t[1].n, nil, "the number of the measure's own values is not said")
same(t[2].n, 3, "the number of the measure's own values")
plot({ { case = "easy", n = 10, span = 5, span_half_width = 1 }, { case = "hard", n = 12, span = 7, span_half_width = 2 } },
  { x = "case", y = "span", file = "counts.svg", text = false })
same(read "counts.csv"[1].n, 10, "n of the row")

-- results
local s = scenario { platform = platform { cluster "a" { nodes = 2 } },
                     workload = workload.tasks { { time = 10, user = "ann" }, { time = 20, user = "bob" }, { time = 5, user = "ann" } } }
local r = s:run { policy = "fcfs" }
same(r:plot(), r, "a result")
t = read "gantt-1.csv"
same(#t, 3, "bars")
same(t[1].lane, "a.1", "lane")
same(t[1].user, "ann", "by user")
same(t[3].to, 20, "the end of the longest")
r:plot { kind = "gantt", title = "again", text = false }
r:plot { file = "mine", width = 300, height = 200, text = false }
same(exists "mine.svg", true, "a name of its own")

r:plot { kind = "utilization", text = false }
t = read "utilization-1.csv"   -- ann's 10 s and bob's 20 s, then ann's 5 s: 2 cores until 15, then one
same(t[1]["cores"], 2, "busy")
same(t[2]["time (s)"], 15, "time")
same(t[2]["cores"], 1, "busy")
r:plot { kind = "queue", text = false }
same(read "queue-1.csv"[1]["waiting works"], 1, "the third waits")
same(read "queue-1.csv"[2]["time (s)"], 10, "until the first is done")

-- tables
local jobs = r:jobs()
same(jobs:plot { x = "user", y = "run", kind = "box", text = false }, jobs, "jobs")
same(read "run-by-user.csv"[1]["user"], "ann", "default name")
same(read "run-by-user.csv"[1].median, 7.5, "median of 10 and 5")
jobs:plot { x = "user", y = "run", text = false }                       -- the second of that name
same(read "run-by-user-2.csv"[1]["run (s)"], 7.5, "mean")
jobs:plot { y = "run", kind = "histogram", bins = 3, file = "bins", text = false }
same(read "bins.csv"[1].count, 1, "of 5 to 10")
same(read "bins.csv"[2].count, 1, "of 10 to 15")
local c = s:compare { "fcfs", "workqueue", metrics = { "makespan", "mean_wait" } }
same(c:plot { x = "policy", y = { "makespan", "mean_wait" }, file = "compared", text = false } ~= nil, true, "comparison")
same(read "compared.csv"[1]["makespan, mean_wait (s)"], 20, "makespan")
plot(c, { x = "policy", y = "makespan", text = false })
for _, job in ipairs(jobs) do job.doubled = 2 * job.run end
jobs:plot { x = "name", y = "doubled", file = "added", text = false }   -- a column that the script added
same(read "added.csv"[2].doubled, 40, "added")
plot({ { x = mapped { map = "min_min" }, y = 1 }, { x = true, y = 2 } }, { x = "x", y = "y", file = "names", text = false })
same(read "names.csv"[1].x, "mapped { map = min_min }", "a scheduler's name")

-- csv
same(c:csv(), "policy,makespan,mean_wait,status\nfcfs,20,3.3333333333333335,complete\nworkqueue,20,3.3333333333333335,complete\n", "text")
same(jobs:csv "jobs", jobs, "csv with a name")
same(#read "jobs.csv", 3, "rows")

-- nothing is taken for a command
local hostile = { "'.system('touch sentinel').'", "`touch sentinel`", "x\n!touch sentinel", "\\", "%s%n", "@a" }
for i, text in ipairs(hostile) do
  plot({ { [text] = text, y = 1 }, { [text] = text .. 2, y = 2 } },
    { x = text, y = "y", by = text, title = text, x_label = text, y_label = text, x_unit = text, y_unit = text, file = "hostile" .. i, text = false })
end
same(exists "sentinel", false, "sentinel")
plot({ { ["../../x y"] = 1, y = 1 } }, { x = "../../x y", y = "y", text = false })
same(exists "y-by-x-y.csv", true, "default names stay below")

-- shares, heat maps, facets, areas, formats
local cases = {}
for _, nodes in ipairs { 4, 8 } do
  for _, policy in ipairs { "fcfs", "easy" } do
    for seed = 1, 2 do
      cases[#cases + 1] = { nodes = nodes, policy = policy, span = nodes * (policy == "fcfs" and 10 or 5) + seed }
    end
  end
end
plot(cases, { y = "span", by = "policy", kind = "ecdf", y_unit = "%", file = "shares", text = false })
t = read "shares.csv"
same(#t, 8, "each value")
same(t[2].span, 42, "in ascending order")
same(t[2]["share of values (%)"], 50, "two of four")
plot(cases, { x = "nodes", y = "policy", value = "span", kind = "heatmap", formats = { "pdf", "png" }, file = "heat", text = false })
t = read "heat.csv"
same(#t, 4, "cells")
same(t[1].span, 41.5, "mean of 41 and 42")
same(exists "heat.pdf", true, "PDF")
same(exists "heat.png", true, "PNG")
same(exists "heat.svg", false, "no SVG")
plot(cases, { x = "policy", y = "span", facet = "nodes", file = "facets", text = false })
t = read "facets.csv"
same(t[3].nodes, 8, "the value of the facet")
same(t[3].policy, "fcfs", "x")
plot(cases, { x = "nodes", y = "span", by = "policy", kind = "areas", file = "areas", text = false })
same(#read "areas.csv", 4, "means")
r:plot { kind = "queue", formats = { "svg", "png" }, file = "waiting", text = false }
same(exists "waiting.png", true, "of a result")

-- what is refused
local function bad(text, options, of) refused(text, function() plot(of or rows, options) end) end
bad("unknown field 'kinds'", { x = "size", y = "makespan", kinds = "bars" })
bad("kind must be one of lines, steps, points", { x = "size", y = "makespan", kind = "bar" })
bad("x: there is no column 'sise'; did you mean 'size'?", { x = "sise", y = "makespan" })
bad("y: the column 'policy' has texts, such as 'fcfs'", { x = "size", y = "policy" })
bad("'y' is missing", { x = "size" })
bad("'x' is missing", { y = "makespan" })
bad("the list of rows has a hole: there is an entry 3, and no entry 2", { x = "a", y = "b" }, { [1] = { a = 1, b = 1 }, [3] = { a = 3, b = 3 } })
bad("y: the column 'b' has texts, such as 'x' in row 2", { x = "a", y = "b" }, { { a = 1, b = 1 }, { a = 2, b = "x" } })
bad("such as 'x' in row 2", { x = "a", y = "b" }, { { a = 1, b = "1 s" }, { a = 2, b = "x" } })
bad("row 2: 'b_half_width' must be >= 0, got -1", { x = "a", y = "b" }, { { a = 1, b = 1 }, { a = 2, b = 2, b_half_width = -1 } })
bad("by: the column 'c' has 1 as a number and as a text, in rows 1 and 3", { x = "a", y = "b", by = "c" },
  { { a = 1, b = 1, c = 1 }, { a = 2, b = 1, c = 2 }, { a = 1, b = 5, c = "1" } })
bad("by: row 2 has no 'c', and others have '-'", { x = "a", y = "b", by = "c" }, { { a = 1, b = 1, c = "-" }, { a = 2, b = 1 } })
bad("the table is empty", { x = "size", y = "makespan" }, {})
bad("row 2: 'b' must be a number or a text, got a table", { x = "a", y = "b" }, { { a = 1, b = 2 }, { a = 2, b = {} } })
bad("row 1 must be a table of columns, got 7", { x = "a", y = "b" }, { 7 })
bad("a table of rows or a result is needed, got 7", {}, 7)
bad("0 has no place on a logarithmic axis", { x = "a", y = "b", log_y = true }, { { a = 1, b = 0 } })
bad("confidence must be", { x = "size", y = "makespan", confidence = 1.5 })
bad("y: entry 2 must be the name of a column, got 3", { x = "size", y = { "makespan", 3 } })
bad("'bins' is for kind = \"histogram\"", { x = "size", y = "makespan", bins = 3 })
bad("kind must be one of lines, steps, points, bars, stacked, box, histogram, areas, ecdf, heatmap, got 'pie'", { x = "size", y = "makespan", kind = "pie" })
bad("kind = \"queue\" is drawn of a result: r:plot { kind = \"queue\" }", { x = "size", y = "makespan", kind = "queue" })
bad("y: 2e+30 cannot be drawn", { y = "y", kind = "histogram" }, { { y = 2e30 } })
bad("y: all values are at most 1e-323 in size, too small to be drawn", { x = "x", y = "y" }, { { x = 1, y = 5e-324 }, { x = 2, y = 1e-323 } })
bad("confidence must be between 0 and 1, both excluded, got 1", { x = "size", y = "makespan", confidence = "100 %" })
plot({ { y = 1e30 }, { y = 1e30 }, { y = 1e30 } }, { y = "y", kind = "histogram", file = "limit", text = false })
same(read "limit.csv"[1].to, 1e30, "nothing beyond the limit")
plot({ { x = "a\27b\255", y = 1 } }, { x = "x", y = "y", file = "clean", text = false })
same(read "clean.csv"[1].x, "a b?", "texts as in the SVG")
bad("kind = \"gantt\" is drawn of a result", { x = "size", y = "makespan", kind = "gantt" })
bad("must be below the output folder", { x = "size", y = "makespan", file = "a/../../b" })
bad("must be below the output folder", { x = "size", y = "makespan", file = "/tmp/b" })
bad("must be below the output folder", { x = "size", y = "makespan", file = "../b" })
bad("control characters", { x = "size", y = "makespan", file = "a\nb" })
bad("file must name a file", { x = "size", y = "makespan", file = "" })
bad("'half.svg' was written before, at", { x = "size", y = "makespan", file = "half" })
bad("width must be", { x = "size", y = "makespan", width = 3 })
bad("formats: entry 1 must be one of svg, pdf, png, got 'pfd'; did you mean 'pdf'?", { x = "size", y = "makespan", formats = { "pfd" } })
bad("formats must be a list of svg, pdf, png", { x = "size", y = "makespan", formats = "pdf" })
bad("formats names 'svg' twice", { x = "size", y = "makespan", formats = { "svg", "svg" } })
bad("formats is empty", { x = "size", y = "makespan", formats = {} })
bad("file ends with .pdf; formats = { \"pdf\" } writes that", { x = "size", y = "makespan", file = "a.pdf" })
bad("facet: there is no column 'polcy'; did you mean 'policy'?", { x = "size", y = "makespan", facet = "polcy" })
bad("facet: one column or two, got 3", { x = "size", y = "makespan", facet = { "a", "b", "c" } })
bad("'value' is missing", { x = "size", y = "policy", kind = "heatmap" })
bad("n: -1 cannot stand on another area", { x = "a", y = "n", kind = "areas" }, { { a = 1, n = -1 }, { a = 2, n = 2 } })
bad("areas need two different values of a at least, got one", { x = "a", y = "b", kind = "areas" }, { { a = 1, b = 1 } })
bad("an ECDF has no 'x'", { x = "size", y = "makespan", kind = "ecdf" })
bad("such as 'fcfs'; draw kind = \"stacked\"", { x = "policy", y = "makespan", kind = "areas" })
refused("kind must be one of gantt, utilization, queue, power, got 'bars'", function() r:plot { kind = "bars" } end)
refused("say what to draw", function() jobs:plot() end)
refused("a table has no field 'plto'; did you mean 'plot'?", function() jobs:plto { x = "a" } end)
same(jobs[99], nil, "a row that there is not")
local many = {}
for i = 1, 30 do many[i] = { x = 1, y = i, by = i } end
bad("series by by are too many", { x = "x", y = "y", by = "by" }, many)

-- what is not finite is left out
plot({ { x = 1, y = 1 }, { x = 2, y = 0 / 0 }, { x = 3, y = math.huge }, { x = 4 }, { x = 5, y = 5 } }, { x = "x", y = "y", file = "finite", text = false })
same(#read "finite.csv", 2, "finite")
print "plots ok"
