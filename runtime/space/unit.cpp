#include <algorithm>
#include <cmath>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/space/parts.h"

namespace perigee::space {

double unit_of(const Variable& real, double value) {
  if (!(value > real.low)) return 0;
  if (!(value < real.high)) return 1;
  if (real.logarithmic) {
    const double low = math::log(real.low);
    return std::clamp((math::log(value) - low) / (math::log(real.high) - low), 0.0, 1.0);
  }
  // Halves, because bounds of either sign may be farther apart than any number.
  return std::clamp((value / 2 - real.low / 2) / (real.high / 2 - real.low / 2), 0.0, 1.0);
}

double real_at(const Variable& real, double unit) {
  if (!(unit > 0)) return real.low;
  if (!(unit < 1)) return real.high;
  const double value = real.logarithmic
                           ? math::exp(std::lerp(math::log(real.low), math::log(real.high), unit))
                           : std::lerp(real.low, real.high, unit);
  return std::clamp(value, real.low, real.high);
}

namespace {

std::optional<std::string> not_real(const Variable& variable, const std::string& name) {
  switch (variable.kind) {
    case Variable::Kind::real:
      return std::nullopt;
    case Variable::Kind::list:
      return is_exact(variable.count) ? not_real(variable.of.front(), name) : std::optional(name);
    case Variable::Kind::matrix:
      return is_exact(variable.count) && is_exact(variable.columns) ? not_real(variable.of.front(), name)
                                                                    : std::optional(name);
    case Variable::Kind::record:
      for (const NamedVariable& field : variable.fields)
        if (auto found = not_real(field.parameter, name.empty() ? field.name : name + "." + field.name))
          return found;
      return std::nullopt;
    default:
      return name;
  }
}

// A value of a space of reals, all at their lowest.
Datum lowest(const Variable& variable) {
  switch (variable.kind) {
    case Variable::Kind::list:
      return {0, std::vector<Datum>(variable.count.least, lowest(variable.of.front()))};
    case Variable::Kind::matrix:
      return {0, std::vector<Datum>(
                     variable.count.least,
                     Datum{0, std::vector<Datum>(variable.columns.least, lowest(variable.of.front()))})};
    case Variable::Kind::record: {
      Datum value;
      for (const NamedVariable& field : variable.fields) value.items.push_back(lowest(field.parameter));
      return value;
    }
    default:
      return {variable.low};
  }
}

}  // namespace

std::optional<std::string> not_real(const Space& space) { return not_real(space.root, ""); }

std::vector<double> to_unit(const Space& space, const Datum& value) {
  std::vector<double> unit;
  Datum copy = value;  // places are of values that may change
  walk({space.root, copy}, [&](const Place& place) {
    if (place.variable.kind == Variable::Kind::real)
      unit.push_back(unit_of(place.variable, place.value.number));
  });
  return unit;
}

Datum from_unit(const Space& space, std::span<const double> unit) {
  Datum value = lowest(space.root);
  std::size_t next = 0;
  walk({space.root, value}, [&](const Place& place) {
    if (place.variable.kind != Variable::Kind::real) return;
    PERIGEE_ASSERT(next < unit.size(), "a number for each real of the space");
    place.value.number = real_at(place.variable, unit[next++]);
  });
  PERIGEE_ASSERT(next == unit.size(), "no more numbers than the space has reals");
  return value;
}

}  // namespace perigee::space
