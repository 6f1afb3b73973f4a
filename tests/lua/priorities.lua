-- expect: priorities are as told
-- Priorities of backfill: multifactor and its factors, usage that decays, trees of accounts; utilization by queue and user. By hand.
local function same(got, expected, what)
  assert(got == expected, ("%s: expected %s, got %s"):format(what, expected, got))
end
local function near(got, expected, what)
  assert(math.abs(got - expected) <= 1e-9 * math.max(1, math.abs(expected)), ("%s: expected %.15g, got %.15g"):format(what, expected, got))
end
local function refused(text, f)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), ("expected '%s', got '%s'"):format(text, message))
end
local function order(jobs, priority, more)
  local s = { platform = platform { host "h" { cores = 4 } }, workload = workload.jobs(jobs) }
  for name, value in pairs(more or {}) do s[name] = value end
  local r = scenario(s):run { policy = backfill { priority = priority }, validate = true }
  local rows = {}
  for _, job in ipairs(r:jobs()) do rows[#rows + 1] = job end
  table.sort(rows, function(a, b) return a.start < b.start or (a.start == b.start and a.id < b.id) end)
  local names = {}
  for _, job in ipairs(rows) do names[#names + 1] = job.name end
  return table.concat(names, " "), r
end
-- A waiting job, by default of all cores, so that one runs at a time.
local function job(name, fields)
  local made = { name = name, cores = 4, time = 10, arrival = 1 }
  for key, value in pairs(fields or {}) do made[key] = value end
  return made
end
local first = { name = "first", cores = 4, time = 100 }

-- Each factor alone.
same(order({ first, job("b", { arrival = 3 }), job("a", { arrival = 2 }) }, multifactor { age = 1 }), "first a b", "age")
same(order({ first, job("small", { cores = 3 }), job "large" }, multifactor { size = 1 }), "first large small", "size")
same(order({ first, job("large"), job("small", { cores = 3 }) }, multifactor { size = 1, favour = "small" }), "first small large", "small first")
same(order({ first, job("low", { queue = "low" }), job("none"), job("high", { queue = "high" }) }, multifactor { queue = 1 },
  { queues = { queue "low" { priority = 1 }, queue "high" { priority = 4 } } }), "first high low none", "queue")
same(order({ first, job("low", { qos = "low" }), job("high", { qos = "high" }) }, multifactor { qos = 1 },
  { qos = { qos "low" { priority = 1 }, qos "high" { priority = 2 } } }), "first high low", "qos")
same(order({ first, job("shy", { nice = 1 }), job "b" }, multifactor { age = 1 }), "first b shy", "nice")
-- Age ends at max_age: a has waited 99 s and b 98 s when first ends, both more than 50.
same(order({ first, job("b", { arrival = 2 }), job("a", { arrival = 1 }) }, multifactor { age = 1, max_age = 50 }), "first a b", "max_age, then by arrival")
-- A tier comes before any priority.
same(order({ first, job("a", { nice = -1000 }), job("t", { queue = "t" }) }, multifactor { age = 1 }, { queues = { queue "t" { tier = 2 } } }),
  "first t a", "tier")

-- Fair share: u has run first, so v comes first although it came later; then they take turns, for all take as long.
do
  local jobs = { { name = "u0", user = "u", cores = 4, time = 10 } }
  for i = 1, 3 do jobs[#jobs + 1] = job("u" .. i, { user = "u" }) end
  for i = 1, 3 do jobs[#jobs + 1] = job("v" .. i, { user = "v", arrival = 2 }) end
  same(order(jobs, multifactor { fair_share = 1, half_life = math.huge }), "u0 v1 u1 v2 u2 v3 u3", "turns")
  -- With shares of 1 and 3 v comes first while it has used less than three times what u has.
  same(order(jobs, multifactor { fair_share = 1, half_life = math.huge, shares = { u = 1, v = 3 } }), "u0 v1 v2 v3 u1 u2 u3", "shares")
end

-- Usage decays. x runs 4 cores from 0 to 100; at 200 its user has used 144.270 core-seconds of a half-life of 100 (section 10 of the
-- design). y runs 2 cores from 128 to 200: 2 h / ln 2 (1 - 2^-0.72), which is 113.37, so y's user comes first; up to 300 from 100 on, 2 h /
-- ln 2 (1 - 2^-1) = 144.270 is the same. With nothing forgotten x has 400 and y 144.
do
  local function who(half_life, from)
    local jobs = {
      { name = "x", user = "x", cores = 4, time = 100 }, { name = "y", user = "y", cores = 2, time = 200 - from, arrival = from },
      { name = "block", user = "z", cores = 2, time = 200 - from, arrival = from },
      job("xx", { user = "x", arrival = 150 }), job("yy", { user = "y", arrival = 151 }),
    }
    return order(jobs, multifactor { fair_share = 1, half_life = half_life })
  end
  same(who(100, 128), "x y block yy xx", "y has used less")
  same(who(math.huge, 128), "x y block yy xx", "and in all")
  same(who(20, 128), "x y block xx yy", "what x used is forgotten sooner")
end

-- why tells each factor, at the time when it was decided; the usage is that of the example, 144.270 of all 288.539 (y ran 2 cores from 100 to 200).
do
  local s = scenario {
    platform = platform { host "h" { cores = 4 } },
    workload = workload.jobs {
      { name = "x", user = "x", cores = 4, time = 100 }, { name = "y", user = "y", cores = 2, time = 200, arrival = 100 },
      { name = "xx", user = "x", cores = 4, time = 5, arrival = 200, nice = 3 },
    },
  }
  local sim = s:start { policy = backfill { priority = multifactor { fair_share = 1000, age = 10, half_life = 100 } } }
  sim:run_until(200)
  local said = tostring(sim:why "xx")
  -- Both have used 100 h / ln 2 / 25 = 144.270, so U = 1/2, and each has half of the shares: 2^-1.
  for _, line in ipairs { "fair_share: 0.5 of a weight of 1000 = 500", "age: 0 of a weight of 10 = 0", "nice: 3 = -3", "priority: 497, the sum" } do
    assert(said:find(line, 1, true), said)
  end
  assert(tostring(sim:fork():run():why "xx"):find("priority: ", 1, true))
end

-- A period: usage is that of its last multiple. y starts at 1, x has run from 0 to 1; at 30 both wait. With a period of 1000 nobody has used
-- anything at 0, so the order is that of arrival.
do
  local jobs = { { name = "u0", user = "u", cores = 4, time = 30 }, job("u1", { user = "u" }), job("v1", { user = "v", arrival = 2 }) }
  same(order(jobs, multifactor { fair_share = 1, period = 1000 }), "u0 u1 v1", "period")
  same(order(jobs, multifactor { fair_share = 1, period = 10 }), "u0 v1 u1", "a shorter one")
end

-- The usage of a quality of service counts as it says: that of u0 not at all.
do
  local jobs = { { name = "u0", user = "u", cores = 4, time = 30, qos = "free" }, job("u1", { user = "u" }), job("v1", { user = "v", arrival = 2 }) }
  same(order(jobs, multifactor { fair_share = 1 }, { qos = { qos "free" { usage = 0 } } }), "u0 u1 v1", "free")
  same(order(jobs, multifactor { fair_share = 1 }, { qos = { qos "free" {} } }), "u0 v1 u1", "not free")
end

-- Accounts: a's user has used nothing, but her account has, so she comes behind b's user.
do
  local shares = { A = { share = 1, ada = 1, ann = 1 }, B = { share = 1, bob = 1 } }
  local jobs = { { name = "ada", user = "ada", account = "A", cores = 4, time = 30 }, job("ann", { user = "ann", account = "A" }),
                 job("bob", { user = "bob", account = "B", arrival = 2 }) }
  same(order(jobs, multifactor { fair_share = 1, shares = shares }), "ada bob ann", "accounts")
  same(order(jobs, multifactor { fair_share = 1 }), "ada ann bob", "users alone: neither has used anything")
end

-- cost.fair_share: Slurm's example, of which its page has six digits.
do
  local factor = cost.fair_share {
    shares = { A = { share = 40, B = { share = 30, u1 = 1 }, C = { share = 10, u2 = 1, u3 = 1 } },
               D = { share = 60, E = { share = 25, u4 = 1 }, F = { share = 35, u5 = 1 } } },
    usage = { u1 = 0.2, u2 = 0.25, u4 = 0.25 },
  }
  for user, value in pairs { u1 = 0.408479, u2 = 0.022097, u3 = 0.125, u4 = 0.5, u5 = 0.749154 } do
    assert(math.abs(factor[user] - value) < 1e-6, user)
  end
end
refused("is a user of two accounts", function() cost.fair_share { shares = { A = { share = 1, u = 1 }, B = { share = 1, u = 1 } }, usage = {} } end)
refused("account 'A' has no 'share' of its own", function() cost.fair_share { shares = { A = { u = 1 } }, usage = {} } end)
refused("'adda' is no user of the shares; did you mean 'ada'", function() cost.fair_share { shares = { ada = 1 }, usage = { adda = 1 } } end)
refused("two accounts are called 'A'", function() multifactor { fair_share = 1, shares = { A = { share = 1, A = { share = 1, u = 1 } } } } end)
for _, f in ipairs {
  function() multifactor { fair_share = 1, shares = { physics = { share = 40, physics = 1, ada = 1 } } } end,
  function() cost.fair_share { shares = { physics = { share = 40, physics = 1, ada = 1 } }, usage = {} } end,
} do
  refused("shares: 'physics' is an account and a user of it; a user has another name than its account, whose own share is called 'share'", f)
end
multifactor { fair_share = 1, shares = { ada = 1, physics = { share = 40, ada = 1 } } }  -- not of one name
for _, used in ipairs { 1.5, -0.1, 0 / 0 } do
  refused("cost.fair_share: the usage of 'ada' must be", function() cost.fair_share { shares = { ada = 1, bob = 1 }, usage = { ada = used } } end)
end
refused("cost.fair_share: the usage of all users is 1.25 of the machine; it must be <= 1", function()
  cost.fair_share { shares = { ada = 1, bob = 1 }, usage = { ada = 0.75, bob = 0.5 } }
end)
assert(cost.fair_share { shares = { ada = 1 }, usage = { ada = 1 } }.ada == 0.5)
refused("the share of 'u' must be", function() multifactor { fair_share = 1, shares = { u = 0 } } end)
refused("no factor has a weight", function() multifactor {} end)
refused("half_life", function() multifactor { age = 1, half_life = 0 } end)
refused("host takes no priority", function() easy { host = multifactor { age = 1 } } end)
same(tostring(backfill { priority = multifactor { age = 2, shares = { A = { share = 3, u = 1 } } } }),
  "backfill { priority = multifactor { age = 2, shares = { A = { share = 3, u = 1 } } } }", "text")

-- Utilization by queue and user: 4 cores. u has 4 x 10 in "p" and 2 x 10 outside of queues, v 1 x 20 in "p"; it ends at 40.
do
  local s = scenario {
    platform = platform { host "h" { cores = 4 } }, queues = { queue "p" {}, queue "empty" {} },
    workload = workload.jobs {
      { user = "u", queue = "p", cores = 4, time = 10 }, { user = "u", cores = 2, time = 10, arrival = 10 },
      { user = "v", queue = "p", time = 20, arrival = 20 }, { time = 5, arrival = 20 },
    },
  }
  for _, trace in ipairs { "full", "work", "none" } do
    local r = s:run { policy = "fcfs", trace = trace }
    if trace == "full" then
      near(r["utilization.user.u"], 60 / 160, "u"); near(r["utilization.user.v"], 20 / 160, "v")
      near(r["utilization.queue.p"], 60 / 160, "p"); near(r["utilization.queue.empty"], 0, "empty")
      near(r.utilization, 85 / 160, "all")
      same(r:jobs()[1].queue, "p", "queue"); same(r:jobs()[2].queue, nil, "no queue")
      refused("the run has no queue 'pp'; did you mean 'p'", function() return r["utilization.queue.pp"] end)
      refused("the run has no user 'w'", function() return r["utilization.user.w"] end)
    end
  end
  local c = s:compare { "fcfs", "easy", metrics = { "utilization.queue.p", "makespan" } }
  assert(tostring(c):find("utilization.queue.p", 1, true))
end
print "priorities are as told"
