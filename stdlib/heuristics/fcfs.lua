-- First come, first served (FCFS), a policy for jobs. Work starts in the order of arrival, on the fastest host with enough idle
-- cores. Where there is none for the first in line, all wait.
-- Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2. Ties: order of input; the lowest host.

-- The fastest host that can start the work now, or nil.
local function fastest(sim, work)
  local best
  for _, host in ipairs(sim:hosts()) do
    if sim:fits(work, host) and sim:estimate(work, host) < math.huge and (not best or sim:speed(host) > sim:speed(best)) then
      best = host
    end
  end
  return best
end

return policy "lua_fcfs" {
  summary = "work starts in order of arrival; the first in line blocks the rest",
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
    while self.line[1] do
      local host = fastest(sim, self.line[1])
      if not host then return end
      sim:start(table.remove(self.line, 1), host)
    end
  end,
}
