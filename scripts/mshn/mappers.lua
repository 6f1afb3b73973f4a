-- What Breitinger (1999) left as future work: other mappers and other classes of heterogeneity under the same advisor.
-- takes: seconds
-- perigee run scripts/mshn/mappers.lua --out results
--   --set replications=30
--   --set tau=67              mean time between arrivals, ms
-- test: --set replications=2

local advisor = require "advisor"
local replications, tau = setting("replications", 30), setting("tau", 67) / 1000

print(("mean time in system, s, at a load of %.3f by the mean job\n"):format(advisor.load(tau)))
local s = advisor.scenario { tau = tau }
local e = experiment "mshn_mappers" {
  factors = {
    { "map", { max_min { adds = "completion" }, "max_min", "min_min", "sufferage", "mct", "met", "olb" } },
    { "ready", { "zero", "aware" } },
    { "size", { 1, 9, 17 } },
  },
  replications = replications,
  run = function(f, seed)
    return advisor.run(s, grouped { size = f.size, ready = f.ready, map = f.map, flush = false }, seed)
  end,
  measure = { "mean_response" },
}
print(e:table("mean_response"))

print "\nthe four classes, zero readiness, the program's max-min\n"
local classes = { hihi = { 0.5, 0.5 }, hilo = { 0.5, 0.1 }, lohi = { 0.1, 0.5 }, lolo = { 0.1, 0.1 } }
local by_class = experiment "mshn_classes" {
  factors = { { "class", { "hihi", "hilo", "lohi", "lolo" } }, { "size", { 1, 9, 17, 33 } } },
  replications = replications,
  run = function(f, seed)
    local class = classes[f.class]
    return advisor.run(advisor.scenario { tau = tau, task_cv = class[1], machine_cv = class[2] }, advisor.policy(f.size), seed)
  end,
  measure = { "mean_response" },
}
local found = by_class:table("mean_response")
print(found)
found:plot { x = "size", y = "mean_response", by = "class", file = "classes", title = "Classes of heterogeneity" }

local lohi = advisor.by(found, "size", { class = "lohi" })
claim { source = advisor.source .. ", section VII.A", says = "collecting jobs pays for the class LoHi as well",
        holds = advisor.best(lohi) > 1,
        found = ("%.2f s without a pool, %.2f s in groups of 17: fast machines leave a third of the load"):format(
          lohi[1].mean_response, lohi[17].mean_response),
        verdict = "does not reproduce" }
