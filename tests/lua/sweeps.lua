-- Grids, weights, noise, packages, the record, scheduler lists, JSON.
-- expect: all is well
local function refused(code, text, f)
  local ok, problem = pcall(f)
  expect(not ok, text)
  expect(problem.code == code, ("%s: code %s, not %s"):format(text, problem.code, code))
  expect(problem.message:find(text, 1, true) ~= nil, problem.message .. " does not say: " .. text)
end

-- Sim-PETEK, 2010, section 5.2.1: 20 x 5 x 8 runs; the first parameter varies slowest.
local points = workload.grid {
  { "sensors", from = 150, to = 169, step = 1 }, { "step_size", from = 0.020, step = 0.001, count = 5 },
  { "velocity", from = 0.40, to = 0.47, count = 8 },
}
expect(#points == 800, "800 points")
expect(points[1].sensors == 150 and points[1].step_size == 0.020 and points[1].velocity == 0.40, "the first point")
expect(math.abs(points[8].velocity - 0.47) < 1e-15 and points[8].step_size == 0.020, "the last parameter is the fastest")
expect(points[9].velocity == 0.40 and math.abs(points[9].step_size - 0.021) < 1e-15, "then the one before it")
expect(points[40].sensors == 150 and points[41].sensors == 151, "then the first")
local named = workload.grid { { "law", "normal", "gamma" }, { "x", 3, 1, 2 } }
expect(#named == 6 and named[5].law == "gamma" and named[5].x == 1, "values as they are listed")
expect(#workload.grid { { "x", from = 2, to = 2, step = 5 } } == 1, "one value")

refused("bad_sweep", "it has no parameters", function() workload.grid {} end)
refused("bad_sweep", "parameter 'x': it has no values", function() workload.grid { { "x" } } end)
refused("bad_sweep", "its name comes first", function() workload.grid { { 1, 2 } } end)
refused("bad_sweep", "to must be >= from = 3, got 1", function() workload.grid { { "x", from = 3, to = 1, step = 1 } } end)
refused("bad_sweep", "step must be > 0, got 0", function() workload.grid { { "x", from = 3, to = 5, step = 0 } } end)
refused("bad_sweep", "from 0 to 1 are not whole steps of 0.3", function() workload.grid { { "x", from = 0, to = 1, step = 0.3 } } end)
refused("bad_sweep", "two of to, step and count", function() workload.grid { { "x", from = 0, to = 1 } } end)
refused("bad_sweep", "two parameters are called 'x'", function() workload.grid { { "x", 1 }, { "x", 2 } } end)
refused("bad_sweep", "100000000 points are more than",
        function() workload.grid { { "x", from = 1, step = 1, count = 10000 }, { "y", from = 1, step = 1, count = 10000 } } end)
refused("unknown_field", "unknown field 'stop'", function() workload.grid { { "x", from = 0, stop = 1 } } end)

-- One slot: a run's trials one after the other, so that times are sums of weights, by hand.
local function makespan(fields)
  fields.time = fields.time or 1
  return scenario { platform = platform { host "a" {} }, workload = workload.sweep(fields) }:run { policy = "workqueue", seed = 1 }.makespan
end
local few = workload.grid { { "x", 1, 2 }, { "y", 10, 20, 30 } }
expect(makespan { points = few, weights = function(p) return p.x * p.y end } == 3 * 60, "weights of points")
expect(makespan { points = few, trials = 2, weights = function(p, run) return run end } == 2 * 21, "weights by number")
expect(makespan { runs = 4, weights = function(p, run) expect(p == nil, "no points") return run end } == 10, "weights without points")
expect(makespan { points = few, runs = 6 } == 6, "runs as many as points")
refused("bad_field", "5 runs, but 6 points", function() makespan { points = few, runs = 5 } end)
refused("bad_field", "points must be a list", function() makespan { points = {} } end)
refused("bad_field", "3 weights for 4 runs", function() makespan { runs = 4, weights = { 1, 2, 3 } } end)
refused("bad_quantity", "weights of run 2", function() makespan { runs = 4, weights = function(p, run) return run == 2 and "much" or 1 end } end)

-- Noise: the same factors whatever the policy and the hosts; of mean 1, others with another seed; not declared.
local function noisy(trials, cv, seed, policy)
  local s = scenario { platform = platform { host "a" {}, host "b" {} }, workload = workload.sweep { runs = 200, trials = trials, time = 1, noise = cv } }
  local r = s:run { policy = policy or "workqueue", seed = seed }
  local run = {}
  for _, package in ipairs(r:packages()) do
    for i = 0, package.runs - 1 do run[package.first + i] = (package.finish - package.start) / package.runs end
  end
  return run, r
end
local one, other, again = noisy(1, 0.1, 1), noisy(1, 0.1, 2), noisy(1, 0.1, 1, amra { rounds = 200 })
local sum, squares, differ = 0, 0, false
for i = 0, 199 do
  sum, squares, differ = sum + one[i], squares + one[i] ^ 2, differ or one[i] ~= other[i]
end
expect(math.abs(sum / 200 - 1) < 4 * 0.1 / math.sqrt(200), "a mean of 1")
expect(math.abs(math.sqrt(squares / 200 - (sum / 200) ^ 2) - 0.1) < 0.02, "a coefficient of variation of 0.1")
expect(differ, "another seed has other factors")
local single = true
for i = 0, 199 do single = single and math.abs(one[i] - again[i]) < 1e-9 end
expect(single, "the factor of a run does not depend on the policy")
local s = scenario { platform = platform { host "a" {} }, workload = workload.sweep { runs = 10, time = 1, noise = 0.5 } }
local sim = s:start { policy = "workqueue", information = "declared" }
expect(s:run { policy = "workqueue" }:jobs()[1].requested == 10, "what is declared has no noise")
refused("out_of_range", "noise", function() makespan { runs = 4, noise = -1 } end)

-- Tables of a run. Two copies by hand: on b the two runs take 1 s each, on a 10 s each.
policy "copies" {
  accepts = { "sweeps" },
  arrived = function(self, sim) self.first = sim:start(1, 1, { size = 2 }) end,
  timer = function(self, sim) sim:copy(self.first, 2) end,
  begin = function(self, sim) sim:timer(5) end,
}
local r = scenario { platform = platform { host "a" {}, host "b" {} },
                     workload = workload.sweep { runs = 2, times = { a = 10, b = 1 } } }:run { policy = "copies" }
expect(r.makespan == 7 and r.duplicate_time == 2 and r.redundant_time == 7 and r.package_count == 2, "metrics of copies")
expect(r.idle_time == 5 and r.finish_spread == 0 and r["utilization.hosts"] == 0, "nothing but a copy has ended well")
local uses = {}
for _, package in ipairs(r:packages()) do uses[#uses + 1] = package.host .. " " .. package.use .. " " .. package.start .. " " .. package.finish end
expect(table.concat(uses, ", ") == "a redundant 0 7, b duplicate 5 7", table.concat(uses, ", "))
expect(r:hosts()[2].runs == 2 and r:hosts()[2].duplicate == 2 and r:hosts()[2].idle == 5, "hosts")
expect(#r:enpr() == 0, "no shares")

local sweeps = require "sweeps"
-- A run that is cut at 5 s: a has done a run in 2 s and is at the next one, b is still at its first.
local cut = scenario { platform = platform { host "a" {}, host "b" {} },
                       workload = workload.sweep { runs = 9, times = { a = 2, b = 40 } } }:run { policy = "workqueue", horizon = 5 }
expect(sweeps.timeline(cut, "a") == "0-2:1 2-4:1 4-:1" and sweeps.timeline(cut, "b") == "0-:1", sweeps.timeline(cut, "a"))
local a, b = cut:hosts()[1], cut:hosts()[2]
expect(a.useful == 4 and a.running == 1 and a.idle == 0 and b.useful == 0 and b.running == 5 and b.idle == 0, "what is under way")
expect(cut["utilization.hosts"] == 4 / 10, "4 of 10 s ended well")
expect(cut:packages()[1].use == "useful" and cut:packages()[2].use == "running", "the first packages of a and b")
expect(cut:packages()[2].finish ~= cut:packages()[2].finish, "it has not ended: nan")
local learnt = scenario { platform = platform { host "a" { cores = 3 }, host "b" {} }, workload = workload.sweep { runs = 8, time = 1 } }
  :run { policy = amrs { rounds = 2 } }:enpr()
expect(learnt[1].enpr == 0.75 and learnt[1].npp == nil and learnt[2].enpr == 0.25, "shares by cores")
expect(learnt[3].npp == 3 and learnt[4].npp == 1 and learnt[3].enpr == 0.75, "a: 3 runs in 1 s, b: 1 run in 1 s")

-- JSON
local value = { name = "a \"b\"", list = { 1, 2.5, true, "x" }, empty = {}, deep = { { k = 1e300 } } }
expect(json.text(value) == [[{"deep":[{"k":1e+300}],"empty":{},"list":[1,2.5,true,"x"],"name":"a \"b\""}]], json.text(value))
expect(json.text(nil) == "null", "null")
refused("bad_json", "JSON has no nan", function() json.text { 0 / 0 } end)
refused("bad_json", "neither a number", function() json.text { print } end)
refused("bad_json", "levels deep", function() local t = {} t.t = t json.text(t) end)
refused("bad_json", "a list has the key 'x'", function() json.text { 1, x = 2 } end)
local cases = json.read "data/cases.json"
expect(#cases == 2 and cases[1].nodes[2].tau == 0.5 and cases[2].nothing == nil, "cases")
refused("bad_json", "a list of a script has no null", function() json.read "data/null.json" end)
refused("no_file", "nowhere.json", function() json.read "data/nowhere.json" end)

-- SchedulerList.xml
local list = scheduler_list "data/SchedulerList.xml"
local labels = {}
for i, entry in ipairs(list) do labels[i] = entry.label .. " = " .. tostring(entry.policy) end
expect(table.concat(labels, "; ") == "AMRA-2 = amra { rounds = 2 }; AMRA-3 = amra { rounds = 3 }; "
       .. "ImprovedSSSEScheduler-2/15/10.5 = issse_amra { m = 10.5 }; "
       .. "ImprovedSSSEScheduler-3/30/20.3 = issse_amra { peak = 3, k = 30, m = 20.3 }; "
       .. "CalibratedScheduler = calibrated", table.concat(labels, "; "))
refused("bad_number", "NumRounds must be a number, got '2,5'", function() scheduler_list "data/comma.xml" end)
print "all is well"
