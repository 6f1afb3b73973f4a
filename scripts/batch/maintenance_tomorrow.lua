-- A maintenance window tomorrow at 14:00, asked at the prompt: when would my job run, what still runs before, and why does another one wait?
-- takes: a second
-- perigee run batch/maintenance_tomorrow          shows the answers
-- perigee repl batch/maintenance_tomorrow         asks for more: `sim` is the machine at 16:00 today. Type, for example,
--   sim:queue()                                   what waits
--   q = sim:quote { nodes = 4, time = "6 h" }     when and where a job would run that is submitted now, by true run times
--   clock(q.start)                                a time of the simulation as one of the day
--   sim:why "wide"                                why it waits, and for what; or any other, by its name
--   ours = sim:fork():submit { name = "ours", nodes = 4, time = "6 h" }     a copy in which it is submitted; `sim` stays as it is
--   ours:run_until(tomorrow(19))                  what comes later is part of the copy
--   ours:gantt { from = tomorrow(8), to = tomorrow(19) }
--   sim:set_policy "fcfs"                         and ask again
--   --set policy=conservative      in the place of easy
--   --set at=9 --set hours=8       o'clock tomorrow, when the maintenance begins (14), and how long it takes (4)
-- test: --validate

local settings = require "settings"
local verdicts = require "verdicts"
local policy = settings.one_of("policy", { "easy", "conservative", "fcfs" })
local at, length = settings.number("at", 14, 0, 23), settings.number("hours", 4, 1, 100)

-- Time 0 is 8:00 today.
local hour = 3600
local function today(oclock) return (oclock - 8) * hour end
local function tomorrow(oclock) return today(oclock + 24) end
local function clock(time)
  local minutes = math.floor(time / 60 + 0.5) + 8 * 60
  local day = minutes // (24 * 60)
  return ("%s %d:%02d"):format(day == 0 and "today" or day == 1 and "tomorrow" or ("in %d days"):format(day), minutes // 60 % 24, minutes % 60)
end

-- 16 nodes, and jobs that come every 40 minutes until tomorrow evening; at 15:30 a wide and long one. Users ask for up to four times what their
-- jobs need. The same window, known to the policy from the beginning or not.
local function machine(known)
  return scenario {
    platform = platform { cluster "n" { nodes = 16 } },
    workload = workload.merge(
      workload.jobs { { name = "wide", arrival = today(15.5), nodes = 12, time = 12 * hour, estimate = 20 * hour } },
      workload.jobs(60, function(i, rng)
        local time = math.min(16 * hour, rng:lognormal(4 * hour, 4 * hour))
        return { arrival = 40 * 60 * (i - 1), nodes = rng:choice { 1, 2, 2, 4, 8 }, time = time, estimate = math.min(24 * hour, time * rng:uniform(1, 4)) }
      end)),
    events = { known and maintenance { all = true, from = tomorrow(at), to = tomorrow(at + length) }
               or outage { cluster = "n", from = tomorrow(at), to = tomorrow(at + length) } },
  }
end

local sim = machine(true):start { policy = policy, information = "declared" }
sim:run_until(today(16))
local waiting = sim:queue()
print(("It is %s. The nodes are away from %s to %s. %s"):format(
  clock(sim:now()), clock(tomorrow(at)), clock(tomorrow(at + length)), #waiting == 1 and "1 job waits." or #waiting .. " jobs wait."))

print "\nA job of so many nodes that is submitted now would run"
for _, nodes in ipairs { 1, 4, 16 } do
  for _, hours in ipairs { 2, 6, 18 } do
    local quote = sim:quote { nodes = nodes, time = hours * hour }
    local side = quote.finish <= tomorrow(at) and "before the maintenance" or quote.start >= tomorrow(at + length) and "after it" or "into it"
    print(("  on %2d, for %2d h: from %s to %s, %s"):format(nodes, hours, clock(quote.start), clock(quote.finish), side))
    expect(side ~= "into it", "nothing is started into a maintenance that is known")
  end
end

-- The longest request, in whole hours, that is over before: asked hour by hour.
print "\nThe longest job that is over before the maintenance"
for _, nodes in ipairs { 1, 4, 16 } do
  local longest = 0
  for hours = 1, 24 do
    if sim:quote { nodes = nodes, time = hours * hour }.finish <= tomorrow(at) then longest = hours end
  end
  print(("  on %2d nodes: %s"):format(nodes, longest == 0 and "none" or longest .. " h"))
end

-- A quote knows the present alone. Later events are in a copy of the simulation in which the job is submitted.
local quote = sim:quote { nodes = 4, time = 6 * hour }
local rows = sim:fork():submit { name = "ours", nodes = 4, time = 6 * hour }:run():jobs()
for _, row in ipairs(rows) do
  if row.name == "ours" then
    print(("\n4 nodes for 6 h: quoted %s; with all that comes later %s"):format(clock(quote.start), clock(row.start)))
  end
end
print "\nWhy does the wide job wait?"
print(sim:why "wide")

-- The worth of knowing: jobs that the window takes, over other days.
local spared, days, taken = 0, 20, 0
for seed = 1, days do
  local told = machine(true):run { policy = policy, information = "declared", seed = seed, trace = "work" }
  local untold = machine(false):run { policy = policy, information = "declared", seed = seed, trace = "work" }
  if told.lost == 0 then spared = spared + 1 end
  taken = taken + untold.lost
end
local none = verdicts.cases(spared, days)
claim { source = "found here", says = "no job is lost to a maintenance that is known, where none runs longer than requested", holds = none.holds,
        found = none.found .. (", of days; %.1f a day are lost where it is not known"):format(taken / days), verdict = "reproduces" }
