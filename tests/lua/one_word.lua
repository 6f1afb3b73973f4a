-- A word about hosts means the same in a policy, in a process and its conditions, and at a simulation under way and its
-- state; a host is named or numbered. By hand: two cores, each task has one for 10 s.
-- args: --validate
-- expect: the policy	1	1	2	true
-- expect: the process	1	1	2	true
-- expect: the condition	1	1	2	true
-- expect: the simulation	1	1	2	true
-- expect: its state	1	1	2	true
-- expect: a sim has no field 'idle'; it is sim:idle_cores(host) now
-- expect: a sim has no field 'running'; it is #sim:running_on(host) now
-- expect: a sim has no field 'queued'; it is #sim:queued_on(host) now
-- expect: unknown host 'y'
-- expect: host must be 1 to 2, got 3
-- expect: host must be its name or number, got true
-- expect: superseded	1	b	20.0
local function look(who, sim)
  for _, host in ipairs { "x", 1 } do
    local running, queued = sim:running_on(host), sim:queued_on(host)
    local first, second = sim:activity(running[1]), sim:activity(queued[1])
    expect(first.work == 1 and first.host == 1 and first.started == 0 and not first.posted and not first.copy, "what runs")
    expect(second.work == 2 and second.posted and second.cores == 2, "what is posted")
    expect(sim:speed(host) == 1, "speed")
    if host == 1 then print(who, #running, sim:idle_cores(host), second.work, sim:is_up(host)) end
  end
end
policy "posts" {
  accepts = { "jobs", "several_cores" },
  arrived = function(self, sim, works) for _, work in ipairs(works) do sim:post(work, "x") end end,
  timer = function(self, sim) look("the policy", sim) end,
  begin = function(self, sim) sim:timer(4) end,
}
local s = scenario {
  platform = platform { host "x" { cores = 2 }, host "xx" {} },
  workload = workload.jobs { { time = 10, cores = 1 }, { time = 10, cores = 2 } },
  events = { process(function(sim)
    sim:wait(5)
    look("the process", sim)
    local again = sim:activity(sim:running_on(1)[1])
    sim:wait_for(function(state)
      if sim:now() < 6 then look("the condition", state) end
      return true
    end)
    sim:wait(1)
    expect(again.work == 1, "what it kept")
  end) },
}
local sim = s:start { policy = "posts" }
sim:run_until(7)
look("the simulation", sim)
look("its state", sim.state)
sim:fork():run()
expect(sim:run().makespan == 20, "makespan")

policy "asks" {
  decide = function(self, sim)
    for _, word in ipairs { "idle", "running", "queued" } do
      local _, problem = pcall(function() return sim[word] end)
      print(problem.message)
    end
    for _, host in ipairs { "y", 3, true } do
      local _, problem = pcall(sim.idle_cores, sim, host)
      print(problem.message)
    end
  end,
}
scenario { platform = s.platform, workload = workload.tasks { { time = 1 } } }:run { policy = "asks" }

-- By hand: both copies would end at 20 and 30; the later one is told of.
local late = {}
policy "twice" {
  arrived = function(self, sim, works) self.first = sim:start(works[1], "a") end,
  begin = function(self, sim) sim:timer(10) end,
  timer = function(self, sim) sim:copy(self.first, "b") end,
  superseded = function(self, sim, works, hosts) late = { works[1], sim:host_name(hosts[1]), sim:now() } end,
}
scenario { platform = platform { host "a" {}, host "b" {} }, workload = workload.tasks { { time = 20 } } }:run { policy = "twice" }
print("superseded", table.unpack(late))
