-- What the scripts of Mamat (2011), Chapter 5, share: the cluster, its loads, measures and claims.
-- takes: nothing
-- test: no

local dlsim = require "dlsim"
local loads = require "loads"
local reservations = {}

-- The configuration of section 5.4: 256 nodes, sizes of 2000 on average. Factors are named as the fields of
-- workload.random_loads; `given` are other fields. Loads arrive before given.horizon, or where they do as published.
function reservations.experiment(name, some, factors, given)
  local all, horizon = { { "load", dlsim.loads(some) } }, dlsim.horizon(given.horizon)
  for _, factor in ipairs(factors) do all[#all + 1] = factor end
  return experiment(name) {
    factors = all,
    replications = setting("replications", 10),
    run = function(f)
      local fields = {}
      for name, value in pairs(given) do fields[name] = value end
      for _, factor in ipairs(all) do fields[factor[1]] = f[factor[1]] end
      fields.mean_size, fields.horizon, fields.channel = 2000, horizon, "head"
      return loads.scenario(fields):run { policy = "edf_reservations", horizon = horizon }
    end,
    measure = dlsim.measure,
  }
end

-- Both measures in a table, and a figure of each, a curve for each level of `by`.
function reservations.show(e, files, by)
  print(e:table("reject_ratio", "utilization"))
  plot(e:rows(), { x = "load", y = "reject_ratio", by = by, file = files[1] })
  plot(e:rows(), { x = "load", y = "utilization", by = by, file = files[2] })
end

-- That such a difference is `sense`, "lower" or "higher", beyond its 95 % interval; or "same", within it.
function reservations.claim(figure, says, d, sense, verdict)
  local is = d:contains(0) and "same" or d.mean < 0 and "lower" or "higher"
  claim {
    source = dlsim.source .. ", " .. figure, says = says, found = ("%+.4f +- %.4f"):format(d.mean, d.half_width),
    holds = is == sense, verdict = verdict or "reproduces",
  }
end

return reservations
