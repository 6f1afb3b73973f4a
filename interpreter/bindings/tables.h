// Lists of rows.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/host/stack.h"
#include "runtime/results/table.h"

namespace perigee::bindings {

// Pushes a list of rows with methods plot and csv. Each row has its columns as fields; absent ones are nil.
// The text of the list is an aligned table.
void push_table(lua_State* L, const Table& table);
// The field of the list's metatable with its text while it has no rows; without it that is a head.
inline constexpr const char* kWhenEmpty = "when_empty";
// Pushes the same list without rows. The caller sets `rows` rows by lua_rawseti, each with the metatable that
// is above the list on the stack.
void push_rows(lua_State* L, const std::vector<std::string>& columns, const std::vector<std::string>& units,
               std::size_t rows);
// The columns of a list of rows: first the ones it was made with, then the ones that the script has added, by
// name. Units are set where they are known. The table has no cells yet.
Table columns_of(lua_State* L, int rows);
// Fills in the cells of the columns that `wanted` chooses. False when a cell is not known before a run.
bool fill_cells(lua_State* L, int rows, Table& table,
                const std::function<bool(const std::string& column)>& wanted);
// The __index of such a list.
int table_method(lua_State* L);
// t:csv([file])
int table_csv(lua_State* L);
// Pushes the text of a list that push_table has pushed, with at most `most` rows. Returns false and pushes
// nothing for any other value.
bool push_text_of_rows(lua_State* L, int index, lua_Integer most, int width);

// Pushes nil, a text, a boolean or a number; a whole number as an integer.
void push_cell(lua_State* L, const Cell& cell);

}  // namespace perigee::bindings
