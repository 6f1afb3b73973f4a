-- expect: all the same
-- A stream of works is the workload of the same works; forks, looking back and refusals.
-- test: thorough
local p = platform { cluster "a" { nodes = 3, cores = 2 }, cluster "b" { nodes = 1, speed = 2 } }
local function make(n)
  local clock = 0
  return function(i, rng)
    if i > n then return nil end
    clock = clock + rng:exponential(4)
    return { time = rng:uniform(5, 15), arrival = clock, cores = i % 3 == 0 and 2 or 1, user = "u" .. i % 7 }
  end
end
local n = 6000
local whole = scenario { platform = p, workload = workload.jobs(n, make(n)),
                         events = { outage { host = "a.2", from = 300, to = 600 } } }
local stream = scenario { platform = p, workload = workload.stream(make(n)),
                          events = { outage { host = "a.2", from = 300, to = 600 } } }
local counted = scenario { platform = p, workload = workload.stream(n, make(2 * n)),
                           events = { outage { host = "a.2", from = 300, to = 600 } } }

local function same_metrics(a, b)
  assert(a.fingerprint == b.fingerprint)
  local other = b:metrics()
  for name, value in pairs(a:metrics()) do
    assert(other[name] == value or other[name] ~= other[name] and value ~= value, name)
  end
end
for _, policy in ipairs { "fcfs", "workqueue" } do
  for _, seed in ipairs { 1, 2 } do
    for _, trace in ipairs { "none", "work", "full" } do
      local expected = whole:run { policy = policy, seed = seed, trace = trace }
      same_metrics(expected, stream:run { policy = policy, seed = seed, trace = trace })
      same_metrics(expected, counted:run { policy = policy, seed = seed, trace = trace })
    end
  end
end

-- A policy of the script.
policy "of_its_own" {
  accepts = { "jobs", "several_cores" },
  begin = function(self) self.line = {} end,
  arrived = function(self, sim, jobs) for _, job in ipairs(jobs) do self.line[#self.line + 1] = job end end,
  failed = function(self, sim, jobs) for _, job in ipairs(jobs) do self.line[#self.line + 1] = job end end,
  decide = function(self, sim)
    local kept = {}
    for _, job in ipairs(self.line) do
      local started = false
      for h = 1, sim:host_count() do
        if sim:fits(job, h) then sim:start(job, h) started = true break end
      end
      if not started then kept[#kept + 1] = job end
    end
    self.line = kept
  end,
}
same_metrics(whole:run { policy = "of_its_own", trace = "none" }, stream:run { policy = "of_its_own", trace = "none" })

-- Forks and going back.
local expected = whole:run { policy = "fcfs", seed = 3, trace = "none" }
local sim = stream:start { policy = "fcfs", seed = 3, trace = "none" }
sim:run_until(12000)
local fork = sim:fork()
sim:run()
fork:run()
assert(sim:result().fingerprint == expected.fingerprint and fork:result().fingerprint == expected.fingerprint)
local back = stream:start { policy = "fcfs", seed = 3, trace = "none" }
back:run_until(15000)
back:back_to(9000)
back:run()
assert(back:result().fingerprint == expected.fingerprint)

-- A call that asks for a work that is forgotten is told so.
local late = stream:start { policy = "fcfs", seed = 3, trace = "none" }
late:run_until(12000)
local works = late:jobs()
assert(#works < 2500 and #works > 0)
local function refused(part, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok, part)
  assert(tostring(e):find(part, 1, true), tostring(e))
end
for _, work in ipairs { 1, "task 1" } do
  refused("work 1 is forgotten, as the first ", function() return late:why(work) end)
end
for _, work in ipairs { n, "task " .. n } do
  refused(("the stream has not made work %d yet; it has made "):format(n), function() return late:why(work) end)
end
refused("there is no work 'task x'", function() return late:why "task x" end)
refused("no work can be submitted", function() return late:submit { time = 5 } end)
local quote = late:quote { time = 5 }
assert(quote)
refused("settled and forgotten", function() return expected and stream:run { policy = "fcfs", trace = "none" }:jobs() end)
assert(#stream:run { policy = "fcfs", trace = "full" }:jobs() == n)

refused("settled and forgotten", function() return stream:run { policy = "fcfs", trace = "none" }:components() end)
refused("a stream has none before it runs", function() stream:pst "p" end)

-- A result so far stays as it is while its run goes on.
local steps = stream:start { policy = "fcfs", seed = 3, trace = "none" }
steps:run_until(9000)
local early = steps:result()
local again = stream:start { policy = "fcfs", seed = 3, trace = "none" }
again:run_until(9000)
steps:run()
same_metrics(early, again:result())

-- Times by architecture and loads; each has a place that the next one may take.
local two = platform { cluster "x" { nodes = 2, architecture = "old" }, cluster "y" { nodes = 2, architecture = "new" } }
local function timed(i, rng)
  return { time = { old = rng:integer(5, 9), new = rng:integer(2, 4) }, arrival = 2 * i, estimate = { old = 7, new = 3 } }
end
same_metrics(
  scenario { platform = two, workload = workload.tasks(4000, timed) }:run { policy = "workqueue", trace = "none" },
  scenario { platform = two, workload = workload.stream(4000, timed) }:run { policy = "workqueue", trace = "none" })
local head = platform { cluster "c" { nodes = 8, link = { bandwidth = 1 } } }
local function load(i, rng)
  return { size = rng:uniform(5, 20), time = 4, bytes = 1, arrival = 15 * i, deadline = 15 * i + rng:uniform(30, 90) }
end
local admitted = scenario { platform = head, workload = workload.loads(4000, load) }:run { policy = "edf", trace = "none" }
same_metrics(admitted,
  scenario { platform = head, workload = workload.stream(4000, load) }:run { policy = "edf", trace = "none" })
assert(admitted.rejected > 0 and admitted.finished > 0)

-- The jobs of a log, one after the other.
local machine = platform { cluster "m" { nodes = 1, cores = 8 } }
local log = workload.swf("data/small.swf")
for _, policy in ipairs { "fcfs", "easy", "conservative" } do
  local options = { policy = policy, information = "declared", trace = "none" }
  same_metrics(scenario { platform = machine, workload = log }:run(options),
    scenario { platform = machine, workload = workload.stream(log) }:run(options))
end
refused("only the jobs of a log", workload.stream, workload.tasks { { time = 1 } })
refused("job2 needs 4 cores, the widest host has 2", function()
  scenario { platform = platform { host "h" { cores = 2 } }, workload = workload.stream(log) }:run { policy = "fcfs" }
end)

-- The generator of numbers is the same in each call.
local function drawn(keeps)
  local own
  return scenario { platform = p, workload = workload.stream(1000, function(i, rng)
    own = keeps and own or rng
    return { time = own:uniform(1, 7), arrival = i }
  end) }:run { policy = "fcfs" }.fingerprint
end
assert(drawn(true) == drawn(false))

-- A stream cannot be any of these.
local function run(f) return scenario { platform = p, workload = workload.stream(f) }:run { policy = "fcfs" } end
refused("has the name 'x'", run, function() return { time = 1, name = "x" } end)
refused("has files", run, function() return { time = 1, output = 5 } end)
refused("is a sweep", run, function() return { time = 1, runs = 5 } end)
refused("this one arrives at 4 s, the one before at 5 s", run, function(i) return { time = 1, arrival = 5 - i % 2 } end)
refused("must return a table", run, function() return 5 end)
refused("a stream is the only work", workload.merge, workload.stream(load), workload.tasks {})
refused("has no length before", function() return #workload.stream(load) end)
refused("a function(i, rng) is needed", workload.stream, 5)
refused("does not accept a stream", function() return stream:run { policy = "planner" } end)
local ok, problem = pcall(run, function(i) return { time = i < 700 and 1 or {}, arrival = i } end)
assert(not ok and table.concat(problem.notes):find("in work 700 of a stream; the one before arrives at t = 699 s", 1, true))
refused("more than 1000000 works that arrive at t = 3 s", run, function(i) return { time = 1, arrival = 3 } end)
local wide = scenario { platform = p, workload = workload.stream(3000, function(i) return { time = 1, arrival = i, cores = 9 } end) }
assert(wide:run { policy = "fcfs", trace = "none" }.rejected == 3000)
local seen = {}
local kept = scenario { platform = p, workload = workload.stream(4000, function(i)
  seen[#seen + 1] = i
  return { time = 1, arrival = i }
end) }:start { policy = "fcfs", trace = "none" }
kept:run_until(50)
refused("a fork cannot copy the variable 'seen'", function() return kept:fork() end)

-- Cut at a horizon, a stream need not end.
local endless = scenario { platform = p, workload = workload.stream(function(i) return { time = 3, arrival = i } end) }
local cut = endless:run { policy = "fcfs", horizon = 5000, trace = "none" }
assert(cut.status == "horizon" and cut.finished > 4900)
print "all the same"
