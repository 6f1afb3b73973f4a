-- Third group of tests of Sim-PETEK (2010) in many drawn worlds: does it pay to adapt?
-- takes: seconds
-- perigee run scripts/sim-petek/group3-drawn.lua
--   --set full=false      20 draws of speeds and noise in each of 4 models, not 1

local petek = require "petek"
local worlds = require "worlds"
local claims = petek.claim
local unpublished = "speeds of nodes, run times, latency, the strength of the load and the triple are not published"
local note = unpublished .. "; worlds are drawn, the load leaves a node 0.25, 0.5 or 0.75 of its speed, and ISSSE has the triple 2/15/10.5"
local trials, sizes = { 20, 50, 100 }, worlds.full and { 100, 400, 1000, 2000 } or { 100, 400 }
local e = experiment "group 3, drawn" {
  factors = { { "model", worlds.models }, { "factor", { 0.25, 0.5, 0.75 } }, { "trials", trials }, { "runs", sizes }, { "adaptive", { false,
         true } } },
  replications = worlds.draws,
  run = function(f, seed)
    local vx, vy = table.unpack(petek.velocities[3][f.runs])
    local case = worlds.case(f.model, seed, f.trials, vx, vy, function() return petek.loaded_cluster(f.factor) end)
    return case:run { policy = issse_amra { peak = 2, k = 15, m = 10.5, adaptive = f.adaptive } }
  end,
  measure = { "makespan" },
}
local by, order = {}, {}
for _, row in ipairs(e:rows()) do
  local key = ("%s %g %d"):format(row.model, row.factor, row.replication)
  if not by[key] then
    by[key] = { factor = row.factor }
    order[#order + 1] = by[key]
  end
  by[key][("%dx%d %s"):format(row.trials, row.runs, tostring(row.adaptive))] = row.makespan
end
local all, better, n, by_factor, ratios = 0, 0, 0, {}, {}
for _, w in ipairs(order) do
  local here, cases, sum = 0, 0, 0
  for _, t in ipairs(trials) do
    for _, runs in ipairs(sizes) do
      local a, b = w[("%dx%d true"):format(t, runs)], w[("%dx%d false"):format(t, runs)]
      if a < b then here = here + 1 end
      cases, sum = cases + 1, sum + a / b
    end
  end
  if here == cases then all = all + 1 end
  better, n = better + here, n + cases
  local f = by_factor[w.factor] or { 0, 0 }
  by_factor[w.factor] = { f[1] + here, f[2] + cases }
  ratios[#ratios + 1] = 100 * (sum / cases - 1)
end
local parts = {}
for _, factor in ipairs { 0.25, 0.5, 0.75 } do parts[#parts + 1] = ("%d of %d at %g"):format(by_factor[factor][1], by_factor[factor][2], factor) end
local change = stats.interval(ratios)
local holds, found = worlds.most(all, #order)
claims("S0-155", "does not reproduce", holds, ("the adaptive one is better in all 12 cases %s; in %d of %d cases one by one (%s of its speed " ..
       "left to a node); adaptivity changes the time by %.2f +- %.2f %%"):format(found, better, n,
       table.concat(parts, ", "), change.mean, change.half_width or 0), note)
-- One round with shares by cores, decided beforehand; 15 rounds with these shares; and 15 with shares that adapt.
local rounds = experiment "rounds" {
  factors = { { "model", worlds.models }, { "trials", { 20, 50 } }, { "runs", { 400, 1000 } },
              { "policy", { { "one", amra { rounds = 1 } }, { "fixed", amra { rounds = 15, adaptive = false } }, { "adapted",
                     amra { rounds = 15 } } } } },
  replications = worlds.draws,
  run = function(f, seed)
    local vx, vy = table.unpack(petek.velocities[3][f.runs])
    return worlds.case(f.model, seed, f.trials, vx, vy, function() return petek.loaded_cluster(0.5) end):run { policy = f.policy }
  end,
  measure = { "makespan" },
}
local cells = {}
for _, row in ipairs(rounds:rows()) do
  local key = ("%s %d %d %d"):format(row.model, row.trials, row.runs, row.replication)
  cells[key] = cells[key] or {}
  cells[key][row.policy] = row.makespan
end
local dynamic, adapting, pairs_, ratio, gain = 0, 0, 0, 0, {}
for _, cell in pairs(cells) do
  pairs_, ratio = pairs_ + 1, ratio + cell.adapted / cell.one
  if cell.adapted < cell.one then dynamic = dynamic + 1 end
  if cell.adapted < cell.fixed then adapting = adapting + 1 end
  gain[#gain + 1] = 100 * (1 - cell.adapted / cell.fixed)
end
local g = stats.interval(gain)
holds, found = worlds.most(dynamic, pairs_, "cases")
claims("S0-5", "reproduces", holds, ("AMRA with 15 rounds takes less time than one round with shares by cores %s, %.2f of it on average; for " ..
       "ISSSE adaptive shares change the time by %.2f +- %.2f %%"):format(
       found, ratio / pairs_, change.mean, change.half_width or 0), "adapting is read as dynamic scheduling, as the text goes on: jobs are dealt " ..
              "while others run; adaptive shares alone are S0-155; a load leaves nodes half their speed; " .. unpublished)
holds, found = worlds.most(adapting, pairs_, "cases")
claims("S0-160", "reproduces", holds,
       ("15 rounds of AMRA take less time with shares that adapt than with shares by cores %s, by %.1f +- %.1f %%"):format(found, g.mean,
       g.half_width or 0),
       "adaptivity is read as: less time than with fixed shares in most cases; that the decisions of AppLeS are alike is not tested, for it is " ..
             "not " ..
              "here; a load leaves nodes half their speed; " .. unpublished)
