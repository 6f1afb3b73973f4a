-- expect: queues of logs
-- Partitions of sacct and fields 15 and 16 of SWF as queues, with and without queues of the scenario.
local function same(got, expected, what)
  assert(got == expected, ("%s: expected %s, got %s"):format(what, expected, got))
end
local function refused(text, f)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), ("expected '%s', got '%s'"):format(text, message))
end
local function rows(workload, more)
  local s = { platform = platform { cluster "machine" { nodes = 4 } }, workload = workload }
  for name, value in pairs(more or {}) do s[name] = value end
  local r = scenario(s):run { policy = "easy", validate = true }
  local list = {}
  for _, job in ipairs(r:jobs()) do list[#list + 1] = ("%s %s %g"):format(job.name, job.queue or "-", job.start) end
  return table.concat(list, ", "), r
end

local sacct = workload.sacct "data/sacct_queues.txt"
same(rows(sacct), "1 batch 0, 2 batch 1, 3 debug 2", "names alone bound nothing")
-- One job of "batch" at a time; "normal" and "debug" bound nothing.
local bounded = { queues = { queue "batch" { max_running = 1 }, queue "debug" {} }, qos = { qos "normal" {} } }
local text, r = rows(sacct, bounded)
same(text, "1 batch 0, 2 batch 10, 3 debug 2", "queues of the scenario")
same(r["utilization.queue.batch"] > r["utilization.queue.debug"], true, "utilization")
refused("the log: the scenario has no queue 'debug'", function() rows(sacct, { queues = { queue "batch" {} }, qos = { qos "normal" {} } }) end)
refused("the log: the scenario has no qos 'normal'", function() rows(sacct, { queues = { queue "batch" {}, queue "debug" {} } }) end)
-- Accounts are those of a tree of shares.
local fair = backfill { priority = multifactor { fair_share = 1, shares = { physics = { share = 1, ada = 1 }, biology = { share = 1, bob = 1 } } } }
same(scenario { platform = platform { host "machine" {} }, workload = sacct }:run { policy = fair, validate = true }:jobs()[3].start, 10,
  "the other account comes before the second job of the first")

refused("no column 'queue'", function() rows(workload.swf "data/queues.swf") end)  -- nobody asked for them
local swf = workload.swf("data/queues.swf", { queues = true })
same(rows(swf), "job1 partition1.queue3 0, job2 queue3 1, job3 partition2 2, job4 - 3", "queues of SWF")
same(rows(swf, { queues = { queue "partition1.queue3" {}, queue "queue3" { hosts = "machine.1" }, queue "partition2" {} } }),
  "job1 partition1.queue3 0, job2 queue3 10, job3 partition2 2, job4 - 3", "with hosts")
-- Logs and jobs of the script may be merged.
same(rows(workload.merge(sacct, workload.jobs { { name = "x", queue = "debug", time = 1, arrival = 5 } }), bounded),
  "1 batch 0, 2 batch 10, 3 debug 2, x debug 5", "merged")
refused("must not have queues = true", function()
  scenario { platform = platform { cluster "machine" { nodes = 4 } }, workload = workload.stream(swf) }:run { policy = "easy" }
end)
print "queues of logs"
