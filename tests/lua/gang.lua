-- Gang scheduling in rows of a matrix. All numbers by hand.
-- expect: gang ok
local expect = require("modules.expect")
local same = expect.same

local function on(hosts, jobs)
  return scenario { platform = platform { type(hosts) == "number" and cluster "n" { nodes = hosts } or hosts }, workload = workload.jobs(jobs) }
end
local function finishes(what, s, policy, expected)
  local r = s:run { policy = policy, validate = true }
  for i, row in ipairs(r:jobs()) do same(row.finish, expected[i], ("finish of job %d, %s"):format(i, what)) end
  local sim = s:start { policy = policy }
  for t = 3, 60, 19 do
    sim:run_until(t)
    same(sim:fork():run().fingerprint, r.fingerprint, ("fork at %d, %s"):format(t, what))
  end
  return r
end

-- Rows { 1 }, { 2, 3 }, { 4 }.
local four = { { nodes = 4, time = 25 }, { nodes = 2, time = 20 }, { nodes = 2, time = 10 }, { nodes = 1, time = 12, arrival = 5 } }
local r = finishes("four hosts", on(4, four), gang { slice = 10 }, { 57, 50, 20, 52 })
same(r:jobs()[4].start, 20, "start of the last")
-- Two jobs of a whole machine take turns: 19 and 20 slices.
finishes("whole machines", on(5, { { nodes = 5, time = 300 }, { nodes = 5, time = 300, arrival = 10 } }), gang {}, { 570, 600 })

-- Fill: beside the first row runs what fits of the second one. 1: two of three hosts; 2: two hosts, a row of its own, with 3
-- on n.3. Without it n.3 is idle in the slices of 1.
local beside = { { nodes = 2, time = 20 }, { nodes = 2, time = 20 }, { nodes = 1, time = 30 } }
-- Row 1 has n.1, n.2 and, of 3, n.3; row 2 has n.1, n.2. 3 runs all the time.
finishes("beside", on(3, beside), gang { slice = 10 }, { 30, 40, 30 })
finishes("not beside", on(3, beside), gang { slice = 10, fill = false }, { 30, 40, 50 })

-- A row fewer: the last waits until there is room, and so does all behind it.
finishes("one row is first come, first served", on(2, { { nodes = 2, time = 10 }, { nodes = 2, time = 5 }, { time = 1 } }), gang { rows = 1, slice = 1 },
         { 10, 15, 16 })
finishes("two rows", on(1, { { time = 4 }, { time = 4 }, { time = 4 } }), gang { rows = 2, slice = 1 }, { 7, 8, 12 })

-- All rows share the memory: there is room for one of the two at a time.
finishes("memory", on(cluster "n" { nodes = 1, memory = 100 }, { { time = 10, memory = 60 }, { time = 10, memory = 60 } }), gang { slice = 2 }, { 10, 20 })
finishes("memory for both", on(cluster "n" { nodes = 1, memory = 120 }, { { time = 10, memory = 60 }, { time = 10, memory = 60 } }), gang { slice = 2 },
         { 18, 20 })

-- A host goes away: what was on it begins anew in a row, at its old place.
local s = scenario {
  platform = platform { cluster "n" { nodes = 2 } },
  workload = workload.jobs { { nodes = 2, time = 10 }, { nodes = 2, time = 10 } },
  events = { outage { host = "n.2", from = 3, to = 4 } },
}
-- Slices of 2: 1 has run from 0 to 2, 2 from 2 to 3. Both are lost, 2 while it runs and 1 while it is suspended. Both begin at 4.
finishes("an outage", s, gang { slice = 2 }, { 22, 24 })

-- Another policy takes over, and back.
local sim = on(1, { { time = 10 }, { time = 10 } }):start { policy = gang { slice = 2 } }
sim:run_until(5)
sim:set_policy(gang { slice = 4 })
r = sim:run()
same(r.status, "complete", "after another gang has taken over")
same(r.makespan, 20, "nothing is lost by that")

print("gang ok")
