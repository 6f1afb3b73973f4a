-- A script cannot take the names of the files that perigee keeps below --out, nor names with control characters.
-- args: --out $OUT
-- expect: all are refused
local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
local r = s:run { policy = "fcfs" }
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good, "taken: " .. text)
  assert(tostring(message):find(text, 1, true), message)
end
for _, name in ipairs { ".perigee-files", "experiments.sqlite", "experiments.sqlite-wal", "a/../experiments.sqlite", "experiments.sqlite/a",
                      "experiments.lock", "progress.json", "progress.json-new", "workers.json" } do
  refused("perigee keeps a file of its own", r.save, r, name)
end
refused("perigee keeps a file of its own", s.pst, s, ".perigee-files")
refused("perigee keeps a file of its own", s.pst, s, "experiments.sqlite")
local jobs = r:jobs()
refused("perigee keeps a file of its own", jobs.csv, jobs, ".perigee-files/x")
for _, name in ipairs { "x\n", "\27[31m", "x\127" } do
  refused("no line end and no other control character", r.save, r, name)
end
r:save "experiments.sqlites"
r:save ".perigee-filesystem"
print "all are refused"
