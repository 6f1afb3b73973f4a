-- Every kind of figure, as text; with --out also as NAME.svg, with its numbers in NAME.csv. A policy has the same colour in all.
-- takes: a second
-- perigee run scripts/tutorial/figures.lua --out figures
-- test: thorough --out "$OUT/figures"

local function make(load)
  return scenario {
    platform = platform { cluster "old" { nodes = 4 }, cluster "new" { nodes = 2, cores = 2, speed = 2 } },
    workload = workload.tasks(60, function(i, rng)
      return { ops = rng:lognormal(100, 80), arrival = 20 * i / load, user = "user " .. i % 3 + 1 }
    end),
    events = { outage { cluster = "old", from = 300, to = 450 } },
  }
end

local runs = {}
for _, load in ipairs { 0.5, 1, 1.5, 2 } do
  for _, name in ipairs { "fcfs", "workqueue", "min_min" } do
    for seed = 1, 5 do
      local r = make(load):run { policy = name == "min_min" and mapped { map = "min_min" } or name, seed = seed }
      runs[#runs + 1] = { load = load, policy = name, makespan = r.makespan, mean_response = r.mean_response }
    end
  end
end

plot(runs, { x = "load", y = "mean_response", by = "policy", title = "Response time grows with the load", file = "lines" })
plot(runs, { x = "load", y = "makespan", by = "policy", kind = "bars", y_unit = "min", file = "bars" })
plot(runs, { x = "mean_response", y = "makespan", by = "policy", kind = "points", log_x = true, file = "points" })

plot(runs, { y = "mean_response", by = "policy", kind = "ecdf", y_unit = "%", file = "ecdf" })
plot(runs, { x = "load", y = "policy", value = "mean_response", kind = "heatmap", file = "heatmap", formats = { "svg", "pdf", "png" } })
plot(runs, { x = "policy", y = "mean_response", facet = "load", file = "facets" })
plot(runs, { x = "load", y = "makespan", by = "policy", kind = "areas", y_unit = "min", title = "Areas on each other", file = "areas" })

local r = make(1):run { policy = "workqueue", seed = 1 }
r:jobs():plot { x = "user", y = "response", kind = "box", file = "box" }
r:jobs():plot { y = "run", kind = "histogram", x_label = "run time", y_label = "tasks", file = "histogram" }
make(1):compare { "fcfs", "workqueue", mapped { map = "min_min" } }:plot { x = "policy", y = { "mean_wait", "mean_response" } }
r:plot { title = "Work of three users, with an outage", file = "gantt" }
r:plot { kind = "utilization" }
r:plot { kind = "queue" }
