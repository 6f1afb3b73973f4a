-- Anomalies: a scenario is made better, and the same policy takes longer. Which policies have which one, and Graham's bound on them (his own are in graham.lua).
-- takes: seconds; --set full=true minutes
-- perigee run duel/anomalies
--   --set full=true                10000 evaluations for each pair of a policy and an improvement (250), and the smallest cases
--   --set budget=2000              so many of them
-- test: thorough --set budget=60

local settings = require "settings"
local spaces = require "spaces"
local full = setting("full", false)
local budget = settings.number("budget", full and 10000 or 250, 10)
local Graham = "Graham 1969"

local precedence, workflows = spaces.precedence { tasks = 9, hosts = { 2, 3 }, edges = { 3, 8 } }, spaces.workflow {}
local days = spaces.batch_day { nodes = { 1, 2 }, overestimate = { 1, 3 }, failures = { 0, 2 } }
local grids, sweeps = spaces.grid {}, spaces.sweep { runs = { 4, 30 } }
local groups = {
  { "tasks that wait for each other", precedence, { "more_hosts", "shorter", "fewer_edges" },
    { "workqueue", dispatch {}, dispatch { order = "static_level" }, "stealing", scheduled "hlfet", scheduled "heft", scheduled "etf" } },
  { "workflows with files", workflows, { "more_hosts", "shorter", "fewer_edges", "faster_link" },
    { "workqueue", dispatch {}, scheduled "heft", scheduled "cpop", scheduled "peft" } },
  { "days of a batch system, with estimates that are too long", days, { "more_hosts", "shorter", "no_failure", "better_estimates" },
    { "fcfs", "sjf", "easy", "conservative", backfill {} }, "declared" },
  { "grids with shared files", grids, { "more_hosts", "shorter", "faster_link" },
    { planner { map = "min_min" }, planner { map = "sufferage" }, planner { map = "xsufferage" }, "workqueue" } },
  { "sweeps on loaded nodes", sweeps, { "more_hosts", "shorter" },
    { "static_round_robin", "workqueue", "amra", "factoring", "weighted_factoring", "two_phase" } },
}
local has, pairs_of, small = {}, 0, {}
for _, group in ipairs(groups) do
  local title, cases, improvements, policies, information = table.unpack(group, 1, 5)
  print(("\n%s: largest makespan after the improvement over that before, by %d evaluations"):format(title, budget))
  local line = ("%-40s"):format("")
  for _, improvement in ipairs(improvements) do line = line .. ("%18s"):format(improvement) end
  print(line)
  for _, policy in ipairs(policies) do
    line = ("%-40s"):format(tostring(policy))
    for _, improvement in ipairs(improvements) do
      local d = duel { a = spaces.improved(cases, policy, improvement, { information = information }), b = policy, space = cases, information = information,
                       budget = budget, seed = 1, incomplete = "skip" }
      pairs_of = pairs_of + 1
      if d.ratio > 1 + 1e-9 then
        has[improvement] = (has[improvement] or 0) + 1
        if full then
          local case, ratio = d:small()
          small[#small + 1] = { ("%s, %s: %.4f"):format(policy, improvement, ratio), case }
        end
      end
      line = line .. ("%18s"):format(d.ratio > 1 + 1e-9 and ("%.4f"):format(d.ratio) or "none found")
    end
    print(line)
  end
end
for _, each in ipairs(small) do
  print("\n" .. each[1])
  print(each[2])
end

-- ---- Graham's bound, for policies that keep no host idle while a task is ready ----

-- An improvement of his: more hosts, shorter times, fewer edges, or all of them.
local function all(x)
  for _, name in ipairs { "more_hosts", "shorter", "fewer_edges" } do x = spaces.improve[name](x) or x end
  return x
end
-- The time of the policy afterwards, as a share of the time that the bound allows: 1 + (m - 1) / m' times what it took before.
local function share(policy, improvement)
  local after = spaces.improved(precedence, policy, improvement)
  local more = (improvement == "more_hosts" or improvement == all) and 1 or 0
  return function(x, seed)
    local m = x.hosts
    local result = after(x, seed)
    return result and result.makespan / (1 + (m - 1) / (m + more))
  end
end
local most, worst, count = 0, "", 0
for _, policy in ipairs { "workqueue", dispatch {}, "stealing" } do
  for _, improvement in ipairs { "more_hosts", "shorter", "fewer_edges", all } do
    local d = duel { a = share(policy, improvement), b = policy, space = precedence, budget = budget, seed = 2 }
    count = count + d.evaluations
    if d.ratio > most then most, worst = d.ratio, ("%s, %s"):format(policy, improvement == all and "all three" or improvement) end
  end
end
expect(most <= 1 + 1e-9, "no case exceeds Graham's bound")
claim { source = Graham, says = "no improvement makes a list schedule longer than 1 + (m - 1) / m' times what it was", holds = most <= 1 + 1e-9,
        found = ("at most %.4f of that (%s), by %d evaluations"):format(most, worst, count), verdict = "reproduces" }
local found = {}
for _, name in ipairs { "more_hosts", "shorter", "fewer_edges", "no_failure", "better_estimates", "faster_link" } do
  found[#found + 1] = ("%s %d"):format(name, has[name] or 0)
end
local there = (has.more_hosts or 0) > 0 and (has.shorter or 0) > 0 and (has.fewer_edges or 0) > 0
claim { source = Graham, says = "more hosts, shorter times and fewer edges can each make a schedule longer", holds = there or "not decided",
        found = ("policies that have an anomaly, of %d pairs with an improvement: %s"):format(pairs_of, table.concat(found, ", ")), verdict = "reproduces" }
