-- Third group of tests of Sim-PETEK (2010) in many drawn worlds: does it pay to adapt?
-- takes: seconds
-- test: thorough
-- perigee run scripts/sim-petek/group3-drawn.lua
--   --set full=false      20 draws of speeds and noise in each of 4 models, 100 for the system that varies, not 1

local petek = require "petek"
local worlds = require "worlds"
local claims = petek.claim
local unpublished = "speeds of nodes, run times, latency, the strength of the load and the triple are not published"
local note = unpublished .. "; worlds are drawn, the load leaves a node 0.25, 0.5 or 0.75 of its speed, and ISSSE has two triples, which must agree"
local trials, sizes = { 20, 50, 100 }, worlds.full and { 100, 400, 1000, 2000 } or { 100, 400 }
local triples = { ["1/5/3.3"] = { peak = 1, k = 5, m = 3.3 }, ["2/15/10.5"] = { peak = 2, k = 15, m = 10.5 } }
local e = experiment "group 3, drawn" {
  factors = { { "triple", { "1/5/3.3", "2/15/10.5" } }, { "model", worlds.models }, { "factor", { 0.25, 0.5, 0.75 } }, { "trials", trials },
              { "runs", sizes }, { "adaptive", { false, true } } },
  replications = worlds.draws,
  run = function(f, seed)
    local vx, vy = table.unpack(petek.velocities[3][f.runs])
    local case = worlds.case(f.model, seed, f.trials, vx, vy, function() return petek.loaded_cluster(f.factor) end)
    local t = triples[f.triple]
    return case:run { policy = issse_amra { peak = t.peak, k = t.k, m = t.m, adaptive = f.adaptive } }
  end,
  measure = { "makespan" },
}
-- Whether the adaptive one of a triple is better in all cases, a text, and by how much it changes the time.
local function adaptive_of(triple)
  local by, order = {}, {}
  for _, row in ipairs(e:rows()) do
    if row.triple == triple then
      local key = ("%s %g %d"):format(row.model, row.factor, row.replication)
      if not by[key] then
        by[key] = { factor = row.factor, draw = row.replication }
        order[#order + 1] = by[key]
      end
      by[key][("%dx%d %s"):format(row.trials, row.runs, tostring(row.adaptive))] = row.makespan
    end
  end
  local better, n, by_factor = 0, 0, {}
  for _, w in ipairs(order) do
    local here, cases, sum = 0, 0, 0
    for _, t in ipairs(trials) do
      for _, runs in ipairs(sizes) do
        local a, b = w[("%dx%d true"):format(t, runs)], w[("%dx%d false"):format(t, runs)]
        if a < b then here = here + 1 end
        cases, sum = cases + 1, sum + a / b
      end
    end
    w.all, w.change = here == cases, 100 * (sum / cases - 1)
    better, n = better + here, n + cases
    local f = by_factor[w.factor] or { 0, 0 }
    by_factor[w.factor] = { f[1] + here, f[2] + cases }
  end
  local parts = {}
  for _, factor in ipairs { 0.25, 0.5, 0.75 } do
    parts[#parts + 1] = ("%d of %d at %g"):format(by_factor[factor][1], by_factor[factor][2], factor)
  end
  local change, half = worlds.interval(order, function(w) return w.change end)
  local holds, found = worlds.most(order, function(w) return w.all end)
  return holds, ("%s; in %d of %d cases one by one (%s of its speed left to a node); adaptivity changes the time by %.2f +- %.2f %%"):format(found,
         better, n, table.concat(parts, ", "), change, half)
end
local large, large_found = adaptive_of "2/15/10.5"
local small, small_found = adaptive_of "1/5/3.3"
claims("S0-155", "does not reproduce", worlds.same(large, small),
       ("with 2/15/10.5 the adaptive one is better in all 12 cases %s; with 1/5/3.3 %s"):format(large_found, small_found), note)

-- ---- a system that varies beside the same one that does not ----

-- AMRA in one round, decided beforehand, with shares by cores or by the nodes' true speeds without the load; in 15 rounds with shares that stay
-- those of the cores, and with shares that adapt. Where a node has so many cores as its speed tells, its first share is by its speed.
local policies = { by_cores = amra { rounds = 1 }, by_speeds = amra { rounds = 1 }, fixed = amra { rounds = 15, adaptive = false },
                   adapted = amra { rounds = 15 } }
-- With 20 draws S0-5 and S0-160 were not decided, so there are 100.
local rounds = experiment "rounds" {
  factors = { { "load", { "loaded", "calm" } }, { "model", worlds.models }, { "trials", { 20, 50 } }, { "runs", { 400, 1000 } },
              { "policy", { "by_cores", "by_speeds", "fixed", "adapted" } } },
  replications = worlds.full and 100 or 1,
  run = function(f, seed)
    local vx, vy = table.unpack(petek.velocities[3][f.runs])
    local function make()
      local nodes = petek.loaded_cluster(0.5)
      for _, node in ipairs(nodes) do if f.load == "calm" then node.background = nil end end
      return nodes
    end
    local case, nodes = worlds.case(f.model, seed, f.trials, vx, vy, make)
    if f.policy == "by_speeds" then
      for _, node in ipairs(nodes) do
        node.slots = petek.slots(node.cores)
        node.cores = math.floor(1000 * node.slots / node.tau + 0.5)
      end
      case = petek.case(nodes, f.trials, vx, vy, { weights = f.model:match "^%S+", noise = 0.1 })
    end
    return case:run { policy = policies[f.policy] }
  end,
  measure = { "makespan" },
}
local at, cells = {}, {}
for _, row in ipairs(rounds:rows()) do
  local key = ("%s %d %d %d"):format(row.model, row.trials, row.runs, row.replication)
  if not at[key] then
    at[key] = { draw = row.replication, loaded = {}, calm = {} }
    cells[#cells + 1] = at[key]
  end
  at[key][row.load][row.policy] = row.makespan
end
-- The time of one divided by that of another: under load, without it, and whether it is the smaller one under load.
local function ratio(c, load, a, b) return c[load][a] / c[load][b] end
local function average(load, a, b) return (worlds.interval(cells, function(c) return ratio(c, load, a, b) end)) end
local function shorter(load, a, b) return worlds.most(cells, function(c) return ratio(c, load, a, b) < 1 end, "cases") end
local function more_under_load(a, b) return worlds.most(cells, function(c) return ratio(c, "loaded", a, b) < ratio(c, "calm", a, b) end, "cases") end
local by_cores, cores_found = more_under_load("adapted", "by_cores")
local by_speeds, speeds_found = more_under_load("adapted", "by_speeds")
local dynamic, dynamic_found = shorter("loaded", "adapted", "by_speeds")
local helps, helps_found = shorter("loaded", "adapted", "fixed")
local helps_more, more_found = more_under_load("adapted", "fixed")
local function both(a, b) return ("%.3f under load and %.3f without it"):format(average("loaded", a, b), average("calm", a, b)) end
claims("S0-5", "reproduces", worlds.all(by_cores, by_speeds, dynamic, helps, helps_more),
       ("AMRA with 15 rounds takes %s of the time of one round with shares by cores, the smaller part under load %s; of one round with shares by " ..
        "the true speeds %s, the smaller part under load %s, shorter under load %s; of 15 rounds with fixed shares %s, the smaller part under " ..
        "load %s, shorter under load %s; 15 rounds with fixed shares take %s of one round by speeds"):format(
       both("adapted", "by_cores"), cores_found, both("adapted", "by_speeds"), speeds_found, dynamic_found, both("adapted", "fixed"),
       more_found, helps_found, both("fixed", "by_speeds")),
       "tested is that dynamic scheduling, and shares that adapt, gain more in a system that varies than in the same one without load. Shares " ..
       "by cores ignore speeds, so that 15 rounds are shorter without load, too. Only load varies here, which leaves nodes half their speed; " ..
       "latency does not. Most of the gain comes from many rounds, not from shares that adapt. 100 draws of speeds and noise; " .. unpublished)
local gain, gain_half = worlds.interval(cells, function(c) return 100 * (1 - ratio(c, "loaded", "adapted", "fixed")) end)
local calm, calm_half = worlds.interval(cells, function(c) return 100 * (1 - ratio(c, "calm", "adapted", "fixed")) end)
claims("S0-160", "reproduces", worlds.all(helps, helps_more),
       ("under load 15 rounds of AMRA take less time with shares that adapt than with shares by cores %s, by %.1f +- %.1f %%; without load by " ..
        "%.1f +- %.1f %%; they gain more under load %s"):format(helps_found, gain, gain_half, calm, calm_half, more_found),
       "adaptivity is read as: less time than with fixed shares in most cases, and a larger gain where a load varies than without it; that the " ..
       "decisions of AppLeS are alike is not tested, for it is not here; a load leaves nodes half their speed; " .. unpublished)
