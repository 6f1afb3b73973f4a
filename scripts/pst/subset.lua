-- Plans of a part of the tasks: what it costs in makespan, and what it saves in planning (Berman et al. 1999, section 5.6.2).
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/subset.lua --out results
--   --set full=true     more sizes, ten applications: minutes
--
-- Figure 11's grid and application with 2400 KB for a shared file and a plan each 600 s, of all tasks, of so many at random, or of so
-- many that share the heaviest files. `choices` are the pairs of task and host that a textbook plan looks at, the work of a plan that
-- does not depend on the machine: each task it places is chosen among those left, on all hosts.

local figure11 = require "figure11_scenario"
local studies = require "studies"
local full = setting("full", false)
local hosts = 22

local function parts(text) return text:match "^(%a+)", tonumber(text:match "%d+$") end

local e = experiment "subset" {
  factors = {
    { "map", full and { "min_min", "extended_sufferage", "xsufferage" } or { "extended_sufferage" } },
    { "subset", full and { "all", "random 30", "random 60", "random 120", "affinity 30", "affinity 60", "affinity 120" }
        or { "all", "random 30", "random 120", "affinity 30", "affinity 120" } },
  },
  replications = setting("replications", full and 10 or 8),
  run = function(f, seed)
    local subset, size = parts(f.subset)
    return figure11.scenario(2400e3, seed):run {
      policy = planner { map = f.map, interval = 600, subset = subset, subset_size = size or 100 },
    }
  end,
  measure = function(r, f)
    local _, size = parts(f.subset)
    local choices, plans, jobs = 0, 0, r:jobs()
    for _, note in ipairs(r:notes()) do
      if note.name == "plan" then
        local left = 0
        for _, job in ipairs(jobs) do
          if job.start > note.time then left = left + 1 end
        end
        left = math.min(left, size or left)
        for k = 0, math.min(note[2], left) - 1 do choices = choices + (left - k) * hosts end
        plans = plans + 1
      end
    end
    return { makespan = r.makespan, plans = plans, choices = choices / 1e3, moved = r.bytes_moved / 1e6 }
  end,
}
-- end of experiment

print "Makespan, s"
studies.print(e, "makespan", "subset", "map")
print "\nThousands of choices in all plans"
studies.print(e, "choices", "subset", "map")
print "\nMB sent"
studies.print(e, "moved", "subset", "map", "%.1f +- %.1f")
plot(e:rows(), { x = "choices", y = "makespan", by = "subset", kind = "points", x_label = "thousands of choices", file = "subset" })
