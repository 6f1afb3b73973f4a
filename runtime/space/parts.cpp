#include "runtime/space/parts.h"

#include <algorithm>
#include <numeric>

namespace perigee::space {

std::vector<std::size_t> order_of(const Variable& record) {
  if (!record.order.empty()) return record.order;
  std::vector<std::size_t> order(record.fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

bool has_functions(const Variable& variable) {
  return variable.count.of || variable.columns.of || std::ranges::any_of(variable.of, has_functions) ||
         std::ranges::any_of(variable.fields,
                             [](const NamedVariable& field) { return has_functions(field.parameter); });
}

bool is_single(const Variable& variable) {
  const auto none = [](const CountRange& range) { return is_exact(range) && range.least == 0; };
  const auto settled = [](const CountRange& range) { return range.of || range.least == range.most; };
  switch (variable.kind) {
    case Variable::Kind::real:
    case Variable::Kind::whole:
    case Variable::Kind::choice:
      return variable.low == variable.high;
    case Variable::Kind::list:
      return settled(variable.count) && (none(variable.count) || is_single(variable.of.front()));
    case Variable::Kind::matrix:
      return none(variable.count) || (settled(variable.count) && settled(variable.columns) &&
                                      (none(variable.columns) || is_single(variable.of.front())));
    case Variable::Kind::permutation:
    case Variable::Kind::dag:
      return is_exact(variable.count) && variable.count.most < 2;
    case Variable::Kind::record:
      return std::ranges::all_of(variable.fields,
                                 [](const NamedVariable& field) { return is_single(field.parameter); });
  }
  return true;
}

Datum before(const Place& place) {
  Datum out;
  if (place.record == nullptr || !has_functions(place.variable)) return out;
  out.items.resize(place.record->fields.size());
  for (const std::size_t i : order_of(*place.record)) {
    if (i == place.field) break;
    out.items[i] = place.around->items[i];
  }
  return out;
}

void sort_edges(Datum& graph) {
  std::ranges::sort(graph.items, {}, [](const Datum& edge) { return std::pair(from_of(edge), to_of(edge)); });
}

}  // namespace perigee::space
