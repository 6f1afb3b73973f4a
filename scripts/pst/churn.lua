-- Hosts that come and go: when to plan anew, what is lost, and what it is worth (Berman et al. 1999, section 5.6.1).
-- takes: seconds
-- perigee run scripts/pst/churn.lua --out results
--   --set full=true     four heuristics, also whole clusters, ten applications and grids: minutes
--
-- The grid of Figure 11 with exponential stays and absences of all hosts, four fifths of which are there on average. The
-- information is perfect, but for who will go and come.

local grids = require "grids"
local studies = require "studies"
local full = setting("full", false)
-- Mean stays and absences, s; and what goes.
local churns = {
  calm = { stay = 4000, away = 1000 }, restless = { stay = 1000, away = 250 },
  clusters = { stay = 4000, away = 1000, hosts = 0, clusters = 1 },
}
local tasks, till = full and 400 or 150, 40000

local function scene(f, seed)
  local churn = { till = till }
  for name, value in pairs(churns[f.churn]) do churn[name] = value end
  local p, events = grids.grid({ clusters = studies.clusters, churn = churn }, seed)
  return scenario { platform = p, events = events, workload = grids.application { tasks = tasks, shared = 2.4e6 } }
end

local e = experiment "churn" {
  factors = {
    { "churn", full and { "calm", "restless", "clusters" } or { "calm", "restless" } },
    { "map", full and { "workqueue", "min_min", "sufferage", "extended_sufferage", "xsufferage" } or { "workqueue", "min_min", "extended_sufferage" } },
    { "replan", { "none", "add", "remove", "both" } },
  },
  where = function(f) return f.map ~= "workqueue" or f.replan == "none" end,
  replications = setting("replications", full and 10 or 4),
  run = function(f, seed)
    return scene(f, seed):run { policy = f.map == "workqueue" and "workqueue" or planner { map = f.map, replan = f.replan } }
  end,
  measure = function(r)
    return { makespan = r.makespan, lost = r.lost, lost_time = r.lost_time, plans = r.plan_count,
             moved = r.bytes_moved / 1e6 }
  end,
}
-- end of experiment
