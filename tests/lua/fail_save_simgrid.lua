-- A scenario has no decisions that SimGrid could execute: those are of a run.
-- expect: a scenario has no field 'save_simgrid'
-- expect: what was decided is of a run, not of a scenario: r:save(folder, { "simgrid" })
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
s:save_simgrid "folder"
