-- A scheduler that takes its time: equation 5 of Breitinger (1999) in Table 2 and in overload, and groups that cost as much as a job.
-- takes: seconds
-- perigee run scripts/mshn/costs.lua --out results
--   --set full=true           more sizes and replications
--   --set replications=10

local advisor = require "advisor"
local settings = require "settings"
local verdicts = require "verdicts"
local full = setting("full", false)
local replications = settings.number("replications", full and 30 or 4, 2, 1000)

-- The time that the scheduler takes: nothing, the 1.51 ms that Figure 9 measured, equation 5.
local laws = { { "none", {} }, { "1.51 ms", { cost = 0.00151 } }, { "equation 5", { cost_law = "published" } } }
local sizes, cells = full and { 1, 5, 9, 17, 25, 27, 39, 51 } or { 1, 17, 27, 51 }, {}
for _, size in ipairs(sizes) do
  for _, law in ipairs(laws) do cells[#cells + 1] = { law[1] .. size, advisor.policy(size, "zero", law[2]) } end
end
local study = advisor.study("mshn_laws", { replications = replications, cells = cells })
print(("What the scheduler's time adds to the mean time in system, ms, by pairs, n = %d; zero readiness\n"):format(replications))
print "  size        1.51 ms     equation 5"
local added, share, of_law = {}, 0, 0
for _, size in ipairs(sizes) do
  local none, line = study["none" .. size].mean_response, {}
  for k = 2, 3 do
    local with = study[laws[k][1] .. size].mean_response
    local interval = stats.paired(with, none)
    line[#line + 1] = ("%7.2f +- %5.2f"):format(1e3 * interval.mean, 1e3 * interval.half_width)
    if k == 2 or size <= 26 then added[#added + 1] = advisor.point(("%d, %s"):format(size, laws[k][1]), with, none, true) end
  end
  local mean = advisor.mean(none)
  share, of_law = math.max(share, 0.00151 / mean), math.max(of_law, cost.scheduling_time(size, 15) / mean)
  print(("%6d %s"):format(size, table.concat(line, " ")))
end
local alike = verdicts.alike(added, 1, "%+.2f")
claim { statement = "S4-59", verdict = "reproduces", holds = share < 0.01 and alike.holds,
        found = (("a time to schedule of 1.51 ms is at most %.2f %% of the mean time in system, and equation 5 at most %.2f %%; " ..
                 "what they add to it in runs, in per cent, by group size (equation 5 up to 26 jobs): %s"))
                :format(100 * share, 100 * of_law, alike.found),
        note = "two orders of magnitude are 1 % here; Figure 9's 1.51 ms stands for small groups, where equation 5 is negative" }

-- Overload, where groups could become large: the time of equation 5, ten and a hundred times as long, on 15 and on 100 machines.
local function times(factor)
  return function(problem) return factor * cost.scheduling_time(problem:tasks(), problem:machines()) end
end
local over, parts, larger_worse = {}, {}, {}
local settings_ = full and { { 15, 0.053 }, { 15, 0.05 }, { 100, 0.00795 } } or { { 15, 0.053 } }
for _, each in ipairs(settings_) do
  local machines, tau = table.unpack(each)
  local groups = machines == 15 and { 14, 200 } or { 90, 200 }
  -- A hundred times as long, no group of 200 for 100 machines would be mapped by the end.
  local factors = machines == 15 and { 0, 1, 10, 100 } or { 0, 1, 10 }
  local list = {}
  for _, factor in ipairs(factors) do
    for _, size in ipairs(groups) do
      list[#list + 1] = { ("%d at %d"):format(size, factor),
                          advisor.policy(size, "zero", factor > 0 and { cost_of = times(factor) } or nil) }
    end
  end
  local one = advisor.study(("mshn_over_%d_%.0f"):format(machines, 1e5 * tau), { replications = full and (machines == 15 and 30 or 5) or 3,
                            cells = list, machines = machines, tau = tau, horizon = machines == 15 and 110 or 40,
                            run = { horizon = machines == 15 and 110 or 40 }, whole = machines == 15 and "1 ms" or false })
  local small, large = groups[1], groups[#groups]
  for _, factor in ipairs(factors) do
    local point = advisor.point(("%d machines, tau %.4g ms, %g times"):format(machines, 1e3 * tau, factor),
                                one[("%d at %d"):format(large, factor)].mean_response, one[("%d at %d"):format(small, factor)].mean_response)
    over[#over + 1] = point
    if factor == 0 then larger_worse[#larger_worse + 1] = point else
      -- The part of the difference that the scheduler's time alone adds.
      local values = {}
      for i, value in ipairs(point.values) do values[i] = value - larger_worse[#larger_worse].values[i] end
      if factor >= 10 then parts[#parts + 1] = { name = point.name, values = values } end
    end
  end
end
local worse, by_cost = verdicts.always(over, "higher", 0, "%+.0f"), verdicts.always(parts, "higher", 0, "%+.0f")
print("\nIn overload, large groups less small ones, ms, by machines, tau and multiples of equation 5: " .. worse.found)
local both = verdicts.all { { "mean time in system of large less small groups, ms, where the scheduler takes as many times equation 5", worse },
                            { "of it due to the time to schedule", by_cost } }
claim { statement = "S4-8", verdict = "reproduces", holds = both.holds, found = both.found,
        note = "groups of 200 less groups of 14 on 15 machines, and less groups of 90 on 100; these sizes are ours" }

-- Groups come every size * tau: where one costs more the scheduler never keeps up.
local costs, chart = full and { 0, 0.067, 0.25, 0.5, 1, 2 } or { 0, 1 }, full and { 1, 3, 5, 9, 13, 15, 17, 21, 25, 33, 41, 51 } or { 1, 17, 33 }
cells = {}
for _, each in ipairs(costs) do
  for _, ready in ipairs { "zero", "aware" } do
    for _, size in ipairs(chart) do
      if each < size * 0.067 then
        cells[#cells + 1] = { ("%g %s %d"):format(each, ready, size), advisor.policy(size, ready, { cost = each }) }
      end
    end
  end
end
local n = math.min(replications, 8)
study = advisor.study("mshn_costs", { replications = n, cells = cells })
print(("\nA constant cost of each group: mean time in system, ms, n = %d; - the scheduler cannot keep up; * the least of its line\n"):format(n))
local best, curves = { zero = {}, aware = {} }, {}
print("cost, ms  ready    " .. (("%7d "):rep(#chart)):format(table.unpack(chart)))
for _, each in ipairs(costs) do
  for _, ready in ipairs { "zero", "aware" } do
    local line = {}
    local function at(size)
      local one = study[("%g %s %d"):format(each, ready, size)]
      return one and advisor.mean(one.mean_response)
    end
    local least
    for _, size in ipairs(chart) do if at(size) and (not least or at(size) < at(least)) then least = size end end
    best[ready][each] = least
    for _, size in ipairs(chart) do
      line[#line + 1] = (" %s%s"):format(advisor.ms(at(size)), size == least and "*" or " ")
      if ready == "aware" and at(size) then
        curves[#curves + 1] = { size = size, cost = ("%g ms"):format(1e3 * each), ms = 1e3 * at(size) }
      end
    end
    print(("%7g   %-9s%s"):format(1e3 * each, ready, table.concat(line)))
  end
end
print ""
plot(curves, { x = "size", y = "ms", by = "cost", y_unit = "ms", file = "costs", x_label = "group size", y_label = "mean time in system",
               title = "Aware readiness, by the cost of a group" })
claim { source = "found here", verdict = "reproduces", holds = best.aware[1] > 1 and best.aware[0] == 1 or not full and "not decided",
        says = "where a group costs as much as a job, groups pay under a mapper that knows the backlog too",
        found = ("best of those tried: %d jobs without cost, %d at 1 s"):format(best.aware[0], best.aware[1]),
        note = "the scheduler could not keep up with smaller ones" }
