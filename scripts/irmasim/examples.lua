-- IRMaSim thesis, section 6: whether the small cases of Figures 1 to 5 show how each algorithm behaves, by what sets it apart.
-- takes: a moment
-- perigee run scripts/irmasim/examples.lua

require "statements"

-- Nodes and jobs that take the steps which the text describes; lengths on a node of speed 1.
local function matrix(speeds, lengths)
  local rows = {}
  for j, length in ipairs(lengths) do
    rows[j] = {}
    for k, speed in ipairs(speeds) do rows[j][k] = length / speed end
  end
  return etc(rows)
end
local speeds, lengths = { 1, 3, 3 }, { 1, 2, 6, 3 }
local m = matrix(speeds, lengths)

-- The rule of min-min or max-min: of all jobs left that with the least or largest of its best completions is next, on that best node.
local function follows(answer, rule)
  local free, left = {}, {}
  for k = 1, #speeds do free[k] = 0 end
  for j = 1, #lengths do left[j] = true end
  for _, task in ipairs(answer.order) do
    local best, extreme = {}, nil
    for j in pairs(left) do
      best[j] = math.huge
      for k = 1, #speeds do best[j] = math.min(best[j], free[k] + m:time(j, k)) end
      if not extreme or (rule == "least" and best[j] < extreme) or (rule == "largest" and best[j] > extreme) then extreme = best[j] end
    end
    local node = answer.machine[task]
    local own = free[node] + m:time(task, node)
    if best[task] ~= extreme or math.abs(own - best[task]) > 1e-12 then return false end
    free[node], left[task] = own, nil
  end
  return true
end
local function differ(a, b)
  local n = 0
  for j = 1, #a.machine do if a.machine[j] ~= b.machine[j] then n = n + 1 end end
  return n
end
local least, largest = map(min_min {}, m), map(max_min {}, m)
local short, long = map(pairing { job = "shortest" }, m), map(pairing { job = "longest" }, m)
local shown, names = 0, {}
local function show(name, yes, text)
  if yes then shown = shown + 1 end
  names[#names + 1] = text
  print(("%-8s %-5s %s"):format(name, yes and "shown" or "not", text))
end
show("min-min", follows(least, "least") and differ(least, short) > 0,
    ("min-min takes its steps, and places %d of 4 jobs unlike shortest_fastest"):format(differ(least, short)))
show("max-min", follows(largest, "largest") and differ(largest, long) > 0, ("max-min takes its steps, and places %d of 4 jobs unlike " ..
    "longest_fastest"):format(differ(largest, long)))

-- Two groups, of which duplex takes one as max-min has it and the other as min-min has it.
local list, nodes = {}, {}
for i, speed in ipairs { 1, 4, 2 } do nodes[i] = host("node" .. i) { speed = speed } end
for _, group in ipairs { { 0, 1, 2, 6, 3 }, { 4, 8, 8, 6, 6 } } do
  for i = 2, #group do list[#list + 1] = { ops = group[i], arrival = group[1] } end
end
local choices = {}
for _, note in ipairs(scenario { platform = platform(nodes),
    workload = workload.jobs(list) }:run { policy = planned { map = duplex { form = "sorted" } } }:notes()) do
  if note.name == "max_min_taken" then choices[#choices + 1] = tonumber(note.values) == 1 and "max-min" or "min-min" end
end
show("duplex", #choices == 2 and choices[1] == "max-min" and choices[2] == "min-min", "duplex takes " .. table.concat(choices, ", then "))

-- A*: the tree of Figure 4, whose answer is the best of all 8 mappings.
local small = matrix({ 1, 1.5 }, { 1, 3, 3 })
local answer, best = map(a_star {}, small), math.huge
for code = 0, 7 do
  local load = { 0, 0 }
  for j = 1, 3 do
    local k = (code >> (j - 1)) % 2 + 1
    load[k] = load[k] + small:time(j, k)
  end
  best = math.min(best, math.max(load[1], load[2]))
end
show("A*", math.abs(answer.makespan - best) < 1e-12 and answer.expanded < 7,
    ("A* finds %g s, the least of 8 mappings, with %d of 7 expansions"):format(answer.makespan, answer.expanded))
print()
claim { statement = "S1-180", verdict = "reproduces", holds = shown == 4, chosen = "speeds and lengths, which are in the figures alone",
        found = ("%d of 4 algorithms behave as in the example: %s"):format(shown, table.concat(names, "; ")) }
