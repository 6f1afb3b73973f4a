-- Why groups pay in Breitinger (1999): how much of the gain needs a mapper that looks at several jobs at once.
-- takes: seconds
-- perigee run scripts/mshn/why-groups.lua
--   --set full=true       120 replications

local advisor = require "advisor"
local verdicts = require "verdicts"
local full = setting("full", false)

-- MaxMin looks at all jobs of a group. mct and pairing keep the jobs of a group apart but do not compare them: each job in turn goes where it is
-- complete first, to a machine that this group has not used. met sends each to its fastest machine, whatever else is there.
local coded = max_min { adds = "completion" }
local mappers = { { "max-min", coded }, { "mct", mct {} }, { "pairing", pairing {} }, { "met", met {} } }
local cells = { { "single", advisor.policy(1) }, { "aware single", advisor.policy(1, "aware") } }
for _, size in ipairs { 15, 17 } do
  for _, mapper in ipairs(mappers) do cells[#cells + 1] = { mapper[1] .. size, advisor.policy(size, "zero", { map = mapper[2] }) } end
end
local study = advisor.study("mshn_why", { replications = full and 120 or 6, cells = cells })
local single = study.single.mean_response
local function gain(name)
  local values = {}
  for i, x in ipairs(study[name].mean_response) do values[i] = 1e3 * (single[i] - x) end
  return values
end
print "gain against single jobs, ms, zero readiness"
local parts, points = {}, {}
for _, size in ipairs { 15, 17 } do
  local of_all = gain("max-min" .. size)
  for _, mapper in ipairs(mappers) do
    local own = gain(mapper[1] .. size)
    local interval = stats.interval(own)
    parts[#parts + 1] = ("%s in groups of %d %.0f +- %.0f ms, %.0f %%"):format(mapper[1], size, interval.mean, interval.half_width,
                                                                           100 * interval.mean / advisor.mean(of_all))
    print("  " .. parts[#parts])
    if mapper[1] == "mct" or mapper[1] == "pairing" then
      -- The gain that needs the other jobs, less the gain without them: information is most of it when this is above 0.
      local values = {}
      for i, x in ipairs(of_all) do values[i] = x - 2 * own[i] end
      points[#points + 1] = { name = ("%s, %d"):format(mapper[1], size), values = values }
    end
  end
end
local most = verdicts.always(points, "higher", 0, "%+.0f")
-- Read widely, information is all that the mapper knows of the group, also where it has put the jobs before: met uses none of that.
local nothing = {}
for _, size in ipairs { 15, 17 } do nothing[#nothing + 1] = { name = ("groups of %d"):format(size), values = gain("met" .. size) } end
local without = verdicts.always(nothing, "lower", 0, "%+.0f")
-- Two readings: where they part, neither can be said.
local holds = most.holds
if without.holds ~= most.holds then holds = "not decided" end
local function so(one) return one.holds == true and "it holds" or one.holds == false and "it does not hold" or "it is not decided" end
local memory = stats.interval(gain "aware single")
claim { statement = "S4-50", verdict = "not decided", holds = holds,
        found = (("gain in mean time in system against single jobs, with the share of max-min's: %s; where information is all that the mapper " ..
                 "knows of the group, %s: met uses none of it, its gain, ms, is %s; where it is the comparison of the jobs, %s: " ..
                 "the gain that needs it less the gain that does not, ms, is %s"))
                :format(table.concat(parts, ", "), so(without), without.found, so(most), most.found),
        note = ("the text does not say which information it means, and the two readings part; mct and pairing look at one job at a time, but know " ..
                "where the group's jobs before it went; single jobs under a mapper that knows the backlog gain %.0f +- %.0f ms")
               :format(memory.mean, memory.half_width) }
