-- What the scripts of Mamat (2011), Chapter 5, share: the cluster, its loads, measures and claims.
-- takes: nothing
-- test: no

local dlsim = require "dlsim"
local reservations = {}

local horizon = dlsim.horizon(3e6)

-- The configuration of section 5.4: 256 nodes, sizes of 2000 on average. Factors are named as the fields of
-- workload.random_loads, or `given(f)` is what these are.
function reservations.experiment(name, factors, given)
  local all = { { "load", dlsim.loads() } }
  for _, factor in ipairs(factors) do all[#all + 1] = factor end
  return experiment(name) {
    factors = all,
    replications = setting("replications", dlsim.full and 10 or 5),
    run = function(f)
      local fields = given(f)
      for _, factor in ipairs(all) do fields[factor[1]] = f[factor[1]] end
      fields.mean_size, fields.horizon, fields.channel = 2000, horizon, "head"
      return dlsim.scenario(fields):run { policy = "edf_reservations", horizon = horizon }
    end,
    measure = { "reject_ratio", "utilization", "miss_ratio" },
  }
end

-- Both measures in a table, and a figure each of the rows for which where(row) holds, a curve for each level of `by`.
function reservations.show(e, files, by, where)
  local rows = {}
  for _, row in ipairs(e:rows()) do if not where or where(row) then rows[#rows + 1] = row end end
  print(e:table("reject_ratio", "utilization"))
  plot(rows, { x = "load", y = "reject_ratio", by = by, file = files[1] })
  plot(rows, { x = "load", y = "utilization", by = by, file = files[2] })
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

-- That such a difference is `sense`, "lower" or "higher": beyond the 95 % interval somewhere, nowhere the contrary; or
-- "same": nowhere beyond it.
function reservations.claim(figure, says, d, sense, verdict)
  local holds
  if sense == "same" then holds = d.lower == 0 and d.higher == 0
  else holds = d[sense] > 0 and d[sense == "lower" and "higher" or "lower"] == 0 end
  claim { source = dlsim.source .. ", " .. figure, says = says, found = d.text, holds = holds, verdict = verdict or "reproduces" }
end

return reservations
