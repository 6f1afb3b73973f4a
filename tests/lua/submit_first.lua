-- A job that comes at the instant at which another ends: IRMaSim lists it before the host is free, else after.
-- expect: submit first ok

local same = require("modules.expect").same
local s = scenario {
  platform = platform { host "h" {} },
  workload = workload.jobs { { name = "a", time = 10 }, { name = "long", time = 5, arrival = 1 },
                             { name = "short", time = 1, arrival = 10 } },
}
local function starts(submit_first)
  local list = {}
  local r = s:run { policy = pending_list { job = "shortest" }, ask = "phases", submit_first = submit_first, validate = true }
  for _, job in ipairs(r:jobs()) do list[#list + 1] = job.name .. " " .. job.start end
  return table.concat(list, ", ")
end
same(starts(false), "a 0, long 10, short 15", "ends first")
same(starts(true), "a 0, long 11, short 10", "arrivals first")

-- A job that fits overtakes a wider one in the queue of its host, in the cores that are released as it comes: those of a are, at 10 s.
-- wide needs those of b too, which ends at 20 s.
s = scenario {
  platform = platform { host "h" { cores = 2 } },
  workload = workload.jobs { { name = "a", time = 10 }, { name = "b", time = 20 }, { name = "wide", cores = 2, time = 5, arrival = 1 },
                             { name = "new", time = 3, arrival = 10 } },
}
for _, submit_first in ipairs { false, true } do
  for _, overtake in ipairs { false, true } do
    local list = {}
    local r = s:run { policy = planned { overtake = overtake }, ask = "phases", submit_first = submit_first, validate = true }
    for _, job in ipairs(r:jobs()) do list[#list + 1] = job.name .. " " .. job.start end
    same(table.concat(list, ", "), "a 0, b 0, wide 20, new " .. (overtake and 10 or 25), "overtaking")
  end
end
local ok, problem = pcall(function() s:run { policy = "fcfs", submit_first = 1 } end)
assert(not ok and tostring(problem):find("submit_first must be true or false", 1, true))
print "submit first ok"
