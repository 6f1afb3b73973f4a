// Lists of rows: their columns, t:columns, t:where, t:sort_by and t:csv.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/bindings/files.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

lua_Integer count_rows(lua_State* L, int rows) { return list_length(L, rows, "the list of rows"); }

}  // namespace

Table columns_of(lua_State* L, int rows) {
  Table table;
  std::set<std::string, std::less<>> known;
  if (luaL_getmetafield(L, rows, "units") != LUA_TNIL) {  // the list was made by push_table
    luaL_getmetafield(L, rows, "columns");
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer c = 1; c <= count; ++c) {
      lua_rawgeti(L, -1, c);
      const std::string name(*text_at(L, -1));
      lua_getfield(L, -3, name.c_str());
      table.columns.push_back(name);
      table.units.emplace_back(text_at(L, -1).value_or(""));
      known.insert(name);
      lua_pop(L, 2);
    }
    lua_pop(L, 2);
  }
  std::set<std::string> added;
  const lua_Integer count = count_rows(L, rows);
  for (lua_Integer r = 1; r <= count; ++r) {
    Interpreter::of(L).count(1);
    lua_rawgeti(L, rows, r);
    if (is_unknown(L, -1)) {
      lua_pop(L, 1);
      continue;
    }
    if (lua_type(L, -1) != LUA_TTABLE)
      fail("bad_type", "row {} must be a table of columns, got {}", r, shown(L, -1));
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      if (const auto name = text_at(L, -2); name && !known.contains(*name)) added.insert(std::string(*name));
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  table.columns.insert(table.columns.end(), added.begin(), added.end());
  return table;
}

namespace {

bool is_list_of_names(lua_State* L) {
  const bool told = lua_type(L, -1) == LUA_TTABLE && luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL;
  if (told) lua_pop(L, 1);
  return told;
}

// The cell for a number, a text, true or false, or a value that has a text of its own, such as a scheduler.
Cell cell_at(lua_State* L, std::string_view column, lua_Integer row) {
  switch (lua_type(L, -1)) {
    case LUA_TNIL:
      return {};
    case LUA_TNUMBER:
      return static_cast<double>(lua_tonumber(L, -1));
    case LUA_TSTRING:
      return std::string(*text_at(L, -1));
    case LUA_TBOOLEAN:
      return std::string(lua_toboolean(L, -1) != 0 ? "true" : "false");
    case LUA_TTABLE:
    case LUA_TUSERDATA:
      if (test<SchedulerValue>(L, -1) != nullptr || is_list_of_names(L)) {
        luaL_tolstring(L, -1, nullptr);
        std::string text(*text_at(L, -1));
        lua_pop(L, 1);
        return text;
      }
      [[fallthrough]];
    default:
      fail("bad_type", "row {}: '{}' must be a number or a text, got {}", row, column, shown(L, -1));
  }
}

}  // namespace

bool fill_cells(lua_State* L, int rows, Table& table,
                const std::function<bool(const std::string& column)>& wanted) {
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, rows));
  for (lua_Integer r = 1; r <= count; ++r) {
    lua_rawgeti(L, rows, r);
    if (is_unknown(L, -1)) return false;
    if (lua_type(L, -1) != LUA_TTABLE)
      fail("bad_type", "row {} must be a table of columns, got {}", r, shown(L, -1));
    auto& cells = table.rows.emplace_back(table.columns.size());
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!wanted(table.columns[c])) continue;
      host::push(L, table.columns[c]);
      lua_rawget(L, -2);
      if (is_unknown(L, -1)) return false;
      cells[c] = cell_at(L, table.columns[c], r);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return true;
}

namespace {

void check_rows(lua_State* L, std::string_view word) {
  if (lua_type(L, 1) != LUA_TTABLE)
    fail("bad_type", "{}: a table of rows is needed, got {}", word, shown(L, 1));
}

std::string column_at(lua_State* L, int index, std::string_view word, const Columns& known) {
  const auto name = text_at(L, index);
  if (!name) fail("bad_type", "{}: the name of a column is needed, got {}", word, shown(L, index));
  if (known && std::ranges::find(*known, *name) == known->end()) {
    const std::string near = did_you_mean(*name, *known);
    fail("unknown_column", "{}: there is no column '{}'{}", word, *name,
         near.empty() ? fmt::format("; there are {}", fmt::join(*known, ", ")) : near);
  }
  return std::string(*name);
}

// t:columns { "name", "wait" }: the same rows with these columns alone, in this order.
int chosen_columns(lua_State* L) {
  return guard(L, [&] {
    const bool unknown = is_unknown(L, 1);
    if (unknown && is_unknown(L, 2)) return push_unknown_rows(L, std::nullopt), 1;
    if (!unknown) check_rows(L, "columns");
    Table all;
    if (!unknown) all = columns_of(L, 1);
    const Columns known = unknown ? columns_of_unknown(L, 1) : all.columns;
    std::vector<std::string> names, units;
    if (lua_type(L, 2) != LUA_TTABLE || lua_rawlen(L, 2) == 0)
      fail("bad_type", "columns: a list of names is needed, as in t:columns {{ \"name\", \"wait\" }}, got {}",
           lua_type(L, 2) == LUA_TTABLE ? "an empty table" : shown(L, 2));
    const lua_Integer chosen = list_length(L, 2, "columns");
    for (lua_Integer i = 1; i <= chosen; ++i) {
      lua_rawgeti(L, 2, i);
      if (is_unknown(L, -1)) return push_unknown_rows(L, std::nullopt), 1;
      const std::string name = column_at(L, -1, "columns", known);
      if (std::ranges::find(names, name) != names.end())
        fail("bad_parameter", "columns: '{}' is named twice", name);
      names.push_back(name);
      const auto place =
          static_cast<std::size_t>(std::ranges::find(all.columns, names.back()) - all.columns.begin());
      units.push_back(place < all.units.size() ? all.units[place] : std::string());
      lua_pop(L, 1);
    }
    if (unknown) return push_unknown_rows(L, names), 1;
    const lua_Integer count = count_rows(L, 1);
    push_rows(L, names, units, static_cast<std::size_t>(count));
    const int of_row = lua_gettop(L);
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_rawgeti(L, 1, r);
      lua_createtable(L, 0, static_cast<int>(names.size()));
      for (const std::string& name : names) {
        host::push(L, name);
        lua_pushvalue(L, -1);
        lua_rawget(L, -4);
        lua_rawset(L, -3);
      }
      lua_pushvalue(L, of_row);
      lua_setmetatable(L, -2);
      lua_rawseti(L, of_row - 1, r);
      lua_settop(L, of_row);
    }
    lua_settop(L, of_row - 1);
    return 1;
  });
}

// Pushes a list of the rows `rows` of the list at 1, with the metatable of that list.
void push_some(lua_State* L, const std::vector<lua_Integer>& rows) {
  lua_createtable(L, static_cast<int>(rows.size()), 0);
  if (lua_getmetatable(L, 1) != 0) lua_setmetatable(L, -2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    lua_rawgeti(L, 1, rows[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

// t:where(function(row) return row.wait > 10 end): the rows for which the function is true.
int rows_where(lua_State* L) {
  return guard(L, [&] {
    if (!is_unknown(L, 1)) check_rows(L, "where");
    if (lua_type(L, 2) != LUA_TFUNCTION)
      fail("bad_type",
           "where: a function of a row is needed, as in "
           "t:where(function(row) return row.wait > 10 end), got {}",
           shown(L, 2));
    if (is_unknown(L, 1)) {
      if (const Columns known = columns_of_unknown(L, 1)) language::check_columns_of(L, 2, 1, *known);
      return lua_settop(L, 1), 1;
    }
    std::vector<lua_Integer> kept;
    const lua_Integer count = count_rows(L, 1);
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_pushvalue(L, 2);
      lua_rawgeti(L, 1, r);
      lua_call(L, 1, 1);
      if (condition_at(L, -1, "where")) kept.push_back(r);
      lua_pop(L, 1);
    }
    push_some(L, kept);
    return 1;
  });
}

// t:sort_by("wait" [, "descending"]): numbers before texts, absent values last. Equal rows keep their order.
int rows_sorted(lua_State* L) {
  return guard(L, [&] {
    const bool unknown = is_unknown(L, 1);
    if (!unknown) check_rows(L, "sort_by");
    const Columns known = unknown ? columns_of_unknown(L, 1) : columns_of(L, 1).columns;
    const std::string column = unknown && is_unknown(L, 2) ? "" : column_at(L, 2, "sort_by", known);
    const bool down = text_at(L, 3) == "descending";
    if (!lua_isnoneornil(L, 3) && !down && text_at(L, 3) != "ascending")
      fail("bad_parameter", "sort_by: the order must be \"ascending\" or \"descending\", got {}",
           shown(L, 3));
    if (unknown) return lua_settop(L, 1), 1;
    const lua_Integer count = count_rows(L, 1);
    std::vector<Cell> cells;
    std::vector<lua_Integer> order;
    for (lua_Integer r = 1; r <= count; ++r) {
      Interpreter::of(L).count(1);
      lua_rawgeti(L, 1, r);
      host::push(L, column);
      lua_rawget(L, -2);
      cells.push_back(cell_at(L, column, r));
      lua_pop(L, 2);
      order.push_back(r);
    }
    const auto cell = [&](lua_Integer r) -> const Cell& { return cells[static_cast<std::size_t>(r - 1)]; };
    const auto last = [&](lua_Integer r) {  // the cell is absent or no number
      const auto* number = std::get_if<double>(&cell(r));
      return cell(r).index() == 0 || (number != nullptr && std::isnan(*number));
    };
    std::stable_sort(order.begin(), order.end(), [&](lua_Integer a, lua_Integer b) {
      if (last(a) || last(b)) return !last(a) && last(b);
      return down ? cell(b) < cell(a) : cell(a) < cell(b);
    });
    push_some(L, order);
    return 1;
  });
}

constexpr const char* kRowMethods = "perigee.row_methods";  // in the registry

static constexpr luaL_Reg kMethodsOfRows[] = {
    {"plot", plot},        {"csv", table_csv},       {"columns", chosen_columns},
    {"where", rows_where}, {"sort_by", rows_sorted}, {nullptr, nullptr}};

}  // namespace

int table_csv(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE) fail("bad_type", "csv: a table of rows is needed, got {}", shown(L, 1));
    Table table = columns_of(L, 1);
    if (!fill_cells(L, 1, table, [](const std::string&) { return true; })) {
      push_unknown(L);
      return 1;
    }
    if (lua_isnoneornil(L, 2)) {
      host::push(L, table.csv());
      return 1;
    }
    const auto file = text_at(L, 2);
    if (!file || file->empty()) fail("bad_type", "csv: the name of a file is needed, got {}", shown(L, 2));
    std::string name(*file);
    if (!name.ends_with(".csv")) name += ".csv";
    Interpreter& interpreter = Interpreter::of(L);
    if (!interpreter.checking() && interpreter.writes()) write_below_out(L, {{name, table.csv()}});
    lua_settop(L, 1);
    return 1;
  });
}

int table_method(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 2);
    if (!name) {
      lua_pushnil(L);
      return 1;
    }
    lua_getfield(L, LUA_REGISTRYINDEX, kRowMethods);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    std::vector<std::string> names;
    for (const luaL_Reg* each = kMethodsOfRows; each->name != nullptr; ++each) names.emplace_back(each->name);
    fail("unknown_field", "a table has no field '{}'{}; its rows are t[1] to t[#t]", *name,
         did_you_mean(*name, names));
  });
}

void open_rows(lua_State* L) {
  lua_newtable(L);
  luaL_setfuncs(L, kMethodsOfRows, 0);
  lua_setfield(L, LUA_REGISTRYINDEX, kRowMethods);
}

}  // namespace perigee::bindings
