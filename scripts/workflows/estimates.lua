-- Plans made at the arrival of a workflow against decisions made when a task is ready, as estimates of times get worse.
-- takes: seconds
-- perigee run workflows/estimates --out results     the figures are results/estimates-ccr-1.svg and so on: the mean SLR against the error
--   --set full=true                more replications (200 for 20)
--   --set replications=50          of each combination
--   --set tasks=100 --set hosts=16 of each graph in layers (60, 8)
-- test: thorough --set replications=4 --set tasks=30

local settings = require "settings"
local studies = require "studies"
local verdicts = require "verdicts"
local replications = settings.number("replications", setting("full", false) and 200 or 20, 2)
local tasks, hosts = settings.number("tasks", 60, 1), settings.number("hosts", 8, 1)
local errors, ccrs = { 0, 0.1, 0.25, 0.5, 0.75, 0.95 }, { 0.1, 1, 5 }

-- The textbook network: what is compared is what is known of times, not what queues for links.
local function drawn(ccr)
  local machines = {}
  for p = 1, hosts do machines[p] = host("P" .. p) {} end
  return scenario {
    platform = platform { complete { bandwidth = 1 }, table.unpack(machines) },
    workload = workload.workflows(1, function(_, rng)
      return { name = "drawn", tasks = graph.layered { tasks = tasks, degree = 4, hosts = hosts, ccr = ccr, beta = 1, rng = rng } }
    end),
  }
end

-- An estimate is the truth times 1 + error (2u - 1), u from 0 to 1, drawn for each task and host.
local kStatic, kAgain, kDynamic, kRanked, kStealing = "plan", "plan, made again", "when ready", "when ready, by rank", "stealing"
local e = experiment "estimates" {
  factors = {
    { "ccr", ccrs }, { "error", errors },
    { "policy", { { kStatic, scheduled "heft" }, { kAgain, scheduled { plan = "heft", replan = "deviation" } }, { kDynamic, dispatch {} },
                  { kRanked, dispatch { order = "upward_rank" } }, { kStealing, stealing {} } } },
  },
  replications = replications,
  run = function(f) return drawn(f.ccr):run { policy = f.policy, information = ("error(%g)"):format(f.error) } end,
  measure = { "slr", "makespan" },
}
for _, ccr in ipairs(ccrs) do
  print(("mean SLR, ccr %g"):format(ccr))
  studies.print(e, "slr", "error", "policy", "%.2f +- %.2f", { ccr = ccr })
  print ""
end
studies.plots(e, { x = "error", y = "slr", by = "policy", file = "estimates", text = false, title = "Mean SLR against the error of estimates" }, "ccr")

local function text(where, of, against)
  local parts = {}
  for _, error in ipairs(errors) do
    local d = studies.difference(e, "slr", "policy", of, against, function(row) return row.error == error and where(row) end)
    parts[#parts + 1] = ("%g: %+.3f +- %.3f"):format(error, d.mean, d.half_width)
  end
  return table.concat(parts, ", ")
end
for _, ccr in ipairs(ccrs) do
  print(("SLR of the plan less that of the list by rank, ccr %g, by error: %s"):format(ccr, text(function(row) return row.ccr == ccr end, kStatic, kRanked)))
end
local function judged(says, points, sense, verdict, note)
  local found = verdicts.always(points, sense)
  claim { source = "found here", says = says, holds = found.holds, found = found.found, verdict = verdict, note = note }
end
judged("with exact estimates a plan by HEFT has a lower SLR than tasks given out when they are ready, by rank",
       verdicts.points(e, "slr", "policy", kStatic, kRanked, function(row) return row.error == 0 end), "lower", "reproduces")
judged("with errors of up to 95 % it has a lower SLR too, where the ccr is 1 or more",
       verdicts.points(e, "slr", "policy", kStatic, kRanked, function(row) return row.error == 0.95 and row.ccr >= 1 end), "lower", "reproduces",
       "a plan sends files as soon as they are there, a list when the task is ready")
judged("with errors of up to 95 % it has a higher SLR, where the ccr is 0.1",
       verdicts.points(e, "slr", "policy", kStatic, kRanked, function(row) return row.error == 0.95 and row.ccr == 0.1 end), "higher", "reproduces")
judged("errors of up to 95 % make plans worse", verdicts.points(e, "slr", "error", 0.95, 0, function(row) return row.policy == kStatic end), "higher", "reproduces")
judged("with errors of up to 95 % a plan that is made again at deviations has a lower SLR than one that is kept",
       verdicts.points(e, "slr", "policy", kAgain, kStatic, function(row) return row.error == 0.95 end), "lower", "does not reproduce")
