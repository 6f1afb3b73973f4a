-- Ways out of the sandbox that lead nowhere: metatables, load, require, recursion, re-entrancy, what is kept from a callback.
-- args: --memory 300MB
-- expect: nobody got out
local kept = {}  -- errors, until the end: a collector that comes where recursion has used up the C stack cannot finish one
local function refused(text, f, ...)
  local ok, e = pcall(f, ...)
  kept[#kept + 1] = e
  assert(not ok, "it should fail with: " .. text)
  assert(tostring(e):find(text, 1, true), tostring(e))
end

-- libraries, texts, globals
for _, library in ipairs { math, string, table, utf8, coroutine, workload, etc, args } do
  refused("protected", setmetatable, library, {})
  refused("protected", rawset, library, "x", 1)
  assert(getmetatable(library) == "protected")
end
refused("table expected", setmetatable, "", {})
assert(getmetatable("") == "protected")
refused("there is no 'string.nope'", function() return ("x"):nope() end)
refused("protected", setmetatable, _ENV, {})
refused("protected", rawset, _ENV, "platform", 1)
refused("is a word of perigee", function() _ENV.platform = 1 end)
refused("is a word of perigee", load "scenario = nil")
assert(rawget(_ENV, "platform") == nil and rawget(math, "floor") == nil)
for _, name in ipairs { "os", "io", "debug", "package", "collectgarbage", "dofile", "loadfile", "next", "_G" } do
  refused("'" .. name .. "' is not available", load("return " .. name))
end
for _, name in ipairs { "dump", "sethook", "gethook" } do assert(not pcall(function() return string[name] end)) end
for _, field in ipairs { "__gc", "__mode" } do
  refused(field .. " is not available", setmetatable, {}, { [field] = "k" })
  local late = {}
  local t = setmetatable({}, late)
  late[field] = function() error "ran" end   -- too late: Lua looks when the metatable is set
  t = nil
end

-- code
assert(not load "\27Lua")
refused('the mode must be "t"', load, "return 1", "x", "b")
refused('the mode must be "t"', load, "return 1", "x", "bt")
refused("the chunk must be a text", load, function() return "return 1" end)
local own = {}
assert(load("x = 1 return x", "x", "t", own)() == 1 and own.x == 1 and rawget(_ENV, "x") == nil)
assert(not pcall(load("return platform", "x", "t", {})) or load("return platform", "x", "t", {})() == nil)
for _, name in ipairs { "a/b", "../x", "..", "a..b", ".a", "a.", "a\0b", "", ("a"):rep(300), "a b", "~", "/etc/passwd", "a\\b", "caf\xe9" } do
  refused("not the name of a module", require, name)
end
refused("name of a module is needed", require, {})
for _, path in ipairs { "/etc/passwd", "../../../../../../../../etc/passwd", "./../lua/../../CMakeLists.txt", "sandbox.lua\0.etc" } do
  assert(not pcall(etc.read, path))
  refused("", function()
    scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = { outages_from(path) } }
  end)
end

-- recursion, in Lua, through C, in the parser, in data
local deep
deep = setmetatable({}, {
  __index = function(t, k) return t[k .. "x"] end, __newindex = function(t, k, v) t[k] = v end, __call = function(f, ...) return (f(...)) end,
  __tostring = function(t) return tostring(t) end, __concat = function(a, b) return a .. b end, __len = function(t) return #t end,
  __lt = function(a, b) return a < b end, __le = function(a, b) return a <= b end, __eq = function(a, b) return a == b end,
  __unm = function(t) return -t end, __pairs = function(t) return pairs(t) end, __close = function(t) local x <close> = t end,
})
local function gsub(s) return (s:gsub(".", gsub)) end
local function sort() table.sort({ 2, 1 }, function(a, b) sort() return a < b end) end
local function wrap() return coroutine.wrap(wrap)() end
local function protected() return pcall(protected) and error "x" end
local other = setmetatable({}, getmetatable(deep))
for _, f in ipairs {
  function() return deep.a end, function() deep.a = 1 end, function() return deep() end, function() return tostring(deep) end,
  function() return deep .. "x" end, function() return #deep end, function() return deep < other end, function() return deep <= other end,
  function() return deep == other end, function() return -deep end, function() return pairs(deep) end, function() local x <close> = deep end,
  function() return gsub "a" end, sort, wrap, function() return table.concat { deep } end, function() return ("x"):rep(3, deep) end,
} do assert(not pcall(f)) end
pcall(protected)
for _, text in ipairs { ("("):rep(1e5), "return " .. ("{"):rep(1e5), ("do "):rep(1e5), "x = " .. ("a.."):rep(1e5) .. "b",
                        "return " .. ("- "):rep(1e5) .. "1", ("function f() "):rep(1e4), "return " .. ("not "):rep(1e5) .. "1" } do
  assert(not load(text))
end
local nested = {}
for i = 1, 200000 do nested = { nested } end
for _, f in ipairs { scenario, platform, workload.tasks, workload.jobs, workload.merge, etc, workload.reservations, compare, cluster "c",
                     host "h", outage, failures, policy "nested", heuristic "nested", map } do assert(not pcall(f, nested)) end
refused("too deep", scenario, { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } }, events = nested })

-- re-entrancy
local s = scenario { platform = platform { cluster "a" { nodes = 2 } }, workload = workload.tasks { { time = 1 }, { time = 2, arrival = 1 } } }
local fingerprint = s:run { policy = "workqueue" }.fingerprint
policy "again" { decide = function() s:run { policy = "again" } end }
refused("overflow", s.run, s, { policy = "again" })
local sim
for name, act in pairs {
  step = function() sim:step() end, run = function() sim:run() end, fork = function() sim:fork() end, switch = function() sim:set_policy "workqueue" end,
  fail = function() sim:fail "a.1" end, result = function() sim:result() end,
} do
  policy("own_" .. name) { decide = act }
  sim = s:start { policy = "own_" .. name }
  pcall(sim.run, sim)
end
policy "inner" { decide = function(self, sim)
  assert(s:run { policy = "workqueue" }.fingerprint == fingerprint)
  for w = 1, sim:work_count() do if sim:state(w) == "waiting" then sim:post(w, 1) end end
end }
assert(s:run { policy = "inner" }.status == "complete")
heuristic "endless" { pick = function() return map("endless", etc { { 1, 2 } }).makespan end }
refused("overflow", map, "endless", etc { { 1, 2 } })
local own_workload
own_workload = workload.tasks(2, function() return { time = scenario { platform = platform { host "a" {} }, workload = own_workload }:run { policy = "fcfs" }.makespan } end)
assert(not pcall(function() scenario { platform = platform { host "a" {} }, workload = own_workload }:run { policy = "fcfs" } end))
policy "yields" { decide = function() coroutine.yield(1) end }
refused("yield", coroutine.wrap(function() return s:run { policy = "yields" } end))
policy "redefines" { decide = function() policy "redefines" { decide = function() end } end }
pcall(s.run, s, { policy = "redefines" })

-- what a callback was given
local kept
policy "keeps" { arrived = function(self, sim, works)
  kept = { sim = sim, works = works, stream = sim:stream "x" }
  for _, w in ipairs(works) do sim:post(w, 1) end
  for i = 1, 100 do works[i] = -i end
  works.name = "x"
end }
assert(s:run { policy = "keeps" }.status == "complete")
for _, method in ipairs { "now", "hosts", "start", "stream", "note", "settle" } do refused("callback that is over", kept.sim[method], kept.sim) end
assert(not pcall(kept.stream.uniform, kept.stream))
assert(s:run { policy = "workqueue" }.fingerprint == fingerprint)
print "nobody got out"
