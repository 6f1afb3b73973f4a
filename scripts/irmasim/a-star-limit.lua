-- IRMaSim thesis, section 6: how the work of A* grows with the number of active leaves that pruning leaves it.
-- takes: seconds
-- perigee run scripts/irmasim/a-star-limit.lua
--   --set full=false     512 jobs and up to 28 leaves on 8 drawn platforms; else 96 jobs, up to 16 leaves, 2 platforms

require "statements"
local verdicts, lists = require "verdicts", require "clock-lists"
local full = setting("full", false)
local jobs, limits, draws = full and 512 or 96, full and { 8, 12, 16, 20, 24, 28 } or { 4, 8, 12, 16 }, full and 8 or 2

local e = experiment "leaves" {
  factors = { { "leaves", limits } },
  replications = draws,
  run = function(f, seed)
    local rates, rng, rows = lists.clocks("low", seed), stream("lengths", seed), {}
    for j = 1, jobs do
      local ops, row = rng:integer(100, 3000), {}
      for k, rate in ipairs(rates) do row[k] = ops / rate end
      rows[j] = row
    end
    local answer = map(a_star { max_tree_nodes = f.leaves, max_expansions = 2000 }, etc(rows))
    return { expanded = answer.expanded, attempts = answer.attempts, makespan = answer.makespan }
  end,
  measure = { "expanded", "attempts", "makespan" },
}
print(e:table("expanded", "makespan"))
local by, first = {}, {}
for _, row in ipairs(e:rows()) do
  by[row.replication] = by[row.replication] or { x = {}, y = {} }
  local list = by[row.replication]
  list.x[#list.x + 1], list.y[#list.y + 1] = row.leaves, row.expanded
  if row.leaves == 16 then first[row.replication] = row.expanded end
  expect(row.attempts == 1, "no limit but that of the leaves")
end
-- With 128 leaves as an exponential and as a power of the number of leaves: the lesser of the two.
local large, growth, logs, powers, times = { 0, 0, 0 }, {}, {}, {}, { 3, 10, 30 }
for d, list in ipairs(by) do
  local exponential = stats.fit.exponential(list.x, list.y):predict(128)
  local lx, ly = {}, {}
  for i = 1, #list.x do lx[i], ly[i] = math.log(list.x[i]), math.log(list.y[i]) end
  local power = stats.fit.linear(lx, ly)
  local by_power = math.exp(power:predict(math.log(128)))
  logs[d], powers[d], growth[d] = math.log(exponential, 10), by_power / first[d], (list.y[#list.y] / list.y[1]) ^ (1 / (list.x[#list.x] - list.x[1]))
  for i, limit in ipairs(times) do if math.min(exponential, by_power) > limit * first[d] then large[i] = large[i] + 1 end end
end
local holds, parts = nil, {}
for i, limit in ipairs(times) do
  local one = verdicts.share(large[i], draws).holds
  if holds == nil then holds = one elseif holds ~= one then holds = "not decided" end
  parts[i] = ("over %d times on %d"):format(limit, large[i])
end
claim { statement = "S1-184", verdict = "reproduces", holds = holds,
        found = ("with 128 leaves the expansions of 16 are multiplied by %s of %d platforms; carried on as a power of the leaves %s times, as an " ..
            "exponential 10 to the %s expansions; each leaf more multiplies them by %s where they were counted")
          :format(table.concat(parts, ", "), draws, lists.interval(powers, "%.0f"), lists.interval(logs, "%.1f"), lists.interval(growth, "%.3f")),
        note = ("what the 128 count is not said, and time depends on the machine: expansions count here. None was run with more than %d leaves: " ..
            "the lesser of two curves through what was counted gives those of 128. A large time is taken as so many times that of 16 leaves, " ..
            "thresholds of ours"):format(limits[#limits]) }
