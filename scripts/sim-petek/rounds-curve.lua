-- Figure 3.10 of Sim-PETEK (2010): runs in each round of SSSE-AMRA, by its formula and as they were dealt out.
-- takes: a moment
-- test: thorough
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

-- ---- the statements ----

-- The formula of section 3.3.2, apart from the scheduler's own.
local function printed(total, p, kk, mm, round)
  local angle = round < p and round * math.pi / (2 * p) or (round + kk - p) * math.pi / (2 * kk)
  return total * math.sin(angle) / mm
end
local triples = { { 1, 3, 2 }, { 1, 5, 3.3 }, { 2, 15, 10.5 }, { 3, 30, 20.3 }, { 5, 50, 33 }, { 1, 3, 2.3 } }
local rounds_of, same, counted, at_peak, longer = 0, 0, 0, 0, 0
local covered_by, all_out, worst = {}, 0, 0
for i, t in ipairs(triples) do
  local p, kk, mm = table.unpack(t)
  local sum, most, floors = 0, 0, {}
  for round = 1, p + kk - 1 do
    local value = printed(1, p, kk, mm, round)
    sum, most = sum + value, math.max(most, value)
  end
  covered_by[i] = ("%.3f"):format(sum)
  worst = math.max(worst, math.abs(sum - 1))
  if most == printed(1, p, kk, mm, p) then at_peak = at_peak + 1 end
  if kk - 1 > p - 1 then longer = longer + 1 end
  for _, total in ipairs { 60, 100, 400, 800, 1500, 2000 } do
    local result = petek.scenario(petek.cluster(), { runs = total, trials = 20 }):run { policy = ssse_amra { peak = p, k = kk, m = mm } }
    local target, dealt_in_rounds = 0, 0
    for round = 1, p + kk - 1 do dealt_in_rounds = dealt_in_rounds + math.floor(printed(total, p, kk, mm, round) + 1e-9) end
    if dealt_in_rounds >= total then all_out = all_out + 1 end
    for _, note in ipairs(result:notes()) do
      if note.name == "round" and note[1] < p + kk then
        local quota_here = printed(total, p, kk, mm, note[1])
        rounds_of = rounds_of + 1
        if math.abs(note[2] - quota_here) < 1e-9 * total then same = same + 1 end
        -- It begins when as many runs are out as the rounds before have, each rounded down.
        target = 0
        for round = 1, note[1] - 1 do target = target + math.max(1, math.floor(printed(total, p, kk, mm, round) + 1e-9)) end
        local before_last = 0  -- what was dealt before the job with which the round before ended
        for _, p in ipairs(result:packages()) do if p.first + p.runs == note[3] then before_last = p.first end end
        if note[3] >= target and (note[1] == 1 or before_last < target or note[3] == target) then counted = counted + 1 end
      end
    end
  end
end
local sizes = 6 * #triples
claim { statement = "S0-75", verdict = "reproduces", holds = same == rounds_of and counted == rounds_of,
        found = ("the scheduler's quota is that of the formula in %d of %d rounds, in %d simulations with 6 triples; %d rounds begin when the " ..
               "quotas before, rounded down, are dealt")
                :format(same, rounds_of, sizes, counted), note = "jobs are sized by the quota before it is rounded down, as in the listing" }
claim { statement = "S0-77", verdict = "does not reproduce", holds = worst < 0.005,
        found = ("the areas for peak/kValue/mValue of 1/3/2, 1/5/3.3, 2/15/10.5, 3/30/20.3, 5/50/33 and 1/3/2.3 are %s; rounds rounded down hold " ..
               "all runs for %d of %d triples and numbers of runs")
                :format(table.concat(covered_by, ", "), all_out, sizes),
        note = "an area counts as 1 when it rounds to 1.00, a criterion of ours; with more than 1 all runs are dealt before the last round" }
claim { statement = "S0-78", verdict = "reproduces", holds = at_peak == #triples and longer == #triples,
        found = ("the largest quota is in the round peak for %d of %d triples, and more rounds come after it than before for %d"):format(at_peak,
               #triples, longer),
        note = "before quotas are rounded down; rounded down, several rounds may have the most runs" }
local by_hand, floors_sum, rising, falling = {}, 0, true, true
for round = 1, 54 do
  by_hand[round] = math.floor(printed(1500, 5, 50, 33, round) + 1e-9)
  floors_sum = floors_sum + by_hand[round]
  if round > 1 and round <= 5 then rising = rising and by_hand[round] > by_hand[round - 1] end
  if round > 5 then falling = falling and by_hand[round] <= by_hand[round - 1] end
end
local curve = {}
for round = 1, 54 do curve[round] = math.floor(cost.sine_quota { runs = 1500, peak = 5, k = 50, m = 33, round = round } + 1e-9) end
claim { statement = "S0-82", verdict = "reproduces", holds = rising and falling and table.concat(curve, " ") == table.concat(by_hand, " "),
        found = ("%s; %d runs in all"):format(table.concat(curve, " "), floors_sum), note = "the bars of Figure 3.10 are not legible in the " ..
               "text; these are the values of the formula" }
local until_peak, before_peak, stated, close = {}, {}, { 50, 30, 15, 10, 5 }, 0
for i = 1, 5 do
  local p, kk, mm = table.unpack(triples[i])
  local sum = 0
  for round = 1, p do
    before_peak[i] = ("%.1f"):format(100 * sum)
    sum = sum + printed(1, p, kk, mm, round)
  end
  until_peak[i] = ("%.1f"):format(100 * sum)
  if math.floor(100 * sum / 5 + 0.5) * 5 == stated[i] then close = close + 1 end  -- to the next 5 %, as the stated ones are
end
claim { statement = "S0-111", verdict = "source in error", holds = close == 5,
        found = ("by the formula %s %% up to and with the round of the peak, %s %% before it; rounded to a multiple of 5 %%, %d of 5 are as " ..
               "printed"):format(table.concat(until_peak, ", "),
                table.concat(before_peak, ", "), close), note = "the verdict is on the share with the round of the peak, which is the nearer " ..
                       "one; perigee deals by the formula" }
