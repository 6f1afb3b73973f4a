#include "interpreter/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/stack.h"
#include "interpreter/vocabulary.h"
#include "interpreter/words.h"

namespace perigee::interpreter {

namespace {

// Behind the bracket or text that begins at `at`.
std::size_t behind(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  const char open = text[at], close = open == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return text.size();
}

// Of "a, b [, { c = 1, d = 2 }]": 3.
std::optional<std::size_t> count_arguments(std::string_view list) {
  std::size_t count = 0;
  bool begun = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (list.substr(i, 3) == "..." && !begun) return std::nullopt;
    if (c == ',') {
      begun = false;
    } else if (c != ' ' && c != '[' && c != ']') {
      if (!std::exchange(begun, true)) ++count;
      if (list.substr(i, 8) == "function")
        i = std::max(list.find(" end", i), i) + 3;
      else if (c == '(' || c == '{' || c == '"')
        i = behind(list, i) - 1;
    }
  }
  return count;
}

}  // namespace

std::optional<std::size_t> most_arguments(std::string_view usage) {
  std::optional<std::size_t> most;
  std::size_t i = 0;
  while (i < usage.size() && (is_word(usage[i]) || usage[i] == '.' || usage[i] == ':')) ++i;
  for (; i < usage.size(); ++i) {
    if (usage[i] == '(') {
      const std::size_t end = behind(usage, i);
      const auto count = count_arguments(usage.substr(i + 1, end - i - 2));
      if (!count) return std::nullopt;
      most = std::max(most.value_or(0), *count);
      i = end - 1;
    } else if (usage[i] == '{' || usage[i] == '"') {
      most = std::max<std::size_t>(most.value_or(0), 1);
      i = behind(usage, i) - 1;
    }
  }
  return most;
}

namespace lua {

namespace {

struct Checked {
  lua_CFunction function;
  int most;     // of all that is on the stack, the object of a method among it
  int objects;  // of those, what is no argument
  const Word* word;
};

// Surplus arguments that are nil are none. Nor does it count what Lua or a loop adds that calls the function.
bool is_surplus(lua_State* L, const Checked& checked) {
  bool given = false;
  for (int i = checked.most + 1; i <= lua_gettop(L); ++i) given = given || !lua_isnil(L, i);
  if (!given) return false;
  lua_Debug frame;
  if (lua_getstack(L, 0, &frame) == 0 || lua_getinfo(L, "n", &frame) == 0) return false;
  if (std::string_view(frame.namewhat) == "for iterator" ||
      (std::string_view(frame.namewhat) == "metamethod" && checked.objects == 0))
    return false;
  if (lua_getstack(L, 1, &frame) == 0 || lua_getinfo(L, "S", &frame) == 0) return false;
  return *frame.what != 'C';
}

int refuse_surplus(lua_State* L, const Checked& checked) {
  return guard(L, [&]() -> int {
    const int most = checked.most - checked.objects, given = lua_gettop(L) - checked.objects;
    std::string last = shown(L, lua_gettop(L));
    fail("bad_call", "{} takes {} argument{}, got {}, the last of them {}; it is written {}",
         checked.word->name, most == 0 ? "no" : std::to_string(most), most == 1 ? "" : "s", given, last,
         checked.word->usage);
  });
}

// In the place of a function with N upvalues, which keeps them; the last one is a Checked.
template <int N>
int check_and_call(lua_State* L) {
  const auto* checked = static_cast<const Checked*>(lua_touserdata(L, lua_upvalueindex(N + 1)));
  if (lua_gettop(L) > checked->most && is_surplus(L, *checked)) return refuse_surplus(L, *checked);
  return checked->function(L);
}

constexpr std::array<lua_CFunction, 4> kChecks = {check_and_call<0>, check_and_call<1>, check_and_call<2>,
                                                  check_and_call<3>};

const Checked* checked_at(lua_State* L, int index) {
  const auto found = std::ranges::find(kChecks, lua_tocfunction(L, index));
  if (found == kChecks.end()) return nullptr;
  if (lua_getupvalue(L, index, static_cast<int>(found - kChecks.begin()) + 1) == nullptr) return nullptr;
  const auto* checked = static_cast<const Checked*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return checked;
}

// Replaces the function on top of the stack.
void check_top(lua_State* L, const Word& word, std::size_t most, int objects) {
  const lua_CFunction function = lua_tocfunction(L, -1);
  const int original = lua_gettop(L);
  if (function == nullptr || checked_at(L, original) != nullptr) return;
  int upvalues = 0;
  luaL_checkstack(L, 8, "words");
  while (lua_getupvalue(L, original, upvalues + 1) != nullptr) ++upvalues;
  if (static_cast<std::size_t>(upvalues) >= kChecks.size()) return lua_settop(L, original);
  *static_cast<Checked*>(lua_newuserdatauv(L, sizeof(Checked), 0)) = {
      function, static_cast<int>(most) + objects, objects, &word};
  lua_pushcclosure(L, kChecks[static_cast<std::size_t>(upvalues)], upvalues + 1);
  lua_replace(L, original);
}

// Of the table on top of the stack: its function of the word's name, or the table itself when it is called.
void check_field(lua_State* L, const Word& word, std::size_t most, int objects) {
  const Balanced balanced(L);
  const int table = lua_gettop(L);
  push(L, word.name);
  lua_rawget(L, table);
  if (lua_iscfunction(L, -1) != 0) {
    check_top(L, word, most, objects);
    push(L, word.name);
    lua_insert(L, -2);
    lua_rawset(L, table);
  } else if (lua_type(L, -1) == LUA_TTABLE && lua_getmetatable(L, -1) != 0) {
    lua_pushliteral(L, "__call");
    if (lua_rawget(L, -2) != LUA_TFUNCTION) return;
    check_top(L, word, most, 1);
    lua_setfield(L, -2, "__call");
  }
}

// Pushes the table that has the methods of a type, or the functions of a module "a" or "a.b" of the
// vocabulary. Or returns false.
bool push_methods(lua_State* L, std::string_view type) {
  const int top = lua_gettop(L);
  if (type == "rows") return lua_getfield(L, LUA_REGISTRYINDEX, "perigee.row_methods") == LUA_TTABLE;
  lua_getfield(L, LUA_REGISTRYINDEX, std::string(type).c_str());
  if (lua_type(L, -1) == LUA_TTABLE && push_type_index(L, -1) && lua_getupvalue(L, -1, 1) != nullptr &&
      lua_type(L, -1) == LUA_TTABLE)
    return true;
  lua_settop(L, top);
  return false;
}

bool push_module_table(lua_State* L, std::string_view chain) {
  const int top = lua_gettop(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  while (!chain.empty()) {
    const std::size_t end = std::min(chain.find('.'), chain.size());
    push(L, chain.substr(0, end));
    lua_rawget(L, -2);
    chain.remove_prefix(std::min(end + 1, chain.size()));
    lua_pushliteral(L, "__index");  // the table behind its view
    if (lua_type(L, -2) != LUA_TTABLE || lua_getmetatable(L, -2) == 0) break;
    lua_insert(L, -2);
    if (lua_rawget(L, -2) != LUA_TTABLE) break;
    if (chain.empty()) return true;
  }
  lua_settop(L, top);
  return false;
}

}  // namespace

void check_arguments(lua_State* L) {
  for (const Word& word : vocabulary()) {
    const auto most = most_arguments(word.usage);
    if (!most || word.summary.starts_with("standard Lua")) continue;
    const Balanced balanced(L);
    const bool method = !word.owner.empty() && word.usage.find(':') < word.usage.find_first_of("({\" ");
    if (word.owner.empty()) {
      lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
      check_field(L, word, *most, 0);
    } else if (method ? push_methods(L, word.owner) : push_module_table(L, word.owner)) {
      check_field(L, word, *most, method ? 1 : 0);
    }
  }
}

lua_CFunction native_function(lua_State* L, int index) {
  const Checked* checked = checked_at(L, index);
  return checked == nullptr ? lua_tocfunction(L, index) : checked->function;
}

std::string name_of_function(lua_State* L, int index) {
  if (const Checked* checked = checked_at(L, index); checked != nullptr)
    return fmt::format("function {}", chain_of(*checked->word));
  lua_Debug about;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &about);
  if (*about.what == 'C') return "function";
  return fmt::format("function at {}:{}", static_cast<const char*>(about.short_src), about.linedefined);
}

std::string usage_with_colon(lua_State* L) {
  lua_Debug frame;
  if (lua_getstack(L, 0, &frame) == 0) return {};
  const Balanced balanced(L);
  lua_getinfo(L, "f", &frame);
  const Checked* checked = checked_at(L, lua_gettop(L));
  lua_pop(L, 1);
  if (checked == nullptr || checked->objects == 0 || checked->word->owner.empty()) return {};
  if (lua_gettop(L) > 0 && luaL_getmetafield(L, 1, "__name") == LUA_TSTRING &&
      text_at(L, -1) == checked->word->owner)
    return {};
  if (lua_gettop(L) > 0 && lua_type(L, 1) == LUA_TTABLE && checked->word->owner == "rows") return {};
  return std::string(checked->word->usage);
}

}  // namespace lua
}  // namespace perigee::interpreter
