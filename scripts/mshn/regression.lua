-- The curves of Breitinger (1999) through his own tables: Figures 13 to 15, equation 6 and what is read off them.
-- takes: a moment
-- perigee run scripts/mshn/regression.lua --out results

require "statements"

local advisor = require "advisor"

-- ---- the fits themselves ----

-- Least squares by the normal equations, as a check of stats.fit: coefficients of 1, x, x^2, ...; and R^2 = 1 - SS_res / SS_tot.
local function polynomial(x, y, degree)
  local n, a = degree + 1, {}
  for i = 1, n do
    a[i] = {}
    for j = 1, n + 1 do a[i][j] = 0 end
    for k = 1, #x do
      for j = 1, n do a[i][j] = a[i][j] + x[k] ^ (i + j - 2) end
      a[i][n + 1] = a[i][n + 1] + y[k] * x[k] ^ (i - 1)
    end
  end
  for i = 1, n do
    local pivot = i
    for k = i + 1, n do if math.abs(a[k][i]) > math.abs(a[pivot][i]) then pivot = k end end
    a[i], a[pivot] = a[pivot], a[i]
    for k = 1, n do
      local factor = k ~= i and a[k][i] / a[i][i] or 0
      for j = i, n + 1 do a[k][j] = a[k][j] - factor * a[i][j] end
    end
  end
  local c = {}
  for i = 1, n do c[i] = a[i][n + 1] / a[i][i] end
  return c
end
local function explained(y, predicted)
  local mean, residual, total = stats.summary(y).mean, 0, 0
  for i = 1, #y do residual, total = residual + (y[i] - predicted[i]) ^ 2, total + (y[i] - mean) ^ 2 end
  return 1 - residual / total
end

-- Drawn data about curves that are known: the fits are those of the normal equations, and R^2 is the explained share.
local rng, sets, agree, close, exact = stream("data", 1), 300, 0, 0, 0
for set = 1, sets do
  local n, x, y, log_y, exponential = rng:integer(4, 30), {}, {}, {}, {}
  local a, b, c = rng:uniform(50, 100), rng:uniform(-2, 2), rng:uniform(0, 0.2)
  for i = 1, n do
    x[i] = i
    y[i] = a + b * i + c * i * i + rng:normal(0, 3)
    log_y[i] = math.log(y[i])
    exponential[i] = a * math.exp(-0.05 * i)
  end
  local worst = 0
  for degree, fit in ipairs { stats.fit.linear(x, y), stats.fit.quadratic(x, y) } do
    local own, predicted = polynomial(x, y, degree), {}
    for i = 1, n do
      predicted[i] = 0
      for k = 1, #own do predicted[i] = predicted[i] + own[k] * x[i] ^ (k - 1) end
      worst = math.max(worst, math.abs(fit:predict(x[i]) / predicted[i] - 1))
    end
    worst = math.max(worst, math.abs(fit.r_squared - explained(y, predicted)))
  end
  local own, fit, predicted = polynomial(x, log_y, 1), stats.fit.exponential(x, y), {}
  for i = 1, n do
    predicted[i] = math.exp(own[1] + own[2] * x[i])
    worst = math.max(worst, math.abs(fit:predict(x[i]) / predicted[i] - 1))
  end
  worst = math.max(worst, math.abs(fit.r_squared - explained(y, predicted)))
  if worst < 1e-6 then agree = agree + 1 end
  local known = stats.fit.exponential(x, exponential)
  if math.abs(known.coefficients[1] / a - 1) < 1e-9 and math.abs(known.coefficients[2] + 0.05) < 1e-9 then exact = exact + 1 end
  local sum = 0
  for i = 1, n do sum = sum + y[i] end
  if math.abs(stats.summary(y).mean - sum / n) < 1e-9 then close = close + 1 end
end
claim { statement = "S4-78", verdict = "reproduces", holds = agree == sets and close == sets and exact == sets,
        found = ("line, exponential, parabola and R^2 are those of a calculation by the normal equations for %d of %d drawn data sets, means " ..
                 "are the " ..
                 "sum over the number for %d; an exponential without noise is found again in %d"):format(agree, sets, close, exact),
        note = "an exponential is fitted to the logarithms; the publication does not say how Excel and Minitab did it" }

-- ---- Figures 13 and 14: Table 2 up to 17 jobs and from 17 on ----

local function part(from, to)
  local x, y = {}, {}
  for size = from, to, 2 do x[#x + 1], y[#y + 1] = size, advisor.table2[size] end
  return x, y
end
-- The corrected criterion of Akaike: with `parameters` coefficients and the variance of the residuals; less is better.
local function aicc(y, r_squared, parameters)
  local n, k, mean, total = #y, parameters + 1, stats.summary(y).mean, 0
  for i = 1, n do total = total + (y[i] - mean) ^ 2 end
  return n * math.log((1 - r_squared) * total / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1)
end
local function curves(from, to)
  local x, y = part(from, to)
  local list = { { "line", stats.fit.linear(x, y), 2 }, { "exponential", stats.fit.exponential(x, y), 2 }, { "parabola", stats.fit.quadratic(x,
      y), 3 } }
  local best, best_aicc, least, most, text = nil, nil, math.huge, -math.huge, {}
  print(("Table 2, %d to %d jobs"):format(from, to))
  for i, one in ipairs(list) do
    local criterion = aicc(y, one[2].r_squared, one[3])
    print(("  %-12s %s, AICc %.1f"):format(one[1], tostring(one[2]), criterion))
    if one[2].r_squared > most then best, most = one[1], one[2].r_squared end
    if criterion < least then best_aicc, least = one[1], criterion end
    text[i] = ("%s %.4f"):format(one[1], one[2].r_squared)
  end
  return best, best_aicc, table.concat(text, ", "), list
end
local measure = "it rests on R^2, the publication's measure (VI.C), and the three curves that it names; AICc also counts coefficients, of " ..
                "which the parabola has one more; the published R^2 is in a picture"
local best, best_aicc, text, left = curves(1, 17)
claim { statement = "S4-72", verdict = "source in error", holds = best == "exponential",
        found = ("R^2 of Table 2: %s; the best by R^2 is the %s, by AICc the %s"):format(text, best, best_aicc), note = measure }
local right
best, best_aicc, text, right = curves(17, 51)
claim { statement = "S4-73", verdict = "source in error", holds = best == "line",
        found = ("R^2 of Table 2: %s; the best by R^2 is the %s, by AICc the %s"):format(text, best, best_aicc), note = measure }
-- The curve that each passage names for the two figures.
local figures = { { "13", "exponential", "line", left }, { "14", "line", "exponential", right } }
local alike, better = 0, {}
for i, figure in ipairs(figures) do
  if figure[2] == figure[3] then alike = alike + 1 end
  local of = { line = figure[4][1][2].r_squared, exponential = figure[4][2][2].r_squared }
  better[i] = ("Figure %s: %s (V.D) %.4f, %s (VI.C) %.4f"):format(figure[1], figure[2], of[figure[2]], figure[3], of[figure[3]])
end
claim { statement = "S4-77", verdict = "source in error", holds = alike == #figures,
        found = ("V.D and VI.C agree in %d of %d figures; R^2 of the data of %s"):format(alike, #figures, table.concat(better, "; ")),
        note = "the pictures have it as V.D" }

-- ---- Table 7 and equation 6 ----

local table7 = { { 0.67, 7 }, { 0.75, 11 }, { 0.995, 17 }, { 1.25, 14 }, { 1.33, 5 } }
local rho, sizes = {}, {}
for i, point in ipairs(table7) do rho[i], sizes[i] = point[1], point[2] end
local parabola = stats.fit.quadratic(rho, sizes)
local c = parabola.coefficients
print(("\nTable 7: best group = %.3f rho^2 + %.3f rho - %.3f, R^2 = %.4f; published -104 rho^2 + 208 rho - 86"):format(c[3], c[2], -c[1],
      parabola.r_squared))
local function equation6(x) return -104 * x * x + 208 * x - 86 end
local function whole(x) return math.floor(x + 0.5) end
claim { statement = "S4-90", verdict = "reproduces", holds = whole(c[3]) == -104 and whole(c[2]) == 208 and whole(c[1]) == -86,
        found = ("least squares give coefficients of %.3f, %.3f and %.3f, with R^2 = %.3f"):format(c[3], c[2], c[1], parabola.r_squared),
        note = "the published R^2 is in a picture" }
local same, values = 0, {}
for i, point in ipairs(table7) do
  values[i] = ("%.1f for %d"):format(equation6(point[1]), point[2])
  if whole(equation6(point[1])) == point[2] then same = same + 1 end
end
claim { statement = "S4-92", verdict = "source in error", holds = same == #table7,
        found = ("rounded, equation 6 gives the size of Table 7 at %d of %d loads: %s"):format(same, #table7, table.concat(values, ", ")),
        note = "the text calls it the best-fitting curve (S4-90), which leaves residuals, and then takes it for the best size" }

-- Where a parabola of size by load is 1.
local function ones(quadratic, linear, constant)
  local root = math.sqrt(linear * linear - 4 * quadratic * (constant - 1))
  return (-linear + root) / (2 * quadratic), (-linear - root) / (2 * quadratic)
end
local low, high = ones(-104, 208, -86)
local low_fit, high_fit = ones(c[3], c[2], c[1])
print(("It is 1 at loads of %.4f and %.4f, as rounded at %.4f and %.4f; published 0.597 and 1.403"):format(low_fit, high_fit, low, high))
local function thousandths(x) return whole(1000 * x) end
claim { statement = "S4-93", verdict = "source in error", holds = thousandths(low) == 597 and thousandths(high) == 1403,
        found = ("G is 1 at %.4f and %.4f by the printed equation, at %.4f and %.4f by the fit before it is rounded"):format(low, high, low_fit,
                high_fit),
        note = "wrong by one or two thousandths only; it rests on the printed equation and the three printed decimals" }
-- The constant that the printed ends ask for, from each of them.
local from_low, from_high = 1 + 104 * 0.597 ^ 2 - 208 * 0.597, 1 + 104 * 1.403 ^ 2 - 208 * 1.403
local low_by, high_by = ones(-104, 208, math.floor(10 * from_low + 0.5) / 10)
claim { statement = "S4-94", verdict = "source in error", holds = whole(100 * from_low) == -8600 and whole(100 * from_high) == -8600,
        found = ("G = 1 at 0.597 asks for a constant of %.2f, at 1.403 for one of %.2f; with %.1f the ends are %.4f and %.4f, with -86 they are " ..
                 "%.4f " ..
                 "and %.4f"):format(from_low, from_high, from_low, low_by, high_by, low, high),
        note = "arithmetic of the publication's numbers, no run decides it" }

-- ---- loads ----

local function load(tau, s, machines) return s / (machines * tau) end
local exact_load = load(53, 1000, 15)
claim { statement = "S4-83", verdict = "source in error", holds = whole(100 * exact_load) == 125,
        found = ("s / (M tau) = 1000 / (15 x 53) = %.4f"):format(exact_load),
        note = "arithmetic of the publication's numbers, no run decides it; Table 6 has no groups of 1 at either overload; equation6.lua has them" }
-- A parabola through points needs three different loads; one interarrival time, number of machines and mean time make one.
local loads, n = {}, 0
for _, tau in ipairs { 67 } do loads[#loads + 1] = load(tau, 1000, 15) end
for _ in ipairs(table7) do n = n + 1 end
claim { statement = "S4-100", verdict = "source in error", holds = #loads >= 3,
        found = ("the scenario of VII.A has %d load, %.3f; equation 6 has %d coefficients and comes from the %d loads of Table 7"):format(#loads,
                loads[1], #c, n), note = "read in the text, no run decides it" }

local points = {}
for i, x in ipairs(rho) do points[i] = { load = x, best = sizes[i], of = "Table 7" } end
for x = 0.6, 1.4001, 0.05 do points[#points + 1] = { load = x, best = equation6(x), of = "equation 6" } end
plot(points, { x = "load", y = "best", by = "of", kind = "points", file = "table7", y_label = "best group size",
               title = "Best group by load (Figure 15)" })
