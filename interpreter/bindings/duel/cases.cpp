#include "interpreter/bindings/duel/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/bindings/plain_table.h"
#include "interpreter/bindings/script/lua_text.h"

namespace perigee::bindings {

namespace {

using Kind = Variable::Kind;

const Choices& choices_of(const Variable& variable) {
  return *static_cast<const Choices*>(variable.kept.get());
}

constexpr int kDeepestCopy = 16;  // of tables that are copied or compared; what is deeper is one and the same

// Values are the same, or tables of the same fields.
bool are_alike(lua_State* L, int a, int b, int depth = 0) {
  if (lua_rawequal(L, a, b) != 0) return true;
  if (depth == kDeepestCopy || !is_plain_table(L, a) || !is_plain_table(L, b)) return false;
  a = lua_absindex(L, a);
  b = lua_absindex(L, b);
  luaL_checkstack(L, 6, "a table");
  std::size_t of_a = 0, of_b = 0;
  for (lua_pushnil(L); lua_next(L, b) != 0; lua_pop(L, 1)) ++of_b;
  for (lua_pushnil(L); lua_next(L, a) != 0; lua_pop(L, 1)) {
    ++of_a;
    lua_pushvalue(L, -2);
    lua_rawget(L, b);
    const bool alike = are_alike(L, -2, -1, depth + 1);
    lua_pop(L, 1);
    if (alike) continue;
    lua_pop(L, 2);
    return false;
  }
  return of_a == of_b;
}

void push_choice(lua_State* L, const Variable& variable, const Datum& value) {
  const auto place = static_cast<std::size_t>(value.number);
  choices_of(variable).values[place].push(L);
  push_copy(L, -1);
  lua_remove(L, -2);
}

void push_matrix(lua_State* L, const Variable& of, const Datum& value) {
  lua_createtable(L, static_cast<int>(value.items.size()), 0);
  for (std::size_t r = 0; r < value.items.size(); ++r) {
    const std::vector<Datum>& row = value.items[r].items;
    lua_createtable(L, static_cast<int>(row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) {
      push_datum(L, of, row[c]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(c) + 1);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(r) + 1);
  }
}

void push_permutation(lua_State* L, const Datum& value) {
  lua_createtable(L, static_cast<int>(value.items.size()), 0);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(value.items[i].number));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

void push_edges(lua_State* L, const Variable& of, const Datum& value) {
  lua_createtable(L, static_cast<int>(value.items.size()), 0);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::vector<Datum>& edge = value.items[i].items;
    lua_createtable(L, 3, 0);
    for (lua_Integer end = 0; end < 2; ++end) {
      lua_pushinteger(L, static_cast<lua_Integer>(edge[static_cast<std::size_t>(end)].number));
      lua_rawseti(L, -2, end + 1);
    }
    push_datum(L, of, edge[2]);
    lua_rawseti(L, -2, 3);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

}  // namespace

void push_copy(lua_State* L, int index, int depth) {
  index = lua_absindex(L, index);
  if (depth == kDeepestCopy || !is_plain_table(L, index)) return lua_pushvalue(L, index);
  luaL_checkstack(L, 6, "a table");
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    push_copy(L, -2, depth + 1);
    lua_rawset(L, -5);
  }
}

void push_datum(lua_State* L, const Variable& variable, const Datum& value, std::size_t known) {
  luaL_checkstack(L, 6, "a case");
  const auto push_items = [&](const Variable& of) {
    lua_createtable(L, static_cast<int>(value.items.size()), 0);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      push_datum(L, of, value.items[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  };
  switch (variable.kind) {
    case Kind::real:
      return lua_pushnumber(L, value.number);
    case Kind::whole:
      return lua_pushinteger(L, static_cast<lua_Integer>(value.number));
    case Kind::choice:
      return push_choice(L, variable, value);
    case Kind::list:
      return push_items(variable.of.front());
    case Kind::matrix:
      return push_matrix(L, variable.of.front(), value);
    case Kind::permutation:
      return push_permutation(L, value);
    case Kind::dag:
      return push_edges(L, variable.of.front(), value);
    case Kind::record:
      lua_createtable(L, 0, static_cast<int>(variable.fields.size()));
      for (std::size_t i = 0; i < std::min(known, variable.order.size()); ++i) {
        const std::size_t place = variable.order[i];
        push_datum(L, variable.fields[place].parameter, value.items[place]);
        lua_setfield(L, -2, variable.fields[place].name.c_str());
      }
      return;
  }
}

void push_case(lua_State* L, const Space& space, const Datum& value) { push_datum(L, space.root, value); }

namespace {

// Reads values of a script; `where` says which, for messages.
class CaseReader {
 public:
  CaseReader(lua_State* L, std::string_view what) : L_(L), what_(what) {}

  Datum read(const Variable& variable, int index, const std::string& where) {
    index = lua_absindex(L_, index);
    luaL_checkstack(L_, 6, "a case");
    switch (variable.kind) {
      case Kind::real:
      case Kind::whole:
        if (lua_type(L_, index) != LUA_TNUMBER) refuse(where, "must be a number", index);
        return {lua_tonumber(L_, index)};
      case Kind::choice:
        return choice(variable, index, where);
      case Kind::list:
        return {
            0, items(index, where, [&](const std::string& at) { return read(variable.of.front(), -1, at); })};
      case Kind::matrix:
        return {0, items(index, where, [&](const std::string& row) {
                  return Datum{0, items(-1, row, [&](const std::string& at) {
                                 return read(variable.of.front(), -1, at);
                               })};
                })};
      case Kind::permutation:
        return {0, items(index, where, [&](const std::string& at) { return whole(at); })};
      case Kind::dag:
        return {0, items(index, where, [&](const std::string& at) { return edge(variable, at); })};
      case Kind::record:
        return record(variable, index, where);
    }
    return {};
  }

 private:
  [[noreturn]] void refuse(const std::string& where, std::string_view problem, int index) {
    fail("bad_case", "{}: {} {}, got {}", what_, where, problem, shown(L_, index));
  }

  // The elements of the list; read(name) with each on top of the stack.
  template <class Read>
  std::vector<Datum> items(int index, const std::string& where, Read read) {
    index = lua_absindex(L_, index);
    if (lua_type(L_, index) != LUA_TTABLE) refuse(where, "must be a list", index);
    std::vector<Datum> all;
    const lua_Integer count = list_length(L_, index, fmt::format("{}: {}", what_, where));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L_, index, i);
      all.push_back(read(fmt::format("{}[{}]", where, i)));
      lua_pop(L_, 1);
    }
    return all;
  }

  Datum whole(const std::string& where) {
    if (lua_isinteger(L_, -1) == 0) refuse(where, "must be a whole number", -1);
    return {static_cast<double>(lua_tointeger(L_, -1))};
  }

  Datum choice(const Variable& variable, int index, const std::string& where) {
    const std::vector<Reference>& values = choices_of(variable).values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].push(L_);
      const bool same = are_alike(L_, index, -1);
      lua_pop(L_, 1);
      if (same) return {static_cast<double>(i)};
    }
    refuse(where, "must be one of its choices", index);
  }

  Datum edge(const Variable& variable, const std::string& where) {
    if (lua_type(L_, -1) != LUA_TTABLE) refuse(where, "must be { from, to, value }", -1);
    const int table = lua_gettop(L_);
    Datum made;
    for (lua_Integer i = 1; i <= 3; ++i) {
      lua_rawgeti(L_, table, i);
      const std::string at = fmt::format("{}[{}]", where, i);
      made.items.push_back(i < 3 ? whole(at) : read(variable.of.front(), -1, at));
      lua_pop(L_, 1);
    }
    return made;
  }

  Datum record(const Variable& variable, int index, const std::string& where) {
    if (lua_type(L_, index) != LUA_TTABLE)
      refuse(where.empty() ? "the case" : where, "must be a table", index);
    Datum made;
    made.items.resize(variable.fields.size());
    for (std::size_t i = 0; i < variable.fields.size(); ++i) {
      const std::string& name = variable.fields[i].name;
      lua_getfield(L_, index, name.c_str());
      const std::string at = where.empty() ? name : where + "." + name;
      if (lua_isnil(L_, -1)) refuse(at, "is missing", -1);
      made.items[i] = read(variable.fields[i].parameter, -1, at);
      lua_pop(L_, 1);
    }
    return made;
  }

  lua_State* L_;
  std::string_view what_;
};

// A dag has as many tasks as its count says, which the table does not say.
void count_tasks(const Variable& variable, Datum& value, const Datum* record) {
  switch (variable.kind) {
    case Kind::dag: {
      double most = 0;
      for (const Datum& edge : value.items) most = std::max(most, edge.items[1].number);
      const CountRange& count = variable.count;
      value.number = count.of && record != nullptr ? static_cast<double>(count.of(*record))
                                                   : std::max(most, static_cast<double>(count.least));
      return;
    }
    case Kind::record:
      for (const std::size_t place : variable.order)
        count_tasks(variable.fields[place].parameter, value.items[place], &value);
      return;
    case Kind::list:
      for (Datum& item : value.items) count_tasks(variable.of.front(), item, nullptr);
      return;
    default:
      return;
  }
}

class CaseWriter {
 public:
  CaseWriter(lua_State* L, bool lines) : L_(L), lines_(lines) {}

  std::string text(const Variable& variable, const Datum& value, int depth) const {
    switch (variable.kind) {
      case Kind::real:
      case Kind::whole:
        return lua_number(value.number);
      case Kind::choice:
        return choice(variable, value);
      case Kind::list: {
        std::vector<std::string> parts;
        for (const Datum& item : value.items) parts.push_back(text(variable.of.front(), item, depth + 1));
        return braces(parts, depth, variable.of.front().kind == Kind::record);
      }
      case Kind::matrix: {
        std::vector<std::string> rows;
        for (const Datum& row : value.items) {
          std::vector<std::string> entries;
          for (const Datum& entry : row.items) entries.push_back(text(variable.of.front(), entry, depth + 2));
          rows.push_back(braces(entries, depth + 1, false));
        }
        return braces(rows, depth, true);
      }
      case Kind::permutation: {
        std::vector<std::string> parts;
        for (const Datum& item : value.items) parts.push_back(lua_number(item.number));
        return braces(parts, depth, false);
      }
      case Kind::dag: {
        std::vector<std::string> edges;
        for (const Datum& edge : value.items)
          edges.push_back(fmt::format("{{ {}, {}, {} }}", lua_number(edge.items[0].number),
                                      lua_number(edge.items[1].number),
                                      text(variable.of.front(), edge.items[2], depth + 1)));
        return braces(edges, depth, false);
      }
      case Kind::record: {
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < variable.fields.size(); ++i)
          parts.push_back(fmt::format("{} = {}", variable.fields[i].name,
                                      text(variable.fields[i].parameter, value.items[i], depth + 1)));
        return braces(parts, depth, depth == 0);
      }
    }
    return {};
  }

 private:
  std::string choice(const Variable& variable, const Datum& value) const {
    push_choice(L_, variable, value);
    std::string out;
    if (const auto name = text_at(L_, -1)) {
      out = lua_string(*name);
    } else if (lua_isboolean(L_, -1)) {
      out = lua_toboolean(L_, -1) != 0 ? "true" : "false";
    } else if (lua_type(L_, -1) == LUA_TNUMBER && !std::isnan(lua_tonumber(L_, -1))) {
      out = lua_number(lua_tonumber(L_, -1));
    } else {
      out = shown(L_, -1);
    }
    lua_pop(L_, 1);
    return out;
  }

  std::string braces(const std::vector<std::string>& parts, int depth, bool broken) const {
    if (parts.empty()) return "{}";
    if (!lines_ || !broken) return fmt::format("{{ {} }}", fmt::join(parts, ", "));
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    std::string out = "{\n";
    for (const std::string& part : parts) out += fmt::format("{}  {},\n", indent, part);
    return out + indent + "}";
  }

  lua_State* L_;
  bool lines_;
};

}  // namespace

Datum case_at(lua_State* L, int index, const SpaceValue& space, std::string_view what) {
  Datum value = CaseReader(L, what).read(space.space.root, index, "");
  count_tasks(space.space.root, value, nullptr);
  if (const std::string why = why_outside(space.space, value); !why.empty())
    fail("bad_case", "{}: it is no case of the space '{}': {}", what, space.name, why);
  return value;
}

std::string text_of_case(lua_State* L, const Space& space, const Datum& value, bool lines) {
  return CaseWriter(L, lines).text(space.root, value, 0);
}

}  // namespace perigee::bindings
