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
  for name, value in pairs(given) do loads[name] = value end
  local nodes, setup, channel = loads.nodes or 256, loads.setup or 0, loads.channel or "load"
  loads.nodes, loads.setup, loads.channel = nil, nil, nil
  return scenario {
    platform = platform { cluster "c" {
      nodes = nodes, setup = setup,
      link = { bandwidth = 1, latency = setup, sharing = channel == "load" and "unlimited" or "exclusive" },
    } },
    workload = workload.random_loads(loads),
  }
end

-- What the figures show. The publication counts the time for which nodes receive and compute up to the horizon T, of N T;
-- the metric `utilization` begins with the first arrival.
function dlsim.measure(r)
  return { reject_ratio = r.reject_ratio, utilization = r["utilization.system"], miss_ratio = r.miss_ratio, missed = r.missed }
end

-- "EDF-OPR-MN": as the publication names what fifo, edf and mwf are with their parameters.
function dlsim.algorithm(name)
  local order, partition, nodes = name:match "^(%u+)%-(%u+)%-(%u+)$"
  return ({ EDF = edf, FIFO = fifo, MWF = mwf })[order] {
    partition = ({ OPR = "optimal", EPR = "equal" })[partition], nodes = ({ MN = "fewest", AN = "all" })[nodes],
  }
end

-- An experiment of some algorithms. `factors` are named as the fields of dlsim.scenario, or `given(f)` is what these are.
-- Measured is what arrives before the horizon, and what the nodes do until then.
function dlsim.experiment(name, algorithms, factors, given)
  local all = {}
  for i, factor in ipairs(factors) do all[i] = factor end
  all[#all + 1] = { "algorithm", algorithms }
  return experiment(name) {
    factors = all,
    replications = setting("replications", dlsim.full and 10 or 5),
    run = function(f)
      local fields = given(f)
      for _, factor in ipairs(factors) do fields[factor[1]] = f[factor[1]] end
      return dlsim.scenario(fields):run { policy = dlsim.algorithm(f.algorithm), horizon = fields.horizon }
    end,
    measure = dlsim.measure,
  }
end

-- The difference of a measure between two algorithms within the same replications, at each combination of the other
-- factors for which where(row) holds: at how many points it is `lower` or `higher` beyond its 95 % interval, the `mean` of all, and
-- that as a `text`.
function dlsim.difference(e, measure, of, minus, where)
  local found = { n = 0, lower = 0, higher = 0, mean = 0, rows = {} }
  for _, row in ipairs(e:compare(measure, { factor = "algorithm", baseline = minus })) do
    if row.algorithm == of and (not where or where(row)) then
      found.rows[#found.rows + 1] = row
      found.n, found.mean = found.n + 1, found.mean + row.difference
      if found[row.verdict] then found[row.verdict] = found[row.verdict] + 1 end
    end
  end
  found.mean = found.mean / found.n
  found.text = ("%+.3f on average; lower at %d and higher at %d of %d points"):format(found.mean, found.lower, found.higher, found.n)
  return found
end

-- A claim that such a difference is `sense`, "lower" or "higher": beyond the interval somewhere, and nowhere the contrary.
function dlsim.claim(figure, says, difference, sense, verdict)
  local contrary = sense == "lower" and "higher" or "lower"
  claim { source = dlsim.source .. ", " .. figure, says = says, holds = difference[sense] > 0 and difference[contrary] == 0,
          found = difference.text, verdict = verdict }
end

-- Figures of a measure by `x`, a curve for each algorithm: FILE, or FILE-LEVEL for each level of `by`.
function dlsim.plot(e, measure, file, x, by)
  local figures = {}
  for _, row in ipairs(e:rows()) do
    local name = by and ("%s-%s"):format(file, row[by]) or file
    if not figures[name] then
      figures[name] = { title = by and ("%s %s"):format(by, row[by]) or nil }
      figures[#figures + 1] = name
    end
    table.insert(figures[name], row)
  end
  for _, name in ipairs(figures) do
    plot(figures[name], { x = x, y = measure, by = "algorithm", file = name, title = figures[name].title })
  end
end

-- Prints a measure, a line for each value of `x` and a column for each algorithm, one block for each level of `by`.
function dlsim.show(e, measure, x, by)
  local lines, columns = {}, {}
  for _, row in ipairs(e:table(measure)) do
    local block = by and ("%s %s"):format(by, row[by]) or ""
    local last = lines[#lines]
    if not last or last.block ~= block or last.x ~= row[x] then
      last = { block = block, x = row[x] }
      lines[#lines + 1] = last
    end
    if not columns[row.algorithm] then columns[#columns + 1], columns[row.algorithm] = row.algorithm, true end
    last[row.algorithm] = ("%.3f +- %.3f"):format(row[measure], row[measure .. "_half_width"])
  end
  local block
  local function line_of(first, texts)
    local line = ("%8s"):format(first)
    for _, name in ipairs(columns) do line = line .. ("  %15s"):format(texts and texts[name] or name) end
    print(line)
  end
  for _, line in ipairs(lines) do
    if line.block ~= block then
      block = line.block
      print("\n" .. measure .. (by and ", " .. block or ""))
      line_of(x)
    end
    line_of(line.x, line)
  end
end

return dlsim
