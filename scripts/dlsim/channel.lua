-- What plans that know nothing of a shared channel are worth on one channel (Mamat, 2011, section 3.2 against Figure 4.1).
-- takes: a second
-- test: thorough
-- perigee run scripts/dlsim/channel.lua
--   --set full=true     ten runs of 10^7 time units
--
-- The published test (Figure 4.1) lets chunks of different loads be sent at the same time; the head has one channel. The same plans are
-- carried out with a channel for each load, as the test believes, and on one; and beside them those that know of it.
-- How many of those admitted are late is judged in guarantee.lua (S2-8).

local dlsim = require "dlsim"
local loads = require "loads"
local horizon = dlsim.horizon(1e6)
local names = { "as planned", "on one channel", "planned for one channel" }
local e = experiment "channel" {
  factors = { { "setup", { 0, 500 } }, { "deadline_ratio", { 2, 10 } }, { "load", { 0.3, 0.7 } }, { "way", names } },
  replications = dlsim.replications,
  run = function(f)
    local way = f.way
    local s = loads.scenario { setup = f.setup, deadline_ratio = f.deadline_ratio, load = f.load, horizon = horizon,
                               channel = way == names[1] and "load" or "head" }
    return s:run { policy = edf { channel = way == names[3] and "head" or "load" } }
  end,
  measure = { "arrived", "rejected", "missed", "miss_ratio", "reject_ratio" },
}
print(e:table("reject_ratio", "miss_ratio"))

-- Late, of all that was admitted, by way and set-up.
local late, admitted = {}, {}
for _, row in ipairs(e:rows()) do
  local key = ("%s, %d"):format(row.way, row.setup)
  late[key] = (late[key] or 0) + row.missed
  admitted[key] = (admitted[key] or 0) + row.arrived - row.rejected
end
for _, setup in ipairs { 0, 500 } do
  local function found(way)
    local key = ("%s, %d"):format(way, setup)
    return late[key], ("%d of %d are late"):format(late[key], admitted[key])
  end
  for _, way in ipairs { names[1], names[3] } do
    local count, text = found(way)
    expect(count == 0, ("%s, set-ups of %d: %s"):format(way, setup, text))
  end
  local _, text = found(names[2])
  print(("set-ups of %d, what the test admits on one channel: %s"):format(setup, text))
end
