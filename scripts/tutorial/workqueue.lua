-- A policy in Lua: the workqueue, decision by decision what the native one does.
-- takes: a second
-- perigee run scripts/tutorial/workqueue.lua
--   --set tasks=200     size of each workload

local function offer(self, hosts)
  for i = 1, #hosts do
    local host = hosts[i]
    if not self.offered[host] then
      self.offered[host] = true
      self.free[#self.free + 1] = host
    end
  end
end

policy "lua_workqueue" {
  summary = "an idle host takes the next work that it can run",
  source = "Berman et al., LIP RR 1999-46, section 5.2.1 (H0)",
  accepts = { "tasks", "jobs", "several_cores" },

  begin = function(self, sim)
    self.waiting, self.first, self.last = {}, 1, 0   -- in order of arrival; what left from the middle is false
    self.free, self.offered = {}, {}                 -- hosts that may have idle cores
    offer(self, sim:hosts())
  end,

  arrived = function(self, sim, works)
    for i = 1, #works do self.waiting[self.last + i] = works[i] end
    self.last = self.last + #works
  end,

  finished = function(self, sim, works, hosts) offer(self, hosts) end,
  host_changed = function(self, sim, hosts) offer(self, hosts) end,

  failed = function(self, sim, works, hosts)         -- back to its place by arrival
    for _, work in ipairs(works) do
      local at = self.first
      while at <= self.last do
        local other = self.waiting[at]
        if other then
          local theirs, ours = sim:arrival(other), sim:arrival(work)
          if theirs > ours or theirs == ours and other > work then break end
        end
        at = at + 1
      end
      if at == self.first and at > 1 then            -- into the room before the first
        self.first = at - 1
        self.waiting[self.first] = work
      else
        table.insert(self.waiting, at, work)
        self.last = self.last + 1
      end
    end
    offer(self, hosts)
  end,

  decide = function(self, sim)
    if self.first > self.last or #self.free == 0 then return end
    local waiting, free = self.waiting, self.free
    table.sort(free)
    local kept = 0
    for i = 1, #free do
      local host, at = free[i], self.first
      while at <= self.last and sim:idle_cores(host) > 0 do
        local work = waiting[at]
        if work and sim:cores(work) <= sim:idle_cores(host) and sim:estimate(work, host) < math.huge then
          sim:start(work, host)
          waiting[at] = false
          while self.first <= self.last and not waiting[self.first] do self.first = self.first + 1 end
          at = self.first
        else
          at = at + 1
        end
      end
      if sim:idle_cores(host) > 0 then
        kept = kept + 1
        free[kept] = host
      else
        self.offered[host] = nil
      end
    end
    for i = #free, kept + 1, -1 do free[i] = nil end
  end,
}

local n = setting("tasks", 200)
local small = platform { cluster "a" { nodes = 3, speed = 2 }, cluster "b" { nodes = 2, cores = 2 } }
local scenarios = {
  { "all at once", workload.tasks(n, function(i, rng) return { time = rng:uniform(5, 15) } end) },
  { "arrivals", workload.tasks(n, function(i, rng) return { ops = rng:lognormal(10, 8), arrival = 2.5 * i } end) },
  { "several cores", workload.jobs(n, function(i, rng)
      return { time = rng:integer(1, 9), cores = rng:integer(1, 2), arrival = i }
    end) },
  { "outages", workload.tasks(n, function(i, rng) return { time = rng:uniform(5, 15), arrival = rng:uniform(0, 100) } end),
    { outage { host = "a.1", from = 10, to = 60 }, outage { cluster = "b", from = 50, to = 55 },
      failures { host = "a.2", mtbf = 40, mttr = 10 } } },
}
for _, given in ipairs(scenarios) do
  local s = scenario { platform = small, workload = given[2], events = given[3] }
  for seed = 1, 3 do
    local native, lua = s:run { policy = "workqueue", seed = seed }, s:run { policy = "lua_workqueue", seed = seed }
    expect(native.fingerprint == lua.fingerprint, ("%s, seed %d: the same decisions"):format(given[1], seed))
    print(("%-14s seed %d %10.2f s  as the native one"):format(given[1], seed, lua.makespan))
  end
end
