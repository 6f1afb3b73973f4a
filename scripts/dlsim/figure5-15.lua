-- Figures 5.15 and 5.16 of Mamat (2011): shares of reservations that are asked for a mean time between arrivals in advance.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-15.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes
--
-- That they reject less than those that are not asked for in advance is to be seen in figure5-17.lua.

local reservations = require "reservations"
local studies = require "studies"

local e = reservations.experiment("figures 5.15 and 5.16", { 0.4, 0.7, 1.0 }, { { "reserved", { 0, 0.3, 0.5, 0.8, 1 } } },
                                  { advance_factor = 1, horizon = 2e6 })
reservations.show(e, { "figure5-15", "figure5-16" }, "reserved")

local function busy(row) return row.load >= 0.4 end
local function claim(figure, says, measure, share, sense, verdict)
  reservations.claim(figure, ("%g %% of reservations %s"):format(100 * share, says),
                     studies.difference(e, measure, "reserved", share, 0, busy), sense, verdict)
end
for _, share in ipairs { 0.3, 0.5 } do
  claim("Figure 5.15", "reject no more than none", "reject_ratio", share, "same", "does not reproduce")
  claim("Figure 5.16", "use the nodes less than none", "utilization", share, "lower")
end
for _, share in ipairs { 0.8, 1 } do claim("Figure 5.15", "reject more than none", "reject_ratio", share, "higher") end
