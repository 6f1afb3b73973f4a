-- What Breitinger (1999) left as future work: other mappers and other classes of heterogeneity under the same advisor.
-- takes: seconds
-- perigee run scripts/mshn/mappers.lua --out results
--   --set replications=30
--   --set tau=67              mean time between arrivals, ms
-- test: --set replications=2

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications, tau = settings.number("replications", 30, 1, 1000), settings.number("tau", 67, 10, 10000) / 1000
local published = tau == 0.067 and replications >= 30

-- A line for each level of `factor` and readiness, a column for each size; returns the best sizes.
local function show(found, factor, levels, readiness, sizes)
  print(("%-24s"):format(factor) .. (("%7d "):rep(#sizes)):format(table.unpack(sizes)) .. "  jobs in a group")
  local best = {}
  for _, ready in ipairs(readiness) do
    best[ready] = {}
    for _, level in ipairs(levels) do
      local rows, line = studies.by(found, "size", { [factor] = level, ready = ready }), {}
      best[ready][level] = studies.best(rows, "mean_response")
      for i, size in ipairs(sizes) do
        line[i] = (" %s%s"):format(advisor.ms(rows[size].mean_response), size == studies.best(rows, "mean_response") and "*" or " ")
      end
      print(("%-17s %-6s%s"):format(level, ready, table.concat(line)))
    end
  end
  return best
end

-- What an independent implementation of the model found, ms: means of n replications.
local function agree(says, e, n, found)
  local text, worst = {}, 0
  for i, one in ipairs(found) do
    local where, ms = one[1], one[2]
    local runs = studies.values(e, "mean_response", where)
    local _, away = studies.agrees(runs, ms / 1e3, n)
    worst = math.max(worst, math.abs(away))
    text[i] = ("%.0f against %d"):format(1e3 * stats.summary(runs).mean, ms)
  end
  claim { source = "An independent implementation of the model of " .. advisor.source, says = says, holds = worst <= 3,
          found = table.concat(text, ", ") .. (" ms; at most %.1f standard errors apart"):format(worst),
          verdict = "reproduces" }
end

print(("Mean time in system, ms, at a load of %.3f by the mean job; * the least of its line; n = %d\n"):format(
      advisor.load(tau), replications))
local s = advisor.scenario { tau = tau }
local mappers, sizes = { "program's max_min", "max_min", "min_min", "sufferage", "mct", "met", "olb" }, { 1, 9, 17 }
local by_mapper = experiment "mshn_mappers" {
  factors = { { "map", mappers }, { "ready", { "zero", "aware" } }, { "size", sizes } },
  replications = replications,
  run = function(f, seed)
    return advisor.run(s, advisor.policy(f.size, f.ready, f.map ~= mappers[1] and { map = f.map } or nil), seed)
  end,
  measure = { "mean_response" },
}
local found = by_mapper:table("mean_response")
local best = show(found, "map", mappers, { "zero", "aware" }, sizes)
local bars = {}
for _, row in ipairs(found) do
  if row.size == best[row.ready][row.map] then
    bars[#bars + 1] = { map = row.map, ready = row.ready, ms = 1e3 * row.mean_response,
                        ms_half_width = 1e3 * row.mean_response_half_width }
  end
end
plot(bars, { x = "map", y = "ms", by = "ready", kind = "bars", file = "mappers", y_label = "mean time in system", y_unit = "ms",
             title = "Each mapper with the best of these group sizes" })

local classes = { hihi = { 0.5, 0.5 }, hilo = { 0.5, 0.1 }, lohi = { 0.1, 0.5 }, lolo = { 0.1, 0.1 },
                  ["hilo, consistent"] = { 0.5, 0.1, "consistent" } }
local readiness = { "zero", "aware" }
local function study(name, names, class_sizes, n, spacing)
  local scenarios = {}
  for class, cv in pairs(classes) do
    scenarios[class] = advisor.scenario { tau = spacing(cv[2]), task_cv = cv[1], machine_cv = cv[2], consistency = cv[3] }
  end
  local e = experiment(name) {
    factors = { { "class", names }, { "ready", readiness }, { "size", class_sizes } },
    replications = n,
    run = function(f, seed) return advisor.run(scenarios[f.class], advisor.policy(f.size, f.ready), seed) end,
    measure = { "mean_response" },
  }
  return e, show(e:table("mean_response"), "class", names, readiness, class_sizes)
end

print("\nThe classes, the program's max-min: where machines differ much, a mapper that picks fast ones leaves them\n" ..
      "a third of the load; where they are consistent and the mapper forgets, single jobs all go to the fastest.\n")
local by_class, best_class = study("mshn_classes", { "hihi", "hilo", "lohi", "lolo", "hilo, consistent" }, { 1, 9, 17, 33 },
                                   replications, function() return tau end)

-- The time that the fastest machine takes is what loads the machines when the mapper knows of nothing else.
local function fastest(machine_cv) return (advisor.least_of(15, machine_cv)) end
print(("\nThe same at an equal effective load, %.3f by the time on the fastest machine: %.1f ms between arrivals for hihi and lohi;\n" ..
       "n = %d.\n"):format(
      advisor.load(tau) * fastest(0.1), 1e3 * tau * fastest(0.5) / fastest(0.1), math.min(replications, 10)))
local by_load, best_load = study("mshn_equal_load", { "hihi", "hilo", "lohi", "lolo" }, { 1, 5, 9, 15, 17, 21 },
                                 math.min(replications, 10), function(machine_cv) return tau * fastest(machine_cv) / fastest(0.1) end)
local curves = {}
for _, row in ipairs(by_load:table("mean_response")) do
  if row.ready == "zero" then
    curves[#curves + 1] = { size = row.size, class = row.class, ms = 1e3 * row.mean_response,
                            ms_half_width = 1e3 * row.mean_response_half_width }
  end
end
plot(curves, { x = "size", y = "ms", by = "class", y_unit = "ms", file = "classes", x_label = "group size",
               y_label = "mean time in system", title = "Zero readiness, classes at an equal effective load" })

if published then
  local function at(map, ready, size) return { map = map, ready = ready, size = size } end
  agree("baselines: met, min_min with zero readiness, mct with aware readiness in groups of 17; olb with aware readiness, single jobs",
        by_mapper, 200, { { at("met", "zero", 17), 3690 }, { at("min_min", "zero", 17), 2539 }, { at("mct", "aware", 17), 1935 },
                          { at("olb", "aware", 1), 2397 } })
  for class, times in pairs { lohi = { 432, 668, 1043, 2034 }, hihi = { 454, 673, 1005, 1947 }, lolo = { 2629, 1978, 1848, 2935 } } do
    local list = {}
    for i, size in ipairs { 1, 9, 17, 33 } do list[i] = { { class = class, ready = "zero", size = size }, times[i] } end
    agree(("the class %s with zero readiness, groups of 1, 9, 17 and 33"):format(class), by_class, 60, list)
  end
  local apart = {}
  for map, size in pairs(best.aware) do
    if size > 1 then apart[#apart + 1] = ("%s is best with %d"):format(map, size) end
  end
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with aware readiness no mapper gains by collecting jobs",
          holds = #apart == 0, found = #apart > 0 and table.concat(apart, ", ") or "single jobs are best with each of the seven",
          verdict = "reproduces" }
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: where machines are consistent, zero readiness makes larger groups pay, aware readiness does not",
          holds = best_class.zero["hilo, consistent"] > 17 and best_class.aware["hilo, consistent"] == 1,
          found = ("of those tried the best has %d jobs and %d"):format(best_class.zero["hilo, consistent"],
                                                                      best_class.aware["hilo, consistent"]),
          verdict = "reproduces" }
  claim { source = advisor.source .. ", section VII.A",
          says = "collecting jobs pays for the class LoHi as well, at the same arrivals",
          holds = best_class.zero.lohi > 1, found = ("the best of those tried has %d"):format(best_class.zero.lohi),
          verdict = "does not reproduce" }
  claim { source = advisor.source .. ", section VII.A",
          says = "collecting jobs pays for the class LoHi as well, at an equal effective load, zero readiness",
          holds = best_load.zero.lohi > 1, found = ("the best of those tried has %d"):format(best_load.zero.lohi),
          verdict = "does not reproduce" }
  local function lohi(ready) return stats.summary(studies.values(by_load, "mean_response", { class = "lohi", ready = ready, size = 1 })).mean end
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: LoHi at an equal effective load, single jobs: to forget is better than to know the backlog",
          holds = lohi "zero" < lohi "aware",
          found = ("%.0f ms against %.0f ms: who knows the backlog evades it to machines that are slower by far"):format(
            1e3 * lohi "zero", 1e3 * lohi "aware"), verdict = "reproduces" }
end
