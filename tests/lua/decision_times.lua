-- How long a policy takes to decide: a row for each time it was asked, and the run is the one that s:run does.
-- expect: decision times ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local works = {}
for n = 1, 60 do works[n] = { arrival = (n - 1) // 20, time = 5 } end
local s = scenario { platform = platform { cluster "c" { nodes = 4 } }, workload = workload.jobs(works) }

-- 20 arrive at 0, 1 and 2; four end each 5 s from then on.
local rows = s:decision_times { policy = "fcfs" }
same(#rows, 3 + 15, "asked at 3 arrivals and 15 ends")
same(rows[1].at, 0, "time")
same(rows[1].events, 20, "events")
same(rows[1].queue, 20, "queue")
same(rows[2].queue, 36, "queue: 16 of the first 20 and 20 more")
same(rows[4].at, 5, "first ends")
same(rows[4].queue, 56, "queue when the first four have ended")
for _, row in ipairs(rows) do assert(row.seconds >= 0 and row.seconds < 60, row.seconds) end

-- A policy in Lua, one that waits inside, and a horizon.
local asked = 0
local function serves(spends)
  return {
    accepts = { "jobs" },
    begin = function(self) self.waiting = {} end,
    arrived = function(self, _, works) for _, work in ipairs(works) do table.insert(self.waiting, work) end end,
    decide = function(self, sim)
      spends()
      for _, host in ipairs(sim:hosts()) do
        if #self.waiting > 0 and sim:fits(self.waiting[1], host) then sim:start(table.remove(self.waiting, 1), host) end
      end
    end,
  }
end
policy "counts" (serves(function() asked = asked + 1 end))
local mine = s:decision_times { policy = "counts", horizon = 6 }
same(#mine, asked, "asks of a policy in Lua")
same(mine[#mine].at <= 6, true, "horizon")

-- The time that a busy policy spends is seen: it does nothing but count for a while.
policy "slow" (serves(function() for _ = 1, 200000 do asked = asked + 1 end end))
local function median(list)
  local times = {}
  for i, row in ipairs(list) do times[i] = row.seconds end
  table.sort(times)
  return times[(#times + 1) // 2]
end
assert(median(s:decision_times { policy = "slow" }) > 2 * median(s:decision_times { policy = "counts" }))

refused("unknown field 'trace'", function() s:decision_times { policy = "fcfs", trace = "none" } end)
refused("'policy' is missing", function() s:decision_times {} end)
refused("does not accept", function() s:decision_times { policy = "edf" } end)
print "decision times ok"
