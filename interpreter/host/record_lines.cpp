#include "interpreter/host/record_lines.h"

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/host/words.h"

namespace perigee::host {

namespace {

struct Written {  // key = value, or an entry of a list, without a key
  std::string_view key, value;
  int line;
};

struct Braces {  // { ... }
  std::size_t begin;
  int line;
  std::vector<Written> fields = {}, entries = {};
  bool computed = false;  // it has [key] = value
};

constexpr std::string_view kOpens = "{([", kCloses = "})]";

bool is_in(std::string_view set, std::string_view token) {
  return token.size() == 1 && set.find(token[0]) != set.npos;
}

std::vector<Braces> braces_of(const std::vector<Token>& tokens) {
  std::vector<Braces> all;
  struct Frame {
    std::size_t braces = std::string_view::npos;  // of `all`
    std::size_t value = 0;                        // the token at which the last value begins; 0 = none
    bool of_field = false;                        // whether that is a field's
  };
  std::vector<Frame> open;
  const auto end_value = [&](std::size_t end) {
    if (open.empty() || open.back().value == 0) return;
    const std::size_t first = std::exchange(open.back().value, 0);
    if (end <= first) return;
    const char* begin = tokens[first].text.data();
    const std::string_view last = tokens[end - 1].text;
    Braces& braces = all[open.back().braces];
    (open.back().of_field ? braces.fields : braces.entries).back().value = {
        begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].text;
    const auto next = [&](std::size_t k) { return i + k < tokens.size() ? tokens[i + k].text : ""; };
    const bool begins_field =
        i > 0 && (tokens[i - 1].text == "{" || tokens[i - 1].text == "," || tokens[i - 1].text == ";");
    if (!open.empty() && open.back().braces != std::string_view::npos && begins_field) {
      Braces& braces = all[open.back().braces];
      if (token == "[") {
        braces.computed = true;
      } else if (begins_name(token) && next(1) == "=" && next(2) != "=") {
        braces.fields.push_back({token, {}, tokens[i].line});
        open.back().value = i + 2;
        open.back().of_field = true;
      } else if (token != "}" && token != "," && token != ";") {
        braces.entries.push_back({{}, {}, tokens[i].line});
        open.back().value = i;
        open.back().of_field = false;
      }
    }
    if (token == "{") {
      open.push_back({all.size(), 0});
      all.push_back({i, tokens[i].line});
    } else if (token == "(" || token == "[" || token == "function" || token == "if" || token == "do" ||
               token == "repeat") {
      open.emplace_back();
    } else if (is_in(kCloses, token) || token == "end" || token == "until") {
      end_value(i);
      if (!open.empty()) open.pop_back();
    } else if (token == "," || token == ";") {
      end_value(i);
    }
  }
  return all;
}

bool is_literal(std::string_view written) {
  return !written.empty() && (std::string_view("\"'-.").find(written[0]) != written.npos ||
                              (written[0] >= '0' && written[0] <= '9'));
}

// Whether the written value may be the one on top of the stack: literals are compared.
bool may_be(lua_State* L, std::string_view written) {
  if (written.empty()) return true;
  if (written.front() == '{') return lua_type(L, -1) == LUA_TTABLE;
  const int type = lua_type(L, -1);
  const char quote = written.front();
  if ((quote == '"' || quote == '\'') && written.find('\\') == written.npos &&
      written.find(quote, 1) == written.size() - 1)
    return type == LUA_TSTRING && *text_at(L, -1) == written.substr(1, written.size() - 2);
  if (written == "true" || written == "false")
    return type == LUA_TBOOLEAN && (lua_toboolean(L, -1) != 0) == (written == "true");
  if (lua_stringtonumber(L, std::string(written).c_str()) != 0) {
    const bool same = type == LUA_TNUMBER && lua_compare(L, -1, -2, LUA_OPEQ) != 0;
    lua_pop(L, 1);
    return same;
  }
  return true;
}

// Whether the table can have been written so.
bool matches(lua_State* L, int index, const Braces& braces) {
  const Balanced balanced(L);
  bool has_any = braces.fields.empty();  // what is computed may be nil, but hardly all of it
  for (const Written& each : braces.fields) {
    push(L, each.key);
    has_any = lua_rawget(L, index) != LUA_TNIL || has_any;
    if (!may_be(L, each.value)) return false;
    lua_pop(L, 1);
  }
  if (!has_any) return false;
  if (braces.computed) return true;
  lua_Integer place = 0;
  for (const Written& each : braces.entries) {
    lua_rawgeti(L, index, ++place);
    if (!may_be(L, each.value)) return false;
    lua_pop(L, 1);
  }
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, index));
  if (braces.fields.empty() && length != place) {
    // The last of the entries may stand for several, or for none.
    const bool open = place > 0 && (braces.entries.back().value.ends_with(')') ||
                                    braces.entries.back().value.ends_with("..."));
    if (!open || length < place - 1) return false;
  }
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
    if (const auto key = text_at(L, -2);
        key && std::ranges::find(braces.fields, *key, &Written::key) == braces.fields.end())
      return false;
  return true;
}

// The tokens of the statement that begins at `line`, or of the part of it that begins there.
std::pair<std::size_t, std::size_t> statement_at(const std::vector<Token>& tokens, int line) {
  auto begin = static_cast<std::size_t>(
      std::ranges::find_if(tokens, [&](const Token& each) { return each.line >= line; }) - tokens.begin());
  while (begin < tokens.size() && tokens[begin].line == line &&
         (is_in(kCloses, tokens[begin].text) || tokens[begin].text == ","))
    ++begin;  // the end of what began before
  int depth = 0;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (is_in(kOpens, tokens[i].text)) ++depth;
    if (is_in(kCloses, tokens[i].text)) --depth;
    if (depth < 0) return {begin, i};
    if (depth == 0 && i + 1 < tokens.size() && tokens[i + 1].line > tokens[i].line &&
        std::string_view("{([:.\"'-").find(tokens[i + 1].text[0]) == std::string_view::npos)
      return {begin, i + 1};
  }
  return {begin, tokens.size()};
}

}  // namespace

namespace {

// The braces in which the table can have been written and of which line_of() knows a line, in the statement
// at line `call` or before it. Within the statement the first such braces count, before it those with fields,
// or the only ones with a written number or text. Else the only line that line_of() knows, if `alone`.
template <class F>
std::optional<int> line_of_braces(lua_State* L, int index, std::string_view source, int call, bool alone,
                                  F&& line_of) {
  luaL_checkstack(L, 6, "fields");
  index = lua_absindex(L, index);
  const std::vector<Token> tokens = tokens_of(source);
  const auto [begin, end] = statement_at(tokens, call);
  const std::vector<Braces> all = braces_of(tokens);
  for (const bool within : {true, false}) {
    std::optional<int> only, list;
    int count = 0, lists = 0;
    for (const Braces& braces : all) {
      if ((braces.begin >= begin && braces.begin < end) != within) continue;
      if (!within && braces.begin >= end) break;
      const std::optional<int> line = line_of(braces);
      if (!line) continue;
      const bool telling = std::ranges::any_of(braces.entries, is_literal, &Written::value);
      if ((!braces.fields.empty() || within || telling) && matches(L, index, braces)) {
        if (!braces.fields.empty() || within) return line;
        list = line;
        ++lists;
      }
      only = line;
      ++count;
    }
    if (lists == 1) return list;
    if (count == 1 && alone) return only;
    if (count > 0 && within && alone) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> line_in_source(lua_State* L, int index, std::string_view source, int call,
                                  std::string_view field) {
  return line_of_braces(L, index, source, call, !field.empty(),
                        [&](const Braces& braces) -> std::optional<int> {
                          if (field.empty()) return braces.line;
                          const auto found = std::ranges::find(braces.fields, field, &Written::key);
                          return found == braces.fields.end() ? std::nullopt : std::optional(found->line);
                        });
}

std::optional<int> line_of_entry(lua_State* L, int index, std::string_view source, int call,
                                 std::int64_t number) {
  return line_of_braces(L, index, source, call, false, [&](const Braces& braces) -> std::optional<int> {
    if (number < 1 || number > std::ssize(braces.entries)) return std::nullopt;
    return braces.entries[static_cast<std::size_t>(number - 1)].line;
  });
}

std::optional<int> line_of_record(std::string_view source, int call, std::int64_t number, std::int64_t count,
                                  std::string_view name) {
  const std::vector<Token> tokens = tokens_of(source);
  const auto [begin, end] = statement_at(tokens, call);
  const std::vector<Braces> all = braces_of(tokens);
  // Whether a text of that name, or what is no literal, is written as the record's name.
  const auto is_named = [&](const Braces& record) {
    const auto found = std::ranges::find(record.fields, "name", &Written::key);
    if (found == record.fields.end()) return name.empty();
    const std::string_view value = found->value;
    return !is_literal(value) || (value.size() == name.size() + 2 && value.substr(1, name.size()) == name);
  };
  const auto line_in = [&](const Braces& list) -> std::optional<int> {
    if (!list.fields.empty() || list.computed || std::ssize(list.entries) != count) return std::nullopt;
    const std::string_view entry = list.entries[static_cast<std::size_t>(number - 1)].value;
    const auto record = std::ranges::find_if(
        all, [&](const Braces& each) { return tokens[each.begin].text.data() == entry.data(); });
    return record == all.end() || !is_named(*record) ? std::nullopt : std::optional(record->line);
  };
  std::optional<int> line;
  for (const Braces& list : all) {
    if (list.begin < begin || list.begin >= end) continue;
    const std::optional<int> here = line_in(list);
    if (here && line) return std::nullopt;
    if (here) line = here;
  }
  if (line) return line;
  // The last list before the statement that was given to a name which the statement has.
  const auto has = [&](std::string_view word) {
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Token& each) { return each.text == word; });
  };
  const Braces* before = nullptr;
  for (const Braces& list : all)
    if (list.begin >= 2 && list.begin < begin && tokens[list.begin - 1].text == "=" &&
        has(tokens[list.begin - 2].text))
      before = &list;
  return before == nullptr ? std::nullopt : line_in(*before);
}

}  // namespace perigee::host
