-- Figures 5.15 and 5.16 of Mamat (2011): shares of reservations that are asked for a mean time between arrivals in advance.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-15.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local reservations = require "reservations"

local shares = { 0, 0.3, 0.5, 0.8, 1 }
local e = reservations.experiment("figures 5.15 and 5.16", { { "advance_factor", { 0, 1 } }, { "reserved", shares } },
                                  function() return {} end)
local function ahead(row) return row.advance_factor == 1 end
local function busy(row) return ahead(row) and row.load >= 0.4 end
reservations.show(e, { "figure5-15", "figure5-16" }, "reserved", ahead)

for _, share in ipairs { 0.3, 0.5 } do
  reservations.claim("Figure 5.15", ("%g %% of reservations, asked for in advance, reject less than not in advance"):format(100 * share),
                     reservations.difference(e, "reject_ratio", "advance_factor", 1, 0, function(row) return row.reserved == share end),
                     "lower")
end
for _, share in ipairs { 0.3, 0.5 } do
  reservations.claim("Figure 5.15", ("%g %% of reservations reject no more than none"):format(100 * share),
                     reservations.difference(e, "reject_ratio", "reserved", share, 0, busy), "same", "does not reproduce")
end
for _, share in ipairs { 0.8, 1 } do
  reservations.claim("Figure 5.15", ("%g %% of reservations reject clearly more than none"):format(100 * share),
                     reservations.difference(e, "reject_ratio", "reserved", share, 0, busy), "higher")
end
for _, share in ipairs { 0.3, 0.5 } do
  reservations.claim("Figure 5.16", ("%g %% of reservations use the nodes less than none"):format(100 * share),
                     reservations.difference(e, "utilization", "reserved", share, 0, busy), "lower")
end
