-- Fifteen graph schedulers on 600 random graphs in layers: schedule length ratio, speed-up and efficiency, beside Topcuoglu et al. (2002).
-- takes: seconds
-- perigee run workflows/rankings --out results     figures: slr-ccr, slr-beta, slr-alpha, slr-hosts, slr-n, speedup-hosts, efficiency-hosts
--   --set series=2                 so many of the eight series of 75 graphs (8); the numbers of all 600 are claims then alone
-- test: thorough --out "$OUT"

local settings = require "settings"
local verdicts = require "verdicts"
local drawn = require "drawn"
local series = settings.number("series", 8, 1, 8)
local graphs = drawn.all(drawn.layered, series)
local source, elsewhere = "Topcuoglu, Hariri, Wu 2002, section 5", "an independent program"

-- Mean SLR of all 600, by an independent program.
local known = {
  { "heft", 2.7737 }, { "peft", 2.8217 }, { "hcpt", 2.8223 }, { "min_min", 2.8511 }, { "dls", 2.8845 }, { "mcp", 2.9055 }, { "cpop", 2.9425 },
  { "bil", 3.0087 }, { "etf", 3.0104 }, { "mct", 3.0561 }, { "hlfet", 3.2283 }, { "max_min", 3.2702 }, { "linear_clustering", 4.0764 },
  { "olb", 5.1658 }, { "met", 5.2517 },
}

-- Schedule length ratio: makespan over the longest path by least times. Speed-up: the time of all tasks on the one best host over it.
local makespans, slr, rows = {}, {}, {}
for _, each in ipairs(known) do
  local name = each[1]
  makespans[name], slr[name] = drawn.makespans(graphs, name), {}
  for i, g in ipairs(graphs) do
    local m = makespans[name][i]
    slr[name][i] = m / g.shortest
    rows[#rows + 1] = { scheduler = name, slr = m / g.shortest, speedup = g.sum / m, efficiency = g.sum / m / g.hosts, ccr = g.ccr, beta = g.beta,
                        alpha = g.alpha, hosts = g.hosts, n = g.n }
  end
end

print(("%d graphs; means with 95 %% intervals; the ratio is the geometric mean of makespan / that of heft"):format(#graphs))
print(("%-18s %16s  %16s  %s"):format("scheduler", "SLR", "ratio", "graphs where it is worse, equal, better"))
for _, each in ipairs(known) do
  local name = each[1]
  local mean, ratio = stats.interval(slr[name]), drawn.ratio(makespans[name], makespans.heft)
  print(("%-18s %7.4f +- %.4f   %.3f +- %.3f  %d %d %d"):format(name, mean.mean, mean.half_width, ratio.mean, ratio.half_width, ratio.higher,
                                                               ratio.equal, ratio.lower))
end

-- Against one parameter at a time: means over all graphs, with intervals.
local shown = {}
for _, row in ipairs(rows) do
  for _, name in ipairs { "heft", "cpop", "peft", "dls", "etf", "hlfet" } do
    if row.scheduler == name then shown[#shown + 1] = row end
  end
end
print ""
for _, parameter in ipairs { "ccr", "beta", "alpha", "hosts", "n" } do
  plot(shown, { x = parameter, y = "slr", by = "scheduler", file = "slr-" .. parameter, text = parameter == "ccr", log_x = parameter == "ccr",
                title = ("Schedule length ratio against %s, %d graphs in layers"):format(parameter, #graphs) })
end
for _, measure in ipairs { "speedup", "efficiency" } do
  plot(shown, { x = "hosts", y = measure, by = "scheduler", file = measure .. "-hosts", text = false,
                title = ("%s against hosts, %d graphs in layers"):format(measure, #graphs) })
end

-- Ranks by other times, and without gaps.
local function with(scheduler) return drawn.makespans(graphs, scheduler) end
local function mean_slr(list)
  local sum = 0
  for i, m in ipairs(list) do sum = sum + m / graphs[i].shortest end
  return sum / #list
end
local heft_mean, most, parts, least_one, most_one = mean_slr(makespans.heft), 0, {}, 1, 1
for _, how in ipairs { "median", "best", "worst" } do
  local list = with(heft { computation = how, communication = how })
  local change = drawn.ratio(list, makespans.heft).mean - 1
  most = math.max(most, math.abs(change))
  parts[#parts + 1] = ("%s %+.2f %% (mean SLR %+.2f %%)"):format(how, 100 * change, 100 * (mean_slr(list) / heft_mean - 1))
  for i, m in ipairs(list) do
    least_one, most_one = math.min(least_one, m / makespans.heft[i]), math.max(most_one, m / makespans.heft[i])
  end
end
local append = with(list_schedule { insertion = false })
local gaps = drawn.ratio(append, makespans.heft)

-- Claims. Differences are paired: of the same graph.
local function less(a, b)
  local points = { name = "", values = {} }
  for i = 1, #graphs do points.values[i] = slr[a][i] - slr[b][i] end
  return { ("%s - %s"):format(a, b), verdicts.always({ points }, "lower") }
end
local by = { cpop = drawn.ratio(makespans.cpop, makespans.heft), dls = drawn.ratio(makespans.dls, makespans.heft) }
for _, name in ipairs { "cpop", "dls" } do
  local one = less("heft", name)[2]
  claim { source = source, says = ("HEFT has a better mean SLR than %s"):format(name:upper()), holds = one.holds, found = one.found,
          verdict = "reproduces" }
end
local function margin(name, published, verdict)
  local found = mean_slr(makespans[name]) / heft_mean - 1
  -- Whether the published margin lies within the interval of the paired ratios.
  local ratio = by[name]
  local holds = ratio.low <= 1 + published and 1 + published <= ratio.high
  claim { source = source, says = ("HEFT's SLR is better than that of %s by %g %%"):format(name:upper(), 100 * published), verdict = verdict,
          holds = holds, found = ("mean SLR %+.1f %%, ratio of makespans %.3f +- %.3f"):format(100 * found, ratio.mean, ratio.half_width) }
end
if series == 8 then
  margin("cpop", 0.07, "reproduces")
  margin("dls", 0.08, "does not reproduce")
end
local order = verdicts.all { less("heft", "dls"), less("dls", "cpop"), less("cpop", "etf"), less("etf", "hlfet") }
claim { source = elsewhere, says = "by mean SLR HEFT is before DLS, DLS before CPOP, CPOP before ETF, ETF before HLFET", holds = order.holds,
        found = order.found, verdict = "reproduces" }

claim { source = "Zhao, Sakellariou 2003", says = "what counts as the time of a task in ranks makes large differences on single graphs",
        holds = least_one < 0.9 and most_one > 1.1, verdict = "reproduces",
        found = ("makespans of HEFT by median, best or worst times are %.2f to %.2f of those by means"):format(least_one, most_one) }
if series == 8 then
  for _, each in ipairs(known) do
    claim { source = elsewhere, says = "mean SLR of " .. each[1], value = mean_slr(makespans[each[1]]), published = each[2], margin = 0.00005,
            verdict = "reproduces" }
  end
  claim { source = elsewhere, says = "CPOP's makespan over that of HEFT is 1.071 +- 0.009; it is worse on 443 graphs and better on 152",
          holds = ("%.3f %.3f"):format(by.cpop.mean, by.cpop.half_width) == "1.071 0.009" and by.cpop.higher == 443 and by.cpop.lower == 152,
          found = drawn.text(by.cpop), verdict = "reproduces" }
  claim { source = elsewhere, says = "without gaps HEFT is worse on 278 graphs, equal on 291 and better on 31, by 2.5 % in the geometric mean",
          holds = gaps.higher == 278 and gaps.equal == 291 and gaps.lower == 31 and ("%.3f"):format(gaps.mean) == "1.025",
          found = ("%s; mean SLR %+.1f %%"):format(drawn.text(gaps), 100 * (mean_slr(append) / heft_mean - 1)), verdict = "reproduces" }
  claim { source = elsewhere, says = "mean, median, best or worst times in ranks change the geometric mean of HEFT's makespans by less than 0.2 %",
          holds = most < 0.002, found = table.concat(parts, ", "), verdict = "reproduces" }
end

-- Some graphs with their numbers, each by its own seed.
print ""
for _, row in ipairs {
  { 20, 1, 3, 1, 1, 4, 1, 32, { 292.2877, 321.8173, 298.1973, 330.2254, 320.5807, 355.3669 } },
  { 40, 0.5, 4, 5, 0.5, 4, 2, 83, { 2289.6019, 2365.9473, 2055.6600, 1973.4228, 1905.1760, 2234.5030 } },
  { 60, 1, 4, 1, 1, 8, 3, 148, { 1032.9400, 1083.4482, 996.0498, 1033.9998, 1030.4268, 1052.8322 } },
  { 60, 2, 5, 0.1, 1, 8, 4, 137, { 331.6989, 398.1576, 375.5968, 336.8080, 323.8278, 420.0839 } },
} do
  local n, alpha, degree, ccr, beta, hosts, seed, edges, published = table.unpack(row)
  local g = graph.layered { tasks = n, alpha = alpha, degree = degree, ccr = ccr, beta = beta, hosts = hosts, rng = stream.splitmix(seed) }
  local right, found = #g:edges() == edges, { #g:edges() .. " edges" }
  for i, name in ipairs { "heft", "cpop", "peft", "lookahead", "dls", "min_min" } do
    local m = schedule(name, cost.graph(g)).makespan
    right = right and math.abs(m - published[i]) <= 0.00005
    found[#found + 1] = ("%s %.4f"):format(name, m)
  end
  claim { source = elsewhere, says = ("six makespans of the graph in layers of %d tasks with seed %d"):format(n, seed), holds = right,
          found = table.concat(found, ", "), verdict = "reproduces" }
end
