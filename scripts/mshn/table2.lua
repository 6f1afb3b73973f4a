-- Table 2 and Figure 10 of Breitinger (1999): how many jobs to collect before mapping them, at a load of 0.995.
-- takes: seconds
-- perigee run scripts/mshn/table2.lua --out results
--   --set replications=30
--   --set most=51             the largest group
-- test: --set replications=4 --set most=5

local advisor = require "advisor"
local replications, most = setting("replications", 30), setting("most", 51)

-- Mean time in system, ms, for groups of 1, 3, ..., 51.
local published = { 3196, 2899, 2623, 2502, 2421, 2178, 2104, 1885, 1872, 1971, 2065, 2112, 2243, 2368, 2534, 2682, 2828, 2954,
                    3108, 3216, 3346, 3500, 3640, 3773, 4061, 4152 }
expect(most >= 1 and most <= 51, "--set most: the table has groups of 1 to 51")
local sizes = {}
for size = 1, most, 2 do sizes[#sizes + 1] = size end

local s = advisor.scenario { tau = 0.067 }
local e = experiment "mshn_table2" {
  factors = { { "size", sizes }, { "ready", { "zero", "aware" } } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready), seed) end,
  measure = { "mean_response" },
}
local found = e:table("mean_response")
local zero, aware = advisor.by(found, "size", { ready = "zero" }), advisor.by(found, "size", { ready = "aware" })
local difference = advisor.by(e:compare("mean_response", { factor = "ready", baseline = "zero" }), "size", { ready = "aware" })

print("mean time in system, ms, with 95 % intervals; aware - zero by pairs\n")
print(" size  published   zero readiness   aware readiness     aware - zero")
local squares, worst, within = 0, 0, true
for i, size in ipairs(sizes) do
  local z, a, d = zero[size], aware[size], difference[size]
  print(("%5d %10d %8.0f +- %4.0f %9.0f +- %4.0f %9.0f +- %4.0f"):format(size, published[i], 1e3 * z.mean_response,
        1e3 * z.mean_response_half_width, 1e3 * a.mean_response, 1e3 * a.mean_response_half_width, 1e3 * d.difference, 1e3 * d.difference_half_width))
  local off = 1e3 * z.mean_response / published[i] - 1
  squares = squares + off ^ 2
  worst = math.abs(off) > math.abs(worst) and off or worst
end

found:plot { x = "size", y = "mean_response", by = "ready", file = "table2", x_label = "group size", y_label = "mean time in system",
             title = "Jobs collected before mapping (Figure 10)" }

local best, best_aware = advisor.best(zero), advisor.best(aware)
print(("\nbest: groups of %d with zero readiness, of %d with aware readiness; published: 17"):format(best, best_aware))

if most == 51 and replications >= 30 then
  local spread, outside = advisor.spread(e), 0
  for i, size in ipairs(sizes) do
    if not advisor.agrees(spread[size], published[i] / 1e3) then outside = outside + 1 end
  end
  local rms = math.sqrt(squares / #sizes)
  claim { source = advisor.source .. ", Table 2", says = "the mean times in system of groups of 1, 3, ..., 51",
          holds = rms <= 0.04 and outside == 0,
          found = ("relative differences of %.1f %% (root mean square), at most %.1f %%; %d beyond three standard errors"):format(
            100 * rms, 100 * worst, outside),
          verdict = "reproduces" }
  claim { source = advisor.source .. ", Table 2", says = "the best group has 17 jobs", holds = best >= 15 and best <= 19,
          found = ("%d of the odd sizes with %.0f ms; %.0f ms at 17"):format(best, 1e3 * zero[best].mean_response,
                                                                            1e3 * zero[17].mean_response),
          verdict = "reproduces" }
  local right, means = {}, {}
  for _, size in ipairs(sizes) do
    if size >= 17 then right[#right + 1], means[#means + 1] = size, 1e3 * zero[size].mean_response end
  end
  claim { source = advisor.source .. ", section VI.C", says = "beyond the best size the time grows by 67 ms with each job",
          value = stats.fit.linear(right, means).coefficients[2], published = 67, within = "6 %", verdict = "reproduces" }
  claim { source = advisor.source .. ", chapter VII",
          says = "collecting jobs before mapping them shortens their time in system: with a mapper that knows the backlog",
          holds = best_aware > 1,
          found = ("%.0f ms without a pool (groups of 1), %.0f ms in groups of 17"):format(1e3 * aware[1].mean_response,
                                                                                      1e3 * aware[17].mean_response),
          verdict = "does not reproduce" }
end
