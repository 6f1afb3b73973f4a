-- robustness { }: what is drawn, what policies know of it, what is counted, and what is refused.
-- expect: robustness ok
local host = platform { host "a" {} }
local one = scenario { platform = host, workload = workload.jobs { { time = 100 } } }
local function near(a, b, by) return math.abs(a - b) <= (by or 1e-9) * math.abs(b) end

-- One job of 100 s by up to 20 %: uniform in (80, 120), with the mean 100 and the deviation 20 / sqrt(3).
local n = 4000
local r = robustness { policy = "fcfs", scenario = one, measure = "makespan", shake = { times = "20 %" }, n = n, deadline = 110 }
assert(r.n == n and r.runs == n and r.incomplete == 0 and r.absent == 0 and r.failed == 0)
assert(r.measure == "makespan" and r.policy == "fcfs" and r.name == "robustness of fcfs" and r.deadline == 110)
local sd = 20 / math.sqrt(3)
assert(math.abs(r.mean - 100) <= 4 * sd / math.sqrt(n))
assert(near(r.sd, sd, 0.05))
for share, found in pairs { [0.05] = r.q5, [0.25] = r.q25, [0.5] = r.q50, [0.75] = r.q75, [0.95] = r.q95 } do
  assert(found == r:quantile(share))
  -- A quantile of a uniform sample has the deviation width * sqrt(p (1 - p) / n).
  assert(math.abs(found - (80 + 40 * share)) <= 4 * 40 * math.sqrt(share * (1 - share) / n))
end
assert(r:quantile(0) > 80 and r:quantile(1) < 120)
local values, met, sum = r:values(), 0, 0
assert(#values == n)
for _, value in ipairs(values) do
  sum = sum + value
  if value <= 110 then met = met + 1 end
end
assert(near(r.mean, sum / n) and r.met == met and r.probability == met / n)
-- The interval holds 3/4, and is about 2 * 1.96 * sqrt(p (1 - p) / n) wide.
assert(r.low < 0.75 and 0.75 < r.high)
assert(near(r.high - r.low, 2 * 1.96 * math.sqrt(0.75 * 0.25 / n), 0.05))
local rows = r:rows()
assert(#rows == n and rows[7].run == 7 and rows[7].value == values[7] and rows[7].why == nil)
local row = r:table()[1]
assert(row.n == n and row.mean == r.mean and row.q95 == r.q95 and row.probability == r.probability and row.met == met)
assert(select(2, r:csv():gsub("\n", "")) == n + 1 and r:csv():find("run,seed,value,why\n1,", 1, true) == 1)

-- Each run has its own draw, which depends on the seed and its number: not on n, the name or the policy.
local few = robustness { policy = "sjf", scenario = one, measure = "makespan", shake = { times = 0.2 }, n = 5 }
for i, value in ipairs(few:values()) do assert(value == values[i]) end
local other = robustness { policy = "sjf", scenario = one, measure = "makespan", shake = { times = 0.2 }, n = 5, seed = 2, name = "other" }
assert(other.seed == 2)
for i, value in ipairs(other:values()) do assert(value ~= values[i]) end

-- A policy is told what is declared, and the run takes what was drawn.
local told, took = {}, {}
policy "asks" {
  accepts = { "jobs" },
  begin = function(self) self.queue = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.queue[#self.queue + 1] = w end end,
  finished = function(self, sim, works) for _, w in ipairs(works) do sim:note("took", w, sim:now() - self.from) end end,
  decide = function(self, sim)
    if #self.queue == 0 or sim:idle_cores(1) == 0 then return end
    local w = table.remove(self.queue, 1)
    sim:note("told", w, sim:estimate(w, 1))
    self.from = sim:now()
    sim:start(w, 1)
  end,
}
local three = scenario { platform = host, workload = workload.jobs { { time = 40 }, { time = 60, estimate = 90 }, { time = 10 } } }
local function check_notes(result)
  local declared, times, drawn = { 40, 90, 10 }, { 40, 60, 10 }, {}
  for _, note in ipairs(result:notes()) do
    local work, value = note[1], note[2]
    if note.name == "told" then assert(value == declared[work]) end
    if note.name == "took" then
      assert(value ~= times[work] and math.abs(value - times[work]) <= 0.5 * times[work])
      drawn[#drawn + 1] = value / times[work]
    end
  end
  assert(#drawn == 3 and drawn[1] ~= drawn[2])
  assert(#result:validate() == 0)
  local all = 0
  for i, factor in ipairs(drawn) do all = all + factor * times[i] end
  assert(near(result.makespan, all))
  return all
end
local by_function = robustness { policy = "asks", scenario = three, measure = check_notes, shake = { times = 0.5 }, n = 20 }
assert(by_function.n == 20 and by_function.measure == "")
local by_name = robustness { policy = "asks", scenario = three, measure = "makespan", shake = { times = 0.5 }, n = 20, name = "by name" }
for i, value in ipairs(by_name:values()) do assert(near(value, by_function:values()[i])) end

-- A failure law that is shaken, and runs of a scenario whose workload is drawn: declared once, by the seed.
local drawn = scenario {
  platform = platform { cluster "c" { nodes = 3 } },
  workload = workload.tasks(30, function(i, rng) return { time = rng:uniform(50, 150) } end),
  events = { failures { all = true, mtbf = 400, mttr = 20 } },
}
local function failing(factor)
  return robustness { policy = "workqueue", scenario = drawn, measure = "makespan", shake = { failures = factor, arrivals = 1e-9 },
                      n = 60, name = "failures " .. factor }
end
assert(failing(8).mean > failing(1).mean)

-- Shaken by next to nothing, a run is the plain one that knows what is declared.
local still = robustness { policy = "sjf", scenario = three, measure = "makespan", shake = { times = 1e-13 }, n = 3, name = "still" }
assert(near(still.q50, three:run({ policy = "sjf", information = "declared perfect" }).makespan))

-- Runs that do not count, by reason. The job is killed by its limit where it takes longer: a quarter of 200, deviation 6.
local limited = scenario { platform = host, workload = workload.jobs { { time = 100, limit = 110, estimate = 100 } } }
local function whole(result) if result.finished == 1 then return result.makespan end end
local some = robustness { policy = "fcfs", scenario = limited, measure = whole, shake = { times = 0.2 }, n = 200, deadline = 1000, name = "some" }
assert(some.absent > 25 and some.absent < 75 and some.n == 200 - some.absent)
assert(some.met == some.n and some.probability == some.n / 200 and some.q95 <= 110)
assert(tostring(some):find(("%d of the runs are not counted: %d without the measure"):format(some.absent, some.absent), 1, true))
assert(tostring(some):find(("at most 1000: in %d of 200 runs, where those that are not counted are late"):format(some.n), 1, true))
for _, run in ipairs(some:rows()) do assert((run.value == nil) == (run.why == "absent")) end
-- The bound of a run in which nothing has finished is no number.
local nan = robustness { policy = "fcfs", scenario = limited, measure = "bound_ratio", shake = { times = 0.2 }, n = 200, name = "nan" }
assert(nan.absent == some.absent and nan.q50 == 1 and nan.deadline == nil and nan.met == nil and nan.probability == nil)
assert(robustness { policy = "fcfs", scenario = limited, measure = "makespan", shake = { times = 0.2 }, n = 9, deadline = "2 min", name = "unit" }.deadline == 120)
policy "stops" {
  accepts = { "jobs" },
  decide = function(self, sim) end,
}
local never = robustness { policy = "stops", scenario = one, measure = "makespan", shake = { times = 0.2 }, n = 4, deadline = 1e9 }
assert(never.n == 0 and never.incomplete == 4 and never.mean == nil and never.q50 == nil and never.probability == 0 and never.low == 0)
assert(tostring(never):find("no run counts", 1, true))
local nothing = robustness { policy = "fcfs", scenario = one, measure = function() end, shake = { times = 0.2 }, n = 3, name = "nothing" }
assert(nothing.absent == 3 and nothing.probability == nil)

-- Refusals.
local function refused(text, fields)
  local call = { policy = "fcfs", scenario = one, measure = "makespan", shake = { times = 0.1 }, n = 2 }
  for name, value in pairs(fields) do call[name] = value ~= "absent" and value or nil end
  local ok, message = pcall(robustness, call)
  assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end
refused("did you mean 'times'", { shake = { time = 0.1 } })
refused("-0.1", { shake = { times = -0.1 } })
refused("1.5", { shake = { sizes = 1.5 } })
refused("-1", { shake = { arrivals = -1 } })
refused("failures", { shake = { failures = 0 } })
refused("nothing is shaken", { shake = {} })
refused("nothing to shake by sizes: the scenario has no files", { shake = { times = 0.1, sizes = 0.1 } })
refused("nothing to shake by failures: the scenario has no failures { }", { shake = { failures = 2 } })
refused("did you mean 'makespan'", { measure = "makspan" })
refused("measure must be the name of a metric or a function(result)", { measure = 3 })
refused("did you mean 'deadline'", { deadlin = 3 })
refused("'shake' is missing", { shake = "absent" })
refused("'measure' is missing", { measure = "absent" })
refused("would tell the policy the times and sizes", { information = "perfect" })
refused("amrs", { policy = "amrs" })
refused("'min_min' is a mapper", { policy = "min_min" })
refused("n must be", { n = 0 })
print "robustness ok"
