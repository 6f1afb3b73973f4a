-- Figures 5.13 and 5.14 of Mamat (2011): more and more of the loads reserve nodes, and not in advance.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-13.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local reservations = require "reservations"

local shares = { 0, 0.1, 0.3, 0.5, 0.8, 1 }
local e = reservations.experiment("figures 5.13 and 5.14", { { "reserved", shares } }, function() return { advance = 0 } end)
reservations.show(e, "figure5-13", "reserved")

for i = 2, #shares do
  local says = ("than %d %% of reservations, %d %%"):format(100 * shares[i - 1], 100 * shares[i])
  reservations.claim("Figure 5.13", says .. " reject more", e, "reject_ratio", "reserved", shares[i], shares[i - 1], "higher")
  reservations.claim("Figure 5.14", says .. " use the nodes less", e, "utilization", "reserved", shares[i], shares[i - 1], "lower")
end
