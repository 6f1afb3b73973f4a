-- The ten tasks of Topcuoglu, Hariri and Wu (2002): ranks, critical path, HEFT, CPOP and others, planned and executed.
-- takes: a moment
-- perigee run workflows/heft-paper --out results     figures: results/heft.svg, results/cpop.svg; for Graphviz, with the critical chain in bold, results/heft-paper.dot
-- test: --validate --out "$OUT"

local printed = require "printed"
local ten = printed.heft
local source = "Topcuoglu, Hariri, Wu 2002"

-- Ranks. The publication has them to three places.
local c = ten.problem()
local upward = printed.each(c, function(i) return c:upward_rank(i) end)
local downward = printed.each(c, function(i) return c:downward_rank(i) end)
local path, length = c:critical_path()
print "task  upward rank  downward rank  their sum"
for i = 1, c:tasks() do print(("%4d %12.3f %14.3f %10.3f"):format(i, upward[i], downward[i], upward[i] + downward[i])) end
print(("critical path %s, length %g"):format(table.concat(path, " "), length))

local function list(says, found, published)
  claim { source = source, says = says, holds = printed.numbers(found) == published, found = printed.numbers(found), verdict = "reproduces" }
end
list("the upward ranks of the ten tasks", upward,
     "108, 77, 80, 80, 69, 63.333, 42.667, 35.667, 44.333, 14.667")
list("the downward ranks of the ten tasks", downward,
     "0, 31, 25, 22, 24, 27, 62.333, 66.667, 63.667, 93.333")
claim { source = source, says = "the critical path is 1 2 9 10, of length 108", holds = table.concat(path, " ") == "1 2 9 10" and length == 108,
        found = ("%s, %g"):format(table.concat(path, " "), length), verdict = "reproduces" }

-- Schedules, and their execution.
local heft, r = printed.executed(ten, "heft")
local cpop, rc = printed.executed(ten, "cpop")
print("\nHEFT: " .. printed.text(heft))
r:gantt()
print("\nCPOP: " .. printed.text(cpop))
rc:gantt()
r:plot { kind = "gantt", file = "heft", text = false, title = "HEFT, ten tasks of Topcuoglu et al. 2002" }
rc:plot { kind = "gantt", file = "cpop", text = false, title = "CPOP, ten tasks of Topcuoglu et al. 2002" }
local saved, problem = pcall(r.save_graph, r, "heft-paper.dot")
if not saved and problem.code ~= "no_output" then error(problem, 0) end

local published = "1 P3 0-9, 3 P3 9-28, 4 P2 18-26, 2 P1 27-40, 5 P3 28-38, 6 P2 26-42, 9 P2 56-68, 7 P3 38-49, 8 P1 57-62, 10 P2 73-80"
claim { source = source .. ", Figure 3", says = "the schedule of HEFT, in the order of placing", holds = printed.text(heft) == published,
        found = printed.text(heft), verdict = "reproduces" }
local on_p2 = true
for _, task in ipairs(path) do on_p2 = on_p2 and cpop.host[task] == 2 end
claim { source = source, says = "CPOP puts the critical path on P2", holds = on_p2, verdict = "reproduces" }
printed.makespans(ten, source, { { "heft", 80 }, { "cpop", 86 }, { "dls", 91 } })
print "the publication also quotes MH 91 and LMT 95, which are not in the catalogue"

-- Not published: recomputed by an independent program.
local elsewhere = "an independent program"
printed.makespans(ten, elsewhere, { { "branch_and_bound", 73 }, { "lookahead", 76 }, { "peft", 85 }, { "hcpt", 91 } })
claim { source = elsewhere, says = "SLR of HEFT's schedule", value = r.slr, published = 80 / 41, within = 1e-12, verdict = "reproduces" }
claim { source = elsewhere, says = "speed-up of HEFT's schedule", value = r.speedup, published = 127 / 80, within = 1e-12, verdict = "reproduces" }
claim { source = elsewhere, says = "bytes between hosts in HEFT's schedule", value = r.bytes_between, published = 140, verdict = "reproduces" }
claim { source = elsewhere, says = "mean slack of HEFT's schedule, s", value = r.mean_slack, published = 3.1, margin = 1e-9, verdict = "reproduces" }

-- The same graph again at t = 10, planned around the first.
local two = scenario { platform = ten.platform, workload = workload.workflows {
  workload.workflow { name = "first", tasks = ten.graph }, workload.workflow { name = "second", tasks = ten.graph, arrival = 10 } } }
  :run { policy = scheduled "heft", validate = true }
print "\ntwice, the second at 10:"
two:gantt()
local second = {}
for i, row in ipairs(two:jobs()) do
  if i > 10 then second[i - 10] = ("%d %s %g-%g"):format(i - 10, row.hosts, row.start, row.finish) end
end
claim { source = elsewhere, says = "the same graph again at 10, planned by HEFT around the first, ends at 109", verdict = "reproduces",
        holds = table.concat(second, ", ") == "1 P1 10-24, 2 P3 49-67, 3 P1 40-51, 4 P2 42-50, 5 P1 62-74, 6 P3 67-76, 7 P1 74-81, 8 P3 77-91, "
                                              .. "9 P2 87-99, 10 P2 102-109",
        found = table.concat(second, ", ") }
print(two:workflows())
