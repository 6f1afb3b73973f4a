-- Every mapper on the matrices of Braun et al. (2001) that lie below --data DIR, beside published makespans.
-- takes: seconds a matrix
-- perigee run scripts/braun/makespans.lua --data DIR --out results     DIR or DIR/braun has u_c_hihi.0 and so on
-- test: thorough --data "$(cd "$ROOT/../shared/data" 2>/dev/null && pwd || echo "$OUT")"

local names = {}
for _, consistency in ipairs { "c", "i", "s" } do
  for _, class in ipairs { "hihi", "hilo", "lohi", "lolo" } do
    names[#names + 1] = ("u_%s_%s.0"):format(consistency, class)
  end
end
local matrices, found = {}, {}
for _, name in ipairs(names) do
  for _, folder in ipairs { "", "braun/" } do
    local ok, m = pcall(etc.read, folder .. name)
    if ok and not matrices[name] then matrices[name], found[#found + 1] = m, name end
  end
end
if #found == 0 then
  print "none of the matrices is here: pass their folder as --data DIR"
  return
end

local mappers = {}
for _, name in ipairs(schedulers "mapping") do
  if name ~= "pairing" and name ~= "optimal" then mappers[#mappers + 1] = name end
end
local with_passes = #mappers + 1
mappers[with_passes] = sufferage { form = "passes" }

local e = experiment "braun" {
  factors = { { "matrix", found }, { "mapper", mappers } },
  run = function(f, seed) return { makespan = map(f.mapper, matrices[f.matrix], { seed = seed }).makespan } end,
}

local makespan, labels, seen = {}, {}, {}
for _, row in ipairs(e:rows()) do
  makespan[row.matrix] = makespan[row.matrix] or {}
  makespan[row.matrix][row.mapper] = row.makespan
  if not seen[row.mapper] then
    seen[row.mapper], labels[#labels + 1] = true, row.mapper
  end
end
local head = ("%-30s"):format("makespan, s")
for _, name in ipairs(found) do head = head .. ("%18s"):format(name) end
print(head)
for _, label in ipairs(labels) do
  local line = ("%-30s"):format(label)
  for _, name in ipairs(found) do line = line .. ("%18.3f"):format(makespan[name][label]) end
  print(line)
end
local line = ("%-30s"):format("no mapping is shorter than")
for _, name in ipairs(found) do line = line .. ("%18.3f"):format(matrices[name]:makespan_bound()) end
print(line .. "\n")

for _, name in ipairs(found) do
  for _, label in ipairs(labels) do
    expect(makespan[name][label] >= matrices[name]:makespan_bound() * (1 - 1e-12), label .. " keeps to the bound on " .. name)
  end
end
-- The mappers that Braun et al. compare, and two more, beside min-min.
local drawn = { "olb", "met", "mct", "min_min", "max_min", "duplex", "ga", "sa", "gsa", "tabu", "a_star", "sufferage", "local_search" }
local ratios = {}
for _, mapper in ipairs(drawn) do
  for _, name in ipairs(found) do
    ratios[#ratios + 1] = { mapper = mapper, matrix = name, ratio = makespan[name][mapper] / makespan[name].min_min }
  end
end
plot(ratios, { x = "mapper", y = "ratio", kind = "box", log_y = true, text = false, file = "braun",
               title = ("Makespan / that of min-min, %d matrices of Braun et al."):format(#found) })

-- Published to three places.
local published = { ["u_c_hihi.0"] = 8460675.003, ["u_i_hihi.0"] = 3513919.281, ["u_i_lolo.0"] = 2785.645, ["u_s_hilo.0"] = 104375.164 }
for _, name in ipairs(found) do
  if published[name] then
    claim { source = "Braun et al. 2001, as tabulated by later comparisons", says = "makespan of min-min on " .. name,
            value = makespan[name].min_min, published = published[name], margin = 0.001, verdict = "reproduces" }
  end
end
local better = true
for _, name in ipairs(found) do better = better and makespan[name].min_min < makespan[name].max_min end
claim { source = "Braun et al. 2001, as the IRMaSim thesis cites it in section 5.3.3", holds = better,
        says = "min-min maps better than max-min on general matrices, all of these", verdict = "reproduces" }
