-- Figures 5.15 and 5.16 of Mamat (2011): shares of reservations that are asked for a mean time between arrivals in advance.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-15.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local reservations = require "reservations"

local shares = { 0, 0.3, 0.5, 0.8, 1 }
local e = reservations.experiment("figures 5.15 and 5.16", { { "advance_factor", { 0, 1 } }, { "reserved", shares } },
                                  function() return {} end)
for _, measure in ipairs { "reject_ratio", "utilization" } do
  print(measure)
  print(e:table(measure))
end
local ahead = {}
for _, row in ipairs(e:rows()) do if row.advance_factor == 1 then ahead[#ahead + 1] = row end end
plot(ahead, { x = "load", y = "reject_ratio", by = "reserved", file = "figure5-15" })
plot(ahead, { x = "load", y = "utilization", by = "reserved", file = "figure5-16" })
