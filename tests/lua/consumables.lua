-- Memory, resources and licences. All starts by hand.
-- expect: consumables ok
local expect = require("modules.expect")
local refused, starts = expect.refused, expect.starts
local function same(a, b) expect.same(json.text(a), json.text(b), "value") end

local function on(parts, jobs) return scenario { platform = platform(parts), workload = workload.jobs(jobs) } end
local all = { fcfs {}, sjf {}, easy {}, conservative {}, backfill {}, pending_list {} }

-- One host of 4 cores and 10 B: b waits for memory, not for cores. c is behind b in line; what backfills starts it, for
-- it leaves b its memory at 10.
local one = on({ host "h" { cores = 4, memory = 10 } }, {
  { name = "a", time = 10, memory = 8 }, { name = "b", time = 5, memory = 4, arrival = 1 },
  { name = "c", time = 30, memory = 2, arrival = 2 }, { name = "d", time = 3, arrival = 3 } })
starts(one, fcfs {}, { 0, 10, 10, 10 })
for _, policy in ipairs { easy {}, conservative {}, backfill {}, backfill { reserve = 1 } } do
  starts(one, policy, { 0, 10, 2, 3 })
end

-- The same, but c takes so much that b could not start at 10: c is over at 9 in the first scenario, at 32 in the second.
for time, start in pairs { [7] = 2, [30] = 15 } do
  local tight = on({ host "h" { cores = 4, memory = 10 } }, {
    { name = "a", time = 10, memory = 6 }, { name = "b", time = 5, memory = 8, arrival = 1 },
    { name = "c", time = time, memory = 4, arrival = 2 } })
  for _, policy in ipairs { easy {}, conservative {}, backfill {} } do starts(tight, policy, { 0, 10, start }) end
end

-- memory_per_core goes by the cores of each host: a takes 2 + 3 x 2 of n.1 and of n.2. b needs 3 B and finds 2.
local per_core = on({ cluster "n" { nodes = 2, cores = 4, memory = 10 } }, {
  { name = "a", nodes = 2, cores = 3, memory = 2, memory_per_core = 2, time = 10 },
  { name = "b", time = 1, memory_per_core = 3, arrival = 1 }, { name = "c", time = 1, memory = 2, arrival = 2 } })
starts(per_core, fcfs {}, { 0, 10, 10 })
starts(per_core, easy {}, { 0, 10, 2 })

-- The processes of a job go where there is memory for them: 2 of 3 B each on n.1 (8 B), 3 on n.2 (10 B).
local spread = on({ cluster "n" { cores = 4, host "n.1" { memory = 8 }, host "n.2" { memory = 10 } } }, {
  { name = "a", processes = 5, memory_per_core = 3, time = 1 } })
for _, policy in ipairs(all) do starts(spread, policy, { 0 }, { "n.1 n.2" }) end
local run = spread:run { policy = "fcfs" }
same(run:jobs()[1].allocation, "n.1:2 n.2:3")

-- Resources are of some hosts alone. train has 3 of the 4; tune wants 2, other work goes on beside them.
local gpus = on({ cluster "thin" { nodes = 2, cores = 8 }, cluster "fat" { cores = 8, resources = { gpu = 4 } } }, {
  { name = "train", cores = 4, resources = { gpu = 3 }, time = 100 },
  { name = "tune", resources_per_core = { gpu = 2 }, time = 10, arrival = 1 },
  { name = "last", cores = 8, nodes = 2, time = 5, arrival = 2 } })
starts(gpus, fcfs {}, { 0, 100, 100 }, { "fat.1", "fat.1", "thin.1 thin.2" })
for _, policy in ipairs { easy {}, conservative {}, backfill {} } do
  starts(gpus, policy, { 0, 100, 2 }, { "fat.1", "fat.1", "thin.1 thin.2" })
end

-- Licences are of all hosts together. b waits for the licence of a. c would hold it from 3 on beyond 10 if it took the
-- only one; there are two, and b wants both.
local licensed = on({ cluster "n" { nodes = 4 }, licence "solver" { count = 2 } }, {
  { name = "a", licences = { solver = 1 }, time = 10 }, { name = "b", licences = { solver = 2 }, time = 5, arrival = 1 },
  { name = "c", licences = { solver = 1 }, time = 7, arrival = 2 }, { name = "d", licences = { solver = 1 }, time = 8, arrival = 3 } })
starts(licensed, fcfs {}, { 0, 10, 15, 15 })
-- c is over at 9, before b. d would be over at 17 if it began at 9.
for _, policy in ipairs { easy {}, conservative {}, backfill {} } do starts(licensed, policy, { 0, 10, 2, 15 }) end
-- Not planned: b is passed over while it lacks one, so d has c's at 9, and b waits for d.
starts(licensed, backfill { licences = false }, { 0, 17, 2, 9 })

-- A job that stands still keeps its memory; one that is lost gives it back.
for rule, start in pairs { resumed = 25, restarted = 30, lost = 5 } do
  local held = scenario {
    platform = platform { cluster "n" { nodes = 2, memory = 10 }, licence "x" { count = 1 } },
    workload = workload.jobs { { name = "a", only = "n.1", licences = { x = 1 }, time = 10 },
                               { name = "b", only = "n.2", licences = { x = 1 }, time = 1, arrival = 1 } },
    events = { outage { host = "n.1", from = 5, to = 20 } }, on_failure = { compute = rule } }
  same(held:run { policy = "conservative" }:jobs()[2].start, start)
end

-- Posts wait for memory, and for licences that a job on another host has.
policy "poster" { accepts = { "jobs", "several_cores", "several_hosts", "memory" },
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      sim:post(work, { 1 + (work - 1) % 2 })
      if work == 3 then same({ sim:free(1), sim:free(1, "gpu"), sim:free(2, "gpu"), sim:licences("x") }, { 4, 1, 2, 0 }) end
    end
  end }
starts(on({ cluster "n" { nodes = 2, cores = 2, memory = 10, resources = { gpu = 2 } }, licence "x" { count = 1 } }, {
  { time = 10, memory = 6, resources = { gpu = 1 }, licences = { x = 1 } }, { time = 3, licences = { x = 1 }, arrival = 1 },
  { time = 1, memory = 5, arrival = 2 } }), "poster", { 0, 10, 10 })

-- The refusals of the engine, and the words of an explanation.
local kept = {}
policy "starter" { accepts = { "jobs", "several_cores", "several_hosts", "memory" },
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      local ok, problem = pcall(sim.start, sim, work, { 1 })
      if not ok then kept[#kept + 1] = tostring(problem) end
    end
  end }
on({ host "h" { cores = 4, memory = 10, resources = { gpu = 1 } }, licence "x" { count = 1 } }, {
  { time = 10, memory = 8, resources = { gpu = 1 }, licences = { x = 1 } }, { time = 1, memory = 4, arrival = 1 },
  { time = 1, resources = { gpu = 1 }, arrival = 2 }, { time = 1, licences = { x = 1 }, arrival = 3 } }):run { policy = "starter" }
for i, part in ipairs { "it needs 4 B of the 10 B memory of host 'h', 2 B are free", "it needs 1 of the 1 gpu of host 'h', 0 are free",
                        "it needs 1 of the 1 of licence 'x', 0 are free" } do
  assert(kept[i]:find(part, 1, true), kept[i])
end


-- A policy of works of one host may take them too.
policy "one_host" { accepts = { "jobs", "memory" },
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do if sim:fits(work, 1) then sim:start(work, 1) end end
  end }
starts(on({ host "h" { cores = 4, memory = 10 } }, { { time = 10, memory = 8 }, { time = 5, memory = 4, arrival = 1 }, { time = 1, memory = 2, arrival = 2 } }),
  "one_host", { 0, 10, 2 })
-- A work that is submitted on the way and rejected is explained as any other.
local under_way = one:start { policy = "easy" }
under_way:run_until(3)
under_way:submit { name = "k", cores = 5, time = 3 }
under_way:submit { name = "m", memory = 11, time = 3 }
under_way:run_until(4)
assert(tostring(under_way:why "k"):find("has 4 cores, 5 are needed", 1, true), tostring(under_way:why "k"))
assert(tostring(under_way:why "m"):find("11 B of memory", 1, true), tostring(under_way:why "m"))

-- Whole jobs by count: classes differ by what hosts have.
local counted = on({ cluster "n" { memory = 10, host "n.1" {}, host "n.2" {}, host "n.3" { memory = 4 } } }, {
  { nodes = 2, time = 10 }, { memory = 5, time = 5, arrival = 1 }, { memory = 4, time = 5, arrival = 2 } })
starts(counted, conservative { promise = "count" }, { 0, 10, 2 }, { "n.1 n.2", "n.1", "n.3" })

-- No host has a bound: memory is a mere declaration, of any policy, and bits stay as they were.
local declared = { { time = 5, memory = "4 GB" }, { time = 5, memory = "40 GB" } }
local plain = on({ host "h" { cores = 2 } }, declared):run { policy = "workqueue" }
same(plain.makespan, 5)
same(on({ host "h" { cores = 2 } }, declared):run { policy = "fcfs" }.fingerprint,
     on({ host "h" { cores = 2 } }, { { time = 5 }, { time = 5 } }):run { policy = "fcfs" }.fingerprint)

-- Bad input.
local function fresh(record) return function() return on({ cluster "n" { nodes = 2, resources = { gpu = 1 }, memory = 5 }, licence "solver" { count = 1 } }, { record }):run { policy = "fcfs" } end end
refused("no host of the platform has the resource 'gpus'; did you mean 'gpu'?", fresh { time = 1, resources = { gpus = 1 } })
refused("the platform has no licence 'solve'; did you mean 'solver'?", fresh { time = 1, licences = { solve = 1 } })
refused("no host of the platform has the resource 'gpu'", function() return on({ host "h" {} }, { { time = 1, resources_per_core = { gpu = 1 } } }):run { policy = "fcfs" } end)
refused("must be a whole number", function() return workload.jobs { { time = 1, resources = { gpu = 1.5 } } } end)
refused("resources.gpu must be", function() return workload.jobs { { time = 1, resources = { gpu = -1 } } } end)
refused("needs names as keys", function() return workload.jobs { { time = 1, resources = { 2 } } } end)
refused("must be a table", function() return workload.jobs { { time = 1, licences = "solver" } } end)
refused("memory_per_core must be", function() return workload.jobs { { time = 1, memory_per_core = -1 } } end)
refused("at most 2^53 B", function() return workload.jobs { { time = 1, memory = 1e16 } } end)
refused("at most 2^53 B", function() return platform { host "h" { memory = 1e16 } } end)
refused("'cores' is a field of its own", function() return platform { host "h" { resources = { cores = 1 } } } end)
refused("two licences are called 'x'", function() return platform { host "h" {}, licence "x" { count = 1 }, licence "x" { count = 2 } } end)
refused("a licence and a host are called 'h'", function() return platform { host "h" {}, licence "h" { count = 1 } } end)
refused("a licence and a cluster are called 'c'", function() return platform { cluster "c" {}, licence "c" { count = 1 } } end)
refused("count", function() return licence "x" {} end)
refused("policy 'workqueue' does not accept 'memory', which job 1 has",
        function() return on({ host "h" { memory = 5 } }, { { time = 1, memory = 1 } }):run { policy = "workqueue" } end)
refused("counts no licences", function()
  return on({ host "h" {}, licence "x" { count = 1 } }, { { time = 1, licences = { x = 1 } } }):run { policy = conservative { promise = "count" } }
end)
local never = on({ cluster "n" { nodes = 2, memory = 5 }, licence "x" { count = 1 } }, {
  { time = 1, memory = 6 }, { time = 1, nodes = 2, memory_per_core = 5 }, { time = 1, licences = { x = 2 } } }):run { policy = "fcfs" }
same({ never:jobs()[1].state, never:jobs()[2].state, never:jobs()[3].state }, { "rejected", "finished", "rejected" })

print "consumables ok"
