-- Platforms of SimGrid: what they declare, what is left out, and how long a file takes on the way to a host.
-- expect: done

local function refused(text, call)
  local ok, problem = pcall(call)
  assert(not ok, "not refused: " .. text)
  assert(tostring(problem):find(text, 1, true), tostring(problem))
end

local path = "data/simgrid/platform.xml"
local all, notes = platform.simgrid(path)
assert(tostring(all) == "platform of 4 hosts in 2 clusters", tostring(all))
assert(table.concat(all:hosts(), " ") == "thin1 thin2 thin3 master_host")
local said = {}
for _, note in ipairs(notes) do said[#said + 1] = note.count .. " x " .. note.what .. " from line " .. note.line end
local expected = {
  "1 x links of cluster elements (bw, lat, bb_bw, bb_lat) from line 5",
  "1 x power (wattage_off) without wattage_per_state from line 7",
  "1 x links from line 9",
  "1 x routes from line 10",
}
assert(table.concat(said, "\n") == table.concat(expected, "\n"), table.concat(said, "\n"))

local batsim = platform.batsim(path)
assert(table.concat(batsim:hosts(), " ") == "thin1 thin2 thin3")
assert(table.concat(platform.batsim(path, { master = "thin2" }):hosts(), " ") == "thin1 thin3 master_host")

-- Exclusive hosts serve one job at a time: 20 Gflop take 10 s on each core of 2 Gf.
local jobs = workload.jobs(4, function() return { ops = "20 Gflop" } end)
assert(scenario { platform = batsim, workload = jobs }:run { policy = "fcfs" }.makespan == 20)

-- To each of the others: 3 s on the cable, 2 s on the backbone, 1 s on its own link, 40 MB at 10 MB/s, and 10 s of work.
local routed = platform.simgrid(path, { origin = "master_host" })
assert(tostring(routed) == "platform of 4 hosts in 4 clusters", tostring(routed))
local r = scenario {
  platform = routed,
  workload = workload.tasks { { ops = "20 Gflop", inputs = { file("data", "40 MB") } } },
  events = { outage { host = "master_host", from = 0, to = 1000 } },
}:run { policy = "workqueue" }
assert(r.makespan == 20, r.makespan)

-- Both kinds of files say what hosts draw: 90 W idle, 190 W busy, and 9 W asleep, 8 s at 110 W after it and 100 s at 125 W before.
for _, read in ipairs { platform.simgrid, platform.batsim } do
  local p, left_out = read "data/simgrid/power.xml"
  assert(#left_out == 0)
  local node = scenario { platform = p, workload = workload.jobs { { ops = "20 Gflop" }, { ops = "20 Gflop", arrival = 300 } } }
  local on, saved = node:run { policy = "fcfs" }, node:run { policy = fcfs { off_after = 20 } }
  assert(on.makespan == 310 and on.energy == 20 * 190 + 290 * 90, on.energy)
  -- off from 38 to 300, on again at 400
  assert(saved.makespan == 410, saved.makespan)
  assert(saved.energy == 20 * 190 + 20 * 90 + 8 * 110 + 262 * 9 + 100 * 125, saved.energy)
end

refused("platform.xml: origin: there is no host or router 'master-host'; did you mean 'master_host'?",
  function() platform.simgrid(path, { origin = "master-host" }) end)
refused("platform.xml: master: there is no host 'thin'", function() platform.batsim(path, { master = "thin" }) end)
refused("'orgin'", function() platform.simgrid(path, { orgin = "x" }) end)
refused("the name of a file is needed", function() platform.simgrid {} end)
refused("data/absent.xml", function() platform.batsim "data/absent.xml" end)
refused("the root must be <platform>, got <SchedulerList>", function() platform.simgrid "data/SchedulerList.xml" end)
print("done")
