-- Judgement by intervals of a statement, "always", "mostly", "alike": the fields `holds` and `found` of a claim.
-- A point is a case of the statement: { name = "load 0.1", values = { ... } }, with the paired difference of each replication; of a case without
-- chance { name =, values = { x }, exact = true }.
--
-- Points are decided together by the procedure of Holm (1979), each by its interval: while m points with chance are undecided, at a level of
-- 1 - 0.05 / m. Then no more than 5 % of families have a point that is decided wrongly.
-- - `always` and `mostly` ask of each point on which side of the margin its mean lies: a two-sided test whose answer is a side.
--   Holm's bound is for answers about means that lie on the margin. Shaffer (1980) has it for wrong sides where points are
--   independent. Points that share their draws are simulated by tests/lua/verdicts_rates.lua. `always` is true when all points are
--   decided right, and false when one is decided wrong, so either is false in no more than 5 % of families. For "true" alone the plain
--   level would be enough, but `found` counts points on both sides.
-- - `alike` is false when one point is outside, which needs Holm's levels, whose bound then holds however points depend on each other. It is true when all
--   are inside, which needs no correction: a false "true" needs a wrong answer about one given point, the one that is outside (Berger 1982).
-- S. Holm, Scandinavian Journal of Statistics 6, 1979, 65-70; J. P. Shaffer, Annals of Statistics 8, 1980, 1342-1347; R. L. Berger, Technometrics 24, 1982, 295-300.
local verdicts = {}

local studies = require "studies"

local function without_holes(list, call)
  local n = 0
  for _ in pairs(list) do n = n + 1 end
  if n ~= #list then error(("%s: the list has a hole or a field with a name"):format(call), 4) end
end

-- Whether all values of a point are one, and it is known that chance has no part in that: it is exact, or drawn more than once.
local function is_fixed(point)
  for _, value in ipairs(point.values) do
    if value ~= point.values[1] then return false end
  end
  return point.exact or #point.values > 1
end

-- The points in the order given, with their plain 95 % intervals; what they must not be is an error at the line that calls `call`.
local function checked(call, points)
  without_holes(points, call)
  local all = {}
  for i, point in ipairs(points) do
    local name = tostring(type(point) == "table" and point.name or i)
    local function refuse(text, ...) error(("%s: the point '%s' " .. text):format(call, name, ...), 4) end
    if type(point) ~= "table" or point.values == nil then refuse "must be { name =, values = { ... } }" end
    if #point.values == 0 then refuse "has no values" end
    for k, value in ipairs(point.values) do
      if value ~= value then refuse("is NaN in its value %d", k) end
    end
    local fixed = is_fixed(point)
    if point.exact and not fixed then refuse "is exact, but its values differ" end
    local s = stats.interval(point.values)
    all[i] = { name = point.name, values = point.values, exact = point.exact, fixed = fixed, mean = fixed and point.values[1] or s.mean,
               half_width = fixed and 0 or s.half_width }
  end
  return all
end

-- Gives the points their `side`: what `decide` says of the bounds of an interval, nil where that is nothing. All points that m of them
-- allow leave at once, then those that the fewer allow. It is the same as one by one in the order of their p values, and no p value is
-- needed.
local function holm(all, decide)
  local open, before = {}, 0
  for _, point in ipairs(all) do
    if point.exact then point.side = decide(point.mean, point.mean) else open[#open + 1] = point end
  end
  while #open ~= before do
    before = #open
    local left = {}
    for _, point in ipairs(open) do
      if point.fixed then
        point.side = decide(point.mean, point.mean)
      elseif #point.values > 1 then
        local interval = stats.interval(point.values, { confidence = 1 - 0.05 / before })
        point.side = decide(interval.low, interval.high)
      end
      if not point.side then left[#left + 1] = point end
    end
    open = left
  end
end

-- The sides of all points: "lower" or "higher" than `at`, "equal" to it without a deviation, or nil.
local function put_on_sides(all, at)
  holm(all, function(low, high)
    if high < at then return "lower" elseif low > at then return "higher" end
  end)
  for _, point in ipairs(all) do
    if point.fixed and point.mean == at then point.side = "equal" end
  end
end

local function text_of(all, form)
  local parts = {}
  for i, point in ipairs(all) do
    local deviation = point.half_width and (" +- " .. form:gsub("%+", "")):format(point.half_width) or " (one value)"
    parts[i] = (point.name and point.name ~= "" and point.name .. ": " or "") .. form:format(point.mean) .. deviation
  end
  return table.concat(parts, ", ")
end

local function count(all, side)
  local n = 0
  for _, point in ipairs(all) do if point.side == side then n = n + 1 end end
  return n
end

local function contrary_of(call, sense)
  if sense == "lower" then return "higher" elseif sense == "higher" then return "lower" end
  error(("%s: the sense must be 'lower' or 'higher', got '%s'"):format(call, tostring(sense)), 3)
end

local function need_margin(call, margin)
  if type(margin) ~= "number" or not (margin >= 0) then
    error(("%s: the margin must be a number >= 0, got %s"):format(call, tostring(margin)), 3)
  end
end

local function need_counts(call, count, n)
  if not (math.type(count) and math.type(n) and n >= 0 and count >= 0 and count <= n) then
    error(("%s: %s of %s cases: the count must be from 0 to their number"):format(call, tostring(count), tostring(n)), 3)
  end
end

-- The points of an experiment: the difference of a measure between two levels of a factor, for each combination of the others. `where` is
-- a function of a row of e:compare(), or a table of levels, as in studies.points; it leaves out points whose measure is absent on purpose.
function verdicts.points(e, measure, factor, of, minus, where)
  -- Errors of `studies` name a line of this file or none; those of the caller's own functions name theirs.
  local function asked(call, ...)
    local ok, result = pcall(call, ...)
    if ok then return result end
    if type(result) ~= "string" then error(result, 0) end
    local text, here = result:gsub("^stdlib/verdicts%.lua:%d+: ", "")
    error(text, (here > 0 or not text:find "^[^\n]-:%d+: ") and 3 or 0)
  end
  local function need_all(found, name)
    if not found then error(("the point '%s' has a '%s' that is absent or NaN in some replication; `where` leaves out points"):format(name, measure), 3) end
  end
  local found = asked(studies.points, e, measure, factor, of, minus, where)
  local function name_of(row)
    local parts = {}
    for i, name in ipairs(found.others) do parts[i] = ("%s %s"):format(name, tostring(row[name])) end
    return table.concat(parts, ", ")
  end
  for _, row in ipairs(found.absent) do need_all(false, name_of(row)) end
  local points = {}
  for i, row in ipairs(found.rows) do
    local levels = {}
    for _, name in ipairs(found.others) do levels[name] = row[name] end
    levels[factor] = of
    local a = asked(studies.values, e, measure, levels)
    levels[factor] = minus
    local b = asked(studies.values, e, measure, levels)
    need_all(#a == #b and row.n == #a, name_of(row))
    points[i] = { name = name_of(row), values = {} }
    for k = 1, #a do points[i].values[k] = a[k] - b[k] end
  end
  return points
end

-- Holds when every point is on that side, "lower" or "higher", of 0 or of the `margin` (0) beyond it. A point is there when the
-- interval's bound on the other side does not pass the margin. Fails when the whole interval of one is beyond. `form` is that of
-- numbers in the text ("%+.3f").
function verdicts.always(points, sense, margin, form)
  local contrary = contrary_of("verdicts.always", sense)
  margin = margin or 0
  need_margin("verdicts.always", margin)
  local all = checked("verdicts.always", points)
  put_on_sides(all, sense == "lower" and margin or -margin)
  local right, equal, wrong = count(all, sense), count(all, "equal"), count(all, contrary)
  local holds = "not decided"
  if wrong > 0 then holds = false elseif right + equal == #all and #all > 0 then holds = true end
  local counted
  if margin > 0 then
    counted = ("%s or within %g at %d, %s at %d of %d"):format(sense, margin, right + equal, contrary, wrong, #all)
  else
    counted = ("%s at %d, %s at %d%s of %d"):format(sense, right, contrary, wrong, equal > 0 and (", equal at %d"):format(equal) or "", #all)
  end
  return { holds = holds, found = ("%s: %s"):format(counted, text_of(all, form or "%+.3f")) }
end

-- Holds when more than half of the points are on that side; fails when half of them or more are on the other.
function verdicts.mostly(points, sense, form)
  local contrary = contrary_of("verdicts.mostly", sense)
  local all = checked("verdicts.mostly", points)
  put_on_sides(all, 0)
  local right, wrong = count(all, sense), count(all, contrary)
  local holds = "not decided"
  if right * 2 > #all then holds = true elseif wrong * 2 >= #all and #all > 0 then holds = false end
  return { holds = holds, found = ("%s at %d, %s at %d of %d: %s"):format(sense, right, contrary, wrong, #all, text_of(all, form or "%+.3f")) }
end

-- Holds when the 95 % interval of every point lies within the margin about 0; fails when one lies outside as a whole at Holm's level.
function verdicts.alike(points, margin, form)
  need_margin("verdicts.alike", margin)
  local all, inside = checked("verdicts.alike", points), 0
  holm(all, function(low, high) return (low > margin or high < -margin) and "outside" or nil end)
  for _, point in ipairs(all) do
    if point.half_width and math.abs(point.mean) + point.half_width <= margin then inside = inside + 1 end
  end
  local outside = count(all, "outside")
  local holds = "not decided"
  if outside > 0 then holds = false elseif inside == #all and #all > 0 then holds = true end
  return { holds = holds, found = ("within %g at %d, outside at %d of %d: %s"):format(margin, inside, outside, #all, text_of(all, form or "%+.3f")) }
end

-- Holds when it does in each of `n` cases without chance.
function verdicts.cases(count, n)
  need_counts("verdicts.cases", count, n)
  return { holds = n > 0 and count == n or n == 0 and "not decided", found = ("in %d of %d cases"):format(count, n) }
end

-- Holds when the 95 % interval (Wilson 1927) of the share count / n lies above `least` (0.5); fails when it lies below.
function verdicts.share(count, n, least)
  least = least or 0.5
  need_counts("verdicts.share", count, n)
  if type(least) ~= "number" or not (least >= 0 and least <= 1) then
    error(("verdicts.share: the least share must be from 0 to 1, got %s"):format(tostring(least)), 2)
  end
  if n == 0 then return { holds = "not decided", found = "in no case" } end
  local z = 1.959963984540054
  local p = count / n
  local middle = (p + z * z / (2 * n)) / (1 + z * z / n)
  local half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
  local holds = "not decided"
  if middle - half > least then holds = true elseif middle + half < least then holds = false end
  return { holds = holds, found = ("in %d of %d, %.0f %% to %.0f %%"):format(count, n, 100 * (middle - half), 100 * (middle + half)) }
end

-- Holds when all do; fails when one does. Each is { "what it is about", verdict }.
function verdicts.all(list)
  local function check()  -- as deep as in `checked`, for without_holes
    without_holes(list, "verdicts.all")
    for i, each in ipairs(list) do
      if type(each) ~= "table" or each[1] == nil or type(each[2]) ~= "table" or each[2].holds == nil then
        error(("verdicts.all: entry %d must be { \"what it is about\", verdict }"):format(i), 3)
      end
    end
  end
  check()
  local holds, parts = #list > 0 or "not decided", {}
  for i, each in ipairs(list) do
    local name, one = each[1], each[2]
    if one.holds == false then holds = false elseif one.holds ~= true and holds then holds = "not decided" end
    parts[i] = ("%s: %s"):format(name, one.found)
  end
  return { holds = holds, found = table.concat(parts, "; ") }
end

return verdicts
