-- Why groups pay under the mapper of Breitinger (1999) that forgets earlier ones: what happens in groups of 1, 17 and 51.
-- takes: seconds
-- perigee run scripts/mshn/inside.lua
--   --set replications=30

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications = settings.number("replications", 30, 1, 1000)

local s = advisor.scenario { tau = 0.067 }
local e = experiment "mshn_inside" {
  factors = { { "ready", { "zero", "aware" } }, { "size", { 1, 17, 51 } } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready), seed, { trace = "full" }) end,
  measure = { "finished", "mean_run", "utilization", "mean_scheduler_wait", "mean_queue_wait", "mean_response" },
}
local found = e:table()
print(("Means of %d replications; times in ms. A larger group gives jobs worse machines, and yet they wait less at them:\n" ..
       "with zero readiness because the jobs of a group go to different machines; with aware readiness there is nothing to gain.\n"):format(
        replications))
print "readiness  size  finished  run    utilization   wait in the pool  at a machine   time in system"
for _, row in ipairs(found) do
  print(("%-9s %5d %8.0f %s %11.3f        %s    %s   %s"):format(row.ready, row.size, row.finished, advisor.ms(row.mean_run),
        row.utilization, advisor.ms(row.mean_scheduler_wait), advisor.ms(row.mean_queue_wait), advisor.mean_ms(row)))
end
print ""

if replications >= 30 then
  local rows = studies.by(found, "size", { ready = "zero" })
  for _, one in ipairs { { "jobs finished in 100 s", "finished", 1, { 1477, 1493, 1489 }, "%.0f" },
                         { "mean time of the jobs executed, ms", "mean_run", 1e3, { 834, 870, 935 }, "%.0f" },
                         { "utilization of the machines", "utilization", 1, { 0.821, 0.866, 0.929 }, "%.3f" } } do
    local text, off = {}, 0
    for i, size in ipairs { 1, 17, 51 } do
      local here = one[3] * rows[size][one[2]]
      text[i] = (one[5] .. " against " .. one[5]):format(here, one[4][i])
      off = math.max(off, math.abs(here / one[4][i] - 1))
    end
    claim { source = "An independent implementation of the model of " .. advisor.source,
            says = one[1] .. ", zero readiness, groups of 1, 17 and 51",
            holds = off < 0.015, found = table.concat(text, ", "), verdict = "reproduces" }
  end
  claim { source = advisor.source .. ", section V.D", says = "the larger a group, the shorter its jobs run (Figure 11)",
          holds = rows[17].mean_run < rows[1].mean_run,
          found = ("jobs run for %s ms in groups of 17, %s ms alone"):format(("%.0f"):format(1e3 * rows[17].mean_run), ("%.0f"):format(1e3 * rows[1].mean_run)),
          verdict = "does not reproduce" }
end
