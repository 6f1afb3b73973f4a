// The words that are those of standard Lua, and say what is different here.
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr Word kAllWordsOfStandardLua[] = {
    {"", "assert", "assert(condition [, message])", "standard Lua: an error unless the condition is true"},
    {"",
     "error",
     "error(message)",
     "standard Lua: raises an error",
     {},
     {.example = R"(local ok, problem = pcall(function() return platform { host "n" { speed = -2 } } end)
print(ok, problem.code, problem.message))"}},
    {"", "getmetatable", "getmetatable(value)", "standard Lua"},
    {"", "setmetatable", "setmetatable(table, metatable)", "standard Lua, without __gc and __mode"},
    {"", "ipairs", "for i, value in ipairs(list)", "standard Lua"},
    {"", "pairs", "for key, value in pairs(table)",
     "standard Lua, in sorted order: numbers, then texts, then booleans; other keys are an error"},
    {"", "load", "load(text)", "standard Lua, of texts only"},
    {"", "pcall", "ok, result = pcall(f, ...)",
     "standard Lua; an error has message, code, file, line and notes; a stop by --steps or --memory passes"},
    {"", "xpcall", "ok, result = xpcall(f, handler, ...)", "standard Lua, as pcall"},
    {"", "print", "print(...)", "standard Lua, without addresses; tables with what is in them"},
    {"", "rawequal", "rawequal(a, b)", "standard Lua"},
    {"", "rawget", "rawget(table, key)", "standard Lua"},
    {"", "rawlen", "rawlen(table)", "standard Lua"},
    {"", "rawset", "rawset(table, key, value)", "standard Lua; not of protected tables"},
    {"", "require", "require \"folder.module\"",
     "standard Lua, of the standard library and files below the script's folder, before a run"},
    {"", "select", "select(n, ...)", "standard Lua"},
    {"", "tonumber", "tonumber(text [, base])", "standard Lua"},
    {"", "tostring", "tostring(value)", "standard Lua, without addresses"},
    {"", "type", "type(value)", "standard Lua"},
    {"", "coroutine", "coroutine.wrap(f)", "standard Lua: the library of coroutines"},
    {"", "math", "math.floor(x)",
     "standard Lua, with the same bits on every CPU; also log1p, expm1, pow, hypot, cbrt, sinh, cosh, "
     "tanh, erf, erfc, gamma and lgamma; random draws from the stream \"script\" of the seed, not in a run"},
    {"", "string", "string.format(format, ...)", "standard Lua: the library of texts, without dump"},
    {"", "table", "table.concat(list, between)", "standard Lua: the library of tables; sort is stable"},
    {"", "utf8", "utf8.char(...)", "standard Lua: the library of UTF-8 texts"},
    {"", "_VERSION", "_VERSION", "standard Lua: \"Lua 5.4\""},
};

}  // namespace

constinit const std::span<const Word> kWordsOfStandardLua = kAllWordsOfStandardLua;

}  // namespace perigee::language
