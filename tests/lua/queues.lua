-- expect: queues are obeyed by every policy
-- Queues and qualities of service: hosts, maxima, tiers. Times are worked out by hand.
local function starts(s, policy, options)
  local r = s:run { policy = policy, validate = true, information = (options or {}).information }
  local all = {}
  for _, job in ipairs(r:jobs()) do all[job.name] = job.start end
  return all, r
end
local function same(got, expected, what)
  assert(got == expected, ("%s: expected %s, got %s"):format(what, expected, got))
end
local function refused(text, f)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), ("expected '%s', got '%s'"):format(text, message))
end

local every = { "fcfs", "sjf", "easy", "conservative", "backfill", "pending_list", backfill { reserve = 1 },
                backfill { preset = "slurm", interval = 0, resolution = 0 } }

-- Hosts: x and y may use n.1 alone, so y waits for x; z starts at once.
for _, policy in ipairs(every) do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 3 } },
    workload = workload.jobs {
      { name = "x", queue = "slow", time = 10 }, { name = "z", queue = "fast", nodes = 2, time = 5 },
      { name = "y", queue = "slow", time = 3, arrival = 1 }, { name = "free", time = 2, arrival = 6 },
    },
    queues = { queue "slow" { hosts = "n.1" }, queue "fast" { hosts = { "n.2", "n.3" } } },
  }
  local at, r = starts(s, policy)
  same(at.x, 0, "x"); same(at.z, 0, "z"); same(at.y, 10, "y")
  for _, job in ipairs(r:jobs()) do if job.name == "x" or job.name == "y" then same(job.hosts, "n.1", job.name) end end
  local rows = r:groups { by = "queue" }
  same(#rows, 2, "queues")
  same(rows[1].queue .. rows[1].works .. rows[1].finished, "slow22", "slow")
  same(rows[1].mean_wait, 4.5, "x waits for 0 s, y for 9")
  same(rows[1].core_seconds, 13, "of x and y")
  same(rows[2].mean_response, 5, "z")
  same(#r:groups { by = "account" }, 0, "no accounts")
end

-- max_running: b and c wait although hosts are idle, and are passed over: d starts.
for _, policy in ipairs(every) do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 4 } },
    workload = workload.jobs {
      { name = "a", queue = "one", time = 10 }, { name = "b", queue = "one", time = 10, arrival = 1 },
      { name = "c", queue = "one", time = 10, arrival = 2 }, { name = "d", nodes = 3, time = 12, arrival = 3 },
    },
    queues = { queue "one" { max_running = 1 } },
  }
  local at = starts(s, policy)
  same(at.a, 0, "a"); same(at.b, 10, "b"); same(at.c, 20, "c"); same(at.d, 3, "d")
end

-- max_running_user and max_cores_user: u has 2 of 2 cores at 0; v has cores of its own.
for _, policy in ipairs(every) do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 8 } },
    workload = workload.jobs {
      { name = "u1", user = "u", queue = "q", nodes = 2, time = 10 }, { name = "u2", user = "u", queue = "q", time = 12 },
      { name = "v1", user = "v", queue = "q", time = 6 }, { name = "v2", user = "v", queue = "q", time = 6 },
      { name = "v3", user = "v", queue = "q", time = 6 },
      { name = "w1", user = "w", qos = "shy", time = 5 }, { name = "w2", user = "w", qos = "shy", time = 5 },
    },
    queues = { queue "q" { max_cores_user = 2 } }, qos = { qos "shy" { max_running_user = 1 } },
  }
  local at = starts(s, policy)
  same(at.u1, 0, "u1"); same(at.u2, 10, "u2"); same(at.v1, 0, "v1"); same(at.v2, 0, "v2"); same(at.v3, 6, "v3")
  same(at.w1, 0, "w1"); same(at.w2, 5, "w2")
end

-- A job above a maximum is rejected when it arrives. The lesser of limit and declared time counts.
for _, policy in ipairs(every) do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 8, cores = 2 } },
    workload = workload.jobs {
      { name = "long", queue = "short", time = 61 }, { name = "declared", queue = "short", time = 1, estimate = 61 },
      { name = "limited", queue = "short", time = 50, estimate = 61, limit = 60 }, { name = "wide", queue = "short", nodes = 3, time = 1 },
      { name = "thick", queue = "short", nodes = 2, cores = 2, time = 1 }, { name = "fits", queue = "short", nodes = 2, time = 60 },
      { name = "moldable", queue = "short", nodes = { 1, 2, 4 }, time = speedup.amdahl { time = 8, serial = 0 } },
    },
    queues = { queue "short" { max_time = "1 min", max_nodes = 2, max_cores = 3 } },
  }
  local at, r = starts(s, policy)
  for _, job in ipairs(r:jobs()) do
    local is_over = ({ long = true, declared = true, wide = true, thick = true })[job.name]
    same(job.state, is_over and "rejected" or "finished", job.name)
    if is_over then same(job.reason, "limit", job.name) end
    if job.name == "moldable" then assert(job.nodes <= 2) end
  end
end

-- default_time is the limit of who declares nothing.
do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 4 } },
    workload = workload.jobs {
      { name = "none", queue = "q", time = 50 }, { name = "estimate", queue = "q", time = 50, estimate = 60 },
      { name = "limit", queue = "q", time = 50, limit = 55 },
    },
    queues = { queue "q" { default_time = 20 } },
  }
  local r = s:run { policy = "easy", validate = true }
  local ends = {}
  for _, job in ipairs(r:jobs()) do ends[job.name] = job.state .. " " .. job.finish end
  same(ends.none, "killed 20", "none"); same(ends.estimate, "finished 50", "estimate"); same(ends.limit, "finished 50", "limit")
end

-- Tiers: backfill serves the higher one first, the others by arrival. The tier of a qos stands in place of its queue's.
do
  local s = scenario {
    platform = platform { host "h" {} },
    workload = workload.jobs {
      { name = "first", time = 10 }, { name = "low", queue = "low", time = 1, arrival = 1 },
      { name = "high", queue = "high", time = 1, arrival = 2 }, { name = "boss", queue = "low", qos = "boss", time = 1, arrival = 3 },
    },
    queues = { queue "high" { tier = 3 }, queue "low" { tier = 0 } }, qos = { qos "boss" { tier = 9 } },
  }
  local at = starts(s, "backfill")
  same(at.boss, 10, "boss"); same(at.high, 11, "high"); same(at.low, 12, "low")
end

-- reserve counts by queue: with 1, the first of each queue has a promise.
do
  local jobs = {
    { name = "a", nodes = 3, time = 10 }, { name = "p", queue = "p", nodes = 4, time = 5, arrival = 1 },
    { name = "q", queue = "q", nodes = 4, time = 5, arrival = 2 }, { name = "long", queue = "q", time = 12, arrival = 3 },
  }
  local function run(reserve)
    return starts(scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = workload.jobs(jobs),
                             queues = { queue "p" {}, queue "q" {} } }, backfill { reserve = reserve })
  end
  -- p is promised 10, q 15, so long may start neither at 3 nor at 10.
  local at = run(1)
  same(at.p, 10, "p"); same(at.q, 15, "q"); same(at.long, 20, "long")
end

-- A script sees queue and tier, and its line lacks whom the queue holds back.
policy "seen" { accepts = { "jobs", "several_cores", "several_hosts" },
  decide = function(self, sim)
    for _, work in ipairs(sim:line()) do
      assert(sim:queue(work) == "q" and sim:tier(work) == 4)
      local where = sim:allocate(work)
      if where then sim:start(work, where) end
    end
  end }
do
  local s = scenario {
    platform = platform { cluster "n" { nodes = 4 } },
    workload = workload.jobs { { name = "a", queue = "q", time = 5 }, { name = "b", queue = "q", time = 5 }, { name = "c", queue = "q", time = 5 } },
    queues = { queue "q" { tier = 4, max_running = 2 } },
  }
  local at = starts(s, "seen")
  same(at.a, 0, "a"); same(at.b, 0, "b"); same(at.c, 5, "c")
end
policy "bold" { accepts = { "jobs", "several_hosts" }, arrived = function(self, sim, works)
  for _, work in ipairs(works) do sim:start(work, 1) end
end }
refused("queue 'q' runs 1 job, as many as it may", function()
  scenario { platform = platform { host "h" { cores = 4 } }, queues = { queue "q" { max_running = 1 } },
             workload = workload.jobs { { queue = "q", time = 1 }, { queue = "q", time = 1 } } }:run { policy = "bold" }
end)

-- A stream of jobs is the same as the jobs declared whole; work that is submitted later knows the queues too.
do
  local function record(i, rng)
    return { arrival = 3 * i, nodes = rng:integer(1, 3), time = rng:integer(1, 20), user = "u" .. rng:integer(1, 3), queue = rng:choice { "a", "b" },
             qos = rng:choice { "x", "y" }, account = rng:choice { "k", "l" } }
  end
  local fair = multifactor { fair_share = 10, age = 1, half_life = 50, shares = { k = { share = 2, u1 = 1 }, l = { share = 1, u2 = 3, u3 = 1 } } }
  local function made(work)
    return scenario { platform = platform { cluster "n" { nodes = 4 } }, workload = work,
                      queues = { queue "a" { max_running = 2, tier = 2 }, queue "b" { hosts = { "n.1", "n.2", "n.3" }, max_cores_user = 3 } },
                      qos = { qos "x" { max_running_user = 1 }, qos "y" {} } }
  end
  for _, policy in ipairs { "easy", "conservative", backfill { priority = fair } } do
    local whole, stream = made(workload.jobs(200, record)), made(workload.stream(200, record))
    local r = whole:run { policy = policy, validate = true, seed = 3 }
    same(stream:run { policy = policy, validate = true, seed = 3 }.fingerprint, r.fingerprint, "stream")
    local sim = whole:start { policy = policy, seed = 3 }
    for t = 50, 600, 50 do
      sim:run_until(t)
      same(sim:fork():run().fingerprint, r.fingerprint, "forked at " .. t)
    end
  end
  local sim = made(workload.jobs { { time = 5, nodes = 4 } }):start { policy = "backfill" }
  sim:run_until(1)
  sim:submit { { name = "later", time = 1, queue = "b" }, { name = "sooner", time = 1, nodes = 3, queue = "a" } }
  local r = sim:run()
  same(r:jobs()[2].start, 6, "later"); same(r:jobs()[3].start, 5, "sooner")
  refused("the scenario has no queue 'c'", function() made(workload.jobs { { time = 5 } }):start { policy = "easy" }:submit { time = 1, queue = "c" } end)
end

-- A policy that takes over knows whose jobs run.
do
  local s = scenario { platform = platform { host "h" {} }, workload = workload.jobs {
    { name = "u0", user = "u", time = 10 }, { name = "u1", user = "u", time = 10, arrival = 1 }, { name = "v1", user = "v", time = 10, arrival = 2 } } }
  local sim = s:start { policy = "fcfs" }
  sim:run_until(5)
  sim:set_policy(backfill { priority = multifactor { fair_share = 1 } })
  local r = sim:run()
  same(r:jobs()[3].start, 10, "v1"); same(r:jobs()[2].start, 20, "u1")
end

-- Bad input.
local p = platform { host "h" {} }
local function with(job, queues, qos)
  job.time = 1
  return function() scenario { platform = p, workload = workload.jobs { job }, queues = queues, qos = qos }:run { policy = "fcfs" } end
end
refused("the scenario has no queue 'shrot'; did you mean 'short'", with({ queue = "shrot" }, { queue "short" {} }))
refused("the scenario has no queue 'short'; it declares none", with({ queue = "short" }))
refused("the scenario has no qos 'x'", with({ qos = "x" }, nil, { qos "high" {} }))
refused("the platform has no host and no cluster 'g'", with({}, { queue "q" { hosts = "g" } }))
refused("two of them are queue 'q'", with({}, { queue "q" {}, queue "q" {} }))
refused("queues[1] must be queue \"name\" { }", with({}, { qos "q" {} }))
refused("queues[1] is not finished", with({}, { queue "q" }))
refused("max_running must be", function() return queue "q" { max_running = 0 } end)
refused("'queue' or 'qos' with a maximum of what runs", function()
  scenario { platform = p, queues = { queue "q" { max_running = 1 } }, workload = workload.jobs { { time = 1, queue = "q" } } }:run { policy = "mapped" }
end)
refused("promise = \"count\" passes nobody over", function()
  scenario { platform = p, queues = { queue "q" { max_running = 1 } }, workload = workload.jobs { { time = 1, queue = "q" } } }
    :run { policy = conservative { promise = "count" } }
end)
print("queues are obeyed by every policy")
