// string.find, match, gmatch and gsub against those of the Lua library, on random patterns; and their bounds.
#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"
#include "tests/support/stops.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Calls the four functions in every way; the answer is one text.
const char* const kProbe = R"lua(
local function show(ok, ...)
  if not ok then return "error" end
  local out = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    out[i] = type(v) .. ":" .. tostring(v)
  end
  return table.concat(out, ",")
end
function probe(subject, pattern, replacement, init, most)
  local out = {
    show(pcall(string.find, subject, pattern)), show(pcall(string.find, subject, pattern, init)),
    show(pcall(string.find, subject, pattern, init, true)), show(pcall(string.match, subject, pattern)),
    show(pcall(string.match, subject, pattern, init)), show(pcall(string.gsub, subject, pattern, replacement)),
    show(pcall(string.gsub, subject, pattern, replacement, most)),
    show(pcall(string.gsub, subject, pattern, { a = "A", b = 1, ab = false, ["1"] = 2.5, [1] = "one", [2] = {} })),
    show(pcall(string.gsub, subject, pattern, function(...)
      local first = ...
      if first == "b" then return nil end
      if first == "ba" then return true end
      return "<" .. show(true, ...) .. ">"
    end)),
  }
  for _, from in ipairs { 1, init } do
    out[#out + 1] = show(pcall(function()
      local all, left = {}, 50
      for a, b, c in string.gmatch(subject, pattern, from) do
        all[#all + 1] = show(true, a, b, c)
        left = left - 1
        if left == 0 then break end
      end
      return table.concat(all, ";")
    end))
  end
  return table.concat(out, "|")
end
)lua";

std::string ask(lua_State* L, const std::string& subject, const std::string& pattern,
                const std::string& replacement, lua_Integer init, lua_Integer most) {
  const host::Balanced balanced(L);
  REQUIRE(luaL_loadstring(L, "return probe(...)") == LUA_OK);
  host::push(L, subject);
  host::push(L, pattern);
  host::push(L, replacement);
  lua_pushinteger(L, init);
  lua_pushinteger(L, most);
  if (lua_pcall(L, 5, 1, 0) != LUA_OK) {
    FAIL(luaL_tolstring(L, -1, nullptr));
  }
  return std::string(*host::text_at(L, -1));
}

struct Oracle {  // Lua as it is
  lua_State* L = luaL_newstate();
  Oracle() {
    luaL_openlibs(L);
    REQUIRE(luaL_dostring(L, kProbe) == LUA_OK);
  }
  ~Oracle() { lua_close(L); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
};

}  // namespace

TEST_CASE("patterns match as Lua's own do") {
  const Oracle oracle;
  Interpreter interpreter(open_words);
  interpreter.run_text("probe.lua", kProbe);
  std::mt19937_64 random(20240607);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::vector<std::string> pieces = {
      "a",    "b",  "ab",   ".",    "%a",     "%d",     "%s",  "%w",   "%x",   "%A",     "%p",
      "%%",   "%.", "[ab]", "[^a]", "[%d_]",  "[a-c]",  "[]]", "[^]]", "[a-]", "[%a-z]", "[a-%]]",
      "[-+]", "*",  "+",    "-",    "?",      "(",      ")",   "()",   "(a)",  "(b*)",   "(.-)",
      "%1",   "%2", "%b()", "%bab", "%f[%w]", "%f[^a]", "^",   "$",    "1",    "\0",     "\xe9",
      "[",    "]",  "%",    "%0",   "%f",     "%b",     "%bx", "%z",   "%g"};
  const std::string alphabet(
      "aaabbb(()) 1_%-]\0\xe9"
      "c\n",
      20);
  const std::vector<std::string> replacements = {"",   "x",    "%0", "<%1>", "%1%2", "%%",
                                                 "%3", "%0%0", "a%", "%x",   "7",    "%9"};
  std::size_t good = 0;
  for (int round = 0; round < 10000; ++round) {
    std::string pattern, subject;
    for (std::size_t i = below(7); i > 0; --i) {
      const std::string& piece = pieces[below(pieces.size())];
      pattern += piece.empty() ? std::string(1, '\0') : piece;
    }
    for (std::size_t i = below(14); i > 0; --i) subject += alphabet[below(alphabet.size())];
    const std::string& replacement = replacements[below(replacements.size())];
    const auto init = static_cast<lua_Integer>(below(36)) - 18, most = static_cast<lua_Integer>(below(5)) - 1;
    const std::string expected = ask(oracle.L, subject, pattern, replacement, init, most);
    const std::string got = ask(interpreter.main(), subject, pattern, replacement, init, most);
    if (expected != got) {
      CAPTURE(subject, pattern, replacement, init, most);
      REQUIRE(expected == got);
    }
    good += expected.starts_with("number") ? 1 : 0;
  }
  CHECK(good > 2000);  // most patterns are well-formed, and many match
}

TEST_CASE("arguments of the pattern functions are checked as Lua's own are") {
  const Oracle oracle;
  Interpreter interpreter(open_words);
  const std::string text = R"lua(
    local out = {}
    local function try(f, ...)
      local ok, a, b, c = pcall(f, ...)
      out[#out + 1] = ok and table.concat({ tostring(a), tostring(b), tostring(c) }, ",") or "error"
    end
    for _, f in ipairs { string.find, string.match, string.gsub } do
      try(f); try(f, "a"); try(f, nil, "a"); try(f, "a", {}); try(f, 12, 2); try(f, "a", "a", "x"); try(f, "a", "a", {})
      try(f, "a", "a", 1.5); try(f, "a1", "%d", 7); try(f, "abc", "b", math.mininteger); try(f, "abc", "b", math.maxinteger)
      try(f, "", ""); try(f, "", "", 1); try(f, "", "", 2); try(f, "abc", "", 4); try(f, "abc", "", 5); try(f, "abc", "b", "2")
    end
    try(string.gsub, "abc", "b", "x", 0); try(string.gsub, "abc", ".", "x", -3); try(string.gsub, "abc", ".", 8, "2")
    try(string.find, "a.b", ".", 2, true); try(string.find, "a.b", ".", 3, true); try(string.find, "aXb", "X", 1, 0)
    try(string.find, "", "", 10, true); try(string.find, "abc", "", 4, true)
    try(string.gsub, "hello world", "(o)", setmetatable({}, { __index = function(_, k) return k .. k end }))
    try(string.gsub, "abc", "%w", "%%%0"); try(string.gsub, "abc", "()", "%1"); try(string.gsub, "abc", "(a", "x")
    try(string.gsub, "abc", "(a", "%1"); try(string.match, "abc", "(a"); try(string.match, "abc", "a)")
    try(string.match, ("x"):rep(40), ("(x)"):rep(32)); try(string.match, ("x"):rep(40), ("(x)"):rep(33))
    try(string.match, "  trim  ", "^%s*(.-)%s*$"); try(string.gsub, "one;two", "(%w+);(%w+)", "%2;%1")
    return table.concat(out, "|")
  )lua";
  const auto answer = [&](lua_State* L) {
    REQUIRE(luaL_loadstring(L, text.c_str()) == LUA_OK);
    REQUIRE(lua_pcall(L, 0, 1, 0) == LUA_OK);
    std::string found(*host::text_at(L, -1));
    lua_pop(L, 1);
    return found;
  };
  CHECK(answer(interpreter.main()) == answer(oracle.L));
}

TEST_CASE("a match that would take ages is stopped by --steps and by an interrupt") {
  const std::string ages = "return (('a'):rep(40) .. 'c'):find(('a-'):rep(30) .. 'b')";
  InterpreterOptions limited;
  limited.steps = 1'000'000;
  stops(ages, "step_limit", limited);
  stops("return (('a'):rep(60)):match(('a*'):rep(60) .. 'b')", "step_limit", limited);
  stops("return (('a'):rep(60)):gsub(('a?'):rep(60) .. ('(a)'):rep(3) .. 'b', 'x')", "step_limit", limited);
  stops("for _ in (('a'):rep(60)):gmatch(('a+'):rep(50) .. 'b') do end", "step_limit", limited);
  stops("pcall(string.find, ('('):rep(1e6), ('%b()'):rep(1))", "step_limit", limited);
  stops("while true do pcall(string.find, ('a'):rep(40), ('a-'):rep(40) .. 'b') end", "step_limit", limited);

  InterpreterOptions prompt;
  prompt.interactive = true;
  Interpreter interpreter(open_words, prompt);
  interpreter.interrupt();
  CHECK_THROWS_AS(interpreter.run_text("s.lua", ages), Stopped);
}

TEST_CASE("patterns that Lua calls too complex, or that would be large, are matched or refused") {
  Interpreter interpreter(open_words);
  interpreter.run_text("s.lua", R"lua(
    local n = 50000
    assert(("a"):rep(n):match(("a?"):rep(n)) == ("a"):rep(n))
    assert(("ab"):rep(n):match(("[ab]"):rep(n)) == ("ab"):rep(n // 2))
    assert(("a"):rep(1e6):find(("a"):rep(1e6 - 1) .. "b") == nil)
    local ok, e = pcall(string.match, ("a"):rep(200000), (".?"):rep(200000))
    assert(not ok and e.message == "the pattern has more than 100000 items", e)
  )lua");
  InterpreterOptions small;
  small.memory = 20'000'000;
  stops("return ('a'):rep(1e5):gsub('', ('x'):rep(1e4))", "memory_limit", small);
}
