-- The rows of r:jobs() say why work was rejected.
-- expect: reasons ok
local same = require("modules.expect").same
local machine = platform { host "a" { cores = 2 } }
local function reasons(work, policy)
  local list = {}
  for _, job in ipairs(scenario { platform = machine, workload = work }:run { policy = policy }:jobs()) do
    list[#list + 1] = job.state .. " " .. tostring(job.reason)
  end
  return table.concat(list, ", ")
end
same(reasons(workload.jobs { { time = 10 }, { cores = 3, time = 5 } }, "fcfs"), "finished nil, rejected infeasible", "no host is wide enough")
policy "picky" {
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      if sim:work_name(work) == "odd" then sim:reject(work) else sim:start(work, 1) end
    end
  end,
}
same(reasons(workload.tasks { { time = 1 }, { name = "odd", time = 1 } }, "picky"), "finished nil, rejected policy", "the policy rejects")
print "reasons ok"
