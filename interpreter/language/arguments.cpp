#include "interpreter/language/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/host/stack.h"
#include "interpreter/host/unknown.h"
#include "interpreter/host/words.h"
#include "interpreter/language/hints.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

namespace {

// Behind the bracket or text that begins at `at`.
std::size_t arguments_behind(std::string_view text, std::size_t at) {
  if (text[at] == '"') return std::min(text.find('"', at + 1), text.size() - 1) + 1;
  const char open = text[at], close = open == '(' ? ')' : '}';
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return text.size();
}

// The number of arguments in a list; "a, b [, { c = 1, d = 2 }]" has 3.
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
        i = arguments_behind(list, i) - 1;
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
      const std::size_t end = arguments_behind(usage, i);
      const auto count = count_arguments(usage.substr(i + 1, end - i - 2));
      if (!count) return std::nullopt;
      most = std::max(most.value_or(0), *count);
      i = end - 1;
    } else if (usage[i] == '{' || usage[i] == '"') {
      most = std::max<std::size_t>(most.value_or(0), 1);
      i = arguments_behind(usage, i) - 1;
    }
  }
  return most;
}

std::size_t least_arguments(std::string_view usage) {
  const std::size_t open = usage.find_first_of("({\" ");
  if (open == usage.npos || usage[open] != '(') return 0;
  const std::string_view list = usage.substr(open + 1, arguments_behind(usage, open) - open - 2);
  return count_arguments(list.substr(0, std::min(list.find('['), list.find("...")))).value_or(0);
}

bool takes_table(std::string_view usage, std::size_t place) {
  const std::size_t open = usage.find_first_of("({");
  if (open == usage.npos) return false;
  std::string_view list = usage.substr(open, arguments_behind(usage, open) - open);
  if (usage[open] == '{') return place == 1 && usage.substr(open + list.size()).empty();
  list = list.substr(1, list.size() - 2);
  std::size_t begin = 0, number = 1;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && (list[i] == '(' || list[i] == '{' || list[i] == '"'))
      i = arguments_behind(list, i);
    if (i < list.size() && list[i] != ',') continue;
    const std::string_view each = list.substr(begin, std::min(i, list.size()) - begin);
    if (number == place) {
      const std::size_t first = each.find_first_not_of(" [");
      return first != each.npos && each[first] == '{' && each.find(" or ") == each.npos;
    }
    begin = i + 1;
    ++number;
  }
  return false;
}

namespace {

struct Checked {
  lua_CFunction function;
  int most;     // values on the stack, the object of a method included
  int objects;  // values among them that are no arguments
  const Word* word;
};

// Whether the function of the frame passes on the arguments that the script has written: pcall and xpcall.
bool is_protected_call(lua_State* L, lua_Debug& frame) {
  const Balanced balanced(L);
  luaL_checkstack(L, 4, "a call");
  lua_getinfo(L, "f", &frame);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  return std::ranges::any_of(std::array{"pcall", "xpcall"}, [&](const char* name) {
    lua_getfield(L, -1, name);
    const bool same = lua_rawequal(L, -1, -3) != 0;
    lua_pop(L, 1);
    return same;
  });
}

// Surplus arguments that are nil do not count, nor do arguments that Lua or a loop adds when it calls the
// function.
bool is_surplus(lua_State* L, int most, int objects) {
  bool given = false;
  for (int i = most + 1; i <= lua_gettop(L); ++i) given = given || !lua_isnil(L, i);
  if (!given) return false;
  lua_Debug frame;
  if (lua_getstack(L, 0, &frame) == 0 || lua_getinfo(L, "n", &frame) == 0) return false;
  if (std::string_view(frame.namewhat) == "for iterator" ||
      (std::string_view(frame.namewhat) == "metamethod" && objects == 0))
    return false;
  if (lua_getstack(L, 1, &frame) == 0 || lua_getinfo(L, "S", &frame) == 0) return false;
  return *frame.what != 'C' || is_protected_call(L, frame);
}

int refuse_surplus(lua_State* L, const Checked& checked) {
  return guard(L, [&] {
    refuse_more(L, *checked.word, static_cast<std::size_t>(checked.most - checked.objects),
                static_cast<std::size_t>(lua_gettop(L) - checked.objects));
    return 0;
  });
}

// In the place of a function with N upvalues, which keeps them; the last one is a Checked.
template <int N>
int check_and_call(lua_State* L) {
  const auto* checked = static_cast<const Checked*>(lua_touserdata(L, lua_upvalueindex(N + 1)));
  if (lua_gettop(L) > checked->most && is_surplus(L, checked->most, checked->objects))
    return refuse_surplus(L, *checked);
  return checked->function(L);
}

constexpr std::array<lua_CFunction, 4> kChecks = {check_and_call<0>, check_and_call<1>, check_and_call<2>,
                                                  check_and_call<3>};

constexpr const char* kChecked = "perigee.checked";  // the metatable of the Checked in an upvalue

// Behind a recipe, too, which keeps the upvalues of its function.
const Checked* checked_at(lua_State* L, int index) {
  if (lua_iscfunction(L, index) == 0) return nullptr;
  index = lua_absindex(L, index);
  for (int i = 1; lua_getupvalue(L, index, i) != nullptr; ++i) {
    const auto* checked = static_cast<const Checked*>(luaL_testudata(L, -1, kChecked));
    lua_pop(L, 1);
    if (checked != nullptr) return checked;
  }
  return nullptr;
}

// The record of the native function that runs.
const Checked* running_word(lua_State* L) {
  lua_Debug frame;
  if (lua_getstack(L, 0, &frame) == 0) return nullptr;
  const Balanced balanced(L);
  luaL_checkstack(L, 4, "a call");
  lua_getinfo(L, "f", &frame);
  return checked_at(L, lua_gettop(L));
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
  luaL_setmetatable(L, kChecked);
  lua_pushcclosure(L, kChecks[static_cast<std::size_t>(upvalues)], upvalues + 1);
  lua_replace(L, original);
}

// Checks the function of the word's name in the table on top of the stack, or the table itself when that is
// called.
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
  luaL_newmetatable(L, kChecked);
  lua_pop(L, 1);
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

void check_arguments_of(lua_State* L, std::string_view type) {
  for (const Word& word : vocabulary())
    if (const auto most = most_arguments(word.usage); most && word.owner == type)
      check_field(L, word, *most, 1);
}

void refuse_more(lua_State* L, const Word& word, std::size_t most, std::size_t given) {
  if (given <= most) return;
  const std::string last = shown(L, lua_gettop(L));
  fail("bad_call", "{} takes {} argument{}, got {}, the last of them {}; it is written {}", word.name,
       most == 0 ? "no" : std::to_string(most), most == 1 ? "" : "s", given, last, word.usage);
}

void refuse_second(lua_State* L, std::string_view word) {
  if (lua_gettop(L) > 1 && is_surplus(L, 1, 0))
    fail("bad_call", "{} takes a name and one table, got {} more, the last of them {}; it is written {}",
         word, lua_gettop(L) - 1, shown(L, lua_gettop(L)), find_word("", word)->usage);
}

lua_CFunction native_function(lua_State* L, int index) {
  const Checked* checked = checked_at(L, index);
  return checked == nullptr ? lua_tocfunction(L, index) : checked->function;
}

namespace {

// The usage of the native word that runs, when an argument of its own has a wrong type. Empty when the
// diagnostic says it already.
std::string form_of_call(lua_State* L, const Diagnostic& diagnostic) {
  if (diagnostic.code != "bad_type") return {};
  const std::string_view said = diagnostic.message;
  const Checked* checked = running_word(L);
  if (checked == nullptr || said.find("it is written") != said.npos || said.find("as in ") != said.npos)
    return {};
  // It begins with the name of the word or of one of its arguments.
  const std::string_view first = said.substr(0, said.find_first_of(": ")), usage = checked->word->usage;
  bool own = first == checked->word->name && first.size() < said.size();
  for (const Token& token : tokens_of(usage.substr(std::min(usage.find('('), usage.size()))))
    own = own || token.text == first;
  return own ? std::string(usage) : std::string();
}

// The usage of the native method that runs, when its first argument is no object of its type, as in
// sim.run_until(10). Else empty.
std::string usage_with_colon(lua_State* L) {
  const Balanced balanced(L);
  const Checked* checked = running_word(L);
  if (checked == nullptr || checked->objects == 0 || checked->word->owner.empty()) return {};
  if (lua_gettop(L) > 0 && luaL_getmetafield(L, 1, "__name") == LUA_TSTRING &&
      text_at(L, -1) == checked->word->owner)
    return {};
  const std::string_view owner = checked->word->owner;
  if (lua_gettop(L) > 0 && type_of_unknown(L, 1) == owner) return {};
  if (lua_gettop(L) > 0 && (lua_type(L, 1) == LUA_TTABLE || is_unknown(L, 1)) && owner == "rows") return {};
  if (owner == "comparison" && lua_gettop(L) > 0 && luaL_getmetafield(L, 1, "columns") != LUA_TNIL)
    return {};  // c:plot has put the rows there
  return std::string(checked->word->usage);
}

class Words final : public Wording {
 public:
  std::string note_on_call(lua_State* L, const Diagnostic& diagnostic) const override {
    if (diagnostic.code.starts_with("bad_"))
      if (const std::string usage = usage_with_colon(L); !usage.empty())
        return fmt::format("it is called with a colon: {}", usage);
    const std::string form = form_of_call(L, diagnostic);
    return form.empty() ? form : fmt::format("it is written {}", form);
  }
  std::string table_needed(lua_State* L, int index, std::string_view name) const override;
  std::string name_of_function(lua_State* L, int index) const override;
  std::string made_by(std::string_view type) const override;
  bool knows_name(std::string_view name) const override { return has_hint_for_name(name); }
  std::string instead_of_field(std::string_view type, std::string_view given) const override {
    const std::string_view sibling = sibling_with(type, given), instead = word_instead_of(type, given);
    if (!sibling.empty()) return std::string(sibling);
    return instead.empty() ? std::string() : fmt::format("it is {} now", instead);
  }
};

std::string Words::made_by(std::string_view type) const {
  const Word* word = find_word("", type);
  return word == nullptr ? std::string() : std::string(word->usage);
}

std::string Words::table_needed(lua_State* L, int index, std::string_view name) const {
  const Checked* checked = running_word(L);
  if (checked == nullptr || index > checked->most) return {};
  if (checked->word->name != name && chain_of(*checked->word) != name) return {};
  const std::string which = checked->most - checked->objects > 1
                                ? fmt::format("argument {}", index - checked->objects)
                                : "its argument";
  return fmt::format("{}: {} must be a table, got {}; it is written {}", name, which,
                     lua_isnone(L, index) ? "nothing" : shown(L, index), checked->word->usage);
}

std::string Words::name_of_function(lua_State* L, int index) const {
  if (const Checked* checked = checked_at(L, index); checked != nullptr)
    return fmt::format("function {}", chain_of(*checked->word));
  return Wording::name_of_function(L, index);
}

}  // namespace

const Wording& vocabulary_wording() {
  static const Words words;
  return words;
}

}  // namespace perigee::language
