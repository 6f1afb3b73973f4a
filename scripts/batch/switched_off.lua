-- Idle hosts are switched off: what that saves, and what it costs in waiting, beside Orgerie et al. (2008) and the node of Batsim's platform of 128 hosts.
-- takes: seconds
-- perigee run batch/switched_off --out results    the figure is results/switched_off.svg
--   --set full=true                more replications (40 for 8)
--   --set replications=20          of each combination
--   --set jobs=800 --set load=0.5  of each log (400), and the share of the machine that they ask for (0.4)
--   --set log=FILE                 a log in the Standard Workload Format in their place, each processor a node
-- test: --set replications=4 --set jobs=150

local settings = require "settings"
local verdicts = require "verdicts"
local drawn = require "drawn_log"
local full, path = setting("full", false), setting("log", "")
local count, load = settings.number("jobs", 400, 1), settings.number("load", 0.4, 0.01, 1)
local replications = settings.number("replications", full and 40 or 8, 1)

-- W and s of the node, by Batsim's documentation.
local node = { idle = 95, busy = 190.738, off = 9.75, boot = { time = 151.52, power = 125.174 }, shutdown = { time = 6.1, power = 100.997 } }
local break_even = cost.break_even(node)

-- One node, two jobs of 100 s with a gap of 400 s. Off from 1 s of idle time on, it takes less, and the second job is late by the boot.
local pair = scenario {
  platform = platform { host "node" { power = node } },
  workload = workload.jobs { { time = 100 }, { time = 100, arrival = 500 } },
}
local on, off = pair:run { policy = "fcfs" }, pair:run { policy = fcfs { off_after = 1 } }
print(("a gap of 400 s: %.0f J on, %.0f J off, and %.2f s late; break-even after %.2f s of idle time"):format(
  on.energy, off.energy, off:jobs()[2].start - 500, break_even))

local log = path ~= "" and workload.swf(path, { shape = "nodes", cores_per_node = 1 }) or nil
local nodes = log and log.log:platform { cores_per_node = 1 }:total_cores() or drawn.nodes
if log then replications = 1 end

-- Whoever switches off at once, after a while, when it is worth it, or never.
local rules = { { "never", easy {} }, { "at once", easy { off_after = 0 } }, { "1 min", easy { off_after = 60 } },
                { "break-even", easy { off_after = "break_even" } }, { "10 min", easy { off_after = 600 } }, { "1 h", easy { off_after = 3600 } },
                { "unplanned", conservative { off_after = "unplanned" } } }
local e = experiment "switched_off" {
  factors = { { "off_after", rules } },
  replications = replications,
  run = function(f, seed)
    local r = scenario { platform = platform { cluster "n" { nodes = nodes, power = node } },
                         workload = log or drawn.log("skewed", count, load, seed) }
      :run { policy = f.off_after, information = "declared" }
    return { kWh = r.energy / 3.6e6, mean_wait = r.mean_wait, mean_bounded_slowdown = r.mean_bounded_slowdown, boots = r.boots }
  end,
  measure = { "kWh", "mean_wait", "mean_bounded_slowdown", "boots" },
}
print(e:table("kWh", "mean_wait", "mean_bounded_slowdown", "boots"))
local points = {}
for _, row in ipairs(e:table("kWh", "mean_wait")) do points[#points + 1] = { kWh = row.kWh, wait = row.mean_wait, rule = row.off_after } end
plot(points, { x = "kWh", y = "wait", by = "rule", kind = "points", file = "switched_off", text = false, x_label = "energy / kWh",
               y_label = "mean wait / s", title = "Energy and waiting by when idle hosts are switched off" })

claim { source = "Batsim's platform of 128 hosts", says = "the break-even time of its node, s", value = break_even, published = 211.68, margin = 0.005,
        verdict = "reproduces", note = "by the formula of docs/batch.md" }
claim { source = "a calculation", says = "two jobs of 100 s with a gap of 400 s on that node, always on, J", value = on.energy,
        published = 200 * 190.738 + 400 * 95, margin = 1e-6, verdict = "reproduces" }
claim { source = "a calculation", says = "the same, off after 1 s, J", value = off.energy, margin = 1e-6, verdict = "reproduces",
        published = 200 * 190.738 + 95 + 6.1 * 100.997 + 392.9 * 9.75 + 151.52 * 125.174 }
claim { source = "Raïs et al. 2016", says = "who waits for a host that is off waits for its boot, s", value = off:jobs()[2].start - 500, published = node.boot.time,
        margin = 1e-9, verdict = "reproduces" }
if log then return end

local function against(measure, rule)
  return verdicts.points(e, measure, "off_after", rule, "never", {})
end
local saves, costs = {}, {}
for _, rule in ipairs { "break-even", "10 min", "1 h" } do
  saves[#saves + 1] = against("kWh", rule)[1]
  costs[#costs + 1] = against("mean_wait", rule)[1]
end
local less = verdicts.always(saves, "lower", 0, "%+.1f")
claim { source = "Orgerie et al. 2008", says = "switching hosts off that stay idle for long saves energy", holds = less.holds,
        found = "kWh with it less without: " .. less.found, verdict = "reproduces",
        note = ("drawn logs that ask for %g of 128 nodes"):format(load) }
local more = verdicts.always(costs, "higher", 0, "%+.1f")
claim { source = "found here", says = "with EASY it costs waiting", holds = more.holds, found = "mean waits with it less without, s: " .. more.found,
        verdict = "reproduces", note = "more than a boot: only the first in line has hosts switched on, one job after the other" }
