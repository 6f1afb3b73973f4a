-- Earliest deadline first with the optimal partitioning rule (EDF-OPR-MN), a policy for divisible loads. A load is accepted when it
-- and all that wait can be planned by their deadlines, the earliest deadline first. It gets the fewest nodes that are enough, in chunks
-- that end together.
-- Source: Mamat, 2011, section 4.2 and Figure 4.1. Ties: the earliest arrival, order of input; nodes by free time, then the lowest.
-- Nodes are alike and do not fail; they receive one after another (a link with sharing = "exclusive"). The cost of a load on that
-- channel is a parameter, for a policy in Lua cannot ask the link.

-- The costs of a load on the slowest host.
local function costs_of(self, sim, work)
  local slowest = 0
  for _, host in ipairs(sim:hosts()) do slowest = math.max(slowest, sim:estimate(work, host)) end
  return cost.divisible { transmission = self.transmission, transmission_setup = self.transmission_setup,
                          computation = (slowest - self.computation_setup) / sim:size(work), computation_setup = self.computation_setup }
end

-- How long the channel is taken by the load.
local function sending(self, each) return each.nodes * self.transmission_setup + each.size * self.transmission end

-- Plans each load of the list in turn: start, nodes and end. False when one would be late.
local function plan(self, sim, list)
  local free, channel = {}, math.max(self.channel, sim:now())
  for _, host in ipairs(sim:hosts()) do free[#free + 1] = math.max(self.free[host], sim:now()) end
  for _, each in ipairs(list) do
    table.sort(free)
    local costs = costs_of(self, sim, each.work)
    local useful = math.min(#free, costs:useful_nodes(each.size))
    each.nodes = false
    for there = 1, #free do                                -- nodes that are free at the start
      if each.nodes then break end
      each.start = math.max(free[there], channel)
      each.nodes = each.deadline > each.start
                   and costs:fewest_nodes(each.size, each.deadline - each.start, math.min(there, useful))
    end
    if not each.nodes then return false end
    each.ends = each.start + costs:time(each.size, each.nodes)
    for node = 1, each.nodes do free[node] = each.ends end
    channel = each.start + sending(self, each)
  end
  return true
end

-- Sends the load in chunks, one after the other, to the nodes that are free first.
local function dispatch(self, sim, each)
  local order = { table.unpack(sim:hosts()) }
  table.sort(order, function(a, b) return self.free[a] < self.free[b] end)
  local sent, before = 0, nil
  for node, fraction in ipairs(costs_of(self, sim, each.work):fractions(each.size, each.nodes)) do
    local size = node < each.nodes and fraction * each.size or each.size - sent
    before = sim:chunk(each.work, order[node], { first = sent, size = size, after = before })
    sim:post(each.work, order[node], { first = sent, size = size, after = before })
    self.free[order[node]], sent = each.ends, sent + size
  end
  self.channel = math.max(self.channel, sim:now()) + sending(self, each)
end

local function send_due(self, sim)
  while self.line[1] and self.line[1].start <= math.max(sim:now(), self.due) do dispatch(self, sim, table.remove(self.line, 1)) end
end

return policy "lua_edf" {
  summary = "earliest deadline first: divisible loads, admitted if all can be in time",
  source = "Mamat, 2011, section 4.2 and Figure 4.1 (EDF-OPR-MN)",
  accepts = { "loads" },
  -- s on the channel for a unit of load, and for a chunk whatever its size; s before each computation.
  parameters = { transmission = 1, transmission_setup = 0, computation_setup = 0 },
  tolerance = 1e-12,
  begin = function(self, sim)
    self.line, self.free, self.channel = {}, {}, 0
    self.due = 0                                           -- the last timer: within an instant times differ by roundings
    for host = 1, sim:host_count() do self.free[host] = 0 end
  end,
  arrived = function(self, sim, works)
    for _, work in ipairs(works) do
      send_due(self, sim)                                  -- what is due goes before what arrives
      local list = { { work = work, size = sim:size(work), deadline = sim:deadline(work) } }
      for _, each in ipairs(self.line) do
        list[#list + 1] = { work = each.work, size = each.size, deadline = each.deadline }
      end
      table.sort(list, function(a, b) return a.deadline < b.deadline or a.deadline == b.deadline and a.work < b.work end)
      if plan(self, sim, list) then
        sim:accept(work)
        self.line = list
      else
        sim:reject(work)
      end
    end
  end,
  timer = function(self, sim) self.due, self.next, self.alarm = self.next, nil, nil end,
  decide = function(self, sim)
    send_due(self, sim)
    local next = self.line[1] and self.line[1].start
    if next == self.next then return end
    if self.alarm then sim:cancel_timer(self.alarm) end
    self.alarm = next and sim:timer(next, { phase = "due", keeps_alive = true })
    self.next = next
  end,
}
