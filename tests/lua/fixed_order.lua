-- The first of many mistakes in one table, in the order of its keys, is named in every process.
-- expect: the same every time
local function many(value)
  local t = {}
  for i = 99, 10, -1 do t["k" .. i] = value end
  return t
end
local function fails(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok and tostring(e):find(text, 1, true), tostring(e))
end
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
fails("columns.k10 must be", csv.read, "none.csv", { columns = many "nope" })
fails("the default of 'k10'", function() heuristic "h" { pick = function() return 1 end, parameters = many(print) } end)
fails("workqueue: k10", function() return workqueue(many(print)) end)
fails("time.k10", function() return workload.tasks { { time = many "x" } } end)
fails("inputs: a list is needed, got the field 'k10'", function() return workload.tasks { { time = 1, inputs = many(1) } } end)
fails("unknown field 'k10'", function() return scenario(many(1)) end)
fails("[10]", function() return scenario { [12] = 1, [11] = 1, [10] = 1, [true] = 1, [{}] = 1, zz = 1 } end)
local levels = many(1)
levels[1] = { 0, 1 }
fails("availability: a list is needed, got the field 'k10'", function() return platform { host "a" { availability = levels } } end)

local made = 0
local function fork(make)
  made = made + 1
  policy("p" .. made) {
    begin = function(self) for k, v in pairs(make()) do self[k] = v end end,
    arrived = function(_, sim, works) for _, w in ipairs(works) do sim:start(w, 1) end end,
  }
  local sim = s:start { policy = "p" .. made }
  sim:step()
  return sim:fork()
end
fails("cannot copy self.k10, a function", fork, function() return many(print) end)
fails("cannot copy self.k10: an array with holes (1 elements, the last at 3)", fork,
      function() return many { [3] = 1 } end)
fails("cannot copy self.k10.k10: a table as a key", fork,
      function() local t = {} for k in pairs(many(1)) do t[k] = many { [{}] = 1 } end return t end)
-- A long way is shown by its ends.
fails("cannot copy self.l.next.next.next.next.next.next ... .next.next.next.next.next.next.next.next.bad, a function", fork,
      function()
        local l = { bad = print }
        for _ = 1, 20000 do l = { next = l } end
        return { l = l }
      end)
print("the same every time")
