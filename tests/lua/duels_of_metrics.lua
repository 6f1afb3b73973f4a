-- A duel by each metric that a run has measures what a run of its own measures, although it keeps less of a run; a metric that is no
-- number counts for nothing.
-- expect: every metric is that of a run
local same = require("modules.expect").same
local s = space "days with an outage and a deadline" {
  nodes = vary.whole { 2, 2 },
  scenario = function(x)
    return scenario {
      platform = platform { cluster "n" { nodes = x.nodes, cores = 2, link = { bandwidth = 10 } } },
      workload = workload.jobs {
        { time = 30, cores = 4, deadline = 40 }, { arrival = 1, time = 10, cores = 2, deadline = 20, user = "u" },
        { arrival = 2, time = 5, cores = 1, estimate = 9, user = "v" }, { arrival = 50, time = 7, cores = 3 },
      },
      events = { outage { host = "n.1", from = 55, to = 60 } },
    }
  end,
}
local case = s:draw(1)
for _, policies in ipairs { { "easy", "fcfs" }, { "sjf", "easy" } } do
  local first, second = s:at(case):run { policy = policies[1], seed = 1 }, s:at(case):run { policy = policies[2], seed = 1 }
  local of_second, compared, odd = second:metrics(), 0, 0
  for name, value in pairs(first:metrics()) do
    local other = of_second[name]
    -- Thinking is measured by a clock.
    if type(value) == "number" and type(other) == "number" and not name:find("think", 1, true) and not name:find("wall", 1, true) then
      local good, d = pcall(duel, {
        a = policies[1], b = policies[2], space = s, measure = name, by = "difference", better = "less", search = "exhaustive", budget = 1,
      })
      if value ~= value or other ~= other then
        odd = odd + 1
        same(not good and d.code, "no_case", name .. ", which is no number")
      elseif math.abs(value) < math.huge and math.abs(other) < math.huge then
        compared = compared + 1
        if not good then error(name .. ": " .. tostring(d)) end
        same(d.of_a, value, name .. " of a")
        same(d.of_b, other, name .. " of b")
      end
    end
  end
  same(compared > 60, true, "metrics that were compared: " .. compared)
  same(odd > 0, true, "metrics that are no number: " .. odd)
end
print "every metric is that of a run"
