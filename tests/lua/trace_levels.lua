-- args: --out $OUT
-- expect: all refused
-- A run that kept less of its trace says so; it never shows what it did not keep as nothing.
local s = scenario { platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks(6,
  function(i) return { time = 10, arrival = i, user = "ada" } end) }
local full, less = s:run { policy = "fcfs" }, s:run { policy = "fcfs", trace = "work" }
assert(#full:resources() == 2 and full:users()[1].core_seconds == 60)
assert(#less:jobs() == 6 and less:jobs()[6].finish == full:jobs()[6].finish)
local seconds = less:users()[1].core_seconds
assert(seconds ~= seconds, "it is not known")
for name, f in pairs {
  resources = less.resources, hosts = less.hosts, packages = less.packages, gantt = less.gantt, record = less.record,
  plot = function(r) r:plot { kind = "utilization" } end,
} do
  local ok, e = pcall(f, less)
  assert(not ok and tostring(e):find('trace = "full"', 1, true), name .. ": " .. tostring(e))
end
less:save "less"
local none = s:run { policy = "fcfs", trace = "none" }
for name, f in pairs { users = none.users, notes = none.notes, plans = none.plans, enpr = none.enpr } do
  local ok, e = pcall(f, none)
  assert(not ok and tostring(e):find("not kept of this run; run it with trace", 1, true), name .. ": " .. tostring(e))
end
assert(none:jobs()[6].state == "finished" and none.finished == 6)
none:save "none"
print "all refused"
