-- The answers of a duel: back, history, difference, the page, the same again, sides that are heuristics and policies of the script.
-- args: --out $OUT
-- expect: answers hold
-- test: thorough
local same, refused = require("modules.expect").same, require("modules.expect").refused
local function one() return 1 end
local machines = space "machines" {
  times = vary.matrix { rows = { 2, 4 }, columns = 2, of = vary.whole { 1, 6 } },
  problem = function(x) return etc(x.times) end,
}
local function says(text, part, what)
  if not text:find(part, 1, true) then error(("%s: '%s' is not in\n%s"):format(what, part, text), 2) end
end

-- ---- the same again, and another with another seed ----
local function duelled(more)
  local given = { a = "mct", b = "max_min", space = machines, budget = 300 }
  for name, value in pairs(more or {}) do given[name] = value end
  return duel(given)
end
for _, search in ipairs { "annealing", "genetic", "pisa", "random_search" } do
  local first, again = duelled { search = search }, duelled { search = search }
  same(tostring(first), tostring(again), search .. ": the same page")
  same(tostring(first:history()), tostring(again:history()), search .. ": the same history")
  same(first.evaluations, 300, search .. ": the budget is spent, and not exceeded")
end
local pages = {}
for seed = 1, 5 do pages[tostring(duelled({ seed = seed }):history())] = true end
local others = 0
for _ in pairs(pages) do others = others + 1 end
same(others > 1, true, "other seeds search elsewhere")
-- An answer does not depend on which was asked for before.
local d, other = duelled(), duelled()
d:shaken()
d:small()
d:back()
other:back()
other:small()
same(tostring(d), tostring(other), "answers do not depend on each other")
-- Nor do they change what is drawn by the script.
same(duelled({ seed = 7 }).seed, 7, "d.seed")

-- ---- history ----
local tries, best, last = {}, -math.huge, 0
for _, row in ipairs(d:history()) do
  same(row.evaluation >= last, true, "evaluations ascend")
  last = row.evaluation
  if tries[row.try] then same(row.ratio > tries[row.try], true, "a step of a try is better than the one before") end
  tries[row.try] = row.ratio
  best = math.max(best, row.ratio)
  same(row.best, best, "the best so far")
  same(row.evaluation >= 1 and row.evaluation <= 300, true, "within the budget")
end
same(math.abs(best - d.ratio) <= 1e-12 * best, true, "the last of them is the answer")

-- ---- back ----
local back = d:back()
same(back.ratio, duelled({ a = "max_min", b = "mct" }).ratio, "the duel of b against a")
same(map("max_min", etc(back.case.times)).makespan / map("mct", etc(back.case.times)).makespan, back.ratio, "on its case")
same(back.evaluations, d.evaluations, "with the same effort")
says(tostring(d), "back, the worst ratio of b against a: ", "the page")

-- ---- the page, and the command on it ----
local page = tostring(duelled { seeds = 2, incomplete = "worst" })
says(page, "duel of a = mct against b = max_min in the space 'machines', by makespan", "the page")
says(page, "300 evaluations in 10 tries, which came to ", "the page")
says(page, "repeated by duel { a = \"mct\", b = \"max_min\", space = <machines>, ", "the page")
for _, part in ipairs { "seeds = 2", "incomplete = \"worst\"", "budget = 300", "seed = 1" } do says(page, part, "the command") end
page = tostring(duel { a = one, b = one, space = machines, by = "difference", zero = "worst", errors = "skip", budget = 30 })
for _, part in ipairs { "by = \"difference\"", "zero = \"worst\"", "errors = \"skip\"" } do says(page, part, "the command") end
says(tostring(duelled { search_for = "robust", budget = 1600 }), "search_for = \"robust\"", "the command")
-- The smallest case stands there as Lua, and makes the same case when it is read.
local small, ratio = d:small()
local text = tostring(d):match("the smallest case[^\n]*\n  shaken[^\n]*\n(.-\n  })\n")
local read = load("return " .. text)()
same(#read.times, #small.times, "its rows")
for r, row in ipairs(small.times) do for c, time in ipairs(row) do same(read.times[r][c], time, "its entries") end end
same(map("mct", machines:at(read)).makespan / map("max_min", machines:at(read)).makespan, ratio, "its ratio")

-- ---- mappings and schedules as d.a and d.b ----
same(d.a.makespan, d.of_a, "a mapping")
same(d.b.makespan, d.of_b, "of the other side")
same(#d.a.machine, #d.case.times, "of all tasks")
refused("the sides of this duel are no runs", function() return d:difference() end)
refused("the sides of this duel are no runs", function() return duel({ a = one, b = one, space = machines, budget = 10 }):difference() end)

-- ---- heuristics of the script, with and without parameters ----
heuristic "on_the_first" { pick = function(c, task) return -task end, place = function() return 1 end }
heuristic "on_one" { parameters = { machine = 1 }, pick = function(c, task) return -task end, place = function(c, task, args) return args.machine end }
local function loads(x, machine)
  local load = 0
  for _, row in ipairs(x.times) do load = load + row[machine] end
  return load
end
d = duel { a = "on_the_first", b = on_one { machine = 2 }, space = machines, search = "genetic", budget = 2000 }
same(d.ratio, 6, "all times are 6 on the first machine, and 1 on the second")
same(d.of_a, loads(d.case, 1), "the sum of the first column")
same(d.of_b, loads(d.case, 2), "the sum of the second")
says(tostring(d), "on_one { machine = 2 }", "the page")
local twin = duel { a = function(x) return loads(x, 1) end, b = function(x) return loads(x, 2) end, space = machines, search = "genetic", budget = 2000 }
same(tostring(twin:history()), tostring(d:history()), "functions of the case are searched as the heuristics are")

-- ---- the first difference of two runs, and why ----
policy "last_first" {
  decide = function(self, sim)
    for work = sim:work_count(), 1, -1 do
      for host = 1, sim:host_count() do
        if sim:waits(work) and sim:idle_cores(host) > 0 then sim:start(work, host) end
      end
    end
  end,
}
local days = space "days" {
  times = vary.list { n = 3, of = vary.whole { 1, 9 } },
  scenario = function(x)
    local tasks = {}
    for i, time in ipairs(x.times) do tasks[i] = { time = time } end
    return scenario { platform = platform { host "h" {} }, workload = workload.tasks(tasks) }
  end,
}
d = duel { a = "fcfs", b = "last_first", space = days, measure = "mean_response", search = "exhaustive", budget = 729 }
-- First 9, 1, 1: 9, 10, 11; last first: 1, 2, 11.
same(d.of_a, 10, "mean response of the first order")
same(d.of_b, 14 / 3, "of the other order")
local difference, why = d:difference()
same(difference.time, 0, "they part at once")
same(difference.first.work, "task 1", "one starts the first task")
same(difference.second.work, "task 3", "the other the last one")
says(why, "fcfs: ", "why")
says(why, "last_first: ", "why")
d = duel { a = "fcfs", b = "sjf", space = space "one" { time = vary.whole { 1, 2 }, scenario = function(x) return days:at { times = { x.time } } end },
           search = "exhaustive", budget = 2 }
same(d.ratio, 1, "one task")
difference, why = d:difference()
same(difference.first, nil, "no difference")
same(why, "", "and no reason")

-- ---- written and plotted ----
d:write "answer.lua"
d:write("small.lua", { small = true })
d:plot { title = "history" }
refused("the name of a file is needed", function() d:write() end)
refused("unknown field 'smal'", function() d:write("x.lua", { smal = true }) end)
refused("has no field 'best'", function() return d.best end)

-- ---- a search that cannot be better is cut by none of its own numbers ----
d = duel { a = one, b = one, space = machines, budget = 1 }
same(d.evaluations, 1, "one evaluation")
same(d.ratio, 1, "of equal sides")
print "answers hold"
