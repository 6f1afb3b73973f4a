-- First group of tests of Sim-PETEK (2010) in many drawn worlds: how many rounds are best, which scheduler, and who waits.
-- takes: seconds
-- perigee run scripts/sim-petek/group1-drawn.lua
--   --set full=false      20 draws of speeds and noise in each of 4 models, not 1

local petek = require "petek"
local worlds = require "worlds"
local triples = { { 1, 3, 2 }, { 1, 5, 3.3 }, { 2, 15, 10.5 }, { 3, 30, 20.3 }, { 5, 50, 33 } }
local levels = {}
local amrs_rounds, rounds = { 2, 3, 5, 8, 10 }, { 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100 }
for _, n in ipairs(amrs_rounds) do levels[#levels + 1] = { "amrs " .. n, amrs { rounds = n } } end
for _, n in ipairs(rounds) do
  levels[#levels + 1] = { "amra " .. n, amra { rounds = n } }
  levels[#levels + 1] = { "samra " .. n, samra { rounds = n } }
end
for i, t in ipairs(triples) do
  levels[#levels + 1] = { "ssse " .. i, ssse_amra { peak = t[1], k = t[2], m = t[3] } }
  levels[#levels + 1] = { "issse " .. i, issse_amra { peak = t[1], k = t[2], m = t[3] } }
end
local function measured(r)
  local late, early, none = worlds.waits(r)
  return { makespan = r.makespan, spread = r.finish_spread, late = late, early = early, none = none }
end
local small = experiment "group 1, drawn" {
  factors = { { "model", worlds.models }, { "trials", { 20, 50 } }, { "runs", { 100, 400, 800 } }, { "policy", levels } },
  replications = worlds.draws,
  run = function(f, seed)
    local case = worlds.case(f.model, seed, f.trials, petek.velocities[1][f.runs][1], nil)
    return measured(case:run { policy = f.policy })
  end,
  measure = { "makespan", "spread", "late", "early", "none" },
}
local sine = { peak = 2, k = 15, m = 10.5 }
local large = experiment "group 1, large, drawn" {
  factors = { { "model", worlds.models }, { "trials", { 50, 80, 100 } }, { "runs", { 1000, 2000 } },
              { "policy", { { "amrs 15", amrs { rounds = 15 } }, { "amra 15", amra { rounds = 15 } }, { "samra 15", samra { rounds = 15 } },
                            { "ssse 3", ssse_amra(sine) }, { "issse 3", issse_amra(sine) } } } },
  where = function(f) return f.runs == 2000 or f.trials == 50 end,
  replications = worlds.draws,
  run = function(f, seed)
    local case = worlds.case(f.model, seed, f.trials, 5, f.runs == 1000 and 2 or 4)
    return measured(case:run { policy = f.policy })
  end,
  measure = { "makespan", "spread", "late", "early", "none" },
}
local list, big = worlds.read(small), worlds.read(large)
local six, four = { "20x100", "20x400", "20x800", "50x100", "50x400", "50x800" }, { "50x1000", "50x2000", "80x2000", "100x2000" }
local claims = petek.claim
local drawn_note = worlds.note

-- ---- the best number of rounds ----

-- Values of a scheduler's parameter, the first of the least makespans, to a millionth.
local function best(cell, name, values)
  local found, least = nil, math.huge
  for _, value in ipairs(values) do
    local makespan = cell[name .. " " .. value].makespan
    if makespan < least * (1 - 1e-6) then found, least = value, makespan end
  end
  return found, least
end
local five = { 1, 2, 3, 4, 5 }
local values_of = { amrs = amrs_rounds, amra = rounds, samra = rounds, ssse = five, issse = five }
local function printed(name, published)
  local all, each = 0, 0
  for _, w in ipairs(list) do
    local right = 0
    for i, case in ipairs(six) do if best(w[case], name, values_of[name]) == published[i] then right = right + 1 end end
    if right == 6 then all = all + 1 end
    each = each + right
  end
  local holds, found = worlds.most(all, #list)
  return holds, ("all six best numbers are as printed %s; one by one %d of %d"):format(found, each, 6 * #list)
end
-- From 100 to 800 runs it rises and never falls, for both numbers of trials.
local function rising(name, w)
  for _, trials in ipairs { 20, 50 } do
    local at = {}
    for i, runs in ipairs { 100, 400, 800 } do at[i] = best(w[trials .. "x" .. runs], name, values_of[name]) end
    if not (at[1] <= at[2] and at[2] <= at[3] and at[1] < at[3]) then return false end
  end
  return true
end
local function rises(name)
  local holds, found = worlds.most(worlds.count(list, function(w) return rising(name, w) end), #list)
  local medians = {}
  for i, case in ipairs(six) do
    local at = {}
    for k, w in ipairs(list) do at[k] = best(w[case], name, values_of[name]) end
    medians[i] = ("%g"):format(stats.quantile(at, 0.5))
    if name:find "ssse" then medians[i] = table.concat(triples[math.floor(tonumber(medians[i]))], "/") end
  end
  return holds, ("the best value rises %s; its medians for 100, 400 and 800 runs are %s with 20 and then with 50 trials"):format(found,
         table.concat(medians, ", "))
end
local holds, found = printed("amrs", { 2, 5, 5, 2, 5, 5 })
claims("S0-116", "does not reproduce", holds, found, drawn_note)
holds, found = printed("amra", { 3, 8, 15, 3, 8, 20 })
claims("S0-122", "does not reproduce", holds, found, drawn_note)
holds, found = printed("samra", { 2, 10, 15, 2, 10, 15 })
claims("S0-126", "does not reproduce", holds, found, drawn_note)
holds, found = rises "amrs"
claims("S0-117", "reproduces", holds, found, drawn_note)
holds, found = rises "amra"
claims("S0-123", "does not reproduce", holds, found, drawn_note)
holds, found = rises "ssse"
claims("S0-128", "does not reproduce", holds, found, drawn_note)
local all_rise = worlds.count(list, function(w)
  return rising("amrs", w) and rising("amra", w) and rising("samra", w) and rising("ssse", w) and rising("issse", w)
end)
holds, found = worlds.most(all_rise, #list)
local each_rise = {}
for _, name in ipairs { "amrs", "amra", "samra", "ssse", "issse" } do
  each_rise[#each_rise + 1] = ("%s %d"):format(name:upper():gsub("SSSE_AMRA", "SSSE"), worlds.count(list, function(w) return rising(name, w) end))
end
claims("S0-156", "does not reproduce", holds, ("the best number of rounds, or triple, rises with the runs under all five schedulers %s; under " ..
       "each by itself: %s"):format(found,
       table.concat(each_rise, ", ")), "that it must rise for all five, with 20 and with 50 trials, is our reading; " .. drawn_note)

local interior, cells, matters = {}, 0, math.huge
for _, name in ipairs { "amrs", "amra", "samra", "ssse", "issse" } do interior[name] = 0 end
for _, w in ipairs(list) do
  for _, case in ipairs(six) do
    cells = cells + 1
    for name, values in pairs(values_of) do
      local at = best(w[case], name, values)
      if at ~= values[1] and at ~= values[#values] then interior[name] = interior[name] + 1 end
    end
  end
end
holds, found = worlds.most(interior.amrs + interior.amra + interior.samra + interior.ssse + interior.issse, 5 * cells, "cases")
claims("S0-35", "reproduces", holds, ("the best of the tried values is neither the least nor the greatest %s: AMRS %d, AMRA %d, SAMRA %d, SSSE " ..
       "%d, ISSSE %d of %d each")
       :format(found, interior.amrs, interior.amra, interior.samra, interior.ssse, interior.issse, cells),
       "optimal is read as: between the extremes of the values that the thesis tries; " .. drawn_note)

-- Beyond the optimum of AMRS, number by number; and who gets no job.
local beyond, worse, starved, with_worse = 0, 0, 0, 0
for _, w in ipairs(list) do
  for _, case in ipairs(six) do
    local at, least = best(w[case], "amrs", amrs_rounds)
    if at < 10 then
      beyond = beyond + 1
      local monotone, before = true, least
      for _, n in ipairs(amrs_rounds) do
        if n > at then
          local makespan = w[case]["amrs " .. n].makespan
          monotone, before = monotone and makespan > before, makespan
        end
      end
      if monotone then worse = worse + 1 end
      with_worse = with_worse + 1
      if w[case]["amrs 10"].none > w[case]["amrs " .. at].none then starved = starved + 1 end
    end
  end
end
holds = "not decided"
if worlds.full then holds = worse == beyond end
local _, worse_found = worlds.most(worse, beyond, "cases whose best number is below 10")
claims("S0-118", "does not reproduce", holds, ("each number of rounds beyond the best one takes longer than the number before it %s"):format(
       worse_found),
       "any other number is worse than the best by definition, so each further step is tested; that it must be worse in all cases is our " ..
       "reading, fixed after a look at the results; for most cases the interval holds one half; " .. drawn_note)
holds, found = worlds.most(starved, with_worse, "cases whose best number is below 10")
local none_at = {}
for i, n in ipairs(amrs_rounds) do
  local sum = 0
  for _, w in ipairs(list) do for _, case in ipairs(six) do sum = sum + w[case]["amrs " .. n].none end end
  none_at[i] = ("%.1f"):format(sum / cells)
end
claims("S0-119", "reproduces", holds, ("more nodes get no job with 10 rounds than with the best number %s; %s of 16 nodes on average with 2, 3, " ..
       "5, 8, 10 rounds"):format(found,
       table.concat(none_at, ", ")), "tested is that both go together; that the one causes the other is not; " .. drawn_note,
       "a round is full when its quota is reached, so that nodes may get none of it")
local up = worlds.count(list, function(w) return best(w["50x800"], "amra", rounds) > best(w["20x800"], "amra", rounds) end)
local down = worlds.count(list, function(w) return best(w["50x800"], "amra", rounds) < best(w["20x800"], "amra", rounds) end)
holds, found = worlds.most(up, up + down, "worlds in which it is another one")
claims("S0-124", "reproduces", holds, ("with 50 trials the best number for 800 runs is larger than with 20 %s; in %d worlds it is the same"):format(
       found, #list - up - down),
       "the sentence says that it may increase; that an increase must be more frequent than a decrease is ours, fixed after a look at the " ..
              "results; " .. drawn_note)

-- ---- triples ----

-- Spearman's correlation of the five times; 1 where all are alike.
local function ranks(values)
  local out = {}
  for i, a in ipairs(values) do
    out[i] = 1
    for k, b in ipairs(values) do if b < a or b == a and k ~= i then out[i] = out[i] + (b < a and 1 or 0.5) end end
  end
  return out
end
local function rank_correlation(a, b)
  local x, y, xy, xx, yy, mean = ranks(a), ranks(b), 0, 0, 0, (#a + 1) / 2
  for i in ipairs(x) do
    xy, xx, yy = xy + (x[i] - mean) * (y[i] - mean), xx + (x[i] - mean) ^ 2, yy + (y[i] - mean) ^ 2
  end
  return xx > 0 and yy > 0 and xy / math.sqrt(xx * yy) or 0
end
local very_similar = 0.8  -- a rank correlation that is commonly called very strong
local similar, same_best, waiting = {}, 0, 0
local gains, never_worse, better, small_worlds, gain_cells = {}, 0, 0, 0, 0
local small_gain = 10  -- %; what may be called small beside the 4 to 15 % that the thesis claims for its best scheduler
for _, w in ipairs(list) do
  local sum, gain = 0, {}
  for _, case in ipairs(six) do
    local a, b = {}, {}
    for i in ipairs(triples) do
      a[i], b[i] = w[case]["ssse " .. i].makespan, w[case]["issse " .. i].makespan
      gain[#gain + 1] = 100 * (1 - b[i] / a[i])
      gain_cells = gain_cells + 1
      if b[i] <= a[i] * (1 + 1e-9) then never_worse = never_worse + 1 end
      if b[i] < a[i] * (1 - 1e-9) then better = better + 1 end
    end
    sum = sum + rank_correlation(a, b) / 6
    if best(w[case], "ssse", five) == best(w[case], "issse", five) then same_best = same_best + 1 end
  end
  similar[#similar + 1], gains[#gains + 1] = sum, stats.quantile(gain, 0.5)
  if gains[#gains] < small_gain then small_worlds = small_worlds + 1 end
  for _, case in ipairs { "20x100", "50x100" } do
    local high, low = w[case]["ssse 5"], w[case]["ssse 1"]
    if high.late + high.early > low.late + low.early then waiting = waiting + 1 end
  end
end
holds, found = worlds.above(similar, very_similar)
claims("S0-130", "does not reproduce", holds, ("the times with five triples have a rank correlation of %s between SSSE and ISSSE; the same " ..
       "triple is best in %d of %d cases"):format(found,
       same_best, cells),
       "very similar is read as: a rank correlation above 0.8, a threshold of ours; " .. drawn_note)
holds, found = worlds.most(waiting, 2 * #list, "cases with 100 runs")
local function mean(name, case, field)
  local sum = 0
  for _, w in ipairs(list) do sum = sum + w[case][name][field] / #list end
  return sum
end
claims("S0-129", "reproduces", holds, ("nodes wait longer at both ends together with 5/50/33 than with 1/3/2 %s; with 20 trials %.0f s at the " ..
       "beginning and %.0f s at the end on average, with 1/3/2 %.0f s and %.0f s")
       :format(found, mean("ssse 5", "20x100", "late"), mean("ssse 5", "20x100", "early"), mean("ssse 1", "20x100", "late"), mean("ssse 1",
              "20x100", "early")),
       "5/50/33 are peak, kValue and mValue; times are summed over 16 nodes; " .. drawn_note)
local i = stats.interval(gains)
holds = "not decided"
if worlds.full then holds = i.mean + i.half_width < small_gain and never_worse == gain_cells end
claims("S0-97", "does not reproduce", holds,
       ("as a gain of time that is small: ISSSE takes %.1f +- %.1f %% less time than SSSE (mean over worlds of the median of 30 cases), less than " ..
              "%g %% in %d of %d worlds; as an addition that only improves: it takes less time in %d of %d cases, and more in %d"):format(i.mean,
              i.half_width or 0, small_gain, small_worlds, #gains, better, gain_cells, gain_cells - never_worse),
       "small can be said of the gain, or of what was added to the algorithm. The verdict rests on the gain, for section 5.2.2.1 infers from it " ..
              "that both behave alike; small is read as: up to 10 %, a threshold of ours; " .. drawn_note)

-- ---- which scheduler ----

local function at15(cell) return cell["amra 15"].makespan, cell["samra 15"].makespan, cell["ssse 3"].makespan, cell["issse 3"].makespan end
local function best_of_four(cell)
  local a, s, ss, is = at15(cell)
  return is < a and is < s and is < ss
end
local function ordered(cell)
  local a, s, ss = at15(cell)
  return ss < s and s < a
end
local function count_in(w, cases, condition)
  local n = 0
  for _, case in ipairs(cases) do if condition(w[case]) then n = n + 1 end end
  return n
end
local wins = 0
for _, w in ipairs(list) do wins = wins + count_in(w, six, best_of_four) end
holds, found = worlds.most(worlds.count(list, function(w) return count_in(w, six, best_of_four) > 3 end), #list)
claims("S0-132", "reproduces", holds, ("ISSSE is the shortest of AMRA, SAMRA, SSSE and ISSSE in more than 3 of 6 cases %s; in %d of %d cases of " ..
       "all worlds"):format(found, wins, cells),
       "the triple 2/15/10.5 is taken for 15 rounds; " .. drawn_note)
-- An order that all six cases have.
local names = { "amra 15", "samra 15", "ssse 3" }
local function common_order(w, cases)
  for a = 1, 3 do
    for b = 1, 3 do
      local c = 6 - a - b
      if a ~= b and c >= 1 and c <= 3 and c ~= a and c ~= b and count_in(w, cases, function(cell)
        return cell[names[a]].makespan < cell[names[b]].makespan and cell[names[b]].makespan < cell[names[c]].makespan
      end) == #cases then return true end
    end
  end
  return false
end
local expected_in = 0
for _, w in ipairs(list) do expected_in = expected_in + count_in(w, six, ordered) end
holds, found = worlds.most(worlds.count(list, function(w) return not common_order(w, six) end), #list)
claims("S0-135", "reproduces", holds, ("no order of the three is common to the six cases %s; the expected one, times SSSE < SAMRA < AMRA, is " ..
       "that of %d of %d cases"):format(found, expected_in,
       cells), drawn_note)
local function as_in_58(cell) return best_of_four(cell) and ordered(cell) end
local orders, firsts, fully = 0, 0, worlds.count(big, function(w) return count_in(w, four, as_in_58) == 4 end)
for _, w in ipairs(big) do orders, firsts = orders + count_in(w, four, as_in_58), firsts + count_in(w, four, best_of_four) end
holds, found = worlds.most(fully, #big)
claims("S0-137", "does not reproduce", holds,
       ("the order is that of all four cases %s; of %d of %d cases one by one; ISSSE is the best in %d"):format(
       found, orders, 4 * #big, firsts), drawn_note)
-- Without latency the order should appear in the six cases, too.
local function share(worlds_, cases, latency)
  local n, all = 0, 0
  for _, w in ipairs(worlds_) do
    if w.model:match "%S+$" == latency then n, all = n + count_in(w, cases, ordered), all + #cases end
  end
  return n, all
end
local free6, n6 = share(list, six, "0")
local paid6 = share(list, six, "0.5")
local free4, n4 = share(big, four, "0")
local paid4 = share(big, four, "0.5")
holds = worlds.most(free6, n6)  -- the order must appear in most of the six cases
claims("S0-138", "does not reproduce", holds,
       ("the times are SSSE < SAMRA < AMRA without latency in %d of %d small and %d of %d large cases, with a latency of 0.5 s in %d and %d"):format(
              free6, n6, free4, n4,
              paid6, paid4),
       "latency is the communication cost here; if it were the cause, the order would appear in most small cases without it, which is our " ..
              "criterion; " .. drawn_note)
-- The same draws of speeds make both lists.
local most_small = worlds.count(list, function(w) return count_in(w, six, best_of_four) > 3 end)
local all_large = worlds.count(big, function(w) return count_in(w, four, best_of_four) == 4 end)
local small_holds, small_found = worlds.most(most_small, #list)
local large_holds, large_found = worlds.most(all_large, #big)
holds = "not decided"
if small_holds == false or large_holds == false then holds = false elseif small_holds == true and large_holds == true then holds = true end
claims("S0-144", "reproduces", holds, ("ISSSE is the shortest of four in more than 3 of the 6 cases %s, and in all 4 large cases %s"):format(
       small_found, large_found),
       "most of the six cases and all of the large ones, as the text has it; " .. drawn_note)
holds, found = worlds.most(wins + firsts, cells + 4 * #big, "cases")
claims("S0-157", "reproduces", holds, "ISSSE is the shortest of AMRA, SAMRA, SSSE and ISSSE " .. found, "generally is read as: in most cases; " ..
       drawn_note)

-- ---- waiting, and stopping together ----

local function over(cases, worlds_, condition)
  local n = 0
  for _, w in ipairs(worlds_) do n = n + count_in(w, cases, condition) end
  return n
end
local function average(cases, worlds_, name, field)
  local sum, n = 0, 0
  for _, w in ipairs(worlds_) do for _, case in ipairs(cases) do sum, n = sum + w[case][name][field], n + 1 end end
  return sum / n
end
local function solved(cell) return cell["ssse 3"].early < cell["amra 15"].early and cell["ssse 3"].early < cell["samra 15"].early end
local n_solved = over(six, list, solved) + over(four, big, solved)
local n_cases = cells + 4 * #big
holds, found = worlds.most(n_solved, n_cases, "cases")
claims("S0-74", "does not reproduce", holds, ("nodes wait less at the end under SSSE than under AMRA and under SAMRA %s; in the large cases they " ..
       "wait %.0f s together under SSSE, %.0f s under AMRA, %.0f s under SAMRA"):format(found,
       average(four, big, "ssse 3", "early"), average(four, big, "amra 15", "early"), average(four, big, "samra 15", "early")),
              "AMRA and SAMRA with 15 rounds, SSSE with the triple 2/15/10.5; " .. drawn_note)
local huge = 0.25  -- of the makespan
holds, found = worlds.most(over(four, big,
       function(cell) return cell["amra 15"].spread > 0 and cell["amra 15"].spread < huge * cell["amra 15"].makespan end), 4 * #big, "large cases")
claims("S0-139", "reproduces", holds, ("the ends differ, by less than a quarter of the makespan %s; by %.1f %% on average"):format(found,
       100 * average(four, big, "amra 15", "spread") / average(four, big, "amra 15", "makespan")), "huge is read as: a quarter of the makespan, " ..
              "a threshold of ours; the case of the figure is not named; " .. drawn_note)
local function closer(cell) return cell["samra 15"].spread > 0 and cell["samra 15"].spread < cell["amra 15"].spread end
holds, found = worlds.most(over(four, big, closer), 4 * #big, "large cases")
claims("S0-140", "reproduces", holds, ("the first and the last node end closer together under SAMRA than under AMRA %s; %.0f s apart against " ..
       "%.0f s on average"):format(found, average(four, big, "samra 15", "spread"),
       average(four, big, "amra 15", "spread")), "the case of the figure is not named; " .. drawn_note)
local function nearest(cell)
  local limit = math.min(cell["amra 15"].spread, cell["samra 15"].spread)
  return cell["ssse 3"].spread < limit and cell["issse 3"].spread < limit
end
holds, found = worlds.most(over(four, big, nearest), 4 * #big, "large cases")
local spreads = {}
for k, name in ipairs { "amra 15", "samra 15", "ssse 3", "issse 3" } do spreads[k] = ("%.0f"):format(average(four, big, name, "spread")) end
claims("S0-141", "does not reproduce", holds, ("nodes end closer together under SSSE and ISSSE than under AMRA and SAMRA %s; under ISSSE alone " ..
       "in %d; ends differ by %s s on average under AMRA, SAMRA, SSSE, ISSSE"):format(found,
       over(four, big, function(cell) return cell["issse 3"].spread < math.min(cell["amra 15"].spread, cell["samra 15"].spread) end),
              table.concat(spreads, ", ")),
       "the case of the figures is not named; " .. drawn_note)
holds, found = worlds.most(over(four, big, function(cell) return closer(cell) and nearest(cell) end), 4 * #big, "large cases")
claims("S0-142", "does not reproduce", holds, "nodes end closer together under SAMRA than under AMRA, and closer under SSSE and under ISSSE than " ..
       "under SAMRA, " .. found,
       "the case of the figures is not named; " .. drawn_note)
