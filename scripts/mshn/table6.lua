-- Tables 6 and 7 and Figure 15 of Breitinger (1999): the best group at other loads, and the parabola through it.
-- takes: seconds
-- perigee run scripts/mshn/table6.lua --out results
--   --set replications=30
-- test: --set replications=2

local advisor = require "advisor"
local replications = setting("replications", 30)

-- Mean time between arrivals (s); group sizes; published mean time in system (ms); the best size.
local loads = {
  { tau = 0.050, sizes = { 3, 4, 5, 6, 7, 8, 10, 15 }, published = { 9067, 9102, 8958, 9041, 8985, 8993, 9077, 9309 }, best = 5 },
  { tau = 0.053, sizes = { 10, 12, 13, 14, 15, 17, 20 }, published = { 6835, 6751, 6584, 6303, 6538, 6787, 7310 }, best = 14 },
  { tau = 0.089, sizes = { 1, 5, 8, 10, 11, 12, 15, 20 }, published = { 1691, 1650, 1564, 1547, 1533, 1544, 1592, 1911 },
    best = 11 },
  { tau = 0.100, sizes = { 1, 3, 5, 6, 7, 8, 10, 15 }, published = { 1479, 1493, 1483, 1454, 1447, 1455, 1495, 1628 }, best = 7 },
}

for _, load in ipairs(loads) do
  local s = advisor.scenario { tau = load.tau }
  local e = experiment(("mshn_tau_%d"):format((1e3 * load.tau + 0.5) // 1)) {
    factors = { { "size", load.sizes }, { "ready", { "zero", "aware" } } },
    replications = replications,
    run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready), seed) end,
    measure = { "mean_response" },
  }
  local found = e:table("mean_response")
  local zero, aware = advisor.by(found, "size", { ready = "zero" }), advisor.by(found, "size", { ready = "aware" })
  local against_best = advisor.by(e:compare("mean_response", { factor = "size", baseline = load.best }), "size", { ready = "zero" })
  local spread = advisor.spread(e)
  print(("\ntau = %g ms, a load of %.3f: mean time in system, ms, with 95 %% intervals"):format(1e3 * load.tau, advisor.load(load.tau)))
  print((" size  published   zero readiness   zero - that of %2d   aware readiness"):format(load.best))
  local squares, outside = 0, 0
  for i, size in ipairs(load.sizes) do
    local z, a, d = zero[size], aware[size], against_best[size]
    local apart = d and ("%8.0f +- %4.0f"):format(1e3 * d.difference, 1e3 * d.difference_half_width) or ("%16s"):format("")
    print(("%5d %10d %8.0f +- %4.0f    %s %9.0f +- %4.0f"):format(size, load.published[i], 1e3 * z.mean_response,
          1e3 * z.mean_response_half_width, apart, 1e3 * a.mean_response, 1e3 * a.mean_response_half_width))
    squares = squares + (1e3 * z.mean_response / load.published[i] - 1) ^ 2
    if not advisor.agrees(spread[size], load.published[i] / 1e3) then outside = outside + 1 end
  end
  load.found = advisor.best(zero)
  load.rms, load.outside, load.against = math.sqrt(squares / #load.sizes), outside, against_best
end

-- Table 7: load and best group; equation 6 is its parabola, rounded.
local rho, best = {}, {}
for i, point in ipairs { { 0.67, 7 }, { 0.75, 11 }, { 0.995, 17 }, { 1.25, 14 }, { 1.33, 5 } } do rho[i], best[i] = point[1], point[2] end
local parabola = stats.fit.quadratic(rho, best)
local c = parabola.coefficients
print(("\nTable 7: best group = %.3f rho^2 + %.3f rho + %.3f, R^2 = %.4f; published -104 rho^2 + 208 rho - 86"):format(c[3], c[2], c[1],
      parabola.r_squared))
print("\n load  published  here")
for _, load in ipairs(loads) do print(("%5.3f %10d %5d"):format(advisor.load(load.tau), load.best, load.found)) end

local ours = {}
for i, x in ipairs(rho) do ours[i] = { load = x, best = best[i], of = "published" } end
for _, load in ipairs(loads) do ours[#ours + 1] = { load = advisor.load(load.tau), best = load.found, of = "here" } end
for x = 0.6, 1.4001, 0.05 do ours[#ours + 1] = { load = x, best = parabola:predict(x), of = "parabola of Table 7" } end
plot(ours, { x = "load", y = "best", by = "of", kind = "points", file = "table7", title = "Best group by load (Figure 15)" })

claim { source = advisor.source .. ", equation 6", says = "the best group is -104 rho^2 + 208 rho - 86 by Table 7",
        holds = math.abs(c[3] + 103.784) < 0.0005 and math.abs(c[2] - 207.844) < 0.0005 and math.abs(c[1] + 86.144) < 0.0005,
        found = ("%.3f, %.3f, %.3f"):format(c[3], c[2], c[1]), verdict = "reproduces" }
if replications >= 30 then
  -- A best group is one where no other of the published sizes is lower beyond chance.
  for _, load in ipairs(loads) do
    local better = {}
    for size, row in pairs(load.against) do
      if row.verdict == "lower" then better[#better + 1] = ("%d (%.0f +- %.0f ms)"):format(size, 1e3 * row.difference,
                                                                                          1e3 * row.difference_half_width) end
    end
    claim { source = ("%s, Table 7, tau = %d ms"):format(advisor.source, (1e3 * load.tau + 0.5) // 1),
            says = ("the best group has %d jobs"):format(load.best), holds = #better == 0,
            found = #better == 0 and ("no other is lower beyond chance; the least mean is at %d"):format(load.found)
              or "lower beyond chance: " .. table.concat(better, ", "),
            verdict = load.tau == 0.050 and "does not reproduce" or "reproduces" }
  end
  for _, load in ipairs(loads) do
    claim { source = ("%s, Table 6, tau = %d ms"):format(advisor.source, (1e3 * load.tau + 0.5) // 1), says = "the mean times in system",
            holds = load.outside == 0,
            found = ("relative differences of %.1f %% (root mean square); %d beyond three standard errors"):format(
              100 * load.rms, load.outside),
            verdict = "reproduces" }
  end
end
