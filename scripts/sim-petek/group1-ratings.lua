-- How Sim-PETEK (2010) rates four of its schedulers in its first group of tests: by time, by stopping together, by their estimates.
-- takes: seconds
-- perigee run scripts/sim-petek/group1-ratings.lua
--   --set full=false      20 draws of speeds and noise in each of 4 models, not 1

local petek = require "petek"
local worlds = require "worlds"
local claims = petek.claim
local drawn_note = worlds.note
-- How far ENPR are from the shares in the true power, after that part of the time; -1 where they have not been updated by then.
local function estimate_error(r, nodes, part)
  local shares, sum, last, time = {}, 0, {}, 0
  for _, node in ipairs(nodes) do
    shares[node.name] = petek.slots(node.cores) / node.tau
    sum = sum + shares[node.name]
  end
  for _, row in ipairs(r:enpr()) do
    if row.time <= r.makespan * part then last[row.host], time = row.enpr, row.time end
  end
  if time == 0 then return -1 end
  local off = 0
  for host, share in pairs(shares) do off = off + math.abs((last[host] or 0) - share / sum) / 2 end
  return off
end
local function measured(r, nodes)
  return { makespan = r.makespan, spread = r.finish_spread, quarter = estimate_error(r, nodes, 0.25), half = estimate_error(r, nodes, 0.5) }
end
local sine = { peak = 2, k = 15, m = 10.5 }
local levels = { { "amra", amra { rounds = 15 } }, { "samra", samra { rounds = 15 } }, { "ssse", ssse_amra(sine) }, { "issse", issse_amra(sine) } }
local measures = { "makespan", "spread", "quarter", "half" }
local small = experiment "group 1, ratings" {
  factors = { { "model", worlds.models }, { "trials", { 20, 50 } }, { "runs", { 100, 400, 800 } }, { "policy", levels } },
  replications = worlds.draws,
  run = function(f, seed)
    local case, nodes = worlds.case(f.model, seed, f.trials, petek.velocities[1][f.runs][1], nil)
    return measured(case:run { policy = f.policy }, nodes)
  end,
  measure = measures,
}
local large = experiment "group 1, large, ratings" {
  factors = { { "model", worlds.models }, { "trials", { 50, 80, 100 } }, { "runs", { 1000, 2000 } }, { "policy", levels } },
  where = function(f) return f.runs == 2000 or f.trials == 50 end,
  replications = worlds.draws,
  run = function(f, seed)
    local case, nodes = worlds.case(f.model, seed, f.trials, 5, f.runs == 1000 and 2 or 4)
    return measured(case:run { policy = f.policy }, nodes)
  end,
  measure = measures,
}
local cells = {}
for _, w in ipairs(worlds.read(small)) do
  for _, case in ipairs { "20x100", "20x400", "20x800", "50x100", "50x400", "50x800" } do cells[#cells + 1] = w[case] end
end
for _, w in ipairs(worlds.read(large)) do
  for _, case in ipairs { "50x1000", "50x2000", "80x2000", "100x2000" } do cells[#cells + 1] = w[case] end
end

-- Estimates in cases in which ENPR were updated by then under all three, after a quarter and after half of the time.
local estimates, verdicts_of = {}, {}
for _, part in ipairs { "quarter", "half" } do
  local known, nearer, off = 0, 0, { 0, 0, 0 }
  for _, cell in ipairs(cells) do
    local a, s, ss = cell.amra[part], cell.samra[part], cell.ssse[part]
    if a >= 0 and s >= 0 and ss >= 0 then
      known, off = known + 1, { off[1] + ss, off[2] + a, off[3] + s }
      if ss < a and ss < s then nearer = nearer + 1 end
    end
  end
  local holds, found = worlds.most(nearer, known, "cases")
  verdicts_of[#verdicts_of + 1] = holds
  for i = 1, 3 do off[i] = off[i] / known end
  estimates[#estimates + 1] = ("after %s of the time %s, off by %.4f under SSSE, %.4f under AMRA, %.4f under SAMRA"):format(
                              part == "half" and part or "a " .. part, found, off[1], off[2], off[3])
end
local both = "not decided"
if verdicts_of[1] == false or verdicts_of[2] == false then
  both = false
elseif verdicts_of[1] == true and verdicts_of[2] == true then
  both = true
end
claims("S0-79", "does not reproduce", both, "ENPR are nearer to the true shares under SSSE than under AMRA and under SAMRA " ..
       table.concat(estimates, "; "),
       ("judged in those of %d cases in which all three have updated their ENPR by then; these cases and both moments were fixed after a look at " ..
       "the results; %s"):format(#cells, drawn_note))

-- The scheduler with the shortest time, and that whose nodes stop closest together; whether both ratings have all four in the same order.
local function lowest(cell, field)
  local found, least = nil, math.huge
  for name, row in pairs(cell) do
    if row[field] < least then found, least = name, row[field] end
  end
  return found
end
local function same_order(cell)
  for _, a in pairs(cell) do
    for _, b in pairs(cell) do
      if a.makespan < b.makespan and a.spread >= b.spread then return false end
    end
  end
  return true
end
local same_best = worlds.count(cells, function(cell) return lowest(cell, "makespan") == lowest(cell, "spread") end)
local holds, found = worlds.most(same_best, #cells, "cases")
local improved = worlds.count(cells, function(cell) return lowest(cell, "makespan") == "issse" end)
claims("S0-2", "reproduces", holds, ("of AMRA, SAMRA, SSSE and ISSSE the one with the shortest time is also the one whose nodes stop closest " ..
       "together %s; " ..
       "it is ISSSE by time in %d; both ratings have all four in the same order in %d"):format(found, improved, worlds.count(cells, same_order)),
       "the sentence says what is done; tested is whether the ratings by time and by the spread of the nodes' ends have the same best scheduler, " ..
       "a criterion fixed after a look at the results; " .. drawn_note)
