-- Figures 5.13 and 5.14 of Mamat (2011): more and more of the loads reserve nodes, and not in advance.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure5-13.lua --out results
--   --set full=true     ten runs of 10^7 time units at four loads: a minute

local dlsim = require "dlsim"
local loads = require "loads"
local reservations = require "reservations"
local verdicts = require "verdicts"

local shares = reservations.full and { 0, 0.1, 0.3, 0.5, 0.8, 1 } or { 0, 0.5, 1 }
local e = reservations.experiment("figures 5.13 and 5.14", reservations.full and { 0.3, 0.6, 1.0 } or { 0.4, 1.0 }, { { "reserved", shares } },
                                  { advance = 0, horizon = 1.5e6 })
local both = { e }  -- and the lowest load of the figures, where few loads come
if reservations.full then
  both[2] = reservations.experiment("figures 5.13 and 5.14, low", { 0.1 }, { { "reserved", shares } }, { advance = 0, horizon = 1.5e6 })
end
reservations.show(e, { "figure5-13", "figure5-14" }, "reserved")

local function steps(measure, from)
  local lists = {}
  for i = 2, #shares do
    for _, x in ipairs(both) do
      lists[#lists + 1] = { ("%g %%"):format(100 * shares[i]), reservations.points(x, measure, "reserved", shares[i], from or shares[i - 1]) }
    end
  end
  return reservations.together(lists)
end
local four = "at four of the ten loads of the figures"
local rises = dlsim.always(steps "reject_ratio", "higher")
claim { statement = "S2-78", verdict = "reproduces", holds = rises.holds, found = "reject ratio less that of the next smaller share, " .. rises.found,
        note = four .. "; " .. dlsim.margin }
local falls = verdicts.all { { "less that of the next smaller share", dlsim.always(steps "utilization", "lower") },
                             { "less that without reservations", dlsim.always(steps("utilization", 0), "lower") } }
claim { statement = "S2-79", verdict = "reproduces", holds = falls.holds, found = "utilization " .. falls.found, note = four .. "; " .. dlsim.margin }

-- Half of the loads are reservations: what is rejected of them and of the others, which are drawn alike.
local rigid = verdicts.always(reservations.computed(e, "reserved", function(by) return by[0.5].booked - by[0.5].regular end,
    function(row) return row.reserved == 0.5 end), "higher")
local reason = verdicts.all { { "reject ratio less that of the next smaller share", rises },
                              { "half of the loads reserve: reject ratio of reservations less that of tasks", rigid } }
claim { statement = "S2-80", verdict = "reproduces", holds = reason.holds, found = reason.found,
        note = "the effect, S2-78, and the reason; both kinds are drawn alike, so that what differs is that a reservation is fixed in its beginning, "
          .. "nodes and end; " .. four }

-- Other effects of the share and of the advance factor.
local function jobs(share, factor)
  return loads.scenario { mean_size = 2000, channel = "head", load = 0.5, horizon = 1e6, reserved = share, advance_factor = factor }
    :run { policy = "edf_reservations", seed = 2, trace = "work" }:jobs()
end
local none, some, more, early = jobs(0, 0), jobs(0.3, 0), jobs(0.8, 0), jobs(0.8, 2)
local same, nested, booked, moved = 0, 0, 0, 0
local gap = cost.divisible { transmission = 1, computation = 1000 }:time(2000, 1) / (0.5 * 256)
for i, job in ipairs(none) do
  local reserved, later = some[i].name:find "^reservation" ~= nil, more[i].name:find "^reservation" ~= nil
  if some[i].arrival == job.arrival and more[i].arrival == job.arrival and (reserved or some[i].deadline == job.deadline
      and some[i].size == job.size) then same = same + 1 end
  if reserved then
    booked = booked + 1
    if later then nested = nested + 1 end
  end
  local asked = later and math.max(0, job.arrival - 2 * gap) or job.arrival
  if math.abs(early[i].arrival - asked) < 1e-6 and (early[i].name:find "^reservation" ~= nil) == later then moved = moved + 1 end
end
local n = 0
for _ in ipairs(none) do n = n + 1 end
claim { statement = "S2-72", verdict = "reproduces", holds = same == n and nested == booked and booked > 0 and moved == n,
        found = ("of %d loads %d arrive alike, with the same sizes and deadlines, with 0, 30 and 80 %% of reservations; %d of the %d reserved at "
            .. "30 %% are so at 80 %%; with Delta = 2/lambda %d ask as much earlier or as before")
                :format(n, same, nested, booked, moved) }
