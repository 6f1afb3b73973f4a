-- A SchedulerList.xml of Sim-PETEK (2010, section 4.2): a queue of two requests under each of its entries.
-- takes: a moment
-- perigee run scripts/sim-petek/scheduler-list.lua --set file=SchedulerList.xml
--   --set trials=20 --set vx=4 --set second=5     the first request: trials, velocities; velocities of the second
--   --out results                                 a folder for each entry, with petek.json

local petek = require "petek"
local list = scheduler_list(setting("file", "SchedulerList.xml"))
local trials, nodes, weights = setting("trials", 20), petek.cluster(), petek.wsn()
local s = petek.scenario(nodes, { name = "first request", points = petek.grid(setting("vx", 4)), trials = trials, weights = weights },
                                { name = "second request", points = petek.grid(setting("second", 5)), trials = trials, weights = weights })

-- Each entry begins afresh, in the order of the file.
print(("%-36s %16s %16s %10s %10s"):format("entry", "first request", "second request", "efficiency", "spread, s"))
local least, best = math.huge, nil
for i, entry in ipairs(list) do
  local r = s:run { policy = entry.policy }
  local requests = r:jobs()
  print(("%-36s %14.2f s %14.2f s %10.3f %10.2f"):format(entry.label, requests[1].finish, requests[2].finish, r.efficiency, r.finish_spread))
  petek.save(r, ("entry %d"):format(i), { "petek" })
  if r.makespan < least then least, best = r.makespan, entry.label end
end
print(("\nthe shortest: %s, %.2f s"):format(best, least))
