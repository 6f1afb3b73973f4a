-- Group sizes of the advisor of Breitinger (1999) on the same jobs: required by the scripts beside it.
-- takes: nothing
-- test: no

local advisor = require "advisor"
local sizes = { full = setting("full", false) }

-- Runs each case { name =, sizes =, scenario =, policy = function(size) } `n` times and returns the values of the measures by case, size and
-- replication: found[case][size].mean_response[i]. Times are in ms. A replication has the same jobs for all sizes of a case, and one seed for
-- all cases. Each cell runs all sizes, so that its jobs are drawn once. Some measures need the `trace` "full". Runs take 110 s, of which 10 are not
-- measured, times the `unit` (1) of a case.
function sizes.study(name, cases, n, measures, trace)
  local names, by_name = {}, {}
  for i, case in ipairs(cases) do names[i], by_name[case.name] = case.name, case end
  local e = experiment(name) {
    factors = { { "case", names } },
    replications = n,
    run = function(f)
      local case, policies, out = by_name[f.case], {}, {}
      for i, size in ipairs(case.sizes) do policies[i] = case.policy and case.policy(size) or advisor.policy(size) end
      local unit = case.unit or 1
      policies.horizon, policies.warmup, policies.information, policies.trace = 110 * unit, 10 * unit, "declared", trace or "work"
      local c = case.scenario:compare(policies)
      for i, size in ipairs(case.sizes) do
        local r = c:result(i)
        -- Groups are mapped when they are full: a run may end with jobs of a last group that never is.
        expect(r.status ~= "incomplete" or r.unfinished < 200, "more is left than a group")
        for _, measure in ipairs(measures) do out[measure .. "_" .. size] = r[measure] end
      end
      return out
    end,
  }
  local found = {}
  for _, case in ipairs(cases) do
    found[case.name] = {}
    for _, size in ipairs(case.sizes) do
      found[case.name][size] = {}
      for _, measure in ipairs(measures) do found[case.name][size][measure] = {} end
    end
  end
  for _, row in ipairs(e:rows()) do
    for size, by in pairs(found[row.case]) do
      for measure, list in pairs(by) do
        local value = row[measure .. "_" .. size]
        list[row.replication] = value and (measure:find "^mean_" and 1e3 * value or value)
      end
    end
  end
  return found
end

-- The differences a - b, one for each replication; in percent of the mean of b when `relative`.
function sizes.minus(a, b, relative)
  local out, scale = {}, relative and 100 / stats.summary(b).mean or 1
  for i = 1, #a do out[i] = scale * (a[i] - b[i]) end
  return out
end

-- The size of the least mean time in system, and that time.
function sizes.best(by_size, from, to)
  local best, least = nil, math.huge
  for size, by in pairs(by_size) do
    local mean = stats.summary(by.mean_response).mean
    if size >= (from or 1) and size <= (to or math.huge) and (mean < least or mean == least and size < best) then best, least = size, mean end
  end
  return best, least
end

-- "17: 1872 +- 20"
function sizes.text(values, form)
  local i = stats.interval(values)
  form = form or "%.0f"
  return (form .. " +- " .. form:gsub("%+", "")):format(i.mean, i.half_width or 0)
end

-- "longer at 70 of 84 steps, shorter at 1": what `always` or `mostly` of the module verdicts counted, in words of one's own for higher and lower.
function sizes.counted(verdict, higher, lower, things)
  local first, right, second, wrong, all = verdict.found:match "^(%a+) at (%d+), (%a+) at (%d+).- of (%d+)"
  local words = { higher = higher, lower = lower }
  return ("%s at %s of %s %s, %s at %s"):format(words[first], right, all, things, words[second], wrong)
end

-- "within 5 % at 3 of 6 loads, outside at 1": what `alike` of the module verdicts counted.
function sizes.within(verdict, margin, things)
  local right, wrong, all = verdict.found:match "at (%d+), outside at (%d+) of (%d+)"
  return ("within %s at %s of %s %s, outside at %s"):format(margin, right, all, things, wrong)
end

-- How often `of(resample)` is true, of `times` resamples of the replications 1 .. n with replacement: a bootstrap.
function sizes.bootstrap(n, times, of)
  local rng, count = stream("resamples", 1), 0
  for _ = 1, times do
    local picked = {}
    for i = 1, n do picked[i] = rng:integer(1, n) end
    if of(picked) then count = count + 1 end
  end
  return count
end
function sizes.mean_of(values, picked)
  local sum = 0
  for _, i in ipairs(picked) do sum = sum + values[i] end
  return sum / #picked
end

return sizes
