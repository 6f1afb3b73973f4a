-- IRMaSim thesis, section 5.3: windows of a real log on both 32-node platforms, beside Figures 14 to 21.
-- takes: seconds to minutes, with the size of the groups
-- perigee run scripts/irmasim/real_log.lua --set log=FILE --out results     any log in the Standard Workload Format
--   it says which sentences of the thesis hold on that log; claims are made with the log of the thesis, KIT ForHLR II
--   --set windows=5 --set jobs=500     five runs of 500 consecutive jobs    --set round=100000  submit times, s
-- test: --set log="$(ls "$ROOT"/../shared/data/swf/*.swf.gz 2>/dev/null | head -n 1)" --set windows=2 --set jobs=120

local path, windows, jobs, round = setting("log", ""), setting("windows", 5), setting("jobs", 500), setting("round", 100000)
if path == "" then
  print "which log? pass one with --set log=FILE; that of the thesis (ForHLR II) is not needed, any will do"
  return
end

require "statements"
local logs = require "log-statements"
local platforms = {}
for name, kinds in pairs(logs.tables) do platforms[name] = logs.platform(kinds) end

-- The sentences of the thesis on its own log are claimed of that log alone.
local whole = workload.swf(path, { oversize = "split", ref_rate = 1e9 }).log
if (path .. " " .. tostring(whole.computer)):find "ForHLR" then
  local month = 365.25 / 12 * 86400
  local function between(from, to)
    return #workload.swf(path, { from_time = whole.first_submit + from, to_time = whole.first_submit + to, statuses = { -1, 0, 1, 5 } })
  end
  local all, months = between(0, 1e12), 1
  while months < 120 and between(0, months * month) < all do months = months + 1 end
  local fourth, fifth = between(3 * month, 4 * month), between(4 * month, 5 * month)
  -- Sets of jobs with one rounded submit time, from the fourth month to the fifth.
  local sizes, inside = {}, 0
  for k = math.ceil(3 * month / 1e5), 5 * month // 1e5 do
    sizes[#sizes + 1] = between((k - 0.5) * 1e5, (k + 0.5) * 1e5)
    if sizes[#sizes] >= 100 and sizes[#sizes] <= 300 then inside = inside + 1 end
  end
  local s = stats.summary(sizes)
  local holds = whole.jobs == 114355 and math.abs(months - 18) <= 1 and math.abs((fourth + fifth) / 1500 - 1) < 0.1 and inside == #sizes
  claim { statement = "S1-62", holds = holds, verdict = holds and "reproduces" or "does not reproduce",
          found = ("%d jobs of %d months; %d in the fourth month, %d in the fifth; sets of %g to %g jobs, %d of %d of 100 to 300"):format(whole.jobs,
              months, fourth, fifth,
                  s.min, s.max, inside, #sizes),
          note = "close to is taken as within 10 %, a threshold of ours; from the fourth month to the fifth as both months" }
end

-- Windows of consecutive jobs, spread over the log. The thesis rounds submit times to groups of 100 to 300 jobs.
local total = #workload.swf(path, { oversize = "split", ref_rate = 1e9 })
local size = math.min(jobs, total // windows)
if size < 1 then error(("%s has %d jobs, too few for %d windows"):format(path, total, windows), 0) end
local parts = {}
for i = 1, windows do
  parts[i] = workload.swf(path, { skip = (i - 1) * ((total - size) // math.max(1, windows - 1)), first = size,
                                  round_submit = round, oversize = "split", ref_rate = 1e9 })
end

local names, policy_of = require "policies" (128)
local numbers = {}
for i = 1, windows do numbers[i] = i end

local e = experiment "real_log" {
  factors = { { "platform", { "dist0", "dist1", "dist1_printed" } }, { "policy", names }, { "window", numbers } },
  run = function(f)
    return scenario { platform = platforms[f.platform], workload = parts[f.window] }
      :run { policy = policy_of[f.policy], information = "declared" }
  end,
  measure = function(r)
    local found = logs.measured(r)
    for _, name in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown", "utilization" } do found[name] = r[name] end
    return found
  end,
}

print(("%d windows of %d jobs of %s, submitted together every %g s"):format(windows, size, path, round))
local log = path:match("[^/]*$"):gsub("%.gz$", ""):gsub("%.swf$", "")
local rows, figure = {}, { dist0 = 14, dist1 = 18 }
for _, row in ipairs(e:rows()) do
  rows[row.platform] = rows[row.platform] or {}
  table.insert(rows[row.platform], row)
end
for _, name in ipairs { "dist0", "dist1", "dist1_printed" } do
  print(("\n%s, mean of the windows"):format(name))
  print(("%-17s %10s %10s %10s %10s"):format("policy", "total h", "wait s", "slowdown", "bounded"))
  for _, policy in ipairs(names) do
    local sum = { 0, 0, 0, 0 }
    for _, row in ipairs(rows[name]) do
      if row.policy == policy then
        for i, measure in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" } do
          sum[i] = sum[i] + row[measure] / windows
        end
      end
    end
    print(("%-17s %10.2f %10.1f %10.2f %10.2f"):format(policy, sum[1] / 3600, sum[2], sum[3], sum[4]))
  end
  if figure[name] and windows > 1 then
    local units = { total_time = "h", mean_wait = "s" }  -- as in the thesis
    for i, measure in ipairs { "total_time", "mean_wait", "mean_slowdown", "mean_bounded_slowdown" } do
      plot(rows[name], { x = "policy", y = measure, y_unit = units[measure], kind = "box", text = false,
                         file = "figure" .. figure[name] + i - 1,
                         title = ("%s: %s on %s, as in Figure %d"):format(log, measure:gsub("_", " "), name, figure[name] + i - 1) })
    end
  end
end

-- Each sentence of the thesis about its log, held against this one. Claims are made where it is the log of the thesis, 114,355 jobs of KIT ForHLR II;
-- no verdict rests on it yet, so that a claim says what comes out.
require "statements"
local original = total >= 114355 and path:lower():find "kit" ~= nil
local of = { dist0 = {}, dist1 = {}, dist1_printed = {} }
for _, row in ipairs(e:rows()) do
  local list = of[row.platform][row.policy] or {}
  of[row.platform][row.policy] = list
  list[row.window] = row
end
local heterogeneity = logs.heterogeneity(setting("full", false) and 20 or 1)
local with_32 = logs.evaluate({ [0] = of.dist0, of.dist1 }, heterogeneity)
local with_16 = logs.evaluate({ [0] = of.dist0, of.dist1_printed }, heterogeneity)
print(("\nwhat the thesis says of its log, with %s; platform 1 of 32 nodes as in the text, and of 16 as in Table 5"):format(log))
for i, each in ipairs(with_32) do
  local number, holds, text, note = table.unpack(each)
  print(("%-7s %-5s %-5s %s; with 16 nodes %s"):format(number, holds and "holds" or "no", with_16[i][2] and "holds" or "no", text, with_16[i][3]))
  if original then
    claim { statement = number, holds = holds, verdict = holds and "reproduces" or "does not reproduce", found = text
        .. "; with the 16 nodes of Table 5 " .. with_16[i][3],
            note = (note and note .. ", thresholds of ours; " or "")
              .. "windows are spread over the log, for those of the thesis are not known; the verdict rests on 32 nodes" }
  end
end
