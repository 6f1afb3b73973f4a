#include "runtime/model/readers/cluster/sacct_values.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "runtime/kernel/text.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {

std::optional<std::int64_t> sacct_digits(std::string_view text) {
  if (text.empty() || text.size() > 15) return {};
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return {};
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<double> sacct_span(std::string_view text) {
  std::int64_t days = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto value = sacct_digits(text.substr(0, dash));
    if (!value) return {};
    days = *value;
    text.remove_prefix(dash + 1);
  }
  std::array<std::int64_t, 3> parts{};
  std::size_t count = 0;
  for (;;) {
    const std::size_t colon = text.find(':');
    const auto value = sacct_digits(text.substr(0, colon));
    if (!value || count == parts.size()) return {};
    parts[count++] = *value;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (dash != std::string_view::npos && count != 3) return {};
  for (std::size_t p = 1; p < count; ++p)
    if (parts[p] > 59) return {};
  if (dash != std::string_view::npos && parts[0] > 23) return {};
  double seconds = 0;
  for (std::size_t p = 0; p < count; ++p) seconds = seconds * 60 + static_cast<double>(parts[p]);
  seconds += static_cast<double>(days) * 86400;
  if (seconds > kLargestSacctSpan) return {};
  return seconds;
}

bool is_no_time(std::string_view text) { return text.empty() || text == "Unknown" || text == "None"; }

std::optional<double> sacct_time(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':')
    return {};
  const auto part = [&](std::size_t first, std::size_t size) {
    return sacct_digits(text.substr(first, size));
  };
  const auto year = part(0, 4), month = part(5, 2), day = part(8, 2), hour = part(11, 2),
             minute = part(14, 2), second = part(17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return {};
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return {};  // 60: a leap second
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + static_cast<double>((*hour * 60 + *minute) * 60 + *second);
}

std::optional<double> sacct_size(std::string_view text) {
  constexpr std::string_view kUnits = "KMGTP";
  double unit = 1024.0 * 1024.0;
  if (!text.empty()) {
    const std::size_t found = kUnits.find(text.back());
    if (found != std::string_view::npos) {
      unit = std::pow(1024.0, static_cast<double>(found + 1));
      text.remove_suffix(1);
    }
  }
  if (text.empty() || !is_digit(text.front())) return {};
  const double number = number_of(text);
  if (!(number >= 0) || number > 1e15) return {};
  return number * unit;
}

std::string_view of_tres(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return entry.substr(name.size() + 1);
  }
  return {};
}

bool is_job_id(std::string_view text) {
  if (text.empty() || text.size() > 255 || !is_digit(text.front())) return false;
  return std::ranges::all_of(text, [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_+.[]-,%:").find(c) != std::string_view::npos;
  });
}

}  // namespace perigee::readers
