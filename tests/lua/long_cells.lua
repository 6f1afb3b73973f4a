-- expect: forgotten
-- test: thorough
-- In an experiment a run of more than a million records keeps its metrics and not its records, unless it says so.
local s = scenario { platform = platform { cluster "a" { nodes = 4 } }, workload = workload.tasks(270000,
  function(i, rng) return { time = rng:uniform(5, 15) } end) }
local function cells(name, level)
  return experiment(name) { factors = { policy = { "workqueue" } }, run = function(f)
    local r = s:run { policy = f.policy, seed = 7, trace = level }
    local ok, e = pcall(function() return r:jobs()[1].start end)
    return { makespan = r.makespan, wait = r.mean_wait, median = r.median_response, told = ok and 1 or 0,
             asks = not ok and tostring(e):find('trace = "full"', 1, true) and 1 or 0 }
  end }
end
local default, full = cells("default"):rows()[1], cells("full", "full"):rows()[1]
for _, name in ipairs { "makespan", "wait", "median" } do assert(default[name] == full[name], name) end
assert(default.told == 0 and default.asks == 1 and full.told == 1)
print "forgotten"
