-- Tables print what is in them, functions what they are called, and nothing its address.
-- expect: { 1, "two", x = true }
-- expect: { { 1, 2 }, { 3 } }
-- expect: printed.lua:15	function stats.summary
-- expect: makespan = 10
-- expect: waits to be started
-- expect: {}
-- expect: name  time
-- expect: { me = { itself } }
-- expect: lets all wait for ever
-- expect: platform { part, ... }
-- expect: all is well
print({ 1, "two", x = true })
print({ { 1, 2 }, { 3 } })
print(function() end, stats.summary)
local p = platform { host "a" {} }
local r = scenario { platform = p, workload = workload.tasks { { time = 10 } } }:run { policy = "fcfs" }
print(r:metrics())
print(r:validate())
print({ { name = "a", time = 1 }, { name = "b" } })
local itself = {}
itself.me = itself
print(itself)
policy "lazy" { summary = "lets all wait for ever", decide = function() end }
local w = scenario { platform = p, workload = workload.tasks { { name = "one", time = 1 } } }:run { policy = "lazy" }
print(w:waiting())
help(lazy)
help "heuristic"
help "platform"
for _, value in ipairs { print, pairs, stats, workload, coroutine.create(print), p, r, string, {} } do
  assert(not tostring(value):find "0x", tostring(value))
end
print "all is well"
