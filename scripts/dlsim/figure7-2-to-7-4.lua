-- Figures 7.2 to 7.4 of Mamat (2011): misses, rejections and utilization under a growing load of uncertain cost.
-- takes: a second
-- perigee run scripts/dlsim/figure7-2-to-7-4.lua --out figures
--   --set full=true           ten replications in place of three
--   --set deadline_ratio=2    mean relative deadline, by the time of a load of mean size on all nodes; claims are about 5

local uncertain = require "uncertain"
local periods, replications, windows = 180, uncertain.replications, 12
local deadline_ratio = setting("deadline_ratio", 5)
local least, most = 0.2, 1.5  -- load

local function ramp(t) return least + (most - least) * t / (periods * uncertain.period) end

local runs = experiment "uncertain costs" {
  factors = { { "scheduler", { "no feedback", "feedback", "ideal", "worst case" } } },
  replications = replications,
  run = function(f)
    local how = uncertain.schedulers[f.scheduler]
    return uncertain.scenario { periods = periods, deadline_ratio = deadline_ratio, load = ramp }
      :run { policy = how.policy, information = how.information }
  end,
  measure = function(r)
    local series, out, each = uncertain.periods(r), {}, periods // windows
    for w = 1, windows do
      for name, value in pairs(uncertain.over(series, (w - 1) * each + 1, w * each)) do out[name .. w] = value end
    end
    for name, value in pairs(uncertain.over(series, 3 * periods // 4 + 1, periods)) do out["heavy_" .. name] = value end
    for name, value in pairs(uncertain.over(series, 1, periods // 4)) do out["light_" .. name] = value end
    return out
  end,
}

local rows = {}
for _, row in ipairs(runs:rows()) do
  for w = 1, windows do
    rows[#rows + 1] = { scheduler = row.scheduler, period = (w - 0.5) * periods / windows,
                        miss_ratio = row["miss_ratio" .. w], reject_ratio = row["reject_ratio" .. w],
                        utilization = row["utilization" .. w] }
  end
end
for number, y in ipairs { "miss_ratio", "reject_ratio", "utilization" } do
  plot(rows, { x = "period", y = y, by = "scheduler", title = ("Figure 7.%d"):format(number + 1), file = "figure7." .. number + 1 })
end
print(("The load grows from %g to %g; heavy: the last quarter of the periods, light: the first"):format(least, most))
print(runs:table("heavy_miss_ratio", "heavy_reject_ratio", "heavy_utilization"))
print(runs:table("light_miss_ratio", "light_reject_ratio", "light_utilization"))

local mean = {}
for _, row in ipairs(runs:table()) do mean[row.scheduler] = row end
local none, feedback, ideal, worst = mean["no feedback"], mean["feedback"], mean["ideal"], mean["worst case"]
local against_ideal
for _, row in ipairs(runs:compare("light_reject_ratio", { factor = "scheduler", baseline = "ideal" })) do
  if row.scheduler == "feedback" then against_ideal = row.verdict end
end
local function percent(x) return ("%.1f %%"):format(100 * x) end

if deadline_ratio ~= 5 then return end
claim { source = uncertain.source .. ", Figure 7.2",
        says = "without feedback the miss ratio rises with the load, well above 5 %",
        holds = none.heavy_miss_ratio > 0.1 and none.heavy_miss_ratio > 1.25 * none.light_miss_ratio,
        found = ("%s under light load, %s under heavy"):format(percent(none.light_miss_ratio), percent(none.heavy_miss_ratio)),
        verdict = "reproduces" }
-- The deadlines are not published. Were they that much shorter, the utilization with feedback would be 40 %.
local short = experiment "short deadlines" {
  factors = {},
  replications = replications,
  run = function()
    local how = uncertain.schedulers["no feedback"]
    return uncertain.scenario { periods = periods, deadline_ratio = 2, load = ramp }
      :run { policy = how.policy, information = how.information }
  end,
  measure = function(r) return { heavy_miss_ratio = uncertain.over(uncertain.periods(r), 3 * periods // 4 + 1, periods).miss_ratio } end,
}
for ratio, heavy in pairs { [5] = none.heavy_miss_ratio, [2] = short:table()[1].heavy_miss_ratio } do
  claim { source = uncertain.source .. ", Figure 7.2",
          says = ("without feedback 25 %% miss their deadlines under heavy load, with deadlines of %d times a mean load"):format(ratio),
          value = tonumber(("%.3f"):format(heavy)), published = 0.25, within = "15 %",
          verdict = ratio == 2 and "reproduces" or "does not reproduce" }
end
claim { source = uncertain.source .. ", Figure 7.2",
        says = "with feedback the miss ratio stays around 5 % under heavy load",
        value = tonumber(("%.3f"):format(feedback.heavy_miss_ratio)), published = 0.05, margin = 0.015, verdict = "reproduces" }
claim { source = uncertain.source .. ", Figure 7.3",
        says = "who assumes the worst rejects far more than feedback does, at every load",
        holds = worst.light_reject_ratio > 2 * feedback.light_reject_ratio
          and worst.heavy_reject_ratio > feedback.heavy_reject_ratio + 0.1,
        found = ("light %s against %s, heavy %s against %s"):format(percent(worst.light_reject_ratio),
          percent(feedback.light_reject_ratio), percent(worst.heavy_reject_ratio), percent(feedback.heavy_reject_ratio)),
        verdict = "reproduces" }
claim { source = uncertain.source .. ", Figure 7.3",
        says = "under light load feedback rejects even less than who knows the costs",
        holds = against_ideal == "lower",
        found = ("%s against %s: %s"):format(percent(feedback.light_reject_ratio), percent(ideal.light_reject_ratio), against_ideal),
        verdict = "does not reproduce" }
claim { source = uncertain.source .. ", Figure 7.3",
        says = "who knows the costs misses no deadline",
        holds = ideal.heavy_miss_ratio == 0,
        found = ("%s are missed: Algorithm 12 takes no account of nodes that were idle"):format(percent(ideal.heavy_miss_ratio)),
        verdict = "does not reproduce" }
claim { source = uncertain.source .. ", Figure 7.4",
        says = "with feedback the utilization is around 75 % under heavy load",
        value = tonumber(("%.3f"):format(feedback.heavy_utilization)), published = 0.75, margin = 0.075, verdict = "reproduces" }
claim { source = uncertain.source .. ", Figure 7.4",
        says = "under heavy load the worst case uses far less than feedback, and that less than who knows the costs",
        holds = worst.heavy_utilization < feedback.heavy_utilization - 0.15
          and feedback.heavy_utilization < ideal.heavy_utilization,
        found = ("%s, %s, %s"):format(percent(worst.heavy_utilization), percent(feedback.heavy_utilization),
          percent(ideal.heavy_utilization)),
        verdict = "reproduces" }
