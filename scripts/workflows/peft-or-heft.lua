-- PEFT against HEFT on the random graphs of both publications, and lookahead against HEFT: where which is better.
-- takes: seconds
-- perigee run workflows/peft-or-heft --out results     figures: peft-levels, peft-layers, lookahead
--   --set series=2                 so many series of 75 graphs of each kind (8 in layers, 4 in levels); claims with numbers need all
-- test: thorough --out "$OUT"

local settings = require "settings"
local drawn = require "drawn"
local series = settings.number("series", 8, 1, 8)
local all = series == 8
local source, elsewhere = "Arabnejad, Barbosa 2014, abstract", "an independent program"

local kinds = {
  { name = "layers", graphs = drawn.all(drawn.layered, series) },
  { name = "levels", graphs = drawn.all(drawn.levels, math.min(series, 4)) },
}

-- The ratio of makespans over all graphs, and by the values of one parameter.
local function by_parameter(kind, a, b, parameter)
  local values, seen = {}, {}
  for _, g in ipairs(kind.graphs) do
    if not seen[g[parameter]] then seen[g[parameter]], values[#values + 1] = true, g[parameter] end
  end
  table.sort(values)
  local out = {}
  for i, value in ipairs(values) do
    local _, x, y = drawn.only(kind.graphs, function(g) return g[parameter] == value end, a, b)
    out[i] = { value = value, ratio = drawn.ratio(x, y) }
  end
  return out
end

local found = {}
for _, kind in ipairs(kinds) do
  local a, b = drawn.makespans(kind.graphs, "peft"), drawn.makespans(kind.graphs, "heft")
  kind.ratio = drawn.ratio(a, b)
  kind.a, kind.b = a, b
  print(("graphs in %s, makespan of PEFT over that of HEFT: %s"):format(kind.name, drawn.text(kind.ratio)))
  local rows = {}
  for _, parameter in ipairs(kind.name == "levels" and { "fat", "beta", "ccr", "hosts", "n" } or { "alpha", "beta", "ccr", "hosts", "n" }) do
    for _, each in ipairs(by_parameter(kind, a, b, parameter)) do
      found[("%s %s %g"):format(kind.name, parameter, each.value)] = each.ratio
      print(("  %-6s %5g   %.3f +- %.3f  of %d"):format(parameter, each.value, each.ratio.mean, each.ratio.half_width, each.ratio.n))
    end
  end
  for i, g in ipairs(kind.graphs) do rows[i] = { ccr = g.ccr, ratio = a[i] / b[i], width = ("%s %g"):format(g.fat and "fat" or "alpha", g.fat or g.alpha) } end
  plot(rows, { x = "ccr", y = "ratio", by = "width", log_x = true, text = false, file = "peft-" .. kind.name,
               title = ("Makespan of PEFT over that of HEFT, %d graphs in %s"):format(#rows, kind.name) })
end

-- A statement about a ratio: it holds when the whole interval is on one side of 1.
local function below(ratio)
  if ratio.high < 1 then return true elseif ratio.low > 1 then return false end
  return "not decided"
end
local layers, levels = kinds[1], kinds[2]
claim { source = source, says = "PEFT has shorter schedules than HEFT, on graphs in levels as its own generator draws them", holds = below(levels.ratio),
        found = drawn.text(levels.ratio), verdict = "reproduces",
        note = "for narrow graphs, large beta and ccr of 0.8 and more; wide graphs and a ccr of 0.1 say the opposite, see below" }
claim { source = source, says = "PEFT has shorter schedules than HEFT, on graphs in layers as HEFT's publication draws them", holds = below(layers.ratio),
        found = drawn.text(layers.ratio), verdict = "does not reproduce" }
local function where(says, key, verdict)
  local ratio = found[key]
  if ratio then
    claim { source = source, says = "PEFT has shorter schedules than HEFT, on graphs in levels with " .. says, holds = below(ratio),
            found = ("%.3f +- %.3f of %d graphs"):format(ratio.mean, ratio.half_width, ratio.n), verdict = verdict }
  end
end
where("fat 0.1", "levels fat 0.1", "reproduces")
where("fat 0.4", "levels fat 0.4", "reproduces")
where("fat 0.8", "levels fat 0.8", "does not reproduce")
where("beta 2", "levels beta 2", "reproduces")
where("a ccr of 0.1", "levels ccr 0.1", "does not reproduce")

-- Lookahead costs more, so the smaller graphs: of at most 60 tasks and 8 hosts.
local small, b = drawn.only(layers.graphs, function(g) return g.n <= 60 and g.hosts <= 8 end, layers.b)
local ahead = drawn.makespans(small, "lookahead")
local ratio = drawn.ratio(ahead, b)
print(("graphs in layers, n <= 60, hosts <= 8, makespan of lookahead over that of HEFT: %s"):format(drawn.text(ratio)))
local small_kind, by_ccr, rows = { graphs = small }, {}, {}
for _, each in ipairs(by_parameter(small_kind, ahead, b, "ccr")) do
  by_ccr[each.value] = each.ratio
  print(("  %-6s %5g   %.3f +- %.3f  of %d"):format("ccr", each.value, each.ratio.mean, each.ratio.half_width, each.ratio.n))
end
for i, g in ipairs(small) do rows[i] = { ccr = g.ccr, ratio = ahead[i] / b[i], hosts = ("%d hosts"):format(g.hosts) } end
plot(rows, { x = "ccr", y = "ratio", by = "hosts", log_x = true, file = "lookahead",
             title = ("Makespan of lookahead over that of HEFT, %d graphs in layers"):format(#rows) })
claim { source = "Bittencourt, Sakellariou, Madeira 2010", says = "looking ahead shortens HEFT's schedules", holds = below(ratio), found = drawn.text(ratio),
        verdict = "reproduces", note = "at a ccr of 0.1 it is not distinguishable" }
claim { source = "Bittencourt, Sakellariou, Madeira 2010", says = "looking ahead shortens HEFT's schedules where a ccr is 10", holds = below(by_ccr[10]),
        found = ("%.3f +- %.3f"):format(by_ccr[10].mean, by_ccr[10].half_width), verdict = "reproduces" }
claim { source = "Bittencourt, Sakellariou, Madeira 2010", says = "looking ahead shortens HEFT's schedules where a ccr is 0.1", holds = below(by_ccr[0.1]),
        found = ("%.3f +- %.3f"):format(by_ccr[0.1].mean, by_ccr[0.1].half_width), verdict = "not decided" }

-- The numbers, where all graphs are there.
if all then
  local function number(says, ratio, mean, half_width, more)
    local shown = ("%.3f"):format(ratio.mean)
    claim { source = elsewhere, says = says, verdict = "reproduces", found = drawn.text(ratio),
            holds = shown == mean and (not half_width or ("%.3f"):format(ratio.half_width) == half_width)
              and (not more or (ratio.higher == more[1] and ratio.lower == more[2])) }
  end
  number("PEFT over HEFT in layers: 1.016 +- 0.007, worse on 370, better on 226", layers.ratio, "1.016", "0.007", { 370, 226 })
  number("PEFT over HEFT in levels: 0.976 +- 0.012", levels.ratio, "0.976", "0.012")
  number("PEFT over HEFT in levels, fat 0.1: 0.943", found["levels fat 0.1"], "0.943")
  number("PEFT over HEFT in levels, fat 0.4: 0.963", found["levels fat 0.4"], "0.963")
  number("PEFT over HEFT in levels, fat 0.8: 1.025", found["levels fat 0.8"], "1.025")
  number("PEFT over HEFT in levels, beta 2: 0.933", found["levels beta 2"], "0.933")
  number("PEFT over HEFT in levels, ccr 0.1: 1.018", found["levels ccr 0.1"], "1.018")
  local _, x, y = drawn.only(levels.graphs, function(g) return g.beta <= 0.2 end, levels.a, levels.b)
  number("PEFT over HEFT in levels, beta at most 0.2: 1.004", drawn.ratio(x, y), "1.004")
  number("lookahead over HEFT, n <= 60, hosts <= 8: 0.957 +- 0.013", ratio, "0.957", "0.013")
  claim { source = elsewhere, says = "lookahead is 14 % better than HEFT at a ccr of 10", holds = ("%.2f"):format(by_ccr[10].mean) == "0.86",
          found = drawn.text(by_ccr[10]), verdict = "reproduces" }
end
