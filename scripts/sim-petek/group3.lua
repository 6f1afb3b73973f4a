-- Third group of tests of Sim-PETEK (2010): shares that adapt, or not, under background load, with paired intervals.
-- takes: seconds
-- perigee run scripts/sim-petek/group3.lua --out results
--   --set factor=0.5       the speed that a loaded host keeps, ours
--   --set noise=0          coefficient of variation of the simulations; with noise there are 10 seeds
--   --set weights=wsn      or equal

local petek = require "petek"
local settings = require "settings"
local studies = require "studies"
local factor, noise, weights = setting("factor", 0.5), setting("noise", 0), settings.one_of("weights", { "wsn", "equal" })
local nodes = petek.loaded_cluster(factor)

local e = experiment "group 3" {
  factors = { { "trials", { 20, 50, 100 } }, { "runs", { 100, 400, 1000, 2000 } }, { "scheduler", { "ssse_amra", "issse_amra" } },
              { "adaptive", { false, true } } },
  replications = noise > 0 and 10 or 1,
  run = function(f)
    local sine = f.runs == 100 and { peak = 1, k = 5, m = 3.3 } or { peak = 2, k = 15, m = 10.5 }
    sine.adaptive = f.adaptive
    local policy = (f.scheduler == "ssse_amra" and ssse_amra or issse_amra)(sine)
    local vx, vy = table.unpack(petek.velocities[3][f.runs])
    return petek.case(nodes, f.trials, vx, vy, { weights = weights, noise = noise }):run { policy = policy }
  end,
  measure = { "makespan", "finish_spread", "duplicate_time", "redundant_time" },
}
studies.save(e, "group3")

local sums, cases = { ssse_amra = { 0, 0 }, issse_amra = { 0, 0 } }, 0
local by_cell = {}
for _, row in ipairs(e:rows()) do
  local cell = ("%s %d %d %d"):format(row.scheduler, row.trials, row.runs, row.replication)
  by_cell[cell] = by_cell[cell] or { row = row }
  local which = tostring(row.adaptive) == "true" and 2 or 1
  by_cell[cell][which] = row.makespan
  sums[row.scheduler][which] = sums[row.scheduler][which] + row.makespan
end
print "issse_amra: makespan, s"
print(("%-24s %12s %12s %10s"):format("case", "not adaptive", "adaptive", "change, %"))
local plain, adapted, figure = {}, {}, {}
for _, trials in ipairs { 20, 50, 100 } do
  for _, runs in ipairs { 100, 400, 1000, 2000 } do
    local fixed, learnt, n = 0, 0, 0
    for _, cell in pairs(by_cell) do
      local row = cell.row
      if row.scheduler == "issse_amra" and row.trials == trials and row.runs == runs then
        fixed, learnt, n = fixed + cell[1], learnt + cell[2], n + 1
      end
    end
    fixed, learnt = fixed / n, learnt / n
    local change = 100 * (learnt / fixed - 1)
    plain[#plain + 1], adapted[#adapted + 1] = fixed, learnt
    figure[#figure + 1] = { case = petek.label(trials, runs), makespan = fixed, version = "not adaptive" }
    figure[#figure + 1] = { case = petek.label(trials, runs), makespan = learnt, version = "adaptive" }
    cases = cases + 1
    print(("%-24s %12.2f %12.2f %10.2f"):format(petek.label(trials, runs), fixed, learnt, change))
  end
end
-- Figure 5.15.
plot(figure, { x = "case", y = "makespan", by = "version", kind = "bars", y_unit = "s", text = false, title = "issse_amra",
               file = "adaptive and not" })
for _, name in ipairs { "ssse_amra", "issse_amra" } do
  print(("%s: adaptive %.2f %% of the time of not adaptive, all cases together"):format(name, 100 * sums[name][2] / sums[name][1]))
end
local ratios, ones = {}, {}
for i = 1, cases do ratios[i], ones[i] = 100 * adapted[i] / plain[i], 100 end
local paired = stats.paired(ratios, ones)
print(("issse_amra, adaptive - not adaptive over the %d cases: %.3f %% +- %.3f %% (95 %%)%s"):format(cases, paired.mean,
      paired.half_width, paired.distinguishable and "" or ", not distinguishable"))
if noise > 0 then print(e:compare("makespan", { factor = "adaptive", baseline = false })) end
print "The effect is small here: hosts ask for work when they are idle, and the last packages are copied, which makes up for"
print "shares that are wrong."
