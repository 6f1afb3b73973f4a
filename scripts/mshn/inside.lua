-- The parts of the time in system of Breitinger (1999) by group size: pool, scheduler, queues of machines, execution; how busy machines are.
-- takes: seconds
-- test: thorough
-- perigee run scripts/mshn/inside.lua
--   --set full=false       60 replications of 26 sizes, not 3 of 9

require "statements"

local advisor = require "advisor"
local sizes = require "sizes"
local verdicts = require "verdicts"
local full = sizes.full
local n = full and 60 or 3

local groups, small, past = {}, {}, {}
for size = 1, 51, 2 do
  if full or size <= 5 or size % 4 == 1 and size <= 21 or size == 35 or size == 51 then
    groups[#groups + 1] = size
    if size <= 17 then small[#small + 1] = size end
    if size >= 17 then past[#past + 1] = size end
  end
end
local at_67 = advisor.scenario { tau = 0.067 }
local cases = {
  { name = "zero", sizes = groups, scenario = at_67 },
  { name = "aware", sizes = { 1, 17, 51 }, scenario = at_67, policy = function(size) return advisor.policy(size, "aware") end },
  -- Figure 9's time for the scheduler, whatever the size.
  { name = "cost", sizes = small, scenario = at_67, policy = function(size) return advisor.policy(size, "zero", { cost = 0.00151 }) end },
}
local measures = { "mean_response", "mean_run", "mean_scheduler_wait", "mean_queue_wait", "utilization", "finished" }
local found = sizes.study("mshn_inside", cases, n, measures, "full")
local zero = found.zero

print(("Means of %d replications; times in ms. A larger group gives jobs worse machines, and yet they wait less at them:\n" ..
       "with zero readiness because the jobs of a group go to different machines; with aware readiness there is nothing to gain.\n"):format(n))
print "readiness  size  finished     run  utilization  wait in the pool  at a machine     time in system"
for _, case in ipairs { "zero", "aware" } do
  for _, size in ipairs(case == "zero" and groups or { 1, 17, 51 }) do
    local at = found[case][size]
    local function mean(measure) return stats.summary(at[measure]).mean end
    print(("%-9s %5d %9.0f %7.0f %12.3f %17.0f %13.0f %18s"):format(case, size, mean "finished", mean "mean_run", mean "utilization",
          mean "mean_scheduler_wait", mean "mean_queue_wait", sizes.text(at.mean_response)))
  end
end
print ""

-- The value of `of(row)` in each replication of a size, where a row has the measures of a run.
local function each(size, of)
  local out = {}
  for i = 1, n do
    local row = {}
    for _, measure in ipairs(measures) do row[measure] = zero[size][measure][i] end
    out[i] = of(row)
  end
  return out
end
local function pool_share(row) return 100 * row.mean_scheduler_wait / row.mean_response end
local function at_machines(row) return row.mean_queue_wait + row.mean_run end
-- The share of the pool by the publication's own numbers, %: the mean wait for a group is (G - 1) tau / 2.
local function published_share(size) return 100 * (size - 1) * 67 / 2 / advisor.table2[size] end

-- ---- the scheduler ----

local added, largest = {}, 0
for i, size in ipairs(small) do
  local values = sizes.minus(found.cost[size].mean_response, zero[size].mean_response, true)
  added[i] = { name = tostring(size), values = values }
  largest = math.max(largest, cost.scheduling_time(size, 15))
end
local nothing, tenth = verdicts.alike(added, 1, "%.2f"), verdicts.alike(added, 0.1, "%.2f")
-- Groups should remain small: those of more than 17 jobs take longer than those of 17.
local large = {}
for _, size in ipairs(past) do
  if size > 17 then large[#large + 1] = { name = tostring(size), values = sizes.minus(zero[size].mean_response, zero[17].mean_response, true) } end
end
local remain = verdicts.always(large, "higher", 0, "%+.1f")
local small_and_free = verdicts.all { { "", remain }, { "", nothing } }
claim { statement = "S4-68", verdict = "reproduces", holds = small_and_free.holds,
        found = ("the mean time in system in groups of more than 17 jobs less that in groups of 17, %%: %s; a scheduler that takes 1.51 ms for " ..
                 "each group adds to the mean time in system, %% by group size: %s; %s; %s; by equation 5 a group of up to 17 jobs takes %g ms")
                :format(remain.found, nothing.found:match ": (.*)", sizes.within(nothing, "1 %", "sizes"), sizes.within(tenth, "0.1 %", "sizes"),
                    1e3 * largest),
        note = "small: up to 17 jobs, the best size of the text; 1.51 ms is the mean of Figure 9; that less than 1 % is essentially zero is ours; " ..
               "equation 5 is negative here and taken as 0" }

-- ---- the pool ----

-- Two orders of magnitude are 1 %; read widely, nearer to 1/100 than to 1/10, below 3.16 %. Single jobs do not wait there.
local wide = 100 / math.sqrt(1000)
local shares, widely, text, published, low, low_widely = {}, {}, {}, {}, 0, 0
for _, size in ipairs(small) do
  if size > 1 then
    local values = each(size, pool_share)
    text[#text + 1] = ("%d: %s"):format(size, sizes.text(values, "%.1f"))
    local less, less_widely = {}, {}
    for k = 1, n do less[k], less_widely[k] = values[k] - 1, values[k] - wide end
    shares[#shares + 1], widely[#widely + 1] = { name = tostring(size), values = less }, { name = tostring(size), values = less_widely }
  end
end
local own = 0
for size = 3, 17, 2 do
  own = own + 1
  published[own] = ("%d: %.1f"):format(size, published_share(size))
  if published_share(size) < 1 then low = low + 1 end
  if published_share(size) < wide then low_widely = low_widely + 1 end
end
local insignificant, insignificant_widely = verdicts.mostly(shares, "lower"), verdicts.mostly(widely, "lower")
-- The publication's own numbers decide, and the runs here beside them.
claim { statement = "S4-69", verdict = "source in error", holds = 2 * low > own and insignificant.holds,
        found = ("with a wait of (G - 1) tau / 2 and the times of Table 2 the wait in the pool as a share of the time in system is, %% by jobs of " ..
                 "a group, %s: below 1 %% at %d of %d sizes, below 3.16 %% at %d; by Figure 9 it is %.1f %% at 15; here it is %s: %s, and %s")
                :format(table.concat(published, ", "), low, own, low_widely, 100 * 475.574 / 2007.853, table.concat(text, ", "),
                    sizes.counted(insignificant, "above 1 %", "below 1 %", "sizes"),
                    sizes.counted(insignificant_widely, "above 3.16 %", "below 3.16 %", "sizes")),
        note = "two orders of magnitude are 1 %, which no group has, however large small is; 3.16 % is nearer to 1/100 than to 1/10: groups of 3 " ..
               "only; small is up to 17, the best size of the text, and generally is at more than half of the sizes, which is ours; single jobs " ..
               "do not wait in the pool" }

local dominant, steps_down, steps_up, text_dominant = {}, {}, {}, {}
local x, y = {}, {}
for i, size in ipairs(small) do
  local values = each(size, function(row) return 100 * at_machines(row) / row.mean_response end)
  text_dominant[i] = ("%d: %.0f"):format(size, stats.summary(values).mean)
  for k = 1, n do values[k] = values[k] - 50 end
  dominant[i] = { name = tostring(size), values = values }
  x[i], y[i] = size, stats.summary(zero[size].mean_response).mean
end
for i = 2, #groups do
  local size, before = groups[i], groups[i - 1]
  local point = { name = ("%d to %d"):format(before, size), values = sizes.minus(zero[size].mean_response, zero[before].mean_response) }
  -- The step to 17 is the turning point itself.
  if size <= 15 then steps_down[#steps_down + 1] = point elseif before >= 17 then steps_up[#steps_up + 1] = point end
end
-- How often an exponential has the larger R^2 than a line in resamples of the runs, up to a size: both with the turning point and without it.
local function nearly(last)
  local of_x, of_y, times = {}, {}, full and 400 or 50
  for i, size in ipairs(small) do if size <= last then of_x[#of_x + 1], of_y[#of_y + 1] = size, y[i] end end
  local exponential, line = stats.fit.exponential(of_x, of_y), stats.fit.linear(of_x, of_y)
  local count = sizes.bootstrap(n, times, function(picked)
    local drawn = {}
    for i, size in ipairs(of_x) do drawn[i] = sizes.mean_of(zero[size].mean_response, picked) end
    return stats.fit.exponential(of_x, drawn).r_squared > stats.fit.linear(of_x, drawn).r_squared
  end)
  local holds = "not decided"
  if full and count >= 0.975 * times then holds = true elseif full and count <= 0.025 * times then holds = false end
  return holds, ("up to %d jobs R^2 of an exponential %.4f, of a line %.4f, the former larger in %.0f %% of resamples"):format(last,
         exponential.r_squared, line.r_squared, 100 * count / times)
end
local with_turn, text_with = nearly(17)
local without_turn, text_without = nearly(15)
local function in_words(verdict, higher, lower, things)
  return { holds = verdict.holds, found = sizes.counted(verdict, higher, lower, things) }
end
local below = verdicts.all {
  { "the machines' part is", in_words(verdicts.always(dominant, "higher"), "more than half", "less than half", "sizes up to 17") },
  { "the total is", in_words(verdicts.always(steps_down, "lower"), "longer", "shorter", "steps to a larger size up to 15") },
  { "beyond 17 it is", in_words(verdicts.always(steps_up, "higher"), "longer", "shorter", "steps") },
  -- Where the two part, neither can be said.
  { "the curve", { holds = with_turn ~= without_turn and "not decided" or with_turn, found = text_with .. "; " .. text_without } },
}
claim { statement = "S4-70", verdict = "not decided", holds = below.holds,
        found = below.found .. "; share of the machines' part, % by group size: " .. table.concat(text_dominant, ", "),
        note = "the machines' part: wait in their queues and execution; nearly exponential: a larger R^2 than that of a line, which is ours; " ..
               "only the point at 17, the turn itself, makes the exponential the better one; what falls is the wait in the queues, jobs run " ..
               "longer" }

local larger, text_past, than_queue, than_run, published_most, published_over, published_sizes = {}, {}, {}, {}, 0, 0, 0
for _, size in ipairs(past) do
  if size > 17 then
    local values = each(size, pool_share)
    text_past[#text_past + 1] = ("%d: %.0f"):format(size, stats.summary(values).mean)
    for k = 1, n do values[k] = values[k] - 50 end
    larger[#larger + 1] = { name = tostring(size), values = values }
    than_queue[#than_queue + 1] = { name = tostring(size), values = each(size,
        function(row) return row.mean_scheduler_wait - row.mean_queue_wait end) }
    than_run[#than_run + 1] = { name = tostring(size), values = each(size, function(row) return row.mean_scheduler_wait - row.mean_run end) }
    local by_table = published_share(size)
    published_most, published_sizes = math.max(published_most, by_table), published_sizes + 1
    if by_table > 50 then published_over = published_over + 1 end
  end
end
local beyond = verdicts.always(larger, "higher")
local against_queue, against_run = verdicts.always(than_queue, "higher"), verdicts.always(than_run, "higher")
-- The publication's own Table 2 decides, and the runs here beside it.
claim { statement = "S4-71", verdict = "source in error", holds = published_over == published_sizes and beyond.holds,
        found = ("with a wait of (G - 1) tau / 2 and the times of Table 2 the wait in the pool is more than half of the time in system at %d of " ..
                 "the %d sizes from %d to %d, %.0f %% at most; here it is %s, %% by group size: %s; it is %s, and %s")
                :format(published_over, published_sizes, past[2], past[#past], published_most,
                    sizes.counted(beyond, "more than half", "less", "sizes"), table.concat(text_past, ", "),
                    sizes.counted(against_queue, "longer than the wait in the machines' queues alone", "shorter", "sizes"),
                    sizes.counted(against_run, "longer than the execution alone", "shorter", "sizes")),
        note = "dominant: more than half of the time in system, as the publication sets it against the machines' part; the verdict rests on Table 2" }

-- ---- what changes with the group ----

local throughput, quality, parts = {}, {}, {}
for i, size in ipairs(small) do
  if size > 1 then
    throughput[#throughput + 1] = { name = tostring(size), values = sizes.minus(zero[size].finished, zero[1].finished, true) }
    quality[#quality + 1] = { name = tostring(size), values = sizes.minus(zero[size].mean_run, zero[1].mean_run, true) }
  end
end
for i, part in ipairs { { "jobs finished", "finished" }, { "execution", "mean_run" }, { "wait at a machine", "mean_queue_wait" },
                        { "wait in the pool", "mean_scheduler_wait" }, { "time in system", "mean_response" } } do
  local measure = part[2]
  parts[i] = ("%s %s"):format(part[1], sizes.text(sizes.minus(zero[17][measure], zero[1][measure]), "%+.0f"))
end
-- By Little's law a throughput that is larger by x % makes the time in system x % shorter at most, with as many jobs there: that must be more than
-- half of what the time falls.
local most_of_it, rise, fall = {}, {}, {}
for i = 1, n do
  rise[i] = 100 * (zero[17].finished[i] / zero[1].finished[i] - 1)
  fall[i] = 100 * (1 - zero[17].mean_response[i] / zero[1].mean_response[i])
end
for _, size in ipairs(small) do
  if size > 1 then
    local values = {}
    for i = 1, n do
      values[i] = 100 * (zero[size].finished[i] / zero[1].finished[i] - 1) - 50 * (1 - zero[size].mean_response[i] / zero[1].mean_response[i])
    end
    most_of_it[#most_of_it + 1] = { name = tostring(size), values = values }
  end
end
local more, longer = verdicts.always(throughput, "higher"), verdicts.always(quality, "lower")
local affected = verdicts.always(most_of_it, "higher")
claim { statement = "S4-103", verdict = "does not reproduce", holds = affected.holds,
        found = ("in groups of 17 the throughput is larger by %s %%, the time in system shorter by %s %%; the rise of the throughput is %s; " ..
                 "against single jobs, jobs finished: %s; execution times: %s; groups of 17 less single jobs, times in ms: %s (of %.0f jobs)")
                :format(sizes.text(rise, "%.1f"), sizes.text(fall, "%.1f"),
                    sizes.counted(affected, "more than half of the fall of the time", "less", "sizes up to 17"),
                    sizes.counted(more, "more", "fewer", "sizes"), sizes.counted(longer, "longer", "shorter", "sizes"), table.concat(parts, ", "),
                    stats.summary(zero[1].finished).mean),
        note = "throughput: jobs finished in 100 s; most: more than half of the fall, as far as Little's law allows it; what falls is the wait in " ..
               "the machines' queues, for jobs of a group go to different machines; read as the time at the machines, it is S4-70" }

-- Slopes from 17 to 51, ms for each job of a group.
local function slope(measure, i)
  local of_x, of_y = {}, {}
  for k, size in ipairs(past) do of_x[k], of_y[k] = size, zero[size][measure][i] end
  return stats.fit.linear(of_x, of_y).coefficients[2]
end
local slopes, of_total, of_share = { mean_scheduler_wait = {}, mean_queue_wait = {}, mean_run = {}, mean_response = {} }, {}, {}
for i = 1, n do
  for measure, list in pairs(slopes) do list[i] = slope(measure, i) end
  of_share[i] = 100 * slopes.mean_scheduler_wait[i] / slopes.mean_response[i]
  of_total[i] = of_share[i] - 100
end
local simply = verdicts.alike({ { name = "pool", values = of_total } }, 10, "%+.0f")
claim { statement = "S4-104", verdict = "does not reproduce", holds = simply.holds,
        found = ("each further job adds %s ms from 17 to 51, of which the pool %s, the machines' queues %s, the execution %s"):format(
                sizes.text(slopes.mean_response, "%.1f"), sizes.text(slopes.mean_scheduler_wait, "%.1f"), sizes.text(slopes.mean_queue_wait, "%.1f"),
                sizes.text(slopes.mean_run, "%.1f")),
        note = "simply: the pool makes the rise to within a tenth, which is ours" }
-- The wait in the machines' queues grows because the jobs of a large group no longer go to a machine each.
local half = {}
for i, over in ipairs(of_total) do half[i] = over + 50 end
local as_much = verdicts.alike({ { name = "half", values = half } }, 10, "%+.1f")
claim { source = "found here", says = "past groups of 17 the wait in the pool makes only about half of the rise of the time in system",
        verdict = "reproduces", holds = not full and "not decided" or as_much.holds,
        found = ("%s %% of it"):format(sizes.text(of_share, "%.1f")), note = "about half: 40 to 60 %, a margin of ours" }

-- ---- how heavily machines are used ----

local busy_cases, loads = {}, full and { 0.5, 0.667, 0.75, 0.9, 0.995 } or { 0.5, 0.995 }
for i, rho in ipairs(loads) do busy_cases[i] = { name = tostring(rho), sizes = { 1, 17, 51 },
    scenario = advisor.scenario { tau = advisor.tau(rho) } } end
local busy = sizes.study("mshn_busy", busy_cases, full and 30 or 3, { "utilization", "mean_run" }, "full")
local used, by_run, grows, heavy = {}, {}, {}, {}
for k, rho in ipairs(loads) do
  for _, size in ipairs { 1, 17, 51 } do
    local at, values, own = busy[tostring(rho)][size], {}, {}
    for i, utilization in ipairs(at.utilization) do
      values[i] = 100 * (utilization / rho - 1)
      -- rho with what jobs take on the machines chosen, in place of 1000 ms.
      own[i] = 100 * (utilization / (rho * at.mean_run[i] / 1000) - 1)
    end
    used[#used + 1] = { name = ("%g, %d"):format(rho, size), values = values }
    by_run[#by_run + 1] = { name = ("%g, %d"):format(rho, size), values = own }
    if k > 1 then
      local before = busy[tostring(loads[k - 1])][size].utilization
      grows[#grows + 1] = { name = ("%g, %d"):format(rho, size), values = sizes.minus(at.utilization, before) }
    end
    heavy[#heavy + 1] = ("%s at %g in groups of %d"):format(sizes.text(at.utilization, "%.3f"), rho, size)
  end
end
local measured, with_run, widely = verdicts.alike(used, 5, "%+.1f"), verdicts.alike(by_run, 5, "%+.1f"), verdicts.alike(used, 20, "%+.1f")
local orders = verdicts.always(grows, "higher")
-- Two readings of what measures: where they part, neither can be said.
claim { statement = "S4-76", verdict = "not decided", holds = measured.holds ~= orders.holds and "not decided" or orders.holds,
        found = ("with mu = 1/s the share of time in which machines are busy is %s, and %s; with mu from the mean execution time on the machines " ..
                 "chosen it is %s; from a load to the next larger one it is %s; busy share by rho and size: %s")
                :format(sizes.within(measured, "5 % of rho", "loads and sizes"), sizes.within(widely, "20 %", "loads and sizes"),
                    sizes.within(with_run, "5 %", "loads and sizes"), sizes.counted(orders, "higher", "lower", "steps"), table.concat(heavy, ", ")),
        note = "loads below 1; two readings part: that rho orders loads by how busy machines are holds, that it is the share of time in which " ..
               "they are, to 5 %, which is ours, does not: the mapper picks fast machines, so that a job takes less than s" }
