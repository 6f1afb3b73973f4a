#include "runtime/plots/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/kernel/quantity.h"

namespace perigee::plots {
namespace {

// Exact for all numbers of the decimal system that a double can be nearest to.
double power_of_ten(int exponent) { return parse_number(fmt::format("1e{}", exponent)); }

// Digits and their exponent as a decimal number, or with an exponent where there would be many zeros.
std::string tick_text(std::int64_t digits, int exponent, bool plain) {
  if (digits == 0) return "0";
  while (digits % 10 == 0) {
    digits /= 10;
    ++exponent;
  }
  const std::string sign = digits < 0 ? "-" : "";
  std::string text = std::to_string(digits < 0 ? -digits : digits);
  const auto count = static_cast<int>(text.size());
  if (!plain) {
    const int first = exponent + count - 1;
    if (count > 1) text.insert(1, ".");
    if (first == 0) return sign + text;
    return fmt::format("{}{}e{}", sign, text, first);
  }
  if (exponent >= 0) return sign + text + std::string(static_cast<std::size_t>(exponent), '0');
  if (count > -exponent) return sign + text.insert(static_cast<std::size_t>(count + exponent), ".");
  return sign + "0." + std::string(static_cast<std::size_t>(-exponent - count), '0') + text;
}

bool is_plain(double largest, double smallest) {
  constexpr double kLargest = 1e7, kSmallest = 1e-4;
  return largest < kLargest && smallest >= kSmallest;
}

}  // namespace

double TickStep::size() const { return parse_number(fmt::format("{}e{}", factor, exponent)); }

TickStep TickStep::next() const {
  if (factor == 1) return {2, exponent};
  if (factor == 2) return {5, exponent};
  return {1, exponent + 1};
}

TickStep TickStep::at_least(double size) {
  constexpr int kLeast = -320;
  TickStep step{1, kLeast};
  if (!(size > 0)) return step;
  step.exponent = std::max(kLeast, static_cast<int>(std::floor(std::log10(size))) - 1);
  while (step.size() < size) step = step.next();
  return step;
}

std::vector<Tick> linear_ticks(double from, double to, TickStep step) {
  std::vector<Tick> ticks;
  const double size = step.size(), slack = 1e-9;
  const double first = std::ceil(from / size - slack), last = std::floor(to / size + slack);
  constexpr double kExact = 9e15 / 5;
  const bool exact = std::max(std::abs(first), std::abs(last)) < kExact;
  const bool plain = is_plain(std::max(std::abs(from), std::abs(to)), size);
  for (double n = first; n <= last && ticks.size() < 10'000; ++n) {
    const double value = n * size;
    ticks.push_back({value, exact
                                ? tick_text(static_cast<std::int64_t>(n) * step.factor, step.exponent, plain)
                                : format_number(value)});
    if (n + 1 == n) break;
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(double from, double to, int level) {
  std::vector<Tick> ticks;
  constexpr int kLeast = -307;
  const int first = std::max(kLeast, static_cast<int>(std::floor(std::log10(from))) - 1),
            last = static_cast<int>(std::floor(std::log10(to))) + 1;
  const bool plain = is_plain(to, from);
  constexpr int kFarthest = 1000;  // more than all exponents
  int every = 1;
  for (int at = 2; at < level && every < kFarthest; ++at)
    every *= (at - 2) % 3 == 1 ? 5 : 2;  // 1, 2, 10, 20, 40, ...
  for (int exponent = first; exponent <= last; ++exponent) {
    if (level >= 2 && exponent % every != 0) continue;
    const double power = power_of_ten(exponent);
    for (const int digit : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
      if ((level >= 2 && digit > 1) || (level == 1 && digit != 1 && digit != 2 && digit != 5)) continue;
      const double value = power * digit;
      if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9))
        ticks.push_back({value, tick_text(digit, exponent, plain)});
    }
  }
  return ticks;
}

}  // namespace perigee::plots
