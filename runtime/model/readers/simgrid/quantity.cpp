// SimGrid's quantities. They differ from those of scripts: "b" and "B" tell bits from bytes, "m" is a minute,
// and no blank stands before the unit.
#include <charconv>
#include <cmath>
#include <optional>

#include "runtime/kernel/text.h"
#include "runtime/model/readers/simgrid/document.h"

namespace perigee::readers::simgrid {
namespace {

struct TimeUnit {
  std::string_view name;
  double times, over;  // seconds; one of the two is 1, so that a decimal fraction is rounded once
};
constexpr TimeUnit kTimeUnits[] = {
    {"w", 604800, 1}, {"d", 86400, 1}, {"h", 3600, 1}, {"m", 60, 1},    {"s", 1, 1},
    {"ms", 1, 1e3},   {"us", 1, 1e6},  {"ns", 1, 1e9}, {"ps", 1, 1e12},
};

struct Prefix {
  std::string_view letter, word;
  double decimal, binary;
};
constexpr Prefix kPrefixes[] = {
    {"k", "kilo", 1e3, 0x1p10}, {"K", "kilo", 1e3, 0x1p10},   {"M", "mega", 1e6, 0x1p20},
    {"G", "giga", 1e9, 0x1p30}, {"T", "tera", 1e12, 0x1p40},  {"P", "peta", 1e15, 0x1p50},
    {"E", "exa", 1e18, 0x1p60}, {"Z", "zetta", 1e21, 0x1p70}, {"Y", "yotta", 1e24, 0x1p80},
};

// The factor of a prefix before a unit, or nothing.
std::optional<double> factor_of(std::string_view prefix, bool words, bool binary) {
  if (prefix.empty()) return 1;
  for (const Prefix& each : kPrefixes) {
    if (prefix == (words ? each.word : each.letter)) return each.decimal;
    if (binary && prefix.size() == 2 && prefix[1] == 'i' && prefix.substr(0, 1) == each.letter)
      return each.binary;
  }
  return std::nullopt;
}

std::optional<double> factor_in(std::string_view unit, Measure measure) {
  const auto before = [&](std::string_view end) -> std::optional<std::string_view> {
    if (!unit.ends_with(end)) return std::nullopt;
    return unit.substr(0, unit.size() - end.size());
  };
  if (measure == Measure::speed) {
    if (const auto prefix = before("flops")) return factor_of(*prefix, true, false);
    if (const auto prefix = before("f")) return factor_of(*prefix, false, false);
    return std::nullopt;
  }
  if (const auto prefix = before("Bps")) return factor_of(*prefix, false, true);
  if (const auto prefix = before("bps"))
    if (const auto factor = factor_of(*prefix, false, true)) return *factor / 8;
  return std::nullopt;
}

constexpr std::string_view expected(Measure measure) {
  switch (measure) {
    case Measure::speed:
      return "a number and f, with k, M, G, T, P, E, Z or Y before it, as in 2.5Gf";
    case Measure::bandwidth:
      return "a number and Bps or bps, with k, M, G, T, P, E, Z or Y (Ki, Mi, ...) before it, as in 125MBps";
    case Measure::time:
      return "a number and w, d, h, m, s, ms, us, ns or ps, as in 50us";
  }
  return "";
}

}  // namespace

Reading reading_of(std::string_view text, Measure measure) {
  text = trimmed(text);
  Reading out;
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  const auto [stop, error] = std::from_chars(begin, end, out.value);
  const std::string_view unit = trimmed(std::string_view(stop, static_cast<std::size_t>(end - stop)));
  if (error != std::errc() || !std::isfinite(out.value)) {
    out.problem = error == std::errc::result_out_of_range ? "is too large or too small" : "";
    if (out.problem.empty()) out.problem = std::string("must be ") + std::string(expected(measure));
    return out;
  }
  if (unit.empty()) {
    out.has_unit = out.value == 0;
  } else if (measure == Measure::time) {
    const TimeUnit* found = nullptr;
    for (const TimeUnit& each : kTimeUnits)
      if (each.name == unit) found = &each;
    if (found == nullptr) {
      out.problem = std::string("must be ") + std::string(expected(measure));
      return out;
    }
    out.value = out.value * found->times / found->over;
  } else if (const auto factor = factor_in(unit, measure)) {
    out.value *= *factor;
  } else {
    out.problem = std::string("must be ") + std::string(expected(measure));
    return out;
  }
  if (!std::isfinite(out.value))
    out.problem = "is too large";
  else if (out.value < 0)
    out.problem = "must be >= 0";
  return out;
}

}  // namespace perigee::readers::simgrid
