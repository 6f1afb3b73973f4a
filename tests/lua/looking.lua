-- Looking at a run with run_until does not change how it ends, whatever is left to come.
local function ends(work, act)
  local s = scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks(work) }
  local function finished(look)
    local sim = s:start { policy = "workqueue" }
    if act then act(sim) end
    if look then sim:run_until(look) end
    if look then sim = sim:fork() end
    local r = sim:run()
    return r.end_time .. " " .. r.full_fingerprint
  end
  local expected = finished()
  for _, look in ipairs { 5, 15, 25 } do assert(finished(look) == expected, look) end
end
for _, work in ipairs { {}, { { time = 1 } } } do
  ends(work)
  ends(work, function(sim) sim:fail("c.1", { at = 10 }) end)
  ends(work, function(sim) sim:fail("c.1", { at = 10 }):recover("c.1", { at = 20 }) end)
  ends(work, function(sim) sim:run() sim:fail("c.1", { at = 10 }) end)
end
-- A run that has ended can be submitted to, at the time that was looked at.
local sim = scenario { platform = platform { cluster "c" { nodes = 1 } }, workload = workload.tasks {} }:start {
  policy = "workqueue" }
sim:run_until(5)
sim:submit { time = 1 }
assert(sim:run().end_time == 6)
