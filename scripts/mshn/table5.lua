-- Table 5 of Breitinger (1999): a sample of a matrix with tasks that differ much and machines that differ little; classes of matrices.
-- takes: a moment
-- perigee run scripts/mshn/table5.lua
--   --set full=true       1000 drawn matrices for the sample, 200 of each class

require "statements"
local full = setting("full", false)

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

-- The sample among drawn matrices of its size: in the middle 95 % of each number?
local numbers, inconsistent = { mean = {}, task_cv = {}, machine_cv = {} }, 0
local n = full and 1000 or 200
for i = 1, n do
  local m = etc.cv_based { tasks = 10, machines = 10, mean = 100, task_cv = 0.5, machine_cv = 0.1, first = "tasks", whole = 1,
                           rng = stream("sample", i) }:summary()
  for name, list in pairs(numbers) do list[i] = m[name] end
  if not m.consistent then inconsistent = inconsistent + 1 end
end
local own, inside, parts = sample:summary(), 0, {}
for i, each in ipairs { { "mean", "mean", "%.1f" }, { "task_cv", "coefficient of variation down a column", "%.3f" },
                        { "machine_cv", "along a row", "%.3f" } } do
  local low, high = stats.quantile(numbers[each[1]], 0.025), stats.quantile(numbers[each[1]], 0.975)
  if own[each[1]] >= low and own[each[1]] <= high then inside = inside + 1 end
  parts[i] = ("%s " .. each[3] .. " (" .. each[3] .. " to " .. each[3] .. ")"):format(each[2], own[each[1]], low, high)
end
claim { statement = "S4-62", holds = inside == 3 and not own.consistent and own.task_cv > own.machine_cv, verdict = "reproduces",
        found = (("Table 5, and in brackets the middle 95 %% of %d matrices drawn here: %s; Table 5 is inconsistent, as %d of those are"))
                :format(n, table.concat(parts, ", "), inconsistent) }

-- The four classes: variation of tasks and machines of drawn matrices, and consistency by hand.
local function consistent_by_hand(m)
  for a = 1, m.machines do
    for b = a + 1, m.machines do
      local faster, slower
      for task = 1, m.tasks do
        local d = m:time(task, a) - m:time(task, b)
        faster, slower = faster or d < 0, slower or d > 0
      end
      if faster and slower then return false end
    end
  end
  return true
end
local matrices = full and 200 or 20
local right, kinds, all, texts = 0, 0, 0, {}
for i, class in ipairs { "hihi", "hilo", "lohi", "lolo" } do
  local tasks, machines = {}, {}
  for k = 1, matrices do
    for _, consistency in ipairs { "inconsistent", "consistent" } do
      local m = etc.cv_based { tasks = 60, machines = 20, class = class, consistency = consistency, rng = stream(class .. consistency, k) }
      local s = m:summary()
      if s.consistent == (consistency == "consistent") and consistent_by_hand(m) == s.consistent then kinds = kinds + 1 end
      all = all + 1
      if consistency == "inconsistent" then tasks[k], machines[k] = s.task_cv, s.machine_cv end
    end
  end
  local t, m = stats.interval(tasks), stats.interval(machines)
  -- High is 0.6 here and low 0.1; half-way between them decides.
  if (class:sub(1, 2) == "hi") == (t.mean > 0.35) and (class:sub(3, 4) == "hi") == (m.mean > 0.35) then right = right + 1 end
  texts[i] = ("%s %.2f +- %.2f and %.2f +- %.2f"):format(class, t.mean, t.half_width, m.mean, m.half_width)
end
print("\nvariation of tasks and of machines: " .. table.concat(texts, ", "))
claim { statement = "S4-24", holds = right == 4 and kinds == all, verdict = "reproduces",
        found = (("coefficients of variation down a column and along a row, means of %d matrices of each class: %s; " ..
                 "%d of %d matrices are consistent or inconsistent as asked for")):format(matrices, table.concat(texts, ", "), kinds, all),
        note = "high is 0.6 and low 0.1 here, and 0.35 parts them: that bound is ours" }
