-- Policies that learn the power of hosts, 4 times as long as dealing all runs out at the beginning: 16 runs on two hosts of four cores.
-- takes: seconds
-- perigee run duel/weakness-amra
-- test:
--
-- AMRA and its kin deal the runs out in some 15 rounds, and a host gets its next package when the one before has ended. With few runs a package is
-- one run, which takes one of four cores, and the others are idle all the time; the same holds for a queue that gives an idle host one run. A static
-- deal of eight runs to each host fills its cores twice over.

local s = scenario {
  platform = platform { host "one" { cores = 4 }, host "two" { cores = 4 } },
  workload = workload.sweep { runs = 16, trials = 1, times = { one = 5, two = 5 } },
}
local static = s:run { policy = "static_round_robin" }
expect(static.makespan == 10, "all at once: twice four runs of 5 s on each host")
for _, name in ipairs { "amra", "ssse_amra", "issse_amra", "workqueue" } do
  local learning = s:run { policy = name }
  print(("makespan: %g s by %s, %g s by static_round_robin"):format(learning.makespan, name, static.makespan))
  expect(learning.makespan == 40, name .. ": eight runs of 5 s on each host, one after the other")
end
local amra = s:run { policy = "issse_amra" }
print(amra:gantt())
print(static:gantt())
