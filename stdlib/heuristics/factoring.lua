-- Factoring, a policy for parameter sweeps. Runs are dealt out in batches of half of what is left, in equal chunks, one for each
-- host. An idle host takes the next chunk. Chunks shrink from batch to batch, so that what is left evens out the differences between hosts.
-- Source: Hummel, Schonberg and Flynn, CACM 35(8), 1992 (FAC2). Ties: more cores, more runs/s in the last package, order of hosts.
-- Sweeps are computed one after another. Runs that a host loses are dealt out again.

-- The hosts that can run the sweep: a batch has a chunk for each.
local function hosts_of(sim, work)
  local able = {}
  for _, host in ipairs(sim:hosts()) do
    if sim:estimate(work, host, { first = 0, size = 1 }) < math.huge then able[#able + 1] = host end
  end
  return able
end

local function measure(self, sim, works, hosts)            -- runs/s, of the package that has ended
  for i, work in ipairs(works) do
    local package = self.packages[hosts[i]]
    if package and work == self.line[1] then  -- to 9 decimals, so that what is equal but for roundings is equal
      self.speed[hosts[i]] = math.floor(1e9 * package.runs / (sim:now() - package.start) + 0.5)
    end
  end
end

local function next_sweep(self, sim)                       -- nothing is known of the hosts, and no batch has begun
  self.speed, self.batch = {}, { left = 0, hosts = 0, chunks = 0 }
  for host = 1, sim:host_count() do self.speed[host] = 0 end
end

return policy "lua_factoring" {
  summary = "an idle host takes a chunk of a batch; chunks are equal in a batch and shrink from one to the next",
  source = "Hummel, Schonberg and Flynn, CACM 35(8), 1992",
  accepts = { "sweeps" },
  begin = function(self, sim)
    self.line, self.packages = {}, {}
    for host = 1, sim:host_count() do self.packages[host] = false end
    next_sweep(self, sim)
  end,
  arrived = function(self, sim, works) table.move(works, 1, #works, #self.line + 1, self.line) end,
  computed = measure,
  finished = function(self, sim, works, hosts)
    measure(self, sim, works, hosts)
    for _, work in ipairs(works) do
      if work == self.line[1] then
        table.remove(self.line, 1)
        next_sweep(self, sim)
      end
    end
  end,
  host_changed = function(self, sim, hosts)
    for _, host in ipairs(hosts) do
      if not sim:is_up(host) then self.speed[host] = 0 end
    end
  end,
  decide = function(self, sim)
    local work = self.line[1]
    if not work then return end
    local able = hosts_of(sim, work)
    local order = { table.unpack(able) }
    table.sort(order, function(a, b)
      if sim:host_cores(a) ~= sim:host_cores(b) then return sim:host_cores(a) > sim:host_cores(b) end
      return self.speed[a] > self.speed[b]
    end)
    for _, host in ipairs(order) do
      if sim:fits(work, host) and sim:undealt(work) > 0 then
        if self.batch.chunks == 0 then  -- runs when it begins, in how many chunks, and those that nobody has taken
          self.batch = { left = sim:undealt(work), hosts = #able, chunks = #able }
        end
        self.batch.chunks = self.batch.chunks - 1
        local before = sim:undealt(work)
        sim:start(work, host, { size = math.max(1, math.ceil(self.batch.left / (2 * self.batch.hosts))) })
        self.packages[host] = { runs = before - sim:undealt(work), start = sim:now() }
      end
    end
  end,
}
