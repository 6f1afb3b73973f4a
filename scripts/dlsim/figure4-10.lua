-- Figures 4.10 to 4.12 of Mamat (2011): arrivals, deadlines or workload derivatives first, by the cost of transmission.
-- takes: seconds
-- perigee run scripts/dlsim/figure4-10.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local horizon = dlsim.horizon(3e5)
local bytes = { 1, 10, 20 }
for _, setup in ipairs { 0, 500 } do
  local e = dlsim.experiment(("figures 4.10 to 4.12, set-ups of %d"):format(setup), { "FIFO-OPR-MN", "EDF-OPR-MN", "MWF-OPR-MN" },
                             { { "deadline_ratio", { 2, 10 } }, { "bytes", bytes }, { "load", dlsim.loads { 0.5, 0.9 } } },
                             function() return { horizon = horizon, setup = setup } end)
print(e:table("reject_ratio", "utilization"))
for _, ratio in ipairs { 2, 10 } do
for _, b in ipairs(bytes) do
  local function at(row) return row.bytes == b and row.deadline_ratio == ratio end
  print(setup, ratio, b, "EDF-MWF", dlsim.difference(e, "reject_ratio", "EDF-OPR-MN", "MWF-OPR-MN", at).text)
  print(setup, ratio, b, "EDF-FIFO", dlsim.difference(e, "reject_ratio", "EDF-OPR-MN", "FIFO-OPR-MN", at).text)
  print(setup, ratio, b, "util MWF-EDF", dlsim.difference(e, "utilization", "MWF-OPR-MN", "EDF-OPR-MN", at).text)
  print(setup, ratio, b, "util MWF-FIFO", dlsim.difference(e, "utilization", "MWF-OPR-MN", "FIFO-OPR-MN", at).text)
end
end
end
