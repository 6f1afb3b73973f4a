-- Errors of Sim-PETEK (2010): its listings, done as they stand, and sentences that its own numbers contradict.
-- takes: a moment
-- perigee run scripts/sim-petek/listings.lua

local petek = require "petek"
local sweeps = require "sweeps"
local s = petek.chapter3()
local sine = { peak = 1, k = 3, m = 2.3 }
local amrs3, samra3 = s:run { policy = amrs { rounds = 3 } }, s:run { policy = samra { rounds = 3 } }
local cores, cores_in_all = { 8, 4, 4, 2, 2 }, 20

local function text(list, form)
  local parts = {}
  for i, value in ipairs(list) do parts[i] = (form or "%g"):format(value) end
  return table.concat(parts, " ")
end
local function sum(list)
  local all = 0
  for _, value in ipairs(list) do all = all + value end
  return all
end
local wrong = petek.wrong

-- ---- Figures 3.2 to 3.4: AMRS ----

local set, bound, line_of = { numRounds = 2, ENPR = 3, Jobs = 4, numRunsPerRound = 6, roundNumber = 12 }, "numIterations", { RecomputeENPR = 13 }
wrong("S0-31", set[bound] ~= nil and line_of.RecomputeENPR == 12,
      ("the loop goes up to %s, which %s; line %d recomputes the ENPR, line %d sets roundNumber"):format(bound,
             set[bound] and "is set" or "no line sets",
      line_of.RecomputeENPR, set.roundNumber), "read in the listing, no run decides it; perigee's AMRS goes on until all runs are dealt")
local rate = 1.0 / 0  -- line 12 of Figure 3.2: roundNumber = i, 0 after the first round
local from_one = s:run { policy = amrs { rounds = 3, alpha = "1/round" } }
local printed, counted = "0.44 0.15 0.22 0.08 0.11", text((sweeps.power_at(from_one, 25)), "%.2f")
wrong("S0-32", rate < math.huge and counted == printed,
      ("1/roundNumber is %g after the first round, whose number is 0; with rounds counted from 1 the ENPR of nodes A to E are %s, printed are " ..
             "%s, and the example takes %g s, printed are 65 s"):format(
      rate, counted, printed, from_one.makespan), "the text keeps the rate at 1/2, and so does perigee; the listing stores no ENPR either")
-- Two nodes without a job after a round, as in Figure 5.2: the listing leaves them their cores as power, beside runs in a unit of time. A power
-- must not hang on that unit. Beside it perigee's AMRS, in the example and where everything takes 60 times as long.
local function enpr_by(unit) return cost.blend_enpr { enpr = { 0.4, 0.2, 0.2, 0.1, 0.1 }, npp = { 0.75 * unit, 0.16 * unit, 0.4 * unit, 2, 2 } } end
local by_second, by_minute = enpr_by(1), enpr_by(60)
local function measured(factor)
  local nodes = petek.chapter3_nodes()
  for _, node in ipairs(nodes) do node.tau = factor * node.tau end
  return petek.scenario(nodes, { runs = 60, trials = 10 }):run { policy = amrs { rounds = 10 } }:enpr()
end
local quick, slow, alike_rows = measured(1), measured(60), 0
for i, row in ipairs(quick) do if slow[i] and math.abs(row.enpr - slow[i].enpr) < 1e-9 then alike_rows = alike_rows + 1 end end
wrong("S0-33", math.abs(by_second[4] - by_minute[4]) < 1e-9,
      ("after the first update node D, of 2 cores and without a job, has an ENPR of %.2f if the power of the others is in runs a second, and of " ..
             "%.2f if it is in runs a minute; in perigee %d of %d ENPR stay the same when all times are 60 times as long")
      :format(by_second[4], by_minute[4], alike_rows, #quick), "a number of cores and a rate cannot be compared, and a node without a job has no " ..
             "time; in perigee a node without a measurement counts 0 as soon as others have one")
local rounds = 3
wrong("S0-39", rounds >= 20, ("there are %d rounds in all; 60 runs in %d rounds are %g runs in a round"):format(rounds, rounds, 60 / rounds),
      "read in the text, no run decides it")
local up, near, products = { 9, 3, 5, 2, 3 }, {}, { 0.44 * 20, 0.15 * 20, 0.22 * 20, 0.08 * 20, 0.11 * 20 }
for i, product in ipairs(products) do near[i] = math.floor(product + 0.5) end
wrong("S0-46", text(near) == text(up),
      ("%s round to %s, %d runs in all; printed are %s, %d runs in a round of 20"):format(text(products, "%.1f"), text(near), sum(near), text(up),
             sum(up)),
      "the printed numbers are shares rounded up, which perigee does; the listing neither rounds nor looks at how many runs are left")
local at_once, ratios = { [2] = 1, [4] = 4, [8] = 8, [16] = 15 }, {}
for _, c in ipairs { 2, 4, 8, 16 } do ratios[#ratios + 1] = at_once[c] / c end
wrong("S0-50", ratios[1] == ratios[2] and ratios[2] == ratios[3] and ratios[3] == ratios[4],
      ("simulations at once divided by cores are %s for 2, 4, 8 and 16 cores; in the example the first ENPR of a node of 2 cores is %.3f, its " ..
             "share of the simulations at once %.3f")
      :format(text(ratios), cores[4] / cores_in_all, 1 / (8 + 4 + 4 + 1 + 1)), "by the numbers 1, 4, 8 and 15 that the thesis prints in the same " ..
             "paragraph; perigee takes these, and the printed first ENPR")

-- ---- Figure 3.6: AMRA, done as it stands ----

-- Passes, runs dealt, and jobs for nodes that are busy: all nodes get a job at the start and whenever some node completes.
local function as_listed(enpr_after)
  local remaining, passes, enpr, ends, dealt, to_busy, now = 60, 0, { 0.4, 0.2, 0.2, 0.1, 0.1 }, { 0, 0, 0, 0, 0 }, 0, 0, 0
  local rate_of = { 0.8, 0.16, 0.4, 0.1, 0.2 }
  while remaining ~= 0 and passes < 100 do
    for j = 1, 5 do
      local jobs = math.ceil(60 / 3 * enpr[j] - 1e-9)
      remaining, dealt = remaining - jobs, dealt + jobs
      if ends[j] > now then to_busy = to_busy + 1 end
      ends[j] = math.max(ends[j], now) + jobs / rate_of[j]
    end
    now, passes = math.min(table.unpack(ends)), passes + 1
    if passes == 1 then enpr = enpr_after or enpr end
  end
  return passes, dealt, to_busy, now
end
local passes, dealt, busy, ended = as_listed()
local passes_later, dealt_later = as_listed { 0.44, 0.15, 0.22, 0.08, 0.11 }
wrong("S0-59", busy == 0 and passes_later < 100,
      ("in the example it ends at %g s when %d runs are dealt and does not wait for them; %d jobs go to busy nodes; with the ENPR of Table 3.4 " ..
             "from the second pass on it misses 0 and has dealt %d of 60 runs after %d passes")
      :format(ended, dealt, busy, dealt_later, passes_later), "shares are rounded up, as in Table 3.4; perigee gives jobs to idle nodes only, no " ..
             "more runs than remain, and waits for all")

-- ---- 3.3.1 and Figure 3.8: SAMRA ----

local first_end = {}
for _, package in ipairs(samra3:packages()) do if package.start == 0 then first_end[package.host] = package.finish end end
wrong("S0-65", first_end.E == 12.5, ("E finishes at %g s, B at %g s, as in Table 3.7, which has 12.5 s for B"):format(first_end.E, first_end.B))
local function gcd(a, b) return b == 0 and a or gcd(b, a % b) end
local by_rule = 8 // gcd(8, 10)
local function four(_, host) return host.slots == 8 and by_rule or host.slots == 4 and 2 or 1 end
local function listed(_, host) return host.slots == 4 and 2 or 1 end
local with_four, with_one = s:run { policy = samra { rounds = 3, units = four } }.makespan, s:run { policy = samra { rounds = 3, units = listed,
       probe = listed } }.makespan
local sine_four = s:run { policy = ssse_amra { peak = 1, k = 3, m = 2.3, units = four } }.makespan
wrong("S0-72", by_rule == 8,
      ("by the rule for 4 and 16 cores, cores / gcd(cores, 10), the multiple of 8 cores is %d; the listing has no case for them. SAMRA takes %g " ..
             "s with 8, %g s with %d, %g s as listed; SSSE-AMRA %g s with 8, %g s with %d")
      :format(by_rule, samra3.makespan, with_four, by_rule, with_one, s:run { policy = ssse_amra(sine) }.makespan, sine_four, by_rule),
             "perigee takes 8 for jobs and 4 for probes, as the example does")
local numbers, seen, twice, absent = {}, {}, {}, {}
for line = 1, 54 do numbers[line] = (line == 13 and 12) or (line == 14 and 13) or line end
for _, number in ipairs(numbers) do
  if seen[number] then twice[#twice + 1] = number end
  seen[number] = true
end
for line = 1, 54 do if not seen[line] then absent[#absent + 1] = line end end
local count  -- what "iterationCount == 1" at line 5 leaves it: not set
wrong("S0-73", count == 1 and #twice == 0,
      ("line 5 compares the counter with 1 and leaves it %s, so that no node is probed; the line number %s stands twice and %s is missing"):format(
      tostring(count), text(twice), text(absent)), "read in the listing, no run decides it; perigee probes in the first pass, and deals no more " ..
            "runs than remain")

-- ---- 3.3.2 and Figure 3.11: SSSE-AMRA ----

local triples, positive, as_k = { { 1, 3, 2 }, { 1, 5, 3.3 }, { 2, 15, 10.5 }, { 3, 30, 20.3 }, { 5, 50, 33 } }, {}, 0
for i, t in ipairs(triples) do
  positive[i] = 0
  for round = 1, t[1] + t[2] + 5 do
    local before = round < t[1]
    local angle = before and round / (2 * t[1]) or (round + t[2] - t[1]) / (2 * t[2])
    if math.sin(angle * math.pi) > 1e-9 then positive[i] = positive[i] + 1 else break end
  end
  if positive[i] == t[2] then as_k = as_k + 1 end
end
wrong("S0-76", as_k == #triples, ("%s rounds have runs for kValue = 3, 5, 15, 30, 50, which is peak + kValue - 1; it is kValue in %d of 5"):format(
       text(positive), as_k),
      "perigee goes on with the last quota if runs remain after these rounds")
local shares = {}
for _, case in ipairs { { 20, 1 }, { 20, 4 }, { 20, 8 }, { 50, 1 }, { 50, 4 }, { 50, 8 } } do
  local r = petek.case(petek.cluster { latency = 0.5 }, case[1], case[2]):run { policy = ssse_amra { peak = 2, k = 15, m = 10.5 } }
  shares[#shares + 1] = 100 * 0.5 * r.package_count / (r.makespan * 16)
end
local negligible, ignorable = true, false  -- what 3.3.2 and 5.2.2.1 say
wrong("S0-84", negligible == ignorable,
      ("the two sections contradict each other; a latency of half a second before each job takes %s %% of the nodes' time in the six cases"):format(
             text(shares, "%.1f")),
      "read in the text, no run decides it; the thesis publishes no latency, half a second is ours")
local first_branch, second_branch = 60 / 2.3 * math.sin(1 * math.pi / 2), 60 / 2.3 * math.sin((1 + 3 - 1) * math.pi / 6)
local third = 60 / 2.3 * math.sin((3 + 3 - 1) * math.pi / 6)
local capped = s:run { policy = ssse_amra { peak = 1, k = 3, m = 2.3, sizing = "capped" } }.makespan
wrong("S0-86", 1 < 1 and math.floor(third) == 12,
      ("round 1 < peak 1 is false, so that the other formula holds (the two give %.2f and %.2f runs); for round 3 it gives %.2f, and 12 is what " ..
             "is " ..
             "left of 60 runs; with 26, 22 and 12 the example takes %g s, printed are 39 s")
      :format(first_branch, second_branch, third, capped), "perigee sizes jobs by the quota before it is rounded down")
local listed_quotas, text_quotas, equal_rounds = {}, {}, 0
for round = 1, 3 do
  listed_quotas[round] = 60 / 2.3 * math.sin((round + 3 - 1) * math.pi) / (2 * 3)
  local quota = cost.sine_quota { runs = 60, peak = 1, k = 3, m = 2.3, round = round }
  text_quotas[round] = quota
  if quota == math.floor(quota) then equal_rounds = equal_rounds + 1 end
end
wrong("S0-93", math.abs(listed_quotas[1]) > 1e-6 and equal_rounds == 3,
      ("with these brackets the quotas of the example are %s runs; by the formula of the text they are %s, of which a whole number of runs can " ..
             "equal %d; the quotas read roundNumber, which is not counted up")
      :format(text(listed_quotas, "%.0e"), text(text_quotas, "%.2f"), equal_rounds), "perigee begins a round when the runs dealt are as many as " ..
             "the quotas before it, rounded down")

-- ---- Figure 3.13: ISSSE-AMRA ----

local most, least, cases = 0, math.huge, 0
for _, case in ipairs { { 20, 1 }, { 20, 4 }, { 20, 8 }, { 50, 1 }, { 50, 4 }, { 50, 8 } } do
  local copies = 0
  for _, package in ipairs(petek.case(petek.cluster(), case[1], case[2]):run { policy = issse_amra { peak = 2, k = 15, m = 10.5 } }:packages()) do
    if package.use == "duplicate" then copies = copies + 1 end
  end
  most, least, cases = math.max(most, copies), math.min(least, copies), cases + 1
end
wrong("S0-96", most <= 1, ("the loop ends in the pass that deals the last run, after one copy of a job at most; perigee, which copies whenever a " ..
       "node has finished, makes %d to %d copies in the %d cases of the first group")
      :format(least, most, cases), "the inserted part also repeats lines 41 to 44 of the listing")

-- ---- chapter 5 and front matter ----

local coordinator, simulators = 1, { 5, 6, 3, 1 }
wrong("S0-106", coordinator + sum(simulators) == 17, ("the list has %d coordinator and %d simulators, %d resources"):format(coordinator,
       sum(simulators),
      coordinator + sum(simulators)), "read in the text, no run decides it; in perigee's model the coordinator's " ..
      "machine computes, too, so that there are 16 hosts")
-- The models that the captions of Figures 5.9 to 5.12 name, which rate by the optimality principle, and those in the text on Figures 5.7 and 5.8.
local designed, compared_ = { "AMRS", "AMRA", "SAMRA", "SSSE-AMRA", "ISSSE-AMRA" }, { "AMRA", "SAMRA", "SSSE-AMRA", "ISSSE-AMRA" }
local rated_ = { "AMRA", "SAMRA", "SSSE-AMRA", "ISSSE-AMRA" }
local function named_in(list)
  local n = 0
  for _, name in ipairs(designed) do for _, other in ipairs(list) do if name == other then n = n + 1 end end end
  return n
end
wrong("S0-2", named_in(compared_) == #designed and named_in(rated_) == #designed,
      ("of the %d schedulers %d are named where the thesis compares them (Figures 5.7 and 5.8) and %d where it rates them by their stopping " ..
             "together (Figures 5.9 to 5.12); AMRS is in neither"):format(#designed, named_in(compared_), named_in(rated_)),
      "read in the captions and the text, no run decides it; AMRS is evaluated by itself, in Figure 5.1; perigee's ratings are S0-142 and S0-157")
-- The text on Figure 5.7 names AMRA, SAMRA, SSSE-AMRA and ISSSE-AMRA. The rounds of the last two follow from a triple.
-- The rounds that deal runs in the six cases of Figure 5.7, for each triple.
local always_15, of_third = 0, {}
for i, t in ipairs(triples) do
  local all = true
  for _, case in ipairs { { 20, 1 }, { 20, 4 }, { 20, 8 }, { 50, 1 }, { 50, 4 }, { 50, 8 } } do
    local last_round = 0
    for _, note in ipairs(petek.case(petek.cluster(), case[1], case[2]):run { policy = ssse_amra { peak = t[1], k = t[2], m = t[3] } }:notes()) do
      if note.name == "round" then last_round = math.max(last_round, note[1]) end
    end
    all = all and last_round == 15
    if i == 3 then of_third[#of_third + 1] = last_round end
  end
  if all then always_15 = always_15 + 1 end
end
wrong("S0-134", always_15 > 0,
      ("of the triples of peak, kValue and mValue that were run %d of %d give SSSE-AMRA and ISSSE-AMRA 15 rounds in the six cases; 2/15/10.5, the " ..
             "nearest, has %s with 100, 400, 800 runs, with 20 and then with 50 trials; by the formula the triples have runs in %s rounds")
      :format(always_15, #triples, text(of_third), text(positive)),
      "the verdict rests on these two; AMRA and SAMRA were run with 15 rounds; of AMRS, which was not, the text on Figure 5.7 says nothing. Where " ..
             "runs are left after the last quota, perigee goes on with it")
local listed_names = { AMRS = true, AMRA = true, ["P-AMRA"] = true, ["SSSE-AMRA"] = true, ["ISSSE-AMRA"] = true }
local known, second_in_figure = 0, "AMRS"  -- what the text on Figure 5.3, of AMRA, calls the one with 3 rounds
for _, name in ipairs { "AMRS", "AMRA", "SAMRA", "SSSE-AMRA", "ISSSE-AMRA" } do if listed_names[name] then known = known + 1 end end
wrong("S0-161", known == 5 and second_in_figure == "AMRA",
      ("the list of abbreviations has %d of the 5 names of the text, and P-AMRA in place of SAMRA; on Figure 5.3, of AMRA, the text writes %s-3")
      :format(known, second_in_figure), "read in the text, no run decides it")
