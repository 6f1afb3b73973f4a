-- A slower state of speed (DVFS) against racing to idle: which takes less energy for the same work in the same time.
-- takes: seconds
-- perigee run batch/dvfs
--   --set work=60 --set period=120  seconds of work at full speed in each period (50 of 100)
--   --set dynamic=150               W of a busy core beside what the host draws idle (100), at full speed

local settings = require "settings"
local work, period = settings.number("work", 50, 1), settings.number("period", 100, 1)
local dynamic = settings.number("dynamic", 100, 0)
if work > period then error(("work = %g s does not fit into period = %g s"):format(work, period)) end
local periods, factors = 10, { 1, 0.9, 0.8, 0.7, 0.6, 0.5 }

-- With the voltage the dynamic power falls by the cube of the factor; what the host draws idle does not, but for a part `scaled` of it.
local function states(idle, scaled)
  local list = {}
  for i, factor in ipairs(factors) do
    local rest = idle * (1 - scaled + scaled * factor ^ 3)
    list[i] = { factor = factor, idle = rest, busy = rest + dynamic * factor ^ 3 }
  end
  return list
end

policy "at_state" {
  summary = "each job at once, at a state of speed that stays; with sleep = 1 the host is off when it has nothing to do",
  accepts = { "jobs" },
  parameters = { state = 1, sleep = 0 },
  begin = function(self, sim) sim:set_state(1, self.state) end,
  arrived = function(self, sim)
    if sim:power(1) == "off" then sim:power_on(1) end
  end,
  decide = function(self, sim)
    local line = sim:line()
    if #line > 0 and sim:fits(line[1], 1) then sim:start(line[1], 1) end
    if self.sleep == 1 and #line == 0 and #sim:running_on(1) == 0 and sim:power(1) == "on" then sim:power_off(1) end
  end,
}

local jobs = {}
for i = 1, periods do jobs[i] = { time = work, arrival = (i - 1) * period } end
jobs[periods + 1] = { time = 0, arrival = periods * period }  -- all runs end then

local worst, best_of = 0, {}
print(("%d jobs of %g s, one every %g s: energy in kJ by state of speed"):format(periods, work, period))
print(("%-40s" .. ("%9s"):rep(#factors)):format("the host draws idle", table.unpack(factors)))
for _, case in ipairs { { name = "5 W", idle = 5 }, { name = "100 W", idle = 100 }, { name = "100 W, which fall with the speed", idle = 100, scaled = 1 },
                        { name = "100 W, and 5 W while it sleeps", idle = 100, sleep = 1 } } do
  local all = states(case.idle, case.scaled or 0)
  local s = scenario { platform = platform { host "node" { power = { states = all, off = 5 } } }, workload = workload.jobs(jobs) }
  local row, best = {}, nil
  for i, factor in ipairs(factors) do
    if work / factor <= period then
      local energy = s:run { policy = at_state { state = i, sleep = case.sleep or 0 } }.energy
      local rest = case.sleep and 5 or all[i].idle
      local expected = periods * (all[i].busy * work / factor + rest * (period - work / factor))
      worst = math.max(worst, math.abs(energy - expected) / expected)
      row[i] = ("%9.2f"):format(energy / 1000)
      if not best or energy < best.energy then best = { factor = factor, energy = energy } end
    else
      row[i] = ("%9s"):format "late"
    end
  end
  best_of[#best_of + 1] = best.factor
  print(("%-40s%s   least at %g"):format(case.name, table.concat(row), best.factor))
end

claim { source = "a calculation", says = "busy W of the state / factor and idle W for the rest, the largest relative error", value = worst, published = 0, margin = 1e-12,
        verdict = "reproduces" }
claim { source = "found here", says = "where an idle host goes on drawing what it does at full speed, the slowest state that is in time takes least; where it can sleep, a faster one",
        holds = best_of[1] == best_of[2] and best_of[4] > best_of[2],
        found = ("least at a factor of %g and %g; with sleep at %g"):format(best_of[1], best_of[2], best_of[4]), verdict = "reproduces" }
