-- A comparison calls its rows as it is told, and gives its results by these names.
-- expect: one|four
-- expect: 2	workqueue { chunk = 4 }
-- expect: names must be a list of 2 names, one for each row, got 1
-- expect: names has 'one' twice
-- expect: unknown field 'name'; did you mean 'names'?
local s = scenario {
  platform = platform { host "a" {}, host "b" {} },
  workload = workload.tasks(8, function(i) return { time = i } end),
}
local c = s:compare { workqueue {}, workqueue { chunk = 4 }, names = { "one", "four" }, metrics = { "makespan" } }
print(tostring(c):match("\n(one) ") .. "|" .. tostring(c):match("\n(four) "))
print(#c, c:result("four").policy)
assert(c:csv():find("\nfour,", 1, true))
local function refused(fields)
  fields[1], fields[2] = "fcfs", "workqueue"
  print((select(2, pcall(s.compare, s, fields))))
end
refused { names = { "one" } }
refused { names = { "one", "one" } }
refused { name = { "one", "two" } }

-- The best is marked where all rows are of one scenario, in one declaration or in two that are alike.
local function of(fields)
  return scenario {
    platform = platform { cluster "c" { nodes = fields.nodes or 2 } }, events = fields.events,
    workload = workload.tasks(6, function(i, rng) return { time = (fields.time or 1) * rng:uniform(1, i) } end),
  }:run { policy = fields.policy or "fcfs", seed = fields.seed }
end
local function marks(...) return tostring(compare(...)):find("*", 1, true) ~= nil end
local long = mapped "sufferage"
assert(marks(of {}, of { policy = long }))
assert(not marks(of {}, of { policy = long, nodes = 3 }))
assert(not marks(of {}, of { policy = long, time = 2 }))
assert(not marks(of {}, of { policy = long, seed = 2 }))
assert(not marks(of {}, of { policy = long, events = { outage { host = "c.1", from = 1, to = 2 } } }))
assert(marks(s:run { policy = "fcfs" }, s:run { policy = mapped "max_min", seed = 2 }))  -- nothing is drawn
local function by_host(seed)
  return scenario { platform = platform { cluster "c" { nodes = 2 } },
                    workload = workload.tasks(6, function(i, rng) return { times = { rng:integer(1, 9), i } } end) }
    :run { policy = seed == 1 and "fcfs" or long, seed = seed }
end
assert(not marks(by_host(1), by_host(2)))
local before = s:start { policy = "fcfs" }
local after = before:fork():fail "a"
after:submit { time = 50 }
before:run()
after:run()
assert(marks(before, after))  -- what was done to one of two forks is what they are compared for
