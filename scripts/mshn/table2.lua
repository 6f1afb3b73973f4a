-- Table 2 and Figure 10 of Breitinger (1999): how many jobs to collect before mapping them, at a load of 0.995.
-- takes: seconds
-- perigee run scripts/mshn/table2.lua --out results
--   --set replications=30
--   --set most=51             the largest group
-- test: --set replications=4 --set most=5
-- findings: as it is

local advisor = require "advisor"
local replications, most = setting("replications", 30), setting("most", 51)

-- Mean time in system, ms, for groups of 1, 3, ..., 51.
local published = { 3196, 2899, 2623, 2502, 2421, 2178, 2104, 1885, 1872, 1971, 2065, 2112, 2243, 2368, 2534, 2682, 2828, 2954,
                    3108, 3216, 3346, 3500, 3640, 3773, 4061, 4152 }
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
        1e3 * z.half_width, 1e3 * a.mean_response, 1e3 * a.half_width, 1e3 * d.difference, 1e3 * d.half_width))
  local off = 1e3 * z.mean_response / published[i] - 1
  squares = squares + off ^ 2
  worst = math.abs(off) > math.abs(worst) and off or worst
end
