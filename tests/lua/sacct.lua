-- Five jobs as sacct prints them, on nodes of two cores, worked out by hand. Job 2 ran over its limit; job 4 never ran;
-- job 5 had not ended. Job 3 takes 4 processors on 3 nodes, so 2 of each.
-- expect: sacct ok
-- expect: refused ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused
local function rows(w, fields, machine)
  fields = fields or {}
  fields.policy = fields.policy or "fcfs"
  local list = {}
  local r = scenario { platform = machine or w.log:platform { nodes = 3 }, workload = w }:run(fields)
  for _, job in ipairs(r:jobs()) do
    list[#list + 1] = ("%s %g-%g"):format(job.name, job.start, job.finish)
  end
  return table.concat(list, ", "), r
end

local w = workload.sacct "data/sacct.txt"
local log = w.log
same(#w, 3, "jobs")
same(tostring(log), "log data/sacct.txt of 5 jobs, 3 kept", "log")
same(log.lines, 7, "lines")
same(log.first_submit, 19783 * 86400.0 + 8 * 3600, "first submit, 19783 days after 1970")  -- 54 * 365 + 13 + 31 + 29
same(log.max_procs, nil, "max_procs")
same(log.computer, nil, "computer")
same(#log:headers(), 0, "headers")
same(log:count "step", 1, "step")
same(log:count "not_ended", 1, "not_ended")
same(log:count "no_time", 1, "no_time")
same(log:count "timeout", 1, "timeout")
same(log:count "uneven", 1, "uneven")
same(log:count "memory", 1, "memory")
same(log:count "repeated_id", 0, "repeated_id")
same(log:platform { nodes = 3 }:total_cores(), 6, "a node has the cores that a job takes of one at most")
refused("data/sacct.txt does not tell how many nodes the machine had; give nodes", function() log:platform() end)
local said = table.concat(log:limitations(), "\n")
for _, text in ipairs { "taken as they stand", "the memory that 1 of 3 jobs asked for is not taken over" } do
  assert(said:find(text, 1, true), text)
end

-- 1 has two nodes, 2 one core of the third, at 1; 3 needs all three, at 10.
local text, r = rows(w)
same(text, "1 0-10, 2 1-7, 3 10-14", "fcfs")
same(r:users()[1].user .. r:users()[2].user, "adabob", "users")
-- The limit of 5 s ends job 2.
text, r = rows(workload.sacct("data/sacct.txt", { limits = true }))
same(text, "1 0-10, 2 1-6, 3 10-14", "limits")
same(r.killed, 1, "killed")
same(rows(workload.sacct("data/sacct.txt", { arrive = "eligible" })), "1 0-10, 2 1-7, 3 30-34", "eligible")
-- 3 takes 4 cores of any nodes: at 7 there are 2, at 10 all 6.
same(rows(workload.sacct("data/sacct.txt", { shape = "processes" })), "1 0-10, 2 1-7, 3 10-14", "processes")
local wide = platform { host "machine" { cores = 9 } }
same(rows(workload.sacct("data/sacct.txt", { shape = "host" }), nil, wide), "1 0-10, 2 1-7, 3 2-6", "host")
-- Job 1 asked for 1 GiB on two nodes: half of it on each. There it fits on nodes of 512 MiB, and not on smaller ones.
local with_memory = workload.sacct("data/sacct.txt", { memory = true })
same(rows(with_memory, nil, log:platform { nodes = 3, memory = "512 MiB" }), "1 0-10, 2 1-7, 3 10-14", "memory")
_, r = rows(workload.merge(with_memory), { policy = "easy" }, log:platform { nodes = 3, memory = "512 MiB" })
same(r.finished, 3, "memory under easy")
local short = scenario { platform = log:platform { nodes = 3, memory = 2 ^ 29 - 1 }, workload = with_memory }:run { policy = "fcfs" }
same(short:jobs()[1].state .. short:jobs()[2].state, "rejectedfinished", "too little memory")
same(#with_memory.log:limitations(), #log:limitations() - 1, "limitations")
refused("memory = true needs shape = \"nodes\" or \"host\"",
  function() workload.sacct("data/sacct.txt", { memory = true, shape = "processes" }) end)
print "sacct ok"

refused("there is no anomaly 'steps'; did you mean 'step'?", function() log:count "steps" end)
refused("shape must be one of nodes, processes, host, got 'hosts'; did you mean 'host'?",
  function() workload.sacct("data/sacct.txt", { shape = "hosts" }) end)
refused("unknown field 'limit'", function() workload.sacct("data/sacct.txt", { limit = true }) end)
refused("there is no column JobID (or JobIDRaw)", function() workload.sacct "data/small.swf" end)
refused("the name of a file is needed", function() workload.sacct() end)
refused("no such file", function() workload.sacct "data/none.txt" end)
print "refused ok"
