// Examples of words: each a script that runs by itself.
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

namespace {

constexpr Example kExamples[] = {
    {"platform", R"(local p = platform {
  cluster "old" { nodes = 2, link = { bandwidth = "1 MB/s", latency = 0.1 } },
  host "desk" { cores = 4, speed = 2 },
}
print(p:total_cores()))"},
    {"workload.tasks", R"(local w = workload.tasks(10, function(i, rng)
  return { time = rng:exponential(60), arrival = 5 * i, output = "2 KB" }
end)
print(#w))"},
    {"workload.jobs",
     R"(print(workload.jobs { { time = "2 h", estimate = "3 h", cores = 4, user = "ada" } }))"},
    {"workload.sweep", R"(print(workload.sweep { time = 3, runs = 100, trials = 5 }))"},
    {"workload.random_loads", R"(local s = scenario {
  platform = platform { cluster "c" { nodes = 16, link = { bandwidth = 1 } } },
  workload = workload.random_loads {
    load = 0.5, horizon = 1e4, mean_size = 200, time = 100, bytes = 1, deadline_ratio = 2,
  },
}
print(s:run { policy = "edf_iit_2" }.rejected))"},
    {"workload.grid", R"(local points = workload.grid {
  { "sensors", from = 150, to = 160, step = 5 },
  { "velocity", 0.40, 0.45 },
}
print(points)
print(workload.sweep { points = points, time = 1, weights = function(p) return p.sensors / 150 end }))"},
    {"scenario", R"(local s = scenario {
  platform = platform { cluster "c" { nodes = 3 } },
  workload = workload.tasks { { time = 10 }, { time = 20, arrival = 5 } },
  events = { outage { host = "c.1", from = 2, to = 8 } },
  on_failure = { compute = "resumed" },
}
print(s:run { policy = "workqueue" }.makespan))"},
    {"failures",
     R"(local often = failures { all = true, mtbf = "5 h", mttr = "10 min", law = "weibull", shape = 0.7 }
print(often))"},
    {"scenario.compare", R"(local s = scenario {
  platform = platform { cluster "c" { nodes = 3 } },
  workload = workload.tasks(20, function(i, rng) return { time = rng:uniform(5, 15) } end),
}
print(s:compare { "fcfs", mapped "sufferage", metrics = { "makespan", "mean_wait" } }))"},
    {"scenario.start", R"(local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks { { time = 10 }, { time = 10 }, { time = 10 } },
}
local sim = s:start { policy = "workqueue" }
sim:run_until(4)
local other = sim:fork()
other:fail "c.1"
print(sim:run().makespan, sim:queue(), other:status()))"},
    {"result", R"(local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { time = 10 }, { time = 10 } },
}
local r = s:run { policy = "fcfs" }
print(r.status, r.makespan, r["utilization.held"], r:jobs()))"},
    {"etc", R"(local m = etc { { 3, 5 }, { 2, math.huge } }
print(m:time(1, 2), m:makespan_bound()))"},
    {"etc.range_based",
     R"(print(etc.range_based { tasks = 64, machines = 8, class = "hilo", consistency = "consistent" }))"},
    {"map", R"(local answer = map("sufferage", etc { { 3, 5 }, { 2, 8 }, { 4, 4 } }, { ready = { 0, 1 } })
print(answer.makespan, table.concat(answer.machine, " "), table.concat(answer.order, " ")))"},
    {"cost.chart", R"(local chart = cost.chart {
  times = { { 4, 2 }, { 6, 3 } }, clusters = { 1, 2 }, transfers = { { 2, 4 } }, inputs = { { 1 }, { 1 } },
}
print(chart:best(1), chart:best_machine(1), chart:place(1, 1), chart:best(2))
chart:fill "min_min"
chart:gantt())"},
    {"heuristic", R"(heuristic "patient" {
  parameters = { patience = 0.1 },
  pick = function(c, task, args) return c:second(task) - c:best(task) + args.patience * c:time(task) end,
}
print(map(patient { patience = 2 }, etc { { 3, 5 }, { 2, 8 }, { 4, 4 } }).makespan))"},
    {"policy", R"(policy "first_come" {
  begin = function(self, sim) self.waiting = {} end,
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do table.insert(self.waiting, work) end
  end,
  failed = function(self, sim, works)
    for _, work in ipairs(works) do table.insert(self.waiting, work) end
  end,
  decide = function(self, sim)
    for _, host in ipairs(sim:hosts()) do
      while #self.waiting > 0 and sim:idle_cores(host) > 0 do sim:start(table.remove(self.waiting, 1), host) end
    end
  end,
}
local s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks { { time = 10 }, { time = 10 }, { time = 10 } },
}
print(s:run { policy = "first_come" }.makespan))"},
    {"mapping problem",
     R"(local by_size = switch { "mct", "sufferage", when = function(p) return p:tasks() > p:machines() end }
print(map(by_size, etc { { 3, 5 }, { 2, 8 }, { 4, 4 } }).taken))"},
    {"experiment", R"(local e = experiment "speeds" {
  factors = { speed = { 1, 2 } },
  replications = 3,
  run = function(f)
    return scenario {
      platform = platform { host "a" { speed = f.speed } },
      workload = workload.tasks(9, function(i, rng) return { ops = rng:uniform(5, 15), arrival = 8 * i } end),
    }:run { policy = "fcfs" }
  end,
  measure = { "makespan" },
}
print(e:table "makespan"))"},
    {"claim", R"(claim {
  source = "a publication, Table 1",
  says = "the better of the two ends at 11",
  value = 11.02, published = 11, within = "1 %",
  verdict = "reproduces",
})"},
    {"plot", R"(plot({ { n = 1, time = 3 }, { n = 2, time = 5 } }, { x = "n", y = "time", y_unit = "s" }))"},
    {"random stream", R"(local rng = stream("dice", 1)
print(rng:integer(1, 6), rng:exponential(10), rng:choice { "a", "b" }))"},
    {"stats.interval", R"(local i = stats.interval({ 9, 11, 10, 12 }, { confidence = "99 %" })
print(i.mean, i.half_width, i:contains(10)))"},
    {"stats.replicate", R"(local rng = stream "values"
print(stats.replicate { run = function(i) return rng:normal(100, 5) end, relative = 0.02 }))"},
    {"stats.mm1", R"(print(stats.mm1 { lambda = 0.5, mu = 1 }.mean_response))"},
    {"stats.observations", R"(local o = stats.observations()
o:add(3)
o:add(5)
print(o.mean, o.sd))"},
    {"stats.fit.linear", R"(print(stats.fit.linear({ 1, 2, 3 }, { 2, 4, 7 }):predict(4)))"},
    {"distribution", R"(local d = distribution.gamma { mean = 100, sd = 50 }
print(d:quantile(0.9), d:truncated { low = 10 }:mean()))"},
    {"sampler", R"(local draw = sampler.inverse_transform(function(u) return u * u end)
print(draw(stream "squares") < 1))"},
    {"setting", R"(local nodes = setting("nodes", 4)
print(nodes))"},
    {"error", R"(local ok, problem = pcall(function() return platform { host "n" { speed = -2 } } end)
print(ok, problem.code, problem.message))"},
};

}  // namespace

std::span<const Example> examples() { return kExamples; }

std::string_view example_of(std::string_view owner) {
  for (const Example& example : kExamples)
    if (example.of == owner) return example.script;
  return {};
}

}  // namespace perigee::language
