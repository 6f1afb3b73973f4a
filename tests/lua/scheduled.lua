-- Plans of every graph scheduler are executed to the bit in the textbook network; with errors their order stays; what
-- fails is placed or planned anew.
-- expect: scheduled ok
local expect = require("modules.expect")
local same = expect.same

local function textbook(hosts, bandwidth, latency)
  local parts = { complete { bandwidth = bandwidth, latency = latency } }
  for i = 1, hosts do parts[#parts + 1] = host("P" .. i) {} end
  return platform(parts)
end

-- The graph schedulers of the catalogue: schedule() takes no policy.
local chain = cost.graph(graph.chain { n = 2, ops = 3 }, textbook(2, 1, 0))
local planners = {}
for _, name in ipairs(schedulers("workflow")) do
  if pcall(schedule, name, chain) then planners[#planners + 1] = name end
end
same(#planners >= 14, true, "graph schedulers")
for _, mapper in ipairs { "min_min", "max_min", "sufferage", "mct", "olb" } do planners[#planners + 1] = mapper end

local function graph_of(seed, tasks, hosts)
  return graph.layered { tasks = tasks, alpha = 1, degree = 3, hosts = hosts, ccr = 1, beta = 1, rng = stream.splitmix(seed) }
end

local runs = 0
for seed = 1, 6 do
  for _, name in ipairs(planners) do
    local tasks = name == "branch_and_bound" and 7 or 30
    local g = graph_of(seed, tasks, 4)
    local p = textbook(4, seed % 2 == 0 and 2.5 or 0.7, seed % 3)
    local plan = schedule(name, cost.graph(g, p))
    local r = scenario { platform = p, workload = workload.workflow { tasks = g } }:run { policy = scheduled { plan = name }, validate = true }
    same(r.makespan, plan.makespan, ("makespan of %s, seed %d"):format(name, seed))
    for t, row in ipairs(r:jobs()) do
      same(row.start, plan.start[t], ("start of task %d by %s, seed %d"):format(t, name, seed))
      same(row.finish, plan.finish[t], ("finish of task %d by %s, seed %d"):format(t, name, seed))
      same(row.hosts, "P" .. plan.host[t], ("host of task %d by %s, seed %d"):format(t, name, seed))
    end
    runs = runs + 1
  end
end
same(runs, 6 * #planners, "plans that were executed")

-- The second instance of a workflow is planned around the first: the ten tasks of Topcuoglu, Hariri and Wu (2002) at 0
-- and at 10, as computed by an independent program.
local ten = graph.matrix {
  times = { { 14, 16, 9 }, { 13, 19, 18 }, { 11, 13, 19 }, { 13, 8, 17 }, { 12, 13, 10 }, { 13, 16, 9 }, { 7, 15, 11 }, { 5, 11, 14 }, { 18, 12, 20 }, { 21, 7, 16 } },
  edges = { { 1, 2, 18 }, { 1, 3, 12 }, { 1, 4, 9 }, { 1, 5, 11 }, { 1, 6, 14 }, { 2, 8, 19 }, { 2, 9, 16 }, { 3, 7, 23 }, { 4, 8, 27 }, { 4, 9, 23 },
            { 5, 9, 13 }, { 6, 8, 15 }, { 7, 10, 17 }, { 8, 10, 11 }, { 9, 10, 13 } },
}
local three = textbook(3, 1, 0)
local twice = scenario { platform = three, workload = workload.workflows {
  workload.workflow { tasks = ten }, workload.workflow { tasks = ten, arrival = 10 } } }
local expected = { { 10, 24 }, { 49, 67 }, { 40, 51 }, { 42, 50 }, { 62, 74 }, { 67, 76 }, { 74, 81 }, { 77, 91 }, { 87, 99 }, { 102, 109 } }
local rows = twice:run { policy = scheduled {}, validate = true }:jobs()
for t, times in ipairs(expected) do
  same(rows[10 + t].start, times[1], "start of the second task " .. t)
  same(rows[10 + t].finish, times[2], "finish of the second task " .. t)
end

-- With estimates that are wrong all is executed, on the planned hosts; `deviation` plans anew.
local wrong = scenario { platform = textbook(4, 1, 0), workload = workload.workflow { tasks = graph_of(7, 40, 4) } }
local function run(policy, seed) return wrong:run { policy = policy, information = "error(0.3)", seed = seed, validate = true } end
for seed = 1, 5 do
  same(run(scheduled {}, seed).status, "complete", "with errors")
  same(run(scheduled { replan = "deviation" }, seed).status, "complete", "planned anew with errors")
end

-- A host leaves at half of the makespan. All is computed; the plan that is made anew is shorter in the mean.
local never, again = 0, 0
for seed = 1, 40 do
  local g, p = graph_of(100 + seed, 40, 4), textbook(4, 1, 0)
  local half = schedule("heft", cost.graph(g, p)).makespan / 2
  local s = scenario { platform = p, workload = workload.workflow { tasks = g }, events = { leave { host = "P" .. seed % 4 + 1, at = half } } }
  for _, replan in ipairs { "never", "failure" } do
    local r = s:run { policy = scheduled { replan = replan }, validate = true }
    same(r.status, "complete", "after a host left, replan = " .. replan)
    if replan == "never" then never = never + r.makespan else again = again + r.makespan end
  end
end
same(again < never, true, ("mean makespan planned anew, %g, against %g"):format(again / 40, never / 40))

-- Two reasons to plan anew: what the third would have caused happens nowhere in the scenario, or it makes a difference.
local function ends(s, replan)
  local r = s:run { policy = scheduled { replan = replan }, information = "error(0.3)", seed = 5, validate = true }
  local list = {}
  for _, row in ipairs(r:jobs()) do list[#list + 1] = row.finish end
  return table.concat(list, " ")
end
local loses = scenario { platform = textbook(4, 1, 0), workload = workload.workflow { tasks = graph_of(7, 40, 4) },
                         events = { leave { host = "P2", at = 20 } } }
same(ends(loses, "failure_or_deviation"), ends(loses, "always"), "no second workflow arrives")
same(ends(loses, "failure_or_arrival") ~= ends(loses, "failure_or_deviation"), true, "computations end otherwise than planned")
local several = scenario { platform = textbook(4, 1, 0), workload = workload.workflows {
  workload.workflow { tasks = graph_of(7, 40, 4) }, workload.workflow { tasks = graph_of(8, 40, 4), arrival = 15 } } }
same(ends(several, "deviation_or_arrival"), ends(several, "always"), "no host fails")
same(ends(several, "failure_or_arrival"), ends(several, "arrival"), "no host fails, and deviations do not count")

-- Back to before the plan that was made again, and on: the same run.
local leaves = scenario { platform = textbook(4, 1, 0), workload = workload.workflow { tasks = graph_of(9, 40, 4) }, events = { leave { host = "P2", at = 300 } } }
local sim = leaves:start { policy = scheduled { replan = "failure" } }
local fingerprint = leaves:run { policy = scheduled { replan = "failure" } }.fingerprint
sim:run_until(500)
same(sim:now(), 500, "the plan has been made again")
sim:back_to(200)
same(sim:run().fingerprint, fingerprint, "back and on")

print "scheduled ok"
