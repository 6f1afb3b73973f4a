#include "runtime/kernel/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"
#include "runtime/kernel/whole.h"

namespace perigee::kernel {
namespace {

struct Unit {
  std::string_view name;
  double factor;       // base units in one of these
  double divisor = 1;  // applied instead of a factor that is not exact: value * factor / divisor
};

constexpr double kKi = 1024;
constexpr Unit kSeconds[] = {{"s", 1},    {"ms", 1, 1e3}, {"us", 1, 1e6}, {"ns", 1, 1e9},
                             {"min", 60}, {"h", 3600},    {"d", 86400}};
constexpr Unit kBytes[] = {{"B", 1},
                           {"KB", 1e3},
                           {"MB", 1e6},
                           {"GB", 1e9},
                           {"TB", 1e12},
                           {"kB", 1e3},
                           {"KiB", kKi},
                           {"MiB", kKi* kKi},
                           {"GiB", kKi* kKi* kKi},
                           {"TiB", kKi* kKi* kKi* kKi},
                           {"bit", 0.125},
                           {"kbit", 125},
                           {"Mbit", 125e3},
                           {"Gbit", 125e6},
                           {"Tbit", 125e9}};
constexpr Unit kByteRates[] = {{"B/s", 1},
                               {"KB/s", 1e3},
                               {"MB/s", 1e6},
                               {"GB/s", 1e9},
                               {"TB/s", 1e12},
                               {"kB/s", 1e3},
                               {"KiB/s", kKi},
                               {"MiB/s", kKi* kKi},
                               {"GiB/s", kKi* kKi* kKi},
                               {"TiB/s", kKi* kKi* kKi* kKi},
                               {"bit/s", 0.125},
                               {"kbit/s", 125},
                               {"Mbit/s", 125e3},
                               {"Gbit/s", 125e6},
                               {"Tbit/s", 125e9},
                               {"bps", 0.125},
                               {"kbps", 125},
                               {"Kbps", 125},
                               {"Mbps", 125e3},
                               {"Gbps", 125e6},
                               {"Tbps", 125e9}};
constexpr Unit kOperations[] = {{"op", 1},      {"kop", 1e3},   {"Mop", 1e6},    {"Gop", 1e9},
                                {"Top", 1e12},  {"Pop", 1e15},  {"flop", 1},     {"kflop", 1e3},
                                {"Mflop", 1e6}, {"Gflop", 1e9}, {"Tflop", 1e12}, {"Pflop", 1e15}};
constexpr Unit kOperationRates[] = {
    {"op/s", 1},   {"kop/s", 1e3},   {"Mop/s", 1e6},   {"Gop/s", 1e9},   {"Top/s", 1e12},   {"Pop/s", 1e15},
    {"flop/s", 1}, {"kflop/s", 1e3}, {"Mflop/s", 1e6}, {"Gflop/s", 1e9}, {"Tflop/s", 1e12}, {"Pflop/s", 1e15},
    {"flops", 1},  {"kflops", 1e3},  {"Mflops", 1e6},  {"Gflops", 1e9},  {"Tflops", 1e12},  {"Pflops", 1e15},
    {"Hz", 1},     {"kHz", 1e3},     {"MHz", 1e6},     {"GHz", 1e9}};
constexpr Unit kFractions[] = {{"%", 1, 1e2}};
constexpr Unit kWatts[] = {{"W", 1}, {"mW", 1, 1e3}, {"kW", 1e3}, {"MW", 1e6}};
constexpr Unit kJoules[] = {{"J", 1},     {"kJ", 1e3},    {"MJ", 1e6},   {"GJ", 1e9},
                            {"Wh", 3600}, {"kWh", 3.6e6}, {"MWh", 3.6e9}};

struct Entry {
  std::string_view name;
  std::span<const Unit> units;
  std::string_view example;
};

Entry entry_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::seconds:
      return {"seconds", kSeconds, "1.2 s"};
    case Dimension::bytes:
      return {"bytes", kBytes, "10 KB"};
    case Dimension::bytes_per_second:
      return {"bytes per second", kByteRates, "10 KB/s"};
    case Dimension::operations:
      return {"operations", kOperations, "3 Gflop"};
    case Dimension::operations_per_second:
      return {"operations per second", kOperationRates, "2.6 GHz"};
    case Dimension::fraction:
      return {"fraction", kFractions, "70 %"};
    case Dimension::watts:
      return {"watts", kWatts, "95 W"};
    case Dimension::joules:
      return {"joules", kJoules, "2 kJ"};
    case Dimension::count:
      return {"count", {}, "12"};
  }
  return {"count", {}, "12"};
}

struct Prefix {
  double value;
  std::string_view rest;
};

// The finite decimal number at the start of `text`; no hexadecimal, "inf" or "nan".
std::optional<Prefix> leading_number(std::string_view text) {
  const bool signed_plus = !text.empty() && text.front() == '+';
  const std::string_view digits = signed_plus ? text.substr(1) : text;
  const std::size_t first = !signed_plus && !digits.empty() && digits[0] == '-' ? 1 : 0;
  const bool begins =
      digits.size() > first && ((digits[first] >= '0' && digits[first] <= '9') || digits[first] == '.');
  if (!begins) return std::nullopt;
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, status] = std::from_chars(digits.data(), end, value);
  if (status != std::errc() || !std::isfinite(value)) return std::nullopt;
  return Prefix{value, std::string_view(stop, static_cast<std::size_t>(end - stop))};
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  if (text.size() > kMost) out += "...";
  return out;
}

[[noreturn]] void refuse_quantity(std::string_view text, const Entry& entry, std::string_view reason) {
  std::string allowed;
  for (const Unit& unit : entry.units) {
    if (!allowed.empty()) allowed += ", ";
    allowed += unit.name;
  }
  if (allowed.empty())
    fail("bad_quantity", "'{}' is not a plain number: {}; expected a number without a unit (as '{}')",
         shown(text), reason, entry.example);
  fail("bad_quantity", "'{}' is not a quantity in {}: {}; expected a number and one of {} (as '{}')",
       shown(text), entry.name, reason, allowed, entry.example);
}

// The name of a unit that is often written otherwise: "hours", "MBps", "Gb/s". Empty if it is none of these.
// The nearest name would often be wrong by a factor of 8.
std::string usual_spelling(std::string_view written, std::span<const std::string_view> names) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTimes = {{{"m", "min"},
                                                                                     {"mins", "min"},
                                                                                     {"minute", "min"},
                                                                                     {"minutes", "min"},
                                                                                     {"sec", "s"},
                                                                                     {"secs", "s"},
                                                                                     {"second", "s"},
                                                                                     {"seconds", "s"},
                                                                                     {"hr", "h"},
                                                                                     {"hrs", "h"},
                                                                                     {"hour", "h"},
                                                                                     {"hours", "h"},
                                                                                     {"day", "d"},
                                                                                     {"days", "d"},
                                                                                     {"msec", "ms"},
                                                                                     {"usec", "us"}}};
  const auto known = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
  for (const auto& [other, unit] : kTimes)
    if (other == written && known(unit)) return std::string(unit);
  std::string_view size = written;
  const bool is_rate = size.ends_with("ps") || size.ends_with("/s");
  if (is_rate) size.remove_suffix(2);
  if (size.empty() || (size.back() != 'b' && size.back() != 'B')) return {};
  std::string prefix(size.substr(0, size.size() - 1));
  const std::string end = std::string(size.back() == 'b' ? "bit" : "B") + (is_rate ? "/s" : "");
  if (known(prefix + end)) return prefix + end;
  if (prefix == "K") prefix = "k";
  return known(prefix + end) ? prefix + end : "";
}

// Suggests the unit that was meant, else the nearest name: first the same letters in another case, then by
// distance.
std::string unit_hint(std::string_view written, std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) names.push_back(unit.name);
  if (const std::string usual = usual_spelling(written, names); !usual.empty())
    return did_you_mean(usual, std::span<const std::string_view>(names));
  return did_you_mean(written, std::span<const std::string_view>(names));
}

std::string significant(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto [stop, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  return std::string(buffer.data(), stop);
}

// "1 d 14 h" or "14:00" in one unit, as "38 h". Empty if the text is neither.
std::string in_one_unit(std::string_view text, std::span<const Unit> units) {
  const auto factor_of = [&](std::string_view name) -> std::optional<double> {
    for (const Unit& unit : units)
      if (unit.name == name) return unit.factor / unit.divisor;
    return std::nullopt;
  };
  double sum = 0, smallest = 0;
  std::string_view unit;
  if (text.find(':') != std::string_view::npos && factor_of("h")) {
    constexpr std::array<std::string_view, 3> kUnits = {"h", "min", "s"};
    for (const std::string_view each : kUnits) {
      const auto number = leading_number(text);
      if (!number || (!number->rest.empty() && number->rest[0] != ':')) return {};
      sum += number->value * *factor_of(each);
      if (unit.empty() || number->value != 0) unit = each;
      text = number->rest.substr(number->rest.empty() ? 0 : 1);
      if (number->rest.empty()) break;
    }
    if (!text.empty()) return {};
  } else {
    int parts = 0;
    for (; !text.empty(); ++parts) {
      const auto number = leading_number(text);
      if (!number) return {};
      const std::string_view rest = trimmed(number->rest);
      const std::size_t end = std::min(rest.find_first_of(" \t+-.0123456789"), rest.size());
      const auto factor = factor_of(rest.substr(0, end));
      if (!factor) return {};
      sum += number->value * *factor;
      if (parts == 0 || *factor < smallest) {
        smallest = *factor;
        unit = rest.substr(0, end);
      }
      text = trimmed(rest.substr(end));
    }
    if (parts < 2) return {};
  }
  return fmt::format("{} {}", significant(sum / *factor_of(unit), 12), unit);
}

struct Step {
  double factor;
  std::string_view unit;
};

// `value` in the largest unit not above it; `steps` descend, the last is the smallest.
std::string with_prefix(double value, std::span<const Step> steps) {
  const double size = std::fabs(value);
  const Step* chosen = &steps.back();
  for (const Step& step : steps) {
    if (size >= step.factor * 0.99995) {  // 999.96 would print as 1000
      chosen = &step;
      break;
    }
  }
  return fmt::format("{} {}", significant(value / chosen->factor, 4), chosen->unit);
}

std::string format_seconds(double value) {
  const double size = std::fabs(value);
  if (size == 0) return "0 s";
  if (size < 119.995) {
    constexpr Step steps[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    return with_prefix(value, steps);
  }
  const char* sign = value < 0 ? "-" : "";
  if (size >= 1e15) return fmt::format("{} d", significant(value / 86400, 4));
  // Two neighbouring units, rounded to the smaller.
  const auto pair = [&](double large, const char* large_name, double small, const char* small_name) {
    const double smalls = std::round(size / small);
    const double per = large / small;
    const double whole = std::floor(smalls / per);
    const double rest = smalls - whole * per;
    if (rest == 0) return fmt::format("{}{:.0f} {}", sign, whole, large_name);
    return fmt::format("{}{:.0f} {} {:.0f} {}", sign, whole, large_name, rest, small_name);
  };
  if (size < 3599.5) return pair(60, "min", 1, "s");
  if (size < 86370) return pair(3600, "h", 60, "min");
  return pair(86400, "d", 3600, "h");
}

}  // namespace

std::string_view name_of(Dimension dimension) { return entry_of(dimension).name; }

double parse_with_unit(std::string_view text, Dimension dimension) {
  const double value = parse_quantity(text, dimension);
  const Entry entry = entry_of(dimension);
  const std::string_view written = trimmed(text);
  if (entry.units.empty() || !(written.ends_with('.') || (written.back() >= '0' && written.back() <= '9')))
    return value;
  const bool fraction = dimension == Dimension::fraction;  // whose base has no name
  fail("bad_quantity",
       "'{}' has no unit: write a number and a unit (as '{}'), or {} without quotation marks{}{}",
       shown(text), entry.example, format_number(value), fraction ? "" : " for ",
       fraction ? "" : fmt::format("{} {}", format_number(value), entry.units.front().name));
}

double parse_quantity(std::string_view text, Dimension dimension) {
  const Entry entry = entry_of(dimension);
  const std::optional<Prefix> number = leading_number(trimmed(text));
  if (!number) refuse_quantity(text, entry, "it does not begin with a finite decimal number");
  const std::string_view written = trimmed(number->rest);
  if (written.empty()) return number->value;

  // "KB / s" is "KB/s".
  std::string name;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const bool beside_slash = (i > 0 && name.back() == '/') || (trimmed(written.substr(i)).starts_with('/'));
    if (is_blank(written[i]) && beside_slash) continue;
    name += written[i];
  }
  for (const Unit& unit : entry.units) {
    if (unit.name != name) continue;
    const double value = number->value * unit.factor / unit.divisor;
    if (!std::isfinite(value)) refuse_quantity(text, entry, "it is too large");
    return value;
  }
  if (const std::string one = in_one_unit(trimmed(text), entry.units); !one.empty())
    refuse_quantity(text, entry, fmt::format("in one unit it is '{}'", one));
  if (name.front() == ',') refuse_quantity(text, entry, "the decimal sign is a point, not a comma");
  refuse_quantity(text, entry, fmt::format("unknown unit '{}'{}", shown(name), unit_hint(name, entry.units)));
}

std::string format_quantity(double value, Dimension dimension) {
  if (!std::isfinite(value)) return format_number(value);
  switch (dimension) {
    case Dimension::seconds:
      return format_seconds(value);
    case Dimension::bytes: {
      constexpr Step steps[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}, {1, "B"}};
      return with_prefix(value, steps);
    }
    case Dimension::bytes_per_second: {
      constexpr Step steps[] = {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "KB/s"}, {1, "B/s"}};
      return with_prefix(value, steps);
    }
    case Dimension::operations: {
      constexpr Step steps[] = {{1e15, "Pop"}, {1e12, "Top"}, {1e9, "Gop"},
                                {1e6, "Mop"},  {1e3, "kop"},  {1, "op"}};
      return with_prefix(value, steps);
    }
    case Dimension::operations_per_second: {
      constexpr Step steps[] = {{1e15, "Pop/s"}, {1e12, "Top/s"}, {1e9, "Gop/s"},
                                {1e6, "Mop/s"},  {1e3, "kop/s"},  {1, "op/s"}};
      return with_prefix(value, steps);
    }
    case Dimension::watts: {
      constexpr Step steps[] = {{1e6, "MW"}, {1e3, "kW"}, {1, "W"}, {1e-3, "mW"}};
      return with_prefix(value, steps);
    }
    case Dimension::joules: {
      constexpr Step steps[] = {{1e9, "GJ"}, {1e6, "MJ"}, {1e3, "kJ"}, {1, "J"}};
      return with_prefix(value, steps);
    }
    case Dimension::fraction:
      return significant(value * 100, 4) + " %";
    case Dimension::count:
      return format_number(value);
  }
  return format_number(value);
}

double parse_number(std::string_view text) {
  const std::string_view body = trimmed(text);
  const std::optional<Prefix> number = leading_number(body);
  if (!number || !number->rest.empty())
    fail("bad_number", "'{}' is not a number: expected a finite decimal number (as '1.5e-3')", shown(text));
  return number->value;
}

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  value += 0.0;  // no -0
  std::array<char, 64> buffer{};
  char* const end = buffer.data() + buffer.size();
  const auto [stop, status] = is_whole(value)
                                  ? std::to_chars(buffer.data(), end, value, std::chars_format::fixed)
                                  : std::to_chars(buffer.data(), end, value);
  return std::string(buffer.data(), stop);
}

}  // namespace perigee::kernel
