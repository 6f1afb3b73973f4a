-- How pessimistic the test of FAST-EDF-IIT is in Chapter 6 of Mamat (2011), and why: longer deadlines, cheaper transmission, a look ahead.
-- takes: seconds
-- perigee run scripts/dlsim/pessimism.lua
--   --set full=true     ten runs of 10^6 time units at three loads and four deadline ratios
--
-- The deadline ratio of section 6.4.1 is not printed, so several are tried. A test that looks ahead goes through the sending of all tasks that wait,
-- chunk by chunk, in place of an estimate.

require "statements"
local dlsim = require "dlsim"
local loads = require "loads"
local verdicts = require "verdicts"
local policies = { ["FAST-EDF-IIT"] = "fast_edf_iit", ["EDF-IIT-2"] = "edf_iit_2", ["look ahead"] = fast_edf_iit { start = "exact" } }
local why = experiment "pessimism" {
  factors = { { "ratio", dlsim.full and { 2, 5, 10, 100 } or { 2, 10, 100 } }, { "transmission", { 1, 0.01 } }, { "load", dlsim.full and { 0.3, 0.6,
    1 } or { 0.6 } },
              { "algorithm", { "FAST-EDF-IIT", "look ahead", "EDF-IIT-2" } } },
  replications = dlsim.full and 10 or 3,
  run = function(f)
    local until_ = dlsim.full and 1e6 or 2e5
    return loads.scenario { nodes = 16, mean_size = 200, time = 100, bytes = f.transmission, channel = "head", load = f.load, horizon = until_,
                            deadline_ratio = f.ratio }
      :run { policy = policies[f.algorithm], horizon = until_ }
  end,
  measure = dlsim.measure,
}
print(why:table("reject_ratio"))
local function printed(row) return row.transmission == 1 end
local loss = verdicts.points(why, "reject_ratio", "algorithm", "FAST-EDF-IIT", "EDF-IIT-2", printed)
local little = dlsim.thresholds({ 0.05, 0.02, 0.1 }, function(most)
  return verdicts.all { { "more", verdicts.always(loss, "higher", 0.005) }, { "little", verdicts.alike(loss, most) } }
end)
claim { statement = "S2-112", verdict = "does not reproduce", holds = little.holds, found = "reject ratio, FAST-EDF-IIT less EDF-IIT-2: "
  .. little.found,
        note = "a little is read as up to 0.05, which is ours, and 0.02 and 0.1 are beside it; up to 0.05 it is with a deadline "
          .. "ratio of 2, which the chapter does not print, and not with longer deadlines" }
local function look_ahead(at) return verdicts.points(why, "reject_ratio", "algorithm", "look ahead", "EDF-IIT-2", at) end
local function cheap(at) return verdicts.points(why, "reject_ratio", "algorithm", "FAST-EDF-IIT", "EDF-IIT-2", at) end
local cause = dlsim.thresholds({ 0.01, 0.02, 0.05 }, function(margin)
  return verdicts.all {
    { "a look ahead less EDF-IIT-2", verdicts.alike(look_ahead(printed), margin) },
    { "FAST-EDF-IIT less EDF-IIT-2 where transmission costs a hundredth", verdicts.alike(cheap { transmission = 0.01 }, margin) },
  }
end)
local function mean_of(points)
  local sum = 0
  for _, point in ipairs(points) do sum = sum + stats.summary(point.values).mean end
  return sum / #points
end
claim { statement = "S2-123", verdict = "not decided", holds = cause.holds,
        found = ("reject ratio, FAST-EDF-IIT less EDF-IIT-2: %.3f on average, %.3f where transmission costs a hundredth; %s"):format(mean_of(loss),
                mean_of(cheap { transmission = 0.01 }), cause.found),
        note = "the loss is the estimate's if a test that looks ahead has none, and that of blocking if cheap transmission leaves none, within 0.01, "
          .. "which is ours, with 0.02 and 0.05 beside it: most of it, but not all, goes with the cost of transmission" }
