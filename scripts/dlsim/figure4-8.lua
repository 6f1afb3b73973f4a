-- Figure 4.8 of Mamat (2011): chunks that end together against equal ones, on few nodes, by the speed of nodes.
-- takes: seconds
-- perigee run scripts/dlsim/figure4-8.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local horizon, setups, times = dlsim.horizon(5e5), { 0, 5, 500 }, { 100, 1000, 10000 }
for _, setup in ipairs(setups) do
  local e = dlsim.experiment("figure 4.8, set-ups of " .. setup, { "EDF-OPR-MN", "EDF-EPR-MN" },
                             { { "time", times }, { "load", dlsim.loads() } },
                             function(f) return { horizon = dlsim.full and horizon or horizon * f.time / 1000, setup = setup } end)
  print(("\nSet-ups of %d"):format(setup))
  for _, measure in ipairs { "reject_ratio", "utilization" } do
    dlsim.show(e, measure, "load", "time")
    if setup == 0 then dlsim.plot(e, measure, "figure4-8-" .. measure, "load", "time") end
  end
  print ""
  local function gap(time, from, below)
    return dlsim.difference(e, "reject_ratio", "EDF-OPR-MN", "EDF-EPR-MN",
                            function(row) return row.time == time and row.load >= (from or 0) and row.load < (below or 2) end)
  end
  local function fewer(time, loads, found, verdict)
    dlsim.claim("Figure 4.8a", ("OPR rejects fewer than EPR: a unit takes %d, set-ups of %d%s"):format(time, setup, loads), found, "lower",
                verdict)
  end
  if setup < 500 then
    fewer(100, "", gap(100), "reproduces")
  else
    fewer(100, ", loads up to 0.8", gap(100, 0, 0.85), "reproduces")
    fewer(100, ", higher loads", gap(100, 0.85), "does not reproduce")
  end
  fewer(1000, "", gap(1000), "reproduces")
  local gaps = {}
  for _, time in ipairs(times) do gaps[time] = gap(time).mean end
  claim { source = dlsim.source .. ", Figure 4.8a",
          says = ("where a unit takes 10000, OPR rejects so much more than EPR: set-ups of %d"):format(setup),
          value = math.floor(1000 * gaps[10000] + 0.5) / 1000, published = 0, margin = 0.02,
          found = ("%+.3f, and %+.3f and %+.3f where it takes 100 and 1000"):format(gaps[10000], gaps[100], gaps[1000]),
          verdict = setup == 500 and "does not reproduce" or "reproduces" }
end
