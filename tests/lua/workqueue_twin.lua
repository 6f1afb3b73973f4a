-- A workqueue in Lua decides as the native one: the same physical fingerprint.
-- args: --validate
-- expect: twins agree on 4 scenarios
policy "lua_workqueue" {
  summary = "a workqueue written in Lua",
  accepts = { "tasks", "jobs", "several_cores" },
  begin = function(self, sim) self.waiting, self.head = {}, 1 end,
  arrived = function(self, sim, works)
    for _, w in ipairs(works) do self.waiting[#self.waiting + 1] = w end
  end,
  failed = function(self, sim, works)
    for _, w in ipairs(works) do                     -- back to its place by arrival
      local at = #self.waiting + 1
      while at > 1 do
        local before = self.waiting[at - 1]
        local a, b = sim:arrival(before), sim:arrival(w)
        if a < b or (a == b and before < w) then break end
        at = at - 1
      end
      table.insert(self.waiting, at, w)
    end
  end,
  decide = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      local i = 1
      while i <= #self.waiting and sim:idle(h) > 0 do
        local w = self.waiting[i]
        if sim:cores(w) <= sim:idle(h) and sim:estimate(w, h) < math.huge then
          sim:start(w, h)
          table.remove(self.waiting, i)
          i = 1
        else
          i = i + 1
        end
      end
    end
  end,
}

local function same(name, s, options)
  for seed = 1, 3 do
    local native = s:run { policy = "workqueue", seed = seed }
    local lua = s:run { policy = "lua_workqueue", seed = seed }
    assert(native.status == "complete", name .. ": " .. native.status)
    assert(native.fingerprint == lua.fingerprint,
           ("%s, seed %d: %s is not %s"):format(name, seed, native.fingerprint, lua.fingerprint))
  end
end

local small = platform { cluster "a" { nodes = 3, speed = 2 }, cluster "b" { nodes = 2, cores = 2 } }
same("at once", scenario { platform = small,
  workload = workload.tasks(60, function(i, rng) return { time = rng:uniform(5, 15) } end) })
same("arrivals", scenario { platform = small,
  workload = workload.tasks(80, function(i, rng) return { ops = rng:lognormal(10, 8), arrival = 2.5 * i } end) })
same("outages", scenario { platform = small,
  workload = workload.tasks(80, function(i, rng) return { time = rng:uniform(5, 15), arrival = rng:uniform(0, 100) } end),
  events = { outage { host = "a.1", from = 10, to = 60 }, outage { cluster = "b", from = 50, to = 55 },
             failures { host = "a.2", mtbf = 40, mttr = 10 } } })
same("cores", scenario { platform = small,
  workload = workload.jobs(50, function(i, rng) return { time = rng:integer(1, 9), cores = rng:integer(1, 2), arrival = i } end) })
print("twins agree on 4 scenarios")
