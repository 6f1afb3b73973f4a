-- Figure 3.10 of Sim-PETEK (2010): runs in each round of SSSE-AMRA, by its formula and as they were dealt out.
-- takes: a moment
-- perigee run scripts/sim-petek/rounds-curve.lua
--   --set runs=1500 --set peak=5 --set k=50 --set m=33

local petek = require "petek"
local runs, peak, k, m = setting("runs", 1500), setting("peak", 5), setting("k", 50), setting("m", 33)

-- The formula of section 3.3.2, which the scheduler uses, too.
local function quota(round) return cost.sine_quota { runs = runs, peak = peak, k = k, m = m, round = round } end
local rows, quotas, covered = {}, {}, 0
for round = 1, k + peak - 1 do
  quotas[round] = math.floor(quota(round) + 1e-9)
  covered = covered + quota(round) / runs
  rows[round] = { round = round, runs = quotas[round], which = "formula" }
end

local s = petek.scenario(petek.cluster(), { runs = runs, trials = 20 })
local r = s:run { policy = ssse_amra { peak = peak, k = k, m = m } }
local before, number
for _, note in ipairs(r:notes()) do
  if note.name == "round" then
    if before then rows[#rows + 1] = { round = number, runs = note[3] - before, which = "dealt out" } end
    number, before = note[1], note[3]
  end
end
rows[#rows + 1] = { round = number, runs = runs - before, which = "dealt out" }
plot(rows, { x = "round", y = "runs", by = "which", kind = "points" })
print(table.concat(quotas, " "))
print(("all rounds together have %.1f %% of the runs, all of them with m = %.4f; %d rounds were needed"):format(100 * covered,
      cost.full_cover(peak, k), number))

if runs == 1500 and peak == 5 and k == 50 and m == 33 then
  local most = math.max(table.unpack(quotas))
  claim { source = petek.source .. ", Figure 3.10", says = "with 5/50/33 the runs in a round rise for 5 rounds and fall in 50",
          holds = quotas[peak] == most and quotas[1] < quotas[2] and quotas[#quotas] < quotas[#quotas - 1] and #quotas == 54,
          found = ("%d to %d, then down to %d"):format(quotas[1], most, quotas[#quotas]), verdict = "reproduces" }
end
