-- A scheduler that takes its time: equation 5 of Breitinger (1999) in Table 2, and groups that cost as much as a job.
-- takes: seconds
-- perigee run scripts/mshn/costs.lua --out results
--   --set replications=10

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications = settings.number("replications", 10, 1, 1000)
local s = advisor.scenario { tau = 0.067 }

print "Equation 5 against no cost, zero readiness: difference in mean time in system, ms, by pairs\n"
local laws = { none = {}, published = { cost_law = "published" } }
local published = experiment "mshn_equation5" {
  factors = { { "size", { 1, 9, 17, 25, 27, 39, 51 } }, { "law", { "none", "published" } } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, "zero", laws[f.law]), seed) end,
  measure = { "mean_response" },
}
local adds = studies.by(published:compare("mean_response", { factor = "law", baseline = "none" }), "size")
for size, row in pairs(adds) do print(("%6d %s"):format(size, advisor.difference_ms(row))) end

-- Groups come every size * tau: where one costs more the scheduler never keeps up.
print(("\nA constant cost of each group: mean time in system, ms, n = %d; - the scheduler cannot keep up; * the least of its line\n"):format(
      replications))
local sizes, costs = { 1, 3, 5, 9, 13, 15, 17, 21, 25, 33, 41, 51 }, { 0, 0.067, 0.25, 0.5, 1, 2 }
local e = experiment "mshn_costs" {
  factors = { { "cost", costs }, { "ready", { "zero", "aware" } }, { "size", sizes } },
  where = function(f) return f.cost < f.size * 0.067 end,
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready, { cost = f.cost }), seed) end,
  measure = { "mean_response" },
}
local found, best, curves = e:table("mean_response"), { zero = {}, aware = {} }, {}
print("cost, ms  ready    " .. (("%7d "):rep(#sizes)):format(table.unpack(sizes)))
for _, cost in ipairs(costs) do
  for _, ready in ipairs { "zero", "aware" } do
    local rows, line = studies.by(found, "size", { cost = cost, ready = ready }), {}
    best[ready][cost] = studies.best(rows, "mean_response")
    for _, size in ipairs(sizes) do
      line[#line + 1] = (" %s%s"):format(advisor.ms(rows[size] and rows[size].mean_response), size == best[ready][cost] and "*" or " ")
      if ready == "aware" and rows[size] then
        curves[#curves + 1] = { size = size, cost = ("%g ms"):format(1e3 * cost), ms = 1e3 * rows[size].mean_response }
      end
    end
    print(("%7g   %-9s%s"):format(1e3 * cost, ready, table.concat(line)))
  end
end
print ""
plot(curves, { x = "size", y = "ms", by = "cost", y_unit = "ms", file = "costs", x_label = "group size", y_label = "mean time in system",
               title = "Aware readiness, by the cost of a group" })

if replications >= 10 then
  claim { source = advisor.source .. ", equation 5", says = "up to 25 jobs the cost of scheduling changes nothing",
          holds = (function()
            for size, row in pairs(adds) do
              if size <= 25 and row.difference ~= 0 then return false end
            end
            return true
          end)(), found = "the polynomial is negative there, which is taken as 0", verdict = "reproduces" }
  claim { source = advisor.source .. ", equation 5",
          says = "what it adds at 51 jobs, ms, is the time of the group", value = advisor.rounded(1e3 * adds[51].difference),
          published = 24.557, within = "5 %", verdict = "reproduces" }
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with a cost of 1 s, that of a job, collecting jobs pays with aware readiness as well",
          holds = best.aware[1] > 1,
          found = ("best of those tried: %d jobs without cost, %d at 250 ms, %d at 1 s, %d at 2 s: the smallest that the scheduler keeps up with easily"):format(
            best.aware[0], best.aware[0.25], best.aware[1], best.aware[2]),
          verdict = "reproduces" }
end
