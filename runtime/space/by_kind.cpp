#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

using Kind = Variable::Kind;

// A kind of move of one field: the places in it that can make one.
struct KindOfMove {
  enum class What : std::uint8_t { change, add, drop };
  What what = What::change;
  std::vector<Place> places;
};

void add_kinds(const Place& field, std::vector<KindOfMove>& kinds) {
  if (field.variable.kind == Kind::record) {
    for (std::size_t i = 0; i < field.value.items.size(); ++i) add_kinds(field_at(field, i), kinds);
    return;
  }
  KindOfMove change{KindOfMove::What::change, {}}, add{KindOfMove::What::add, {}},
      drop{KindOfMove::What::drop, {}};
  walk(field, [&](const Place& place) {
    const bool order = place.variable.kind == Kind::permutation && place.value.items.size() > 1;
    if (order || can_move_number(place)) change.places.push_back(place);
    if (can_add(place)) add.places.push_back(place);
    if (can_drop(place)) drop.places.push_back(place);
  });
  for (KindOfMove* kind : {&change, &add, &drop})
    if (!kind->places.empty()) kinds.push_back(std::move(*kind));
}

}  // namespace

Datum neighbour_by_kind(const Space& space, const Datum& value, Stream& stream) {
  for (int refused = 0; refused < kMostRefusals; ++refused) {
    Datum moved = value;
    std::vector<KindOfMove> kinds;
    add_kinds({space.root, moved}, kinds);
    if (kinds.empty()) return value;
    const KindOfMove& kind = kinds[stream.below(kinds.size())];
    const Place& place = kind.places[stream.below(kind.places.size())];
    switch (kind.what) {
      case KindOfMove::What::change:
        place.variable.kind == Kind::permutation ? move_permutation(place, stream)
                                                 : step_number(place, stream);
        break;
      case KindOfMove::What::add:
        add_one(place, stream);
        break;
      case KindOfMove::What::drop:
        drop_one(place, stream);
        break;
    }
    follow_counts(space, moved, stream);
    if (is_valid(space, moved)) return moved;
  }
  return value;
}

}  // namespace perigee::space
