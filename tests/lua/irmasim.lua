-- IRMaSim's files: a fat node of 4 cores at 2 Gop/s and two thin ones of 2 at 1 Gop/s. Job a has 12 Gop, 6 s on the
-- fat node; b and c are as long as they requested on the slowest node, 4 s and 2 s, half of that on the fat one.
-- expect: irmasim ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused
local function starts(s)
  local list = {}
  for _, job in ipairs(s:run { policy = "fcfs" }:jobs()) do
    list[#list + 1] = ("%s %s-%s on %s"):format(job.name, job.start, job.finish, job.hosts)
  end
  return table.concat(list, ", ")
end

local p = platform.irmasim("data/irmasim/platform.json", "small")
same(table.concat(p:hosts(), " "), "c.big c.node1 c.node2", "hosts")
same(p:total_cores(), 8, "cores")
local w = workload.irmasim "data/irmasim/workload.json"
same(#w, 3, "jobs")
same(w.log, nil, "log")
-- c needs four cores, so it waits for a.
same(starts(scenario { platform = p, workload = w }), "a 0-6 on c.big, b 1-3 on c.big, c 6-7 on c.big", "fcfs")
local cut = workload.irmasim("data/irmasim/workload.json", { origin = 0, length = 1, enforce_req_time = true })
same(starts(scenario { platform = p, workload = cut }), "a 0-4 on c.big", "enforce_req_time")
local later = workload.irmasim("data/irmasim/workload.json", { origin = 1 })
same(#later, 2, "from the second on")
same(starts(scenario { platform = p, workload = later }), "b 0-2 on c.big, c 2-3 on c.big", "origin")

local s, options = scenario.irmasim "data/irmasim/options.json"
same(starts(s), "a 0-6 on c.big, b 1-3 on c.big", "trajectory")
same(options.seed, 7, "seed")
same(options.workload_manager.type, "Heuristic", "manager")
same(options.workload_manager.job_selection, "shortest", "job_selection")
same(tostring(options.policy), 'pending_list { job = "shortest", resource = "high_gflops" }', "policy")
-- Both at 0, the shorter first, on the fastest node that has room.
local ran = {}
for _, job in ipairs(s:run { policy = options.policy }:jobs()) do ran[#ran + 1] = job.name .. " " .. job.hosts end
same(table.concat(ran, ", "), "a c.big, b c.big", "its run")
same(options.information, "declared", "information")

-- An idle node a draws 3 W and has 16 GB, b 8 W and 64 GB. With two busy cores a draws 30 + 2 * 10 W, and b 20 + 2 * 5 W.
do
  local p = platform.irmasim "data/irmasim/power.json"
  local function on(rule, tasks)
    return scenario { platform = p, workload = workload.jobs { { cores = tasks, ops = "8 Gop" } } }:run { policy = pending_list { resource = rule } }
  end
  local low, high = on("low_power", 2), on("high_mem", 2)
  same(low:jobs()[1].hosts, "c.a", "low_power")
  same(high:jobs()[1].hosts, "c.b", "high_mem")
  same(low.energy, 8 * (50 + 8), "energy")
  same(high.energy, 8 * (3 + 20 + 2 * 5), "energy on b")
end

-- The words themselves are still what they were, and say what else they have.
same(tostring(platform { host "h" {} }), "platform of 1 host in 1 cluster", "platform")
refused("there is no 'platform.irmasm'; did you mean 'irmasim'?", function() return platform.irmasm end)
refused("unknown platform 'smal'; did you mean 'small'?",
  function() platform.irmasim("data/irmasim/platform.json", "smal") end)
refused("data/irmasim/workload.json:1: ", function() platform.irmasim "data/irmasim/workload.json" end)
refused("unknown field 'orgin'; did you mean 'origin'?",
  function() workload.irmasim("data/irmasim/workload.json", { orgin = 1 }) end)
refused("trajectory_origin must be below the number of jobs", function()
  scenario { platform = p, workload = workload.irmasim("data/irmasim/workload.json", { origin = 9 }) }:run { policy = "fcfs" }
end)
refused("data/irmasim/platform.json: 'workload_file' is missing",
  function() scenario.irmasim "data/irmasim/platform.json" end)
print "irmasim ok"
