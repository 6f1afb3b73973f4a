-- The best group at other numbers of machines and other loads, which Breitinger (1999) left as future work.
-- takes: seconds
-- perigee run scripts/mshn/machines.lua --out results
--   --set replications=10
--   --set most=30             machines
-- test: --set replications=2 --set most=5

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications, most = settings.number("replications", 10, 1, 1000), settings.number("most", 30, 5, 100)

local machines = {}
for _, m in ipairs { 5, 15, 30, 100 } do
  if m <= most then machines[#machines + 1] = m end
end
local loads, shares = { 0.75, 0.9, 0.995, 1.1 }, { 0, 1 / 3, 2 / 3, 0.8, 1, 1.2, 4 / 3, 5 / 3 }
-- So many jobs for each machine, at least one job.
local function size(share, m) return math.max(1, math.floor(share * m + 0.5)) end

local scenarios = {}
for _, m in ipairs(machines) do
  scenarios[m] = {}
  for _, load in ipairs(loads) do scenarios[m][load] = advisor.scenario { machines = m, tau = advisor.tau(load, m) } end
end
local e = experiment "mshn_machines" {
  factors = { { "machines", machines }, { "load", loads }, { "ready", { "zero", "aware" } }, { "share", shares } },
  replications = replications,
  run = function(f, seed)
    return advisor.run(scenarios[f.machines][f.load], advisor.policy(size(f.share, f.machines), f.ready), seed)
  end,
  measure = { "mean_response" },
}
local found = e:table("mean_response")

print(("mean time in system, ms, of %d replications; * the least of its line\n"):format(replications))
local curves, near, together = {}, {}, {}
for _, m in ipairs(machines) do
  local head = { ("%d machines"):format(m) }
  for _, share in ipairs(shares) do head[#head + 1] = ("%7d "):format(size(share, m)) end
  print(("%-16s"):format(head[1]) .. table.concat(head, "", 2) .. "  jobs in a group")
  for _, load in ipairs(loads) do
    for _, ready in ipairs { "zero", "aware" } do
      local rows = studies.by(found, "share", { machines = m, load = load, ready = ready })
      local best, line = studies.best(rows, "mean_response"), {}
      for _, share in ipairs(shares) do
        line[#line + 1] = (" %s%s"):format(advisor.ms(rows[share].mean_response), share == best and "*" or " ")
        if load == 0.995 then
          curves[#curves + 1] = { share = size(share, m) / m, of = ("%d, %s"):format(m, ready), ms = 1e3 * rows[share].mean_response }
        end
      end
      print(("%5.3f %-9s %s"):format(load, ready, table.concat(line)))
      local text = ("%d for %d at a load of %.3g"):format(size(best, m), m, load)
      if ready == "zero" and load > 0.8 then near[#near + 1] = { best = best, text = text } end
      if ready == "aware" and load < 1 and best > 0 then together[#together + 1] = text end
    end
  end
  print ""
end
plot(curves, { x = "share", y = "ms", by = "of", y_unit = "ms", file = "machines", x_label = "jobs of a group per machine",
               y_label = "mean time in system", title = "Group size at a load of 0.995, by machines and readiness" })

if replications >= 10 and most >= 30 then
  local sizes, off = {}, 0
  for i, one in ipairs(near) do
    sizes[i] = one.text
    if math.abs(one.best - 1) > 0.21 then off = off + 1 end
  end
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with zero readiness and loads of 0.9 to 1.1 the best group has about as many jobs as there are machines",
          holds = off == 0, found = "best of those tried: " .. table.concat(sizes, ", "), verdict = "reproduces" }
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with aware readiness and loads below 1 single jobs are best, whatever the number of machines",
          holds = #together == 0, found = #together == 0 and "in each of them" or table.concat(together, ", "),
          verdict = "reproduces" }
end
