-- How bad a graph scheduler can be beside another one: two instances by hand, and a search for others (after Coleman, Krishnamachari 2024).
-- takes: seconds; --set full=true minutes
-- perigee run workflows/worst-cases --out results     the figure is results/worst-cases.svg
--   --set full=true                searches of 20 x 1000 steps for each pair (1 x 300)
--   --set starts=2 --set steps=500 so many searches for each pair, of so many steps
-- test: --set steps=60

local settings = require "settings"
local full = setting("full", false)
local starts = settings.number("starts", full and 20 or 1, 1)
local steps = settings.number("steps", full and 1000 or 300, 1)
local source = "Coleman, Krishnamachari 2024"

-- ---- by hand ----

-- Two entries of 10 s and an exit of 10 s on two equal hosts, and d bytes on both edges: who spreads the entries waits for d.
local function fork(d)
  return cost.graph { times = { { 10, 10 }, { 10, 10 }, { 10, 10 } }, edges = { { 1, 3, d }, { 2, 3, d } } }
end
local names = {}
for _, name in ipairs(schedulers "workflow") do
  if pcall(schedule, name, fork(0)) then names[#names + 1] = name end          -- the others are policies
end
for _, name in ipairs { "min_min", "max_min", "sufferage", "mct", "met", "olb", "duplex" } do names[#names + 1] = name end

local spread, together, other = {}, {}, {}
for _, name in ipairs(names) do
  local m = schedule(name, fork(100)).makespan
  local group = m == 120 and spread or m == 30 and together or other
  group[#group + 1] = m == 120 and name or m == 30 and name or ("%s %g"):format(name, m)
end
print("two entries of 10, an exit of 10, 100 bytes on both edges:")
print("  120: " .. table.concat(spread, " "))
print("   30: " .. table.concat(together, " "))
if #other > 0 then print("  else: " .. table.concat(other, " ")) end
table.sort(together)
claim { source = "a calculation by hand", says = "two entries and an exit of 10 s, 100 bytes: 30 s by lookahead, met and branch_and_bound, 120 s by all others",
        holds = #other == 0 and table.concat(together, " ") == "branch_and_bound lookahead met",
        found = ("30 s by %s; 120 s by %d others"):format(table.concat(together, ", "), #spread), verdict = "reproduces" }
local ratios = {}
for i, d in ipairs { 100, 1000, 10000 } do ratios[i] = ("%g"):format(schedule("heft", fork(d)).makespan / 30) end
claim { source = "a calculation by hand", says = "HEFT takes 20 + d s there, and one host 30 s: their ratio has no bound",
        holds = schedule("heft", fork(1e6)).makespan == 1e6 + 20, found = ("%s for d = 100, 1000, 10000"):format(table.concat(ratios, ", ")),
        verdict = "reproduces" }

-- ---- by search ----

-- An instance: works of tasks, speeds of hosts, strengths of links between them and sizes of edges, all from 0.1 to 1. It begins as a chain.
local function clip(x) return math.max(0.1, math.min(1, x)) end
local function draw(rng)
  local one = { work = {}, speed = {}, link = {}, edge = {} }
  for i = 1, rng:integer(3, 5) do one.work[i] = rng:uniform(0.1, 1) end
  for p = 1, rng:integer(3, 5) do one.speed[p] = rng:uniform(0.1, 1) end
  for p = 1, #one.speed do
    one.link[p] = {}
    for q = 1, #one.speed do one.link[p][q] = q < p and one.link[q][p] or rng:uniform(0.1, 1) end
  end
  for i = 1, #one.work - 1 do one.edge[#one.edge + 1] = { i, i + 1, rng:uniform(0.1, 1) } end
  return one
end
local function copy(one)
  local new = { work = table.move(one.work, 1, #one.work, 1, {}), speed = table.move(one.speed, 1, #one.speed, 1, {}), link = {}, edge = {} }
  for p, row in ipairs(one.link) do new.link[p] = table.move(row, 1, #row, 1, {}) end
  for e, edge in ipairs(one.edge) do new.edge[e] = { edge[1], edge[2], edge[3] } end
  return new
end

-- Another one: a number that changes by up to 0.1, or an edge more or less.
local function move(one, rng)
  local new, kind = copy(one), rng:integer(1, 6)
  local function change(list, i) list[i] = clip(list[i] + rng:uniform(-0.1, 0.1)) end
  if kind == 1 then change(new.work, rng:integer(1, #new.work))
  elseif kind == 2 then change(new.speed, rng:integer(1, #new.speed))
  elseif kind == 3 then
    local p = rng:integer(1, #new.speed)
    local q = rng:integer(1, #new.speed - 1)
    if q >= p then q = q + 1 end
    change(new.link[p], q)
    new.link[q][p] = new.link[p][q]
  elseif kind == 4 then
    if #new.edge > 0 then change(new.edge[rng:integer(1, #new.edge)], 3) end
  elseif kind == 5 then                                                       -- from a lower task to a higher one, so there is no cycle
    local i = rng:integer(1, #new.work - 1)
    local j = rng:integer(i + 1, #new.work)
    for _, edge in ipairs(new.edge) do if edge[1] == i and edge[2] == j then return new end end
    new.edge[#new.edge + 1] = { i, j, rng:uniform(0.1, 1) }
  elseif #new.edge > 0 then table.remove(new.edge, rng:integer(1, #new.edge)) end
  return new
end

local function problem(one)
  local times = {}
  for i, work in ipairs(one.work) do
    times[i] = {}
    for p, speed in ipairs(one.speed) do times[i][p] = work / speed end
  end
  return cost.graph { times = times, edges = one.edge, bandwidth = one.link }
end
local function makespan(name, one, c)
  if name ~= "fastest" then return schedule(name, c).makespan end
  local sum, speed = 0, 0
  for _, work in ipairs(one.work) do sum = sum + work end
  for _, each in ipairs(one.speed) do speed = math.max(speed, each) end
  return sum / speed
end
local function ratio(target, rival, one)
  local c = problem(one)
  return makespan(target, one, c) / makespan(rival, one, c)
end

-- Simulated annealing: an instance with a lower ratio is taken with the probability exp(-difference / temperature), where the temperature is
-- 10 * 0.99^k and ends at 0.1.
local function search(target, rival, rng)
  local best = 0
  for _ = 1, starts do
    local now = draw(rng)
    local value = ratio(target, rival, now)
    best = math.max(best, value)
    local top, temperature = value, 10
    for _ = 1, steps do
      local new = move(now, rng)
      local found = ratio(target, rival, new)
      if found >= value or rng:uniform() < math.exp((found - value) / temperature) then now, value = new, found end
      top = math.max(top, found)
      temperature = math.max(0.1, 0.99 * temperature)
    end
    best = math.max(best, top)
  end
  return best
end

local compared = { "heft", "cpop", "peft", "hcpt", "hlfet", "mcp", "etf", "dls", "bil", "mct", "min_min", "met", "fastest" }
local e = experiment "worst_cases" {
  factors = { { "target", compared }, { "rival", compared } },
  where = function(f) return f.target ~= f.rival end,
  run = function(f, seed) return { ratio = search(f.target, f.rival, stream("search " .. f.target .. " " .. f.rival, seed)) } end,
  measure = { "ratio" },
}
local worst, rows = {}, {}
for _, row in ipairs(e:rows()) do
  if not worst[row.target] or row.ratio > worst[row.target].ratio then worst[row.target] = row end
  rows[#rows + 1] = row
end
print(("\nlargest makespan over that of a rival, found by %d x %d steps for each pair; `fastest` has all tasks on the fastest host"):format(starts, steps))
local line = ("%-10s"):format("")
for _, rival in ipairs(compared) do line = line .. ("%9s"):format(rival) end
print(line)
for _, target in ipairs(compared) do
  line = ("%-10s"):format(target)
  for _, rival in ipairs(compared) do
    local cell = "-"
    for _, row in ipairs(rows) do if row.target == target and row.rival == rival then cell = ("%.2f"):format(row.ratio) end end
    line = line .. ("%9s"):format(cell)
  end
  print(line)
end
plot(rows, { x = "target", y = "ratio", kind = "box", log_y = true, text = false, file = "worst-cases",
             title = "Largest makespan over that of a rival, over all rivals" })

local least, least_name, five, ten, four, parts = math.huge, "", 0, 0, 0, {}
for _, name in ipairs(compared) do
  local most = worst[name].ratio
  if most < least then least, least_name = most, name end
  if most >= 5 then five = five + 1 end
  if most >= 10 then ten = ten + 1 end
  if most >= 4.8 then four = four + 1 end
  parts[#parts + 1] = ("%s %.1f (%s)"):format(name, most, worst[name].rival)
end
local against_fastest = 0
for _, row in ipairs(rows) do if row.target == "heft" and row.rival == "fastest" then against_fastest = row.ratio end end
local found = table.concat(parts, ", ")
-- An instance that a search has not found may be there: only what it has found is decided.
local function reached(is) return is or "not decided" end
claim { source = source, says = "each scheduler has an instance where another is at least twice as good", holds = reached(least >= 2), found = found,
        verdict = "reproduces" }
claim { source = source, says = "10 schedulers have an instance where another is at least five times as good", holds = reached(five >= 10),
        found = ("%d of %d"):format(five, #compared), verdict = "reproduces" }
claim { source = source, says = "HEFT is up to 4.34 times worse than all tasks on the fastest host", holds = reached(against_fastest >= 4.34),
        found = ("%.2f times"):format(against_fastest), verdict = "reproduces", note = "4.34 is no bound: what is sent may be made as large as one likes" }
-- Another program with 5 x 1000 steps found at least 4.8 (all on the fastest host) and 4.9 (met), and HEFT 22 times worse than met.
claim { source = "an independent program", says = "a search finds for 11 of 13 schedulers another that is at least 10 times better", holds = reached(ten >= 11),
        found = ("10 times for %d, 4.8 times for %d"):format(ten, four), verdict = "reproduces" }
claim { source = "an independent program", says = "a search finds for each of 13 schedulers another that is at least 4.8 times better", verdict = "not decided",
        holds = reached(least >= 4.8), found = ("at least %.1f (%s)"):format(least, least_name),
        note = "the number of tasks bounds it for met and for all on the fastest host: 5 hosts that are nearly alike" }
