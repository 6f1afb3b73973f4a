#include <algorithm>

#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

using Kind = Variable::Kind;

Datum crossed(const Variable& variable, const Datum& a, const Datum& b, Stream& stream);

// The child has the size of the second parent, and before the cut the elements of the first one, where that has any.
Datum cut_list(const Datum& first, const Datum& second, Stream& stream) {
  Datum child = second;
  const std::size_t both = std::min(first.items.size(), second.items.size());
  const std::size_t cut = stream.below(both + 1);
  std::copy_n(first.items.begin(), cut, child.items.begin());
  return child;
}

Datum cut_matrix(const Datum& first, const Datum& second, Stream& stream) {
  Datum child = second;
  const std::size_t both = std::min(first.items.size(), second.items.size());
  const std::size_t cut = stream.below(both + 1);
  const std::size_t columns = std::min(columns_of(first), columns_of(second));
  for (std::size_t row = 0; row < cut; ++row)
    std::copy_n(first.items[row].items.begin(), columns, child.items[row].items.begin());
  return child;
}

// The child has as many tasks as the second parent.
Datum mixed_graph(const Variable& graph, const Datum& first, const Datum& second, Stream& stream) {
  Datum child{second.number};
  const auto tasks = static_cast<std::size_t>(second.number);
  const auto pair = [](const Datum& edge) { return std::pair(from_of(edge), to_of(edge)); };
  auto a = first.items.begin(), b = second.items.begin();
  while (a != first.items.end() || b != second.items.end()) {
    const bool in_a = a != first.items.end() && (b == second.items.end() || pair(*a) <= pair(*b));
    const bool in_b = b != second.items.end() && (a == first.items.end() || pair(*b) <= pair(*a));
    if (in_a && in_b) {
      child.items.push_back(
          make_edge(from_of(*a), to_of(*a), crossed(graph.of.front(), a->items[2], b->items[2], stream)));
    } else {
      const Datum& edge = in_a ? *a : *b;
      if (stream.bernoulli(0.5) && to_of(edge) <= tasks) child.items.push_back(edge);
    }
    if (in_a) ++a;
    if (in_b) ++b;
  }
  return child;
}

Datum crossed(const Variable& variable, const Datum& a, const Datum& b, Stream& stream) {
  if (variable.kind == Kind::record) {
    Datum child;
    for (std::size_t i = 0; i < variable.fields.size(); ++i)
      child.items.push_back(crossed(variable.fields[i].parameter, a.items[i], b.items[i], stream));
    return child;
  }
  const bool swapped = stream.bernoulli(0.5);
  const Datum& first = swapped ? b : a;
  const Datum& second = swapped ? a : b;
  switch (variable.kind) {
    case Kind::list:
      return cut_list(first, second, stream);
    case Kind::matrix:
      return cut_matrix(first, second, stream);
    case Kind::dag:
      return mixed_graph(variable, first, second, stream);
    default:
      return second;
  }
}

}  // namespace

Datum crossed(const Space& space, const Datum& a, const Datum& b, Stream& stream) {
  for (int refused = 0; refused < kMostRefusals; ++refused) {
    Datum child = crossed(space.root, a, b, stream);
    follow_counts(space, child, stream);
    if (is_valid(space, child)) return child;
  }
  return a;
}

}  // namespace perigee::space
