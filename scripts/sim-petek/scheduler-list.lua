-- A SchedulerList.xml of Sim-PETEK (2010, section 4.2): two requests under each of its entries.
-- takes: a moment
-- perigee run scripts/sim-petek/scheduler-list.lua --set file=SchedulerList.xml
--   --set trials=20 --set vx=4 --set second=5     the first request: trials, velocities; velocities of the second
--   --out results                                 a folder for each entry and request, with petek.json

local petek = require "petek"
local studies = require "studies"
local list = scheduler_list(setting("file", "SchedulerList.xml"))
local trials, nodes, weights = setting("trials", 20), petek.cluster(), petek.wsn()
local requests = {}
for i, vx in ipairs { setting("vx", 4), setting("second", 5) } do
  requests[i] = petek.scenario(nodes, { points = petek.grid(vx), trials = trials, weights = weights })
end

-- The requests come one after the other, and each is a run of its own: what was learnt of the hosts is forgotten between
-- them, and the second one begins when the first is done. Each entry begins afresh, in the order of the file.
print(("%-36s %-8s %12s %12s %10s %10s"):format("entry", "request", "takes, s", "done, s", "efficiency", "spread, s"))
local least, best = math.huge, nil
for i, entry in ipairs(list) do
  local done = 0
  for number, request in ipairs(requests) do
    local r = request:run { policy = entry.policy }
    done = done + r.makespan
    print(("%-36s %-8d %12.2f %12.2f %10.3f %10.2f"):format(number == 1 and entry.label or "", number, r.makespan, done, r.efficiency,
          r.finish_spread))
    studies.save(r, ("entry %d, request %d"):format(i, number), { "petek" })
  end
  if done < least then least, best = done, entry.label end
end
print(("\nthe shortest: %s, %.2f s"):format(best, least))
