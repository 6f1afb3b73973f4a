-- Hosts that come and go: when to plan anew, what is lost, and what it is worth (Berman et al. 1999, section 5.6.1).
-- takes: seconds
-- perigee run scripts/pst/churn.lua --out results
--   --set full=true     four heuristics, also whole clusters, ten applications and grids: minutes
--
-- The grid of Figure 11 with exponential stays and absences of all hosts, four fifths of which are there on average. The
-- information is perfect, but for who will go and come.

local grids = require "grids"
local pst = require "pst"
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
  local p, events = grids.grid({ clusters = pst.clusters, churn = churn }, seed)
  return scenario { platform = p, events = events, workload = grids.application { tasks = tasks, shared = 2.4e6 } }
end

local e = experiment "churn" {
  factors = {
    { "churn", full and { "calm", "restless", "clusters" } or { "calm", "restless" } },
    { "map", full and { "workqueue", "min_min", "sufferage", "extended_sufferage", "xsufferage" } or { "workqueue", "extended_sufferage" } },
    { "replan", { "none", "add", "remove", "both" } },
  },
  where = function(f) return f.map ~= "workqueue" or f.replan == "none" end,
  replications = setting("replications", full and 10 or 8),
  run = function(f, seed)
    return scene(f, seed):run { policy = f.map == "workqueue" and "workqueue" or planner { map = f.map, replan = f.replan } }
  end,
  measure = function(r)
    return { makespan = r.makespan, lost = r.lost, lost_time = r.lost_time, plans = r.plan_count,
             moved = r.bytes_moved / 1e6 }
  end,
}
-- end of experiment

for _, churn in ipairs(full and { "calm", "restless", "clusters" } or { "calm", "restless" }) do
  local c = churns[churn]
  print(("%s: stays of %d s, absences of %d s; makespan, s, by what makes a plan at once"):format(churn, c.stay, c.away))
  studies.print(e, "makespan", "map", "replan", nil, function(row) return row.churn == churn end)
end
print "\nOf all:"
print(e:table("lost", "lost_time", "plans", "moved"))
studies.plot(e, { x = "replan", y = "makespan", by = "churn", kind = "bars", file = "churn" }, function(row) return row.map ~= "workqueue" end)
print ""

local function planned(row) return row.map ~= "workqueue" end
pst.claim("section 5.6.1", "hosts that come would stay idle until the next plan: it is better to plan when they come than never to plan anew",
          studies.ratio(e, "makespan", "replan", "add", "none", planned), "less")
local both = studies.ratio(e, "makespan", "replan", "both", "add", planned)
claim { source = pst.source .. ", section 5.6.1", says = "when hosts go, it is reasonable to wait for the next plan", holds = both.mean > 0.95,
        found = "to plan anew then too takes " .. studies.text(both) .. " times as long", verdict = "reproduces" }
local sooner = studies.ratio(e, "makespan", "replan", "add", "remove", planned)
claim { source = pst.source .. ", section 5.6.1", says = "to plan when hosts come does more than to plan when they go", holds = sooner.mean < 1,
        found = studies.text(sooner) .. " times as long", verdict = "reproduces" }
