-- Figures 5.17 and 5.18 of Mamat (2011): how long in advance 30 % and 50 % of the loads reserve nodes.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-17.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local reservations = require "reservations"

local factors = { 0, 1, 2, 10 }  -- mean times between arrivals
local e = reservations.experiment("figures 5.17 and 5.18", { { "reserved", { 0.3, 0.5 } }, { "advance_factor", factors } },
                                  function() return {} end)
print(e:table "reject_ratio")
