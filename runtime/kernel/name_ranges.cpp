#include "runtime/kernel/name_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "runtime/kernel/text.h"

namespace perigee::kernel {
namespace {

// "n.12:2" is the stem "n.", the digits "12" and the rest ":2".
struct NumberedName {
  std::string_view stem, digits, rest;
  std::uint64_t number = 0;
  bool is_numbered = false;
};

NumberedName numbered(std::string_view name) {
  constexpr std::size_t kMostDigits = 18;
  NumberedName parts;
  if (const std::size_t colon = name.rfind(':'); colon != name.npos) {
    parts.rest = name.substr(colon);
    name = name.substr(0, colon);
  }
  std::size_t first = name.size();
  while (first > 0 && is_digit(name[first - 1])) --first;
  parts.stem = name.substr(0, first);
  parts.digits = name.substr(first);
  if (parts.stem.empty() || parts.digits.empty() || parts.digits.size() > kMostDigits) return parts;
  std::from_chars(parts.digits.data(), parts.digits.data() + parts.digits.size(), parts.number);
  parts.is_numbered = true;
  return parts;
}

bool comes_next(const NumberedName& before, const NumberedName& next) {
  if (!before.is_numbered || !next.is_numbered || next.number != before.number + 1) return false;
  if (before.stem != next.stem || before.rest != next.rest) return false;
  const bool padded = before.digits[0] == '0' || next.digits[0] == '0';
  return !padded || before.digits.size() == next.digits.size();
}

}  // namespace

std::string name_ranges(const std::vector<std::string>& names, std::string_view separator, std::size_t most) {
  constexpr std::size_t kFewest = 3;  // names that a range takes the place of
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < names.size(); ++shown) {
    if (shown == most) return text + fmt::format(" and {} more", names.size() - i);
    if (!text.empty()) text += separator;
    const NumberedName first = numbered(names[i]);
    NumberedName last = first;
    std::size_t end = i + 1;
    for (; end < names.size(); ++end) {
      const NumberedName next = numbered(names[end]);
      if (!comes_next(last, next)) break;
      last = next;
    }
    if (end - i < kFewest) {
      text += names[i++];
      continue;
    }
    text.append(first.stem).append(first.digits).append("..");
    text.append(last.stem).append(last.digits).append(last.rest);
    i = end;
  }
  return text;
}

std::string name_ranges(std::string_view names) {
  std::vector<std::string> all;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    all.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return name_ranges(all);
}

std::string one_of(std::span<const std::int32_t> ascending) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    const bool last = i + 1 == ascending.size();
    if (ascending.size() > kMost && i + 1 >= kMost && !last) continue;
    if (i > 0) text += !last ? ", " : ascending.size() > kMost ? ", ... or " : " or ";
    text += std::to_string(ascending[i]);
  }
  return text;
}

}  // namespace perigee::kernel
