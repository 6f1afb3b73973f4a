-- Numbers that a mapper compares; a quality of service in place of time; the time of a scheduler as a polynomial.
-- expect: as by hand
local expect = require "modules.expect"

-- By hand, Breitinger (1999), Figure 7 and Appendix B.7.
local rows = etc { { 9, 12, 10 }, { 8, 7, 9 }, { 15, 14, 16 }, { 4, 5, 6 }, { 11, 9, 12 }, { 6, 8, 7 }, { 13, 12, 11 }, { 3, 4, 2 },
                   { 10, 10, 9 } }
local function decided(mapper)
  local answer, list = map(mapper, rows, { values = true }), {}
  for i, task in ipairs(answer.order) do list[i] = ("%g"):format(answer.value[task]) end
  return table.concat(list, " ")
end
expect.same(decided("max_min"), "14 11 11 20 20 24 26 26 28", "as described")
expect.same(decided(max_min { adds = "completion" }), "14 11 11 20 20 24 37 37 42", "as coded")
expect.same(map("mct", rows).value, nil, "values that nobody asked for")

local work = { quality = etc { { 5, 1 }, { 1, 5 } } }
local s = scenario { platform = platform { host "x" {}, host "y" {} }, workload = workload.etc(etc { { 10, 30 }, { 10, 30 } }, work) }
local function hosts(by)
  local r, list = s:run { policy = grouped { size = 2, map = "met", by = by } }, {}
  for i, job in ipairs(r:jobs()) do list[i] = ("%s %g"):format(job.hosts, job.quality) end
  return table.concat(list, " ") .. " " .. r.mean_quality
end
expect.same(hosts "time", "x 5 x 1 3.0", "by time")
expect.same(hosts "least_quality", "y 1 x 1 1.0", "by the least")
expect.same(hosts "most_quality", "x 5 y 5 5.0", "by the most")
expect.refused("quality is 1 x 2, the matrix is 2 x 2",
               function() workload.etc(etc { { 1, 2 }, { 3, 4 } }, { quality = etc { { 1, 2 } } }) end)
expect.refused("task 1 states no quality of service", function()
  scenario { platform = platform { host "x" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = grouped { by = "most_quality" } }
end)

-- Table 4 from Table 3, and equation 5 with either.
local measured = { { 100, 100, 275 }, { 50, 100, 65 }, { 10, 100, 3 }, { 100, 10, 79 }, { 50, 10, 21 } }
local points, ms = {}, {}
for i, m in ipairs(measured) do points[i], ms[i] = { m[1] ^ 2 * m[2], m[1] * m[2], m[1], m[2], 1 }, m[3] end
local fitted = stats.fit.terms(points, ms)
for i, wanted in ipairs { 53 / 180000, -187 / 18000, 37 / 45, 49 / 180, -25 } do
  assert(math.abs(fitted[i] / wanted - 1) < 1e-9, fitted[i])
end
expect.refused("do not tell the 2 terms apart", function() stats.fit.terms({ { 1, 2 }, { 2, 4 }, { 3, 6 } }, { 1, 2, 3 }) end)
expect.refused("2 coefficients need as many points, got 1", function() stats.fit.terms({ { 1, 2 } }, { 1 }) end)
local own = { a4 = fitted[1] / 1e3, a3 = fitted[2] / 1e3, a2 = fitted[3] / 1e3, a1 = fitted[4] / 1e3, a0 = fitted[5] / 1e3 }
expect.same(("%.3f"):format(1e3 * cost.scheduling_time(51, 15)), "24.557", "51 jobs, 15 machines")
expect.same(("%.3f"):format(1e3 * cost.scheduling_time(27, 15, own)), "0.296", "27 jobs, 15 machines")
expect.same(cost.scheduling_time(26, 15), 0.0, "where the polynomial is negative")
expect.same(cost.scheduling_time(4, 2, { a1 = 1, a2 = "500 ms" }), 4.0, "a polynomial of one's own")
local slow = s:run { policy = grouped { size = 2, map = "met", cost_of = function(p)
  return cost.scheduling_time(p:tasks(), p:machines(), { a1 = 1, a2 = "500 ms" })
end } }
expect.same(slow:jobs()[1].start, 3, "released after 2 * 1 + 2 * 0.5 s")

local lazy = workload.etc(function() return etc { { 1 } } end)
expect.refused("a matrix made when a run starts has no length before", function() return #lazy end)
expect.same(tostring(lazy), "workload of a matrix made when a run starts", "its text")
expect.same(tostring(workload.merge(lazy, workload.tasks { { time = 1 } })),
            "workload of 1 piece and a matrix made when a run starts", "with another part")
print "as by hand"
