-- A hidden outage that begins when an announced one ends: work that found no host then is looked at again.
-- expect: planned	complete	15.0
-- expect: grouped	complete	16.0
-- expect: mapped	complete	15.0
-- expect: fcfs	complete	15.0
-- expect: planned behind	complete	14.0
-- expect: grouped beside	complete	15
local function with(hosts, jobs, events)
  return scenario {
    platform = platform(hosts), workload = workload.jobs(jobs), events = events, on_failure = { compute = "resumed" },
  }
end
local hidden = {
  outage { host = "a", from = 2, to = 4 },
  outage { host = "a", from = 4, to = 6, announced = false },
}
local s = with({ host "a" { cores = 2 } }, { { time = 10 }, { time = 1, cores = 2, arrival = 1 } }, hidden)
for _, policy in ipairs { "planned", "grouped", "mapped", "fcfs" } do
  local r = s:run { policy = policy, validate = true }
  print(policy, r.status, r.makespan)
end
-- A task planned for the core that is free stays planned there.
local r = with({ host "a" { cores = 2 } },
  { { time = 10 }, { time = 3, arrival = 5 }, { time = 3, arrival = 5 }, { time = 1, arrival = 5 } }, hidden)
  :run { policy = planned { scope = "task" }, validate = true }
print("planned behind", r.status, r.makespan)
-- Another host is busy for long: the work does not wait for it.
r = with({ host "a" { cores = 2 }, host "b" {} },
  { { time = 10, cores = 2 }, { time = 100, arrival = 0.5 }, { time = 1, cores = 2, arrival = 5 } }, hidden)
  :run { policy = grouped { size = 1, map = "min_min" }, validate = true }
for _, job in ipairs(r:jobs()) do if job.name == "job 3" then print("grouped beside", r.status, job.finish) end end
