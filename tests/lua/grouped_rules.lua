-- When a group is made and what it costs, as functions; by hand.
-- args: --validate
-- expect: 3 rules
local expect = require "modules.expect"
local s = scenario {
  platform = platform { host "x" {}, host "y" {} },
  workload = workload.etc(etc { { 9, 9 }, { 9, 9 }, { 9, 9 }, { 9, 9 } }, { arrivals = { 0, 1, 2, 3 } }),
}
local function starts(given)
  given.map, given.size = "mct", given.size or 10
  local list = {}
  for i, job in ipairs(s:run { policy = grouped(given) }:jobs()) do list[i] = job.start end
  return table.concat(list, " ")
end
-- Two in the pool make a group: at 1 and at 3, behind which both hosts are busy until 10.
expect.same(starts { when = function(problem) return problem:tasks() == 2 end }, "1 1 10 10", "when")
-- A second for each work and host. The first at once, released at 2; then the second, for the third comes after that; at
-- 4 the other two, released at 8, when x is busy until 11 and y until 13.
expect.same(starts { size = 2, timeout = 0, cost_of = function(problem) return problem:tasks() * problem:machines() end },
            "2 4 11 13", "cost_of")
expect.refused("must say true or false", function() starts { when = function() return 3 end } end)
expect.refused("must say how many seconds, >= 0 and finite, got -1", function() starts { cost_of = function() return -1 end } end)
expect.refused("one of them says what a group costs", function() return grouped { cost = 1, cost_of = function() return 1 end } end)
print("3 rules")
