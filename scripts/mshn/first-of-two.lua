-- When to start scheduling by Breitinger (1999), V.C: at 17 jobs or after 1139 ms, whichever is first, beside other sizes and times.
-- takes: seconds
-- perigee run scripts/mshn/first-of-two.lua
--   --set full=true       more settings, 120 replications

local advisor = require "advisor"
local verdicts = require "verdicts"
local full = setting("full", false)

local timeouts = full and { 0.8, 1.139, 1.6, false } or { 0.8, 1.139, false }
local sizes, cells = full and { 15, 16, 17, 18 } or { 16, 17 }, {}
local function name(size, timeout) return ("%d jobs or %s"):format(size, timeout and ("%.0f ms"):format(1e3 * timeout) or "no time") end
for _, size in ipairs(sizes) do
  for _, timeout in ipairs(timeouts) do
    cells[#cells + 1] = { name(size, timeout), advisor.policy(size, "zero", timeout and { timeout = timeout } or nil) }
  end
end
local study = advisor.study("mshn_two", { replications = full and 120 or 6, cells = cells })
local published = study[name(17, 1.139)].mean_response
print "mean time in system, ms, by size and time"
local points, least = {}, nil
for _, cell in ipairs(cells) do
  local list = study[cell[1]].mean_response
  local interval = stats.interval(list)
  print(("  %-16s %s"):format(cell[1], advisor.ms(interval.mean, interval.half_width)))
  if not least or interval.mean < advisor.mean(study[least].mean_response) then least = cell[1] end
  if cell[1] ~= name(17, 1.139) then points[#points + 1] = advisor.point(cell[1], list, published) end
end
local optimal = verdicts.always(points, "higher", 0, "%+.1f")
claim { statement = "S4-53", verdict = "does not reproduce", holds = optimal.holds,
        found = ("least mean time in system of %d settings: %s; the others less 17 jobs or 1139 ms, in ms: %s"):format(#cells, least, optimal.found),
        note = "the oldest job of the pool has waited for that time; the program of the thesis has no such time, so that no number is published" }
