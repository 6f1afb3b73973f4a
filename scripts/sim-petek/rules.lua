-- The rules of the schedulers of Sim-PETEK (2010, chapter 3), held against the records of their runs in the cases of chapter 5.
-- takes: seconds
-- test: thorough
-- perigee run scripts/sim-petek/rules.lua

local petek = require "petek"

local nodes, loaded = petek.cluster(), petek.loaded_cluster()
local cases = {}
local function case(group, trials, runs, on, weights)
  local vx, vy = table.unpack(group == "large" and { 5, runs == 1000 and 2 or 4 } or petek.velocities[group][runs])
  cases[#cases + 1] = { nodes = on, trials = trials, runs = runs, equal = weights == "equal", latency = on == nodes and 0.5 or 0,
                        scenario = petek.case(on, trials, vx, vy, { weights = weights }) }
end
for _, weights in ipairs { "wsn", "equal" } do
  for _, trials in ipairs { 20, 50 } do for _, runs in ipairs { 100, 400, 800 } do case(1, trials, runs, nodes, weights) end end
  for _, each in ipairs { { 50, 1000 }, { 50, 2000 }, { 80, 2000 }, { 100, 2000 } } do case("large", each[1], each[2], nodes, weights) end
  for _, trials in ipairs { 10, 30, 50, 80, 100 } do for _, runs in ipairs { 500, 1000, 1500 } do case(2, trials, runs, nodes, weights) end end
  for _, trials in ipairs { 20, 50, 100 } do for _, runs in ipairs { 100, 400, 1000, 2000 } do case(3, trials, runs, loaded, weights) end end
end
local sine = { peak = 2, k = 15, m = 10.5 }
local rounds = 15
local policies = { amrs { rounds = rounds }, amra { rounds = rounds }, samra { rounds = rounds }, ssse_amra(sine), issse_amra(sine) }
print(("%d cases under each of %d schedulers"):format(#cases, #policies))
local counts = setmetatable({}, { __index = function() return 0 end })
local function tell(name, good)
  counts[name .. " all"] = counts[name .. " all"] + 1
  if good then counts[name] = counts[name] + 1 end
end
local function of(name) return ("%d of %d"):format(counts[name], counts[name .. " all"]) end
local function all(name) return counts[name] == counts[name .. " all"] and counts[name .. " all"] > 0 end

local function ceil_share(x) return x <= 0 and 0 or math.max(1, math.ceil(x - 1e-9)) end
local function gcd(a, b) return b == 0 and a or gcd(b, a % b) end
local function unit_share(x, unit) return x > unit + 1e-9 and math.floor(x / unit + 1e-9) * unit or ceil_share(x) end

-- ENPR by time: a list of { time, { [host] = enpr }, { [host] = npp } }.
local function updates(r)
  local list = {}
  for _, row in ipairs(r:enpr()) do
    if #list == 0 or list[#list].time ~= row.time then list[#list + 1] = { time = row.time, enpr = {}, npp = {} } end
    list[#list].enpr[row.host], list[#list].npp[row.host] = row.enpr, row.npp or 0
  end
  return list
end
local function at(list, time)
  local found = list[1]
  for _, each in ipairs(list) do if each.time <= time + 1e-9 then found = each end end
  return found.enpr
end

local gaps = { amrs = 0, amra = 0 }
-- Places for simulations that stay empty, and simulations; and cases in which multiples leave fewer empty than SAMRA without them.
local empty = { amra = { 0, 0 }, samra = { 0, 0 }, bare = { 0, 0 } }
local fewer_empty, fewer_than_bare = { 0, 0 }, 0
for _, c in ipairs(cases) do
  local slots, cores, in_all, empty_here = {}, {}, 0, {}
  for _, node in ipairs(c.nodes) do
    slots[node.name], cores[node.name], in_all = petek.slots(node.cores), node.cores, in_all + node.cores
  end
  local function places(name, p)
    local simulations = p.runs * c.trials
    local unused = math.ceil(simulations / slots[p.host]) * slots[p.host] - simulations
    empty[name][1], empty[name][2] = empty[name][1] + unused, empty[name][2] + simulations
    empty_here[name] = (empty_here[name] or 0) + unused
  end
  local plain = {}
  for _, policy in ipairs(policies) do
    local r = c.scenario:run { policy = policy }
    local name, packages, list = policy.name, r:packages(), updates(r)
    plain[name] = packages
    -- Whole runs, each dealt once.
    local times = {}
    for _, p in ipairs(packages) do
      if p.use ~= "duplicate" then for k = p.first, p.first + p.runs - 1 do times[k] = (times[k] or 0) + 1 end end
    end
    local once = true
    for k = 0, c.runs - 1 do once = once and times[k] == 1 end
    tell("whole", once)
    -- Sums, and the first values.
    for i, each in ipairs(list) do
      local sum, by_cores = 0, true
      for host, value in pairs(each.enpr) do
        sum = sum + value
        by_cores = by_cores and math.abs(value - cores[host] / in_all) < 1e-12 and value > 0 and value < 1
      end
      tell("sum", math.abs(sum - 1) < 1e-9)
      if i == 1 then tell("by cores", by_cores) end
    end
    -- Each update by hand: half of the old value and half of the share in the powers of the last jobs.
    for i = 2, #list do
      local last, power, sum = {}, {}, 0
      for _, p in ipairs(packages) do
        if p.use == "useful" and p.finish <= list[i].time + 1e-9 and (not last[p.host] or p.finish > last[p.host]) then
          last[p.host], power[p.host] = p.finish, p.runs / (p.finish - p.start)
        end
      end
      for _, value in pairs(power) do sum = sum + value end
      local half, powers = true, true
      for host, value in pairs(list[i].enpr) do
        half = half and math.abs(value - (list[i - 1].enpr[host] + (power[host] or 0) / sum) / 2) < 1e-9
        powers = powers and math.abs((power[host] or 0) - list[i].npp[host]) < 1e-9
      end
      tell("half", half)
      tell("powers", powers)
    end
    -- Gaps between the packages of a host, and when ENPR are first updated.
    local free, first_end = {}, {}
    local gap = 0
    for _, p in ipairs(packages) do
      if p.use ~= "duplicate" then
        gap = gap + (free[p.host] and math.max(0, p.start - free[p.host]) or 0)
        free[p.host] = p.finish
        first_end[p.host] = first_end[p.host] or p.finish
      end
    end
    gaps[name] = (gaps[name] or 0) + gap
    if name ~= "amrs" then tell("no gap " .. name, gap < 1e-6) end
    if name ~= "amrs" and list[2] then
      local latest = 0
      for _, p in ipairs(packages) do if p.start < list[2].time - 1e-9 and first_end[p.host] then latest = math.max(latest, first_end[p.host]) end end
      tell("first update", math.abs(latest - list[2].time) < 1e-6)
    end
    -- Sizes: the share by ENPR of that time, no more than remain.
    local quota, quota_of = c.runs / rounds, {}
    for _, note in ipairs(r:notes()) do if note.name == "round" then quota_of[#quota_of + 1] = { note[3], note[2] } end end
    local begin, ends, round_runs = nil, 0, 0
    local probed = {}
    for _, p in ipairs(packages) do
      if p.use ~= "duplicate" then
        local share = at(list, p.start)[p.host]
        local q = quota
        if name:find "ssse" then for _, each in ipairs(quota_of) do if p.first >= each[1] then q = each[2] end end end
        local unit = slots[p.host] == 8 and 8 or slots[p.host] // gcd(slots[p.host], 10)
        local wanted = (name == "amrs" or name == "amra") and ceil_share(q * share) or unit_share(q * share, unit)
        if name == "samra" and not probed[p.host] then wanted, probed[p.host] = slots[p.host] // gcd(slots[p.host], 10), true end
        local remaining = c.runs - p.first
        tell("size " .. name, p.runs == math.min(wanted, remaining))
        if name == "samra" then tell("multiple", p.runs % unit == 0 or p.runs < unit or p.runs == remaining) end
        if (name == "samra" or name == "amra") and c.equal then places(name, p) end
      end
      if name == "amrs" then
        if p.start ~= begin then
          if begin then
            tell("barrier", p.start >= ends - 1e-9)
            tell("round", round_runs < quota + #c.nodes + 1e-9 or round_runs < 2 * quota)
          end
          begin, round_runs = p.start, 0
        end
        ends, round_runs = math.max(ends, p.finish), round_runs + p.runs
      end
    end
    if name == "amrs" then
      for _, each in ipairs(quota_of) do tell("quota", math.abs(each[2] - quota) < 1e-9) end
    end
  end
  if empty_here.amra then
    fewer_empty[2] = fewer_empty[2] + 1
    if empty_here.samra < empty_here.amra then fewer_empty[1] = fewer_empty[1] + 1 end
    -- The same probes, and shares rounded up.
    local function probe(_, state) return state.slots // gcd(state.slots, 10) end
    for _, p in ipairs(c.scenario:run { policy = samra { rounds = rounds, units = 1000000, probe = probe } }:packages()) do places("bare", p) end
    if empty_here.samra < empty_here.bare then fewer_than_bare = fewer_than_bare + 1 end
  end
  -- ISSSE without its copies is SSSE; SAMRA without probes and units is AMRA.
  local without = {}
  for _, p in ipairs(plain.issse_amra) do if p.use ~= "duplicate" then without[#without + 1] = p end end
  local same = #without == #plain.ssse_amra
  for i, p in ipairs(plain.ssse_amra) do
    local other = without[i]
    same = same and other.host == p.host and other.first == p.first and other.runs == p.runs and math.abs(other.start - p.start) < 1e-9
  end
  tell("issse", same)
  local function whole_share(_, state) return ceil_share(state.quota * state.enpr) end
  local function key(list)
    local parts = {}
    for i, p in ipairs(list) do parts[i] = ("%s %d %d %.6f"):format(p.host, p.first, p.runs, p.start) end
    return table.concat(parts, ";")
  end
  -- Below a unit a share is rounded up, as AMRA does.
  local bare = c.scenario:run { policy = samra { rounds = rounds, units = 1000000, probe = whole_share } }:packages()
  tell("samra", key(bare) == key(plain.amra))
  local constant = c.runs / rounds
  local flat = c.scenario:run { policy = ssse_amra { runs_in_round = constant } }:packages()
  local unprobed = c.scenario:run { policy = samra { rounds = rounds, probe = function(_, state)
    return math.tointeger(unit_share(state.quota * state.enpr, state.slots == 8 and 8 or state.slots // gcd(state.slots, 10))) end } }:packages()
  tell("ssse", key(flat) == key(unprobed))
end

-- Where all hosts are alike AMRS does not wait, and AMRA deals as it does.
local alike = scenario { platform = platform { cluster "c" { nodes = 4, cores = 4 } }, workload = workload.sweep { runs = 400, trials = 10,
       time = 1 } }
local function dealt(policy)
  local parts = {}
  for i, p in ipairs(alike:run { policy = policy }:packages()) do parts[i] = ("%s %d %d %g"):format(p.host, p.first, p.runs, p.start) end
  return table.concat(parts, ";")
end
local first_two = dealt(amrs { rounds = 10 }) == dealt(amra { rounds = 10 })

local rule = petek.rule
local size = ("%s of AMRS, %s of AMRA, %s of SAMRA, %s of SSSE, %s of ISSSE"):format(of "size amrs", of "size amra", of "size samra",
       of "size ssse_amra",
                                                                                             of "size issse_amra")
local sizes = all "size amrs" and all "size amra" and all "size samra" and all "size ssse_amra" and all "size issse_amra"
rule("S0-1", first_two and all "samra" and all "ssse" and all "issse",
     ("without what it adds, each deals the same jobs as the one before: AMRA as AMRS on nodes that are alike: %s; SAMRA as AMRA in %s cases; " ..
            "SSSE as SAMRA without probes in %s; ISSSE as SSSE in %s")
     :format(first_two and "yes" or "no", of "samra", of "ssse", of "issse"))
rule("S0-25", all "whole", ("each run is in one job, with all its trials, in %s simulations"):format(of "whole"))
rule("S0-26", all "sum", ("the sum is 1 to 1e-9 in %s sets of values"):format(of "sum"))
rule("S0-27", all "by cores" and all "half" and all "whole" and sizes,
     ("first ENPR by cores in %s simulations; updates when jobs are completed as computed by hand in %s; jobs as large as by the ENPR of their " ..
            "time: %s; all runs done in %s"):format(
     of "by cores", of "half", size, of "whole"))
rule("S0-28", all "by cores", ("the initial ENPR are as by the formula in %s simulations of two clusters; each is between 0 and 1"):format(
       of "by cores"))
rule("S0-29", all "barrier", ("no job starts before the end of the round before in %s rounds"):format(of "barrier"))
rule("S0-30", all "quota" and all "size amrs", ("the number of runs in a round is the same in %s rounds; %s jobs have the share by ENPR, rounded " ..
       "up, or what is left"):format(of "quota",
     of "size amrs"), nil, "a round is full when its quota is reached, so that nodes may get no job in it")
rule("S0-34", all "half", ("the new ENPR is half of the one before and half of the observed share in %s updates"):format(of "half"))
rule("S0-36", all "powers" and all "half", ("the power is that of the last job in %s updates, and the ENPR of every node is updated in %s"):format(
       of "powers", of "half"))
rule("S0-48", petek.slots(2) == 1 and petek.slots(4) == 4 and petek.slots(8) == 8 and petek.slots(16) == 15 and all "size amra" and (function()
       for _, cores in ipairs { 2, 4, 8, 16 } do
         local r = petek.scenario({ { name = "x", cores = cores, tau = 1 } }, { runs = 7, trials = 10 }):run { policy = amra { rounds = 1 } }
         if r.makespan ~= math.ceil(70 / ({ [2] = 1, [4] = 4, [8] = 8, [16] = 15 })[cores]) then return false end
       end
       return true
     end)(), ("%d, %d, %d and %d simulations at a time for 2, 4, 8 and 16 cores; a job of 7 runs of 10 trials takes as long as 70 simulations in " ..
            "waves of so many"):format(petek.slots(2),
     petek.slots(4), petek.slots(8), petek.slots(16)))
local no_gap = all "no gap amra" and all "no gap samra" and all "no gap ssse_amra" and all "no gap issse_amra"
rule("S0-55", no_gap and all "first update", ("no gap between the jobs of a node in %s cases under AMRA, %s under SAMRA; the first update comes " ..
       "when the last node has completed its first job in %s simulations with updates")
     :format(of "no gap amra", of "no gap samra", of "first update"))
rule("S0-57", all "no gap amra" and gaps.amra < 1e-6 and gaps.amrs > 0, ("nodes wait %.0f s between their jobs under AMRS and %.0f s under AMRA, " ..
       "summed over %d cases"):format(gaps.amrs, gaps.amra, #cases))
rule("S0-60", all "size samra" and all "multiple", ("after a probe of 1, 2 or 3 runs jobs are multiples of these, smaller than one multiple, or " ..
       "what is left: %s jobs"):format(of "multiple"),
     "all tests have trials in multiples of 10; 4 / gcd(4, 10) = 2 and 15 / gcd(15, 10) = 3")
claim { statement = "S0-61", verdict = "reproduces",
       holds = fewer_empty[1] > fewer_empty[2] / 2 and empty.samra[1] / empty.samra[2] < empty.amra[1] / empty.amra[2]
               and fewer_than_bare > fewer_empty[2] / 2,
        found = ("places for simulations that stay empty while a job runs: %.2f %% under AMRA, %.2f %% under SAMRA with its probes and no " ..
               "multiples, %.2f %% under SAMRA; SAMRA has fewer than AMRA in %d and fewer than without multiples in %d of %d cases"):format(
                100 * empty.amra[1] / empty.amra[2], 100 * empty.bare[1] / empty.bare[2], 100 * empty.samra[1] / empty.samra[2], fewer_empty[1],
                fewer_than_bare, fewer_empty[2]),
        note = "to prevent is read as: fewer in most cases; equal run times, 15 rounds" }
claim { statement = "S0-95", verdict = "reproduces", holds = all "issse", found = ("the jobs are the same but for the copies in %s cases"):format(
       of "issse") }

-- ---- the threshold, with values of ours ----

local below, passed_over = 0, 0
for _, threshold in ipairs { 0.05, 0.08, 0.12 } do
  local r = petek.chapter3():run { policy = samra { rounds = 3, threshold = threshold } }
  local list = updates(r)
  for _, p in ipairs(r:packages()) do
    local others = false
    for _, q in ipairs(r:packages()) do others = others or q ~= p and q.start <= p.start and q.finish > p.start end
    if at(list, p.start)[p.host] < threshold and others then below = below + 1 end
  end
  for _, each in ipairs(list) do for _, value in pairs(each.enpr) do if value < threshold then passed_over = passed_over + 1 end end end
end
rule("S0-62", below == 0 and passed_over > 0, ("thresholds T of 0.05, 0.08 and 0.12 in the example of chapter 3: %d ENPR are below T, and %d " ..
       "jobs go to such a node while others work")
     :format(passed_over, below), "the value of T is not published; where no other node works, perigee gives such a node a job, since the run " ..
            "would not end")

-- ---- copies, with equal run times, where ends can be computed ----

local copies, right, latest, drawn_cases = 0, 0, 0, 0
for seed = 1, 5 do
  local rng, drawn = stream("speeds", seed), petek.cluster()
  for _, node in ipairs(drawn) do node.tau = node.tau * rng:uniform(0.8, 1.2) end
  local node_of = {}
  for _, node in ipairs(drawn) do node_of[node.name] = node end
  for _, each in ipairs { { 20, 1 }, { 20, 4 }, { 50, 4 }, { 50, 8 } } do
    local trials, vx = table.unpack(each)
    drawn_cases = drawn_cases + 1
    local function takes(host, runs) return 0.5 + math.ceil(runs * trials / petek.slots(node_of[host].cores)) * node_of[host].tau end
    local packages = petek.case(drawn, trials, vx, nil, { weights = "equal" }):run { policy = issse_amra(sine) }:packages()
    for _, c in ipairs(packages) do
      if c.use == "duplicate" then
        copies = copies + 1
        local just_idle, last_start, best = false, 0, 0
        local ends = {}  -- of the work that is under way, by its first run: its earliest end
        for _, p in ipairs(packages) do
          if p.use ~= "duplicate" then last_start = math.max(last_start, p.start) end
          if p.host == c.host and math.abs(p.finish - c.start) < 1e-9 then just_idle = true end
          if p.start < c.start - 1e-9 and p.finish > c.start + 1e-9 then
            ends[p.first] = math.min(ends[p.first] or math.huge, p.start + takes(p.host, p.runs))
          end
        end
        for _, p in ipairs(packages) do
          if ends[p.first] and p.use ~= "duplicate" and c.start + takes(c.host, p.runs) < ends[p.first] - 1e-9 then best = math.max(best,
                 ends[p.first]) end
        end
        if just_idle and c.start >= last_start and ends[c.first] and c.start + takes(c.host, c.runs) < ends[c.first] then right = right + 1 end
        if ends[c.first] == best then latest = latest + 1 end
      end
    end
  end
end
rule("S0-94", copies > 0 and right == copies and latest == copies,
     ("of %d copies in %d cases with drawn speeds %d are made by a node that has just finished, when no runs remain, and would end sooner; %d " ..
            "are of the job that ends last among those")
     :format(copies, drawn_cases, right, latest), "ends are known exactly here; the thesis does not say how they are estimated")
