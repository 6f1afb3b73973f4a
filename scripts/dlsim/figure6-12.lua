-- Tables 6.2 to 6.4, Figures 6.12 to 6.16 of Mamat (2011): queues that grow without a rejection, and the times published for them.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure6-12.lua
--   --set full=true     3000 loads, as many as published, in place of 600
--
-- A huge load keeps the cluster busy, and all that come then wait: no deadline is close. The full form measures how long perigee's own tests decide,
-- by the wall clock. Only ratios of times of one run are judged, with wide margins; each is of medians, so that a moment in which the machine does
-- something else does not count. EDF-IIT-1 and EDF-IIT-2 keep the plans of the loads before a new one here.

require "statements"
local dlsim = require "dlsim"
local module_loads = require "loads"
local verdicts = require "verdicts"
local loads = setting("loads", dlsim.full and 3000 or 600)
expect(loads >= 501, "loads: at least 501, for HYBRID goes over when 500 wait")

local function behind_a_huge_one(nodes, n)
  return scenario {
    platform = platform { cluster "c" { nodes = nodes, link = { bandwidth = 1 } } },
    workload = workload.loads(n + 1, function(i, rng)
      if i == 1 then return { size = 1e6, bytes = 1, time = 1000, deadline = 1e7 } end
      local size = 0
      while size <= 0 do size = rng:normal(200, 200) end
      return { arrival = i - 1, size = size, bytes = 1, time = 1000, deadline = i - 1 + rng:uniform(1e8, 3e8) }
    end),
  }
end
local function grown(nodes, policy)
  local r = behind_a_huge_one(nodes, loads):run { policy = policy, horizon = loads + 0.5 }
  local waits, changes = 0, {}
  for _, job in ipairs(r:jobs()) do
    if job.state == "waiting" and job.start ~= job.start then waits = waits + 1 end
  end
  for _, note in ipairs(r:notes()) do changes[#changes + 1] = ("%s when %s wait"):format(note.name, note.values) end
  return { rejected = r.rejected, waits = waits, changes = table.concat(changes, ", ") }
end

local published = {
  { "Table 6.2, ms: mean of the first n decisions, 512 nodes",
    { "n", "FAST-EDF-IIT", "EDF-IIT-1", "EDF-IIT-2" },
    { 300, 0.96, 410.44, 151.32 }, { 1000, 4.84, 1321.08, 494.07 }, { 2000, 20.46, 3119.76, 988.95 },
    { 3000, 48.87, 6206.91, 1494.91 } },
  { "Table 6.3, ms: mean of the 100 decisions after n loads wait, 512 nodes",
    { "n", "FAST-EDF-IIT", "EDF-IIT-1", "EDF-IIT-2" },
    { 300, 1.71, 850.01, 349.22 }, { 1000, 16.25, 3006.01, 1034.21 }, { 2000, 67.24, 7536.32, 2030.48 },
    { 3000, 157, 31173.86, 3050.86 } },
  { "Table 6.4, ms: mean of the first n decisions, 1024 nodes",
    { "n", "FAST-EDF-IIT", "EDF-IIT-2" },
    { 300, 1.01, 363.29 }, { 1000, 4.90, 1545.51 }, { 2000, 21.1, 3089.6 }, { 3000, 50, 4923.91 } },
}
print "As published, of a program in Java; of perigee: ./dev bench --benchmark_filter=admission"
for _, given in ipairs(published) do
  print("\n" .. given[1])
  for i = 2, #given do
    local line = ""
    for k, value in ipairs(given[i]) do line = line .. (k == 1 and "%6s" or "%14s"):format(value) end
    print(line)
  end
end

print(("\n%d loads behind a huge one"):format(loads))
local rejected, least, over = 0, loads, "no change"
for _, run in ipairs { { 512, "fast_edf_iit" }, { 512, "edf_iit_1" }, { 512, "edf_iit_2" }, { 1024, "fast_edf_iit" },
                       { 1024, "edf_iit_2" }, { 1024, hybrid { threshold = 500 } } } do
  local found = grown(run[1], run[2])
  print(("%6d nodes  %-34s%5d wait  %s"):format(run[1], run[2], found.waits, found.changes))
  rejected, least = rejected + found.rejected, math.min(least, found.waits)
  if #found.changes > 0 then over = found.changes end
end
claim { statement = "S2-124", verdict = "reproduces", holds = rejected == 0 and least == loads,
        found = ("%d tasks wait behind a huge one with each of the three, on 512 and 1024 nodes; %d are rejected"):format(least, rejected),
        note = "on 1024 nodes FAST-EDF-IIT, EDF-IIT-2 and HYBRID, as published" }

-- ---- how long decisions take ----

-- The rows of the decisions on the loads behind the huge one, in the order of their arrivals.
local function decisions(nodes, policy, n)
  local rows = behind_a_huge_one(nodes, n):decision_times { policy = policy, horizon = n + 0.5 }
  return table.move(rows, 2, #rows, 1, {})
end
local function median(rows, from, to)
  local times = {}
  for i = from, to do times[#times + 1] = rows[i].seconds end
  table.sort(times)
  return times[(#times + 1) // 2]
end

-- A row for each decision, by how many wait, so that the first n and those behind n can be told apart. No time is judged.
local told, in_order = 0, 0
for _, policy in ipairs { "fast_edf_iit", "edf_iit_1", "edf_iit_2" } do
  local rows = decisions(512, policy, 100)
  if #rows == 100 then told = told + 1 end
  for i, row in ipairs(rows) do
    if row.queue == i + 1 and row.at == i and row.seconds >= 0 and row.seconds < math.huge then in_order = in_order + 1 end
  end
end
claim { statement = "S2-125", verdict = "reproduces", holds = told == 3 and in_order == 300,
        found = ("%d of 3 algorithms have a time for each of 100 decisions, and %d of 300 times are those behind one more load than the last"):format(
          told, in_order),
        note = "s:decision_times, of which means over the first n and over 100 behind n loads follow; it is by the wall clock" }

-- Ratios of medians, one for each round; the algorithms take turns.
local function ratios(of, to, nodes_of, nodes_to, n, rounds)
  local values = {}
  for round = 1, rounds do
    values[round] = median(decisions(nodes_of, of, n), 1, n) / median(decisions(nodes_to, to, n), 1, n)
  end
  return values
end
-- Holds when the interval lies between both, fails when it lies outside as a whole.
local function between(values, least, most)
  local i = stats.interval(values)
  local holds = "not decided"
  if i.low >= least and i.high <= most then holds = true elseif i.low > most or i.high < least then holds = false end
  return { holds = holds, found = ("%.3g +- %.2g times"):format(i.mean, i.half_width) }
end
local waiting_for_full = { holds = "not decided", found = "times are measured in the full form only" }
local longer, scaled = waiting_for_full, waiting_for_full
local growths = { { "half as much again", 1.5 }, { "a quarter more", 1.25 }, { "twice", 2 } }
if dlsim.full then
  longer = verdicts.all { { "EDF-IIT-1 over FAST-EDF-IIT", between(ratios("edf_iit_1", "fast_edf_iit", 512, 512, loads, 3), 127 / 2, 2 * 127) },
                          { "EDF-IIT-2 over FAST-EDF-IIT", between(ratios("edf_iit_2", "fast_edf_iit", 512, 512, loads, 3), 30 / 2, 2 * 30) } }
  local of_fast, of_exact = ratios("fast_edf_iit", "fast_edf_iit", 1024, 512, 1000, 5), ratios("edf_iit_2", "edf_iit_2", 1024, 512, 1000, 5)
  scaled = dlsim.thresholds(growths, function(threshold)
    return verdicts.all { { "FAST-EDF-IIT", between(of_fast, 0, threshold[2]) }, { "EDF-IIT-2", between(of_exact, threshold[2], math.huge) } }
  end)
end
claim { statement = "S2-127", verdict = "does not reproduce", holds = longer.holds, found = longer.found,
        note = "ratios of medians of the first decisions, three rounds; it holds from half to twice what is printed, which is ours. The programs "
          .. "differ: here EDF-IIT-1 and EDF-IIT-2 keep the plans of the loads before a new one, and the fast test takes O(log n)" }
claim { statement = "S2-132", verdict = "not decided", holds = scaled.holds,
        found = "1024 nodes over 512, the first 1000 decisions: " .. scaled.found,
        note = "slightly is up to half as much again, much larger is more, which is ours, and a quarter more and twice are beside it: ratios of "
          .. "medians, five rounds. The times of Table 6.4 grow 1.01 to 1.05 and 2.40 to 3.29 times" }

-- ---- HYBRID ----

-- HYBRID with other thresholds, under a load that comes and goes: who decides, and when it changes.
local changes, due, same, exact_before, refused = 0, 0, 0, 0, 0
for seed = 1, dlsim.full and 40 or 4 do
  for _, threshold in ipairs { 2, 5, 10 } do
    local s = module_loads.scenario {
      nodes = 16, mean_size = 200, time = 100, channel = "head", deadline_ratio = 20, horizon = 4e5,
      load = function(t) return t // 1e5 % 2 == 0 and 3 or 0.1 end,
    }
    local r, plain = s:run { policy = hybrid { threshold = threshold }, seed = seed }, s:run { policy = "edf_iit_2", seed = seed }
    local first = math.huge
    for _, note in ipairs(r:notes()) do
      if note.name == "fast" or note.name == "exact" then
        changes = changes + 1
        if (note[1] >= threshold) == (note.name == "fast") then due = due + 1 end
        if note.name == "fast" then first = math.min(first, note.time) end
      else
        refused = refused + 1
      end
    end
    local other = plain:jobs()
    for i, job in ipairs(r:jobs()) do
      if job.arrival < first then
        exact_before = exact_before + 1
        if (job.state == "rejected") == (other[i].state == "rejected") then same = same + 1 end
      end
    end
  end
end
claim { statement = "S2-113", verdict = "reproduces",
        holds = over == "fast when 500 wait" and due == changes and same == exact_before and changes > 0 and exact_before > 0,
        found = ("%s behind a huge load; with thresholds of 2, 5 and 10 under a load that comes and goes %d of %d changes are on the right side "
          .. "of the threshold, "
                .. "and %d of %d decisions before the first are those of EDF-IIT-2"):format(over, due, changes, same, exact_before),
        note = ("perigee puts a change off while a load that waits would lose its promise, here %d times (S2-115)"):format(refused) }
