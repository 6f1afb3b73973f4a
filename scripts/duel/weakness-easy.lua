-- EASY backfilling, 174 times worse than conservative backfilling in mean slowdown: seven jobs on four cores.
-- takes: seconds
-- perigee run duel/weakness-easy
-- test:
--
-- EASY promises a start to the first job in line only, and lets others pass where that one is not delayed: `narrow` takes the one core that
-- `wide 1` will not need, from 12 s on. `tiny` needs two cores, and from then on there is one beside each of the wide jobs, so that a job of 1 s
-- waits for all three of them. Conservative backfilling has promised `tiny` the two cores at 20 s before it looks at `narrow`, which waits 9 s.

local s = scenario {
  platform = platform { host "node" { cores = 4 } },
  workload = workload.jobs {
    { name = "long", time = 1000, cores = 2 },
    { name = "brief", time = 20, cores = 1 },
    { name = "wide 1", time = 1000, cores = 3 },
    { name = "wide 2", time = 1000, cores = 3 },
    { name = "wide 3", time = 1000, cores = 3 },
    { name = "tiny", arrival = 10, time = 1, cores = 2 },
    { name = "narrow", arrival = 12, time = 1000, cores = 1 },
  },
}
local easy, conservative = s:run { policy = "easy" }, s:run { policy = "conservative" }
print(easy:gantt())
print(conservative:gantt())
print(easy:why "narrow")
print(conservative:why "tiny")
print(("mean slowdown: %.4f under easy, %.4f under conservative"):format(easy.mean_slowdown, conservative.mean_slowdown))

-- Slowdowns in the order of the list; `tiny` waits for 3990 s or for 10 s, and `narrow` not at all or for 9 s.
expect(math.abs(easy.mean_slowdown - (1 + 1 + 2 + 3 + 4 + 3991 + 1) / 7) < 1e-9, "EASY: tiny starts at 4000 s")
expect(math.abs(conservative.mean_slowdown - (1 + 1 + 2 + 3 + 4 + 11 + 1.009) / 7) < 1e-9, "conservative: tiny starts at 20 s")
