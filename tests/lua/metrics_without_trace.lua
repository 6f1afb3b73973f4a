-- expect: the same
-- A run without a trace has the metrics of its trace, in an experiment too. A request that needs the trace says so.
local s = scenario { platform = platform { cluster "a" { nodes = 3 } }, workload = workload.tasks(40,
  function(i, rng) return { time = rng:uniform(5, 15), arrival = rng:uniform(0, 100), user = i % 2 == 0 and "ada" or "bob" } end),
  events = { outage { host = "a.2", from = 30, to = 60 } } }
local full = s:run { policy = "fcfs", warmup = 10 }
local only_of_traces = {}
for _, level in ipairs { "none", "work" } do
  local less = s:run { policy = "fcfs", warmup = 10, trace = level }
  assert(less.fingerprint == full.fingerprint)
  local metrics = less:metrics()
  for name, value in pairs(full:metrics()) do
    local other = metrics[name]
    if other == nil then
      only_of_traces[name] = true
      local ok, e = pcall(function() return less[name] end)
      assert(not ok and tostring(e):find('trace = "full"', 1, true), name)
    else
      assert(other == value or other ~= other and value ~= value, name)
    end
  end
end
for _, name in ipairs { "makespan", "mean_wait", "p95_response", "utilization", "fairness", "lost_time", "idle_time" } do
  assert(not only_of_traces[name], name)
end
assert(only_of_traces["chain.waiting"] and only_of_traces.lower_bound)
print "the same"
