-- The power of hosts, and hosts that are switched off and on. All numbers by hand.
-- expect: power ok
local expect = require("modules.expect")
local same, refused = expect.same, expect.refused

local node = { idle = 100, epsilon = 120, busy = 200, off = 10, down = 3,
               boot = { time = 20, power = 150 }, shutdown = { time = 5, energy = "650 J" } }
local function near(a, b, what)
  if not (math.abs(a - b) <= 1e-9 * math.max(1, math.abs(b))) then error(("%s: expected %s, got %s"):format(what, b, a), 2) end
end
local function on(hosts, jobs, more)
  local declared = { platform = platform { cluster "n" { nodes = hosts, cores = 4, power = node } }, workload = workload.jobs(jobs) }
  for key, value in pairs(more or {}) do declared[key] = value end
  return scenario(declared)
end

-- 100, 140, 160, 180, 200 W for 0 to 4 busy cores, here for 10 s.
for cores, watts in ipairs { 140, 160, 180, 200 } do
  local r = on(1, { { cores = cores, time = 10 } }):run { policy = "fcfs", validate = true }
  near(r.energy, 10 * watts, cores .. " cores")
  near(r.mean_power, watts, "mean power")
  near(r["energy.jobs"], 10 * watts, "of the job")
end
-- 200 W for 18000 s are 3.6e6 J, which is 1 kWh.
near(on(1, { { cores = 4, time = 18000 } }):run { policy = "fcfs" }["energy.kwh"], 1, "kWh")
-- Two jobs share: 160 W for 10 s, then 140 W for 10 s and the other alone.
do
  local r = on(1, { { time = 10 }, { time = 20 } }):run { policy = "fcfs" }
  near(r.energy, 1600 + 1400, "two jobs")
  near(r["energy.jobs"], (800 + 2200) / 2, "of each")
  near(r.peak_power, 160, "peak")
  near(r.energy_delay, 3000 * 20, "energy and time")
  -- a load of 0.5 counts as half a core
  near(on(1, { { time = 10, load = 0.5 } }):run { policy = "fcfs" }.energy, 1300, "load")
  near(on(1, { { time = 10, load = 0 } }):run { policy = "fcfs" }.energy, 1000, "no load")
end
-- An outage from 4 to 8 draws 3 W; the job stands still and goes on.
do
  local s = on(1, { { time = 10 } }, { events = { outage { host = "n.1", from = 4, to = 8 } }, on_failure = { compute = "resumed" } })
  local r = s:run { policy = "fcfs", validate = true }
  near(r.energy, 10 * 140 + 4 * 3, "away")
  near(r["energy.down"], 12, "down")
  same(r["energy.off"], 0, "off")
end

-- The example of two hosts: x until 10; off at 20 + 5, n.2 at 10 + 5; y waits for both to boot until 60, z for y.
local two = on(2, { { name = "x", time = 10 }, { name = "y", nodes = 2, cores = 4, time = 10, arrival = 40 }, { name = "z", time = 2, arrival = 41 } })
for _, policy in ipairs { fcfs { off_after = 10 }, easy { off_after = 10 }, pending_list { off_after = 10 } } do
  local r = two:run { policy = policy, validate = true }
  local jobs = r:jobs()
  same(jobs[2].start, 60, "y under " .. tostring(policy))
  same(jobs[3].start, 70, "z under " .. tostring(policy))
  near(r.energy, 8480 + 7100, "energy under " .. tostring(policy))
  near(r["energy.transition"], 2 * (650 + 3000), "on the way")
  near(r["energy.off"], 15 * 10 + 25 * 10, "off")
  near(r["energy.busy"], 1400 + 2 * 2000 + 280, "busy")
  near(r["energy.idle"], 1000 + 1000 + 200, "idle")
  same(r.boots, 2, "boots")
  same(r.shutdowns, 2, "shutdowns")
end
-- sjf turns to z, which is shorter, when that comes: it is bound to n.1, which boots already.
do
  local r = two:run { policy = sjf { off_after = 10 }, validate = true }
  local jobs = r:jobs()
  same(jobs[3].start, 60, "z")
  same(jobs[2].start, 62, "y")
  near(r.energy, 8480 + 7100, "the same hosts for as long")
end
-- conservative promises y both hosts at 60, and z, which would be over by then, n.1 at no time before: it could be on at 60 too.
for _, policy in ipairs { conservative { off_after = 10 }, backfill { off_after = 10 } } do
  local jobs = two:run { policy = policy, validate = true }:jobs()
  same(jobs[2].start, 60, "y is promised the end of the boot")
  same(jobs[3].start, 70, "z")
end
-- One idle host stays on.
do
  local r = two:run { policy = fcfs { off_after = 10, keep_on = 1 }, validate = true }
  same(r:jobs()[2].start, 60, "y waits for one of them")
  same(r.boots, 1, "one boots")
end

-- A policy in Lua that switches by itself, and what it is told.
local told = {}
policy "by_hand" {
  accepts = { "jobs", "several_cores" },
  begin = function(self, sim) sim:power_off(2) end,
  arrived = function(self, sim, works)
    self.waiting = works[1]
    if sim:power(1) == "on" then sim:start(works[1], 1) else sim:power_on(1) end
  end,
  finished = function(self, sim)
    sim:power_off(1)
    local _, _, when = sim:power(1)
    sim:note("could be on", when)
  end,
  powered = function(self, sim, hosts)
    for _, host in ipairs(hosts) do
      sim:note(sim:power(host), host)
      if host == 1 and sim:power(1) == "on" then sim:start(self.waiting, 1) end
    end
  end,
}
do
  local r = on(2, { { time = 10 }, { time = 10, arrival = 12 } }):run { policy = "by_hand", validate = true }
  same(r.makespan, 45, "off at 15, on at 35")  -- switched on at 12, while it shuts down
  near(r.energy, 1400 + 650 + 3000 + 1400 + (650 + 40 * 10), "by hand")
end
-- States of speed: half the speed from 5 on, the second half takes 10 s.
policy "slow" {
  accepts = { "jobs", "several_cores" },
  arrived = function(self, sim, works) sim:start(works[1], 1); sim:timer(5) end,
  timer = function(self, sim) sim:set_state(1, 2) end,
}
do
  local states = { { idle = 100, busy = 200 }, { factor = 0.5, idle = 50, busy = 80 } }
  local s = scenario { platform = platform { host "h" { power = { states = states } } }, workload = workload.jobs { { time = 10 } } }
  local r = s:run { policy = "slow", validate = true }
  same(r.makespan, 15, "half the speed")
  near(r.energy, 5 * 200 + 10 * 80, "two states")
  -- with a change of speed beside it
  local changed = scenario { platform = platform { host "h" { power = { states = states } } },
                             workload = workload.jobs { { time = 10 } }, events = { change { host = "h", at = 0, factor = 0.5 } } }
  same(changed:run { policy = "slow", validate = true }.makespan, 5 + 7.5 / 0.25, "both factors")
end

-- The ends of boots come with an outage in between: it stays off.
policy "boots" {
  accepts = { "jobs", "several_cores" },
  begin = function(self, sim) sim:power_off(1) end,
  arrived = function(self, sim, works) self.work = works[1]; sim:power_on(1) end,
  powered = function(self, sim)
    if sim:power(1) == "on" then sim:start(self.work, 1) end
  end,
  host_changed = function(self, sim) if sim:power(1) == "off" and sim:is_up(1) then sim:power_on(1) end end,
}
for _, announced in ipairs { true, false } do
  local s = on(1, { { time = 10, arrival = 10 } }, { events = { outage { host = "n.1", from = 15, to = 18, announced = announced } } })
  local r = s:run { policy = "boots", validate = true }
  same(r.makespan, 48, "boots again at 18: who sees that it does not come on is told when it is back")
end
-- Nobody is told that n.1 is down from 15 to 100. It does not come on by 40, and n.2 is booted in its place until 60.
for _, policy in ipairs { fcfs { off_after = 0 }, sjf { off_after = 0 }, easy { off_after = 0 }, pending_list { off_after = 0 } } do
  local r = on(2, { { time = 10, arrival = 20 } }, { events = { outage { host = "n.1", from = 15, to = 100, announced = false } } }):run { policy = policy, validate = true }
  same(r:jobs()[1].start, 60, "the other host under " .. tostring(policy))
  same(r.boots, 2, "two boots")
end

-- By job, host and user, and over time.
do
  local s = on(2, { { name = "x", time = 10, user = "ada" }, { name = "y", cores = 4, time = 10, user = "bob" }, { name = "z", cores = 3, time = 10, user = "ada" } })
  local r = s:run { policy = "fcfs" }
  local jobs, users, hosts = r:jobs(), r:users(), r:resources()
  -- x and z share n.1 at 200 W, y has n.2 at 200 W
  near(jobs[1].energy, 500, "x")
  near(jobs[2].energy, 2000, "y")
  near(jobs[3].energy, 1500, "z")
  near(users[1].energy, 2000, "ada")
  near(users[2].energy, 2000, "bob")
  near(hosts[1].energy, 2000, "n.1")
  near(hosts[2].energy, 2000, "n.2")
  r:plot { kind = "power" }
end

-- Hosts that are away, known to go away, or down without that anybody was told; no time to boot.
do
  local plain = { idle = 1, busy = 1 }
  local function ends(what, policy, finish, hosts, jobs, event)
    local r = scenario { platform = platform { cluster "a"(hosts) }, workload = workload.jobs(jobs), events = { event } }
      :run { policy = policy, validate = true }
    same(r.status, "complete", what .. " under " .. tostring(policy))
    if finish then same(r.makespan, finish, what .. " under " .. tostring(policy)) end
  end
  for _, policy in ipairs { fcfs { off_after = 0 }, sjf { off_after = 0 }, easy { off_after = 0 }, pending_list { off_after = 0 },
                            conservative { off_after = 0 }, backfill { off_after = 0 } } do
    -- the job needs a.1, which is away from 1 to 60, and boots for 6 s
    ends("an outage that is known", policy, nil, { nodes = 3, power = { idle = 1, busy = 1, boot = { time = 6 } } }, { { nodes = 3, time = 1 } },
         maintenance { host = "a.1", from = 1, to = 60 })
    ends("a long job before an outage", policy, 30 + 48, { nodes = 2, power = plain }, { { nodes = 2, time = 48 } },
         maintenance { host = "a.1", from = 5, to = 30 })
    ends("a silent outage", policy, nil, { nodes = 2, power = plain }, { { time = 10, arrival = 20 } },
         outage { host = "a.1", from = 15, to = 100, announced = false })
    ends("who is there from the beginning", policy, 10, { nodes = 1, power = { idle = 58, busy = 81, boot = { time = 3 }, shutdown = { time = 3 } } },
         { { time = 10 } }, mark { name = "now", at = 0 })
  end
  ends("an order that prefers what is off", conservative { host = "best_fit", off_after = 0 }, 10, { nodes = 2, cores = 2, power = plain }, { { time = 10 } }, mark { name = "now", at = 0 })
  for _, policy in ipairs { backfill { min_age = 1, off_after = 1 }, backfill { window = 1, off_after = 1 }, backfill { reserve = 0, off_after = 1 } } do
    ends("who is promised nothing", policy, 501, { nodes = 1, power = { idle = 1, busy = 1, boot = { time = 50 } } }, { { time = 1, arrival = 450 } }, mark { name = "now", at = 0 })
  end
end

-- The job needs both hosts. n.2 goes away while both boot for it; n.1 is switched off again, and both are on when n.2 is back.
for _, policy in ipairs { fcfs { off_after = 10 }, sjf { off_after = 10 }, easy { off_after = 10 }, pending_list { off_after = 10 }, conservative { off_after = 10 }, backfill { off_after = 10 } } do
  local r = on(2, { { nodes = 2, time = 10, arrival = 40 } }, { events = { outage { host = "n.2", from = 50, to = 1000 } } }):run { policy = policy, validate = true }
  same(r:jobs()[1].start, 1020, tostring(policy))
  -- n.1: until 10; after its boot, from 60 to 70; after the job, nothing
  near(r["energy.idle"], 100 * (10 + 10 + 10), "idle under " .. tostring(policy))
end
-- A job that comes before the one that is bound takes its host; the other is bound to the third host, which boots for 2 s.
do
  local quick = { idle = 1, busy = 2, boot = { time = 2, power = 1 } }
  local s = scenario { platform = platform { cluster "n" { nodes = 3, power = quick } },
                       workload = workload.jobs { { name = "x", time = 2.5, arrival = 13 }, { name = "long", time = 25, arrival = 13 }, { name = "short", time = 20, arrival = 15 } } }
  local jobs = s:run { policy = sjf { off_after = 1, keep_on = 1 }, validate = true }:jobs()
  same(jobs[2].start, 17, "long")
  same(jobs[3].start, 15, "short")
end
-- A host that leaves while it boots, and joins again.
do
  local node = { idle = 100, busy = 200, off = 10, boot = { time = 20, power = 150 } }
  local r = scenario { platform = platform { host "h" { power = node } }, workload = workload.jobs { { time = 10 }, { time = 10, arrival = 30 } },
                       events = { leave { host = "h", at = 40 }, join { host = "h", at = 60 } } }:run { policy = fcfs { off_after = 5 }, validate = true }
  same(r:jobs()[2].start, 80, "it boots again at 60")
end
-- A promise counts boots, whenever it is asked for.
do
  local sim = on(2, { { name = "y", nodes = 2, time = 10, arrival = 100 } }):start { policy = conservative { off_after = 10 } }
  sim:run_until(105)
  assert(tostring(sim:why("y")):find("is promised n.1, n.2 at 120 s", 1, true), tostring(sim:why("y")))
  same(sim:hosts()[1].state, "booting", "seen from outside")
end

-- Another policy takes over at 20, when the host is off. One that knows nothing of that finds it on its way, at 20 or after an outage.
policy "switches" {
  accepts = { "jobs", "off" },
  arrived = function(self, sim, works) self.work = works[1]; sim:power_on(1) end,
  powered = function(self, sim) sim:start(self.work, 1) end,
}
policy "unaware" {
  accepts = { "jobs" },
  decide = function(self, sim)
    for work = 1, sim:work_count() do
      if sim:waits(work) and sim:fits(work, 1) then sim:start(work, 1) end
    end
  end,
}
do
  local function starts(what, policy, start, event)
    local sim = on(1, { { time = 10, arrival = 30 } }, { events = { event or mark { name = "now", at = 0 } } }):start { policy = fcfs { off_after = 10 } }
    sim:set_policy(policy, { at = 20 })
    local r = sim:run()
    same(r:jobs()[1].start, start, what)
    same(#r:validate(), 0, what .. " is valid")
  end
  for _, other in ipairs { gang {}, "unaware" } do
    starts("switched on", other, 40)
    starts("away until 30", other, 50, outage { host = "n.1", from = 18, to = 30 })
    starts("away from 25 to 28", other, 48, outage { host = "n.1", from = 25, to = 28 })
    starts("away, and nobody is told", other, 65, outage { host = "n.1", from = 18, to = 45, announced = false })
    starts("on its way off", other, 40, mark { name = "now", at = 20 })
  end
  for _, other in ipairs { easy {}, conservative {}, "switches" } do starts("when it is needed", other, 50) end
end

-- A rule that saves energy: 90 J for an operation on c, 100 on a, 125 on b.
do
  local function host_of(name, speed, idle, busy) return host(name) { speed = speed, power = { idle = idle, busy = busy } } end
  local s = scenario { platform = platform { host_of("a", 1, 100, 200), host_of("b", 2, 100, 350), host_of("c", 4, 50, 410) },
                       workload = workload.jobs { { ops = 40 }, { ops = 40 }, { ops = 40 } } }
  for _, policy in ipairs { fcfs { host = "least_energy" }, easy { host = "least_energy" }, backfill { host = "least_energy" }, sjf { host = "least_energy" },
                            conservative { host = "least_energy" }, pending_list { resource = "least_energy" } } do
    local where = {}
    for i, job in ipairs(s:run { policy = policy, validate = true }:jobs()) do where[i] = job.hosts end
    same(where[1], "c", "the first under " .. tostring(policy))
    if policy ~= conservative { host = "least_energy" } then same(table.concat(where, " "), "c a b", tostring(policy)) end
  end
  refused("host 'h' declares no power", function()
    scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 1 } } }:run { policy = easy { host = "least_energy" } }
  end)
end

-- A link: 100 B take 10 s, at 20 W, then the host computes for 5 s, in which the link draws 5 W. Away it draws nothing.
do
  local function sent(more)
    local declared = { platform = platform { cluster "n" { nodes = 1, link = { bandwidth = 10, power = { idle = 5, busy = 20 } } } },
                       workload = workload.tasks { { time = 5, inputs = { file("f", 100) } } } }
    for key, value in pairs(more or {}) do declared[key] = value end
    return scenario(declared):run { policy = "workqueue", validate = true }
  end
  local r = sent()
  same(r.makespan, 15, "sent and computed")
  near(r.energy, 225, "of the link alone")
  near(r["energy.links"], 225, "of links")
  near(r.peak_power, 20, "peak")
  for _, row in ipairs(r:resources()) do
    if row.kind == "link" then near(row.energy, 225, row.resource) end
  end
  -- for so long as the table of resources, which counts otherwise, has it busy
  for seed = 1, 20 do
    local r = scenario {
      platform = platform { cluster "a" { nodes = 2, link = { bandwidth = 10, power = { idle = 5, busy = 20 } } },
                            cluster "b" { nodes = 3, link = { bandwidth = 30, sharing = "fair", power = { idle = 1, busy = 9 } } } },
      workload = workload.tasks(30, function(i, rng)
        return { time = rng:uniform(1, 20), arrival = rng:uniform(0, 40), inputs = { file("f" .. i % 7, 100), file("own" .. i, rng:uniform(10, 50)) }, output = 40 }
      end),
    }:run { policy = "workqueue", seed = seed, validate = true }
    local sum = 0
    for _, row in ipairs(r:resources()) do
      local idle, more = 5, 15
      if row.resource:find("^b") then idle, more = 1, 8 end
      if row.kind == "link" then
        near(row.energy, idle * r.makespan + more * row.busy, row.resource .. " with seed " .. seed)
        sum = sum + row.energy
      end
    end
    near(r.energy, sum, "both links")
  end
  -- away from 12 to 14: 10 s at 20 W, 2 + 1 at 5
  near(sent { events = { outage { link = "n.link", from = 12, to = 14 } } }["energy.links"], 215, "away")
end

-- Who uses none of it has no energy.
do
  local r = scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 1 } } }:run { policy = "fcfs" }
  assert(r.energy ~= r.energy and r.boots ~= r.boots, "nan")
end

-- cost.break_even: of the node of Batsim's published platform.
near(math.floor(100 * cost.break_even { idle = 95, busy = 190.738, off = 9.75, boot = { time = 151.52, power = 125.174 },
                                         shutdown = { time = 6.1, power = 100.997 } } + 0.5) / 100, 211.68, "break even")

-- The list policies of IRMaSim that look at power and memory: the host that draws least now, and that with most memory.
do
  local p = platform {
    host "a" { cores = 2, power = { idle = 100, busy = 110 }, memory = "1 GB" },
    host "b" { cores = 2, power = { idle = 50, busy = 150 }, memory = "4 GB" },
  }
  local s = scenario { platform = p, workload = workload.jobs { { time = 10 }, { time = 10 }, { time = 10 } } }
  local where = {}
  for i, job in ipairs(s:run { policy = pending_list { resource = "low_power" }, validate = true }:jobs()) do where[i] = job.hosts end
  same(table.concat(where, " "), "b a b", "50 W; then 100 W on both; then 100 W beside 105")
  for i, job in ipairs(s:run { policy = pending_list { resource = "high_mem" }, validate = true }:jobs()) do where[i] = job.hosts end
  same(table.concat(where, " "), "b b a", "b has most memory, until its cores are taken")
  refused("host 'h' declares no power", function()
    scenario { platform = platform { host "h" {} }, workload = workload.jobs { { time = 1 } } }:run { policy = pending_list { resource = "low_power" } }
  end)
end

-- Words that say nothing, alone or on this platform.
do
  local off_only = "given without off_after, so no host is switched off; give off_after, or leave keep_on out"
  for name, made in pairs { fcfs = fcfs, sjf = sjf, easy = easy, conservative = conservative, backfill = backfill, pending_list = pending_list } do
    refused(name .. ": keep_on is " .. off_only, function() made { keep_on = 1 } end)
    made { keep_on = 1, off_after = "never" }  -- as one of several that are compared
    made { keep_on = 0 }
    local plain = scenario { platform = platform { host "h" { memory = "1 GB" } }, workload = workload.jobs { { time = 1 } } }
    local switches = made { off_after = 10 }
    refused("policy '" .. tostring(switches) .. "': off_after switches off hosts that declare their power, and no host of the platform does", function()
      plain:run { policy = switches }
    end)
    same(plain:run { policy = made { off_after = "never" } }.makespan, 1, "never")
    -- One host is enough.
    local one = scenario { platform = platform { host "h" {}, host "g" { power = { idle = 1, busy = 2 } } }, workload = workload.jobs { { time = 1 } } }
    same(one:run { policy = switches }.makespan, 1, "one host that declares it")
  end
  for name, made in pairs { easy = easy, backfill = backfill } do
    refused(name .. ": exempt is given without preempt, so no work is preempted; give preempt, or leave exempt out", function() made { exempt = 10 } end)
    made { exempt = 10, preempt = "suspend" }
    made { exempt = 0 }
  end
  local none = scenario { platform = platform { host "h" { power = { idle = 1, busy = 2 } } }, workload = workload.jobs { { time = 1 } } }
  local most = pending_list { resource = "high_mem" }
  refused("policy '" .. tostring(most) .. "': resource = \"high_mem\" compares the memory of hosts, and no host of the platform declares any", function()
    none:run { policy = most }
  end)
  refused("no host of the platform declares any", function() none:run { policy = pending_list { resource = "high_mem", off_after = 1 } } end)
  local memory_alone = scenario { platform = platform { host "h" { memory = 1 } }, workload = workload.jobs { { time = 1 } } }
  refused("no host of the platform does", function() memory_alone:run { policy = pending_list { resource = "high_mem", off_after = 1 } } end)
  same(memory_alone:run { policy = most }.makespan, 1, "memory")
end

-- Refused.
refused("idle must be <= busy = 5 W, got 20", function() return platform { cluster "n" { nodes = 1, link = { bandwidth = 1, power = { idle = 20, busy = 5 } } } } end)
refused("'busy' is missing", function() return platform { cluster "n" { nodes = 1, link = { bandwidth = 1, power = { idle = 20 } } } } end)
local function power(fields) return function() return platform { host "h" { power = fields } } end end
refused("idle must be <= busy = 100 W, got 120", power { idle = 120, busy = 100 })
refused("epsilon must be between idle = 10 W and busy = 100 W, got 120", power { idle = 10, busy = 100, epsilon = 120 })
refused("'busy' is missing", power { idle = 10 })
refused("energy stands in place of 'power'", power { idle = 1, busy = 2, boot = { time = 1, power = 1, energy = 1 } })
refused("energy needs a 'time' above 0 s", power { idle = 1, busy = 2, boot = { energy = 1 } })
refused("factor must be 1, got 0.5", power { states = { { factor = 0.5, idle = 1, busy = 2 } } })
refused("'idle' is a field of each of the states", power { idle = 1, states = { { idle = 1, busy = 2 } } })
refused("power must be a table", power(95))
refused("did you mean 'epsilon'", power { idle = 1, busy = 2, epsilo = 1 })
local function acts(text, f)
  policy("acts_" .. text:gsub("%W", "_")) {
    accepts = { "jobs", "several_cores" },
    arrived = function(self, sim, works) f(sim, works) end,
  }
  refused(text, function() on(2, { { time = 5 } }):run { policy = "acts_" .. text:gsub("%W", "_") } end)
end
acts("something runs there", function(sim, works) sim:start(works[1], 1); sim:power_off(1) end)
acts("the host is shutting down", function(sim, works) sim:power_off(1); sim:start(works[1], 1) end)
acts("it is shutting down already", function(sim) sim:power_off(1); sim:power_off(1) end)
acts("it is on", function(sim) sim:power_on(1) end)
acts("it has 1 state of speed", function(sim) sim:set_state(1, 2) end)
print("power ok")
