-- What the scripts of Mamat (2011), Chapter 5, share: the cluster, its loads, measures and points.
-- takes: nothing
-- test: no

local dlsim = require "dlsim"
local loads = require "loads"
local verdicts = require "verdicts"
local reservations = { full = dlsim.full, replications = dlsim.full and 10 or 4, near = 0.02 }  -- `near`: what "similar" means in a ratio

-- The measures of the figures, and the reject ratios of the reservations and of the regular tasks apart.
function reservations.measure(r)
  local found, arrived, rejected = dlsim.measure(r), { load = 0, reservation = 0 }, { load = 0, reservation = 0 }
  for _, job in ipairs(r:jobs()) do
    local kind = job.name:match "^%a+"
    arrived[kind] = arrived[kind] + 1
    if job.state == "rejected" then rejected[kind] = rejected[kind] + 1 end
  end
  found.booked = arrived.reservation > 0 and rejected.reservation / arrived.reservation or 0 / 0
  found.regular = arrived.load > 0 and rejected.load / arrived.load or 0 / 0
  return found
end

-- The configuration of section 5.4: 256 nodes, no set-ups, sizes of 2000 on average. Factors are named as the fields of workload.random_loads;
-- `given` are other fields; `where` leaves combinations out. Loads arrive before given.horizon, or where they do as published.
function reservations.experiment(name, some, factors, given, where)
  local all, horizon = { { "load", some } }, dlsim.horizon(given.horizon)
  for _, factor in ipairs(factors) do all[#all + 1] = factor end
  return experiment(name) {
    factors = all,
    replications = reservations.replications,
    where = where or function() return true end,
    run = function(f)
      local fields = {}
      for key, value in pairs(given) do fields[key] = value end
      for _, factor in ipairs(all) do fields[factor[1]] = f[factor[1]] end
      fields.mean_size, fields.horizon, fields.channel = 2000, horizon, "head"
      return loads.scenario(fields):run { policy = "edf_reservations", horizon = horizon }
    end,
    measure = reservations.measure,
  }
end

-- Both measures in a table, and a figure of each, a curve for each level of `by`.
function reservations.show(e, files, by)
  print(e:table("reject_ratio", "utilization"))
  plot(e:rows(), { x = "load", y = "reject_ratio", by = by, file = files[1] })
  plot(e:rows(), { x = "load", y = "utilization", by = by, file = files[2] })
end

-- A measure at level `of` of a factor less that at level `minus`, at each combination of the others for which `where` is true.
function reservations.points(e, measure, factor, of, minus, where)
  return verdicts.points(e, measure, factor, of, minus, where)
end

-- Points of a number that is computed from the levels of a factor at the same load and replication: value({ [level] = row }).
function reservations.computed(e, factor, value, where)
  local at, order = {}, {}
  for _, row in ipairs(e:rows()) do
    if not where or where(row) then
      if not at[row.load] then
        at[row.load] = {}
        order[#order + 1] = row.load
      end
      at[row.load][row.replication] = at[row.load][row.replication] or {}
      at[row.load][row.replication][row[factor]] = row
    end
  end
  local points = {}
  for i, load in ipairs(order) do
    points[i] = { name = ("load %g"):format(load), values = {} }
    for r, by in ipairs(at[load]) do points[i].values[r] = value(by) end
  end
  return points
end

-- Points of several lists together, each named by its list.
function reservations.together(lists)
  local all = {}
  for _, each in ipairs(lists) do
    for _, point in ipairs(each[2]) do
      local load = point.name:match "load [%d.]+" or point.name
      all[#all + 1] = { name = ("%s, %s"):format(each[1], load), values = point.values }
    end
  end
  return all
end

return reservations
