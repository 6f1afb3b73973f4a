-- IRMaSim thesis, sections 4.1 to 4.4: what its workload managers do with groups of jobs and with the queues of nodes, held against runs.
-- takes: seconds
-- perigee run scripts/irmasim/managers.lua
--   --set full=true     300 drawn cases in place of 40

local rule = require "rule"
local printed = require "printed"
local full = setting("full", false)
local cases = full and 300 or 40
local rng = stream("managers", 1)
local function near(a, b) return math.abs(a - b) <= 1e-9 * (1 + math.abs(b)) end
local sorted = { form = "sorted" }
local mappers = { min_min = min_min(sorted), max_min = max_min(sorted), duplex = duplex(sorted) }

-- ---- three groups of jobs, section 4.1 ----

local planned_right, planned_of, kept, instants = 0, 0, 0, 0
local unchanged, later_cases, queued_at_second = 0, 0, 0
local overtaken = { [false] = 0, [true] = 0 }
local jobs_in_all, sets_with = 0, 0
-- The instants at which a job comes, starts or ends, and those of them at which no queued job fits into the idle cores of its node.
local looked, none_fits = { [false] = 0, [true] = 0 }, { [false] = 0, [true] = 0 }
local function look(list, nodes, overtake)
  for _, each in ipairs(list) do
    for _, t in ipairs { each.arrival, each.start, each.finish } do
      local node, used, good = each.hosts, 0, true
      for _, row in ipairs(list) do
        if row.hosts == node and row.start <= t + 1e-9 and row.finish > t + 1e-9 then used = used + row.cores end
      end
      local idle = nodes[tonumber(node:match "%d+")].cores - used
      for _, row in ipairs(list) do
        if row.hosts == node and row.arrival <= t and row.start > t + 1e-9 and row.cores <= idle then good = false end
      end
      looked[overtake], none_fits[overtake] = looked[overtake] + 1, none_fits[overtake] + (good and 1 or 0)
    end
  end
end
for _ = 1, cases do
  local nodes, jobs = printed.draw(rng, { nodes = 4, jobs = 24, cores = 4, groups = 3, every = 15 })
  nodes[1].cores = 4
  -- Planned ends: req_time / speed-up on the cores that are free first, noted group by group.
  local slowest = math.huge
  for _, node in ipairs(nodes) do slowest = math.min(slowest, node.speed) end
  local s = printed.scenario(nodes, jobs)
  local r = s:run { policy = planned { map = mappers.min_min } }
  local free, at = printed.idle(nodes), 0
  local ends = {}
  for g = 0, 2 do
    local group = {}
    for k = 1, 8 do
      local job = jobs[8 * g + k]
      -- req_time is the time on the slowest node; on a node it is divided by the speed-up.
      group[k] = { cores = job.cores, ops = job.ops / slowest, number = 8 * g + k }
    end
    local relative = {}
    for k, node in ipairs(nodes) do relative[k] = { cores = node.cores, speed = node.speed / slowest } end
    printed.min_min(group, relative, free, jobs[8 * g + 1].arrival)
    ends[#ends + 1] = printed.completion(free)
  end
  for _, note in ipairs(r:notes()) do
    if note.name == "planned" then
      at, planned_of = at + 1, planned_of + 1
      if near(note[2], ends[at]) then planned_right = planned_right + 1 end
    end
  end
  -- Idle cores and running jobs at each start: what runs takes no more than there is, and the job has its own.
  local rows = r:jobs()
  for k, row in ipairs(rows) do
    instants = instants + 1
    local used, node = 0, nodes[tonumber(row.hosts:match "%d+")]
    for other, each in ipairs(rows) do
      if each.hosts == row.hosts and each.start <= row.start and each.finish > row.start + 1e-9 then used = used + jobs[other].cores end
    end
    if used <= node.cores and used >= jobs[k].cores then kept = kept + 1 end
  end
  -- The first group alone, and the first two, plan as with the third one to come.
  for _, mapper in pairs(mappers) do
    local policy = planned { map = mapper }
    local all = s:run { policy = policy }:jobs()
    for groups = 1, 2 do
      local part = printed.scenario(nodes, table.move(jobs, 1, 8 * groups, 1, {})):run { policy = policy }:jobs()
      local equal = true
      for k, row in ipairs(part) do
        equal = equal and row.hosts == all[k].hosts and near(row.start, all[k].start)
        if groups == 1 and row.start > 15 then queued_at_second = queued_at_second + 1 end
      end
      later_cases = later_cases + 1
      if equal then unchanged = unchanged + 1 end
    end
  end
  -- Jobs that one which was submitted later overtakes on its node.
  jobs_in_all = jobs_in_all + #jobs
  for _, overtake in ipairs { false, true } do
    local list = s:run { policy = planned { map = mappers.min_min, overtake = overtake } }:jobs()
    local before = overtaken[overtake]
    look(list, nodes, overtake)
    for _, a in ipairs(list) do
      local passed = false
      for _, b in ipairs(list) do passed = passed or b.hosts == a.hosts and b.arrival > a.arrival and b.start < a.start - 1e-9 end
      if passed then overtaken[overtake] = overtaken[overtake] + 1 end
    end
    if overtake and overtaken[overtake] > before then sets_with = sets_with + 1 end
  end
end
rule("S1-49", "reproduces", planned_right == planned_of and kept == instants,
     ("the planned end of all cores is that by req_time / speed-up, core by core, for %d of %d groups; idle cores suffice at %d of %d "
       .. "starts"):format(planned_right, planned_of,
     kept, instants))
rule("S1-51", "reproduces", unchanged == later_cases and queued_at_second > 0,
     ("nodes and starts of earlier groups are the same without the later ones in %d of %d cases; %d jobs were queued when the second group "
       .. "came"):format(unchanged,
     later_cases, queued_at_second))

-- A queue in which the second job does not fit beside the first, and the third would.
do
  local nodes, jobs = { { cores = 2, speed = 1 } }, { { cores = 1, ops = 10 }, { cores = 2, ops = 11 }, { cores = 1, ops = 12 } }
  for _, job in ipairs(jobs) do job.arrival = 0 end
  local s, starts = printed.scenario(nodes, jobs), {}
  for _, overtake in ipairs { true, false } do
    starts[overtake] = s:run { policy = planned { map = mappers.min_min, overtake = overtake } }:jobs()[3].start
  end
  rule("S1-52", "reproduces", starts[true] == 0 and starts[false] > 0 and none_fits[true] == looked[true],
       ("the third of a queue, for which there is a core, starts at %g s with `overtake`, at %g s without; no queued job fits into the idle cores of "
         .. "its node at %d of %d instants with it, at %d without"):format(starts[true], starts[false], none_fits[true], looked[true],
         none_fits[false]),
       "goes over all is taken to mean that it goes on behind a job that does not fit. By default perigee stops at the first that does not fit")
end
rule("S1-53", "does not reproduce", overtaken[true] == 0,
     ("where all of the queue is gone over %d of %d jobs are overtaken by one that was submitted later, in %d of %d cases; where it stops at the "
       .. "first that does not fit %d")
     :format(overtaken[true], jobs_in_all, sets_with, cases, overtaken[false]), "the verdict rests on schedule_next_job as it is described")

-- ---- wide jobs, section 4.2 ----

do
  local narrow, same, wide_jobs = 0, 0, 0
  for _ = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 4, jobs = 16, cores = 3, wide = 4 })
    nodes[1].cores = 4
    local plan = printed.flow(jobs, nodes, printed.min_min)
    local r = printed.scenario(nodes, jobs):run { policy = planned { map = mappers.min_min } }
    if printed.same(r, plan) then same = same + 1 end
    for i, row in ipairs(r:jobs()) do
      local fits = 0
      for _, node in ipairs(nodes) do if node.cores >= jobs[i].cores then fits = fits + 1 end end
      if fits < #nodes then
        wide_jobs = wide_jobs + 1
        if nodes[tonumber(row.hosts:match "%d+")].cores >= jobs[i].cores then narrow = narrow + 1 end
      end
    end
  end
  -- One job wider than every node. A mapper passes it over; in a run it never comes to the mapper.
  local skipped, others = 0, 0
  for _ = 1, cases do
    local nodes, jobs = printed.draw(rng, { nodes = 3, jobs = 10, cores = 2 })
    nodes[1].cores = 2
    local rows = {}
    for i, job in ipairs(jobs) do
      rows[i] = {}
      for k, node in ipairs(nodes) do rows[i][k] = i == 4 and math.huge or job.ops / node.speed end
    end
    local answer = map(min_min(sorted), etc(rows))
    if answer.machine[4] == false then skipped = skipped + 1 end
    local all = true
    for i = 1, 10 do all = all and (i == 4 or answer.machine[i]) end
    if all then others = others + 1 end
  end
  rule("S1-54", "reproduces", narrow == wide_jobs and wide_jobs > 0 and same == cases and skipped == cases and others == cases,
       ("%d of %d jobs that do not fit every node are on one that holds them; nodes, starts and ends as by req_time / speed-up on the cores free "
         .. "first in %d of %d cases; a job that fits no node is left out, and all others are mapped, in %d of %d")
       :format(narrow, wide_jobs, same, cases, math.min(skipped, others), cases), "in a run perigee rejects such a job when it comes")
end

-- ---- files: the order of IDs, the options ----

do
  local s, options = scenario.irmasim "files/duplex.json"
  -- The four jobs of equal length of the file, on one node of one core.
  local list = {}
  for _, row in ipairs(s:run { policy = options.policy, information = options.information }:jobs()) do
    if row.arrival == 0 then list[#list + 1] = row.name end
  end
  local one = {}
  for i, name in ipairs(list) do one[i] = { name = name, ops = 8 } end
  local rows = scenario { platform = platform { host "one" {} }, workload = workload.jobs(one) }:run { policy = options.policy }:jobs()
  table.sort(rows, function(a, b) return a.start < b.start end)
  local order, by_id = {}, true
  for i, row in ipairs(rows) do
    order[i] = row.name
    by_id = by_id and (i == 1 or order[i - 1] < order[i])
  end
  rule("S1-50", "does not reproduce", by_id, ("four equal jobs, %s in the file, are run in the order %s"):format(table.concat(list, " "),
    table.concat(order, " ")),
       "perigee hands over the jobs of a set as they are in the file. The order shows where requested times are equal; a file in order of IDs gives "
         .. "that of the thesis")
end
do
  local texts = {}
  for _, name in ipairs { "min_min", "max_min", "duplex", "a_star" } do
    local _, options = scenario.irmasim("files/" .. name .. ".json")
    texts[#texts + 1] = tostring(options.policy)
    texts[name] = options.workload_manager.type
  end
  rule("S1-55", "reproduces", texts.min_min == "Duplex" and texts.max_min == "Duplex" and texts.duplex == "Duplex" and texts.a_star == "AStar"
       and texts[1]:find "min_min" and texts[2]:find "max_min" and texts[3]:find "duplex" and texts[4]:find "a_star" and true or false,
       ("manager Duplex with three options is %s, %s and %s; manager AStar is %s"):format(table.unpack(texts)))
end
