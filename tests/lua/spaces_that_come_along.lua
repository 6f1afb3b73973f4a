-- Spaces of the standard library: every case can be built and stays within what was asked for; each is duelled shortly.
-- expect: all spaces can be duelled in
local spaces = require "spaces"
local same, refused = require("modules.expect").same, require("modules.expect").refused
local function within(value, low, high, what)
  if not (value >= low and value <= high) then error(("%s: %s is not from %g to %g"):format(what, value, low, high), 2) end
end
local function duelled(s, a, b, more)
  local given = { a = a, b = b, space = s, budget = 60, shrink = 20, draws = 5 }
  for name, value in pairs(more or {}) do given[name] = value end
  local d = duel(given)
  same(d.evaluations, 60, s.name .. ": evaluations")
  same(d.ratio > 0, true, s.name .. ": a ratio")
  tostring(d)
  return d
end

-- ---- for mappers ----
local s = spaces.etc { tasks = { 2, 4 }, machines = { 2, 3 }, times = { 3, 5 } }
for seed = 1, 30 do
  local x = s:draw(seed)
  within(#x.times, 2, 4, "tasks")
  for _, row in ipairs(x.times) do
    within(#row, 2, 3, "machines")
    for _, time in ipairs(row) do within(time, 3, 5, "times") end
  end
end
-- Two tasks on two machines: each pair of times is at worst 5 behind 5 where 3 was possible.
within(duelled(s, "mct", "min_min").ratio, 1, 10 / 3, "the ratio")
same(spaces.etc({ tasks = 2, machines = 2, times = { 1, 3 }, whole = true }):size(), 3 ^ 4, "whole times")
same(spaces.etc({ tasks = { 1, 2 }, machines = 2, times = { 1, 3 }, whole = true }):size(), 3 ^ 2 + 3 ^ 4, "one or two tasks")
for class, most in pairs { hihi = 3e6, hilo = 3e4, lohi = 1e5, lolo = 1e3 } do
  s = spaces.etc { class = class, tasks = 5, machines = 2 }
  for seed = 1, 10 do
    local x = s:draw(seed)
    same(#x.sizes, 5, "a factor of each task")
    for _, row in ipairs(x.factors) do for _, factor in ipairs(row) do within(factor * x.sizes[1], 1, most, class) end end
  end
  duelled(s, "mct", "max_min")
end
s = spaces.identical { machines = 2, tasks = { 2, 5 }, sizes = { 1, 4 }, whole = true }
same(s:size(), 4 ^ 2 + 4 ^ 3 + 4 ^ 4 + 4 ^ 5, "sizes of tasks")
-- Graham: 4/3 - 1/6 for the longest first, and 2 - 1/2 in any order, on two machines.
within(duelled(s, "max_min", optimal).ratio, 1, 7 / 6, "the longest first")
within(duelled(s, "mct", optimal).ratio, 1, 3 / 2, "in any order")
local d = duel { a = "max_min", b = optimal, space = s, search = "exhaustive", budget = 1360 }
same(d.ratio, 7 / 6, "the bound is reached by 3 3 2 2 2")
s = spaces.related { tasks = { 2, 4 }, speeds = { 1, 3 } }
within(duelled(s, "mct", optimal).ratio, 1, (1 + math.sqrt(5)) / 2, "two machines of different speeds")
within(duelled(s, "max_min", optimal).ratio, 1, (1 + math.sqrt(17)) / 4, "the longest first on them")
local x = { sizes = { 1, 2 }, speeds = { 2 } }
-- The longer task on the fast machine takes 1, the other one 1 on the slow one.
same(map("max_min", s:at(x)).makespan, 1, "speeds divide times")

-- ---- for policies ----
local function built(s, n)
  for seed = 1, n or 10 do same(tostring(s:at(s:draw(seed))) ~= "", true, s.name) end
end
s = spaces.grid { clusters = { 1, 2 }, tasks = { 2, 4 } }
built(s)
duelled(s, "workqueue", "planner")
s = spaces.batch_day { nodes = 2, cores = 3, jobs = { 2, 5 }, gap = { 1, 2 }, time = { 4, 6 } }
for seed = 1, 20 do
  local jobs = s:at(s:draw(seed)):run({ policy = "fcfs" }):jobs()
  within(#jobs, 2, 5, "jobs")
  for i, job in ipairs(jobs) do
    within(job.cores, 1, 3, "cores")
    within(job.arrival - (i > 1 and jobs[i - 1].arrival or 0), 1 - 1e-9, 2 + 1e-9, "gaps")
  end
end
duelled(s, "fcfs", "sjf", { measure = "mean_response" })
s = spaces.batch_day { failures = { 0, 2 }, windows = { 0, 2 }, overestimate = { 1, 3 }, jobs = { 2, 4 } }
built(s, 20)
duelled(s, "easy", "conservative", { information = "declared", measure = "mean_response" })
s = spaces.sweep { runs = { 5, 20 } }
built(s)
duelled(s, "static_round_robin", "workqueue")
s = spaces.loads { loads = { 2, 4 } }
built(s)
duelled(s, "fifo", "edf", { measure = "mean_response" })
s = spaces.workflow {}
built(s)
duelled(s, scheduled "heft", scheduled "cpop")
duelled(s, "dispatch", scheduled "heft")
s = spaces.precedence { tasks = { 3, 5 }, time = { 1, 4 }, hosts = 2 }
built(s)
duelled(s, "dispatch", "workqueue")

-- ---- for graph schedulers ----
s = spaces.pisa()
for seed = 1, 20 do
  local x = s:draw(seed)
  within(#x.costs, 3, 5, "tasks")
  within(#x.speeds, 3, 5, "nodes")
  for _, cost in ipairs(x.costs) do within(cost, 0.1, 1, "costs") end
  for _, speed in ipairs(x.speeds) do within(speed, 0.1, 1, "speeds") end
  for _, edge in ipairs(x.edges) do
    within(edge[1], 1, edge[2] - 1, "from")
    within(edge[2], 2, #x.costs, "to")
    within(edge[3], 0.1, 1, "data")
  end
end
duelled(s, "heft", "cpop", { search = "pisa" })
s = spaces.pisa { equal_nodes = true, equal_links = true, tasks = 3, nodes = 3 }
for seed = 1, 5 do for _, speed in ipairs(s:draw(seed).speeds) do same(speed, 1.0, "equal nodes") end end
duelled(s, "heft", "cpop")

-- ---- what ought to be better: Graham's nine tasks on three equal hosts ----
s = spaces.precedence { tasks = 9, time = { 1, 9 }, hosts = 3 }
local graham = {
  times = { 3, 2, 2, 2, 4, 4, 4, 4, 9 }, hosts = 3,
  edges = { { 1, 9 }, { 4, 5 }, { 4, 6 }, { 4, 7 }, { 4, 8 } },
}
local by_list = dispatch { order = "topological", among = "idle" }  -- an idle host takes the lowest task that waits for no other
local function takes(x) return s:at(x):run({ policy = by_list }).makespan end
local function fresh()
  local x = { times = {}, hosts = graham.hosts, edges = {} }
  for i, time in ipairs(graham.times) do x.times[i] = time end
  for i, edge in ipairs(graham.edges) do x.edges[i] = { one = edge[1], other = edge[2] } end
  return x
end
local improve = spaces.improve
same(takes(fresh()), 12, "Graham's list")
same(takes(improve.more_hosts(fresh())), 15, "with four hosts")
same(takes(improve.shorter(fresh())), 13, "with times less 1")
local fewer = fresh()
table.remove(fewer.edges, 3)
table.remove(fewer.edges, 2)
same(takes(fewer), 16, "without two edges")
same(#improve.fewer_edges(fresh()).edges, 4, "one edge less")
same(improve.fewer_edges { times = {}, edges = {} }, nil, "none less than none")
same(improve.no_failure { failures = {} }, nil, "no failure to leave out")
same(improve.faster_link { nodes = { { bandwidth = 2 } } }.nodes[1].bandwidth, 4, "twice as fast")
same(improve.better_estimates { jobs = { { over = 3 } } }.jobs[1].over, 1, "exact estimates")
-- A side that is the policy on the better case.
local better = spaces.improved(s, by_list, "more_hosts")
same(better(fresh(), 1).makespan, 15, "improved")
d = duel { a = better, b = by_list, space = space "Graham's nine tasks" {
  hosts = vary.whole { 3, 3 }, times = vary.list { n = 9, of = vary.whole { 1, 9 } }, edges = vary.list { n = { 0, 8 }, of = { one = vary.whole { 1, 9 }, other = vary.whole { 1, 9 } } },
  move = function(x, rng)
    if rng:uniform(0, 1) < 0.7 then return fresh() end
  end,
  scenario = function(x) return s:at(x) end,
}, budget = 300 }
same(d.ratio >= 15 / 12, true, "an anomaly: " .. d.ratio)
refused("there is no improvement 'more_host'", function() return spaces.improved(s, "dispatch", "more_host") end)

-- ---- refused ----
refused("tasks must be a number or { low, high } from 1 on, got 0", function() return spaces.etc { tasks = 0 } end)
refused("tasks must be whole, got 2.5", function() return spaces.etc { tasks = 2.5 } end)
refused("times must be whole, got { 0.1, 1 }", function() return spaces.etc { whole = true } end)
refused("times must be a number or { low, high } from 0 on", function() return spaces.etc { times = { 2, 1 } } end)
refused("spaces.etc: class must be one of hihi, hilo, lohi, lolo, got 'high'", function() return spaces.etc { class = "high" } end)
refused("spaces.related: unknown field 'speed'", function() return spaces.related { speed = 2 } end)
refused("spaces.identical: machines must be a whole number", function() return spaces.identical { machines = 0 } end)
-- Errors name the line of the script.
for _, wrong in ipairs { { tasks = 0 }, { tasks = 2.5 }, { class = "high" }, { tusks = 1 }, { times = -1 }, { times = { 0.5, 1 }, whole = true } } do
  local _, problem = pcall(function()
    local made = spaces.etc(wrong)  -- no tail call, which would have no line
    return made
  end)
  same(tostring(problem):find("spaces_that_come_along.lua:", 1, true) ~= nil, true, tostring(problem))
end
print "all spaces can be duelled in"
