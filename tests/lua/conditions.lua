-- A function that is a condition returns true, false or nil: 0 and texts are true to Lua, and no answer.
-- expect: conditions ok
local refused = require("modules.expect").refused

local s = scenario {
  platform = platform { host "a" {} },
  workload = workload.tasks { { name = "long", time = 8 }, { name = "short", time = 2, arrival = 5 } },
}
local function said(name, value) return name .. ": the condition must return true or false, got " .. value end

refused(said("when", "0"), function() s:start { policy = "fcfs" }:when(function(state) return state.finished end) end)
local sim = s:start { policy = "fcfs" }:when(function(state) if state.finished == 1 then return true end end)
assert(sim:now() == 8)

local rows = s:run({ policy = "fcfs" }):jobs()
refused(said("where", "0"), function() rows:where(function(row) return 0 end) end)
refused(said("where", "'long'"), function() rows:where(function(row) return row.name end) end)
assert(#rows:where(function(row) return row.name:match "^l" ~= nil end) == 1)
assert(#rows:where(function() end) == 0)

refused(said("experiment 'some': where", "1"), function()
  experiment "some" {
    factors = { x = { 1, 2 } },
    where = function(f) return f.x end,
    run = function(f) return { y = f.x } end,
  }
end)

local waits = scenario {
  platform = platform { host "a" {} }, workload = workload.tasks { { time = 8 } },
  events = { process(function(p) p:wait_for(function(state) return #p:running_on "a" end) end) },
}
refused(said("wait_for", "0"), function() waits:run { policy = "fcfs" } end)
print "conditions ok"
