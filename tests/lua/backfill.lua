-- backfill and its parameters, promises of numbers of hosts, and functions as the rule `host`. All starts by hand.
-- expect: backfill ok
local expect = require("modules.expect")
local same, refused, starts = expect.same, expect.refused, expect.starts

local function on(nodes, jobs, cores)
  return scenario { platform = platform { cluster "n" { nodes = nodes, cores = cores or 1 } }, workload = workload.jobs(jobs) }
end

-- Who is promised something. b is promised 10 on n.1, n.2 and n.3; with one promise d (30 s) may take n.4, and e (20 s)
-- waits until c, whose promise is for 33, is over. With two, c is promised 15, and d and e go behind it. Without any, d
-- and e take the idle hosts, b waits for e (24), c for d (33).
local five = on(4, {
  { name = "a", nodes = 2, time = 10 }, { name = "b", nodes = 3, time = 5, arrival = 1 },
  { name = "c", nodes = 4, time = 5, arrival = 2 }, { name = "d", nodes = 1, time = 30, arrival = 3 },
  { name = "e", nodes = 1, time = 20, arrival = 4 } })
starts(five, backfill { reserve = 1 }, { 0, 10, 33, 3, 38 }, { "n.1 n.2", "n.1 n.2 n.3", nil, "n.4" })
starts(five, backfill { reserve = 2 }, { 0, 10, 15, 20, 20 })
starts(five, backfill {}, { 0, 10, 15, 20, 20 })
starts(five, backfill { reserve = 0 }, { 0, 24, 33, 3, 4 })

-- Who is first. The host is busy until 10; then b (1 core), c (3) and d (4 cores) wait, each for 5 s.
local order = on(1, { { cores = 4, time = 10 }, { cores = 1, time = 5, arrival = 1 }, { cores = 3, time = 5, arrival = 2 },
                      { cores = 4, time = 5, arrival = 3 } }, 4)
starts(order, backfill {}, { 0, 10, 10, 15 })
starts(order, backfill { priority = "largest" }, { 0, 15, 15, 10 })
starts(order, backfill { priority = function(sim, work) return sim:arrival(work) end }, { 0, 15, 15, 10 })
starts(on(1, { { time = 10 }, { time = 8, arrival = 1 }, { time = 2, arrival = 2 } }), backfill { priority = "shortest" },
       { 0, 12, 10 })
starts(on(1, { { cores = 4, time = 10 }, { cores = 4, time = 5, arrival = 1 }, { cores = 1, time = 5, arrival = 2 } }, 4),
       backfill { priority = "smallest" }, { 0, 15, 10 })

-- b could start at 100, and c (200 s) then goes behind it. If 100 is beyond the window when c comes, or b has not waited
-- long enough, b has no promise and c starts at once.
local waits = on(2, { { time = 100 }, { name = "b", nodes = 2, time = 10, arrival = 1 }, { name = "c", time = 200, arrival = 2 } })
starts(waits, backfill {}, { 0, 100, 110 })
starts(waits, backfill { window = 98 }, { 0, 100, 110 })
starts(waits, backfill { window = "50 s" }, { 0, 202, 2 })
starts(waits, backfill { min_age = 1 }, { 0, 100, 110 })
starts(waits, backfill { min_age = 10 }, { 0, 202, 2 })
-- At depth 1 nobody looks at c.
starts(waits, backfill { reserve = 0 }, { 0, 202, 2 })
starts(waits, backfill { reserve = 0, depth = 1 }, { 0, 100, 110 })

-- Passes at multiples of 30 s. c (20 s) starts at 30, for at its arrival the quick pass ends at b.
local passes = on(2, { { time = 100 }, { nodes = 2, time = 10, arrival = 1 }, { time = 20, arrival = 2 } })
starts(passes, backfill {}, { 0, 100, 2 })
starts(passes, backfill { interval = 30 }, { 0, 100, 30 })
-- At a resolution of 60 s the first job is thought to end at 120, so that c (80 s) starts at 30 and b waits for it.
local coarse = on(2, { { time = 100 }, { nodes = 2, time = 10, arrival = 1 }, { time = 80, arrival = 2 } })
starts(coarse, backfill { interval = 30 }, { 0, 100, 110 })
starts(coarse, backfill { interval = 30, resolution = 60 }, { 0, 110, 30 })
starts(coarse, backfill { preset = "slurm" }, { 0, 110, 30 })
starts(coarse, backfill { preset = "slurm", interval = 0, resolution = 0 }, { 0, 100, 2 })

-- One start in a pass; passes are at 0 and when something ends. With an interval the quick passes start one each too.
local three = on(3, { { time = 10 }, { time = 10 }, { time = 10 } })
starts(three, backfill { max_start = 1 }, { 0, 10, 20 })
starts(three, backfill { max_start = 1, main_depth = 1, interval = 5 }, { 0, 0, 5 })
-- One job of each user is looked at: at 10 x's first and y's.
local users = on(2, { { nodes = 2, time = 10, user = "x" }, { time = 5, user = "x", arrival = 1 },
                      { time = 5, user = "x", arrival = 2 }, { time = 5, user = "y", arrival = 3 } })
starts(users, backfill { max_user = 1 }, { 0, 10, 15, 10 })
starts(users, backfill {}, { 0, 10, 10, 15 })

-- A window that is known: b (4 cores, 100 s) waits for its end, c is over before it.
local reserved = scenario { platform = platform { host "h" { cores = 4 } }, workload = workload.jobs {
  { cores = 4, time = 100, arrival = 100 }, { cores = 2, time = 40, arrival = 110 }, { cores = 2, time = 60, arrival = 120 } },
  events = { reserve { host = "h", from = 150, to = 250, known = 0 } } }
starts(reserved, backfill {}, { 250, 110, 350 })

-- Why.
local sim = waits:start { policy = backfill { window = 60 } }
sim:run_until(50)
-- At the last event, the arrival of c, b could have had its hosts at 100.
same(tostring(sim:why "b"):find("could have n.1, n.2 at 100 s, which is beyond the window", 1, true) ~= nil, true, "why b waits")
sim = waits:start { policy = backfill {} }
sim:run_until(50)
same(tostring(sim:why "c"):find("is promised n.1, n.2 at 100 s", 1, true) ~= nil, true, "why c waits")
-- A fork in the middle goes on alike, and it ends.
sim = coarse:start { policy = backfill { preset = "slurm" } }
sim:run_until(50)
same(sim:fork():run().fingerprint, coarse:run { policy = backfill { preset = "slurm" } }.fingerprint, "fork")
-- The second job can never start: the run ends, and does not wait for passes for ever.
local never = scenario { platform = platform { cluster "n" { nodes = 2 } },
                         workload = workload.jobs { { time = 10 }, { nodes = 2, time = 5, arrival = 1 } },
                         events = { leave { host = "n.2", at = 3 } } }
same(never:run { policy = backfill { preset = "slurm" } }.finished, 1, "finished")

-- The rule `host` as a function: hosts in an order, or shares.
local function last_first(_, _, hosts)
  local order = {}
  for i = #hosts, 1, -1 do order[#order + 1] = hosts[i] end
  return order
end
local placed = on(4, { { nodes = 2, time = 5 }, { time = 5 }, { nodes = 3, time = 5, arrival = 1 } })
for _, make in ipairs { fcfs, sjf, easy, conservative, backfill } do
  starts(placed, make { host = last_first }, { 0, 0, 5 }, { "n.3 n.4", "n.2" })
end
-- The three processes that begin go one to each host in place of two to the first.
local spread = on(3, { { processes = 3, time = 5 } }, 2)
starts(spread, easy { host = function(_, _, hosts)
  local shares = {}
  for i, host in ipairs(hosts) do shares[i] = { host, 1 } end
  return shares
end }, { 0 }, { "n.1 n.2 n.3" })
-- It may wait: nothing before the first job is over.
starts(on(2, { { time = 5 }, { time = 5 } }), fcfs { host = function(_, _, hosts) if #hosts == 2 then return hosts end end }, { 0, 5 })
-- It looks at what policies see, and draws from the run's streams.
starts(on(3, { { cores = 1, time = 5 }, { cores = 1, time = 5, arrival = 1 } }, 2),
       easy { host = function(s, work, hosts)
         same(s:shape(work).nodes, 1, "shape")
         table.sort(hosts, function(a, b) return s:idle_cores(a) < s:idle_cores(b) or s:idle_cores(a) == s:idle_cores(b) and a > b end)
         return hosts
       end }, { 0, 1 }, { "n.3", "n.3" })
local drawn = easy { host = function(s, _, hosts) return { hosts[s:stream("places"):integer(1, #hosts)] } end }
same(placed:run { policy = easy { host = last_first }, seed = 3 }.fingerprint,
     placed:run { policy = easy { host = last_first }, seed = 3 }.fingerprint, "a repeat")
local singles = on(4, { { time = 5 }, { time = 4 }, { time = 3, arrival = 1 } })
same(singles:run { policy = drawn, seed = 3 }.fingerprint, singles:run { policy = drawn, seed = 3 }.fingerprint, "a repeat that draws")

local one = on(2, { { nodes = 2, time = 5 } })
local function under(answer) return function() one:run { policy = easy { host = answer } } end end
refused("n.1 twice", under(function() return { 1, 1 } end))
refused("must be 1 to 2, got 3", under(function() return { 3 } end))
refused("must return a list of hosts, got 7", under(function() return 7 end))
refused("which is none of the hosts that it was given", function()
  on(2, { { time = 5 }, { time = 5 } }):run { policy = fcfs { host = function() return { 1 } end } }
end)
refused("beside hosts without", under(function() return { 1, { 2, 1 } } end))
refused("only looks", under(function(s, work) s:start(work, { 1, 2 }) end))
refused("for job 1 at t = 0 s", under(function() error("oh") end))
refused("host must be \"fastest\"", function() easy { host = 3 } end)
refused("or a function of (sim, work, hosts)", function() easy { host = 3 } end)
refused("priority must be a finite number", function()
  one:run { policy = backfill { priority = function() return 0 / 0 end } }
end)

-- The same in sim:allocate and plan:earliest.
policy "by_function" { accepts = { "jobs", "several_cores", "several_hosts" },
  arrived = function(self, s, works)
    local where = s:allocate(works[1], { host = last_first })
    same(table.concat(where, " "), "3 4", "allocate")
    local _, there = s:plan():earliest(works[1], { host = last_first })
    same(table.concat(there, " "), "3 4", "earliest")
    refused("only looks", function()
      s:allocate(works[1], { host = function(_, work) s:start(work, { 1, 2 }) end })
    end)
    s:start(works[1], where)
  end }
same(on(4, { { nodes = 2, time = 5 } }):run { policy = "by_function" }:jobs()[1].hosts, "n.3 n.4", "hosts")

-- Promises of numbers of hosts: jobs must take whole hosts.
refused("job 2 takes 1 of the 2 cores of n.1", function()
  on(2, { { cores = 2, time = 5 }, { time = 5 } }, 2):run { policy = conservative { promise = "count" } }
end)
refused("host is given beside promise", function() conservative { promise = "count", host = "first" } end)
starts(five, conservative { promise = "count" }, { 0, 10, 15, 20, 20 })
print("backfill ok")
