-- A host leaves for good while a workflow runs: a plan that is kept, one that is made again, and lists that never planned.
-- takes: seconds
-- perigee run workflows/failures --out results     the figure is results/failures.svg
--   --data DIR                     graphs in WfFormat: DIR, DIR/wfformat or DIR/workflows/wfformat has montage-58.json and so on (three made here)
--   --set workflow=FILE            one graph in WfFormat in their place
--   --set full=true                more replications (100 for 10)
--   --set replications=20          of each graph: another host leaves, at another time
-- test: --set replications=3 --data "$(cd "$ROOT/../shared/data" 2>/dev/null && pwd || echo "$OUT")"

local settings = require "settings"
local studies = require "studies"
local verdicts = require "verdicts"
local replications = settings.number("replications", setting("full", false) and 100 or 10, 2)
local file_name = setting("workflow", "")

-- ---- graphs ----

-- Planned on the platform below, files of `estee` at 100 MB/s: heft, cpop, peft, min_min, by an independent program.
local known = {
  { "chain-5", 57.372, 57.372, 57.372, 57.372 }, { "fork-join-10", 99.841, 99.841, 104.236, 119.5842 },
  { "gaussian-14", 181.6473, 182.7757, 178.0511, 187.3284 }, { "montage-58", 431.1976, 445.1413, 445.186, 452.7243 },
  { "fft-39", 313.5675, 299.9143, 333.345, 336.3869 }, { "cholesky-120", 359.9537, 367.2143, 362.572, 386.443 },
  { "estee-montage-77", 110.2582, 115.0957, 111.8454, 116.0343 }, { "estee-cybershake-104", 342.2071, 398.2431, 346.5696, 503.9502 },
  { "estee-epigenomics-204", 97900.7755, 97900.7755, 96895.9189, 98338.8979 }, { "estee-ligo-186", 4801.5876, 4905.0796, 4901.8339, 5130.0335 },
  { "estee-sipht-64", 1785.7347, 2068.8069, 2048.0928, 2248.5037 }, { "estee-crossv-94", 3647.8089, 3691.6667, 3743.2847, 5215.8966 },
}
local kPlanned = { "heft", "cpop", "peft", "min_min" }

-- Four lanes of maps between a split and a merge, in the manner of the workflow Epigenomics.
local function lanes(rng)
  local tasks = { { name = "split", ops = 35, outputs = {} } }
  local merged = {}
  for lane = 1, 4 do
    local name = ("part %d"):format(lane)
    tasks[1].outputs[lane] = file(name, rng:uniform(2e7, 1e8))
    for step, mean in ipairs { 2, 10, 200, 4 } do
      local out = ("%s, step %d"):format(name, step)
      tasks[#tasks + 1] = { name = out, ops = rng:uniform(0.5 * mean, 1.5 * mean), inputs = { name }, outputs = { file(out, rng:uniform(1e7, 5e7)) } }
      name = out
    end
    merged[lane] = name
  end
  tasks[#tasks + 1] = { name = "merge", ops = 15, inputs = merged }
  return tasks
end

local graphs = {}
local function add(name, tasks, bandwidth) graphs[#graphs + 1] = { name = name, tasks = tasks, bandwidth = bandwidth or 1e7 } end
if file_name ~= "" then
  add(file_name:match "[^/]+$":gsub("%.json$", ""), graph.wfformat(file_name))
else
  for _, row in ipairs(known) do
    for _, folder in ipairs { "", "wfformat/", "workflows/wfformat/" } do
      local ok, g = pcall(graph.wfformat, folder .. row[1] .. ".json")
      if ok then
        add(row[1], g, row[1]:find "^estee" and 1e8 or 1e7)
        graphs[#graphs].planned = row
        break
      end
    end
  end
end
if #graphs == 0 then
  local rng = stream "graphs"
  add("montage", graph.montage { r = 4, c = 4, rng = rng, ops = function(_, own) return own:uniform(5, 60) end,
                                 size = function(_, own) return own:uniform(1e6, 2e7) end })
  add("lanes", lanes(rng))
  add("cholesky", graph.cholesky { tiles = 6, rng = rng, ops = function(_, own) return own:uniform(10, 60) end, size = 8e6 })
end

-- ---- the platform: hosts of speeds 1, 1, 2 and 4, each with a store of its own ----

local speeds = { a = 1, b = 1, c = 2, d = 4 }
local names = { "a", "b", "c", "d" }
local function machines(bandwidth)
  local hosts = {}
  for i, name in ipairs(names) do hosts[i] = host(name) { speed = speeds[name] } end
  return platform { complete { bandwidth = bandwidth }, table.unpack(hosts) }
end

-- Outputs of tasks stay where they are: what is compared is when all is computed.
local function with(one, events)
  return scenario { platform = one.platform, workload = workload.workflow { name = one.name, home = "none", tasks = one.tasks }, events = events }
end
for _, one in ipairs(graphs) do
  one.platform = machines(one.bandwidth)
  one.makespan = with(one, {}):run { policy = scheduled "heft" }.makespan
  if one.planned then
    local c, found, right = cost.graph(one.tasks, one.platform), {}, true
    for i, name in ipairs(kPlanned) do
      local m = schedule(name, c).makespan
      found[i] = ("%s %.4f"):format(name, m)
      right = right and math.abs(m - one.planned[i + 1]) <= 1e-4 * math.max(1, 1e-3 * m)
    end
    claim { source = "an independent program", says = ("planned makespans of %s.json, four schedulers"):format(one.name), holds = right,
            found = table.concat(found, ", "), verdict = "reproduces" }
  end
end

-- ---- one host leaves, with its store ----

local kKept, kAgain = "plan", "plan, made again"
local policies = {
  { kKept, scheduled "heft" }, { kAgain, scheduled { plan = "heft", replan = "failure" } }, { "when ready", dispatch {} },
  { "when ready, by rank", dispatch { order = "upward_rank" } }, { "stealing", stealing {} }, { "workqueue", workqueue {} },
}
local levels = {}
for i, one in ipairs(graphs) do levels[i] = { one.name, one } end
local e = experiment "failures" {
  factors = { { "graph", levels }, { "policy", policies } },
  replications = replications,
  run = function(f, seed)
    local rng = stream("failure", seed)
    local gone, at = rng:choice(names), f.graph.makespan * rng:uniform(0.1, 0.9)
    local r = with(f.graph, { leave { cluster = gone, at = at } }):run { policy = f.policy, seed = seed }
    local whole = r.status == "complete"
    return { relative = whole and r.makespan / f.graph.makespan or nil, recomputed = r.recomputed, lost = r.lost, whole = whole and 1 or 0 }
  end,
  measure = { "relative", "recomputed", "lost", "whole" },
}
print "\nmakespan over that of HEFT's plan without a failure"
studies.print(e, "relative", "graph", "policy", "%.2f +- %.2f")
print "\ntasks computed again because their outputs were on the host that left"
studies.print(e, "recomputed", "graph", "policy", "%.1f +- %.1f")
studies.plot(e, { x = "graph", y = "relative", by = "policy", kind = "box", text = false, file = "failures",
                  title = "Makespan over that of HEFT's plan without a failure; one host leaves" })
local runs, ended, short = 0, 0, {}
for _, row in ipairs(e:rows()) do
  runs, ended = runs + 1, ended + row.whole
  if row.whole == 0 then short[row.policy] = (short[row.policy] or 0) + 1 end
end
local missing = {}
for name, count in pairs(short) do missing[#missing + 1] = ("; %s: %d are not"):format(name, count) end
claim { source = "found here", says = "each workflow is completed under each policy when a host leaves for good", holds = ended == runs,
        found = ("%d of %d runs%s"):format(ended, runs, table.concat(missing)), verdict = "reproduces" }

-- ---- random graphs: a host leaves at half of the planned makespan ----

local function drawn(seed, policy)
  local g = graph.layered { tasks = 40, degree = 4, hosts = 4, ccr = 1, beta = 1, rng = stream.splitmix(seed) }
  local one = { name = "drawn", tasks = g, platform = machines(1) }
  local half = schedule("heft", cost.graph(g)).makespan / 2
  return with(one, { leave { cluster = names[1 + seed % 4], at = half } }):run { policy = policy, validate = true }
end
local ratios, complete_runs = { values = {} }, 0
for seed = 1, 100 do
  local again, kept = drawn(seed, scheduled { plan = "heft", replan = "failure" }), drawn(seed, scheduled "heft")
  if again.status == "complete" and kept.status == "complete" then
    complete_runs = complete_runs + 1
    ratios.values[complete_runs] = math.log(again.makespan / kept.makespan)
  end
end
local logs, one = stats.interval(ratios.values), verdicts.always({ ratios }, "lower")
claim { source = "found here", says = "on 100 graphs in layers a plan by HEFT that is made again ends before one that is kept, in the mean", holds = one.holds,
        found = ("%.3f times as long, %.3f to %.3f, on %d graphs"):format(math.exp(logs.mean), math.exp(logs.low), math.exp(logs.high), complete_runs),
        verdict = "reproduces" }
