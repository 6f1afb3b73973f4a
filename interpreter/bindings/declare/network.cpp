#include "interpreter/bindings/declare/network.h"

#include <fmt/format.h>

namespace perigee::bindings {

std::vector<double> read_network(const Fields& fields, const FieldRow& field, bool lists) {
  lua_State* L = fields.state();
  const Balanced balanced(L);
  if (!fields.push(field)) return {fields.number(field)};
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE) return {fields.number(field)};
  const std::string what = fmt::format("{}: {}", fields.subject(), field.name);
  const lua_Integer rows = list_length(L, table, what);
  std::vector<double> numbers;
  for (lua_Integer i = 1; i <= rows; ++i) {
    lua_rawgeti(L, table, i);
    if (lua_type(L, -1) != LUA_TTABLE) {
      if (!lists || i > 1)
        fields.fail(field, "{}[{}] must be a row of {} numbers, got {}", field.name, i, rows, shown(L, -1));
      lua_pop(L, 1);
      return numbers_at(L, table, what, field.dimension, field.range);
    }
    const std::vector<double> row =
        numbers_at(L, lua_gettop(L), fmt::format("{}[{}]", what, i), field.dimension, kNotNegative);
    if (std::ssize(row) != rows)
      fields.fail(field, "{}[{}] has {} numbers for {} rows", field.name, i, row.size(), rows);
    numbers.insert(numbers.end(), row.begin(), row.end());
    lua_pop(L, 1);
  }
  return numbers;
}

}  // namespace perigee::bindings
