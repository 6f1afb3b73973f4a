-- How many workers can one coordinator of an experiment serve? A closed queue, simulated and in closed form.
-- takes: seconds
-- perigee run scale/coordinator --out figures
--   --set message=10               us that the coordinator needs for a batch, whatever its size: a message in and one out
--   --set outcome=1.5              ... and for each cell of it, which is read and stored
--   --set batch=30                 ms that a batch of cells takes a worker, where cells are not longer
--   --set workers=10000            the number of workers that is asked for
--   --set batches=2000             batches of each simulation (more: narrower intervals)
-- test: thorough --set batches=1000

local settings = require "settings"
local message, outcome = 1e-6 * settings.number("message", 10.0, 0), 1e-6 * settings.number("outcome", 1.5, 1e-6)
local batch, many = 1e-3 * settings.number("batch", 30.0, 1e-3), settings.number("workers", 10000, 1, 100000)
local batches = settings.number("batches", 2000, 100)

-- A worker computes a batch of n cells for a time T, then waits for the coordinator, which needs s = message + n outcome for each batch,
-- one after the other in the order of asking. The coordinator is perigee's scheduler that thinks, workers are hosts.
policy "coordinate" {
  accepts = { "tasks" },
  parameters = { service = 1, law = { "fixed", "exponential" }, compute = 1 },
  begin = function(self, sim)
    self.idle, self.first, self.last, self.next = {}, 1, 0, 1     -- workers that ask, in a line; the next batch
    self.serve = function(_, at)
      at:think(self.law == "exponential" and at:stream("service"):exponential(self.service) or self.service)
    end
  end,
  arrived = function(self, sim)                                   -- the first `compute` workers begin with a batch, the others ask
    for host = 1, sim:host_count() do
      if host <= self.compute then
        sim:start(self.next, host)
        self.next = self.next + 1
      else
        self.last = self.last + 1
        self.idle[self.last] = host
      end
    end
    if self.last > 0 then self:serve(sim) end
  end,
  finished = function(self, sim, _, hosts)
    local waits = self.first <= self.last
    for i = 1, #hosts do self.idle[self.last + i] = hosts[i] end
    self.last = self.last + #hosts
    if not waits then self:serve(sim) end
  end,
  thought = function(self, sim)
    sim:start(self.next, self.idle[self.first])
    self.idle[self.first] = nil
    self.first, self.next = self.first + 1, self.next + 1
    if self.first <= self.last then self:serve(sim) end
  end,
}

-- Batches a second of `workers` workers, and the shares of time in which workers compute and the coordinator serves. It begins about as it
-- goes on, with as many workers in the line as there are too many and the others amid a batch. The first quarter is not looked at.
local function simulate(workers, time, service, laws, seed)
  local rate = math.min(workers / (time + service), 1 / service)
  local horizon, compute = math.max(batches / rate, 2 * time), math.ceil(rate * time)
  if laws.batch == "fixed" and laws.service == "fixed" then       -- whole turns of all workers
    horizon = 4 * workers / rate * math.ceil(horizon * rate / (4 * workers))
  end
  return scenario {
    platform = platform { cluster "worker" { nodes = workers } },
    workload = workload.tasks(workers + math.ceil(1.2 * horizon * rate), function(i, rng)
      if laws.batch == "exponential" then return { time = rng:exponential(time) } end
      return { time = i <= compute and time * rng:uniform(0, 1) or time }
    end),
  }:run { policy = coordinate { service = service, law = laws.service, compute = compute }, warmup = horizon / 4, horizon = horizon,
          trace = "none", seed = seed }
end

-- ---- the closed forms ----

-- With times of batches of any law and exponential times of service: mean value analysis (Reiser and Lavenberg 1980), which is exact here.
local function exact(workers, time, service)
  local line, rate = 0, 0
  for n = 1, workers do
    local response = service * (1 + line)
    rate = n / (time + response)
    line = rate * response
  end
  return rate
end
-- No law can do more: each worker needs T + s for a batch, and the coordinator s. With fixed times that is what happens.
local function bound(workers, time, service) return math.min(workers / (time + service), 1 / service) end

-- By hand, N = 2, T = s = 1: of 0, 1 and 2 that ask the probabilities are as 1, 2 and 2, so the rate is 1 - 1/5.
expect(math.abs(exact(2, 1, 1) - 0.8) < 1e-12, "two workers by hand")

-- ---- what a batch is ----

local function quantity(seconds)
  if seconds < 1e-3 then return ("%.3g us"):format(1e6 * seconds) end
  return seconds < 1 and ("%.3g ms"):format(1e3 * seconds) or ("%.3g s"):format(seconds)
end
local function batch_of(cell)
  local n = math.max(1, math.floor(batch / cell + 0.5))
  return n, n * cell, message + n * outcome
end
local times = { 1e-3, 1e-2, 1e-1, 1 }
print(("a coordinator that needs %s for a batch and %s for a cell, batches of %s"):format(quantity(message), quantity(outcome), quantity(batch)))
print(("\n%8s %14s %14s %14s %16s %14s"):format("cell", "cells a batch", "T, a batch", "s, its service", "full at W* =", "cells/s there"))
for _, cell in ipairs(times) do
  local n, time, service = batch_of(cell)
  print(("%8s %14d %14s %14s %16.0f %14.0f"):format(quantity(cell), n, quantity(time), quantity(service), (time + service) / service, n / service))
end

-- ---- simulated ----

local numbers = { 10, 100, 300, 1000, 3000, 10000 }
local e = experiment "coordinator" {
  factors = { { "cells_of", { { "1 ms", 1e-3 }, { "10 ms", 1e-2 }, { "100 ms", 1e-1 } } }, { "workers", numbers } },
  replications = 3,
  run = function(f)
    local n, time, service = batch_of(f.cells_of)
    local r = simulate(f.workers, time, service, { batch = "exponential", service = "fixed" })
    return { cells_per_s = n * r.throughput, workers_busy = r.utilization, coordinator_busy = r.scheduler_utilization }
  end,
}
print "\nsimulated: exponential times of batches, fixed times of service"
print(e:table("cells_per_s", "workers_busy", "coordinator_busy"))
e:table("workers_busy"):plot { x = "workers", y = "workers_busy", by = "cells_of", file = "coordinator", log_x = true,
                               title = "Workers that one coordinator keeps busy" }

-- ---- the simulation against the closed forms ----

print "\nbatches/s of cells of 10 ms: simulated with exponential service (99.99 %), and exact"
local _, time, service = batch_of(1e-2)
local full = math.floor((time + service) / service)
for _, law in ipairs { "exponential", "fixed" } do
  for _, workers in ipairs { full // 2, full, 2 * full } do
    local rates = {}
    for seed = 1, 10 do
      rates[seed] = simulate(workers, time, service, { batch = law, service = "exponential" }, seed).throughput
    end
    local interval, right = stats.interval(rates, { confidence = 0.9999 }), exact(workers, time, service)
    print(("%-12s W = %5d   %6.0f +- %-5.0f %8.0f"):format(law .. " T,", workers, interval.mean, interval.half_width, right))
    expect(interval:contains(right), ("the interval of %d workers does not hold the closed form"):format(workers))
  end
end
-- With fixed times of both, workers take turns, and the bound is the rate, but for a batch at each end of the window.
for _, workers in ipairs { full // 2, 2 * full } do
  local rate, right = simulate(workers, time, service, { batch = "fixed", service = "fixed" }).throughput, bound(workers, time, service)
  expect(math.abs(rate / right - 1) <= 2 / (3 * workers), ("fixed times of %d workers: %g, not %g"):format(workers, rate, right))
end

-- ---- how many workers there may be ----

-- With batches of n cells of c s each, W workers need no more than one coordinator has where W (message + n outcome) <= n c.
print(("\n%d workers: the least batch with which one coordinator is enough, and coordinators with batches of %s"):format(many, quantity(batch)))
print(("%8s %14s %14s %20s %14s"):format("cell", "cells a batch", "T, a batch", "workers busy then", "coordinators"))
for _, cell in ipairs { 1e-3, 1e-2, 2e-2, 5e-2, 1e-1, 1 } do
  local usual, usual_time, usual_service = batch_of(cell)
  local groups = math.ceil(many * usual_service / (usual_time + usual_service))
  local left = cell - many * outcome                              -- s of each cell in which the coordinator may see to messages
  if left <= 0 then
    print(("%8s %14s %14s %20s %14d"):format(quantity(cell), "none", "", "", groups))
  else
    local n = math.max(1, math.ceil(many * message / left))
    local r = simulate(many, n * cell, message + n * outcome, { batch = "exponential", service = "fixed" })
    print(("%8s %14d %14s %18.1f %% %14d"):format(quantity(cell), n, quantity(n * cell), 100 * r.utilization, groups))
  end
end
