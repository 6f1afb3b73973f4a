-- Work that queued at a host that has left for good is mapped again.
-- expect: false	complete	30.0	0
-- expect: true	complete	30.0	0
-- expect: while it is mapped	complete
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.jobs { { time = 5 }, { time = 5 }, { time = 5 }, { time = 5 }, { time = 5 }, { time = 5 } },
  events = { leave { host = "c.2", at = 2 } },
}
for _, reschedule in ipairs { false, true } do
  local r = s:run { policy = grouped { size = 3, map = "min_min", reschedule = reschedule }, validate = true }
  print(reschedule, r.status, r.makespan, r.unfinished)
end
print("while it is mapped", s:run { policy = grouped { size = 3, map = "min_min", cost = 3 }, validate = true }.status)
