-- Figures 4.10 to 4.12 of Mamat (2011): arrivals, deadlines or workload derivatives first, by the cost of transmission.
-- takes: seconds
-- perigee run scripts/dlsim/figure4-10.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes
--   --set ratio=2       other deadlines, and no claims: 2 is the ratio of the figures
--   --set setup=50      one set-up in place of 0, 5 and 500, and no claims
--
-- With deadlines as short as in the figures, few loads wait for each other, and it hardly matters which comes first; so
-- here they are five times as long.

local dlsim = require "dlsim"
local horizon = dlsim.horizon(1e6)
local names, bytes = { "FIFO-OPR-MN", "EDF-OPR-MN", "MWF-OPR-MN" }, { 1, 10, 20 }
local source = "Figures 4.10 to 4.12"
local ratio, one_setup = setting("ratio", 10), setting("setup", -1)
local as_claimed = ratio == 10 and one_setup < 0
for _, setup in ipairs(one_setup < 0 and { 0, 5, 500 } or { one_setup }) do
  local small = setup < 500
  -- With long set-ups there are fewer loads in the same time, and runs that are too short say the contrary of long ones.
  local long_enough = (small or dlsim.full) and horizon or 3 * horizon
  local e = dlsim.experiment(("figures 4.10 to 4.12, set-ups of %d"):format(setup), names,
                             { { "bytes", bytes }, { "load", dlsim.loads { 0.7, 1.0 } } },
                             function() return { horizon = long_enough, setup = setup, deadline_ratio = ratio } end)
  print(("\nSet-ups of %d"):format(setup))
  for _, measure in ipairs { "reject_ratio", "utilization" } do
    dlsim.show(e, measure, "load", "bytes")
    if dlsim.full and (setup == 0 or not as_claimed) then dlsim.plot(e, measure, "figure4-10-" .. measure, "load", "bytes") end
  end
  print ""
  local function finding(says, measure, of, minus, sense, verdict, where)
    if not as_claimed then return end
    dlsim.claim(source, ("%s: set-ups of %d"):format(says, setup),
                dlsim.difference(e, measure, of .. "-OPR-MN", minus .. "-OPR-MN", where), sense, verdict)
  end
  finding("EDF rejects fewer than MWF where a unit takes 1 to send", "reject_ratio", "EDF", "MWF", "lower",
          small and "reproduces" or "does not reproduce", function(row) return row.bytes == 1 end)
  finding("MWF rejects fewer than EDF where a unit takes 10 or 20 to send, at loads from 0.9", "reject_ratio", "MWF", "EDF", "lower",
          "reproduces", function(row) return row.bytes >= 10 and row.load >= 0.9 end)
  finding("MWF rejects fewer than EDF where a unit takes 10 or 20 to send, at loads below", "reject_ratio", "MWF", "EDF", "lower",
          "does not reproduce", function(row) return row.bytes >= 10 and row.load < 0.9 end)
  finding("EDF rejects fewer than FIFO", "reject_ratio", "EDF", "FIFO", "lower", "does not reproduce")
  finding("MWF uses the nodes least, less than EDF", "utilization", "MWF", "EDF", "lower", "does not reproduce")
  finding("MWF uses the nodes less than EDF where a unit takes 1 to send", "utilization", "MWF", "EDF", "lower",
          small and "reproduces" or "does not reproduce", function(row) return row.bytes == 1 end)
end

if not as_claimed then return end
local short = dlsim.experiment("figures 4.10 to 4.12, short deadlines", names, { { "bytes", { 1, 20 } }, { "load", { 1.0 } } },
                               function() return { horizon = horizon / 2, deadline_ratio = 2 } end)
dlsim.show(short, "reject_ratio", "bytes")
print ""
local most = 0
for _, name in ipairs { "FIFO-OPR-MN", "MWF-OPR-MN" } do
  for _, row in ipairs(dlsim.difference(short, "reject_ratio", name, "EDF-OPR-MN").rows) do
    most = math.max(most, math.abs(row.difference))
  end
end
claim { source = dlsim.source .. ", " .. source, says = "with the deadlines of the figures, without set-ups, it matters which comes first",
        holds = most > 0.01, found = ("reject ratios differ by %.3f at most"):format(most), verdict = "does not reproduce" }
