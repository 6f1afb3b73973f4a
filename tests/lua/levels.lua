-- Levels that are true or false are so in all rows, fresh and loaded, as numbers are numbers.
-- args: --out "$OUT" --data "$OUT"
-- expect: levels ok
local expect = require "modules.expect"
local e = experiment "levels" {
  factors = { { "size", { 1, "two" } }, { "on", { true, false } } },
  replications = 2,
  run = function(f, seed) return { m = (f.on and 10 or 20) + (f.size == 1 and 1 or 2) + seed % 3 } end,
}
e:save "levels"
local function look(x)
  local all, means, differences = x:rows(), x:table "m", x:compare("m", { factor = "on", baseline = false })
  expect.same(#all, 8, "rows")
  for i, row in ipairs(all) do
    assert(row.on == (i % 2 == 1), "row " .. i)
    assert(row.size == ((i - 1) % 4 < 2 and 1 or "two"))
  end
  assert(means[1].on == true and means[2].on == false)
  assert(#differences == 2 and differences[1].on == true and differences[1].difference == -10)
  expect.same(#all:where(function(row) return row.on end), 4, "where")
  assert(x:csv():find("\n1,1,true,1,", 1, true) and x:json():find('"levels":[true,false]', 1, true))
end
look(e)
look(experiment.load "levels")
print "levels ok"
