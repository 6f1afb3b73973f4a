-- Some columns, some rows and another order of a table; the table itself stays as it is.
-- expect: all is well
-- expect: columns: there is no column 'wiat'; did you mean 'wait'?
-- expect: a table has no field 'sort'; did you mean 'sort_by'?
local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks {
    { name = "x", time = 5 }, { name = "y", time = 2 }, { name = "z", time = 5 }, { name = "w", time = 1 },
  },
}
local t = s:run { policy = "fcfs" }:jobs()  -- one after the other: they wait 0, 5, 7 and 12 s
local function names(rows)
  local all = {}
  for i, row in ipairs(rows) do all[i] = row.name end
  return table.concat(all, " ")
end
assert(names(t) == "x y z w")
assert(names(t:sort_by "wait") == "x y z w" and names(t:sort_by("wait", "descending")) == "w z y x")
assert(names(t:sort_by "name") == "w x y z")
assert(names(t:where(function(row) return row.wait >= 7 end)) == "z w")
assert(#t:where(function() return false end) == 0)
local few = t:where(function(row) return row.wait < 7 end):columns { "wait", "name" }
assert(tostring(few) == "wait  name\n----------\n   0  x\n   5  y")
assert(few:csv() == "wait,name\n0,x\n5,y\n")
assert(names(t) == "x y z w" and t[1].wait == 0)
t[2].mine, t[4].mine = "b", "a"  -- a column of the script's own; what lacks it comes last, in its order
assert(names(t:sort_by "mine") == "w y x z" and names(t:sort_by("mine", "descending")) == "y w x z")
assert(t:columns { "name", "mine" }:csv() == "name,mine\nx,\ny,b\nz,\nw,a\n")

local function refused(code, f)
  local ok, problem = pcall(f)
  assert(not ok and problem.code == code, tostring(problem))
  print(problem.message)
end
refused("unknown_column", function() return t:columns { "wiat" } end)
refused("unknown_column", function() return t:sort_by "wiat" end)
refused("bad_type", function() return t:columns {} end)
refused("bad_type", function() return t:where "wait" end)
refused("bad_parameter", function() return t:sort_by("wait", "down") end)
refused("unknown_field", function() return t:sort "wait" end)
print "all is well"
