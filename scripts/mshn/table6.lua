-- Tables 6 and 7 and Figure 15 of Breitinger (1999): the best group at other loads, and the parabola through it.
-- takes: half a minute
-- perigee run scripts/mshn/table6.lua --out results
--   --set replications=30
-- test: --set replications=2

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications = settings.number("replications", 30, 1, 1000)

-- Mean time between arrivals (s); group sizes and the published mean times in system (ms), false where there is none; the
-- published best. By equation 6 the first and the last load are outside of where groups pay.
local loads = {
  { tau = advisor.tau(1.45), best = 1, sizes = { 1, 3, 5, 7, 10, 15 } },
  { tau = 0.050, best = 5, sizes = { 1, 3, 4, 5, 6, 7, 8, 10, 15 },
  published = { false, 9067, 9102, 8958, 9041, 8985, 8993, 9077, 9309 } },
  { tau = 0.053, best = 14, sizes = { 1, 10, 12, 13, 14, 15, 17, 20 },
  published = { false, 6835, 6751, 6584, 6303, 6538, 6787, 7310 } },
  { tau = 0.067, best = 17, sizes = { 1, 13, 15, 17, 19, 21 }, published = { 3196, 2104, 1885, 1872, 1971, 2065 } },
  { tau = 0.089, best = 11, sizes = { 1, 5, 8, 10, 11, 12, 15, 20 },
  published = { 1691, 1650, 1564, 1547, 1533, 1544, 1592, 1911 } },
  { tau = 0.100, best = 7, sizes = { 1, 3, 5, 6, 7, 8, 10, 15 },
  published = { 1479, 1493, 1483, 1454, 1447, 1455, 1495, 1628 } },
  { tau = advisor.tau(0.55), best = 1, sizes = { 1, 3, 5, 7, 10, 15 } },
}

print(("Mean time in system, ms; 95 %% intervals, n = %d; differences by pairs; * the least of its column"):format(replications))
for _, load in ipairs(loads) do
  load.rho = advisor.load(load.tau)
  local s = advisor.scenario { tau = load.tau }
  local e = experiment(("mshn_load_%.0f"):format(1000 * load.rho)) {
    factors = { { "size", load.sizes }, { "ready", { "zero", "aware" } } },
    replications = replications,
    run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready), seed) end,
    measure = { "mean_response" },
  }
  local found = e:table("mean_response")
  local zero, aware = studies.by(found, "size", { ready = "zero" }), studies.by(found, "size", { ready = "aware" })
  load.against = studies.by(e:compare("mean_response", { factor = "size", baseline = load.best }), "size", { ready = "zero" })
  load.found, load.gain = studies.best(zero, "mean_response"), 1 - zero[studies.best(zero, "mean_response")].mean_response / zero[1].mean_response
  local best_aware, squares, n = studies.best(aware, "mean_response"), 0, 0
  load.outside = 0
  print(("\nA load of %.3f: %.4g ms between arrivals"):format(load.rho, 1e3 * load.tau))
  print((" size  published    zero readiness    - that of %2d     aware readiness"):format(load.best))
  for i, size in ipairs(load.sizes) do
    local published = load.published and load.published[i]
    print(("%5d %10s   %s%s  %15s   %s%s"):format(size, published or "-", advisor.mean_ms(zero[size]), size == load.found and "*" or " ",
          load.against[size] and advisor.difference_ms(load.against[size]) or "", advisor.mean_ms(aware[size]),
          size == best_aware and "*" or " "))
    if published then
      squares, n = squares + (1e3 * zero[size].mean_response / published - 1) ^ 2, n + 1
      if not studies.agrees(studies.values(e, "mean_response", { size = size, ready = "zero" }), published / 1e3) then load.outside = load.outside + 1 end
    end
  end
  load.rms = math.sqrt(squares / n)
end

-- Table 7: load and best group; equation 6 is its parabola, rounded.
local rho, best = {}, {}
for i, point in ipairs { { 0.67, 7 }, { 0.75, 11 }, { 0.995, 17 }, { 1.25, 14 }, { 1.33, 5 } } do rho[i], best[i] = point[1], point[2] end
local parabola = stats.fit.quadratic(rho, best)
local c = parabola.coefficients
print(("\nTable 7: best group = %.3f rho^2 + %.3f rho - %.3f, R^2 = %.4f; published -104 rho^2 + 208 rho - 86"):format(c[3], c[2], -c[1],
      parabola.r_squared))
-- Where it is 1.
local function ones(a, b, c)
  local root = math.sqrt(b * b - 4 * a * (c - 1))
  return (-b + root) / (2 * a), (-b - root) / (2 * a)
end
local low, high = ones(c[3], c[2], c[1])
print(("It is 1 at loads of %.4f and %.4f, as rounded at %.4f and %.4f; published 0.597 and 1.403"):format(low, high, ones(-104, 208, -86)))
print "\n load  published  here   the best takes off groups of 1"
for _, load in ipairs(loads) do
  print(("%5.3f %10d %5d %12.1f %%"):format(load.rho, load.best, load.found, 100 * load.gain))
end

local ours = {}
for i, x in ipairs(rho) do ours[i] = { load = x, best = best[i], of = "Table 7" } end
for _, load in ipairs(loads) do ours[#ours + 1] = { load = load.rho, best = load.found, of = "here" } end
for x = 0.6, 1.4001, 0.05 do ours[#ours + 1] = { load = x, best = parabola:predict(x), of = "parabola of Table 7" } end
plot(ours, { x = "load", y = "best", by = "of", kind = "points", file = "table7", y_label = "best group size",
             title = "Best group by load (Figure 15)" })

claim { source = advisor.source .. ", equation 6", says = "the best group is -104 rho^2 + 208 rho - 86 by Table 7",
        holds = math.abs(c[3] + 103.784) < 0.0005 and math.abs(c[2] - 207.844) < 0.0005 and math.abs(c[1] + 86.144) < 0.0005,
        found = ("%.3f, %.3f, %.3f"):format(c[3], c[2], c[1]), verdict = "reproduces" }
claim { source = advisor.source .. ", section VI.D",
        says = "by equation 6 groups pay at loads above 0.597", value = advisor.rounded(1e3 * low) / 1e3,
        published = 0.597, within = "0.5 %", verdict = "reproduces" }
claim { source = advisor.source .. ", section VI.D",
        says = "by equation 6 groups pay at loads below 1.403", value = advisor.rounded(1e3 * high) / 1e3,
        published = 1.403, within = "0.5 %", verdict = "reproduces" }

-- Overload has the widest spread: the published best there against 10, in more replications.
local overload = advisor.scenario { tau = 0.050 }
local sharper = experiment "mshn_overload" {
  factors = { { "size", { 5, 10 } } },
  replications = 5 * replications,
  run = function(f, seed) return advisor.run(overload, advisor.policy(f.size), seed) end,
  measure = { "mean_response" },
}:compare("mean_response", { factor = "size", baseline = 5 })[1]
print(("\nLoad 1.333, groups of 10 - groups of 5 in %d replications: %s ms"):format(sharper.n, advisor.difference_ms(sharper)))

if replications >= 30 then
  -- A best group is one where no other of the published sizes is lower beyond chance.
  local largest
  for _, load in ipairs(loads) do
    local better, as_good = {}, {}
    for size, row in pairs(load.against) do
      local text = ("%d (%+.0f +- %.0f ms)"):format(size, 1e3 * row.difference, 1e3 * row.difference_half_width)
      if row.verdict == "lower" then better[#better + 1] = text end
      if row.verdict == "not distinguishable" then as_good[#as_good + 1] = text end
    end
    if load.best == 5 and sharper.verdict == "lower" then
      better = { ("10 (%+.0f +- %.0f ms in %d replications)"):format(1e3 * sharper.difference, 1e3 * sharper.difference_half_width, sharper.n) }
    end
    local at = ("at a load of %.3g "):format(load.rho)
    claim { source = advisor.source .. (load.published and ", Table 7" or ", section VI.D"),
            says = at .. (load.best == 1 and "jobs are best mapped one by one" or ("the best group has %d jobs"):format(load.best)),
            holds = #better == 0,
            found = #better > 0 and "lower beyond chance: " .. table.concat(better, ", ")
              or "no other is lower beyond chance" .. (#as_good > 0 and "; as good: " .. table.concat(as_good, ", ") or ""),
            verdict = load.tau == 0.050 and "does not reproduce" or "reproduces" }
    if load.published and load.tau ~= 0.067 then
      claim { source = advisor.source .. ", Table 6", says = at .. "the mean times in system",
              holds = load.outside == 0,
              found = ("relative differences of %.1f %% (root mean square); %d beyond three standard errors"):format(
                100 * load.rms, load.outside),
              verdict = "reproduces" }
    end
    if not largest or load.gain > largest.gain then largest = load end
  end
  claim { source = advisor.source .. ", section VI.D", says = "groups gain most at a load near 1", holds = largest.tau == 0.067,
          found = ("%.0f %% at a load of %.3f"):format(100 * largest.gain, largest.rho), verdict = "reproduces" }
end
