-- Things that a script cannot reach, and things that are the same on every machine and in every process.
-- expect: the sandbox holds
local function refused(text, f, ...)
  local ok, e = pcall(f, ...)
  assert(not ok, text)
  assert(tostring(e):find(text, 1, true), tostring(e))
end
for _, name in ipairs { "os", "io", "debug", "package", "dofile", "loadfile", "next", "collectgarbage", "_G" } do
  refused("'" .. name .. "' is not available", function() return _ENV[name] end)
end
refused("did you mean 'workload'?", function() return worklaod end)
refused("there is no 'math.flor'; did you mean 'floor'?", function() return math.flor end)
refused("cannot be changed", function() math.floor = 1 end)
refused("is a word of perigee", function() platform = 1 end)
refused("nowhere declared", function() undeclared_name = 1 end)
refused("differs from run to run", string.format, "%p", {})
for _, nan in ipairs { 0 / 0, -(0 / 0) } do  -- on every CPU, whatever sign it gives them
  assert(tostring(nan) == "nan" and ("%f"):format(nan) == "nan")
  assert(string.pack("<d", nan) == string.pack("<d", -nan))
end
refused("longer than", string.rep, "x", 1 << 40)
assert(string.rep("", 1 << 60) == "")
refused("elements", table.move, {}, 1, 1 << 60, 2)
refused("the mode must be \"t\"", load, "return 1", "x", "b")
assert(load("return 1 + 1", "x", "t")() == 2)
local bad, message = load("\27Lua")
assert(not bad and message:find("binary"), message)
refused("not the name of a module", require, "../x")
refused("not the name of a module", require, "/etc/passwd")
refused("there is no module", require, "nothing_here")
refused("__gc is not available", setmetatable, {}, { __gc = print })
assert(getmetatable("") == "protected" and getmetatable(platform { host "a" {} }) == "protected")
assert(not tostring({}):find("0x") and not tostring(print):find("0x") and not ("%s"):format({}):find("0x"))
refused("outside the script's folder", etc.read, "/etc/passwd")
refused("there is no such file", etc.read, "nowhere.etc")
refused("without an output folder", function()
  scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
    :run { policy = "fcfs" }:save "x"
end)

-- pairs: numbers in order, then texts in byte order, then booleans
local keys = {}
for k in pairs { z = 1, a = 1, [2] = 1, [1] = 1, [-0.5] = 1, [true] = 1, ["10"] = 1 } do keys[#keys + 1] = tostring(k) end
assert(table.concat(keys, " ") == "-0.5 1 2 10 a z true", table.concat(keys, " "))
local t = { a = 1, b = 2, c = 3 }
for k in pairs(t) do t[k] = nil end
for _ in pairs(t) do error("not empty") end
refused("has no order", pairs, { [{}] = 1 })
-- sort is stable, whatever the comparison
local list = {}
for i = 1, 500 do list[i] = { key = i % 3, place = i } end
table.sort(list, function(a, b) return a.key < b.key end)
for i = 2, 500 do
  assert(list[i - 1].key < list[i].key or list[i - 1].place < list[i].place)
end
table.sort(list, function() return true end)
local x = stream("a", 3)
assert(x:uniform() == stream("a", 3):uniform() and x:uniform() ~= stream("b", 3):uniform())
assert(math.random(1, 6) == math.floor(math.random(1, 6) / 1) or true)

-- errors are values with fields
local ok, e = pcall(function() return host "n" { speed = -2 } end)
assert(not ok and e.code == "out_of_range" and e.line > 0 and e.message:find("host 'n': speed must be > 0 op/s, got -2", 1, true), e)
-- coroutines and xpcall work as usual
local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1); return b * 2 end)
assert(co(1) == 2 and co(5) == 10)
assert(select(2, xpcall(function() error("x", 0) end, function(m) return m .. "!" end)) == "x!")
assert(select("#", pcall(function() return 1, 2, 3 end)) == 4)
local inside = coroutine.wrap(function() return pcall(function() coroutine.yield(1); error("late", 0) end) end)
assert(inside() == 1)
local good, late = inside()
assert(good == false and late == "late")
print("the sandbox holds")
