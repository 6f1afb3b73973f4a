-- An error of a space or a duel has a code, and says what is allowed.
-- expect: all are refused
local function refused(code, text, f)
  local ok, problem = pcall(f)
  if ok then error("accepted: " .. text, 2) end
  if problem.code ~= code then error(("%s: expected %s, got %s: %s"):format(text, code, tostring(problem.code), tostring(problem)), 2) end
  if not tostring(problem):find(text, 1, true) then error(("%s is not: %s"):format(tostring(problem), text), 2) end
end
local n = vary.whole { 1, 3 }
local function one() return 1 end
local function problem(x) return etc { { x.n or 1, 2 } } end

-- ---- bad_space: parameters ----
refused("bad_space", "the lower bound must not exceed the upper one, got 2 and 1", function() return vary.real { 2, 1 } end)
refused("bad_space", "the lower bound must not exceed the upper one, got 2 and 1", function() return vary.whole { 2, 1 } end)
refused("bad_space", "the lower bound must be a finite number, got 'low'", function() return vary.real { "low", 1 } end)
refused("bad_space", "the lower bound must be a finite number, got nan", function() return vary.real { 0 / 0, 1 } end)
refused("bad_space", "the upper bound must be a finite number, got inf", function() return vary.real { 0, math.huge } end)
refused("bad_space", "the upper bound must be a whole number, got 1.5", function() return vary.whole { 0, 1.5 } end)
refused("bad_space", "two bounds are needed, { low, high }, got 1", function() return vary.real { 1 } end)
refused("bad_space", "two bounds are needed, { low, high }, got 3", function() return vary.whole { 1, 2, 3 } end)
refused("bad_space", "two bounds are needed, { low, high }, got 0", function() return vary.real {} end)
refused("bad_space", "too far from 0", function() return vary.whole { 0, 1e17 } end)
refused("bad_space", "one value at least is needed", function() return vary.choice {} end)
refused("bad_space", "a list of values is needed, got 3", function() return vary.choice(3) end)
refused("bad_space", "the lower bound must be > 0, got 0", function() return vary.real { 0, 1, scale = "log" } end)
refused("bad_space", "n must be whole numbers from 0 to 1000000, got -1", function() return vary.list { n = -1, of = n } end)
refused("bad_space", "n must be whole numbers from 0 to 1000000, got 1000001", function() return vary.list { n = 1000001, of = n } end)
refused("bad_space", "n must be whole numbers from 0 to 1000000, got 2.5", function() return vary.permutation { n = 2.5 } end)
refused("bad_space", "rows must be whole numbers", function() return vary.matrix { rows = "two", columns = 1, of = n } end)
refused("bad_space", "the least must not exceed the most, got 3 and 2", function() return vary.matrix { rows = 1, columns = { 3, 2 }, of = n } end)
refused("bad_space", "n must be { least, most }, got 3 entries", function() return vary.dag { n = { 1, 2, 3 }, edge = n } end)
refused("bad_space", "a parameter such as vary.real { 0, 1 }", function() return vary.list { n = 1, of = 3 } end)
refused("bad_space", "a count may be a function in a field of a table with names only",
        function() return vary.list { n = 2, of = vary.list { n = one, of = n } } end)
refused("unknown_field", "unknown field 'off'; did you mean 'of'?", function() return vary.list { n = 1, of = n, off = 2 } end)
refused("bad_field", "'n' is missing", function() return vary.list { of = n } end)
refused("bad_field", "the entries of a matrix are numbers or choices",
        function() return vary.matrix { rows = 1, columns = 1, of = vary.list { n = 1, of = n } } end)
refused("bad_field", "the value of an edge is a number or a choice",
        function() return vary.dag { n = 1, edge = { a = n } } end)
refused("bad_field", "nested more than", function()
  local deep = n
  for _ = 1, 40 do deep = vary.list { n = 1, of = deep } end
end)

-- ---- bad_space: spaces ----
refused("bad_space", "scenario(x, seed), or problem(x, seed)", function() return space "s" { n = n } end)
refused("bad_space", "one of two functions is needed", function() return space "s" { n = n, scenario = one, problem = one } end)
for _, name in ipairs { "scenario", "problem", "move", "valid" } do
  refused("bad_space", ("'%s' is the name of a function of a space"):format(name), function()
    local given = { n = n, problem = problem }
    given[name] = n
    return space "s" (given)
  end)
end
refused("bad_space", "it has no parameters", function() return space "s" { problem = problem } end)
refused("bad_space", "parameters have names", function() return space "s" { n, problem = problem } end)
refused("bad_space", "parameters have names of letters", function() return space "s" { ["a b"] = n, problem = problem } end)
refused("bad_space", "m: a parameter such as vary.real", function() return space "s" { m = 3, problem = problem } end)
refused("bad_space", "'l' comes after 'm', which is no parameter there",
        function() return space "s" { l = vary.list { n = one, of = n, after = { "m" } }, problem = problem } end)
refused("bad_space", "comes after what comes after it", function()
  return space "s" { l = vary.list { n = one, of = n, after = { "m" } }, m = vary.list { n = one, of = n, after = { "l" } }, problem = problem }
end)
refused("bad_space", "refused 100 of 100 draws (100 %)",
        function() return space "s" { n = n, valid = function() return false end, problem = problem }:draw(1) end)
refused("bad_answer", "the condition must return true or false, got 3",
        function() return space "s" { n = n, valid = function() return 3 end, problem = problem }:draw(1) end)
refused("out_of_range", "n of 'l' must be 0 to 1000000, got -1",
        function() return space "s" { l = vary.list { n = function() return -1 end, of = n }, problem = problem }:draw(1) end)
refused("bad_type", "n of 'l' must be a whole number, got 'many'",
        function() return space "s" { l = vary.list { n = function() return "many" end, of = n }, problem = problem }:draw(1) end)

-- ---- searches that do not suit ----
local reals = space "reals" { n = vary.real { 1, 2 }, problem = problem }
local mixed = space "mixed" { jobs = vary.list { n = 2, of = { cores = n, time = vary.real { 1, 2 } } }, problem = problem }
local many = space "many" { l = vary.list { n = 20, of = n }, problem = problem }
refused("not_finite_space", "has reals", function() return duel { a = "mct", b = "met", space = reals, search = "exhaustive" } end)
refused("not_finite_space", "3486784401 cases, more than the budget of 10000",
        function() return duel { a = "mct", b = "met", space = many, search = "exhaustive" } end)
refused("not_real", "'jobs.cores' is no real", function() return duel { a = "mct", b = "met", space = mixed, search = "cma_es" } end)
refused("bad_type", "'mct' is a mapper, not a search", function() return duel { a = "mct", b = "met", space = reals, search = "mct" } end)

-- ---- sides that do not suit ----
local days = space "days" { n = n, scenario = function(x)
  return scenario { platform = platform { cluster "c" { nodes = x.n } }, workload = workload.tasks { { time = 1 } } }
end }
refused("bad_side", "a = 'fcfs' is a policy", function() return duel { a = "fcfs", b = "met", space = reals } end)
refused("bad_side", "b = 'mct' is a mapper, and the space 'days' has scenarios; write mapped { map = \"mct\" }",
        function() return duel { a = "fcfs", b = "mct", space = days } end)
refused("bad_side", "b = 'heft' is a graph scheduler", function() return duel { a = "fcfs", b = "heft", space = days } end)
refused("bad_side", "a = 'annealing' is a search", function() return duel { a = "annealing", b = "mct", space = reals } end)
refused("unknown_scheduler", "did you mean 'mct'?", function() return duel { a = "mctt", b = "met", space = reals } end)
refused("bad_field", "a must be a scheduler or a function(x, seed), got 3", function() return duel { a = 3, b = "met", space = reals } end)
refused("bad_field", "the only metric is makespan", function() return duel { a = "mct", b = "met", space = reals, measure = "mean_wait" } end)
refused("unknown_metric", "did you mean 'makespan'?", function() return duel { a = "fcfs", b = "sjf", space = days, measure = "makespann" } end)
refused("bad_field", "'space' is missing", function() return duel { a = "fcfs", b = "sjf" } end)
refused("bad_type", "space must be a space, got 3", function() return duel { a = "fcfs", b = "sjf", space = 3 } end)
refused("out_of_range", "budget must be 1 to", function() return duel { a = "mct", b = "met", space = reals, budget = 0 } end)

-- ---- no_case: how many of which reason, and the first of them ----
local function none(side)
  return function() return duel { a = side, b = one, space = days, search = "exhaustive", budget = 3 } end
end
refused("no_case", "no case counted of 3: 3 cases: the measure is not a finite number; the first: { n = 1 }", none(function() return 0 / 0 end))
refused("no_case", "no case counted of 3: 3 cases: the measure is absent; the first: { n = 1 }", none(function() end))
refused("no_case", "no case counted of 3: 3 cases: a measure is not above 0; the first: { n = 1 }", none(function() return -1 end))
refused("no_case", "1 case: the measure is absent; 2 cases: a measure is not above 0; the first: { n = 1 }",
        none(function(x) if x.n > 1 then return 0 end end))

refused("no_case", "there is no case, for 'valid' refuses each", function()
  return duel { a = one, b = one, space = space "s" { n = n, valid = function() return false end, problem = problem }, search = "exhaustive" }
end)

-- ---- errors of a case: the case stands behind them ----
local function fails(code, text, given)
  given.b, given.space, given.budget = given.b or "met", given.space or reals, 40
  refused(code, text, function() return duel(given) end)
end
fails("script_error", "no luck; in the case { n = 1.", { a = function() error "no luck" end })
fails("bad_side", "must return a result or a number, got a table; in the case", { a = function() return {} end })
fails("bad_side", "'heft' is a graph scheduler, and the space 'reals' has made an etc matrix", { a = "heft" })
fails("bad_measure", "measure must return a number, got 'x'", { a = "mct", measure = function() return "x" end })
fails("bad_space", "scenario must return a scenario, got nil", { a = "fcfs", b = "sjf", space = space "nothing" { n = n, scenario = function() end } })
fails("bad_type", "what problem returned must be an etc matrix", { a = "mct", space = space "three" { n = n, problem = function() return 3 end } })
fails("bad_case", "n: must be between 1 and 3, got 9", { a = "mct", space = space "out" { n = n, problem = problem, move = function(x) x.n = 9 return x end } })
fails("bad_case", "n is missing", { a = "mct", space = space "empty" { n = n, problem = problem, move = function() return {} end } })

-- ---- not_pure: a side that draws on its own ----
fails("not_pure", "answers differently for the same case: makespan of a is", { a = function() return math.random() + 1 end, b = one })
fails("not_pure", "in the case { n = 1.", { a = function() return math.random() + 1 end, b = one })
fails("not_pure", "makespan of b is", { a = one, b = function() return math.random() + 1 end })
print "all are refused"
