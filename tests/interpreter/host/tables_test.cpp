// table.concat, insert, move, remove and sort against those of the Lua library; and the bounds of what runs
// in C.
#include <catch2/catch.hpp>

#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"
#include "tests/support/stops.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Random operations on tables, plain and with metamethods, logged as one text.
const char* const kOperations = R"lua(
local seed = 12345
local function draw(low, high)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return low + (seed >> 8) % (high - low + 1)
end
local log = {}
local function note(...)
  local out = {}
  for i = 1, select("#", ...) do out[i] = tostring((select(i, ...))) end
  log[#log + 1] = table.concat(out, " ")
end
local function try(f, ...)
  local function show(ok, ...) if ok then note("ok", ...) else note "error" end end
  show(pcall(f, ...))
end
local function fresh(n)
  local t = {}
  for i = 1, n do t[i] = draw(1, 9) end
  return t
end
local function logging(t)   -- sees each access
  return setmetatable({}, { __len = function() return #t end,
    __index = function(_, k) note("get", k); return t[k] end,
    __newindex = function(_, k, v) note("set", k, v); t[k] = v end })
end
local function text(t)
  local out = {}
  for i = -3, 14 do out[#out + 1] = tostring(rawget(t, i)) end
  return table.concat(out, ",")
end
for round = 1, 2000 do
  local plain = fresh(draw(0, 6))
  local t = draw(1, 3) == 1 and logging(plain) or plain
  local what = draw(1, 6)
  if what == 1 then try(table.insert, t, draw(10, 99))
  elseif what == 2 then try(table.insert, t, draw(-1, 8), draw(10, 99))
  elseif what == 3 then try(table.remove, t)
  elseif what == 4 then try(table.remove, t, draw(-1, 8))
  elseif what == 5 then try(table.concat, t, draw(1, 2) == 1 and "-" or nil, draw(-1, 3), draw(0, 7))
  else
    local other = draw(1, 2) == 1 and fresh(draw(0, 4)) or nil
    local ok, to = pcall(table.move, t, draw(-1, 4), draw(-1, 6), draw(-1, 6), other)
    note(ok, ok and (to == t or to == other), other and text(other))
  end
  note(text(plain))
end
local huge = { math.maxinteger, math.mininteger, 0, 1, -1, 2.5, "3", "x" }
for _, a in ipairs(huge) do
  try(table.remove, {}, a)
  try(table.insert, { 1 }, a, 5)
  for _, b in ipairs { math.maxinteger, 0, 1, "2" } do
    if type(a) ~= "number" or a > 0 or b ~= math.maxinteger then try(table.concat, { 7, 8 }, ",", b, a) end
  end
end
try(table.move, { 1 }, math.mininteger, 0, 2)
try(table.move, { 1 }, 1, math.maxinteger, 2)
try(table.move, { 1 }, -1, math.maxinteger, 2)
try(table.concat, { 1, {}, 3 }); try(table.concat, { 1, 2.5, "x" }, 0); try(table.concat, {}, "x", 1, 0); try(table.concat)
try(table.insert); try(table.insert, {}); try(table.insert, {}, 1, 2, 3); try(table.insert, 5, 1); try(table.remove, "x")
try(table.concat, { 9 }, ",", math.maxinteger, math.maxinteger); try(table.concat, setmetatable({}, { __index = function(_, k) return k end }), ",", math.maxinteger - 1, math.maxinteger)
for round = 1, 200 do
  local t = fresh(draw(0, 40))
  for i = 1, #t do t[i] = draw(1, 1000000) end   -- no two are equal: the order is one only
  if draw(1, 2) == 1 then table.sort(t) else table.sort(t, function(a, b) return a > b end) end
  note(table.concat(t, " "))
end
return table.concat(log, "\n")
)lua";

std::string answer(lua_State* L) {
  REQUIRE(luaL_loadstring(L, kOperations) == LUA_OK);
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) FAIL(luaL_tolstring(L, -1, nullptr));
  std::string found(*host::text_at(L, -1));
  lua_pop(L, 1);
  return found;
}

}  // namespace

TEST_CASE("table functions do what Lua's own do, access by access") {
  lua_State* oracle = luaL_newstate();
  luaL_openlibs(oracle);
  const std::string expected = answer(oracle);
  lua_close(oracle);
  Interpreter interpreter(open_words);
  CHECK(expected.size() > 100'000);
  CHECK(answer(interpreter.main()) == expected);
}

TEST_CASE("no function of the libraries runs on by itself") {
  InterpreterOptions limited;
  limited.steps = 300'000;
  for (const char* script : {
           "table.insert(setmetatable({}, { __len = function() return 90000000 end }), 1, 0)",
           "table.remove(setmetatable({}, { __len = function() return 90000000 end }), 1)",
           "table.concat(setmetatable({}, { __index = table.concat }), '', 1, 90000000)",
           "table.move({}, 1, 90000000, 2)",
           "table.move({}, 1, 90000000, 2, setmetatable({}, { __newindex = rawequal }))",
           "local t = {} for i = 1, 1000 do t[i] = i end while true do table.sort(t, rawequal) end",
           "local t = {} for i = 1, 10000 do t[i] = i end while true do for k in pairs(t) do break end end",
           "while true do pcall(table.concat, setmetatable({}, { __index = table.concat }), '', 1, 90000000) "
           "end",
       })
    stops(script, "step_limit", limited);
}

namespace {

std::string why_stopped(const std::string& script, std::uint64_t steps) {
  InterpreterOptions limited;
  limited.steps = steps;
  Interpreter interpreter(open_words, std::move(limited));
  try {
    interpreter.run_text("s.lua", script);
  } catch (const Stopped& stopped) {
    return stopped.diagnostic().message;
  }
  return "it went on to its end";
}

}  // namespace

TEST_CASE("what one instruction or call reads of a long text counts") {
  const std::string number = "local s = ('0'):rep(1 << 20) .. '1' while true do ";
  const std::string form = "local s = ('!4'):rep(1 << 19) while true do ";
  const std::string zeros = "local s = ('\\0'):rep(1 << 18) local t = s .. 'x' while true do ";
  for (const std::string& script :
       {number + "local _ = math.floor(s) end", number + "local _ = s + 1 end",
        number + "local _ = ('x'):sub(s) end", number + "string.format('%d', s) end",
        number + "string.format('%.1s', s) end", number + "tonumber(s) end", form + "string.packsize(s) end",
        form + "string.pack(s) end", form + "pcall(string.unpack, s, '') end", zeros + "local _ = s < t end",
        zeros + "table.sort { s, t } end", zeros + "math.max(s, t) end"}) {
    INFO(script);
    CHECK(why_stopped(script, 3'000'000) == "the script takes more than 3000000 steps (--steps)");
  }
}

// All keys of each table have one hash in a table of 65,536 places: a look at the last takes as long as 60,000
// comparisons.
TEST_CASE("a script whose steps take long is stopped by the clock") {
  if (!thorough()) return;  // it takes seconds
  CHECK(why_stopped(
            "local t = {} for i = 1, 60000 do t[i * 65535] = true end while true do local _ = t[65535] end",
            1'000'000'000'000)
            .find(" s of processor time: more than 2 us each (--steps)") != std::string::npos);
}

TEST_CASE("large texts and tables are bounded by --memory, or refused") {
  InterpreterOptions small;
  small.memory = 30'000'000;
  for (const char* script : {
           "local s = 'x' while true do s = s .. s end",
           "return string.rep('x', 60000000)",
           "return table.concat(setmetatable({}, { __index = function() return 'xxxxxxxxxx' end }), '', 1, "
           "9e7)",
           "local t = {} for i = 1, 1e9 do t[i] = i end",
           "return string.pack('c40000000', '')",
           "return utf8.char(table.unpack(setmetatable({}, { __index = function() return 100 end }), 1, "
           "900000))"
           " .. string.rep('x', 40000000)",
           "local s = string.rep('x', 2000000) return { s:byte(1, 900000) }, s:rep(10) .. s:rep(9)",
       })
    stops(script, "memory_limit", small);
  Interpreter interpreter(open_words);
  interpreter.run_text("s.lua", R"lua(
    local function refused(text, f, ...)
      local ok, e = pcall(f, ...)
      assert(not ok and tostring(e):find(text, 1, true), tostring(e))
    end
    local endless = setmetatable({}, { __len = function() return 1 << 60 end, __index = table.concat })
    refused("more than 100000000", table.insert, endless, 1, 0)
    refused("more than 100000000", table.remove, endless, 1)
    refused("more than 100000000", table.concat, endless)
    refused("more than 100000000", table.concat, endless, "", math.mininteger, math.maxinteger)
    refused("more than 100000000", table.move, {}, 1, 1 << 60, 2)
    refused("longer than", string.rep, "x", 1 << 40)
    refused("longer than", string.rep, "x", math.maxinteger, "yy")
    refused("longer than", string.pack, "c2000000000", "")
    refused("longer than", string.pack, "i4 c99999999999999999999", 1, "")
    refused("conversion", string.format, "%99999d", 1)
    refused("conversion", string.format, "%.99999f", 1)
    refused("too many results", table.unpack, {}, 1, 1 << 40)
    refused("too many results", table.unpack, {}, math.mininteger, math.maxinteger)
    refused("slice too long", string.byte, ("x"):rep(3000000), 1, -1)
    refused("too many elements", table.move, {}, 0, math.maxinteger, 2)
    refused("invalid UTF-8", utf8.len and utf8.codepoint, "\xff\xff", 1, -1)
    refused("out of", utf8.char, -1)
    refused("out of bounds", utf8.offset, "abc", 1, 10)
    assert(utf8.len("\xff") == nil and utf8.len("h\u{e9}") == 2)
    assert(string.pack("i4", 7) == "\7\0\0\0" and string.unpack("<i4", "\7\0\0\0") == 7)
    refused("limits", string.pack, "i99", 1)
    local t = {}
    for i = 1, 300 do t[i] = i % 7 end
    local n = 0
    table.sort(t, function(a, b) n = n + 1; return n % 2 == 0 end)   -- no order at all
    assert(#t == 300)
    refused("attempt to compare", table.sort, { 1, "x", {} })
    refused("no element", table.sort, setmetatable({ 1, nil, 3, nil, 5 }, {}))
  )lua");
}
