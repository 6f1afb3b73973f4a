-- What the scripts of Mamat (2011), Chapter 5, share: the cluster, its loads, measures and claims.
-- takes: nothing
-- test: no

local dlsim = require "dlsim"
local reservations = {}

local horizon = dlsim.horizon(1e6)

-- The configuration of section 5.4: 256 nodes, sizes of 2000 on average. Factors are named as the fields of
-- workload.random_loads, or `given(f)` is what these are.
function reservations.experiment(name, factors, given)
  local all = { { "load", dlsim.loads() } }
  for _, factor in ipairs(factors) do all[#all + 1] = factor end
  return experiment(name) {
    factors = all,
    replications = dlsim.replications,
    run = function(f)
      local fields = given(f)
      for _, factor in ipairs(all) do fields[factor[1]] = f[factor[1]] end
      fields.mean_size, fields.horizon, fields.channel = 2000, horizon, "head"
      return dlsim.scenario(fields):run { policy = "edf_reservations", horizon = horizon }
    end,
    measure = { "reject_ratio", "utilization", "miss_ratio" },
  }
end

function reservations.show(e, file, by)
  for _, measure in ipairs { "reject_ratio", "utilization" } do
    print(measure)
    print(e:table(measure))
    plot(e:rows(), { x = "load", y = measure, by = by, file = file .. "-" .. measure })
  end
end

-- The difference of a measure between two levels of a factor, within the same replications, where where(row) holds.
function reservations.difference(e, measure, factor, of, minus, where)
  local found = { n = 0, lower = 0, higher = 0, mean = 0 }
  for _, row in ipairs(e:compare(measure, { factor = factor, baseline = minus })) do
    if row[factor] == of and (not where or where(row)) then
      found.n, found.mean = found.n + 1, found.mean + row.difference
      if found[row.verdict] then found[row.verdict] = found[row.verdict] + 1 end
    end
  end
  found.mean = found.mean / found.n
  found.text = ("%+.3f on average; lower at %d and higher at %d of %d points"):format(found.mean, found.lower, found.higher, found.n)
  return found
end

-- That such a difference is `sense`, "lower" or "higher": beyond the 95 % interval somewhere, nowhere the contrary.
function reservations.claim(figure, says, e, measure, factor, of, minus, sense, verdict, where)
  local d = reservations.difference(e, measure, factor, of, minus, where)
  claim {
    source = dlsim.source .. ", " .. figure, says = says, found = d.text,
    holds = d[sense] > 0 and d[sense == "lower" and "higher" or "lower"] == 0, verdict = verdict or "reproduces",
  }
end

return reservations
