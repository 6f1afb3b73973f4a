-- A policy that suspends, resumes, requeues and dumps at random, gang and preemption, over random scenarios: the validator finds nothing, and
-- forks are alike.
-- expect: random suspensions ok
policy "reckless" {
  accepts = { "jobs", "several_cores", "several_hosts", "memory", "limits" },
  begin = function(self, sim) sim:timer(1) end,
  timer = function(self, sim) self.tick = true end,
  decide = function(self, sim)
    local rng = sim:stream "acts"
    for _, work in ipairs(sim:line()) do
      local where = rng:uniform(0, 1) < 0.8 and sim:allocate(work)
      if where then sim:start(work, where) end
    end
    for _, id in ipairs(sim:suspended()) do
      local x = rng:uniform(0, 1)
      if sim:can_resume(id) and x < 0.5 then sim:resume(id) elseif x > 0.95 then sim:requeue(id) end
    end
    local seen = {}
    for host = 1, sim:host_count() do
      for _, id in ipairs(sim:running_on(host)) do
        if not seen[id] and sim:activity(id).kind == "compute" then
          seen[id] = true
          local x = rng:uniform(0, 1)
          if x < 0.15 then sim:suspend(id)
          elseif x < 0.18 then sim:requeue(id)
          elseif x < 0.25 then pcall(function() sim:checkpoint(id, { requeue = x < 0.2 }) end) end  -- refused where it cannot dump
        end
      end
    end
    if self.tick then sim:timer(sim:now() + rng:uniform(0.5, 3)) end
    self.tick = false
  end,
}

local compared = 0
for seed = 1, 60 do
  local rng = stream("scenarios", seed)
  local hosts, cores = rng:choice { 1, 2, 3, 4, 6 }, rng:choice { 1, 2, 4 }
  local has_memory, has_dumps, has_limits, over_link = rng:uniform(0, 1) < 0.4, rng:uniform(0, 1) < 0.5, rng:uniform(0, 1) < 0.3, rng:uniform(0, 1) < 0.3
  local jobs = {}
  for i = 1, rng:choice { 4, 8, 12 } do
    local job = {
      time = rng:uniform(0, 1) < 0.5 and math.floor(rng:uniform(1, 30)) or rng:uniform(0.1, 20), arrival = math.floor(rng:uniform(0, 40)),
      qos = rng:choice { "low", "middle", "high" }, nodes = math.min(hosts, rng:choice { 1, 1, 2, 3 }), cores = math.min(cores, rng:choice { 1, 1, 2 }),
      exclusive = rng:uniform(0, 1) < 0.1, memory = has_memory and rng:choice { 10, 40, 60 } or nil,
    }
    if has_dumps and rng:uniform(0, 1) < 0.7 then
      job.checkpoint = { interval = rng:choice { 2, 4, 7.5, 1000 }, restart = rng:choice { 0, 1 } }
      if over_link then job.checkpoint.bytes, job.checkpoint.link = rng:choice { 5, 20 }, "n.link" else job.checkpoint.cost = rng:choice { 0, 1, 2.5 } end
    end
    if has_limits and rng:uniform(0, 1) < 0.5 then job.limit, job.grace = job.time * rng:choice { 0.5, 1, 1.5 } + 1, rng:choice { 0, 3 } end
    jobs[i] = job
  end
  local events = { change { host = "n.1", at = math.floor(rng:uniform(1, 40)), factor = rng:choice { 0.5, 1, 2 } } }
  for _ = 1, rng:choice { 0, 1, 2, 3 } do
    local from = math.floor(rng:uniform(1, 60))
    events[#events + 1] = outage { host = "n." .. math.floor(rng:uniform(1, hosts + 0.999)), from = from, to = from + math.floor(rng:uniform(1, 10)),
                                   announced = rng:uniform(0, 1) < 0.6 }
  end
  local s = scenario {
    platform = platform { cluster "n" { nodes = hosts, cores = cores, setup = rng:choice { 0, 1 }, memory = has_memory and 100 or nil,
                                        link = { bandwidth = rng:choice { 5, 10 }, sharing = rng:choice { "exclusive", "fair" } } } },
    workload = workload.jobs(jobs), events = events, on_failure = { compute = rng:choice { "lost", "resumed", "restarted" } },
    at_limit = rng:choice { "kill", "requeue", "checkpoint" }, qos = { qos "low" {}, qos "middle" { tier = 2 }, qos "high" { tier = 3 } },
  }
  local policies = { "reckless" }
  for _, how in ipairs { "suspend", "requeue", "checkpoint" } do
    policies[#policies + 1] = easy { preempt = how }
    policies[#policies + 1] = backfill { preempt = how, exempt = rng:choice { 0, 3 } }
  end
  if not has_limits then policies[#policies + 1] = gang { slice = rng:choice { 3, 7.3 }, rows = rng:choice { 1, 2, 4 }, fill = rng:uniform(0, 1) < 0.5 } end
  for _, each in ipairs(policies) do
    local r = s:run { policy = each, validate = true, horizon = 2000, seed = seed }
    local sim = s:start { policy = each, horizon = 2000, seed = seed }
    sim:run_until(rng:choice { 5, 11, 19 })
    if sim:fork():run().fingerprint ~= r.fingerprint then error(("seed %d, %s: a fork differs"):format(seed, tostring(each))) end
    compared = compared + 1
  end
end
print("random suspensions ok", compared)
