-- Figures 5.15 and 5.16 of Mamat (2011): shares of reservations that are asked for a mean time between arrivals in advance.
-- takes: seconds
-- test: thorough
-- perigee run scripts/dlsim/figure5-15.lua --out results
--   --set full=true     ten runs of 10^7 time units at four loads: a minute

local dlsim = require "dlsim"
local reservations = require "reservations"
local verdicts = require "verdicts"

local full, near = reservations.full, reservations.near
local shares = full and { 0, 0.1, 0.3, 0.5, 0.8, 1 } or { 0, 0.5, 1 }
local e = reservations.experiment("figures 5.15 and 5.16", full and { 0.3, 0.6, 1.0 } or { 0.4, 1.0 }, { { "reserved", shares } },
                                  { advance_factor = 1, horizon = 1.5e6 })
local both = { e }  -- and the lowest load of the figures, where few loads come
if full then
  both[2] = reservations.experiment("figures 5.15 and 5.16, low", { 0.1 }, { { "reserved", shares } }, { advance_factor = 1, horizon = 1.5e6 })
end
reservations.show(e, { "figure5-15", "figure5-16" }, "reserved")

-- The excess of some shares over none, at each load.
local function against_none(measure, least, most)
  local lists = {}
  for _, share in ipairs(shares) do
    for _, x in ipairs(share >= least and share <= most and both or {}) do
      lists[#lists + 1] = { ("%g %%"):format(100 * share), reservations.points(x, measure, "reserved", share, 0) }
    end
  end
  return reservations.together(lists)
end
local margins = { near, near / 2, 0.05 }
local similar = dlsim.thresholds(margins, function(margin) return verdicts.alike(against_none("reject_ratio", 0.1, 0.5), margin) end)
local four = "at four of the ten loads of the figures"
local ours = "0.02 is ours, and 0.01 and 0.05 are beside it"
claim { statement = "S2-81", verdict = "does not reproduce", holds = similar.holds, found = similar.found, note = "similar: within 0.02 of the "
    .. "ratio without reservations, " .. four .. "; " .. ours }
local higher = verdicts.always(against_none("reject_ratio", 0.8, 1), "higher")
claim { statement = "S2-82", verdict = "reproduces", holds = higher.holds, found = higher.found, note = four }

-- Twice as steep beyond 50 % as below.
local function steeper(measure, sign, times)
  return reservations.computed(e, "reserved",
      function(by) return sign * ((by[1][measure] - by[0.5][measure]) - times * (by[0.5][measure] - by[0][measure])) end)
end
local drastic = dlsim.thresholds({ { "twice", 2 }, { "1.5 times", 1.5 }, { "3 times", 3 } }, function(threshold)
  return verdicts.all { { "rejects", verdicts.always(steeper("reject_ratio", 1, threshold[2]), "higher") }, { "utilization",
      verdicts.always(steeper("utilization", -1, threshold[2]), "higher") } }
end)
claim { statement = "S2-83", verdict = "does not reproduce", holds = drastic.holds,
        found = "what is lost from 50 to 100 % less twice what is lost from 0 to 50 %, " .. drastic.found,
        note = "drastically: twice as steep, at each of three of the ten loads of the figures; twice is ours, and 1.5 and 3 times are beside it" }

local no_worse = dlsim.thresholds(margins, function(margin)
  return verdicts.all { { "rejects", verdicts.always(against_none("reject_ratio", 0.1, 0.5), "lower", margin) },
                        { "utilization", verdicts.always(against_none("utilization", 0.1, 0.5), "higher", margin) } }
end)
claim { statement = "S2-84", verdict = "does not reproduce", holds = no_worse.holds, found = no_worse.found,
        note = "with up to 50 % of reservations no worse than without by more than 0.02, " .. four .. "; " .. ours }
local lower = verdicts.always(against_none("utilization", 0.1, 1), "lower")
claim { statement = "S2-85", verdict = "not decided", holds = lower.holds, found = lower.found, note = four }
local little = dlsim.thresholds(margins, function(margin) return verdicts.alike(against_none("utilization", 0.1, 0.5), margin) end)
claim { statement = "S2-86", verdict = "not decided", holds = little.holds, found = little.found,
        note = "quite small: within 0.02, " .. four .. "; " .. ours }
