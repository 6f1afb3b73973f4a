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
local ok, problem = pcall(function() s:run { policy = "fcfs", submit_first = 1 } end)
assert(not ok and tostring(problem):find("submit_first must be true or false", 1, true))
print "submit first ok"
