-- Platforms drawn from Tables 2 and 3 of the IRMaSim thesis, whose clock rates are not printed, and eight policies on them; the scripts here use it.
-- takes: nothing, the other scripts here use it
-- test: no

local lists = {}

-- Nodes and the range of their clock rates, GHz. The last ranges have no upper end: 12.5 and 40 GHz go on as the others do.
lists.ranges = {
  low = { { 6, 1, 5 }, { 5, 5.01, 7.5 }, { 3, 7.51, 10 }, { 2, 10, 12.5 } },
  high = { { 4, 1, 10 }, { 4, 10.01, 20 }, { 4, 20, 30 }, { 4, 30, 40 } },
}
lists.jobs, lists.workloads = 512, setting("full", false) and 5 or 3

-- A list of clock rates, GHz; `top` is the upper end of the last range.
function lists.clocks(heterogeneity, seed, top)
  local rng, rates = stream("clocks " .. heterogeneity, seed), {}
  local ranges = lists.ranges[heterogeneity]
  for i, range in ipairs(ranges) do
    local upper = i == #ranges and top or range[3]
    for _ = 1, range[1] do rates[#rates + 1] = rng:uniform(range[2], upper) end
  end
  return rates
end

function lists.platform(rates)
  local nodes = {}
  for i, rate in ipairs(rates) do nodes[i] = host("node" .. i) { speed = rate * 1e9 } end
  return platform(nodes)
end

-- Jobs of one core, all at time 0, of 100 to 3000 s at 1 GHz; the same on both platforms.
function lists.workload(seed, number)
  local rng, list = stream("jobs " .. number, seed), {}
  for i = 1, lists.jobs do list[i] = { cores = 1, ops = rng:integer(100, 3000) * 1e9 } end
  return workload.jobs(list), list
end

-- The correlation of two lists.
function lists.correlation(x, y)
  local n, mx, my = #x, 0, 0
  for i = 1, n do mx, my = mx + x[i] / n, my + y[i] / n end
  local xy, xx, yy = 0, 0, 0
  for i = 1, n do
    xy, xx, yy = xy + (x[i] - mx) * (y[i] - my), xx + (x[i] - mx) ^ 2, yy + (y[i] - my) ^ 2
  end
  return xx > 0 and yy > 0 and xy / math.sqrt(xx * yy) or 0
end

-- Pairs of names that stand one way in one table of numbers and the other way in the other; more than a share `margin` apart in both.
function lists.exchanged(names, a, b, margin)
  local found = {}
  for i, one in ipairs(names) do
    for k = i + 1, #names do
      local other = names[k]
      local first, second = a[one] / a[other] - 1, b[one] / b[other] - 1
      if first * second < 0 and math.min(math.abs(first), math.abs(second)) > (margin or 0) then found[#found + 1] = one .. " and " .. other end
    end
  end
  return found
end

-- The 95 % interval of a mean as a text.
function lists.interval(values, form)
  local i = stats.interval(values)
  return ((form or "%.2f") .. " +- " .. (form or "%.2f")):format(i.mean, i.half_width or 0)
end

return lists
