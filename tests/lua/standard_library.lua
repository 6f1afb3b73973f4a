-- Modules of the standard library: by hand where nothing is random, by what must hold where it is. tests/twins.lua has the heuristics.
-- args: --set size=3 --set law=uniform
-- expect: kind                   a                   b
-- expect: b                      -            4.0 +- 0
-- expect: standard library ok
local arrivals, fields, loads = require "arrivals", require "fields", require "loads"
local settings, studies, sweeps = require "settings", require "studies", require "sweeps"
local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

-- ---- settings ----
same(settings.number("size", 5, 1, 9), 3, "a setting")
same(math.type(settings.number("size", 5, 1, 9)), "integer", "a whole one")
same(settings.number("absent", 2.5, 0, 9), 2.5, "a default")
same(settings.one_of("law", { "exponential", "uniform" }), "uniform", "one of a list")
same(settings.one_of("form", { "first", "second" }), "first", "the first of a list")
refused("--set size=3: must be a whole number from 4 to 9", function() local x = settings.number("size", 5, 4, 9) end)
refused("--set law=uniform: must be one of normal, weibull", function() local x = settings.one_of("law", { "normal", "weibull" }) end)

same(settings.number("absent", 2.5), 2.5, "without bounds")
refused("--set size=3: must be a whole number >= 4", function() local x = settings.number("size", 5, 4) end)
refused("--set size=3: must be a number <= 2", function() local x = settings.number("size", 1.5, nil, 2) end)

-- ---- fields ----
local known = { whole = fields.whole(1, 4), number = fields.number(), any = fields.any() }
local given = { whole = 2.0, any = print }
local all = fields.check("it", given, known, { number = -7 })
same(math.type(all.whole), "integer", "a whole number is an integer")
same(all.number, -7, "a default")
same(given.number, nil, "what is given stays as it is")
refused("it must be a table, got 7", function() local x = fields.check("it", 7, known) end)
refused("it: unknown field 'hole'; known are any, number, whole", function() local x = fields.check("it", { hole = 1 }, known) end)
refused("it: whole must be a whole number from 1 to 4, got 5", function() local x = fields.check("it", { whole = 5 }, known) end)
refused("it: number must be a number, got 'x'", function() local x = fields.check("it", { number = "x" }, known) end)

-- ---- arrivals ----
local times = arrivals.poisson(stream("arrivals", 1), 2, 20000)
same(times[1], 0, "the first arrival")
local last = -1
for _, t in ipairs(times) do
  assert(t > last and t <= 20000)
  last = t
end
same(math.abs(#times - 10000) < 300, true, "the rate of a Poisson process, within three standard deviations")
refused("at most a million arrivals", function() local x = arrivals.poisson(stream("arrivals", 1), 1e-6, 20) end)
refused("tasks that arrive: 'every' is missing", function() local x = arrivals.tasks { machines = 2, horizon = 9 } end)
local function of(more, seed)
  local fields_of = { machines = 3, every = 0.5, horizon = 50, whole = "1 ms" }
  for name, value in pairs(more) do fields_of[name] = value end
  local r = scenario { platform = platform { cluster "m" { nodes = 3 } }, workload = arrivals.tasks(fields_of) }:run { policy = mapped "mct", seed = seed }
  local lines = {}
  for i, job in ipairs(r:jobs()) do lines[i] = ("%.9f %.9f"):format(job.arrival, job.run) end
  return table.concat(lines, "\n"), r
end
same(of({}, 1), of({}, 1), "a seed has its tasks")
same(of({}, 1) ~= of({}, 2), true, "another seed has others")
same(of({ sd = 0.2 }, 1) ~= of({}, 1), true, "true times around the declared ones")
local _, sampled = of({}, 1)
for _, job in ipairs(sampled:jobs()) do assert(math.abs(1000 * job.run - math.floor(1000 * job.run + 0.5)) < 1e-6, "whole milliseconds") end

-- ---- loads ----
same(#loads.cluster { nodes = 3 }:hosts(), 3, "nodes of a cluster")
same(tostring(loads.algorithm "MWF-OPR-MN"), tostring(mwf { partition = "optimal", nodes = "fewest" }), "an algorithm by its name")
same(tostring(loads.algorithm "FIFO-EPR-AN"), tostring(fifo { partition = "equal", nodes = "all" }), "another one")
refused("unknown algorithm '7'", function() local x = loads.algorithm(7) end)
refused("unknown algorithm 'EDF-OPR'", function() local x = loads.algorithm "EDF-OPR" end)
refused("algorithm 'MWF-OPR-AN': MWF needs MN", function() local x = loads.algorithm "MWF-OPR-AN" end)
refused("a cluster for loads: channel must be one of load, head, got 'node'", function() local x = loads.cluster { channel = "node" } end)
-- Two loads of 10 units come together; a unit takes 1 s on the channel and 3 s on a node. On a node of its own each is done at 40 s
-- where chunks do not wait for each other, and the second at 50 s where they do.
for _, channel in ipairs { "load", "head" } do
  local r = scenario {
    platform = loads.cluster { nodes = 2, channel = channel },
    workload = workload.loads { { size = 10, time = 3, bytes = 1, deadline = 41 }, { size = 10, time = 3, bytes = 1, deadline = 41 } },
  }:run { policy = "edf" }
  same(r.rejected, channel == "load" and 0 or 1, "chunks of different loads on the channel " .. channel)
end
same(loads.scenario { load = 0.5, horizon = 1e5 }:run { policy = "edf" }.status, "complete", "the base configuration")

-- ---- studies: x = size * (2 for a, 1 for b) + what a replication adds ----
local e = experiment "known" {
  factors = { { "size", { 1, 4 } }, { "kind", { "a", "b" } } },
  replications = 4,
  run = function(f, seed)
    local x = f.size * (f.kind == "a" and 2 or 1)
    return { x = x, shifted = x + stream("shift", seed):uniform(0, 9) }
  end,
  measure = { "x", "shifted" },
}
local ratio = studies.ratio(e, "x", "kind", "a", "b")
same(ratio.mean, 2, "a ratio")
same(ratio.n, 4, "of each replication")
same(studies.text(ratio), "2.000 +- 0.000", "as a text")
same(studies.sense(ratio), "more", "it is more than 1")
same(studies.sense(studies.ratio(e, "x", "kind", "b", "a")), "less", "and less the other way round")
same(studies.sense(studies.ratio(e, "x", "kind", "a", "a")), "same", "and the same as itself")
same(studies.ratio(e, "x", "size", 4, 1).mean, 4, "a ratio over another factor")
-- A replication adds the same for both: 1 more where the size is 1, 4 more where it is 4.
same(math.abs(studies.difference(e, "shifted", "kind", "a", "b").mean - 2.5) < 1e-9, true, "a difference by pairs")
same(math.abs(studies.difference(e, "shifted", "kind", "a", "b", function(row) return row.size == 4 end).mean - 4) < 1e-9, true, "of some cells")
local points = studies.points(e, "x", "kind", "a", "b")
same(points.text, "+2.500 on average; lower at 0 and higher at 2 of 2 points", "point by point")
same(#points.rows, 2, "its rows")
local grouped = studies.grouped({ { q = 2, s = 1 }, { q = 1, s = 4 }, { q = 2, s = 3 }, { s = 9 }, { q = 1 } }, "q", "s")
same(#grouped, 2, "groups")
same(grouped[1].q, 1, "numbers in their order")
same(grouped[2].n, 2, "rows of a group")
same(grouped[2].mean, 2, "mean of a group")
same(grouped[2].largest, 3, "largest of a group")
refused("'n' is a column of the result", function() local _ = studies.grouped({ { n = 3, t = 1 } }, "n", "t") end)
same(studies.grouped({ { q = "b", s = 1 }, { q = "a", s = 1 } }, "q", "s")[1].q, "b", "other values as they first come")

local by_size = studies.by(e:table("x"), "size", { kind = "a" })
same(by_size[4].x, 8, "a row by its level")
same(studies.best(by_size, "x"), 1, "the level with the least")
same(table.concat(studies.values(e, "x", { kind = "a", size = 4 }), " "), "8 8 8 8", "values of replications")
-- Ours are 10 and 12: mean 11, deviation sqrt 2. Against 30 replications the standard error is sqrt(2) sqrt(1/30 + 1/2) = 1.0328.
local agrees, away = studies.agrees({ 10, 12 }, 14)
same(agrees, true, "three standard errors are enough")
same(("%.4f"):format(away), "-2.9047", "how many there are")
same((studies.agrees({ 10, 12 }, 14.2)), false, "more are too many")
refused("two values or more are needed, got 1", function() local x = studies.agrees({ 10 }, 14) end)
refused("the factor 'kind' has no level 'c' here; its levels are a, b", function() local x = studies.ratio(e, "x", "kind", "a", "c") end)
refused("the factor 'size' has no level '2' here; its levels are 1, 4", function() local x = studies.difference(e, "x", "size", 2, 1) end)
refused("the factor 'kind' has no level 'c' here", function() local x = studies.points(e, "x", "kind", "c", "a") end)
refused("no run counts: `where` is true for none", function()
  local x = studies.ratio(e, "x", "kind", "a", "b", function(row) return row.size == 2 end)
end)
same(studies.ratio(e, "x", "kind", "a", "b", { size = 4 }).mean, 2, "a table of levels as a condition")
same(studies.points(e, "x", "kind", "a", "b", { size = 4 }).n, 1, "of points")
same(#studies.pivot(e, "x", "size", "kind", nil, { size = 4 }), 1, "of a pivot")
refused("the factor 'size' has no level '2' here; its levels are 1, 4", function() local x = studies.ratio(e, "x", "kind", "a", "b", { size = 2 }) end)
refused("no column 'sise'; did you mean 'size'?", function() local x = studies.ratio(e, "x", "kind", "a", "b", { sise = 2 }) end)
refused("`where` must be a function of a row, or a table as { size = 15 }, got 4", function() local x = studies.ratio(e, "x", "kind", "a", "b", 4) end)
refused("several rows have the level '1' of 'size'; they differ in kind, x: `fixed` must say which is meant", function()
  local x = studies.by(e:table "x", "size")
end)
refused("the factor 'size' has no level '2' here; its levels are 1, 4", function() local x = studies.values(e, "x", { size = 2, kind = "a" }) end)
refused("no level '2' here", function() local x = studies.by(e:table "x", "kind", { size = 2 }) end)
refused("a replication has several runs of these levels", function() local x = studies.values(e, "x", { size = 4 }) end)
refused("'across' is missing in studies.print(e, measure, down, across)", function() studies.print(e, "x", "kind") end)
refused("'of' is missing in studies.ratio(e, measure, factor, of, to)", function() local x = studies.ratio(e, "x", "kind") end)
refused("'minus' is missing in studies.difference(", function() local x = studies.difference(e, "x", "kind", "a") end)
-- An interval of differences is compared with 0: a has 1 and 4 more than b, and b has as many less.
same(studies.sense(studies.difference(e, "x", "kind", "a", "b")), "more", "a difference is more than 0")
same(studies.sense(studies.difference(e, "x", "kind", "b", "a")), "less", "less than 0")
same(studies.sense(studies.difference(e, "x", "kind", "a", "a")), "same", "and 0")
studies.print(e, "x", "kind", "kind", "%.1f +- %.0f", function(row) return row.size == 4 end)
local rows, columns = studies.pivot(e, "x", "size", "kind", "%g")
same(table.concat(columns, " "), "a b", "columns")
same(rows[2].level .. rows[2].cells.a .. rows[2].cells.b, "484", "cells")
studies.save(e, "nowhere")  -- no --out, and no error
studies.plot(e, { x = "size", y = "x", by = "kind", text = false }, function(row) return row.size > 4 end)  -- nothing is left

-- ---- studies: values that are absent or NaN, levels that are no texts ----
-- Where k is 2, y is 6 with true and 3 with false. Where it is 1, y is absent with true, and NaN where k is 3.
local holes = experiment "holes" {
  factors = { { "k", { 1, 2, 3 } }, { "on", { true, false } }, { "policy", { "workqueue", mapped "min_min" } } },
  replications = 3,
  run = function(f)
    if f.k == 1 and f.on then return { z = 1 } end
    if f.k == 3 and f.on then return { y = 0 / 0, z = 1 } end
    return { y = f.on and 6 or 3, z = 1 }
  end,
  measure = { "y", "z" },
}
same(studies.ratio(holes, "y", "on", true, false).mean, 2, "pairs that are whole")
same(studies.difference(holes, "y", "on", true, false).mean, 3, "their difference")
same(studies.points(holes, "y", "on", true, false).n, 2, "their points")
same(studies.ratio(holes, "z", "policy", mapped "min_min", "workqueue").mean, 1, "a scheduler as a level")
same(#studies.values(holes, "y", { k = 2, on = true, policy = mapped "min_min" }), 3, "values of it")
same(studies.by(holes:table "y", "k", { on = false, policy = "workqueue" })[1].y, 3, "rows of it")
same(studies.pivot(holes, "y", "k", "on", nil, { policy = "workqueue" })[1].cells["true"], nil, "a cell without a value")
refused("no pair is left: of 6, each has a 'y' that is absent or NaN", function()
  local x = studies.ratio(holes, "y", "on", true, false, { k = 1 })
end)
refused("no run of these levels has a value of 'y'", function() local x = studies.values(holes, "y", { k = 3, on = true, policy = "workqueue" }) end)

-- ---- sweeps: runs of 1 s on A, 2 s on B ----
local r = scenario {
  platform = platform { host "A" {}, host "B" {} },
  workload = workload.sweep { runs = 6, times = { A = 1, B = 2 } },
}:run { policy = "factoring" }
-- Half of 6 in two chunks is 2 and 2, rounded up; half of the other 2 is 1 and 1, and A takes both while B computes.
same(sweeps.timeline(r, "A"), "0-2:2 2-3:1 3-4:1", "packages of a host")
same(sweeps.timeline(r, "B"), "0-4:2", "and of the other")
refused("there is no host 'C'; hosts are A, B", function() local x = sweeps.timeline(r, "C") end)
same(table.concat(sweeps.dealt_at(r, 0), " "), "2 2", "runs of each host at the beginning")
same(table.concat(sweeps.dealt_at(r, 3), " "), "1 0", "and at 3 s")
local learnt = scenario {
  platform = platform { host "A" {}, host "B" {} },
  workload = workload.sweep { runs = 12, times = { A = 1, B = 2 } },
}:run { policy = amrs { rounds = 2 } }
-- Each has 3 runs of a round of 6: A takes 3 s and B 6 s, runs a second 1 and 0.5.
local enpr, npp = sweeps.power_at(learnt, 6)
same(("%.3f %.3f"):format(npp[1], npp[2]), "1.000 0.500", "runs a second of the first packages")
same(("%.3f"):format(enpr[1] + enpr[2]), "1.000", "shares of all")

-- ---- heuristics refuse what the native ones refuse ----
local lua_kpb, lua_switching = require "heuristics.kpb", require "heuristics.switching"
local matrix = etc { { 3, 5 }, { 2, 8 } }
refused("lua_kpb: k must be > 0 and at most 100, got 200", function() local x = map(lua_kpb { k = 200 }, matrix) end)
refused("lua_kpb: k must be > 0 and at most 100, got -5", function() local x = map(lua_kpb { k = -5 }, matrix) end)
refused("and low at most high; got 0.9 and 0.1", function() local x = map(lua_switching { low = 0.9, high = 0.1 }, matrix) end)
print "standard library ok"
