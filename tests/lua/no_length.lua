-- Work and files of no length stand still on what is down unannounced, and the validator agrees.
-- expect: lost	3.0
-- expect: resumed	3.0
-- expect: restarted	3.0
-- expect: files are fine
for _, rule in ipairs { "lost", "resumed", "restarted" } do
  local r = scenario {
    platform = platform { host "a" {} }, workload = workload.tasks { { time = 0, arrival = 1 } },
    events = { outage { host = "a", from = 1, to = 3, announced = false } }, on_failure = { compute = rule },
  }:run { policy = "fcfs" }
  print(rule, r.makespan, r:validate()[1])
  for _, announced in ipairs { false, true } do
    for at = 0, 3 do
      local s = scenario {
        platform = platform { cluster "c" { nodes = 2, link = { bandwidth = 10 } } },
        workload = workload.tasks(4, function(i)
          return { time = (i % 2), arrival = i - 1, inputs = { file("i" .. i, 0) }, output = i == 3 and 0 or 10 }
        end),
        events = { outage { link = "c.link", from = at, to = at + 2, announced = announced } },
        on_failure = { compute = rule, transfer = rule },
      }
      for _, policy in ipairs { "workqueue", planner { map = "min_min" } } do
        assert(not s:run { policy = policy }:validate()[1])
      end
    end
  end
end
print("files are fine")
