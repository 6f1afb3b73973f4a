-- Figure 11 of Berman, Casanova, Zagorodnov and Legrand (1999): randomised heuristics against those that are not.
-- takes: seconds
-- test: thorough
-- perigee run scripts/pst/figure11_random.lua --out results
--   --set full=true     two sizes, plans of ten tasks a host, one plan for the largest files, ten applications

local figure11 = require "figure11_scenario"
local studies = require "studies"
local verdicts = require "verdicts"
require "statements"
local full = setting("full", false)
local maps = full and { "min_min", "max_min", "sufferage", "extended_sufferage" } or { "min_min", "sufferage" }
local sizes = full and { 600, 9600 } or { 600 }
local counts = { ["one plan"] = 0, ["10 a host"] = 10 }
local modes = full and { "10 a host", "one plan" } or { "one plan" }

local e = experiment "figure 11, random" {
  factors = { { "mode", modes }, { "size", sizes }, { "map", maps }, { "random", { "no", "0.01" } } },
  where = function(f) return not full or f.mode == "10 a host" or f.size == 9600 end,
  replications = setting("replications", full and 10 or 2),
  run = function(f, seed)
    return figure11.scenario(f.size * 1000, seed):run { policy = planner { map = f.map, random = tonumber(f.random), count = counts[f.mode] } }
  end,
  measure = { "makespan", "shared_sends" },
}
-- end of experiment

for _, mode in ipairs(modes) do
  for _, size in ipairs(sizes) do
    if full and mode == "one plan" and size < 9600 then goto continue end
    print(("%s, %d KB: makespan, s; candidates within no or 1 %% of the best"):format(mode, size))
    studies.print(e, "makespan", "map", "random", nil, function(row) return row.size == size and row.mode == mode end)
    ::continue::
  end
end
studies.plot(e, { x = "map", y = "makespan", by = "random", kind = "bars", file = "figure11_random" },
             function(row) return row.size == sizes[#sizes] and row.mode == "one plan" end)
print ""

local of = {}
for _, row in ipairs(e:rows()) do
  local key = row.mode .. row.size .. row.map .. row.random
  of[key] = of[key] or {}
  of[key][row.replication] = row.makespan
end
-- How much longer the randomised heuristics take, %, at each size of a mode.
local function judged(mode)
  local list, apart, parts = {}, 0, {}
  for _, map in ipairs(maps) do
    local least, most = math.huge, -math.huge
    for _, size in ipairs(sizes) do
      local a, b, values = of[mode .. size .. map .. "0.01"], of[mode .. size .. map .. "no"], {}
      if a then
        for i in ipairs(a) do values[i] = 100 * (a[i] / b[i] - 1) end
        list[#list + 1] = { name = ("%s %s"):format(map, size), values = values }
        local s = stats.interval(values)
        least, most = math.min(least, s.mean), math.max(most, s.mean)
        if s.low > 1 or s.high < -1 then apart = apart + 1 end
      end
    end
    parts[#parts + 1] = ("%s %+.1f to %+.1f %%"):format(map, least, most)
  end
  local v = verdicts.alike(list, 1)
  v.brief = ("%s; beyond the intervals apart by more than 1 %% in %d of %d cases"):format(table.concat(parts, ", "), apart, #list)
  return v
end
local one = judged "one plan"
local first = full and judged "10 a host" or one
local holds = first.holds
if not full then holds = "not decided" end  -- too few applications
claim { statement = "S3-129", verdict = "does not reproduce", holds = holds,
        found = full and ("plans of ten tasks a host: %s; one plan: %s"):format(first.brief, one.brief) or "one plan: " .. one.brief,
        note = "drawn within 1 % of the best, which is not published; identical: within 1 %; the verdict rests on plans of ten tasks a host" }
