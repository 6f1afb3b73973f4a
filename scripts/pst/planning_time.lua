-- A plan that takes time, and what hosts keep to do meanwhile (Berman et al. 1999, sections 5.3 and 7.4).
-- takes: seconds
-- perigee run scripts/pst/planning_time.lua --out results
--   --set full=true     more of both, ten applications: minutes
--
-- Figure 11's grid and application with 1200 KB for a shared file. A plan each 600 s takes D s, in which each host has K tasks to
-- do, of which it may have done the first already: tasks take 100 to 333 s.

local figure11 = require "figure11_scenario"
local pst = require "pst"
local studies = require "studies"
local full = setting("full", false)

local e = experiment "planning time" {
  factors = {
    { "planning_time", full and { 0, 30, 60, 120, 240, 480 } or { 0, 60, 240 } },
    { "keep", full and { 0, 1, 2, 3, 5, 8 } or { 0, 1, 3 } },
  },
  replications = setting("replications", full and 10 or 3),
  run = function(f, seed)
    local p = planner { map = "extended_sufferage", interval = 600, planning_time = f.planning_time, keep = f.keep }
    return figure11.scenario(1200e3, seed):run { policy = p }
  end,
  measure = function(r) return { makespan = r.makespan, busy = r.utilization, plans = r.plan_count } end,
}
-- end of experiment

print "Makespan, s, by the planning time, s, and the tasks that each host keeps"
studies.print(e, "makespan", "planning_time", "keep")
print "\nShare of the hosts' time that is busy"
studies.print(e, "busy", "planning_time", "keep", "%.3f +- %.3f")
plot(e:rows(), { x = "planning_time", y = "makespan", by = "keep", file = "planning_time", x_unit = "s" })
print ""

local function kept(time) return studies.ratio(e, "makespan", "keep", 3, 0, function(row) return row.planning_time == time end) end
pst.claim("section 5.6.1", "to leave some tasks with the hosts avoids idle time where planning takes 240 s and tasks 90 to 370 s", kept(240), "less")
pst.claim("section 5.6.1", "it does so where planning takes 60 s", kept(60), "less")
pst.claim("section 5.6.1", "where planning takes no time it is of no use", kept(0), "same")
