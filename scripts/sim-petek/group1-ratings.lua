-- Whether small first rounds give Sim-PETEK (2010) better estimates of the nodes, in its first group of tests.
-- takes: seconds
-- test: thorough
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
-- Jobs that are completed after that part of the time.
local function completed(r, part)
  local n = 0
  for _, p in ipairs(r:packages()) do if p.finish <= r.makespan * part then n = n + 1 end end
  return n
end
local function measured(r, nodes)
  return { quarter = estimate_error(r, nodes, 0.25), half = estimate_error(r, nodes, 0.5), quarter_jobs = completed(r, 0.25),
           half_jobs = completed(r, 0.5) }
end
-- A fast start has the quota of the peak from the first round on.
local function fast_start(round, state)
  return round <= 2 and state.runs / 10.5 or cost.sine_quota { runs = state.runs, peak = 2, k = 15, m = 10.5, round = math.min(round, 16) }
end
local levels = { { "amra", amra { rounds = 15 } }, { "samra", samra { rounds = 15 } }, { "ssse", ssse_amra { peak = 2, k = 15, m = 10.5 } },
                 { "fast", ssse_amra { runs_in_round = fast_start } } }
local measures = { "quarter", "half", "quarter_jobs", "half_jobs" }
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
local cells = worlds.cells(worlds.read(small), { "20x100", "20x400", "20x800", "50x100", "50x400", "50x800" })
for _, c in ipairs(worlds.cells(worlds.read(large), { "50x1000", "50x2000", "80x2000", "100x2000" })) do cells[#cells + 1] = c end

-- After a quarter and after half of the time: whether more jobs are completed under SSSE than with a fast start; and whether ENPR are nearer to the
-- true shares, in cases in which they were updated by then under all four.
local texts, holds = {}, true
for _, part in ipairs { "quarter", "half" } do
  local known = {}
  for _, c in ipairs(cells) do
    local all = true
    for _, level in ipairs(levels) do all = all and c.cell[level[1]][part] >= 0 end
    if all then known[#known + 1] = c end
  end
  local function nearer(name) return worlds.most(known, function(c) return c.cell.ssse[part] < c.cell[name][part] end, "cases") end
  local function off(name) return (worlds.interval(known, function(c) return c.cell[name][part] end)) end
  local more, more_found = worlds.most(cells, function(c) return c.cell.ssse[part .. "_jobs"] > c.cell.fast[part .. "_jobs"] end, "cases")
  local better, better_found = nearer "fast"
  local _, amra_found = nearer "amra"
  local _, samra_found = nearer "samra"
  holds = worlds.all(holds, more, better)
  texts[#texts + 1] = ("after %s of the time SSSE has completed more jobs than with a fast start %s, and its ENPR are nearer to the true " ..
                       "shares %s, nearer than those of AMRA %s and of SAMRA %s; they are off by %.4f under SSSE, %.4f with a fast start, %.4f " ..
                       "under AMRA, %.4f under SAMRA"):format(part == "half" and part or "a " .. part, more_found, better_found, amra_found,
                       samra_found, off "ssse", off "fast", off "amra", off "samra")
end
claims("S0-79", "not decided", holds, table.concat(texts, "; "),
       ("estimates are nearer early, and later that cannot be said; the verdict is on SSSE beside the same scheduler with the quota of the " ..
        "peak from the first round on, after a quarter and after half of the time; ENPR are judged in those of %d cases in which all four have " ..
        "updated them by then; %s"):format(#cells, drawn_note))
