-- Quality of information as scripts say it: texts and tables alike, the same for all policies of a comparison, in forks, and
-- as the level of a factor; and what is refused.
-- expect: as it should be
local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local s = scenario {
  platform = platform {
    cluster "a" { nodes = 2, availability = { values = { 1, 0.3, 0.8 }, every = "5 s" },
                  link = { bandwidth = { values = { 10, 50 }, every = "5 s" }, latency = "1 s" } },
    cluster "b" { nodes = 2, speed = 2, availability = 0.4, link = { bandwidth = 20 } },
  },
  workload = workload.tasks(30, function(i, rng)
    local time = rng:uniform(5, 15)
    return { time = time, estimate = time * rng:uniform(0.5, 1.5), inputs = { file("shared" .. i // 10, 100) }, output = 30 }
  end),
}
local function run(information, policy)
  return s:run { policy = policy or planner { map = "sufferage", interval = 20 }, information = information, seed = 3, validate = true }
end

-- A text and a table that say the same.
for text, fields in pairs {
  ["perfect"] = {},
  ["declared"] = { amounts = "declared" },
  ["learnt"] = { amounts = "learnt", rates = "nominal" },
  ["error(0.5)"] = { error = "50 %" },
  ["error(0.5) error_seed(4)"] = { error = 0.5, error_seed = 4 },
  ["current age(10)"] = { rates = "current", age = "10 s" },
  ["declared median(5) progress sample_period(2)"] =
    { amounts = "declared", rates = "median(5)", running = "progress", sample_period = 2 },
  ["declared overdue(3)"] = { amounts = "declared", rates = "nominal", running = "estimate", overdue = 3 },
} do
  same(run(text).fingerprint, run(fields).fingerprint, text)
end
same(run(nil).fingerprint, run("perfect").fingerprint, "what is usual")
assert(run("error(0.5)").fingerprint ~= run("perfect").fingerprint, "errors matter")
assert(run("error(0.5)").fingerprint ~= run("error(0.5) error_seed(4)").fingerprint, "the seed matters")
same(run("error(0.5)").fingerprint, run("error(0.5) error_seed(3)").fingerprint, "the run's seed")

-- Every policy that may have files, under every quality.
for _, policy in ipairs { planner { map = "min_min", interval = 15 }, planner { map = "xsufferage" }, planner { map = "sufferage_2", steal = true } } do
  for _, information in ipairs { "declared", "learnt last", "mean", "quantile(0.2)", "adapt_mse progress", "exp(0.2) age(12) error(0.7)" } do
    same(run(information, policy).status, "complete", tostring(policy) .. " with " .. information)
  end
end

-- A fork knows what the original knows.
for _, information in ipairs { "learnt", "run_avg", "adapt_mae age(5)", "error(0.9)" } do
  local sim = s:start { policy = planner { map = "sufferage", interval = 20 }, information = information, seed = 3 }
  sim:run_until(31)
  local fork = sim:fork()
  sim:run()
  fork:run()
  same(fork:result().fingerprint, sim:result().fingerprint, information)
  same(sim:result().fingerprint, run(information).fingerprint, information)
end

-- Information asked for in a comparison counts for all its runs.
local compared = s:compare { planner { map = "min_min" }, planner { map = "max_min" }, information = { error = 0.5 }, seed = 3 }
same(compared:result(1).fingerprint, run("error(0.5)", planner { map = "min_min" }).fingerprint, "a comparison")

-- As the level of a factor.
local e = experiment "levels" {
  factors = { information = { "perfect", "last", "declared error(0.25)" } },
  run = function(f, seed) return s:run { policy = planner { map = "min_min" }, information = f.information, seed = seed } end,
  measure = { "makespan" },
}
same(e:table("makespan")[3].information, "declared error(0.25)", "a level")

-- Forecasts of any list.
local list = { 50, 52, 49, 51, 90, 50, 48 }
same(stats.forecast(list, "last"), 48.0, "last")
same(stats.forecast(list, "median(5)"), 50.0, "median")
assert(math.abs(stats.forecast(list, "run_avg") - 55.714286) < 1e-6)
refused("'medien(5)' is no forecast", function() stats.forecast(list, "medien(5)") end)
refused("needs at least one value", function() stats.forecast({}, "last") end)
refused("the method is a text", function() stats.forecast(list, 5) end)

-- Requests that make no sense.
refused("there is no 'perfekt'", function() run "perfekt" end)
refused("did you mean 'perfect'", function() run "perfekt" end)
refused("information must be a text, as in \"declared\", or a table, got 3", function() run(3) end)
refused("unknown field 'rate'", function() run { rate = "last" } end)
refused("error must be from 0 to below 1, got 1", function() run { error = 1 } end)
refused("age must be finite and >= 0 s, got -1", function() run { rates = "last", age = -1 } end)
refused("perfect rates look at none", function() run { age = 30 } end)
refused("is no way to foretell rates", function() run { rates = "lost" } end)
refused("did you mean 'last'", function() run { rates = "lost" } end)
refused("amounts must be", function() run { amounts = "guessed" } end)
refused("running must be", function() run { amounts = "declared", running = "slowly" } end)
refused("progress has no meaning where all is known exactly", function() run { running = "progress" } end)
refused("the number must be from 0 to 1, got 2", function() run "quantile(2)" end)

-- How far estimates were off: the first task is declared to take half as long again, the second as long as it does, the file
-- takes 2 s as it is declared to.
do
  local off = scenario {
    platform = platform { cluster "c" { nodes = 1, link = { bandwidth = 10 } } },
    workload = workload.tasks { { time = 10, estimate = 15, inputs = { file("data", 20) } }, { time = 4 } },
  }
  local r = off:run { policy = "workqueue", information = "declared" }
  same(r.estimate_error, 0.5 / 3, "estimate_error")
  local perfect = off:run { policy = "workqueue" }.estimate_error
  same(perfect == perfect, false, "estimate_error with perfect information")
end
print "as it should be"
