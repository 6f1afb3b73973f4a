-- The curves of Breitinger (1999): equations 1 to 4, and the fits of Figures 13 and 14, beside Table 2 and simulation.
-- takes: seconds
-- perigee run scripts/mshn/curves.lua --out results
--   --set replications=30
-- test: --set replications=2

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications = settings.number("replications", 30, 1, 1000)
local tau, machines, mean = 0.067, 15, 1

local sizes = {}
for size = 1, 51, 2 do sizes[#sizes + 1] = size end
local s = advisor.scenario { tau = tau }
local e = experiment "mshn_curves" {
  factors = { { "size", sizes } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size), seed, { trace = "full" }) end,
  measure = { "mean_response", "mean_scheduler_wait", "mean_queue_wait" },
}
local rows = studies.by(e:table(), "size")

-- Equation 1 counts a whole time between arrivals for the last job of a group too, which does not wait; in equation 4 the
-- scheduler takes what equation 5 says.
local function equation3(g) return g * tau / 2 + g * mean / (2 * machines) + mean / machines end
print "ms      wait in the pool                 wait at a machine      time in system"
print " size  eq. 1   exact    here           eq. 2    here          eq. 3   eq. 4  published    here"
for _, g in ipairs(sizes) do
  local row = rows[g]
  if g % 8 == 1 or g == 51 then
    print(("%5d %s  %s  %s  %s  %s  %s  %s %10d  %s"):format(g, advisor.ms(g * tau / 2), advisor.ms((g - 1) * tau / 2),
          advisor.ms(row.mean_scheduler_wait, row.mean_scheduler_wait_half_width), advisor.ms(g * mean / (2 * machines)),
          advisor.ms(row.mean_queue_wait, row.mean_queue_wait_half_width), advisor.ms(equation3(g)),
          advisor.ms(equation3(g) + cost.scheduling_time(g, machines)), advisor.table2[g], advisor.mean_ms(row)))
  end
end

-- Both branches of Table 2 and of ours, by least squares; the exponential to the logarithms.
local function branch(from, to, ms)
  local x, y = {}, {}
  for g = from, to, 2 do x[#x + 1], y[#y + 1] = g, ms(g) end
  return { linear = stats.fit.linear(x, y), exponential = stats.fit.exponential(x, y), quadratic = stats.fit.quadratic(x, y) }
end
local function published(g) return advisor.table2[g] end
local function here(g) return 1e3 * rows[g].mean_response end
local left, right, left_here, right_here = branch(1, 17, published), branch(17, 51, published), branch(1, 17, here), branch(17, 51, here)
print "\nFits to the branches on both sides of 17"
for _, each in ipairs { { "Table 2, up to 17", left }, { "here, up to 17", left_here },
                        { "Table 2, from 17", right }, { "here, from 17", right_here } } do
  for _, kind in ipairs { "linear", "exponential", "quadratic" } do print(("%-18s  %s"):format(each[1], each[2][kind])) end
end
print ""
local points = {}
for _, g in ipairs(sizes) do
  points[#points + 1] = { size = g, ms = published(g), of = "Table 2" }
  points[#points + 1] = { size = g, ms = here(g), of = "here" }
  points[#points + 1] = { size = g, ms = 1e3 * equation3(g), of = "equation 3" }
  points[#points + 1] = { size = g, ms = (g <= 17 and left.exponential or right.linear):predict(g), of = "fits" }
end
plot(points, { x = "size", y = "ms", by = "of", y_unit = "ms", file = "curves", x_label = "group size", y_label = "mean time in system",
               title = "Table 2, its fits and equation 3 (Figures 11 to 14)" })

local function near(f, a, b, r2)
  return math.abs(f.coefficients[1] / a - 1) < 1e-4 and math.abs(f.coefficients[2] / b - 1) < 1e-4 and math.abs(f.r_squared - r2) < 5e-5
end
claim { source = "An independent calculation for " .. advisor.source,
        says = "linear and exponential fits to both branches of Table 2",
        holds = near(left.linear, 3136.39, -80.833, 0.9660) and near(left.exponential, 3204.9, -0.033421, 0.9818) and
          near(right.linear, 595.04, 68.160, 0.9931) and near(right.exponential, 1253.7, 0.023896, 0.9956),
        found = "the same coefficients and R^2", verdict = "reproduces" }
-- How well the two do.
local function which(of_table, of_ours, one, other)
  return ("R^2 %.4f against %.4f of the %s one; here %.4f against %.4f"):format(of_table[one].r_squared, of_table[other].r_squared, other,
                                                                         of_ours[one].r_squared, of_ours[other].r_squared)
end
claim { source = advisor.source .. ", section V.D", says = "the left branch of Table 2 is exponential rather than linear",
        holds = left.exponential.r_squared > left.linear.r_squared,
        found = which(left, left_here, "exponential", "linear"), verdict = "reproduces" }
claim { source = advisor.source .. ", section V.D", says = "the right branch of Table 2 is linear rather than exponential",
        holds = right.linear.r_squared > right.exponential.r_squared,
        found = which(right, right_here, "linear", "exponential"), verdict = "does not reproduce" }
if replications >= 30 then
  claim { source = advisor.source .. ", section VI.C", says = "beyond the best size the time grows by 67 ms with each job",
          value = advisor.rounded(right_here.linear.coefficients[2]), published = 67, within = "6 %", verdict = "reproduces" }
  claim { source = advisor.source .. ", equation 1",
          says = "a job waits G tau / 2 for its group: of 3, ms", value = advisor.rounded(1e3 * rows[3].mean_scheduler_wait),
          published = 1e3 * 3 * tau / 2, within = "10 %", verdict = "source in error" }
  local exact = 0
  for _, g in ipairs(sizes) do
    if g > 1 then exact = math.max(exact, math.abs(rows[g].mean_scheduler_wait / ((g - 1) * tau / 2) - 1)) end
  end
  claim { source = "An independent calculation for " .. advisor.source,
          says = "a job waits (G - 1) tau / 2 for its group", holds = exact < 0.02,
          found = ("at most %.1f %% off"):format(100 * exact), verdict = "reproduces" }
  claim { source = advisor.source .. ", equation 3",
          says = "the time in system of groups of 17, ms", value = advisor.rounded(here(17)),
          published = advisor.rounded(1e3 * equation3(17)), within = "10 %", verdict = "does not reproduce" }
end
