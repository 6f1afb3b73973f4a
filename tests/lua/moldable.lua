-- Moldable jobs: how they are declared, what policies choose, and what scripts see of them. All by hand.
-- expect: moldable ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

local function scenario_of(nodes, jobs, more)
  local declared = { platform = platform { cluster "n" { nodes = nodes } }, workload = workload.jobs(jobs) }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end
local function row(s, policy, job) return s:run { policy = policy, validate = true }:jobs()[job] end

-- How much faster: 1 / (0.1 + 0.9 / 4); Downey with A = 8.
local function near(a, b, what) same(math.abs(a - b) <= 1e-4 * b, true, ("%s: %s against %s"):format(what, a, b)) end
near(speedup.amdahl { serial = 0.1 }:at(4), 1 / 0.325, "Amdahl")
for _, case in ipairs { { 0.5, 4, 3.6571 }, { 0.5, 12, 7.5294 }, { 0.5, 20, 8 }, { 2, 8, 5.0526 }, { 2, 22, 8 } } do
  near(speedup.downey { parallelism = 8, sigma = case[1] }:at(case[2]), case[3], "Downey")
end
same(speedup.table { [2] = 60, [1] = 100 }:at(2), 100 / 60, "of a table")
same(tostring(speedup.amdahl { time = 5, serial = 0.25 }), "speedup.amdahl { serial = 0.25 }", "text")
refused("the table has no time of size 3, it has of size 1 or 2", function() return speedup.table { 100, 60 }:at(3) end)

-- Six hosts, two busy until 30. At 1 four hosts take 60 (0.1 + 0.9 / 4) = 19.5 s; six would begin at 30.
local function molded(field, time, more)
  local job = { arrival = 1, time = time, [field] = { 1, 2, 4, 6 } }
  for key, value in pairs(more or {}) do job[key] = value end
  return scenario_of(6, { { nodes = 2, time = 30 }, job })
end
local law = speedup.amdahl { time = 60, serial = 0.1 }
local times = speedup.table { [1] = 60, [2] = 33, [4] = 19.5, [6] = 15 }
local function by_function(nodes, cores) return 60 * (0.1 + 0.9 / cores) end
for _, policy in ipairs { fcfs {}, sjf {}, pending_list {}, easy {}, conservative {}, backfill {} } do
  for _, time in ipairs { law, times, by_function } do
    for _, field in ipairs { "nodes", "processes" } do
      local got = row(molded(field, time), policy, 2)
      same(got.finish, 20.5, "finish")
      same(got.nodes, 4, "nodes")
      same(got.cores, 4, "cores")
    end
  end
end
for mold, finish in pairs { least = 61, most = 45, earliest = 20.5 } do
  for _, policy in ipairs { fcfs { mold = mold }, sjf { mold = mold }, pending_list { mold = mold },
    easy { mold = mold }, conservative { mold = mold }, backfill { mold = mold } } do
    same(row(molded("nodes", law), policy, 2).finish, finish, mold)
  end
end

-- The first host has become slow, and is busy. On the others one size ends at 8, the other at 12.
for _, policy in ipairs { "fcfs", "easy", "conservative", "backfill" } do
  for _, case in ipairs { { 10, 6, 8, 2 }, { 6, 10, 8, 1 } } do
    local s = scenario_of(4, { { nodes = 1, time = 1000, only = "n.1" },
                               { nodes = { 1, 2 }, time = speedup.table { case[1], case[2] }, arrival = 2 } },
                          { events = { change { host = "n.1", at = 1, availability = 0.1 } } })
    local got = row(s, policy, 2)
    same(got.finish, case[3], policy .. ": finish")
    same(got.nodes, case[4], policy .. ": nodes")
  end
end

-- One node is idle at 1, all four are at 10. One would take 100 s and be killed at 31; four end at 38.
for _, policy in ipairs { "fcfs", "sjf", "easy", "conservative", "backfill" } do
  for limit, finish in pairs { [30] = 38, [20] = 21 } do  -- within 20 s no size ends: the one that begins first
    local got = row(scenario_of(4, { { nodes = 3, time = 10 },
      { nodes = { 1, 4 }, time = speedup.table { [1] = 100, [4] = 28 }, limit = limit, arrival = 1 } }), policy, 2)
    same(got.finish, finish, policy .. ": finish with a limit")
  end
end

-- The arguments of a function; ops are those of each core; a range.
local calls = {}
local ranged = scenario { platform = platform { cluster "n" { nodes = 3, cores = 4, speed = 2 } },
  workload = workload.jobs { { nodes = { most = 3 }, cores = 2, ops = function(nodes, cores)
    calls[#calls + 1] = nodes .. "x" .. cores
    return 120 / nodes
  end } } }
same(row(ranged, "easy", 1).finish, 20, "40 ops at speed 2")
same(row(ranged, easy { mold = "least" }, 1).finish, 60, "120 ops at speed 2")
same(table.concat(calls, " "), "1x2 2x4 3x6", "called once for each size")
calls = {}
workload.jobs { { processes = { least = 2, most = 3 }, time = function(nodes, cores)
  calls[#calls + 1] = tostring(nodes) .. " " .. cores
  return "1 min"
end } }
same(table.concat(calls, ", "), "nil 2, nil 3", "of processes")
-- A time that is no speed-up is that of all sizes.
same(row(scenario_of(4, { { nodes = { 2, 4 }, time = 7 } }), "fcfs", 1).nodes, 2, "of equals the least size")

-- Declared times decide, true times happen. By estimate two hosts end first.
local wrong = { { nodes = { 1, 2, 4 }, time = law, estimate = speedup.table { [1] = 50, [2] = 20, [4] = 30 } } }
local r = scenario_of(4, wrong):run { policy = "easy", information = "declared", validate = true }
same(r:jobs()[1].finish, 33, "true time of two")
same(r:jobs()[1].requested, 20, "declared time of two")
wrong[1].estimate = 40
r = scenario_of(4, wrong):run { policy = "easy", information = "declared", validate = true }
same(r:jobs()[1].nodes, 1, "one number for every size")
same(r:jobs()[1].requested, 40, "the number")

-- One size is the same to the bit however it is written.
local one = { { nodes = 2, time = 9 }, { nodes = 4, time = 5, arrival = 1 }, { processes = 3, time = 4, arrival = 2 } }
local fingerprint = scenario_of(4, one):run { policy = "easy" }.fingerprint
one[1].nodes, one[2].nodes, one[3].processes = { 2 }, { least = 4, most = 4 }, { 3 }
same(scenario_of(4, one):run { policy = "easy" }.fingerprint, fingerprint, "lists of one size")
one[1].time, one[2].time = speedup.table { [2] = 9 }, speedup.amdahl { time = 20, serial = 0 }
one[3].time = function() return 4 end
same(scenario_of(4, one):run { policy = "easy" }.fingerprint, fingerprint, "times by size")

-- The view and the actions of a policy.
policy "looks" { accepts = { "jobs", "several_cores", "several_hosts" },
  arrived = function(self, sim)
    local shape = sim:shape(1)
    same(shape.nodes, 1, "the least size")
    same(table.concat(shape.sizes, " "), "1 2 4", "sizes")
    same(sim:shape(2).sizes, nil, "one size")
    same(sim:estimate(1, { 1, 2 }), 33, "estimate on two")
    same(sim:fits(1, { 1, 2 }), true, "fits two")
    same(sim:fits(1, { 1, 2, 3 }), false, "fits three")
    same(#sim:allocate(1), 4, "allocate")
    same(#sim:allocate(1, { size = 2 }), 2, "allocate two")
    local plan = sim:plan()
    local start, where, stop = plan:earliest(1)
    same(("%g %d %g"):format(start, #where, stop), "0 4 19.5", "earliest")
    start, where, stop = plan:earliest(1, { size = 1 })
    same(("%g %d %g"):format(start, #where, stop), "0 1 60", "earliest of one")
    refused("3 is no size of job 1", function() plan:earliest(1, { size = 3 }) end)
    refused("has only one size", function() sim:allocate(2, { size = 1 }) end)
    plan:take(1, { 1, 2 }, 0, 33)
    same(plan:idle(2, 10), 0, "taken")
  end,
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do
      local where = sim:allocate(work, work == 1 and { size = 2 } or nil)
      if where then sim:start(work, where) end
    end
  end }
local seen = scenario_of(4, { { nodes = { 1, 2, 4 }, time = law }, { nodes = 1, time = 1 } })
same(row(seen, "looks", 1).finish, 33, "started on two")
policy "wrong_size" { accepts = { "jobs", "several_hosts" },
  decide = function(self, sim) if sim:waits(1) then sim:start(1, { 1, 2, 3 }) end end }
refused("it takes 1, 2 or 4 hosts, not 3", function() seen:run { policy = "wrong_size" } end)
refused("'nodes' of 1 to 4", function() seen:run { policy = "workqueue" } end)
local sim = molded("nodes", law):start { policy = "easy" }
sim:run_until(5)
same(sim:jobs()[2].cores, 4, "cores while it runs")

-- Bad input names the job, what is wrong and where.
local function bad(code, text, job)
  local ok, problem = pcall(function() return workload.jobs { job } end)
  same(ok, false, text)
  same(problem.code, code, "code of " .. text)
  if not tostring(problem):find(text, 1, true) then error(tostring(problem) .. " is not " .. text, 2) end
  if not tostring(problem):find("moldable.lua:%d+") then error(tostring(problem) .. " has no line", 2) end
end
bad("bad_shape", "nodes is an empty list of sizes", { nodes = {}, time = 1 })
bad("bad_shape", "nodes: least = 4 is more than most = 2", { nodes = { least = 4, most = 2 }, time = 1 })
bad("bad_shape", "nodes[2] must be a whole number from 1", { nodes = { 1, 0 }, time = 1 })
bad("bad_shape", "nodes[1] must be a whole number from 1", { nodes = { 1.5, 2 }, time = 1 })
bad("bad_shape", "got 'two'", { processes = { 1, "two" }, time = 1 })
bad("bad_shape", "nodes.most must be a whole number", { nodes = { most = "x" }, time = 1 })
bad("bad_shape", "has the size 2 twice", { nodes = { 2, 1, 2 }, time = 1 })
bad("bad_shape", "more than 10000", { nodes = { least = 1, most = 20000 }, time = 1 })
bad("unknown_field", "max", { nodes = { least = 1, max = 2 }, time = 1 })
bad("bad_shape", "time is by size, so the job needs several", { nodes = 4, time = law })
bad("bad_shape", "estimate is by size, so the job needs several", { nodes = 4, time = 1, estimate = law })
bad("bad_shape", "no time for 4 nodes (8 cores)", { nodes = { 2, 4 }, cores = 2, time = speedup.table { [2] = 1 } })
bad("bad_shape", "the speed-up has no 'time'", { nodes = { 2, 4 }, time = speedup.amdahl { serial = 0.5 } })
bad("bad_shape", "of seconds, not of operations", { nodes = { 2, 4 }, ops = speedup.amdahl { time = "1 s", serial = 0.5 } })
bad("bad_shape", "of operations, not of seconds", { nodes = { 2, 4 }, time = speedup.amdahl { ops = 1, serial = 0.5 } })
for text, value in pairs { ["got 0"] = 0, ["got -1"] = -1, ["got inf"] = math.huge, ["got nan"] = 0 / 0, ["got nil"] = false } do
  bad("bad_shape", "job 'x': time on 2 nodes (6 cores) must be positive and finite, got",
      { name = "x", nodes = { 2, 4 }, cores = 3, time = function() return value or nil end })
end
bad("bad_shape", "time on 5 processes must be positive", { processes = { 5, 6 }, time = function() return 0 end })
refused("time is by size, which only jobs have", function() return workload.tasks { { time = law } } end)
refused("the table is empty", function() return speedup.table {} end)
refused("a size is a whole number >= 1", function() return speedup.table { [0] = 1 } end)
refused("must be positive and finite", function() return speedup.table { [1] = 0 } end)
refused("serial", function() return speedup.amdahl { serial = 2 } end)
refused("parallelism", function() return speedup.downey { parallelism = 0.5, sigma = 1 } end)
refused("job 1 is moldable", function()
  scenario_of(4, { { nodes = { 1, 4 }, time = 1 } }):run { policy = conservative { promise = "count" } }
end)
refused("mold is given beside promise", function() return conservative { promise = "count", mold = "least" } end)

-- Results: the classes of width are by what a job had.
r = scenario_of(8, { { nodes = { 1, 8 }, time = speedup.amdahl { time = 80, serial = 0 } } }):run { policy = "fcfs", validate = true }
same(r:jobs()[1].nodes, 8, "nodes in the table")
same(r.utilization, 1, "utilization")
same(r["efficiency.available"], 1, "efficiency")
same(r.lower_bound, 10, "the bound of the makespan, on all hosts")
same(r:classes { widths = { 4 }, lengths = {} }[1].width, "above 4", "class of width")
-- An error of a function that tells a time keeps its text, where a function makes the record too.
for _, make in ipairs { function() return workload.jobs(1, function() return { nodes = { 1 }, time = function(n) error("boo" .. n) end } end) end,
                        function() return workload.sweeps(1, function() return { time = 1, runs = 2, weights = function(p, n) error("boo" .. n) end } end) end } do
  local ok, problem = pcall(function() scenario { platform = platform { host "h" {} }, workload = make() }:run { policy = "fcfs" } end)
  assert(not ok and tostring(problem):find("boo1", 1, true), tostring(problem))
end
print "moldable ok"
