-- Three jobs of Batsim on four hosts of 2 Gop/s, worked out by hand. Job 2 is ended by its walltime.
-- expect: batsim ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local w = workload.batsim "data/batsim.json"
local log = w.log
same(#w, 3, "jobs")
same(tostring(log), "log data/batsim.json of 3 jobs, 3 kept", "log")
same(log.max_procs, 4, "nb_res")
same(log.lines, 9, "lines")
same(log.first_submit, 0.0, "first_submit")
same(log:count "communication", 1, "communication")
same(log:count "no_walltime", 1, "no_walltime")
same(log:anomalies()[1].what, "jobs whose profile sends bytes (talk)", "what")
same(log:platform():total_cores(), 4, "platform")

-- a takes 20e9 / 2e9 = 10 s on three hosts. 2 needs two, so it waits for them, and is ended after 6 s of its 8. c takes
-- 8e9 / 2e9 = 4 s: fcfs keeps it behind 2, easy starts it at once, for it is over before a is.
local nodes = platform { cluster "n" { nodes = 4, cores = 2, speed = "2 Gop/s" } }
local s = scenario { platform = nodes, workload = w }
local function rows(r)
  local list = {}
  for _, job in ipairs(r:jobs()) do list[#list + 1] = ("%s %g-%g %s"):format(job.name, job.start, job.finish, job.state) end
  return table.concat(list, ", ")
end
same(rows(s:run { policy = "fcfs" }), "a 0-10 finished, 2 10-16 killed, c 10-14 finished", "fcfs")
same(rows(s:run { policy = "easy" }), "a 0-10 finished, 2 10-16 killed, c 2-6 finished", "easy")

refused("$.profiles.p.type: jobs of type 'smpi' are not taken", function() workload.batsim "data/batsim_smpi.json" end)
local ok, problem = pcall(workload.batsim, "data/batsim_smpi.json")
same(ok, false, "refused")
same(problem.code, "unsupported_profile", "code")
refused("(E_JSON)", function() workload.batsim "data/small.swf" end)
print "batsim ok"
