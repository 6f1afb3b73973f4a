-- A list has the places 1, 2, 3 and so on. A field with a name in it, or an entry after a hole, is refused: it would be dropped without
-- a word. A key that is no place is told with the line at which it stands.
local function refused(text, f, ...)
  local good, problem = pcall(f, ...)
  expect(not good and problem.message:find(text, 1, true) ~= nil, text .. ": " .. tostring(not good and problem.message))
end
local function no_list(subject, f, ...) refused(subject .. ": a list is needed, got the field 'x'", f, ...) end

local work = workload.tasks { { time = 1 } }
no_list("workload.merge", workload.merge, { work, x = work })
no_list("workload.merge", workload.merge, { x = work })
no_list("etc", etc, { { 1, 2 }, x = { 1, 2 } })
no_list("etc: row 2", etc, { { 1, 2 }, { 1, 2, x = 3 } })
no_list("workload.etc: arrivals", workload.etc, etc { { 1 }, { 2 } }, { arrivals = { 0, 1, x = 2 } })
no_list("task 1: inputs", workload.tasks, { { time = 1, inputs = { file("a", 1), x = file("b", 2) } } })
no_list("task 1: times", workload.tasks, { { times = { 1, 2, x = 3 } } })
no_list("sweep 1: weights", workload.sweeps, { { time = 1, runs = 2, weights = { 1, 2, x = 3 } } })
no_list("sweep 1: points", workload.sweeps, { { time = 1, points = { 1, 2, x = 3 } } })

no_list("smallest: the list", cost.smallest, { 3, 1, x = 0 })
no_list("stats.summary: values", stats.summary, { 1, 2, x = 3 })
no_list("stats.interval: values", stats.interval, { 1, 2, x = 3 })
no_list("stats.fit: x", stats.fit.linear, { 1, 2, 3, x = 3 }, { 1, 2, 3 })
no_list("stats.fit.terms", stats.fit.terms, { { 1 }, { 2 }, x = { 3 } }, { 1, 2 })
local problem = cost.problem { etc = etc { { 1, 2 }, { 3, 4 } } }
no_list("map_in_order: the order", cost.map_in_order, problem, { 2, 1, x = 1 })
no_list("makespan_of", problem.makespan_of, problem, { 1, 1, x = 1 })
no_list("largest_remainder: the shares", cost.largest_remainder, { 1.5, 1.5, x = 2 })
no_list("speed_weights: the times", cost.speed_weights, { 1, 2, x = 3 })
no_list("cost.calibrate: times", cost.calibrate, { times = { 1, 2, x = 3 }, left = 10 })
no_list("cost.umr: workers", cost.umr, { load = 100, workers = { { speed = 1, rate = 10 }, x = { speed = 1 } } })
local function chart_with(more)
  local fields = { times = etc { { 1, 2 }, { 3, 4 } }, clusters = { 1, 1 }, inputs = { { 1 }, { 1 } }, transfers = { 1 } }
  for name, value in pairs(more) do fields[name] = value end
  return cost.chart(fields)
end
chart_with {}
no_list("cost.chart: transfers", chart_with, { transfers = { 1, x = 2 } })
no_list("cost.chart: link_ready", chart_with, { link_ready = { 1, x = 2 } })
no_list("cost.chart: inputs", chart_with, { inputs = { { 1 }, { 1 }, x = { 1 } } })
no_list("cost.chart: inputs[2]", chart_with, { inputs = { { 1 }, { 1, x = 1 } } })
no_list("cost.staggered: free", cost.staggered, { transmission = 1, computation = 3, free = { 0, 4, x = 9 } })

no_list("distribution.empirical: values", distribution.empirical, { 1, 2, x = 3 })
no_list("distribution.tabulated", distribution.tabulated, { { 0, 0 }, { 1, 1 }, x = { 2, 1 } })
no_list("distribution.hyperexponential: probabilities", distribution.hyperexponential, { probabilities = { 0.5, 0.5, x = 0 }, means = { 1, 2 } })
local rng = stream "lists"
no_list("hyperexponential: means", rng.hyperexponential, rng, { 0.5, 0.5 }, { 1, 2, x = 3 })
no_list("discrete: weights", rng.discrete, rng, { 1, 2, x = 3 })
no_list("choice", rng.choice, rng, { 1, 2, x = 3 })
no_list("shuffle", rng.shuffle, rng, { 1, 2, x = 3 })
local one = distribution.deterministic { value = 1 }
no_list("sampler.composition: probabilities", sampler.composition, { 1, x = 0 }, { one })
no_list("sampler.composition: parts", sampler.composition, { 1 }, { one, x = one })
no_list("sampler.convolution: parts", sampler.convolution, { one, x = one })

local s = scenario { platform = platform { host "a" { speed = 1 }, host "b" { speed = 1 } }, workload = work }
no_list("compare: metrics", s.compare, s, { fcfs {}, metrics = { "makespan", x = "wait" } })
no_list("compare: metrics", s.compare, s, { fcfs {}, metrics = { x = "makespan" } })
refused("compare: metrics must name at least one metric, got an empty list", s.compare, s, { fcfs {}, metrics = {} })
no_list("compare: names", s.compare, s, { fcfs {}, names = { "first", x = "second" } })
policy "holds" {
  arrived = function(_, sim, works)
    no_list("hold: hosts", sim.hold, sim, { hosts = { 1, x = 2 }, to = 2 })
    sim:start(works[1], 1)
  end,
}
s:run { policy = "holds" }
no_list("reserve: hosts", scenario, { platform = s.platform, workload = work, events = { reserve { hosts = { "a", x = "b" }, from = 1, to = 2 } } })
local rows = { { a = 1, b = 2 }, { a = 2, b = 3 } }
no_list("plot: y", plot, rows, { x = "a", y = { "b", x = "a" } })
no_list("the list of rows", plot, { { a = 1, b = 2 }, x = { a = 3, b = 4 } }, { x = "a", y = "b" })
no_list("experiment 'measured': measure", experiment "measured", {
  factors = { size = { 1, 2 } }, measure = { "makespan", x = "wait" }, run = function() return s:run { fcfs {} } end,
})

-- Holes, and keys that are no places.
refused("smallest: the list has a hole: there is an entry 3, and no entry 2", cost.smallest, { [1] = 3, [3] = 2 })
refused("smallest: the list: a list is needed, got the key [0]", cost.smallest, { [0] = 9, 3, 1 })
refused("smallest: the list: a list is needed, got the key [1.5]", cost.smallest, { 3, 1, [1.5] = 0 })
refused("json.text: a list has the key 3", json.text, { [1] = 1, [3] = 3 })
refused("smallest: the list: a list is needed, got the key [true]", cost.smallest, { [true] = 1 })

-- However the table came to be: lists of 1 to 65 entries, filled up or down, with a name before, after or between them.
for _, n in ipairs { 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 64, 65 } do
  for _, at in ipairs { 0, 1, (n + 1) // 2, n } do
    local up, down = {}, {}
    for i = 1, n do
      if i == at then up.x = 0 end
      up[i] = i
      down[n + 1 - i] = i
      if i == at then down.x = 0 end
    end
    if at == 0 then
      expect(cost.smallest(up) == 1 and cost.smallest(down) == 1, tostring(n))
    else
      no_list("smallest: the list", cost.smallest, up)
      no_list("smallest: the list", cost.smallest, down)
    end
    up.x, down.x = nil, nil
    expect(cost.smallest(up) == 1 and cost.smallest(down) == 1, tostring(n))
  end
end

-- The line of the field.
local good, problem = pcall(function()
  return stats.summary {
    1, 2,
    x = 3,
  }
end)
expect(problem.line == 109, tostring(problem.line))
