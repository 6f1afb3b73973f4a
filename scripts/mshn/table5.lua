-- Table 5 of Breitinger (1999): a sample of a matrix with tasks that differ much and machines that differ little.
-- takes: a moment
-- perigee run scripts/mshn/table5.lua

local advisor = require "advisor"

local sample = etc {
  { 133, 136, 157, 179, 130, 139, 120, 136, 131, 162 }, { 176, 219, 178, 221, 222, 181, 197, 192, 175, 218 },
  { 29, 37, 35, 35, 25, 35, 34, 29, 26, 32 },           { 21, 19, 19, 27, 20, 21, 22, 21, 21, 20 },
  { 35, 32, 36, 30, 34, 29, 34, 31, 35, 40 },           { 124, 134, 129, 114, 116, 132, 114, 117, 128, 120 },
  { 94, 103, 88, 108, 104, 99, 96, 115, 92, 99 },       { 178, 194, 210, 172, 182, 181, 159, 163, 169, 186 },
  { 135, 126, 129, 126, 138, 119, 132, 141, 112, 107 }, { 71, 75, 71, 75, 62, 76, 61, 78, 77, 83 },
}
local drawn = etc.cv_based { tasks = 2000, machines = 10, mean = 100, task_cv = 0.5, machine_cv = 0.1, first = "tasks", whole = 1 }
print("                mean   of tasks   of machines   consistent")
for _, each in ipairs { { "Table 5", sample:summary() }, { "2000 drawn", drawn:summary() } } do
  local m = each[2]
  print(("%-12s %7.1f %10.3f %13.4f   %s"):format(each[1], m.mean, m.task_cv, m.machine_cv, m.consistent))
end

print("\nmapper                                  makespan  machines")
local coded = max_min { adds = "completion" }
for _, mapper in ipairs { coded, max_min {}, min_min {}, duplex {}, sufferage {}, mct {}, met {}, olb {} } do
  local answer = map(mapper, sample)
  print(("%-38s %9g  %s"):format(tostring(mapper), answer.makespan, table.concat(answer.machine, " ")))
end

-- By hand from Figure 7: each job has a machine of its own, the longest chooses first.
expect(table.concat(map(coded, sample).machine, " ") == "5 9 8 2 6 4 3 7 10 1", "each job on its machine")
claim { source = advisor.source .. ", Table 5", says = "the sample has a mean of 100 ms and machines that vary by 0.1",
        holds = math.abs(sample:summary().mean / 100 - 1) < 0.05 and math.abs(sample:summary().machine_cv - 0.1) < 0.01,
        found = ("%.1f ms, %.4f; its tasks vary by %.3f"):format(sample:summary().mean, sample:summary().machine_cv,
                                                                  sample:summary().task_cv),
        verdict = "reproduces" }
