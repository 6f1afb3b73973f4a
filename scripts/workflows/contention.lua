-- Plans that reckon with links of their own for every two clusters, on platforms whose links are shared: what the run makes of them.
-- takes: seconds
-- perigee run workflows/contention --out results     the figures are results/contention-makespan.svg and results/contention-late.svg
--   --set full=true                more replications (200 for 20)
--   --set replications=50          of each combination
--   --set tasks=100 --set clusters=8      of each graph in layers (60), and clusters of two hosts (4)
-- test: thorough --set replications=4 --set tasks=30

local settings = require "settings"
local studies = require "studies"
local verdicts = require "verdicts"
local replications = settings.number("replications", setting("full", false) and 200 or 20, 2)
local tasks, clusters = settings.number("tasks", 60, 1), settings.number("clusters", 4, 2)
local ccrs = { 0.1, 0.5, 1, 5, 10 }

-- Three networks of the same rates: a link of its own for every two clusters; a gateway for each cluster, which carries one file at a time; gateways
-- that share their bandwidth among files. A file over two gateways is as fast as over one link, while nobody else is on them.
local function network(kind)
  local parts = {}
  for k = 1, clusters do
    local link = kind ~= "own links" and { bandwidth = 1, sharing = kind == "one at a time" and "exclusive" or "fair" } or nil
    parts[k] = cluster("c" .. k) { nodes = 2, link = link }
  end
  if kind == "own links" then parts[#parts + 1] = complete { bandwidth = 1 } end
  return platform(parts)
end
local networks = { "own links", "one at a time", "shared" }
local platforms = {}
for _, kind in ipairs(networks) do platforms[kind] = network(kind) end

-- Times are alike on all hosts, so that where a task goes is a matter of its files: uniform up to 100 s, and bytes by the ccr. No output goes home.
local function drawn(kind, ccr)
  return scenario {
    platform = platforms[kind],
    workload = workload.workflows(1, function(_, rng)
      return { name = "drawn", home = "none", tasks = graph.layered { tasks = tasks, degree = 4, rng = rng,
        ops = function(_, stream) return stream:uniform(0, 100) end, size = function(_, stream) return stream:uniform(0, 100 * ccr) end } }
    end),
  }
end

local kPlans, kRanked, kQueue = { "heft", "cpop", "peft", "etf" }, "dispatch", "workqueue"
local policies = {}
for i, plan in ipairs(kPlans) do policies[i] = { plan, scheduled(plan) } end
policies[#policies + 1] = { kRanked, dispatch { order = "upward_rank" } }
policies[#policies + 1] = { kQueue, workqueue {} }
local e = experiment "contention" {
  factors = { { "ccr", ccrs }, { "network", networks }, { "policy", policies } },
  replications = replications,
  run = function(f) return drawn(f.network, f.ccr):run { policy = f.policy } end,
  measure = { "makespan", "slr", "bytes_between" },
}
for _, kind in ipairs(networks) do
  print("mean makespan, s, network: " .. kind)
  studies.print(e, "makespan", "ccr", "policy", "%.0f +- %.0f", { network = kind })
  print ""
end
studies.plots(e, { x = "ccr", y = "makespan", by = "policy", log_x = true, log_y = true, file = "contention-makespan", text = false,
                   title = "Mean makespan against ccr" }, "network")

-- By how much a run on links that are used in common ends later than planned, which is when it would end on links of its own.
local late, rows = {}, {}
for _, row in ipairs(e:rows()) do
  local key = ("%g %s %d"):format(row.ccr, row.policy, row.replication)
  late[key] = late[key] or {}
  late[key][row.network] = row.makespan
end
for _, row in ipairs(e:rows()) do
  if row.network ~= "own links" then
    local ratio = row.makespan / late[("%g %s %d"):format(row.ccr, row.policy, row.replication)]["own links"]
    rows[#rows + 1] = { ccr = row.ccr, policy = row.policy .. (row.network == "shared" and ", shared" or ""), network = row.network, ratio = ratio }
  end
end
local one = {}
for _, row in ipairs(rows) do if row.network == "one at a time" then one[#one + 1] = row end end
plot(one, { x = "ccr", y = "ratio", by = "policy", log_x = true, file = "contention-late",
            title = "Makespan on gateways of one file at a time / on own links" })

local function judged(says, points, sense, verdict, note)
  local found = verdicts.always(points, sense, nil, "%+.1f")
  claim { source = "found here", says = says, holds = found.holds, found = found.found .. " s", verdict = verdict, note = note }
end
local function at(network, least, most)
  return function(row) return row.network == network and row.ccr >= least and row.ccr <= most end
end
judged("HEFT's plan ends later where links carry one file at a time than it says, at a ccr of 0.5 and more",
       verdicts.points(e, "makespan", "network", "one at a time", "own links", function(row) return row.policy == "heft" and row.ccr >= 0.5 end), "higher",
       "reproduces")
judged("on links of their own HEFT's plan is shorter than tasks given out when they are ready, by rank, at every ccr",
       verdicts.points(e, "makespan", "policy", "heft", kRanked, at("own links", 0, 10)), "lower", "reproduces")
judged("on links that carry one file at a time HEFT's plan is shorter than those too, at every ccr",
       verdicts.points(e, "makespan", "policy", "heft", kRanked, at("one at a time", 0, 10)), "lower", "does not reproduce")
judged("on links that are shared HEFT's plan is shorter than those too, at every ccr",
       verdicts.points(e, "makespan", "policy", "heft", kRanked, at("shared", 0, 10)), "lower", "does not reproduce")
judged("at a ccr of 1 tasks given out when they are ready are done before HEFT's plan, on links of both kinds that are used in common",
       verdicts.points(e, "makespan", "policy", kRanked, "heft", function(row) return row.network ~= "own links" and row.ccr == 1 end), "lower", "reproduces",
       "a plan sends much at the same time, and knows of no queue")
judged("at a ccr of 0.5 and 1 PEFT's plan is done before HEFT's, on links of both kinds that are used in common",
       verdicts.points(e, "makespan", "policy", "peft", "heft", function(row) return row.network ~= "own links" and row.ccr >= 0.5 and row.ccr <= 1 end), "lower",
       "reproduces", "on links of its own it is not shorter")
