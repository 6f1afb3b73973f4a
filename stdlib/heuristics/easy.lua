-- EASY backfilling, a policy for jobs. First come, first served; but the first in line that cannot start is promised the host where it
-- can start earliest, by estimates. Work behind it starts now where it does not delay that.
-- Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2. Ties: order of arrival, then of input; the lowest host.

local function can_run(sim, work, host)                    -- idle or not
  return sim:is_up(host) and sim:cores(work) <= sim:host_cores(host) and sim:estimate(work, host) < math.huge
end

-- When the first in line can start: host, time, and the cores of the host that it leaves over then.
local function promise(sim, work)
  local best = { at = math.huge, extra = 0 }
  for _, host in ipairs(sim:hosts()) do
    if can_run(sim, work, host) then
      local idle, at = sim:idle_cores(host), sim:now()
      local function ends(id) return math.max(sim:end_of(id), sim:now()) end  -- what runs longer than expected ends now
      local order = { table.unpack(sim:running_on(host)) }
      table.sort(order, function(a, b) return ends(a) < ends(b) end)
      for _, id in ipairs(order) do
        if idle >= sim:cores(work) and ends(id) > at then break end
        at, idle = ends(id), idle + sim:cores(sim:activity(id).work)
      end
      if idle >= sim:cores(work) and at < best.at then best = { host = host, at = at, extra = idle - sim:cores(work) } end
    end
  end
  return best
end

-- The fastest host where the work can start and does not delay what was promised.
local function choose(sim, work, promised)
  local best
  for _, host in ipairs(sim:hosts()) do
    if sim:fits(work, host) and can_run(sim, work, host) then
      local delays = host == promised.host and sim:cores(work) > promised.extra and sim:now() + sim:estimate(work, host) > promised.at
      if not delays and (not best or sim:speed(host) > sim:speed(best)) then best = host end
    end
  end
  return best
end

return policy "lua_easy" {
  summary = "fcfs; later work starts early where it does not delay the first in line, by estimates",
  source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2",
  accepts = { "tasks", "jobs", "several_cores" },
  begin = function(self, sim) self.line = {} end,
  arrived = function(self, sim, works) table.move(works, 1, #works, #self.line + 1, self.line) end,
  failed = function(self, sim, works)                      -- back to their places
    table.move(works, 1, #works, #self.line + 1, self.line)
    table.sort(self.line, function(a, b)
      local first, second = sim:arrival(a), sim:arrival(b)
      return first < second or first == second and a < b
    end)
  end,
  decide = function(self, sim)
    local kept, promised = {}, {}
    for _, work in ipairs(self.line) do
      local host = choose(sim, work, promised)
      if host then
        local ends = sim:end_of(sim:start(work, host))
        if host == promised.host and ends > promised.at then promised.extra = promised.extra - sim:cores(work) end
      else
        kept[#kept + 1] = work
        local runs = false
        for _, each in ipairs(sim:hosts()) do runs = runs or can_run(sim, work, each) end
        if runs and not promised.at then promised = promise(sim, work) end
      end
    end
    self.line = kept
  end,
}
