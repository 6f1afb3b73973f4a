-- A SchedulerList.xml of Sim-PETEK (2010, section 4.2): two requests under each of its entries.
-- takes: a moment
-- perigee run scripts/sim-petek/scheduler-list.lua --set file=SchedulerList.xml
--   --set trials=20 --set vx=4 --set second=5     the first request: trials, velocities; velocities of the second
--   --out results                                 a folder for each entry and request, with petek.json

local petek = require "petek"
local studies = require "studies"
local list = scheduler_list(setting("file", "SchedulerList.xml"))
local trials, nodes, weights = setting("trials", 20), petek.cluster(), petek.wsn()
local requests = {}
for i, vx in ipairs { setting("vx", 4), setting("second", 5) } do
  requests[i] = petek.scenario(nodes, { points = petek.grid(vx), trials = trials, weights = weights })
end

-- The requests come one after the other, and each is a run of its own: what was learnt of the hosts is forgotten between
-- them, and the second one begins when the first is done. Each entry begins afresh, in the order of the file.
print(("%-36s %-8s %12s %12s %10s %10s"):format("entry", "request", "takes, s", "done, s", "efficiency", "spread, s"))
local least, best = math.huge, nil
for i, entry in ipairs(list) do
  local done = 0
  for number, request in ipairs(requests) do
    local r = request:run { policy = entry.policy }
    done = done + r.makespan
    print(("%-36s %-8d %12.2f %12.2f %10.3f %10.2f"):format(number == 1 and entry.label or "", number, r.makespan, done, r.efficiency,
          r.finish_spread))
    studies.save(r, ("entry %d, request %d"):format(i, number), { "petek" })
  end
  if done < least then least, best = done, entry.label end
end
print(("\nthe shortest: %s, %.2f s"):format(best, least))

-- ---- the statements of sections 4.1 to 4.3, for the sample of Figure 4.2 ----

local sample = scheduler_list "SchedulerList.xml"
local labels, apart, records = {}, 0, 0
for i, entry in ipairs(sample) do
  labels[i] = entry.label
  for number, request in ipairs(requests) do
    -- After another request, and by itself.
    local after = request:run { policy = entry.policy }:record()
    requests[3 - number]:run { policy = entry.policy }
    local again = request:run { policy = scheduler_list("SchedulerList.xml")[i].policy }:record()
    records = records + 1
    if after == again then apart = apart + 1 end
  end
end
claim { statement = "S0-101", verdict = "reproduces", holds = records == #sample * #requests and apart == records,
        found = ("%d entries on %d requests give %d records; %d of them are the same after another run as without one"):format(#sample, #requests,
               records, apart) }
local kinds = { 0, 0, 0 }
for _, label in ipairs(labels) do
  local kind = label:find "/" and 2 or label:find "-" and 1 or 3
  kinds[kind] = kinds[kind] + 1
end
claim { statement = "S0-102", verdict = "reproduces", holds = #sample == 5 and kinds[1] == 2 and kinds[2] == 2 and kinds[3] == 1,
        found = ("the sample has %d entries of NumRounds, %d of Peak, KValue and MValue, %d without parameters"):format(kinds[1], kinds[2],
               kinds[3]) }
claim { statement = "S0-103", verdict = "reproduces",
        holds = table.concat(labels, ", ") == "AMRA-2, AMRA-3, ImprovedSSSEScheduler-2/15/10.5, ImprovedSSSEScheduler-3/30/20.3, CalibratedScheduler",
        found = table.concat(labels, ", ") }
-- The names of the fields of a record, for each scheduler.
local function fields_of(policy)
  local seen, names = {}, {}
  requests[1]:run { policy = policy }:record():gsub('"([%w_]+)":', function(name)
    if not seen[name] then seen[name], names[#names + 1] = true, name end
  end)
  table.sort(names)
  return table.concat(names, " ")
end
local sine, alike, first = { peak = 2, k = 15, m = 10.5 }, 0, nil
for _, policy in ipairs { amra { rounds = 5 }, amrs { rounds = 5 }, samra { rounds = 5 }, ssse_amra(sine), issse_amra(sine), calibrated {} } do
  local fields = fields_of(policy)
  first = first or fields
  -- Calibrated has no ENPR, so its list of updates is empty.
  local missing = 0
  first:gsub("%S+", function(name)
    if not (" " .. fields .. " "):find(" " .. name .. " ", 1,
           true) and name ~= "enpr" and name ~= "npp" and name ~= "t" then missing = missing + 1 end
  end)
  if missing == 0 then alike = alike + 1 end
end
-- Without what they add SAMRA and SSSE deal as AMRA, and ISSSE as SSSE.
local function jobs_of(policy)
  local parts = {}
  for _, p in ipairs(requests[1]:run { policy = policy }:packages()) do
    if p.use ~= "duplicate" then parts[#parts + 1] = ("%s %d %d %.6f"):format(p.host, p.first, p.runs, p.start) end
  end
  return table.concat(parts, ";")
end
local function share(_, state) return cost.whole_share(state.quota * state.enpr) end
local plain = jobs_of(amra { rounds = 5 })
local extends = { jobs_of(samra { rounds = 5, units = 1000000, probe = share }) == plain,
                  jobs_of(ssse_amra { runs_in_round = #petek.grid(setting("vx", 4)) / 5, units = 1000000 }) == plain,
                  jobs_of(issse_amra(sine)) == jobs_of(ssse_amra(sine)) }
local reduced = 0
for _, each in ipairs(extends) do if each then reduced = reduced + 1 end end
claim { statement = "S0-104", verdict = "reproduces", holds = alike == 6 and reduced == 3,
        found = ("the records of %d of 6 schedulers have the same metrics: %s; without what they add SAMRA and SSSE deal the same jobs as AMRA, " ..
               "and ISSSE as SSSE: %d of 3"):format(alike, first, reduced),
        note = "perigee has no classes; what a class is derived from is read as what a scheduler is without its additions" }
