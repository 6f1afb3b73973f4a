// Scripts, the prompt, the words of the language with any arguments, patterns.
#include <string>
#include <vector>

#include "interpreter/repl.h"
#include "tests/fuzz/methods.h"
#include "tests/fuzz/targets.h"

namespace perigee::fuzz {

namespace {

InterpreterOptions confined() {
  InterpreterOptions options;
  options.steps = 20'000;
  options.memory = 20'000'000;
  options.output = [](std::string_view) {};
  options.warnings = [](std::string_view) {};
  return options;
}

}  // namespace

void script(std::string_view bytes) {
  Interpreter interpreter(confined());
  interpreter.run_text("script.lua", std::string(bytes));
}

void prompt(std::string_view bytes) {
  Repl repl(confined());
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line[first] == ':' && line.compare(first, 5, ":help") != 0) continue;  // files
    const auto completion = repl.complete(line, line.size() / 2);
    require(completion.start <= line.size() / 2, "what is completed is before the cursor");
    if (repl.feed(line).quit) break;
  }
  (void)repl.finish();
  (void)repl.script();
}

// Bytes choose a function, how many arguments, and the arguments, among values and what earlier calls gave.
void bindings(std::string_view bytes) {
  Interpreter interpreter(confined());
  lua_State* L = interpreter.main();
  push_functions(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  const auto set = [&](const char* name) {  // the value on top becomes a global
    lua_pushstring(L, name);
    lua_insert(L, -2);
    lua_rawset(L, -3);
  };
  lua_pushvalue(L, -2);
  set("functions");
  lua::push(L, bytes.substr(0, 200));
  set("bytes");
  lua_settop(L, 0);
  interpreter.run_text("bindings.lua", std::string(kValues) + R"lua(
    local at = 0
    local function next_byte() at = at + 1; return bytes:byte(at) or 0 end
    local function keep(ok, ...)
      for i = 1, ok and select("#", ...) or 0 do
        if #values < 200 then values[#values + 1] = (select(i, ...)) end
      end
    end
    while at < #bytes do
      local f = functions[next_byte() % #functions + 1]
      local given = {}
      local count = next_byte() % 4
      for i = 1, count do given[i] = values[next_byte() % #values + 1] end
      keep(pcall(f, table.unpack(given, 1, count)))
    end)lua");
}

// Three lines: pattern, replacement, subject. Short ones are compared with Lua's own; long ones would take
// that for ever.
void patterns(std::string_view bytes) {
  const std::size_t first = std::min(bytes.find('\n'), bytes.size());
  const std::string_view rest = bytes.substr(std::min(first + 1, bytes.size()));
  const std::size_t second = std::min(rest.find('\n'), rest.size());
  const std::string_view pattern = bytes.substr(0, first), replacement = rest.substr(0, second),
                         subject = rest.substr(std::min(second + 1, rest.size()));
  const auto answer = [&](lua_State* L) {
    const lua::Balanced balanced(L);
    luaL_loadstring(L, R"lua(
      local pattern, replacement, subject = ...
      local out = {}
      local function note(ok, ...)
        if not ok then out[#out + 1] = "error" return end
        for i = 1, select("#", ...) do out[#out + 1] = tostring((select(i, ...))) end
      end
      note(pcall(string.find, subject, pattern))
      note(pcall(string.match, subject, pattern, -3))
      note(pcall(string.gsub, subject, pattern, replacement))
      note(pcall(function()
        local n = 0
        for a, b in string.gmatch(subject, pattern, 2) do note(true, a, b) n = n + 1 if n == 20 then break end end
      end))
      return table.concat(out, "\0"))lua");
    for (const std::string_view text : {pattern, replacement, subject}) lua::push(L, text);
    require(lua_pcall(L, 3, 1, 0) == LUA_OK, "the calls are protected");
    return std::string(*lua::text_at(L, -1));
  };
  if (pattern.size() <= 14 && subject.size() <= 20) {
    Interpreter interpreter;
    lua_State* oracle = luaL_newstate();
    luaL_openlibs(oracle);
    const std::string expected = answer(oracle);
    lua_close(oracle);
    require(answer(interpreter.main()) == expected, "patterns match as Lua's own do");
  } else {
    Interpreter interpreter(confined());
    lua_State* L = interpreter.main();
    lua::protect(L, [&](lua_State*) {
      lua_getglobal(L, "string");
      lua_getfield(L, -1, "gsub");
      for (const std::string_view text : {subject, pattern, replacement}) lua::push(L, text);
      lua_call(L, 3, 0);
    });
  }
}

}  // namespace perigee::fuzz
