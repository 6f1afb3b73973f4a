-- Limits of jobs, by hand.
-- expect: limits_of_jobs ok
local same = require("modules.expect").same

-- One core: x runs over its limit of 8 s into the grace of 10 s, and ends at 15; y is killed at 15 + 18; z takes exactly
-- its limit and finishes.
local s = scenario { platform = platform { host "h" {} }, workload = workload.jobs {
  { name = "x", time = 15, limit = 8, grace = 10 }, { name = "y", time = 25, limit = 8, grace = 10, arrival = 1 },
  { name = "z", time = 5, limit = 5, arrival = 2 } } }
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative" } do
  local r = s:run { policy = policy, validate = true }
  local by_name = {}
  for _, job in ipairs(r:jobs()) do by_name[job.name] = job end
  same(by_name.x.state, "finished", "x")
  same(by_name.x.finish, 15, "x")
  same(by_name.y.state, "killed", "y")
  same(by_name.y.finish - by_name.y.start, 18, "y")
  same(by_name.z.state, "finished", "z")
  same(r.killed, 1, "killed")
  same(r.finished, 2, "finished")
  same(r.unfinished, 0, "unfinished")
end

-- A killed job counts in responses: (15 + 32 + 36) / 3 under fcfs.
same(s:run { policy = "fcfs" }.mean_response, 83 / 3, "mean response")

-- The limit is what a job declares where it declares nothing else; policies plan by it.
local declared = scenario { platform = platform { host "h" { cores = 2 } }, workload = workload.jobs {
  { time = 4, limit = 10 }, { cores = 2, time = 3, limit = 5, arrival = 1 }, { time = 6, limit = 9, arrival = 1 } } }
local rows = declared:run { policy = "easy", information = "declared", validate = true }:jobs()
same(rows[3].start, 1, "it would be over by 10, before the first in line")
same(rows[2].start, 7, "the first in line")

-- The clock stands while the job does because of an outage of which the policy was told, and runs on otherwise.
local function away(announced)
  local r = scenario { platform = platform { cluster "n" { nodes = 2 } }, on_failure = { compute = "resumed" },
    workload = workload.jobs { { nodes = 2, time = 10, limit = 6 } },
    events = { outage { host = "n.2", from = 3, to = 20, announced = announced } } }:run { policy = "fcfs", validate = true }
  return r:jobs()[1].finish
end
same(away(true), 23, "told")
same(away(false), 6, "not told")

-- at_limit = "keep": the limit is only declared.
local kept = scenario { platform = platform { host "h" {} }, at_limit = "keep",
                        workload = workload.jobs { { time = 10, limit = 5 } } }:run { policy = "fcfs", validate = true }
same(kept:jobs()[1].finish, 10, "kept")

-- Policies of scripts are told of jobs that were killed, and those without "limits" refuse them.
local told
policy "told" { accepts = { "jobs", "limits" },
  killed = function(self, sim, works) told = ("%d %g %s"):format(works[1], sim:now(), sim:state(works[1])) end,
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do
      if sim:fits(work, 1) then sim:start(work, 1) end
    end
  end }
policy "untold" { accepts = { "jobs" }, decide = function() end }
local one = scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 10, limit = 5 } } }
one:run { policy = "told", validate = true }
same(told, "1 5 killed", "told")
local ok, problem = pcall(function() one:run { policy = "untold" } end)
same(ok, false, "refused")
same(problem.message:find("'limit' = 5", 1, true) ~= nil, true, problem.message)

-- In the middle of a run, a fork kills too.
local sim = one:start { policy = "fcfs" }
sim:run_until(2)
local fork = sim:fork()
same(fork:run().fingerprint, sim:run().fingerprint, "fork")
print "limits_of_jobs ok"
