#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/swf.h"

namespace perigee::readers {
namespace {

template <class Policy>
struct Choices;
template <>
struct Choices<SwfBadLines> {
  static constexpr std::array<std::string_view, 2> names{"error", "skip"};
};
template <>
struct Choices<SwfOrder> {
  static constexpr std::array<std::string_view, 2> names{"sort", "error"};
};
template <>
struct Choices<SwfDuplicates> {
  static constexpr std::array<std::string_view, 3> names{"rename", "drop", "error"};
};
template <>
struct Choices<SwfOversize> {
  static constexpr std::array<std::string_view, 4> names{"error", "drop", "clip", "split"};
};
template <>
struct Choices<SwfOverrun> {
  static constexpr std::array<std::string_view, 3> names{"keep", "raise", "cut"};
};

template <>
struct Choices<SwfShape> {
  static constexpr std::array<std::string_view, 3> names{"host", "processes", "nodes"};
};

template <class Policy>
std::string_view choice_name(Policy policy) {
  return Choices<Policy>::names[static_cast<std::size_t>(policy)];
}

template <class Policy>
void choose(std::string_view option, std::string_view value, Policy& policy) {
  constexpr std::span<const std::string_view> names = Choices<Policy>::names;
  const auto found = std::ranges::find(names, value);
  if (found == names.end())
    fail("bad_parameter", "{} must be one of {}, got '{}'{}", option, fmt::join(names, ", "), shown(value),
         did_you_mean(value, names));
  policy = static_cast<Policy>(found - names.begin());
}

}  // namespace

std::string_view name_of(SwfBadLines policy) { return choice_name(policy); }
std::string_view name_of(SwfOrder policy) { return choice_name(policy); }
std::string_view name_of(SwfDuplicates policy) { return choice_name(policy); }
std::string_view name_of(SwfOversize policy) { return choice_name(policy); }
std::string_view name_of(SwfOverrun policy) { return choice_name(policy); }
std::string_view name_of(SwfShape shape) { return choice_name(shape); }

bool SwfOptions::set_policy(std::string_view option, std::string_view value) {
  if (option == "bad_lines")
    choose(option, value, bad_lines);
  else if (option == "order")
    choose(option, value, order);
  else if (option == "duplicates")
    choose(option, value, duplicates);
  else if (option == "oversize")
    choose(option, value, oversize);
  else if (option == "overrun")
    choose(option, value, overrun);
  else if (option == "shape")
    choose(option, value, shape);
  else
    return false;
  return true;
}

void SwfOptions::check() const {
  const auto positive = [](std::string_view name, double value, bool zero_allowed) {
    if (!(value > 0 || (zero_allowed && value == 0)) || std::isinf(value))
      fail("bad_parameter", "{} must be finite and {} 0, got {}", name, zero_allowed ? ">=" : ">", value);
  };
  positive("ref_rate", ref_rate, false);
  positive("speed", speed, false);
  positive("round_submit", round_submit, true);
  positive("req_factor", req_factor, true);
  if (!(from_time <= to_time))
    fail("bad_parameter", "from_time must be <= to_time, got {} and {}", from_time, to_time);
  if (first > 0 && last > 0)
    fail("bad_parameter", "first and last cannot both be given, got {} and {}", first, last);
  if (cores_per_node < 0) fail("bad_parameter", "cores_per_node must be >= 1, got {}", cores_per_node);
  if (cores_per_node > 0 && shape != SwfShape::nodes)
    fail("bad_parameter", "cores_per_node belongs to shape = \"nodes\", not to \"{}\"", name_of(shape));
  if (form != TimeForm::operations && form != TimeForm::seconds)
    fail("bad_parameter", "form must be operations or seconds");
  if (statuses.empty())
    fail("bad_parameter", "statuses names none of -1 to 5, which would leave out every job");
  for (const int status : statuses)
    if (status < -1 || status > 5) fail("bad_parameter", "statuses are -1 to 5, got {}", status);
}

}  // namespace perigee::readers
