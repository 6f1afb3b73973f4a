-- page.lua: Markdown from a report of the benchmarks, for `./dev bench --page`. It shows ratios and exponents, and no
-- time of any machine.
--
--   perigee run tests/bench/page.lua --data FOLDER --set report=FOLDER/report.json
--
-- The report is JSON of Google Benchmark with all repetitions. A benchmark that grows (tests/bench/growth.h) has a row
-- in the first table. One with counters `times_NAME` has a row for each of them in the second; its label says what the
-- counters compare with, as in "times_NAME = ...; ...". Others are named below the tables.
local report = json.read(setting("report", "report.json"))

local function median(list)
  return stats.quantile(list, 0.5)
end

local function number(x)
  return x >= 99.5 and string.format("%.0f", x) or string.format("%.3g", x)
end

local function range(list)
  table.sort(list)
  return number(list[1]) .. " to " .. number(list[#list])
end

-- Without what Google Benchmark adds to a name about its own settings.
local function plain(name)
  return (name:gsub("/iterations:%d+", ""):gsub("/repeats:%d+", ""):gsub("/manual_time", ""):gsub("/real_time", ""))
end

local function trimmed(text)
  return text:match("^%s*(.-)%s*$")
end

-- The parts of a label between bars.
local function parts(label)
  local out = {}
  for part in (label .. "|"):gmatch("([^|]*)|") do out[#out + 1] = trimmed(part) end
  return out
end

-- The benchmarks in the order of the report, each with the list of its repetitions.
local benchmarks, by_name = {}, {}
for _, entry in ipairs(report.benchmarks) do
  if entry.run_type == "iteration" then
    local name = plain(entry.run_name)
    if not by_name[name] then
      by_name[name] = { name = name, runs = {} }
      benchmarks[#benchmarks + 1] = by_name[name]
    end
    local one = by_name[name]
    if entry.error_occurred then one.failed = true else table.insert(one.runs, entry) end
  end
end

local grown, compared, others, failed = {}, {}, {}, {}
for _, one in ipairs(benchmarks) do
  local first = one.runs[1]
  local counters = {}
  for field, value in pairs(first or {}) do
    if field:match("^times_") and type(value) == "number" then counters[#counters + 1] = field end
  end
  table.sort(counters)
  if one.failed then failed[#failed + 1] = "`" .. one.name .. "`" end
  if first and first.exponent then
    local text = parts(first.label)
    grown[#grown + 1] = string.format("| `%s` | %s | %s | %s | %s to %s | %s | %s | %.2f | %.2f |", one.name, text[1], text[2],
      number(first.times_floor), number(first.times_floor_least), number(first.times_floor_most), text[3], text[4],
      first.exponent, first.floor_exponent)
  elseif #counters > 0 then
    for _, counter in ipairs(counters) do
      local values = {}
      for _, run in ipairs(one.runs) do values[#values + 1] = run[counter] end
      local against
      for name, text in (first.label or ""):gmatch("(times_[%w_]+) = ([^;]+)") do
        if name == counter then against = trimmed(text) end
      end
      if against and counter:match("^times_faster_than_") then against = "faster than this: " .. against end
      compared[#compared + 1] = string.format("| `%s` | %s | %s | %s |", one.name, against or "`" .. counter .. "`",
        number(median(values)), range(values))
    end
  elseif not one.failed then
    others[#others + 1] = "`" .. one.name .. "`"
  end
end

print [[
# Speed, as measured

Written by `./dev bench --page`. All numbers are ratios, exponents or sizes: they compare what ran side by side in one
program, and no time of a machine is among them. How to read this page, and what the rows teach, is in `docs/speed.md` of
the sources. `./dev bench --benchmark_filter='^NAME$'` repeats a row, with times.
]]
if #grown > 0 then
  print "## Growth\n"
  print("Each row was run at three sizes. `times` is the median of its ratio to the floor at the largest of them, with the "
    .. "least and the largest. `exponent` is the slope through the logarithms of the medians: 1 is linear, 2 quadratic.\n")
  print "| row | measured | floor | times | least to most | sizes | over the first | exponent | of the floor |"
  print "|---|---|---|---|---|---|---|---|---|"
  for _, row in ipairs(grown) do print(row) end
  print ""
end
if #compared > 0 then
  print "## Beside a floor or a textbook\n"
  print "| row | against | times | least to most |"
  print "|---|---|---|---|"
  for _, row in ipairs(compared) do print(row) end
  print ""
end
if #others > 0 then print("Without anything to compare with: " .. table.concat(others, ", ") .. ".\n") end
if #failed > 0 then print("Missed a goal of theirs: " .. table.concat(failed, ", ") .. ".\n") end
