#include "interpreter/bindings/show/items.h"

#include <utility>

#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/host/natives.h"
#include "interpreter/host/unknown.h"
#include "interpreter/session/interpreter.h"
#include "runtime/kernel/error.h"
#include "runtime/results/compare.h"

namespace perigee::bindings {

namespace {

// The table of a list that push_table has pushed; nothing for any other value, and for lists that the script has
// changed so that they are no table.
std::optional<Table> table_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || luaL_getmetafield(L, index, "units") == LUA_TNIL)
    return std::nullopt;
  lua_pop(L, 1);
  try {
    Table table = columns_of(L, index);
    if (!fill_cells(L, index, table, [](const std::string&) { return true; })) return std::nullopt;
    return table;
  } catch (const ScriptError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

pages::TableItem comparison_item(const ComparisonValue& comparison) {
  const std::vector<Outcome> outcomes = outcomes_of(comparison);
  pages::TableItem item;
  item.file = "comparison";
  item.table = results::comparison(outcomes, comparison.metrics, comparison.names);
  const std::vector<bool> best =
      results::best_cells(item.table, outcomes, comparison.metrics, comparison.names);
  for (std::size_t i = 0; i < best.size(); ++i)
    if (best[i]) item.marked.push_back(i);
  return item;
}

std::optional<pages::Item> item_of(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (is_unknown(L, index)) return std::nullopt;
  if (const auto* comparison = test<ComparisonValue>(L, index)) return comparison_item(*comparison);
  if (auto table = table_at(L, index)) {
    pages::TableItem item;
    item.table = std::move(*table);
    return item;
  }
  return std::nullopt;
}

}  // namespace perigee::bindings
