-- Figures 5.17 and 5.18 of Mamat (2011): how long in advance 30 % and 50 % of the loads reserve nodes.
-- takes: seconds
-- perigee run scripts/dlsim/figure5-17.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local reservations = require "reservations"
local studies = require "studies"

local factors = { 0, 1, 2, 10 }  -- mean times between arrivals
local e = reservations.experiment("figures 5.17 and 5.18", { 0.4, 0.7, 1.0 },
                                  { { "reserved", { 0.3, 0.5 } }, { "advance_factor", factors } }, { horizon = 1.7e6 })
print(e:table("reject_ratio", "utilization"))
for figure, share in pairs { ["5.17"] = 0.3, ["5.18"] = 0.5 } do
  local function of(row) return row.reserved == share end
  local rows = {}
  for _, row in ipairs(e:rows()) do if of(row) then rows[#rows + 1] = row end end
  plot(rows, { x = "load", y = "reject_ratio", by = "advance_factor", file = "figure" .. figure:gsub("%.", "-") })
  local function difference(later, sooner)
    return studies.difference(e, "reject_ratio", "advance_factor", later, sooner, of)
  end
  local says = ("%g %% of reservations, asked for "):format(100 * share)
  reservations.claim("Figure " .. figure, says .. "1/lambda in advance, reject less than not in advance", difference(1, 0), "lower")
  reservations.claim("Figure " .. figure, says .. "10/lambda in advance, reject as much as 2/lambda", difference(10, 2), "same")
  local more, all = difference(2, 1).mean, difference(2, 0).mean
  claim {
    source = "Mamat, 2011, Figure " .. figure, says = says .. "2/lambda in advance, gain as much again as 1/lambda",
    found = ("%+.4f of %+.4f"):format(more, all), holds = more <= all / 2, verdict = "does not reproduce",
  }
end
