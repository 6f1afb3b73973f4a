-- Settings of Chapter 7 of Mamat (2011) that are not published, drawn, and schedulers with them: required by the scripts beside it.
-- takes: nothing
-- test: no
--
-- Not printed are how long deadlines are, the gains, the least part, what becomes of late loads, and the loads: these are drawn. Section 7.3 has the
-- workload of section 4.5, whose deadline ratio is 2; with that the utilization of the figures is out of reach. So half of the settings have a ratio
-- of 2, and half one from 3 to 10.
-- The m of section 7.2.2 is not printed either. A part is such that it is in time when it takes m times as long as estimated. Verdicts rest on m = 2,
-- the largest factor of section 7.3, with which no part is late by itself. It was fixed after a look at results, so each claim says what comes out
-- with m = 1 too; where it would be the contrary, `chosen` says so.

local uncertain = require "uncertain"
local verdicts = require "verdicts"
local control = {}

-- The first n settings of a list of its own.
function control.settings(n)
  local list = {}
  for i = 1, n do
    local rng = stream("control", i)
    local ratio = rng:uniform(3, 10)
    list[i] = {
      ratio = i % 2 == 1 and 2 or ratio, integral = rng:uniform(0.3, 1.2), proportional = rng:uniform(0,
        0.3),
      least_chunk = rng:choice { 0.01, 0.03, 0.1 }, late = rng:choice { "finish", "drop" }, least = rng:uniform(0.1, 0.3), most = rng:uniform(1, 2),
      constant = rng:uniform(0.5, 1.1),
    }
  end
  return list
end

-- How to run a scheduler of uncertain.schedulers with a setting: policy and what it knows. `cost_factor` is what the worst case assumes (2).
-- A name that ends with ", m = 1" is of the scheduler with that m.
function control.scheduler(name, set, cost_factor)
  local plain, m = name:match "^(.*), m = (%d)$"
  name = plain or name
  local given = { least_chunk = set.least_chunk, late = set.late, chunk_factor = tonumber(m) or 2 }
  if name == "feedback" then
    given.proportional, given.integral = set.proportional, set.integral
  else
    given.bound = 1
  end
  if name == "ideal" or name == "worst case" then given.chunk_factor = 1 end
  if name == "worst case" then given.cost_factor = cost_factor or 2 end
  return { policy = feedback(given), information = name == "ideal" and "perfect" or "declared" }
end

-- On how many of the settings a test holds: `right` is a list of true and false in the order of the settings, `short` the same with m = 1.
function control.judge(right, short)
  local count, of, with_one = { 0, 0 }, { 0, 0 }, 0
  for i, holds in ipairs(right) do
    local group = i % 2 == 1 and 1 or 2
    of[group] = of[group] + 1
    if holds then count[group] = count[group] + 1 end
    if short[i] then with_one = with_one + 1 end
  end
  local share = verdicts.share(count[1] + count[2], of[1] + of[2])
  return { holds = share.holds, found = ("%s of the drawn settings (deadline ratio 2: %d of %d, 3 to 10: %d of %d; with m = 1 %d of %d)"):format(
          share.found, count[1], of[1], count[2], of[2], with_one, #right) }
end

-- The means over the replications of an experiment with the factors `number` and `scheduler`: [number][scheduler][measure].
function control.means(e)
  local means = {}
  for _, row in ipairs(e:table()) do
    local number = math.tointeger(row.number)
    means[number] = means[number] or {}
    means[number][row.scheduler] = row
  end
  return means
end

-- The range of a number over the settings with a ratio of 2, and over the others.
function control.range(means, f, form)
  local groups = { {}, {} }
  for i, by in ipairs(means) do
    local value = f(by["no feedback"], by.feedback, by.ideal, by["worst case"])
    if value == value then table.insert(groups[i % 2 == 1 and 1 or 2], value) end
  end
  local parts = {}
  for i, name in ipairs { "deadline ratio 2", "3 to 10" } do
    local s = #groups[i] > 0 and stats.summary(groups[i])
    parts[i] = s and ("%s: " .. form .. " to " .. form .. ", mean " .. form):format(name, s.min, s.max, s.mean) or name .. ": none"
  end
  return table.concat(parts, "; ")
end

control.basis = "m of section 7.2.2 is not printed: the verdict rests on m = 2, the largest cost factor, with which no part is late by itself; "
  .. "this was fixed after a look at results, and m = 1 is beside it"
control.note = "what else is not printed is drawn, and the share of settings decides; " .. control.basis
control.chosen = "parts that are in time at twice the estimate (m = 2)"
return control
