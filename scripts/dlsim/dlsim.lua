-- The cluster, the loads and the measures of DLSim (Mamat, 2011): required by the scripts beside it.
-- takes: nothing
-- test: no

local dlsim = {}

dlsim.source = "Mamat, 2011"

-- Ten runs of ten million time units as published, or what is as good as a first look.
dlsim.full = setting("full", false)
dlsim.replications = setting("replications", dlsim.full and 10 or 3)
expect(dlsim.replications >= 2 and dlsim.replications % 1 == 0, "replications: two or more, for intervals")
function dlsim.horizon(short) return setting("horizon", dlsim.full and 1e7 or short) end

-- The loads of the figures, 0.1 to 1.0, or some of them.
function dlsim.loads(some)
  if not dlsim.full then return some or { 0.1, 0.4, 0.7, 1.0 } end
  local all = {}
  for i = 1, 10 do all[i] = i / 10 end
  return all
end

-- The head of a cluster and random loads for it. Without more said, the base configuration of section 4.5.1 without
-- set-ups. `setup` is that of transmissions and of computations; `channel` is "load" where chunks of different loads do not
-- wait for each other, and "head" where they do (section 3.2). Other fields go to workload.random_loads.
function dlsim.scenario(given)
  local loads = { mean_size = 1000, bytes = 1, time = 1000, deadline_ratio = 2 }
  local nodes, setup, channel = 256, 0, "load"
  for name, value in pairs(given) do
    if name == "nodes" then nodes = value
    elseif name == "setup" then setup = value
    elseif name == "channel" then channel = value
    else loads[name] = value end
  end
  return scenario {
    platform = platform { cluster "c" {
      nodes = nodes, setup = setup,
      link = { bandwidth = 1, latency = setup, sharing = channel == "load" and "unlimited" or "exclusive" },
    } },
    workload = workload.random_loads(loads),
  }
end

-- What a figure shows of a run: what arrives before the horizon, and what the nodes do until then.
dlsim.measures = { "reject_ratio", "utilization", "miss_ratio" }
function dlsim.run(s, policy, horizon, more)
  local fields = { policy = policy, horizon = horizon, trace = "none" }
  for name, value in pairs(more or {}) do fields[name] = value end
  return s:run(fields)
end

-- The difference of a measure, `minus` off `of`, by replication: rows of all other factors, each with mean `difference`,
-- `half_width` of its 95 % interval and whether it is `above` or `below` 0 beyond that. `as` says what a level is.
function dlsim.differences(e, measure, factor, of, minus)
  local rows = {}
  for _, row in ipairs(e:compare(measure, { factor = factor, baseline = minus })) do
    if tostring(row[factor]) == tostring(of) then
      rows[#rows + 1] = row
      row.above, row.below = row.verdict == "higher", row.verdict == "lower"
    end
  end
  return rows
end

return dlsim
