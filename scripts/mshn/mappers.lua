-- Other mappers and classes of heterogeneity under the advisor of Breitinger (1999): OLB against max-min, LoHi against HiLo.
-- takes: seconds
-- test: thorough
-- perigee run scripts/mshn/mappers.lua --out results
--   --set full=false       40 replications and all sizes, not 3 and a few

require "statements"

local advisor = require "advisor"
local sizes = require "sizes"
local verdicts = require "verdicts"
local full = sizes.full
local n = full and 40 or 3

-- A line for each case, a column for each size; returns the best size of each case.
local function show(head, cases, found)
  print(("%-32s"):format(head) .. (("%7d "):rep(#cases[1].sizes)):format(table.unpack(cases[1].sizes)) .. "  jobs in a group")
  local best = {}
  for _, case in ipairs(cases) do
    local line = {}
    best[case.name] = sizes.best(found[case.name])
    for i, size in ipairs(case.sizes) do
      line[i] = ("%7.0f%s"):format(stats.summary(found[case.name][size].mean_response).mean, size == best[case.name] and "*" or " ")
    end
    print(("%-32s%s"):format(case.name, table.concat(line)))
  end
  print ""
  return best
end

-- ---- mappers ----

print(("Mean time in system, ms, at a load of %.3f by the mean job; * the least of its line; n = %d\n"):format(advisor.load(0.067), full and 20 or 3))
local mappers = { "program's max_min", "max_min", "min_min", "sufferage", "mct", "met", "olb" }
local at_67, by_mapper = advisor.scenario { tau = 0.067 }, {}
for _, map_name in ipairs(full and mappers or { mappers[1], "olb" }) do
  for _, ready in ipairs { "zero", "aware" } do
    by_mapper[#by_mapper + 1] = {
      name = map_name .. ", " .. ready, sizes = { 1, 9, 17 }, scenario = at_67,
      policy = function(size) return advisor.policy(size, ready, map_name ~= mappers[1] and { map = map_name } or nil) end,
    }
  end
end
local of_mappers = sizes.study("mshn_mappers", by_mapper, full and 20 or 3, { "mean_response" })
local best_of = show("mapper", by_mapper, of_mappers)

-- Makespans of groups of HiLo jobs on idle machines: OLB less max-min, in percent of max-min, for both forms of it.
local groups, draws, makespans = { 10, 15, 20, 30, 50, 100, 200, 500 }, full and 100 or 10, {}
for form, mapper in ipairs { max_min { adds = "completion" }, max_min {} } do
  makespans[form] = {}
  for k, size in ipairs(groups) do
    local olb, greedy = {}, {}
    for i = 1, draws do
      local m = etc.cv_based { tasks = size, machines = 15, mean = 1, task_cv = 0.5, machine_cv = 0.1, first = "tasks", rng = stream("group",
          1000 * i + size) }
      olb[i], greedy[i] = map("olb", m).makespan, map(mapper, m).makespan
    end
    makespans[form][k] = { name = tostring(size), values = sizes.minus(olb, greedy, true) }
  end
end
local program, text_form = verdicts.alike(makespans[1], 10, "%+.1f"), verdicts.alike(makespans[2], 10, "%+.1f")
local in_system = {}
for _, case in ipairs { "zero", "aware" } do
  local olb, greedy = of_mappers["olb, " .. case], of_mappers["program's max_min, " .. case]
  in_system[#in_system + 1] = ("%s ms with %s"):format(sizes.text(sizes.minus(olb[17].mean_response, greedy[17].mean_response),
      "%+.0f"), case)
end
claim { statement = "S4-105", verdict = "does not reproduce", holds = program.holds,
        found = ("makespan of OLB less that of the program's max-min, in %% of the latter, by jobs of a group: %s; less that of max-min as in " ..
                 "Figure 7: %s; mean time in system with OLB less that with max-min, groups of 17, where the mapper takes machines to be idle " ..
                 "(zero readiness) and where it knows their backlog (aware): %s"):format(program.found,
                text_form.found, table.concat(in_system, ", ")),
        note = "about the same: within 10 %; 100 groups of each size, 95 % intervals; 15 machines; Armstrong's own matrices are not in the " ..
              "publication; it rests on the program's max-min" }

local apart = {}
for _, case in ipairs(by_mapper) do
  if case.name:find "aware" and best_of[case.name] > 1 then
    local at = of_mappers[case.name]
    local gain = stats.interval(sizes.minus(at[best_of[case.name]].mean_response, at[1].mean_response))
    if gain.high < 0 then apart[#apart + 1] = ("%s with %d"):format(case.name, best_of[case.name]) end
  end
end
claim { source = "found here", says = "with a mapper that knows the backlog none of seven mappers gains by collecting jobs at a load of 0.995",
        holds = #apart == 0 and (full or "not decided"), found = #apart == 0 and "single jobs are the best of groups of 1, 9 and 17, or as good, " ..
            "with each" or table.concat(apart, ", "),
        verdict = "reproduces" }

-- ---- classes ----

-- Without knowledge of the backlog a machine is loaded by the time on the fastest: at an equal effective load jobs come as much more often.
local function fastest(machine_cv) return (advisor.least_of(15, machine_cv)) end
local tau_lohi = 0.067 * fastest(0.5) / fastest(0.1)
local class_sizes = full and { 1, 2, 5, 9, 13, 15, 16, 17, 21, 33 } or { 1, 9, 17 }
local function class(name, tau, task_cv, machine_cv, consistency, policy)
  return { name = name, sizes = class_sizes, policy = policy,
           scenario = advisor.scenario { tau = tau, task_cv = task_cv, machine_cv = machine_cv, consistency = consistency } }
end
local function aware(size) return advisor.policy(size, "aware") end
local by_class = { class("hilo", 0.067, 0.5, 0.1), class("lohi", 0.067, 0.1, 0.5), class("lohi, equal effective load", tau_lohi, 0.1, 0.5),
                   class("hihi, equal effective load", tau_lohi, 0.5, 0.5), class("lolo", 0.067, 0.1, 0.1),
                   class("hilo, consistent", 0.067, 0.5, 0.1, "consistent"), class("lohi, equal effective, aware", tau_lohi, 0.1, 0.5, nil, aware) }
if not full then by_class = { by_class[1], by_class[2], by_class[3] } end
print(("Classes, the program's max-min with zero readiness; an equal effective load, %.3f by the time on the fastest machine, is %.1f ms between " ..
    "arrivals;\n" ..
       "n = %d\n"):format(advisor.load(0.067) * fastest(0.1), 1e3 * tau_lohi, n))
local of_classes = sizes.study("mshn_classes", by_class, n, { "mean_response" })
local best_class = show("class", by_class, of_classes)

-- The gain of the best group of two or more over single jobs, in percent of their time: negative where groups are worse.
local function gains(name)
  local at, out = of_classes[name], {}
  local group = sizes.best(at, 2)
  for i = 1, n do out[i] = 100 * (1 - at[group].mean_response[i] / at[1].mean_response[i]) end
  return out, group
end
local hilo, hilo_size = gains "hilo"
local points, texts = {}, { ("HiLo %s %% in groups of %d"):format(sizes.text(hilo, "%+.1f"), hilo_size) }
local shown = { ["lohi"] = "LoHi, as many arrivals", ["lohi, equal effective load"] = "LoHi, as large an effective load" }
for _, name in ipairs { "lohi", "lohi, equal effective load" } do
  local lohi, size = gains(name)
  points[#points + 1] = { name = shown[name], values = sizes.minus(lohi, hilo) }
  texts[#texts + 1] = ("%s %s %% in groups of %d"):format(shown[name], sizes.text(lohi, "%+.1f"), size)
end
local prominent = verdicts.always(points, "higher", 0, "%+.1f")
claim { statement = "S4-106", verdict = "does not reproduce", holds = prominent.holds,
        found = ("what the best groups of two or more take off the mean time in system of single jobs: %s; percentage points for LoHi less those " ..
                 "for HiLo: %s"):format(table.concat(texts, "; "), prominent.found),
        note = "LoHi has the two factors of HiLo exchanged; the effective load counts a job by its time on the fastest machine; a gain below 0 " ..
              "is a loss" }

if full then
  local apart_by = {}
  for i, name in ipairs { "lohi, equal effective load", "lohi, equal effective, aware" } do apart_by[i] = of_classes[name][1].mean_response end
  local forgets = stats.interval(sizes.minus(apart_by[1], apart_by[2]))
  claim { source = "found here", says = "LoHi at an equal effective load, single jobs: to forget the backlog is better than to know it",
          holds = forgets.high < 0, verdict = "reproduces",
          found = ("mean time in system %s ms where the mapper forgets the backlog, %s ms where it knows it, and sends jobs to machines that " ..
            "are slower by far"):format(sizes.text(apart_by[1]), sizes.text(apart_by[2])) }
  local consistent = of_classes["hilo, consistent"]
  local larger = stats.interval(sizes.minus(consistent[33].mean_response, consistent[17].mean_response))
  claim { source = "found here", says = "where machines are consistent and the mapper forgets, groups of 33 are better than groups of 17",
          holds = larger.high < 0, verdict = "reproduces",
          found = ("mean time in system of groups of 33 less that of groups of 17: %s ms; the best of the sizes that were run is %d"):format(
            sizes.text(sizes.minus(consistent[33].mean_response, consistent[17].mean_response), "%+.0f"), best_class["hilo, consistent"]) }
end

local curves = {}
for _, case in ipairs(by_class) do
  for _, size in ipairs(case.sizes) do
    curves[#curves + 1] = { size = size, class = case.name, ms = stats.summary(of_classes[case.name][size].mean_response).mean }
  end
end
plot(curves, { x = "size", y = "ms", by = "class", y_unit = "ms", file = "classes", x_label = "group size", y_label = "mean time in system",
               title = "Zero readiness, classes of heterogeneity" })
