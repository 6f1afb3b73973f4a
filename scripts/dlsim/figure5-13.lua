-- Figures 5.13 and 5.14 of Mamat (2011): more and more of the loads reserve nodes, and not in advance.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-13.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local reservations = require "reservations"
local studies = require "studies"

local shares = { 0, 0.1, 0.3, 0.5, 0.8, 1 }
local e = reservations.experiment("figures 5.13 and 5.14", nil, { { "reserved", shares } }, { advance = 0, horizon = 1.5e6 })
reservations.show(e, { "figure5-13", "figure5-14" }, "reserved")

local function busy(row) return row.load >= 0.4 end
local function idle(row) return row.load < 0.4 end
for i = 2, #shares do
  reservations.claim("Figure 5.13", ("%g %% of reservations reject more than %g %%"):format(100 * shares[i], 100 * shares[i - 1]),
                     studies.difference(e, "reject_ratio", "reserved", shares[i], shares[i - 1]), "higher")
  reservations.claim("Figure 5.14", ("%g %% of reservations use the nodes less than none, at loads from 0.4 on"):format(100 * shares[i]),
                     studies.difference(e, "utilization", "reserved", shares[i], 0, busy), "lower")
end
-- There the difference is less than a hundredth, as a reservation keeps its nodes busy from its beginning to its end, also
-- while they wait for data: it takes runs as long as published to tell it from none. At 0.1 alone they are used no less.
if setting("full", false) then
  reservations.claim("Figure 5.14", "100 % of reservations use the nodes less than none, at loads below 0.4",
                     studies.difference(e, "utilization", "reserved", 1, 0, idle), "lower")
end
