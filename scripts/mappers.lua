-- Every mapper on one matrix of expected times: makespan over the lower bound, and what it searched.
-- takes: a second
-- perigee run scripts/mappers.lua
--   --set matrix=FILE         Braun's text format or CSV; a path as seen from where you are (a random matrix)
--   --set tasks=128           and --set machines=8: the size of the random one
--   --set mappers=ga,tabu     only these (all but optimal, which is for a dozen tasks)
--   --seed 2                  another random matrix and other draws
-- test: --set tasks=24 --set machines=4

local path, tasks, machines = setting("matrix", ""), setting("tasks", 128), setting("machines", 8)
local all = {}
for _, name in ipairs(schedulers "mapping") do if name ~= "optimal" then all[#all + 1] = name end end
local wanted = setting("mappers", table.concat(all, ","))

local function random_matrix()  -- range-based, tasks and machines very different (Ali et al. 2000)
  local rows = {}
  for t = 1, tasks do
    local row, size = {}, 1 + 2999 * math.random()
    for m = 1, machines do row[m] = size * (1 + 999 * math.random()) end
    rows[t] = row
  end
  return etc(rows)
end

local m = path ~= "" and etc.read(path) or random_matrix()
print(m)
local answers = {}
for name in wanted:gmatch "[^,%s]+" do
  local answer, counts = map(name, m), {}
  for key, value in pairs(answer) do
    if type(value) == "number" and key ~= "makespan" then counts[#counts + 1] = ("%s %d"):format(key, value) end
  end
  answers[#answers + 1] = { name = name, ratio = answer.makespan / m:makespan_bound(), did = table.concat(counts, ", ") }
end
table.sort(answers, function(a, b) return a.ratio < b.ratio or (a.ratio == b.ratio and a.name < b.name) end)
for _, answer in ipairs(answers) do print(("%-12s %8.3f  %s"):format(answer.name, answer.ratio, answer.did)) end
