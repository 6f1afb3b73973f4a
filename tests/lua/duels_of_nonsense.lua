-- Random declarations of parameters, spaces, duels and tournaments: each is accepted or refused with a code, and none is the fault of the
-- program. An accepted one keeps its promises: draws can be built and sizes are counts.
-- expect: nonsense is refused, sense is not
-- test: thorough
local state = setting("seed", 1)
local function below(n)  -- a generator of this test's own: 0 to n - 1
  state = (state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
  return (state >> 33) % n
end
local function one_of(list) return list[1 + below(#list)] end
local function chance(percent) return below(100) < percent end
local wild = true  -- half of the rounds mean well
local function wildly(percent) return wild and chance(percent) end
local rounds = setting("rounds", 1500)

local codes, accepted = {}, 0
local function attempt(f)
  local good, result = pcall(f)
  if good then
    accepted = accepted + 1
    return result
  end
  local text = tostring(result)
  local has_code = type(result) ~= "string" and type(result.code) == "string" and result.code ~= ""
  if not has_code then error("an error without a code: " .. text, 0) end
  if text:find("fault of perigee", 1, true) or text:find("internal error", 1, true) or result.code == "internal" then
    error("a fault: " .. text, 0)
  end
  codes[result.code] = (codes[result.code] or 0) + 1
end

local function odd()
  return one_of {
    function() return 0 / 0 end, function() return math.huge end, function() return -1 end, function() return 0 end, function() return 2.5 end,
    function() return "text" end, function() return true end, function() return {} end, function() return function() end end, function() return 1e300 end,
    function() return math.maxinteger end, function() return { 1 } end, function() return "" end, function() return { 2, 1 } end,
    function() return vary.flag end, function() return -0.0 end, function() return { { { 1 } } } end, function() return "2" end,
  }()
end
local function number(low, high) return wildly(8) and odd() or low + below(high - low + 1) end
local function bounds()
  if wildly(6) then return odd() end
  local low = below(4)
  local given = { low, low + below(4) }
  if wildly(4) then given[1 + below(3)] = odd() end
  return given
end
local function count()
  if wildly(6) then return odd() end
  if chance(10) then
    local said = number(0, 3)
    return function() return said end
  end
  if chance(10) then return function(x) return #(x.p1 or x.p2 or {}) end end
  if chance(50) then return number(0, 4) end
  local least = below(3)
  return { least, least + below(3) }
end
local parameter
local function record(depth)
  local all = {}
  for i = 1, below(3) + 1 do all["p" .. i] = parameter(depth + 1) end
  return all
end
local function fields(given)
  if wildly(5) then given[one_of { "n", "of", "edge", "rows", "step", "scale", "after", "nonsense", 1, 2 }] = odd() end
  if wildly(6) then given.after = chance(80) and { one_of { "p1", "p2", "p3", "p9" } } or odd() end
  return given
end
function parameter(depth)
  if wildly(4) then return odd() end
  local kind = below(depth > 3 and 4 or 10)
  if kind == 0 then
    local given = bounds()
    if type(given) == "table" and chance(20) then given.scale = not wildly(20) and "log" or odd() end
    if type(given) == "table" and chance(20) then given.step = number(0, 1) end
    return vary.real(given)
  elseif kind == 1 then
    return vary.whole(bounds())
  elseif kind == 2 then
    local all = {}
    for i = 1, below(4) + (wild and 0 or 1) do all[i] = wildly(20) and odd() or i end
    return vary.choice(all)
  elseif kind == 3 then
    return vary.flag
  elseif kind <= 5 then
    return vary.list(fields { n = count(), of = parameter(depth + 1) })
  elseif kind == 6 then
    return vary.matrix(fields { rows = count(), columns = count(), of = parameter(depth + 1) })
  elseif kind == 7 then
    return vary.permutation(fields { n = count() })
  elseif kind == 8 then
    return vary.dag(fields { n = count(), edge = parameter(depth + 1) })
  end
  return record(depth)
end

-- A number made of all that a case has.
local function sum(value)
  if type(value) == "number" then return value == value and math.abs(value) < 1e6 and math.abs(value) or 1 end
  if type(value) ~= "table" then return 1 end
  local all = 0
  for _, inner in pairs(value) do all = all + sum(inner) end
  return all
end
local function times(x)
  local n = 1 + math.floor(sum(x)) % 3
  local all = {}
  for t = 1, 3 do all[t] = { n + t, 1 + (n * t) % 4 } end
  return all
end
local builders = {
  function(x) return etc(times(x)) end, function(x) return etc(times(x)) end, function(x) return times(x) end, function() return nil end,
  function(x) return 1 + sum(x) end, function(x) error "no luck" end, function(x) x.p1 = nil return etc(times(x)) end,
  function(x) return etc {} end, function(x) return etc { { 0 / 0 } } end, function(x) return scenario {} end,
}
local function days(x)
  local tasks = {}
  for i, row in ipairs(times(x)) do tasks[i] = { time = row[1] } end
  return scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks(tasks) }
end
local function side(days)
  if not wild then
    return days and one_of { "fcfs", "sjf", "easy", function(x) return 1 + sum(x) end } or
           one_of { "mct", "min_min", "olb", kpb { k = 30 }, function(x) return 1 + sum(x) end, function(x) return 1 / (1 + sum(x)) end }
  end
  return one_of {
    "mct", "min_min", "olb", "max_min", "fcfs", "sjf", "heft", "annealing", "nobody", kpb { k = 30 }, mct, function(x) return 1 + sum(x) end,
    function(x) return #(x.p1 or {}) end, function() return 0 end, function() end, function() return -1 end, function() error "lost" end,
    function() return {} end, function(x) return days(x):run { policy = "fcfs" } end, function() return 1 / 0 end, function() return 0 / 0 end,
    function(x, seed) return seed + 1 end,
  }
end
local function options(given)
  if chance(30) then given.search = one_of { "annealing", "genetic", "pisa", "random_search", "exhaustive", "cma_es", wild and "mct" or nil, wild and 3 or nil } end
  if chance(20) then given.by = one_of { "difference", "ratio", wild and "sum" or nil } end
  if wildly(30) then given.measure = one_of { "makespan", "mean_response", "nothing", 3, function(r) return r.makespan end, function() return "x" end } end
  if chance(20) then given.better = one_of { "less", "more", wild and "most" or nil } end
  if chance(20) then given.seeds = number(1, 3) end
  if chance(20) then given.seed = number(0, 9) end
  if chance(20) then given.incomplete = one_of { "worst", "skip" } end
  if chance(20) then given.zero = one_of { "worst", "skip", wild and 3 or nil } end
  if chance(40) then given.errors = "skip" end
  if chance(20) then given.search_for = one_of { "worst", "robust", wild and "best" or nil } end
  if chance(20) then given.shrink = number(0, 50) end
  if chance(20) then given.keep = one_of { 0, 0.5, 1, wild and 2 or nil, wild and "all" or nil } end
  if chance(20) then given.shake = one_of { {}, { 0.1 }, { 0, 1 }, wild and { 2 } or nil, wild and 0.1 or nil, wild and { "x" } or nil } end
  if chance(20) then given.horizon = number(0, 5) end
  if wildly(5) then given[one_of { "nonsense", "budget", "space", "a", "time", "warmup", "information" }] = odd() end
  given.draws = 3
  return given
end

local spaces, answers = 0, 0
for round = 1, rounds do
  wild = round % 2 == 0
  local on_days = chance(30)
  local s = attempt(function()
    local given = record(0)
    if on_days then given.scenario = days else given.problem = wild and one_of(builders) or builders[1] end
    if wildly(4) then given[one_of { "scenario", "problem", "valid", "move", "p1", "a b", "end", "", 1 }] = odd() end
    if wildly(20) then given.valid = one_of { function() return true end, function(x) return sum(x) > 2 end, function() return false end, function() return 3 end } end
    if wildly(20) then
      given.move = one_of { function(x) return x end, function() end, function(x) x.p1 = 77 return x end, function() return 3 end, function() error "stuck" end,
                            function(x, rng) x.p1 = rng:uniform(0, 1) return x end }
    end
    return space("s" .. round)(given)
  end)
  if s then
    spaces = spaces + 1
    attempt(function() return tostring(s) end)
    local n = attempt(function() return s:size() end)
    if n and not (n >= 0) then error("a size: " .. tostring(n), 0) end
    for seed = 1, 2 do attempt(function() return s:draw(seed) end) end
    attempt(function() return s:draw(odd()) end)
    local d = attempt(function() return duel(options { a = side(on_days), b = side(on_days), space = s, budget = 1 + below(40) }) end)
    if d then
      answers = answers + 1
      attempt(function() return tostring(d) end)
      attempt(function() return d:small() end)
      attempt(function() return d:shaken() end)
      attempt(function() return d:history() end)
      if chance(30) then attempt(function() return d:robust() end) end
      if chance(30) then attempt(function() return d:back() end) end
      if chance(30) then attempt(function() return d:difference() end) end
      if chance(30) then attempt(function() return d.a, d.b end) end
      if chance(30) then attempt(function() return d:write "case.lua" end) end
    end
    if chance(5) then
      attempt(function()
        local t = tournament(options { schedulers = { side(on_days), side(on_days), side(on_days) }, space = s, budget = 1 + below(20) })
        return tostring(t) .. t:csv()
      end)
    end
  end
end
local kinds = 0
for _ in pairs(codes) do kinds = kinds + 1 end
if setting("show", false) then
  for code, n in pairs(codes) do print(n, code) end
  print(spaces, answers, accepted)
end
expect(kinds >= 10, "kinds of errors: " .. kinds)
expect(codes.bad_space and codes.bad_space > 20, "spaces are refused")
expect(spaces > rounds / 3 and answers > rounds / 10, ("spaces %d, answers %d"):format(spaces, answers))
print "nonsense is refused, sense is not"
