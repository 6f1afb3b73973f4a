-- Jobs that declare memory: a policy sees it, pending_list sorts by it, IRMaSim's files keep it. One core; by memory c (none),
-- b, a; by traffic a, c, b.
-- args: --out $OUT --data $OUT
-- expect: memory ok
local same = require("modules.expect").same
local s = scenario {
  platform = platform { host "n" {} },
  workload = workload.jobs {
    { name = "a", ops = 4, memory = "2 GB", memory_traffic = 10 },
    { name = "b", ops = 3, memory = 5e8, memory_traffic = "3 TB" },
    { name = "c", ops = 2, memory_traffic = 11 },
  },
}
local function order(job)
  local rows = s:run { policy = pending_list { job = job } }:jobs()
  table.sort(rows, function(a, b) return a.start < b.start end)
  return rows[1].name .. rows[2].name .. rows[3].name
end
same(order "low_mem", "cba", "low_mem")
same(order "low_mem_bw", "acb", "low_mem_bw")
same(order "low_mem_ops", "acb", "low_mem_ops")
local seen
policy "looks" {
  accepts = { "jobs" },
  arrived = function(self, sim, jobs)
    if seen then return end
    seen = {}
    for i, job in ipairs(jobs) do seen[i] = ("%s %s"):format(sim:memory(job), sim:memory_traffic(job)) end
  end,
  decide = function(self, sim)
    for _, job in ipairs { 1, 2, 3 } do if sim:state(job) == "waiting" and sim:fits(job, 1) then sim:start(job, 1) end end
  end,
}
s:run { policy = "looks" }
same(table.concat(seen, ", "), "2000000000.0 10.0, 500000000.0 3000000000000.0, nil 11.0", "seen")

local r = s:run { policy = "fcfs" }
r:save("kept", { "irmasim" })
local again = scenario.irmasim "kept/options.json"
again:run { policy = "fcfs" }:save("twice", { "irmasim" })
local rows = csv.read "twice/irmasim_jobs.csv"
same(rows[1].mem, 2e9, "mem") same(rows[1].mem_vol, 10, "mem_vol") same(rows[3].mem, nil, "no mem")
for _, wrong in ipairs { -1, "many" } do
  same(pcall(workload.jobs, { { time = 1, memory = wrong } }), false, "memory = " .. wrong)
end
print "memory ok"
