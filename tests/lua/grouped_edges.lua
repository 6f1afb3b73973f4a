-- Edge cases of the advisor of Breitinger (1999), and its refusals, with the value and what is allowed.
-- expect: 6 accepted, 27 refused
local expect = require "modules.expect"

local two = platform { cluster "m" { nodes = 2 } }
local accepted, refused = 0, 0
local function jobs_of(rows, given, options)
  options = options or {}
  options.policy = grouped(given)
  return scenario { platform = two, workload = workload.etc(etc(rows)) }:run(options)
end
local function accept(found, wanted, what)
  accepted = accepted + 1
  expect.same(found, wanted, what)
end

-- A scheduler that takes no time still ends before more arrives: seven at once are groups of three, three, and one left.
local rows = {}
for i = 1, 7 do rows[i] = { 1, 1 } end
local r = jobs_of(rows, { size = 3, flush = false, map = "mct", ready = "zero" })
local groups = {}
for i, note in ipairs(r:notes()) do groups[i] = note.values end
accept(table.concat(groups, "; ") .. "; left " .. r.unfinished, "3 0 0; 3 0 0; left 1", "seven at once")
-- Jobs that take no time are equal everywhere: to the lowest machine, each of them.
local hosts = {}
for i, job in ipairs(jobs_of({ { 0, 0 }, { 0, 0 }, { 0, 0 } },
                             { size = 3, ready = "zero", map = max_min { adds = "completion" } }):jobs()) do
  hosts[i] = ("%s at %g"):format(job.hosts, job.finish)
end
accept(table.concat(hosts, ", "), "m.1 at 0, m.1 at 0, m.1 at 0", "no time")
r = jobs_of({ { 4, 5 }, { 3, 3 } }, { size = 10, flush = false })
accept(("%s, %d left"):format(r.status, r.unfinished), "incomplete, 2 left", "a group larger than all")
accept(scenario { platform = two, workload = workload.tasks {} }:run({ policy = grouped {} }).finished, 0, "no job")
r = jobs_of({ { 4, 5 }, { 3, 3 } }, { size = 2 }, { warmup = 50, horizon = 100 })
accept(tostring(r.mean_response), "nan", "nothing in the window")
accept(scenario { platform = platform { host "x" {} }, workload = workload.etc(etc { { 4 }, { 3 } }) }:run({ policy = grouped { size = 1 } }).makespan,
       7.0, "one machine")

local m = etc { { 4, 5 }, { 3, 3 } }
local s = scenario { platform = two, workload = workload.etc(m) }
for _, one in ipairs {
  { "size must be from 1 to 1000000000, got 0", function() grouped { size = 0 } end },
  { "size must be an integer, got 1.5", function() grouped { size = 1.5 } end },
  { "timeout must be >= 0, got -1", function() grouped { timeout = -1 } end },
  { "did you mean 'aware'?", function() grouped { ready = "awar" } end },
  { "unknown mapper 'max_mim'; did you mean 'max_min'?", function() grouped { map = "max_mim" } end },
  { "cost_law must be \"constant\" or \"published\", got \"equation5\"", function() grouped { cost_law = "equation5" } end },
  { "cost must be from 0 to 1000000000, got -1", function() grouped { cost = -1 } end },
  { "got nan", function() grouped { cost = 0 / 0 } end },
  { "arrivals must ascend: number 2 is 1 s, after 3 s", function() workload.etc(m, { arrivals = { 3, 1 } }) end },
  { "arrivals[1] must be >= 0 s, got -3", function() workload.etc(m, { arrivals = { -3, 1 } }) end },
  { "there are 1 arrivals for 2 tasks", function() workload.etc(m, { arrivals = { 1 } }) end },
  { "there are 1 priorities for 2 tasks", function() workload.etc(m, { priorities = { 1 } }) end },
  { "times is 1 x 2, the matrix is 2 x 2", function() workload.etc(m, { times = etc { { 1, 2 } } }) end },
  { "row 1[1] must be a number, got nan", function() etc { { 0 / 0, 2 } } end },
  { "row 1[1] must be >= 0 s, got -1", function() etc { { -1, 2 } } end },
  { "row 2 has 1 machines, row 1 has 2", function() etc { { 1, 2 }, { 1 } } end },
  { "task_cv must be >= 0 and finite, got -0.1", function() etc.cv_based { tasks = 2, machines = 2, task_cv = -0.1 } end },
  { "mean must be > 0 and finite, got 0", function() etc.cv_based { tasks = 2, machines = 2, mean = 0 } end },
  { "sd must be >= 0 s, got -1", function() etc.gamma { mean = m, sd = -1 } end },
  { "warmup must be >= 0 s, got -1", function() s:run { policy = grouped {}, warmup = -1 } end },
  { "warmup must end before the horizon of 10 s, got 10 s", function() s:run { policy = grouped {}, warmup = 10, horizon = 10 } end },
  { "the matrix has 3 machines, the platform 2 hosts", function()
    scenario { platform = two, workload = workload.etc(etc { { 1, 2, 3 } }) }:run { policy = grouped {} }
  end },
  { "nodes must be 1 to 1000000, got 0", function() platform { cluster "m" { nodes = 0 } } end },
  { "confidence must be between 0 and 1, both excluded, got 1", function() stats.interval({ 1, 2 }, { confidence = 1 }) end },
  { "must be < 1 for a steady state, got 1", function() stats.mmc { lambda = 2, mu = 1, servers = 2 } end },
  { "3 coefficients need as many points with different x, got 2", function() stats.fit.quadratic({ 1, 2 }, { 1, 2 }) end },
  { "each y must be finite and > 0, got 0", function() stats.fit.exponential({ 1, 2, 3 }, { 1, 0, 2 }) end },
} do
  refused = refused + 1
  expect.refused(one[1], one[2])
end
print(("%d accepted, %d refused"):format(accepted, refused))
