-- The nine tasks of Kwok and Ahmad (1999) on three equal hosts: levels, and the schedulers of the survey.
-- takes: a moment
-- perigee run workflows/survey
-- test: --validate

local printed = require "printed"
local nine = printed.survey
local source = "Kwok, Ahmad 1999"

local c = nine.problem()
local bottom = printed.each(c, function(i) return c:upward_rank(i) end)
local top = printed.each(c, function(i) return c:downward_rank(i) end)
print "task  static level  b-level  t-level  ALAP"
for i = 1, c:tasks() do print(("%4d %13g %8g %8g %5g"):format(i, c:static_level(i), bottom[i], top[i], c:alap(i))) end
local path, length = c:critical_path()
print(("critical path %s, length %g"):format(table.concat(path, " "), length))

local function levels(says, found, published)
  claim { source = source, says = says, holds = table.concat(printed.each(c, function(i) return ("%g"):format(found[i]) end), " ") == published,
          found = printed.numbers(found), verdict = "reproduces" }
end
levels("the b-levels of the nine tasks", bottom, "23 15 14 15 5 10 11 10 1")
levels("the t-levels of the nine tasks", top, "0 6 3 3 3 10 12 8 22")

for _, name in ipairs { "hlfet", "mcp", "etf", "dls", "linear_clustering", "heft" } do
  local plan, r = printed.executed(nine, name)
  print(("\n%s, %g: %s"):format(name, plan.makespan, printed.text(plan)))
  r:gantt()
end

printed.makespans(nine, source, { { "hlfet", 19 }, 
  { "mcp", 20, chosen = "a task's own latest start is compared first, then those of its successors, latest first" },
  { "etf", 19 }, { "dls", 19 }, { "linear_clustering", 19 } })
printed.makespans(nine, "an independent program", { { "heft", 16 } })

-- Linear clustering on as many hosts as there are clusters shows the clusters themselves.
local wide = {}
for i, row in ipairs(nine.times) do wide[i] = { row[1], row[1], row[1], row[1], row[1] } end
local plan, clusters = schedule("linear_clustering", cost.graph { times = wide, edges = nine.edges }), {}
for p = 1, 5 do
  local tasks = {}
  for i = 1, #wide do if plan.host[i] == p then tasks[#tasks + 1] = i end end
  clusters[#clusters + 1] = table.concat(tasks, " ")
end
table.sort(clusters)
claim { source = source, says = "linear clusters are 1 7 9, 4 8, 2 6, 5 and 3", found = table.concat(clusters, ", "), verdict = "reproduces",
        holds = table.concat(clusters, ", ") == "1 7 9, 2 6, 3, 4 8, 5" }
