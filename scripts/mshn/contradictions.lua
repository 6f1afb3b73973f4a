-- Where Breitinger (1999) contradicts itself, by its own numbers: the size near a load of 1, what equations 3 and 4 can tell, stability, a clock.
-- takes: a moment
-- perigee run scripts/mshn/contradictions.lua

local advisor = require "advisor"

-- The size near a load of 1, as it is said in three places.
local function equation6(rho) return -104 * rho ^ 2 + 208 * rho - 86 end
local of_table, least = nil, math.huge
for size, ms in pairs(advisor.table2) do if ms < least then of_table, least = size, ms end end
local by_equation, machines = equation6(1), 15
local other_sizes, grouped_best = { [0.67] = 7, [0.75] = 11, [1.25] = 14, [1.33] = 5 }, 0
for _, size in pairs(other_sizes) do if size > 1 then grouped_best = grouped_best + 1 end end
claim { statement = "S4-4", verdict = "source in error", holds = of_table == machines and math.floor(by_equation + 0.5) == machines,
        found = (("jobs of the best group near a load of 1: %d by the abstract, as many as machines, %d by Table 2, %g by equation 6; " ..
                 "at the %d other loads of Table 7 groups are the best too, not single jobs"))
                :format(machines, of_table, by_equation, grouped_best),
        note = "the publication's own numbers, no run decides it" }

-- Equations 3 and 4 at drawn settings: which group has the least time?
local inside, best_is_1, settings_, slopes = 0, 0, 200, { math.huge, 0 }
for k = 1, settings_ do
  local rng = stream("settings", k)
  local m, tau = rng:integer(2, 100), 0
  local s = rng:uniform(100, 5000)
  tau = s / m / rng:uniform(0.5, 1.5)
  for equation = 3, 4 do
    local function time(g)
      local scheduling = equation == 4 and math.max(0, 53 / 180000 * g * g * m - 187 / 18000 * g * m + 37 / 45 * g + 49 / 180 * m - 25) or 0
      return g * tau / 2 + scheduling + g * s / (2 * m) + s / m
    end
    local best = 1
    for g = 2, 200 do if time(g) < time(best) then best = g end end
    if best == 1 then best_is_1 = best_is_1 + 1 else inside = inside + 1 end
  end
end
for g = 1, 50 do
  local a, b = g, g + 1
  local function time(x) return x * 67 / 2 + 1e3 * cost.scheduling_time(x, 15) + x * 1000 / 30 + 1000 / 15 end
  slopes[1], slopes[2] = math.min(slopes[1], time(b) - time(a)), math.max(slopes[2], time(b) - time(a))
end
claim { statement = "S4-39", verdict = "source in error", holds = inside > 0,
        found = (("single jobs have the least time in %d of %d cases: equations 3 and 4, each with %d drawn M, tau and s; " ..
                 "for M = 15, tau = 67 and s = 1000 each further job adds %.1f to %.1f ms"))
                :format(best_is_1, 2 * settings_, settings_, slopes[1], slopes[2]),
        note = "neither equation has a term for how good a schedule is" }

-- Stability: the traffic intensity of 50, 51, ..., 100 ms between arrivals.
local unstable, all = {}, 0
for tau = 50, 100 do
  all = all + 1
  if advisor.load(tau / 1e3) >= 1 then unstable[#unstable + 1] = tau end
end
claim { statement = "S4-41", verdict = "source in error", holds = #unstable == 0,
        found = (("%d of the %d whole times from 50 to 100 ms, those from %d to %d ms, have a traffic intensity of 1 or more: " ..
                 "%.3f at 50 ms, %.3f at 53 ms, which Table 6 has"))
                :format(#unstable, all, unstable[1] or 0, unstable[#unstable] or 0, advisor.load(0.05), advisor.load(0.053)),
        note = "arithmetic of the publication's numbers, no run decides it" }
local exact = advisor.load(0.067)
claim { statement = "S4-42", verdict = "source in error", holds = math.abs(exact - 0.993) < 5e-4,
        found = ("the traffic intensity is %.5f; 0.993 comes from an arrival rate rounded to 0.0149 (%.5f); footnote 15 has 0.995")
                :format(exact, 0.0149 / 0.015), note = "arithmetic of the publication's numbers, no run decides it" }

-- Figure 9's time to schedule: 100 whole numbers from 0 to 11 with sum 151 and this standard deviation. A number x from 1 to 10 has
-- x (11 - x) >= 10, and 0 and 11 have 0: the sum of these bounds how many numbers are from 1 to 10.
local sum = 151
local squares = math.floor(3.6139321 ^ 2 * 99 + sum ^ 2 / 100 + 0.5)
local between = (11 * sum - squares) // 10
-- As many as that at the most; the sum of the rest is in numbers of 11.
local elevens = sum // 11
local zeros = 100 - between - elevens
-- A clock of 1 ms would show the times themselves. By Table 3 and O(M G^2), 15 jobs on 15 machines take about as long as 3375 / 10000 of the 3 ms of
-- 10 jobs on 100 machines.
local expected = 3 * (15 * 15 ^ 2) / (100 * 10 ^ 2)
claim { statement = "S4-45", verdict = "source in error", holds = between >= 50,
        found = (("Figure 9 has 100 times to schedule with sum %d, sum of squares %d and none above 11 ms: at most %d of them can be from 1 to " ..
                 "10 ms, and at least %d are 0; by Table 3 each would take about %.1f ms"))
                :format(sum, squares, between, zeros, expected),
        note = "a clock of 10 ms gives just this, 0 and about 10; one of 1 ms would show about 1 ms each time; so the run of Figure 9 seems to be " ..
               "from the system that the footnote excludes; that a clock of 1 ms shows at least half of the times is ours" }
