-- How bad a graph scheduler can be beside another one: the algorithms of the PISA publication that are here, by its search and by annealing.
-- takes: seconds; --set full=true minutes
-- perigee run duel/pisa --out results     the figures are results/pisa.svg and results/annealing.svg
--   --set full=true                graphs of all nine sizes, with more evaluations of each pair (those of 4 tasks on 4 nodes)
--   --set budget=2000              so many evaluations of each pair on each size (459, a chain of PISA; 1000 with full=true)
-- test: thorough --set budget=60

local settings = require "settings"
local spaces = require "spaces"
local full = setting("full", false)
local budget = settings.number("budget", full and 1000 or 459, 10)
local source = "Coleman, Krishnamachari 2025"

-- Their 15 algorithms: GDL is dls. FCP, FLB and WBA are not here. met is all tasks on the fastest node too, for nodes have speeds: it stands
-- for two. All nodes and links differ; the publication has equal ones for algorithms that are made for these.
local names = { "heft", "cpop", "bil", "dls", "etf", "olb", "met", "mct", "min_min", "max_min", "duplex" }

-- There a graph is drawn of 3 to 5 tasks on 3 to 5 nodes, and its size is never moved: a space for each size.
local sizes = {}
for tasks = 3, 5 do
  for nodes = 3, 5 do
    if full or (tasks == 4 and nodes == 4) then sizes[#sizes + 1] = spaces.pisa { tasks = tasks, nodes = nodes } end
  end
end

-- A pair is worse by less than this where rounding makes it so.
local kAbove = 1 + 1e-9

local function judged(name, search)
  local t = tournament { schedulers = names, spaces = sizes, budget = budget, search = search, seed = 1 }
  print(("\nlargest makespan over that of another one, found by %s"):format(name))
  print(t:table())
  plot(t:rows(), { kind = "heatmap", x = "b", y = "a", value = "ratio", file = name, text = false, title = "Largest makespan of a over that of b, found by " .. name })
  local j = { worst = {}, two = 0, five = 0, pairs = 0, both = 0, one_way = {}, parts = {}, cases = t.cases }
  for i, a in ipairs(names) do
    j.worst[a] = 0
    for k, b in ipairs(names) do
      if i ~= k then j.worst[a] = math.max(j.worst[a], t.cases[a][b].ratio) end
      if i < k then
        j.pairs = j.pairs + 1
        if t.cases[a][b].ratio > kAbove and t.cases[b][a].ratio > kAbove then j.both = j.both + 1
        else j.one_way[#j.one_way + 1] = a .. " and " .. b end
      end
    end
    if j.worst[a] >= 2 then j.two = j.two + 1 end
    if j.worst[a] >= 5 then j.five = j.five + 1 end
    j.parts[i] = ("%s %.1f"):format(a, j.worst[a])
  end
  return j
end

-- A case that a search has not found may be there: only what it has found is decided.
local function reached(is) return is or "not decided" end
local by = {}
for _, each in ipairs { { "pisa", pisa { tries = 1 } }, { "annealing", annealing { tries = 1 } } } do
  local name, search = table.unpack(each)
  local j = judged(name, search)
  by[name] = j
  local worst = table.concat(j.parts, ", ")
  local fastest = duel { a = "heft", b = "met", space = spaces.pisa {}, search = name, budget = full and 20000 or 4590, seed = 1 }.ratio
  claim { source = source, says = ("for each algorithm there is a case in which another one is at least twice as good (by %s)"):format(name),
          holds = reached(j.two == #names), found = ("%d of %d: %s"):format(j.two, #names, worst), verdict = "reproduces" }
  claim { source = source, says = ("for 10 of 15, two thirds, at least five times as good (by %s)"):format(name),
          holds = reached(3 * j.five >= 2 * #names), found = ("%d of %d"):format(j.five, #names), verdict = name == "pisa" and "not decided" or "reproduces" }
  claim { source = source, says = ("HEFT is up to 4.34 times worse than all tasks on the fastest node (by %s)"):format(name), holds = reached(fastest >= 4.34),
          found = ("%.2f times"):format(fastest), verdict = "reproduces",
          note = "a lower bound: within these weights larger ones are found, and there is no bound where data may be as large as one likes" }
  claim { source = source, says = ("nearly every pair of algorithms loses to each other somewhere (by %s)"):format(name),
          holds = reached(j.both >= 0.9 * j.pairs), verdict = "reproduces",
          found = ("%d of %d pairs in both directions; not %s"):format(j.both, j.pairs, #j.one_way > 0 and table.concat(j.one_way, ", ") or "one") }
end

-- ---- a data set: graphs drawn from the same spaces ----

local kGraphs = full and 50 or 100  -- of each size
local makespans, count = {}, 0
for _, name in ipairs(names) do makespans[name] = {} end
for _, cases in ipairs(sizes) do
  for seed = 1, kGraphs do
    local problem = cases:at(cases:draw(seed))
    count = count + 1
    for _, name in ipairs(names) do makespans[name][count] = schedule(name, problem).makespan end
  end
end
local alike, apart, lines = 0, 0, {}
for i, a in ipairs(names) do
  for k = i + 1, #names do
    local b, sum = names[k], 0
    for n = 1, count do sum = sum + math.log(makespans[a][n] / makespans[b][n]) end
    local mean = math.exp(sum / count)
    if mean > 1 / 1.1 and mean < 1.1 then
      local most = math.max(by.annealing.cases[a][b].ratio, by.annealing.cases[b][a].ratio)
      alike = alike + 1
      if most >= 2 then apart = apart + 1 end
      lines[#lines + 1] = { most, ("%s and %s: %.3f, %.2f"):format(a, b, mean, most) }
    end
  end
end
table.sort(lines, function(one, other) return one[1] > other[1] end)
print(("\npairs alike on %d drawn graphs: mean ratio, and the largest one found by annealing"):format(count))
for _, line in ipairs(lines) do print("  " .. line[2]) end
claim { source = source, says = "algorithms that are alike on a data set differ widely in the worst case", holds = reached(2 * apart >= alike), verdict = "reproduces",
        found = ("of %d pairs with mean ratios within 10 %% on %d drawn graphs, %d have a case of at least 2; at most %s"):format(alike, count, apart, lines[1][2]) }
