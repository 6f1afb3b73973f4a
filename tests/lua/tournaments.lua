-- Tournaments: the duels of all ordered pairs, each in the space in which it is worst.
-- args: --out $OUT
-- expect: all pairs have met
local same, refused = require("modules.expect").same, require("modules.expect").refused
local function matrices(name, least, most)
  return space(name) {
    times = vary.matrix { rows = 2, columns = 2, of = vary.whole { least, most } },
    problem = function(x) return etc(x.times) end,
  }
end
local low, high = matrices("low", 1, 2), matrices("high", 1, 4)
local names = { "olb", "met", "mct" }

-- ---- one space ----
local t = tournament { schedulers = names, space = high, search = "exhaustive", budget = 256 }
local function worst_of(a, b, most)
  local worst = 0
  for i = 0, most ^ 4 - 1 do
    local v = {}
    for k = 1, 4 do v[k] = 1 + i // most ^ (k - 1) % most end
    local m = etc { { v[1], v[2] }, { v[3], v[4] } }
    worst = math.max(worst, map(a, m).makespan / map(b, m).makespan)
  end
  return worst
end
local square = t:table()
same(#square, 3, "rows of the table")
local rows, n = t:rows(), 0
for i, a in ipairs(names) do
  same(square[i].a, a, "who loses")
  same(square[i][a], nil, "nobody meets itself")
  local most = 0
  for _, b in ipairs(names) do
    if a ~= b then
      n = n + 1
      local here = worst_of(a, b, 4)
      most = math.max(most, here)
      same(square[i][b], here, ("%s against %s"):format(a, b))
      same(rows[n].a, a, "the loser of a row")
      same(rows[n].b, b, "the other of it")
      same(rows[n].ratio, here, "the ratio of a row")
      same(rows[n].space, "high", "its space")
      same(rows[n].evaluations, 256, "its evaluations")
      local d = t.cases[a][b]
      same(d.ratio, here, "the duel of a pair")
      same(map(a, high:at(d.case)).makespan, d.of_a, "on its case")
      same(tostring(d), tostring(duel { a = a, b = b, space = high, search = "exhaustive", budget = 256 }), "which is a duel as any other")
    end
  end
  same(t:worst(a).ratio, most, a .. " at its worst")
end
same(#rows, 6, "ordered pairs")
same(t.cases.olb.olb, nil, "no duel with itself")

-- ---- several spaces: the worst of them counts ----
local both = tournament { schedulers = names, spaces = { low, high }, search = "exhaustive", budget = 256 }
for i, row in ipairs(both:rows()) do
  local of_low, of_high = worst_of(row.a, row.b, 2), worst_of(row.a, row.b, 4)
  same(row.ratio, math.max(of_low, of_high), ("%s against %s in both"):format(row.a, row.b))
  same(row.space, of_high > of_low and "high" or "low", "the space where it is worst, the first of equal ones")
end

-- ---- text, CSV, figure, other schedulers and measures ----
local csv = t:csv()
same(select(2, csv:gsub("\n", "\n")), 7, "a heading and six lines")
same(csv:match("^[^\n]*"), "a,b,ratio,space,evaluations", "the heading")
same(csv:find("\nolb,met,4,high,256\n", 1, true) ~= nil, true, "a line: " .. csv)
t:csv "pairs"
t:heat_map { title = "who loses to whom" }
same(tostring(t), tostring(square), "printed as its table")
heuristic "on_the_first" { pick = function(c, task) return -task end, place = function() return 1 end }
local own = tournament { schedulers = { "on_the_first", kpb { k = 50 }, "mct" }, space = high, search = "exhaustive", budget = 256 }
same(own:worst("on_the_first").ratio, worst_of("on_the_first", "mct", 4), "a heuristic of the script")
same(own:table()[2].a, tostring(kpb { k = 50 }), "one with a parameter")
local days = space "days" {
  times = vary.list { n = 2, of = vary.whole { 1, 4 } },
  scenario = function(x)
    local tasks = {}
    for i, time in ipairs(x.times) do tasks[i] = { time = time } end
    return scenario { platform = platform { host "h" {} }, workload = workload.tasks(tasks) }
  end,
}
local policies = tournament { schedulers = { "fcfs", "sjf" }, space = days, measure = "mean_response", search = "exhaustive", budget = 16 }
-- Two jobs of 4 and 1: (4 + 5) / 2 and (1 + 5) / 2.
same(policies.cases.fcfs.sjf.ratio, 1.5, "first come, first served")
same(policies.cases.sjf.fcfs.ratio, 1, "shortest first")

-- ---- refused ----
local function with(given)
  given.schedulers, given.budget, given.search = given.schedulers or names, 256, "exhaustive"
  return function() return tournament(given) end
end
refused("one of 'space' and 'spaces' is needed", with {})
refused("one of 'space' and 'spaces' is needed", with { space = low, spaces = { low } })
refused("one space at least is needed", with { spaces = {} })
refused("spaces must be a list", with { spaces = low })
refused("two schedulers at least are needed, got 1", with { schedulers = { "mct" }, space = low })
refused("'mct' is named twice", with { schedulers = { "mct", "mct" }, space = low })
refused("schedulers[2] is a function", with { schedulers = { "mct", function() return 1 end }, space = low })
refused("schedulers must be a list", with { schedulers = "mct", space = low })
refused("is a policy", with { schedulers = { "mct", "fcfs" }, space = low })
refused("is a mapper", with { schedulers = { "fcfs", "mct" }, spaces = { days, low } })
refused("'a'", with { space = low, a = "mct" })
refused("the tournament has no 'mtc'; did you mean 'mct'?", function() return t:worst "mtc" end)
refused("the name of a scheduler is needed, got 3", function() return t:worst(3) end)
print "all pairs have met"
