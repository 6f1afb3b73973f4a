-- Outages that are known beforehand: policies plan around them. Starts by hand.
-- expect: windows ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

local function starts(s, policy, expected, hosts)
  local rows = s:run { policy = policy, validate = true }:jobs()
  for i, start in ipairs(expected) do
    same(rows[i].start, start, ("%s, job %d"):format(tostring(policy), i))
    if hosts and hosts[i] then same(rows[i].hosts, hosts[i], ("hosts under %s, job %d"):format(tostring(policy), i)) end
  end
end

-- One host of 4 cores, reserved from 150 to 250. c would be over by then, b and d would not.
local function reserved(known)
  return scenario { platform = platform { host "h" { cores = 4 } }, workload = workload.jobs {
    { name = "b", cores = 4, time = 100, arrival = 100 }, { name = "c", cores = 2, time = 40, arrival = 110 },
    { name = "d", cores = 2, time = 60, arrival = 120 } },
    events = { reserve { host = "h", from = 150, to = 250, known = known } } }
end
starts(reserved(0), "easy", { 250, 110, 350 })
starts(reserved(0), "conservative", { 250, 110, 350 })
starts(reserved(0), "fcfs", { 250, 350, 350 })
same(reserved(0):run { policy = "easy" }.lost, 0, "nothing is lost")
same(reserved():run { policy = "easy" }.lost, 1, "b starts into what it does not know")

-- Maintenance of n.3 and n.4 from 40 to 60.
local s = scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.jobs {
  { name = "a", nodes = 2, time = 30 }, { name = "b", nodes = 3, time = 20, arrival = 1 },
  { name = "c", time = 60, arrival = 2 }, { name = "d", nodes = 2, time = 5, arrival = 3 } },
  events = { maintenance { hosts = { "n.3", "n.4" }, from = 40, to = 60 } } }
for _, policy in ipairs { "easy", "conservative" } do
  starts(s, policy, { 0, 60, 30, 3 }, { "n.1 n.2", "n.1 n.3 n.4", "n.2", "n.3 n.4" })
end

-- It comes again every 100 s, three times: a job of 80 s fits between, one of 90 s only behind the last.
local again = scenario { platform = platform { host "h" {} }, workload = workload.jobs {
  { time = 80, arrival = 5 }, { time = 90, arrival = 130 } },
  events = { maintenance { all = true, from = 0, to = 20, every = 100, times = 3 } } }
starts(again, "fcfs", { 20, 220 })

-- An outage that becomes known at 30 is planned around from then on; an outage nobody knows beforehand is not.
local function learnt(known)
  return scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.jobs {
    { time = 60, arrival = 20 }, { time = 40, arrival = 35 } },
    events = { outage { cluster = "n", from = 70, to = 90, known = known } } }
end
starts(learnt(30), "easy", { 90, 90 })
starts(learnt(10), "easy", { 90, 90 })

-- Policies of scripts are told, and see the windows.
local seen = {}
policy "looks" { accepts = { "jobs" },
  known = function(self, sim)
    for _, window in ipairs(sim:windows()) do
      seen[#seen + 1] = ("%g %s %g-%g %d"):format(sim:now(), window.reason, window.from, window.to, #window.hosts)
    end
  end,
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do
      if sim:now() >= 90 and sim:fits(work, 1) then sim:start(work, 1) end
    end
  end }
learnt(30):run { policy = "looks" }
same(seen[1], "30 outage 70-90 2", "windows")

-- At the prompt: a job that is submitted at 31 runs behind the maintenance, and `why` names it.
local asked = scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.jobs {
  { name = "a", nodes = 2, time = 30 }, { name = "b", nodes = 3, time = 20, arrival = 1 },
  { name = "c", time = 60, arrival = 2 }, { name = "e", nodes = 4, time = 20, arrival = 30 } },
  events = { maintenance { hosts = { "n.3", "n.4" }, from = 40, to = 60 } } }
for _, policy in ipairs { "easy", "conservative" } do
  local sim = asked:start { policy = policy }
  sim:run_until(31)
  local fork = sim:fork()
  fork:submit { name = "f", nodes = 2, time = 15 }
  local rows = fork:run():jobs()
  same(sim:quote({ nodes = 2, time = 15 }).start, rows[#rows].start, "quote under " .. policy)
  same(tostring(sim:why "b"):find("n.3, n.4: maintenance from 40 s to 60 s", 1, true) ~= nil, true, "why under " .. policy)
end

-- Hosts that leave and join. n.2 leaves at 20: b (30 s) waits for n.1, or is lost there where nobody knew.
local function members(jobs, events) return scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.jobs(jobs), events = events } end
for _, policy in ipairs { fcfs {}, easy {}, conservative {}, backfill {} } do
  local two = { { time = 30 }, { time = 30, arrival = 1 } }
  starts(members(two, { leave { host = "n.2", at = 20, known = 0 } }), policy, { 0, 30 })
  local lost = members(two, { leave { host = "n.2", at = 20 } }):run { policy = policy, validate = true }
  same(lost.lost .. " " .. lost.makespan, "1 60.0", "nobody knew")
end
-- n.2 comes at 50. w needs both: where that is known it has them at 50, and c (60 s) goes behind it.
for _, policy in ipairs { easy {}, conservative {}, backfill {} } do
  local both = { { nodes = 2, time = 10 }, { time = 60, arrival = 1 } }
  starts(members(both, { join { host = "n.2", at = 50, known = 0 } }), policy, { 50, 60 })
  starts(members(both, { join { host = "n.2", at = 50 } }), policy, { 61, 1 })
end
-- It leaves at 5, and at 10 it becomes known that it comes back at 40: w is promised 40 from then on, and d waits for it.
for _, policy in ipairs { easy {}, conservative {} } do
  starts(members({ { nodes = 2, time = 10, arrival = 1 }, { time = 20, arrival = 2 }, { time = 35, arrival = 12 } },
    { leave { host = "n.2", at = 5, known = 0 }, join { host = "n.2", at = 40, known = 10 } }), policy, { 40, 2, 50 })
end
-- A cluster takes its hosts along, and brings them.
local away = scenario { platform = platform { cluster "a" { nodes = 1 }, cluster "b" { nodes = 2 } },
  workload = workload.jobs { { nodes = 3, time = 5, arrival = 8 }, { time = 9, arrival = 8 } },
  events = { leave { cluster = "b", at = 10, known = 3 }, join { cluster = "b", at = 20, known = 3 } } }
starts(away, easy {}, { 20, 8 }, { nil, "a.1" })
-- The promises of conservative stand when a maintenance ends as it was to: b and c are promised 34 at their arrival.
local stands = scenario { platform = platform { cluster "h" { nodes = 3, cores = 2 } }, workload = workload.jobs {
  { arrival = 3, nodes = 3, time = 14 }, { arrival = 4, processes = 4, time = 21 }, { arrival = 11, cores = 2, time = 11 } },
  events = { maintenance { host = "h.1", from = 5, to = 20 } } }
starts(stands, conservative {}, { 20, 34, 34 })
-- A quote knows what is known: n.1 is back at 70.
local returns = scenario { platform = platform { cluster "n" { nodes = 2 } }, workload = workload.jobs { { nodes = 2, time = 40 } },
  events = { leave { host = "n.1", at = 50, known = 0 }, join { host = "n.1", at = 70, known = 0 } } }:start { policy = "easy" }
for _, at in ipairs { 5, 55 } do
  returns:run_until(at)
  same(returns:quote { nodes = 2, time = 20 }.start, 70, "quote at " .. at)
end
refused("known must be at most at = 5 s, got 6", function() return leave { host = "h", at = 5, known = 6 } end)
refused("known must be at most from = 5 s, got 6", function() return outage { host = "h", from = 5, to = 9, known = 6 } end)
refused("known has no place beside announced = false",
        function() return reserve { host = "h", from = 5, to = 9, known = 1, announced = false } end)
refused("every must be at least the 4 s that it lasts, got 3",
        function() return maintenance { all = true, from = 5, to = 9, every = 3, times = 2 } end)
refused("times = 2 needs every", function() return maintenance { all = true, from = 5, to = 9, times = 2 } end)
print "windows ok"
