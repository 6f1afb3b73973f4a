-- Why max-min is ahead of min-min in the IRMaSim thesis and behind it in Braun et al. (2001): run times that are length by speed, and others.
-- takes: seconds
-- perigee run scripts/irmasim/proportional.lua
--   --set full=true     100 matrices of each kind of 512 x 16, not 10 of 256 x 16

local verdicts = require "verdicts"
local full = setting("full", false)
local jobs, machines, matrices = full and 512 or 256, 16, full and 100 or 10

-- Lengths of 100 to 3000 s as in the thesis, on machines that differ by factors of up to 10. "proportional" machines have one speed for all jobs;
-- "consistent" ones have one order for all jobs, but factors that are drawn for each job; "inconsistent" ones have no order either.
local kinds = { "proportional", "consistent", "inconsistent" }
local function matrix(kind, i)
  local rng, speeds, rows = stream(kind, i), {}, {}
  for k = 1, machines do speeds[k] = rng:uniform(1, 10) end
  for job = 1, jobs do
    local length, row = rng:uniform(100, 3000), {}
    for k = 1, machines do row[k] = kind == "proportional" and length / speeds[k] or length * rng:uniform(1, 10) end
    if kind == "consistent" then table.sort(row) end
    rows[job] = row
  end
  return etc(rows)
end

local ahead, points = {}, {}
print "run times     max-min has the shorter makespan  max-min less min-min, %"
for i, kind in ipairs(kinds) do
  local values = {}
  ahead[kind] = 0
  for k = 1, matrices do
    local m = matrix(kind, k)
    local largest_first, smallest_first = map("max_min", m).makespan, map("min_min", m).makespan
    values[k] = 100 * (largest_first / smallest_first - 1)
    if largest_first < smallest_first then ahead[kind] = ahead[kind] + 1 end
  end
  points[i] = { name = kind, values = values }
  local s = stats.interval(values)
  print(("%-13s %32s  %+.1f +- %.1f"):format(kind, ("%d of %d"):format(ahead[kind], matrices), s.mean, s.half_width))
end
print ""
local change = verdicts.always(points, "higher", 0, "%+.1f")
claim { source = "found here", says = "max-min makes shorter schedules than min-min where run times are length by speed, longer ones where " ..
                "machines differ from job to job", verdict = "reproduces",
        holds = ahead.proportional == matrices and ahead.consistent == 0 and ahead.inconsistent == 0,
        found = ("max-min is ahead on %d of %d proportional, %d consistent and %d inconsistent matrices; its makespan less that of min-min, %%: %s")
          :format(ahead.proportional, matrices, ahead.consistent, ahead.inconsistent, change.found:match ": (.*)$"),
        note = ("%d jobs on %d machines; lengths of 100 to 3000 s, factors of up to 10 between machines"):format(jobs, machines) }
