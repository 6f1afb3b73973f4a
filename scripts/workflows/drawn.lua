-- The random graphs of the comparisons: 600 of layers, 300 of levels, and what is measured of a schedule.
-- takes: nothing, the other scripts here use it
-- test: no
local drawn = {}

-- The n-th (from 0) of a list, which begins again at its end.
local function of(list, n) return list[n % #list + 1] end

-- One graph with what it was drawn by, and what its measures need: the longest path by least times without communication, and the sum of
-- all times on the host where it is least.
local function one(parameters, g)
  local c = cost.graph(g)
  local shortest, sum = 0, math.huge
  for i = 1, c:tasks() do shortest = math.max(shortest, c:upward_rank(i, { computation = "best", communication = "none" })) end
  for p = 1, c:machines() do
    local all = 0
    for i = 1, c:tasks() do all = all + c:time(i, p) end
    sum = math.min(sum, all)
  end
  parameters.graph, parameters.problem, parameters.shortest, parameters.sum = g, c, shortest, sum
  return parameters
end

-- Series r = 0 ... 7, number k = 0 ... 74 of the graphs in layers: n slowest, then alpha, then ccr; the others change beside them.
function drawn.layered(r, k)
  local p = {
    n = of({ 20, 40, 60, 80, 100 }, k // 15), alpha = of({ 0.5, 1, 2 }, k // 5), ccr = of({ 0.1, 0.5, 1, 5, 10 }, k),
    beta = of({ 0.1, 0.25, 0.5, 0.75, 1 }, k + r), hosts = of({ 4, 8, 16 }, k // 5 + r), degree = of({ 1, 2, 3, 4, 5 }, k // 3 + r),
    seed = 1000 * r + k + 1,
  }
  return one(p, graph.layered { tasks = p.n, alpha = p.alpha, degree = p.degree, hosts = p.hosts, ccr = p.ccr, beta = p.beta,
                                rng = stream.splitmix(p.seed) })
end

-- Series r = 0 ... 3, number k = 0 ... 74 of the graphs in levels: n slowest, then ccr, then fat.
function drawn.levels(r, k)
  local p = {
    n = of({ 10, 20, 40, 60, 100 }, k // 15), ccr = of({ 0.1, 0.8, 2, 5, 10 }, k // 3), fat = of({ 0.1, 0.4, 0.8 }, k),
    density = of({ 0.2, 0.8 }, k + r), regularity = of({ 0.2, 0.8 }, k // 2 + r), jump = of({ 1, 2, 4 }, k // 3 + r),
    beta = of({ 0.1, 0.2, 0.5, 1, 2 }, k // 5 + r), hosts = of({ 4, 8, 16 }, k // 7 + r), seed = 50000 + 1000 * r + k,
  }
  return one(p, graph.levels { tasks = p.n, fat = p.fat, regularity = p.regularity, density = p.density, jump = p.jump, hosts = p.hosts,
                               ccr = p.ccr, beta = p.beta, rng = stream.splitmix(p.seed) })
end

-- All graphs of the first series: drawn.all(drawn.layered, 8) has 600.
function drawn.all(draw, series)
  local list = {}
  for r = 0, series - 1 do
    for k = 0, 74 do list[#list + 1] = draw(r, k) end
  end
  return list
end

-- Makespan of a scheduler on each of the graphs.
function drawn.makespans(graphs, name)
  local list = {}
  for i, each in ipairs(graphs) do list[i] = schedule(name, each.problem).makespan end
  return list
end

-- The geometric mean of a / b, with its 95 % interval, and how often a is less, equal or more.
function drawn.ratio(a, b)
  local logs, n = {}, { lower = 0, equal = 0, higher = 0 }
  for i = 1, #a do
    logs[i] = math.log(a[i] / b[i])
    local far = math.abs(a[i] - b[i]) > 1e-9 * math.max(1, math.abs(a[i]), math.abs(b[i]))
    local side = not far and "equal" or a[i] < b[i] and "lower" or "higher"
    n[side] = n[side] + 1
  end
  local all = stats.interval(logs)
  return { mean = math.exp(all.mean), half_width = (math.exp(all.high) - math.exp(all.low)) / 2, low = math.exp(all.low), high = math.exp(all.high),
           n = #a, lower = n.lower, equal = n.equal, higher = n.higher }
end

-- The same as a text.
function drawn.text(ratio)
  return ("%.3f +- %.3f; worse on %d, equal on %d, better on %d of %d"):format(ratio.mean, ratio.half_width, ratio.higher, ratio.equal,
                                                                               ratio.lower, ratio.n)
end

-- The members of a list, and of others beside it, for whose graph `where` is true.
function drawn.only(graphs, where, ...)
  local out = {}
  for k, list in ipairs { graphs, ... } do
    out[k] = {}
    for i, each in ipairs(graphs) do if where(each) then out[k][#out[k] + 1] = list[i] end end
  end
  return table.unpack(out)
end

return drawn
