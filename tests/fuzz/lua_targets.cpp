// Scripts, the prompt, the words of the language with any arguments, patterns.
#include <memory>
#include <string>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/prompt/repl.h"
#include "tests/fuzz/methods.h"
#include "tests/fuzz/targets.h"
#include "tests/support/layers.h"

namespace perigee::fuzz {

namespace {

InterpreterOptions confined() {
  InterpreterOptions options;
  options.steps = 60'000;
  options.memory = 20'000'000;
  options.output = [](std::string_view) {};
  options.warnings = [](std::string_view) {};
  return options;
}

// An interpreter takes long to make, so many executions share one. A failure may need the executions before
// it.
template <class Made>
Made& shared(int executions, std::unique_ptr<Made> (*make)()) {
  static std::unique_ptr<Made> made;
  static int left = 0;
  if (left-- == 0) {
    made.reset();
    made = make();
    left = executions - 1;
  }
  return *made;
}

// No global of one execution is left to the next.
void forget_globals(lua_State* L) {
  lua_settop(L, 0);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushnil(L);
    lua_rawset(L, 1);
  }
  lua_settop(L, 0);
}

// Two Lua states that answer alike.
struct Patterns {
  Interpreter interpreter{open_words}, limited{open_words, confined()};
  lua_State* oracle = luaL_newstate();
  Patterns() {
    luaL_openlibs(oracle);
    for (lua_State* L : {interpreter.main(), oracle}) load(L);
  }
  ~Patterns() { lua_close(oracle); }
  Patterns(const Patterns&) = delete;
  Patterns& operator=(const Patterns&) = delete;

  // Leaves the function at the bottom of the stack.
  static void load(lua_State* L) {
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
  }
};

}  // namespace

void script(std::string_view bytes) {
  auto& interpreter = shared<Interpreter>(500, [] {
    auto made = std::make_unique<Interpreter>(open_words, confined());
    made->redefinitions().allowed = true;
    return made;
  });
  interpreter.resume();
  forget_globals(interpreter.main());
  interpreter.run_text("script.lua", std::string(bytes));
}

void prompt(std::string_view bytes) {
  auto& repl = shared<Repl>(500, [] { return std::make_unique<Repl>(confined()); });
  repl.interpreter().inputs().all().clear();
  forget_globals(repl.interpreter().main());
  constexpr int kLines = 6;
  for (int lines = 0; lines < kLines && !bytes.empty(); ++lines) {
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

// Bytes choose a function, the number of arguments, and the arguments, among values and answers of earlier
// calls.
void bindings(std::string_view bytes) {
  auto& interpreter = shared<Interpreter>(1000, [] {
    auto made = std::make_unique<Interpreter>(open_words, confined());
    lua_State* L = made->main();
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushliteral(L, "functions");
    push_functions(L);
    lua_rawset(L, -3);
    lua_settop(L, 0);
    made->run_text("bindings.lua", std::string(kValues) + R"lua(
      function execute(bytes)
        local values, made = values, {}
        local at, known, kept = 0, #values, {}
        local function next_byte() at = at + 1; return bytes:byte(at) or 0 end
        local function next_value()
          local n = next_byte() % (known + #makers + #kept) + 1
          if n <= known then return values[n] end
          if n > known + #makers then return kept[n - known - #makers] end
          if made[n] == nil then made[n] = select(2, pcall(makers[n - known])) end
          return made[n]
        end
        local function keep(ok, ...)
          for i = 1, ok and select("#", ...) or 0 do
            if #kept < 100 then kept[#kept + 1] = (select(i, ...)) end
          end
        end
        while at < #bytes do
          local f = functions[(next_byte() * 256 + next_byte()) % #functions + 1]
          local given = {}
          local count = next_byte() % 4
          for i = 1, count do given[i] = next_value() end
          keep(pcall(f, table.unpack(given, 1, count)))
        end
      end)lua");
    made->redefinitions().allowed = true;
    return made;
  });
  interpreter.resume();
  lua_State* L = interpreter.main();
  lua_settop(L, 0);
  host::protect(L, [&](lua_State* in) {
    lua_rawgeti(in, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_getfield(in, -1, "execute");
    host::push(in, bytes.substr(0, 200));
    lua_call(in, 1, 0);
  });
}

// Three lines: pattern, replacement, subject. Short ones are compared with Lua's own; long ones would take
// that for ever.
void patterns(std::string_view bytes) {
  const std::size_t first = std::min(bytes.find('\n'), bytes.size());
  const std::string_view rest = bytes.substr(std::min(first + 1, bytes.size()));
  const std::size_t second = std::min(rest.find('\n'), rest.size());
  const std::string_view pattern = bytes.substr(0, first), replacement = rest.substr(0, second),
                         subject = rest.substr(std::min(second + 1, rest.size()));
  auto& states = shared<Patterns>(100'000, [] { return std::make_unique<Patterns>(); });
  const auto answer = [&](lua_State* L) {
    const host::Balanced balanced(L);
    lua_pushvalue(L, 1);
    for (const std::string_view text : {pattern, replacement, subject}) host::push(L, text);
    require(lua_pcall(L, 3, 1, 0) == LUA_OK, "the calls are protected");
    return std::string(*host::text_at(L, -1));
  };
  if (pattern.size() <= 14 && subject.size() <= 20) {
    require(answer(states.interpreter.main()) == answer(states.oracle), "patterns match as Lua's own do");
  } else {
    states.limited.resume();
    lua_State* L = states.limited.main();
    lua_settop(L, 0);
    host::protect(L, [&](lua_State*) {
      lua_getglobal(L, "string");
      lua_getfield(L, -1, "gsub");
      for (const std::string_view text : {subject, pattern, replacement}) host::push(L, text);
      lua_call(L, 3, 0);
    });
  }
}

}  // namespace perigee::fuzz
