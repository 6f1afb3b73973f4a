// The fuzzing targets over their corpora and a fixed number of mutations; every function with every nonsense.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "tests/fuzz/methods.h"
#include "tests/fuzz/targets.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/rounds.h"

namespace fs = std::filesystem;
using namespace perigee;
using namespace perigee::test;

namespace {

std::vector<std::string> corpus_of(const std::string& name) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(test::source_folder() / "tests/fuzz/corpus" / name))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    texts.push_back(std::move(text).str());
  }
  return texts;
}

std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  static const std::vector<std::string> tokens = {
      "0",  "-1", "1e308", "nan",  "inf",       "18446744073709551616",
      "{",  "}",  "(",     ")",    "[",         "]",
      "\"", "'",  "%",     "\n",   "\0",        ",",
      ";",  "=",  "\xff",  "end ", "function ", "nil",
      "..", "\t", " "};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string text = corpus[below(corpus.size())];
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t at = below(text.size() + 1),
                      length = below(std::min<std::size_t>(text.size() - at, 16) + 1);
    switch (below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, tokens[below(tokens.size())]);
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 4:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      default: {
        const std::string& other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size() + 1);
        text.replace(at, length, other, from, below(40));
        break;
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("no input makes a target fail, and what is in the corpus can be read") {
  for (const fuzz::Target& target : fuzz::targets()) {
    INFO(target.name);
    const std::vector<std::string> corpus = corpus_of(target.name);
    REQUIRE(!corpus.empty());
    for (const std::string& text : corpus) target.run(text);
    std::mt19937_64 random(1);
    const int share = test::thorough() ? 1 : 4;
    for (int round = 0; round < target.rounds / share; ++round) {
      const std::string text = mutated(corpus, random);
      CAPTURE(text);
      CHECK_NOTHROW(target.run(text));
    }
    target.run("");
  }
}

namespace {

// Each function with each value, alone and beside every stride-th of the others, which are other ones from function
// to function.
void check_refusals(lua_Integer stride) {
  InterpreterOptions options;
  options.memory = 500'000'000;
  options.output = [](std::string_view) {};
  options.warnings = [](std::string_view) {};
  Interpreter interpreter(open_words, options);
  lua_State* L = interpreter.main();
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "functions");
  fuzz::push_functions(L);
  lua_rawset(L, -3);
  lua_pushliteral(L, "names");
  fuzz::push_function_names(L);
  lua_rawset(L, -3);
  lua_pushliteral(L, "stride");
  lua_pushinteger(L, stride);
  lua_rawset(L, -3);
  lua_settop(L, 0);
  REQUIRE_NOTHROW(interpreter.run_text("every.lua", std::string(fuzz::kValues) + R"lua(
    for _, make in ipairs(makers) do values[#values + 1] = make() end
    local fingerprint = s:run { policy = "workqueue" }.fingerprint
    calls, methods, refusals = 0, 0, 0
    local found = {}
    for i, name in ipairs(names) do found[name] = functions[i] end
    assert(found["stats.fit.linear"] and found["probability distribution:draw"] and found["sampler.composition"])
    assert(found["platform"] and found["string.gsub"] and found["simulation:fork"] and found["sim:start"] and found["result:save"])
    local function internal(e)   -- "internal" = a std::exception that is no Error: a fault of the program
      local ok, code = pcall(function() return e.code end)
      return ok and code == "internal"
    end
    for i, f in ipairs(functions) do
      local name = names[i]
      local function try(...)
        calls = calls + 1
        local ok, e = pcall(f, ...)
        if ok then return end
        refusals = refusals + 1
        if internal(e) then error(name .. ": " .. tostring(e), 0) end
      end
      if name:find ":" then methods = methods + 1 end
      try()
      for j = 1, #values do
        local a = values[j]
        try(a)
        for k = 1 + i % stride, #values, stride do
          local b, c = values[(j + k) % #values + 1], values[(j * 7 + k) % #values + 1]
          try(a, b)
          try(a, b, c)
          try(a, b, c, a)
        end
      end
    end
    assert(s:run { policy = "workqueue" }.fingerprint == fingerprint)
  )lua"));
  const auto count = [&](const char* name) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    const lua_Integer value = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return value;
  };
  CHECK(count("methods") > 100);
  CHECK(count("calls") > 100'000);
  CHECK(count("refusals") > count("calls") / 4);
}

}  // namespace

TEST_CASE("every function refuses what it cannot take, whatever the receiver") {
  check_refusals(thorough() ? 64 : 1024);
}

TEST_CASE("every function refuses what it cannot take, of four times as many calls", "[.long]") {
  check_refusals(16);
}
