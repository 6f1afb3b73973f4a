// Whole numbers in JSON, where a text may as well have a fraction or a number that no integer type holds.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/kernel/whole.h"

namespace perigee::readers {

// `value`, nlohmann::json or nlohmann::ordered_json, as a T. Throws its type_error where it is no whole number that T holds.
template <std::integral T, class Value>
T whole_number(const Value& value) {
  const auto refuse = [&] {
    throw Value::type_error::create(302, "type must be a whole number in range", &value);
  };
  const auto held = [&](auto number) {
    if (!std::in_range<T>(number)) refuse();
    return static_cast<T>(number);
  };
  if (value.is_number_unsigned()) return held(value.template get<std::uint64_t>());
  if (value.is_number_integer()) return held(value.template get<std::int64_t>());
  if (!value.is_number_float() || !kernel::is_whole(value.template get<double>())) refuse();
  return held(static_cast<std::int64_t>(value.template get<double>()));
}

}  // namespace perigee::readers
