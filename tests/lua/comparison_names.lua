-- A comparison calls its rows as it is told, and gives its results by these names.
-- expect: one|four
-- expect: 2	workqueue { chunk = 4 }
-- expect: names must be a list of 2 names, one for each row, got 1
-- expect: names has 'one' twice
-- expect: unknown field 'name'; did you mean 'names'?
local s = scenario {
  platform = platform { host "a" {}, host "b" {} },
  workload = workload.tasks(8, function(i) return { time = i } end),
}
local c = s:compare { workqueue {}, workqueue { chunk = 4 }, names = { "one", "four" }, metrics = { "makespan" } }
print(tostring(c):match("\n(one) ") .. "|" .. tostring(c):match("\n(four) "))
print(#c, c:result("four").policy)
assert(c:csv():find("\nfour,", 1, true))
local function refused(fields)
  fields[1], fields[2] = "fcfs", "workqueue"
  print((select(2, pcall(s.compare, s, fields))))
end
refused { names = { "one" } }
refused { names = { "one", "one" } }
refused { name = { "one", "two" } }
