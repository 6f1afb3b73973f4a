-- Figure 4.7 of Mamat (2011): chunks that end together against equal ones, on all nodes, by how long deadlines are.
-- takes: seconds
-- perigee run scripts/dlsim/figure4-7.lua --out results
--   --set full=true     ten runs of 10^7 time units at ten loads, as published: minutes

local dlsim = require "dlsim"
local horizon, setups, ratios = dlsim.horizon(3e5), { 0, 5, 500 }, { 2, 10, 100 }
for _, setup in ipairs(setups) do
  local e = dlsim.experiment("figure 4.7, set-ups of " .. setup, { "EDF-OPR-AN", "EDF-EPR-AN" },
                             { { "deadline_ratio", ratios }, { "load", dlsim.loads { 0.1, 0.4, 0.7 } } },
                             function() return { horizon = horizon, setup = setup } end)
  print(("\nSet-ups of %d"):format(setup))
  for _, measure in ipairs { "reject_ratio", "utilization" } do
    dlsim.show(e, measure, "load", "deadline_ratio")
    if setup == 0 then dlsim.plot(e, measure, "figure4-7-" .. measure, "load", "deadline_ratio") end
  end
  print ""
  local gaps, text = {}, {}
  for i, ratio in ipairs(ratios) do
    local gap = dlsim.difference(e, "reject_ratio", "EDF-EPR-AN", "EDF-OPR-AN",
                                 function(row) return row.deadline_ratio == ratio and row.load < 0.8 end)
    gaps[i], text[i] = gap.mean, ("%+.3f"):format(gap.mean)
  end
  claim { source = dlsim.source .. ", Figure 4.7a",
          says = ("below a load of 0.8, EPR is nearer to OPR with longer deadlines than with the shortest: set-ups of %d"):format(setup),
          holds = gaps[1] > 0.02 and gaps[1] > math.max(math.abs(gaps[2]), math.abs(gaps[3])),
          found = ("EPR rejects %s more on average at ratios of 2, 10, 100"):format(table.concat(text, ", ")), verdict = "reproduces" }
end
