-- Table 2 and Figure 10 of Breitinger (1999): how many jobs to collect before mapping them, at a load of 0.995.
-- takes: seconds
-- perigee run scripts/mshn/table2.lua --out results
--   --set replications=30
--   --set most=51             the largest group

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications, most = settings.number("replications", 30, 1, 1000), settings.number("most", 51, 1, 51)

-- The sizes of the table, and the even ones about its least time.
local sizes = {}
for size = 1, most do
  if advisor.table2[size] or (size >= 14 and size <= 18) then sizes[#sizes + 1] = size end
end

local s = advisor.scenario { tau = 0.067 }
local e = experiment "mshn_table2" {
  factors = { { "size", sizes }, { "ready", { "zero", "aware" } } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, f.ready), seed) end,
  measure = { "mean_response" },
}
local found = e:table("mean_response")
local zero, aware = studies.by(found, "size", { ready = "zero" }), studies.by(found, "size", { ready = "aware" })
local difference = studies.by(e:compare("mean_response", { factor = "ready", baseline = "zero" }), "size", { ready = "aware" })
local best, best_aware = studies.best(zero, "mean_response"), studies.best(aware, "mean_response")

print(("Mean time in system, ms, by group size. With zero readiness, as published, the mapper takes all machines to be idle;\n" ..
       "with aware readiness it knows what earlier groups have left there. 95 %% intervals, n = %d; aware - zero by pairs.\n"):format(
        replications))
print(" size   published    zero readiness   aware readiness      aware - zero")
local curves = {}
for _, size in ipairs(sizes) do
  print(("%5d %11s%s   %s%s  %s%s   %s"):format(size, advisor.table2[size] or "-", size == 17 and "*" or " ",
        advisor.mean_ms(zero[size]), size == best and "*" or " ", advisor.mean_ms(aware[size]), size == best_aware and "*" or " ",
        advisor.difference_ms(difference[size])))
  if advisor.table2[size] then curves[#curves + 1] = { size = size, of = "published", ms = advisor.table2[size] } end
  for _, curve in ipairs { { "zero readiness", zero[size] }, { "aware readiness", aware[size] } } do
    curves[#curves + 1] = { size = size, of = curve[1], ms = 1e3 * curve[2].mean_response,
                            ms_half_width = 1e3 * curve[2].mean_response_half_width }
  end
end
print("* the least of its column\n")

plot(curves, { x = "size", y = "ms", by = "of", file = "table2", x_label = "group size", y_label = "mean time in system",
               y_unit = "ms", title = "Jobs collected before mapping (Figure 10)" })

-- The least of both curves, by pairs.
local gain = replications > 1 and
  stats.paired(studies.values(e, "mean_response", { size = best, ready = "zero" }), studies.values(e, "mean_response", { size = best_aware, ready = "aware" }))
print("\n                  size     ms")
if most >= 17 then print(("least, published %5d %6d"):format(17, advisor.table2[17])) end
print(("least, zero      %5d %s"):format(best, advisor.mean_ms(zero[best])))
print(("least, aware     %5d %s"):format(best_aware, advisor.mean_ms(aware[best_aware])))
if gain then print(("zero - aware           %s  by pairs"):format(advisor.ms(gain.mean, gain.half_width))) end
print ""

if most == 51 and replications >= 30 then
  local squares, worst, outside, odd = 0, 0, 0, {}
  for size, published in pairs(advisor.table2) do
    local off = 1e3 * zero[size].mean_response / published - 1
    squares = squares + off ^ 2
    worst = math.abs(off) > math.abs(worst) and off or worst
    if not studies.agrees(studies.values(e, "mean_response", { size = size, ready = "zero" }), published / 1e3) then outside = outside + 1 end
    odd[size] = zero[size]
  end
  local rms = math.sqrt(squares / 26)
  local function in_short(size, rows)
    return ("%d, %.0f +- %.0f ms"):format(size, 1e3 * rows[size].mean_response, 1e3 * rows[size].mean_response_half_width)
  end
  claim { source = advisor.source .. ", Table 2", says = "the mean times in system of groups of 1, 3, ..., 51",
          holds = rms <= 0.04 and outside == 0,
          found = ("relative differences of %.1f %% (root mean square), at most %.1f %%; %d beyond three standard errors"):format(
            100 * rms, 100 * worst, outside),
          verdict = "reproduces" }
  local best_odd = studies.best(odd, "mean_response")
  claim { source = advisor.source .. ", Table 2", says = "of the odd sizes 17 is the best, with 1872 ms",
          holds = best_odd >= 15 and best_odd <= 19,
          found = ("%s; groups of %s"):format(in_short(best_odd, zero), in_short(best_odd == 17 and 15 or 17, zero)),
          verdict = "reproduces" }
  claim { source = advisor.source .. ", Table 2",
          says = "of all sizes, the even ones included, 17 is the best", holds = best == 17,
          found = ("%s; groups of %s"):format(in_short(best, zero), in_short(17, zero)), verdict = "does not reproduce" }
  claim { source = advisor.source .. ", chapter VII",
          says = "collecting jobs before mapping them shortens their time in system: with a mapper that knows the backlog",
          holds = best_aware > 1,
          found = ("the best has %s; groups of %s"):format(in_short(best_aware, aware), in_short(17, aware)),
          verdict = "does not reproduce" }
  claim { source = advisor.source .. ", chapter VII",
          says = "the best group is worth its wait, against single jobs and a mapper that knows the backlog",
          holds = gain.mean < gain.half_width,
          found = ("these are faster by %.0f +- %.0f ms"):format(1e3 * gain.mean, 1e3 * gain.half_width),
          verdict = "does not reproduce" }
end
