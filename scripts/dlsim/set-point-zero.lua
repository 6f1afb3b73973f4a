-- A set point of nearly 0 in the feedback scheduler of Chapter 7 of Mamat (2011): whether all is rejected, and nodes are idle.
-- takes: a second
-- perigee run scripts/dlsim/set-point-zero.lua
--   --set full=true     five longer runs in place of two

require "statements"
local dlsim = require "dlsim"
local uncertain = require "uncertain"
local verdicts = require "verdicts"
local periods = dlsim.full and 180 or 40

-- To 0 itself perigee does not go; with nearly 0 a bound that may fall to nothing.
local zero = experiment "set point near 0" {
  factors = { { "ratio", { 2, 5 } }, { "load", { 0.5, 1 } } },
  replications = dlsim.full and 5 or 2,
  run = function(f)
    return uncertain.scenario { periods = periods, deadline_ratio = f.ratio, load = f.load }
      :run { policy = feedback { target = 1e-9, least_bound = 1e-9 }, information = "declared" }
  end,
  measure = function(r)
    local list = uncertain.periods(r)
    return uncertain.over(list, 2 * #list // 3 + 1, #list)
  end,
}
local least, most, idle = math.huge, 0, 0
for _, row in ipairs(zero:rows()) do
  least, most = math.min(least, row.utilization), math.max(most, row.utilization)
  if row.utilization < 0.01 and row.reject_ratio > 0.99 then idle = idle + 1 end
end
-- A loop that has come to reject everything: whether it stays so.
local stopped = uncertain.periods(uncertain.scenario { periods = 20, load = 0.5 }
  :run { policy = feedback { target = 1e-9, least_bound = 1e-9, start_bound = 1e-9 }, information = "declared" })
local end_of = uncertain.over(stopped, 1, #stopped)
local stays = end_of.reject_ratio == 1 and end_of.utilization == 0
local share = verdicts.share(idle, #zero:rows())
local could = idle > 0
if not could and stays then could = "not decided" end
claim { statement = "S2-153", verdict = "not decided", holds = could,
        found = ("with a set point of 1e-9 all is rejected and nodes are idle %s, in the last third of a run; utilization then is %.3f to %.3f. A "
          .. "loop that begins with a bound of 1e-9 rejects %.0f %% and uses %.0f %% of the nodes"):format(
                share.found, least, most, 100 * end_of.reject_ratio, 100 * end_of.utilization),
        note = "perigee takes no set point of 0. That it could happen is said: it holds if some run gets there, and fails if a loop that is there "
          .. "does not stay" }
