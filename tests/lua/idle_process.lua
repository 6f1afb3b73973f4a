-- A process that never ends does not keep a run going in which nothing can happen any more.
-- expect: it comes to an end
-- test: thorough
local function run(process_of, more)
  return scenario {
    platform = platform { host "a" {}, host "b" {} },
    workload = workload.tasks { { name = "never", times = { b = 5 } }, { time = 5 } },
    events = { leave { host = "b", at = 0 }, process(process_of) },
  }:run { policy = "workqueue", validate = true }
end
local function says(r, text)
  for _, line in ipairs(r:waiting()) do if line:find(text, 1, true) then return true end end
  return false, table.concat(r:waiting(), "; ")
end
-- 100000 wakes in vain, the last of them at t = 5 + 99999 or so: the task ends at 5.
local r = run(function(sim) while true do sim:wait(1) end end)
assert(r.status == "incomplete" and r.finished == 1)
assert(says(r, "never waits to be started by policy 'workqueue'"))
assert(says(r, "process 1 waits until t = 100006 s; processes woke 100000 times while nothing progressed"))
r = run(function(sim) while true do sim:wait(10); sim:fail "b"; sim:wait(10); sim:recover "b" end end)
assert(r.status == "incomplete" and r.finished == 1)
-- One that only takes its time is waited for.
r = run(function(sim) for _ = 1, 50000 do sim:wait(10) end sim:join "b" end)
assert(r.status == "complete" and r.end_time == 500005, r.end_time)
-- One that waits for a condition is named.
r = run(function(sim) sim:wait_for(function(s) return s.up == 2 end) end)
assert(r.status == "incomplete" and says(r, "process 1 waits for its condition"))
-- Nor one that is to keep it going, and submits nothing.
r = scenario {
  platform = platform { host "a" {} }, workload = workload.tasks { { time = 5 } },
  events = { process { keeps_alive = true, run = function(sim) while true do sim:wait(1) end end } },
}:run { policy = "workqueue" }
assert(r.status == "incomplete" and r.finished == 1)
print "it comes to an end"
