#include "interpreter/bindings/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

Cell result_cell_at(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNIL:
      return {};
    case LUA_TNUMBER:
      return lua_tonumber(L, index);
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    default:
      push_text(L, index);
      std::string text(*text_at(L, -1));
      lua_pop(L, 1);
      return text;
  }
}

// The text of a list of rows, even if the script has changed it. Argument 2 is the most rows shown, argument
// 3 the width of the terminal. Upvalue: the columns.
int rows_text(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE) fail("bad_type", "a table is needed, got {}", shown(L, 1));
    Table table;
    const auto columns = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1)));
    const auto rows = static_cast<lua_Integer>(lua_rawlen(L, 1));
    if (rows == 0 && luaL_getmetafield(L, 1, kWhenEmpty) == LUA_TSTRING) return 1;
    for (lua_Integer c = 1; c <= columns; ++c) {
      lua_rawgeti(L, lua_upvalueindex(1), c);
      table.columns.emplace_back(*text_at(L, -1));
      lua_pop(L, 1);
    }
    const lua_Integer shown_rows = lua_isinteger(L, 2) != 0 ? std::min(rows, lua_tointeger(L, 2)) : rows;
    for (lua_Integer r = 1; r <= shown_rows; ++r) {
      Interpreter::of(L).count(1);
      auto& cells = table.rows.emplace_back();
      lua_rawgeti(L, 1, r);
      for (const std::string& column : table.columns) {
        if (lua_type(L, -1) == LUA_TTABLE) {
          host::push(L, column);
          lua_rawget(L, -2);
          if (column == "seed" && lua_isinteger(L, -1) != 0)  // in full, so that it can be typed again
            cells.emplace_back(std::to_string(lua_tointeger(L, -1)));
          else
            cells.push_back(result_cell_at(L, -1));
          lua_pop(L, 1);
        }
      }
      lua_pop(L, 1);
    }
    std::string text =
        table.text({}, static_cast<std::size_t>(std::max<lua_Integer>(0, lua_tointeger(L, 3))));
    if (shown_rows < rows) text += fmt::format("... and {} more rows\n", rows - shown_rows);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    host::push(L, text);
    return 1;
  });
}

// A field that a row lacks is nil when it is a column. Any other field is an error. Upvalue: the columns.
int missing_cell(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 2) == LUA_TSTRING) {
      const std::string name(*text_at(L, 2));
      std::vector<std::string> columns;
      const auto count = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1)));
      for (lua_Integer c = 1; c <= count; ++c) {
        lua_rawgeti(L, lua_upvalueindex(1), c);
        columns.emplace_back(*text_at(L, -1));
        lua_pop(L, 1);
      }
      if (std::find(columns.begin(), columns.end(), name) == columns.end())
        fail("unknown_field", "the rows of this table have no column '{}'{}", name,
             did_you_mean(name, columns));
    }
    lua_pushnil(L);
    return 1;
  });
}

}  // namespace

void push_cell(lua_State* L, const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    lua_Integer whole = 0;
    if (lua_numbertointeger(*number, &whole) && static_cast<double>(whole) == *number &&
        std::fabs(*number) < 9e15)
      lua_pushinteger(L, whole);
    else
      lua_pushnumber(L, *number);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    host::push(L, *text);
  } else if (const auto* truth = std::get_if<bool>(&cell)) {
    lua_pushboolean(L, *truth ? 1 : 0);
  } else {
    lua_pushnil(L);
  }
}

void push_rows(lua_State* L, const std::vector<std::string>& names, const std::vector<std::string>& units,
               std::size_t rows) {
  luaL_checkstack(L, 10, "rows");
  lua_createtable(L, static_cast<int>(names.size()), 0);
  for (std::size_t c = 0; c < names.size(); ++c) {
    host::push(L, names[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c) + 1);
  }
  const int columns = lua_gettop(L);
  lua_createtable(L, 0, 2);
  lua_pushvalue(L, columns);
  lua_pushcclosure(L, missing_cell, 1);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_createtable(L, static_cast<int>(rows), 0);
  lua_createtable(L, 0, 5);
  lua_pushvalue(L, columns);
  lua_pushcclosure(L, rows_text, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, table_method);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, columns);  // for table_method's plot and csv; scripts cannot reach them
  lua_setfield(L, -2, "columns");
  lua_createtable(L, 0, 0);
  for (std::size_t c = 0; c < units.size() && c < names.size(); ++c) {
    host::push(L, units[c]);
    lua_setfield(L, -2, names[c].c_str());
  }
  lua_setfield(L, -2, "units");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_replace(L, columns);  // the list, and above it the metatable of its rows
}

void push_table(lua_State* L, const Table& table) {
  push_rows(L, table.columns, table.units, table.rows.size());
  const int of_row = lua_gettop(L), rows = of_row - 1;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    Interpreter::of(L).count(1);
    lua_createtable(L, 0, static_cast<int>(table.columns.size()));
    for (std::size_t c = 0; c < table.rows[r].size() && c < table.columns.size(); ++c) {
      push_cell(L, table.rows[r][c]);
      lua_setfield(L, -2, table.columns[c].c_str());
    }
    lua_pushvalue(L, of_row);
    lua_setmetatable(L, -2);
    lua_rawseti(L, rows, static_cast<lua_Integer>(r) + 1);
  }
  lua_settop(L, rows);
}

bool push_text_of_rows(lua_State* L, int index, lua_Integer most, int width) {
  index = lua_absindex(L, index);
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  if (lua_tocfunction(L, -1) != rows_text) {
    lua_pop(L, 1);
    return false;
  }
  lua_pushvalue(L, index);
  lua_pushinteger(L, most);
  lua_pushinteger(L, width);
  lua_call(L, 3, 1);
  return true;
}

}  // namespace perigee::bindings
