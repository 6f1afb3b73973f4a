#include "runtime/space/datum.h"

#include <utility>

namespace perigee::space {

void pack(const Datum& value, std::vector<double>& out) {
  out.push_back(value.number);
  out.push_back(static_cast<double>(value.items.size()));
  for (const Datum& item : value.items) pack(item, out);
}

std::vector<double> packed(const Datum& value) {
  std::vector<double> out;
  pack(value, out);
  return out;
}

namespace {

// `depth` bounds the recursion: parameters are nested by people.
std::optional<Datum> unpack_at(std::span<const double>& numbers, int depth) {
  if (numbers.size() < 2 || depth == 0) return std::nullopt;
  Datum value{numbers[0]};
  const double count = numbers[1];
  numbers = numbers.subspan(2);
  if (!(count >= 0) || count > static_cast<double>(numbers.size() / 2)) return std::nullopt;
  const auto items = static_cast<std::size_t>(count);
  if (static_cast<double>(items) != count) return std::nullopt;
  // No room in advance: each level could claim that all numbers are its items.
  for (std::size_t i = 0; i < items; ++i) {
    auto item = unpack_at(numbers, depth - 1);
    if (!item) return std::nullopt;
    value.items.push_back(std::move(*item));
  }
  return value;
}

}  // namespace

std::optional<Datum> unpack(std::span<const double>& numbers) { return unpack_at(numbers, 100); }

}  // namespace perigee::space
