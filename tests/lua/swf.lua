-- A log of six jobs on four processors, worked out by hand. Job 5 has no run time; job 4 stands behind job 3,
-- which was submitted later; job 2 ran longer than it requested. Arrivals count from 100.
-- expect: fcfs ok
-- expect: options ok
-- expect: refused ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused
local machine = platform { host "machine" { cores = 4 } }
local function starts(w, policy, fields)
  fields = fields or {}
  fields.policy = policy
  local list = {}
  for _, job in ipairs(scenario { platform = machine, workload = w }:run(fields):jobs()) do
    list[#list + 1] = job.name .. " " .. job.start
  end
  return table.concat(list, ", ")
end

local w = workload.swf("data/small.swf")
same(#w, 5, "jobs")
same(tostring(w.log), "log data/small.swf of 6 jobs, 5 kept", "log")
same(w.log.max_procs, 4, "max_procs")
same(w.log.computer, "Toy", "computer")
same(w.log.installation, "Nowhere", "installation")
same(w.log:header("note"), "written by hand", "header")
same(w.log:header("Queues"), nil, "header that there is not")
same(#w.log:headers(), 6, "headers")
same(w.log.first_submit, 100.0, "first submit")
same(w.log.lines, 12, "lines")
same(w.log:count("zero_run"), 1, "zero_run")
same(w.log:count("run_over_requested"), 1, "run_over_requested")
same(w.log:count("unknown_requested_time"), 1, "unknown_requested_time")
same(w.log:count("unsorted_submit"), 1, "unsorted_submit")
same(w.log:count("bad_status"), 0, "bad_status")
local found = {}
for _, row in ipairs(w.log:anomalies()) do found[row.anomaly] = row end
same(found.unsorted_submit.line, 10, "line of the first that is not in order")
same(found.unsorted_submit.option, "order = sort", "option")
same(found.zero_run.done, "left out", "done")
same(workload.tasks({}).log, nil, "no log")
same(workload.merge(workload.tasks { { time = 1 } }, w).log.jobs, 6, "log of a merged workload")

-- First come, first served: 1 at 0; 2 needs all, at 10; 4, 3 and 6 fit together when it ends.
same(starts(w, "fcfs"), "job1 0, job2 10, job4 15, job3 15, job6 15", "fcfs")
local r = scenario { platform = machine, workload = w }:run { policy = "fcfs" }
same(r.mean_wait, (0 + 10 + 14 + 13 + 5) / 5, "mean_wait")
same(r.mean_bounded_slowdown, (1 + 1.5 + 1.7 + 1.9 + 1) / 5, "mean_bounded_slowdown")
same(r.makespan, 21.0, "makespan")
same(r.utilization, (20 + 20 + 6 + 6 + 2) / (4 * 21), "utilization")
-- Whoever fits: 4 at 1, 3 at 4 when 4 is over, 2 at 10, and 6 when 2 is over.
same(starts(w, "workqueue"), "job1 0, job2 10, job4 1, job3 4, job6 15", "workqueue")
print "fcfs ok"

local function small(options) return workload.swf("data/small.swf", options) end
same(starts(small { first = 2 }, "fcfs"), "job1 0, job2 10", "first")
same(starts(small { skip = 1, first = 2 }, "fcfs"), "job2 0, job4 5", "skip and first")
same(starts(small { last = 1 }, "fcfs"), "job6 0", "last")
same(starts(small { from_time = 101, to_time = "110 s" }, "fcfs"), "job4 0, job3 1", "a range of time")
same(starts(small { statuses = { 1 } }, "fcfs"), "job1 0, job2 10, job4 15, job3 15", "statuses")
same(starts(small { overrun = "cut" }, "fcfs"), "job1 0, job2 10, job4 14, job3 14, job6 14", "overrun")
same(starts(small { speed = 2, first = 3, skip = 2 }, "workqueue"), "job4 0, job3 0.5, job6 4.5", "speed")
same(starts(small { round_submit = 10 }, "workqueue"), "job1 0, job2 10, job4 0, job3 3, job6 15", "round_submit")
-- Seconds of the log on a machine of 2 op/s are half as long on one of 4.
local fast = scenario { platform = platform { host "f" { cores = 4, speed = 4 } }, workload = small { ref_rate = 2, first = 1 } }
same(fast:run { policy = "fcfs" }.makespan, 5.0, "ref_rate")
local narrow = platform { host "a" { cores = 2 }, host "b" { cores = 2 } }
local function parts(oversize)
  local list = {}
  local s = scenario { platform = narrow, workload = small { oversize = oversize, first = 2 } }
  for _, job in ipairs(s:run { policy = "fcfs" }:jobs()) do list[#list + 1] = job.name .. ":" .. job.cores end
  return table.concat(list, " ")
end
same(parts "drop", "job1:2 job4:2", "drop")
same(parts "clip", "job1:2 job2:2", "clip")
same(parts "split", "job1:2 job2.1:2 job2.2:2", "split")
local s = scenario { platform = machine, workload = workload.merge(small { first = 1 }, small { last = 1 }) }
same(#s:run { policy = "fcfs" }:jobs(), 2, "merged logs")
-- The host has 10 KiB: job 1 takes 2 x 4; job 2 wants 3 and waits for it, job 3 wants 2. Otherwise memory is only declared.
local by_memory = workload.swf("data/memory.swf", { memory = true })
local with = scenario { platform = platform { host "h" { cores = 4, memory = "10 KiB" } }, workload = by_memory }:run { policy = "easy" }:jobs()
same(("%g %g %g"):format(with[1].start, with[2].start, with[3].start), "0 10 2", "memory")
local bare = scenario { platform = by_memory.log:platform { nodes = 1, cores_per_node = 4 }, workload = workload.swf "data/memory.swf" }
same(bare:run { policy = "easy" }:jobs()[2].start, 1.0, "no memory")
refused("the jobs of a stream take no memory", function()
  scenario { platform = platform { host "h" { cores = 4 } }, workload = workload.stream(by_memory) }:run { policy = "easy" }
end)
print "options ok"

refused("data/small.swf:8: job2 needs 4 cores, the widest host has 2",
  function() scenario { platform = narrow, workload = w }:run { policy = "fcfs" } end)
refused("unknown field 'overun'; did you mean 'overrun'?", function() small { overun = "cut" } end)
refused("oversize must be one of error, drop, clip, split, got 'spilt'; did you mean 'split'?",
  function() small { oversize = "spilt" } end)
refused("first", function() small { first = 0 } end)
refused("first and last cannot both be given", function() small { first = 1, last = 1 } end)
refused("ref_rate", function() small { ref_rate = 0 } end)
refused("speed", function() small { speed = -1 } end)
refused("statuses", function() small { statuses = { 7 } } end)
refused("statuses", function() small { statuses = 1 } end)
refused("from_time must be <= to_time", function() small { from_time = 5, to_time = 1 } end)
refused("workload.swf: the name of a file is needed, got 7", function() workload.swf(7) end)
refused("there is no such file", function() workload.swf "data/none.swf" end)
refused("is a folder", function() workload.swf "data" end)
refused("is outside the script's folder", function() workload.swf "../../README.md" end)
refused("there is no anomaly 'zerorun'; did you mean 'zero_run'?", function() w.log:count "zerorun" end)
refused("a log has no field 'max_proc'", function() return w.log.max_proc end)
refused("data/broken.swf:2: column 14: field 4 (run time): 'x' is not a number", function() workload.swf "data/broken.swf" end)
same(workload.swf("data/broken.swf", { bad_lines = "skip" }).log:count "not_a_number", 1, "bad_lines")
print "refused ok"
