-- Who copies in the end of a sweep under issse_amra, by hand.
-- args: --validate
-- expect: without notice	45	A copies 51 at 36
-- expect: announced	41	A copies 54 at 36
-- expect: comes	21	new copies 2 at 6
-- expect: a copy of this instant	12	second copies 7 at 10
local function show(name, r)
  local copies = {}
  for _, package in ipairs(r:packages()) do
    if package.use == "duplicate" then copies[#copies + 1] = package end
  end
  local last = copies[#copies]
  print(name, math.tointeger(r.makespan), ("%s copies %d at %g"):format(last.host, last.first, last.start))
end

-- The example of chapter 3; A is away from 31 to 36. Without notice it loses its 7 runs at 36, which C has copied at 35 and
-- would end at 53; A does them again in ceil(70 / 8) = 9 s. Announced, C has 4 of them since 35, until 45, and A needs 5 s.
local chapter3 = platform { host "A" { cores = 8 }, host "B" { cores = 4 }, host "C" { cores = 4 }, host "D" { cores = 2, slots = 1 },
                            host "E" { cores = 2, slots = 1 } }
for _, case in ipairs { { "without notice", false }, { "announced", true } } do
  local r = scenario {
    platform = chapter3, workload = workload.sweep { runs = 60, trials = 10, times = { A = 1, B = 2.5, C = 1, D = 1, E = 0.5 } },
    events = { outage { host = "A", from = 31, to = 36, announced = case[2] } },
  }:run { policy = issse_amra { peak = 1, k = 3, m = 2.3 } }
  show(case[1], r)
end

-- Two hosts have two runs each, for 20 s and for 40 s; one that joins at 6 does the latter two in 15 s, by 21.
show("comes", scenario {
  platform = platform { host "old" {}, host "slow" {}, host "new" { speed = 1 } },
  workload = workload.sweep { runs = 4, times = { old = 10, slow = 20, new = 7.5 } },
  events = { leave { host = "new", at = 0 }, join { host = "new", at = 6 } },
}:run { policy = issse_amra { peak = 1, k = 1, m = 1, units = "none", adaptive = false } })

-- All have their packages at 0. At 10 `first` and `second` are done: `first`, served first, copies the package of `late`, which
-- would end at 60, by 12; `early` ends at 12, too. `second` would be done with either before 12 (1 s, 1.5 s), and looks at the
-- hosts in the order in which they are served: at the copy that `first` has just begun.
show("a copy of this instant", scenario {
  platform = platform { host "first" { cores = 4, slots = 1 }, host "early" { cores = 3, slots = 1 },
                        host "late" { cores = 2, slots = 1 }, host "second" { cores = 1, slots = 1 } },
  workload = workload.sweep { runs = 10, times = { first = 1, early = 4, late = 30, second = 0.5 },
                              weights = { 2.5, 2.5, 2.5, 2.5, 1, 1, 1, 1, 1, 20 } },
}:run { policy = issse_amra { peak = 1, k = 1, m = 1, units = "none", adaptive = false } })
