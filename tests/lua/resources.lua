-- The columns of r:resources(), by hand. The run counts from the first arrival at 10 to its end at 40: 30 s.
--   c.1  away from 0 to 15: 5 s of that count. It computes task 2 (2 cores) from 15 to 25: 20 core-seconds.
--   c.2  computes task 1 (1 core) from 10 to 20, when it goes away until 30: 10 core-seconds are lost. The task
--        begins anew on it or on c.1 and takes 20 s.
-- expect: resources ok
local same = require("modules.expect").same
policy "by_hand" {
  accepts = { "jobs", "several_cores" },
  decide = function(self, sim)
    if sim:now() == 10 then sim:start(1, 2) end
    if sim:now() == 15 then sim:start(2, 1) end
    if sim:now() == 25 then sim:start(1, 1) end
  end,
}
local r = scenario {
  platform = platform { cluster "c" { nodes = 2, cores = 2 } },
  workload = workload.jobs { { time = 15, arrival = 10 }, { time = 10, cores = 2, arrival = 10 } },
  events = { outage { host = "c.1", from = 0, to = 15 }, outage { host = "c.2", from = 20, to = 30 } },
}:run { policy = "by_hand", validate = true }
same(r.end_time, 40, "the end")
local one, two = table.unpack(r:resources())
local expected = {
  resource = { "c.1", "c.2" }, kind = { "host", "host" }, cluster = { "c", "c" }, cores = { 2, 2 },
  busy = { 20 + 15, 10 }, held = { 20 + 15, 10 }, lost = { 0, 10 }, down = { 5, 10 },
  utilization = { 35 / 60, 10 / 60 }, activities = { 2, 1 }, computed = { 2, 0 }, aborted = { 0, 1 },
}
for name, values in pairs(expected) do
  same(one[name], values[1], name)
  same(two[name], values[2], name)
end
print "resources ok"
