-- When to map what has collected: by size, by age, by a rule of one's own, again with each group (Breitinger 1999, section V.C).
-- takes: seconds
-- perigee run scripts/mshn/triggers.lua --out results
--   --set replications=30
-- test: --set replications=2

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications = settings.number("replications", 30, 1, 1000)

-- The text maps 17 jobs or what has come in 1139 ms = 17 * 67 ms, whichever is first; its program knows the size alone.
local triggers = {
  { "17 jobs", { size = 17 } },
  { "17 jobs or 1139 ms", { size = 17, timeout = "1139 ms" } },
  { "1139 ms", { size = 1000000, timeout = "1139 ms" } },
  { "an idle machine", { size = 1000000, when = function(problem)
    for m = 1, problem:machines() do
      if problem:ready(m) == 0 then return true end
    end
    return false
  end } },
  { "17 jobs, mapped again", { size = 17, reschedule = true } },
  { "1 job, mapped again", { size = 1, reschedule = true } },
  { "1 job", { size = 1 } },
}
local names, given = {}, {}
for i, trigger in ipairs(triggers) do names[i], given[trigger[1]] = trigger[1], trigger[2] end

local loads, scenarios = { 67, 100 }, {}
for _, tau in ipairs(loads) do scenarios[tau] = advisor.scenario { tau = tau / 1e3 } end
local e = experiment "mshn_triggers" {
  factors = { { "tau", loads }, { "trigger", names }, { "ready", { "zero", "aware" } } },
  -- With zero readiness all machines seem idle.
  where = function(f) return f.ready == "aware" or f.trigger ~= "an idle machine" end,
  replications = replications,
  run = function(f, seed) return advisor.run(scenarios[f.tau], advisor.policy(17, f.ready, given[f.trigger]), seed) end,
  measure = { "mean_response" },
}
local found, compared = e:table("mean_response"), e:compare("mean_response", { factor = "trigger", baseline = "17 jobs" })
for _, tau in ipairs(loads) do
  print(("%d ms between arrivals: mean time in system, ms, n = %d; differences to 17 jobs by pairs"):format(tau, replications))
  print("  trigger                    zero readiness       - 17 jobs   aware readiness       - 17 jobs")
  for _, name in ipairs(names) do
    local line = {}
    for _, ready in ipairs { "zero", "aware" } do
      local row = studies.by(found, "trigger", { tau = tau, ready = ready })[name]
      local difference = studies.by(compared, "trigger", { tau = tau, ready = ready })[name]
      line[#line + 1] = (" %17s %15s"):format(row and advisor.mean_ms(row) or "-", difference and advisor.difference_ms(difference) or "")
    end
    print(("  %-22s"):format(name) .. table.concat(line))
  end
  print ""
end

if replications >= 30 then
  local function text(tau, name, ready)
    local row = studies.by(compared, "trigger", { tau = tau, ready = ready })[name]
    return row, ("%+.0f +- %.0f ms"):format(1e3 * row.difference, 1e3 * row.difference_half_width)
  end
  local at_67, text_67 = text(67, "17 jobs or 1139 ms", "zero")
  local at_100, text_100 = text(100, "17 jobs or 1139 ms", "zero")
  claim { source = advisor.source .. ", section V.C",
          says = "17 jobs or 1139 ms, whichever first, does as 17 jobs at 67 ms (within 2 %), and better at 100 ms",
          holds = math.abs(at_67.difference) < 0.02 * at_67.baseline_mean and at_100.verdict == "lower",
          found = ("%s, %s"):format(text_67, text_100), verdict = "reproduces" }
  local better = {}
  for _, row in ipairs(e:compare("mean_response", { factor = "trigger", baseline = "1 job" })) do
    if row.ready == "aware" and row.verdict == "lower" then better[#better + 1] = row.trigger end
  end
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with aware readiness none of these is better than single jobs",
          holds = #better == 0, found = #better == 0 and "none is, beyond chance" or table.concat(better, ", "),
          verdict = "reproduces" }
  local again, text_again = text(67, "1 job, mapped again", "zero")
  claim { source = advisor.source .. ", section VII.B",
          says = "left open: with zero readiness, to map what still queues again with each job is better than 17 jobs",
          holds = again.verdict == "lower", found = text_again, verdict = "reproduces" }
end
