-- The admission test and the dispatcher of Chapter 6 of Mamat (2011): who is promised what, and whether it is kept, on drawn cases and examples.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/fast-guarantee.lua
--   --set full=true     6000 cases in place of 150
--
-- perigee has Algorithms 6 to 11 in the form that keeps its promises. The module `fast` has them in Lua with each part as printed, or left out.
-- Where both can do the same, they are compared with each other first.

require "statements"
local dlsim = require "dlsim"
local fast = require "fast"
local verdicts = require "verdicts"
local cases = setting("cases", dlsim.full and 6000 or 150)
local runs = setting("runs", dlsim.full and 400 or 40)  -- of perigee, chunk by chunk

local function draw(i, given) return fast.case(stream("guarantee", i), given) end
local function with(case, options)
  local all = {}
  for name, value in pairs(case) do all[name] = value end
  for name, value in pairs(options or {}) do all[name] = value end
  return fast.run(all)
end
local function same(a, b) return math.abs(a - b) <= 1e-7 * math.max(1, math.abs(a), math.abs(b)) end

-- ---- perigee against the module ----

local agree, decisions = {}, 0
for _, way in ipairs { { "safe", fast_edf_iit(), {} }, { "as printed", fast_edf_iit { start = "literal" }, { start = "printed" } },
                       { "HYBRID", hybrid { threshold = 2 }, { threshold = 2 } } } do
  local name, policy, options = table.unpack(way)
  agree[name] = 0
  for i = 1, runs do
    local case = draw(i)
    local ours, jobs = with(case, options), fast.scenario(case):run { policy = policy }:jobs()
    for k, load in ipairs(ours.loads) do
      if name == "safe" then decisions = decisions + 1 end
      if load.admitted == (jobs[k].state ~= "rejected") then agree[name] = agree[name] + 1 end
    end
  end
  expect(agree[name] == decisions, ("%s: the module and perigee agree on %d of %d decisions"):format(name, agree[name], decisions))
end
claim { statement = "S2-101", verdict = "reproduces", holds = agree.safe == decisions,
        found = ("the test by slacks in a list, as Algorithms 6 and 7 have it, and perigee's agree on %d of %d decisions"):format(
                agree.safe, decisions),
        note = "a load that becomes the first in the queue starts as in perigee, behind what has been sent of the one that was the first (S2-110)" }

-- ---- chunk by chunk ----

-- The chunks of a run in the order in which they are sent.
local function chunks_of(case, policy)
  local sim, seen, list = fast.scenario(case):start { policy = policy }, {}, {}
  while sim:step() do
    for host = 1, case.nodes do
      for _, id in ipairs(sim:running_on(host)) do
        local what = sim:activity(id)
        if not seen[id] and what.kind == "chunk" then
          seen[id] = true
          list[#list + 1] = { load = what.work, node = host, start = what.started, size = what.size,
                              sent = what.started + what.size * case.tau, finish = what.started + what.size * (case.tau + case.chi) }
        end
      end
    end
  end
  table.sort(list, function(a, b) return a.start < b.start end)
  return list
end

-- Counts the chunks of a list that are sent later than they could be. A chunk can be sent when its load has come, and a node and the channel are
-- free.
local function late_starts(case, list)
  local p, channel, late = {}, 0, 0
  for j = 1, case.nodes do p[j] = 0 end
  for _, chunk in ipairs(list) do
    local earliest = math.huge
    for j = 1, case.nodes do earliest = math.min(earliest, p[j]) end
    local could = math.max(earliest, channel, case.loads[chunk.load][1])
    if not same(could, chunk.start) and chunk.start > could then late = late + 1 end
    channel, p[chunk.node] = chunk.sent, chunk.finish
  end
  return late
end

local sent, waited, planned, waited_there = 0, 0, 0, 0
local not_last, at_deadline, beyond = 0, 0, 0
local loads, fewest, disturbed, more, rests, fewest_rests = 0, 0, 0, 0, 0, 0
for i = 1, runs do
  local case = draw(i)
  local list = chunks_of(case, "fast_edf_iit")
  sent, waited = sent + #list, waited + late_starts(case, list)
  local plans = chunks_of(case, "edf")
  planned, waited_there = planned + #plans, waited_there + late_starts(case, plans)
  local of, p, channel = {}, {}, 0
  for j = 1, case.nodes do p[j] = 0 end
  for place, chunk in ipairs(list) do
    local load = of[chunk.load]
    local deadline = case.loads[chunk.load][3]
    if not load then
      load = { chunks = {}, nodes = {}, count = 0, first = place, left = case.loads[chunk.load][2] }
      of[chunk.load] = load
    end
    -- The load begins, or goes on behind another: as few nodes as are enough for what is left of it.
    if load.last ~= place - 1 then
      local free = {}
      for j = 1, case.nodes do free[j] = math.max(p[j], chunk.start) end
      table.sort(free)
      load.rest_least = fast.fewest(free, chunk.start, load.left, deadline, case.tau, case.chi)
      load.least, load.rest = load.least or load.rest_least, 0
    end
    load.chunks[#load.chunks + 1] = chunk
    load.last, load.left, load.rest = place, load.left - chunk.size, load.rest + 1
    if not load.nodes[chunk.node] then load.nodes[chunk.node], load.count = true, load.count + 1 end
    p[chunk.node] = chunk.finish
  end
  for number, load in pairs(of) do
    local deadline = case.loads[number][3]
    for k, chunk in ipairs(load.chunks) do
      if chunk.finish > deadline and not same(chunk.finish, deadline) then beyond = beyond + 1 end
      if k < #load.chunks then
        not_last = not_last + 1
        if same(chunk.finish, deadline) then at_deadline = at_deadline + 1 end
      end
    end
    local whole = load.last - load.first + 1 == #load.chunks
    if whole then
      loads = loads + 1
      if load.count == load.least then fewest = fewest + 1 end
    else
      disturbed, rests = disturbed + 1, rests + 1
      if load.rest == load.rest_least then fewest_rests = fewest_rests + 1 end
      if load.count > load.least then more = more + 1 end
    end
  end
end
claim { statement = "S2-99", verdict = "reproduces", holds = waited == 0 and sent > 0,
        found = ("%d of %d chunks are sent later than a node and the channel are free; with EDF-OPR-MN %d of %d on the same loads"):format(
                waited, sent, waited_there, planned) }
claim { statement = "S2-103", verdict = "reproduces", holds = at_deadline == not_last and beyond == 0 and not_last > 0,
        found = ("%d of %d chunks that are not the last of their load end at its deadline, %d end after it"):format(at_deadline, not_last, beyond) }
local each = verdicts.cases(fewest + disturbed - more, loads + disturbed)
if each.holds == true and not dlsim.full then each.holds = "not decided" end  -- too few are overtaken in the short form
claim { statement = "S2-104", verdict = "does not reproduce", holds = each.holds,
        found = ("tasks get no more nodes than are enough when they begin %s: %d of %d that are sent without another between, and %d of %d that "
          .. "another one overtakes; of these the rest gets the fewest nodes in %d"):format(each.found, fewest, loads, disturbed - more, disturbed,
                fewest_rests),
        note = "each task is said, and so those count that another one with an earlier deadline overtakes; what is left of them gets the fewest "
          .. "nodes that are then enough" }

-- Pairs of loads: one after the other in the view of the test, side by side in fact.
local pairs_, beside = 0, 0
for i = 1, runs do
  local case = draw(i, { loads = 2 })
  local done = with(case)
  if done.admitted == 2 then
    pairs_ = pairs_ + 1
    local a, b = done.loads[1], done.loads[2]
    local from = math.min(b.chunks[1].start, a.chunks[1].start)
    local to = math.min(a.finish, b.finish)
    if from < to and b.chunks[1].start < a.finish and a.chunks[1].start < b.finish and a.c ~= b.c then beside = beside + 1 end
  end
end
claim { statement = "S2-105", verdict = "reproduces", holds = beside > 0,
        found = ("in %d of %d pairs that are admitted the second begins before the first has ended, where the test has one behind the other"):format(
                beside, pairs_) }

-- ---- Figure 6.4 ----

-- One load of 4 units, 1 to send and 4 to compute each; the second is as large as it may be to be admitted without Algorithm 8.
local four = fast.unit_time(1, 4, 4)
local estimated = 4 * four
local largest = (14 - estimated) / four
local function figure(size, options)
  return with({ nodes = 4, tau = 1, chi = 4, loads = { { 0, 4, 20 }, { 6, size, 14 } } }, options)
end
local three = fast.unit_time(1, 4, 3)
local with_adjustment, without = figure(4), figure(4, { adjust = false })
local biggest = figure(largest, { adjust = false })
local first_end = without.loads[1].finish
claim { statement = "S2-106", verdict = "reproduces",
        holds = not with_adjustment.loads[2].admitted and without.loads[2].admitted and without.loads[2].late == true and biggest.loads[2].admitted
          and first_end == 20 and math.floor(estimated + 0.5) == 7 and math.floor(6 + largest * three + 0.5) == 15,
        found = ("the first is estimated to end at %.3f and ends at %g on one node; the second is admitted without Algorithm 8, rejected "
                .. "with it; on three nodes from 6 a load of 4 units ends at %.2f, one of %.2f, the largest that is admitted, at %.2f"):format(
                estimated, first_end, 6 + 4 * three, largest, 6 + largest * three),
        note = "sizes and costs are not printed; 4 time units to send and 16 to compute follow from the figure, and 7 and 15 are then rounded" }

-- ---- promises, kept or not ----

-- Late loads of those admitted, over all cases, and in how many cases.
local function broken(options, n, case)
  local late, admitted, wrong, changes = 0, 0, 0, 0
  for i = 1, n or cases do
    local done = with((case or draw)(i), options)
    late, admitted, changes = late + done.late, admitted + done.admitted, changes + done.fast
    if done.late > 0 then wrong = wrong + 1 end
  end
  return { late = late, admitted = admitted, wrong = wrong, changes = changes, text = ("%d of %d admitted loads are late"):format(late, admitted) }
end
local safe, printed, bare = broken {}, broken { start = "printed" }, broken { adjust = false }
local printed_bare = broken { start = "printed", adjust = false }
claim { statement = "S2-107", verdict = "reproduces", holds = bare.late > 0 and safe.late == 0,
        found = ("without the adjustment of Algorithm 8 %s, with it %s; with Algorithm 6 as printed %s without, %s with it"):format(
                bare.text, safe.text, printed_bare.text, printed.text),
        note = "the verdict rests on the start of perigee for a load that becomes the first in the queue, which tells the adjustment from another "
          .. "fault (S2-110)" }
claim { statement = "S2-110", verdict = "source in error", holds = printed.late == 0,
        found = ("Algorithms 6 to 8 as printed: %s, in %d of %d cases; with the start of perigee %s"):format(
                printed.text, printed.wrong, cases, safe.text),
        note = "the verdict rests on Algorithm 6 as printed, where a load that becomes the first in the queue starts when the last that was "
          .. "sent whole is done; here it starts behind what has been sent of the load that was the first" }
local example = { nodes = 4, tau = 1, chi = 4, loads = { { 0, 8, 16 }, { 1, 1, 5 } } }
local states = {}
for _, start in ipairs { "literal", "safe" } do
  local jobs = fast.scenario(example):run { policy = fast_edf_iit { start = start } }:jobs()
  states[#states + 1] = ("%s: %s and %s"):format(start == "safe" and "with perigee's start" or "as printed", jobs[1].state, jobs[2].state)
end
local by_hand = with(example, { start = "printed" })
claim { statement = "S2-111", verdict = "source in error", holds = by_hand.late == 0,
        found = ("two loads on four nodes, %s; as printed the test sees the second one end at %.2f, but %.2f of its 1 unit are not sent by its "
          .. "deadline of 5"):format(table.concat(states, "; "), by_hand.loads[2].c, by_hand.loads[2].left),
        note = "perigee's policy has both readings, `start = \"literal\"` and \"safe\", which is the default" }

-- The load that the dispatcher does by a deadline, where always something waits, against what all nodes together would do (equations 6.13 and 6.46).
-- The last load has no end, the loads before it are such that the test admits them.
local function supply(i, any_node)
  local rng = stream("supply", i)
  local N, chi = rng:integer(2, 8), 2 ^ rng:uniform(-1, 6)
  local unit, t, done, given = fast.unit_time(1, chi, N), 0, 0, {}
  for k = 1, rng:integer(1, 6) do
    local size = rng:exponential(4) + 0.05
    done = done + size
    t = math.max(t, unit * done * (1 + rng:uniform(0, 1) ^ 2 * 2))
    given[k] = { 0, size, t }
  end
  local last = t + unit * rng:exponential(4)
  given[#given + 1] = { 0, 1e9, last }
  -- The queue is given as it is, without a test.
  local p, channel, at, load = {}, 0, 0, 0
  for j = 1, N do p[j] = 0 end
  for _, each in ipairs(given) do
    local left = each[2]
    while left > 0 do
      local earliest = math.huge
      for j = 1, N do earliest = math.min(earliest, p[j]) end
      at = math.max(at, earliest, channel)
      local x = math.min((each[3] - at) / (1 + chi), left)
      if x <= 1e-9 then break end
      local list = {}
      for j = 1, N do if p[j] <= at then list[#list + 1] = j end end
      local node = any_node and rng:choice(list) or list[1]
      channel, p[node] = at + x, at + x * (1 + chi)
      left, load = left - x, load + x
    end
    if each ~= given[#given] and left > 1e-9 * each[2] then return false, load - last / unit end
  end
  return load >= last / unit * (1 - 1e-9), load - last / unit
end
local enough, parts = 0, {}
for _, any_node in ipairs { false, true } do
  local right = 0
  for i = 1, cases do
    if supply(i, any_node) then right = right + 1 end
  end
  enough = enough + right
  parts[#parts + 1] = ("%s: as much or more in %d of %d cases"):format(any_node and "any free node" or "the first free node", right, cases)
end
claim { statement = "S2-109", verdict = "reproduces", holds = enough == 2 * cases, found = table.concat(parts, ", "),
        note = "loads in the order of their deadlines, as the proof has them, and always one that waits" }

-- Lemma 6.2.1 by perigee's cost model.
local merged, with_setups, tried = 0, 0, 0
for i = 1, dlsim.full and 2000 or 200 do
  local rng = stream("merge", i)
  local nodes, sizes, sum = rng:integer(1, 64), {}, 0
  local times = { 0, 0 }
  local chi = 2 ^ rng:uniform(-1, 10)
  local plain = cost.divisible { transmission = 1, computation = chi }
  local setups = cost.divisible { transmission = 1, computation = chi, transmission_setup = 0.01, computation_setup = 0.01 }
  for k = 1, rng:integer(2, 6) do
    sizes[k] = rng:exponential(100) + 50
    sum = sum + sizes[k]
  end
  for _, size in ipairs(sizes) do
    times[1] = times[1] + plain:time(size, nodes)
    times[2] = times[2] + setups:time(size, nodes)
  end
  tried = tried + 1
  if math.abs(plain:time(sum, nodes) / times[1] - 1) < 1e-9 then merged = merged + 1 end
  if math.abs(setups:time(sum, nodes) / times[2] - 1) < 1e-9 then with_setups = with_setups + 1 end
end
claim { statement = "S2-108", verdict = "reproduces", holds = merged == tried,
        found = ("the same in %d of %d drawn cases; with set-ups of 0.01, which are not meant, in %d"):format(merged, tried, with_setups) }

-- ---- HYBRID ----

local few = setting("hybrid_cases", dlsim.full and 3000 or 60)
local function busy(i) return fast.busy_case(stream("busy", i)) end
local guarded, no_adjustment = broken({ threshold = 2 }, few, busy), broken({ threshold = 2, adjust = false }, few, busy)
local blind, blinder = broken({ threshold = 2, guard = false }, few, busy), broken({ threshold = 2, guard = false, least = false }, few, busy)
claim { statement = "S2-114", verdict = "reproduces", holds = no_adjustment.late == 0,
        found = ("without Algorithm 8 %s after %d changes; with it, where the queue has become empty, %s"):format(
                no_adjustment.text, no_adjustment.changes, guarded.text),
        note = "HYBRID as perigee has it, which goes over only where all that wait keep their promise" }
-- When the last one comes, two wait: their plan is feasible, and the dispatcher cannot keep it.
local tight = { nodes = 3, tau = 1, chi = 6.55, threshold = 2,
                loads = { { 0, 10, 50.49 }, { 17.4, 3.97, 57.69 }, { 21.37, 8.07, 72.99 }, { 32.05, 3.21, 60.85 }, { 34.47, 3.11, 56.41 } } }
local one, one_guarded = with(tight, { guard = false }), with(tight)
claim { statement = "S2-115", verdict = "source in error", holds = one.late == 0 and blind.late == 0 and blinder.late == 0,
        found = ("in an example %d of %d admitted loads is late, with a look at those that wait %d; as printed, with no least slack "
                .. "until the next load is admitted, %s; with the least slack %s; with a look at those that wait too %s"):format(
                one.late, one.admitted, one_guarded.late, blinder.text, blind.text, guarded.text),
        note = "perigee computes the least slack, and puts the change off while one that waits would lose its promise" }

-- Algorithm 10: the time until nodes are free, divided by chi, against the load that is not computed yet, when a load comes. Loads are under way
-- as a whole, as in EDF-IIT-2. A chunk's load is left until it has been received, and then goes as it is computed.
local moments, equal, computing, computing_equal, below, most, excess = 0, 0, 0, 0, 0, 0, 0
for i = 1, few do
  local case = busy(i)
  local done = with(case, { threshold = math.huge })
  for _, each in ipairs(case.loads) do
    local now, free, left, all_compute = each[1], {}, 0, true
    for _, load in ipairs(done.loads) do
      local chunks = load.chunks
      if load.a < now and chunks[1] and chunks[1].start <= now then
        for _, chunk in ipairs(chunks) do
          if chunk.finish > now then
            local computes = chunk.start + chunk.size * case.tau <= now
            free[chunk.node] = math.max(free[chunk.node] or 0, chunk.finish)
            left = left + (computes and (chunk.finish - now) / case.chi or chunk.size)
            all_compute = all_compute and computes
          end
        end
      end
    end
    if left > 1e-9 then
      local r = 0
      for _, finish in pairs(free) do r = r + finish - now end
      local ratio = r / case.chi / left
      moments, excess, most = moments + 1, excess + ratio - 1, math.max(most, ratio - 1)
      local is_equal = math.abs(ratio - 1) < 1e-7
      if is_equal then equal = equal + 1 elseif ratio < 1 then below = below + 1 end
      if all_compute then
        computing = computing + 1
        if is_equal then computing_equal = computing_equal + 1 end
      end
    end
  end
end
local either = broken({ threshold = 2, running = "both", guard = false }, few, busy)
claim { statement = "S2-116", verdict = "source in error", holds = equal == moments,
        found = ("r / chi is the load that is left at %d of %d moments, at %d of %d at which all nodes that run compute; it is too low at %d, and "
          .. "too high by %.1f %% on average, %.0f %% at most; HYBRID without a look at those that wait admits %d of %d tasks with it, %d late; with "
          .. "transmission counted too %d, %d late"):format(equal, moments, computing_equal, computing, below, 100 * excess / moments, 100 * most,
                blind.admitted, 8 * few, blind.late, either.admitted, either.late),
        note = ("running workload, as the algorithm calls it: load that is not computed yet; the printed form is exact for a node that computes and "
          .. "pessimistic where one receives or is still to be sent to; it refuses %d more of %d tasks; perigee has it"):format(
                either.admitted - blind.admitted, 8 * few) }
