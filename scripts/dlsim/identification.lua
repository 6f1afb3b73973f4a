-- Section 7.2.3 of Mamat (2011): how the miss ratio answers to the bound, and gains that put the poles of the loop.
-- takes: a second
-- perigee run scripts/dlsim/identification.lua
--   --set periods=180   sampling periods of the identification
--   --set pole1=0.5 --set pole2=0     of the closed loop

local uncertain = require "uncertain"
local periods = setting("periods", 400)
local pole1, pole2 = setting("pole1", 0.5), setting("pole2", 0.0)
expect(periods >= 20 and periods % 1 == 0, "periods: a whole number, 20 or more")

-- The bound is drawn from { 0.5, 1.1 } for each period, and what the miss ratio then is gives the model of equation 7.3,
-- of first order and around its point of operation: MR(k) = a MR(k - 1) + b U(k) + c.
local levels = {}
for k = 1, periods + 1 do levels[k] = math.random() < 0.5 and 0.5 or 1.1 end
local s = uncertain.scenario { periods = periods, load = 1 }
local r = s:run { policy = feedback { bound = function(period) return levels[period] or 1 end }, information = "declared" }
local series, points, ratios = uncertain.periods(r), {}, {}
for k = 2, #series do
  local now, before = series[k], series[k - 1]
  if now.resolved > 0 and before.resolved > 0 then
    points[#points + 1] = { before.misses / before.resolved, now.bound, 1 }
    ratios[#ratios + 1] = now.misses / now.resolved
  end
end
local a, b, c = table.unpack(stats.fit.terms(points, ratios))
print(("%d periods: MR(k) = %.3f MR(k - 1) + %.3f U(k) %+.3f"):format(#points, a, b, c))

-- The loop of b / (z - a) and the controller ((Kp + Ki) z - Kp) / (z - 1) has the characteristic polynomial
-- z^2 + (b (Kp + Ki) - 1 - a) z + (a - b Kp).
local function poles(proportional, integral)
  local half, product = -(b * (proportional + integral) - 1 - a) / 2, a - b * proportional
  local under = half * half - product
  if under < 0 then return { math.sqrt(product) } end  -- the size of both, conjugate
  return { half + math.sqrt(under), half - math.sqrt(under) }
end
local function stable(list)
  for _, pole in ipairs(list) do if math.abs(pole) >= 1 then return false end end
  return true
end
local proportional, integral = (a - pole1 * pole2) / b, (1 - pole1) * (1 - pole2) / b

local found = {}
for _, gains in ipairs { { "default", 0.2, 0.6 }, { ("poles at %g and %g"):format(pole1, pole2), math.max(proportional, 0), integral } } do
  local name, p, i = table.unpack(gains)
  local run = s:run { policy = feedback { proportional = p, integral = i }, information = "declared" }
  local later = uncertain.over(uncertain.periods(run), periods // 2 + 1, periods)
  found[#found + 1] = { stable = stable(poles(p, i)), miss_ratio = later.miss_ratio }
  local where = {}
  for _, pole in ipairs(poles(p, i)) do where[#where + 1] = ("%.2f"):format(pole) end
  print(("%-20s proportional %5.2f, integral %5.2f: poles %s; in the second half a miss ratio of %.3f, a bound of %.2f"):format(
    name, p, i, table.concat(where, ", "), later.miss_ratio, later.bound))
end

claim { source = uncertain.source .. ", section 7.2.3",
        says = "a controller whose loop is stable by the identified model brings the miss ratio to its set point",
        holds = found[1].stable and found[2].stable and math.abs(found[1].miss_ratio - 0.05) < 0.015
          and math.abs(found[2].miss_ratio - 0.05) < 0.015,
        found = ("5 %% is the set point, %.1f %% and %.1f %% with other gains"):format(100 * found[1].miss_ratio, 100 * found[2].miss_ratio),
        verdict = "reproduces" }
expect(b > 0, "a higher bound means more misses")
