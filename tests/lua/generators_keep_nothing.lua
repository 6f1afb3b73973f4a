-- The works that a function makes follow from the seed: what the function keeps in captured variables from one record to
-- the next is put back, and what it changes elsewhere is an error for the next workload. In experiments the same holds.
-- expect: all is well
-- status: 1
local p = platform { cluster "c" { nodes = 2 } }
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good, "taken: " .. text)
  assert(tostring(message):find(text, 1, true), message)
end
local function makespans(s, ...)
  local list = {}
  for _, seed in ipairs { ... } do list[#list + 1] = s:run { policy = "workqueue", seed = seed }.makespan end
  return table.concat(list, " ")
end
local n = 0
local counted = scenario { platform = p, workload = workload.tasks(3, function() n = n + 1 return { time = n } end) }
assert(makespans(counted, 1, 2, 1) == "4.0 4.0 4.0")  -- 1 and then 3 on one host, 2 on the other
assert(n == 0)
n = 5  -- the script itself may change it
assert(makespans(counted, 3) == "14.0")  -- 6 and then 8

local own = stream("own", 5)
local drawn = scenario { platform = p, workload = workload.tasks(3, function() return { time = own:uniform(1, 9) } end) }
makespans(drawn, 1)
refused("an earlier run or fork of a workload has changed the variable 'own'", makespans, drawn, 2)
local list = {}
local filled = scenario { platform = p, workload = workload.tasks(3, function(i) list[#list + 1] = i return { time = #list } end) }
makespans(filled, 1)
refused("has changed the variable 'list'", makespans, filled, 2)
list = {}
assert(makespans(filled, 2) == "4.0")

local problem = cost.problem { etc = { { 1 }, { 2 }, { 3 } } }
local assigned = scenario { platform = p, workload = workload.tasks(1, function() return { time = problem:assign(problem:waiting()[1], 1) } end) }
makespans(assigned, 1)
refused("an earlier run or fork of a workload has changed the variable 'problem'", makespans, assigned, 2)

-- A value that is made within a cell is the cell's own.
local e = experiment "own_stream" { factors = { a = { 1, 2 } }, replications = 2, measure = { "makespan" },
  run = function(f, seed)
    local stream_of_cell, made = stream("x", seed), {}
    return scenario { platform = p, workload = workload.tasks(3, function(i)
      made[#made + 1] = i
      return { time = f.a * stream_of_cell:uniform(1, 9) }
    end) }:run { policy = "workqueue", seed = seed }
  end }
local rows = e:rows()
assert(#rows == 4 and math.abs(rows[2].makespan - 2 * rows[1].makespan) < 1e-9)
local other = experiment "other_stream" { factors = { a = { 1, 2 } }, measure = { "makespan" },
  run = function(f) return drawn:run { policy = "workqueue", seed = f.a } end }
assert(#other:rows() < 2)
print "all is well"  -- the status is that of the experiment with a failed cell
