-- Generated matrices: the same for the same stream, consistent where asked, and what is refused.
-- expect: generated ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused
local function all(m)
  local times = {}
  for t = 1, m.tasks do for k = 1, m.machines do times[#times + 1] = m:time(t, k) end end
  return table.concat(times, " ")
end
for _, make in ipairs { etc.range_based, etc.cv_based } do
  local m = make { tasks = 20, machines = 5, class = "hilo" }
  same(m.tasks, 20, "tasks")
  same(m.machines, 5, "machines")
  same(all(m), all(make { tasks = 20, machines = 5, class = "hilo" }), "same seed")
  same(all(make { tasks = 3, machines = 2, rng = stream.splitmix(7) }),
       all(make { tasks = 3, machines = 2, rng = stream.splitmix(7) }), "same stream")
  assert(all(m) ~= all(make { tasks = 20, machines = 5, class = "lolo" }), "classes differ")
  local c = make { tasks = 20, machines = 5, class = "hilo", consistency = "consistent" }
  local s = make { tasks = 20, machines = 5, class = "hilo", consistency = "semi_consistent" }
  for t = 1, 20 do
    for k = 2, 5 do assert(c:time(t, k - 1) <= c:time(t, k)) end
    assert(s:time(t, 1) <= s:time(t, 3) and s:time(t, 3) <= s:time(t, 5))
    same(s:time(t, 2), m:time(t, 2), "odd machines stay")
  end
  refused("'tasks' is missing", function() make { machines = 2 } end)
  refused("machines must be", function() make { tasks = 2, machines = 0 } end)
  refused("did you mean 'semi_consistent'?", function() make { tasks = 2, machines = 2, consistency = "semiconsistent" } end)
  refused("class must be one of hihi, hilo, lohi, lolo", function() make { tasks = 2, machines = 2, class = "high" } end)
  refused("random stream", function() make { tasks = 2, machines = 2, rng = 3 } end)
end
-- SplitMix64 from 1: 0x910a2dec89025cc1, 0xbeeb8da1658eec67.
local u1, u2 = (0x910a2dec89025cc1 >> 11) * 2.0^-53, (0xbeeb8da1658eec67 >> 11) * 2.0^-53
same(etc.range_based { tasks = 1, machines = 1, class = "lolo", rng = stream.splitmix(1) }:time(1, 1),
     (1 + u1 * 99) * (1 + u2 * 9), "by hand")
refused("task_range is what class gives", function() etc.range_based { tasks = 1, machines = 1, class = "lolo", task_range = 5 } end)
refused("machine_range must be > 1", function() etc.range_based { tasks = 1, machines = 1, machine_range = 1 } end)
refused("task_cv must be >= 0", function() etc.cv_based { tasks = 1, machines = 1, task_cv = -1 } end)
print "generated ok"
