// Axes of figures in gnuplot's language: ranges and ticks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/math.h"
#include "runtime/plots/script.h"

namespace perigee::plots {

void GnuplotScript::spread_ticks() {
  constexpr double kTicks = 10, kLine = 15;
  const auto [left, right] = extents_.x;
  const auto differ = [](double low, double high) {
    return high - low > 1e-9 * std::max(std::abs(low), std::abs(high));
  };
  if (figure_.x.categories.empty() && !figure_.x.log && differ(left, right)) {
    TickStep step = TickStep::at_least((right - left) / kTicks);
    const auto needed = [&, from = left, to = right] {
      double most = 0, count = 0;
      for (const Tick& tick : linear_ticks(from, to, step)) {
        most = std::max(most, kTextWidth * static_cast<double>(format_number(tick.value).size() + 1));
        ++count;
      }
      return most * count;
    };
    const bool fits = needed() <= plot_width();
    for (int tries = 0; tries < 9 && needed() > plot_width(); ++tries) step = step.next();
    if (!fits) line("set xtics {}", format_number(step.size()));
  }
  const auto [low, high] = extents_.y;
  const double tall = figure_.height - 110.0 - kKeyRow * rows_of_key();
  if (figure_.y.categories.empty() && !figure_.y.log && differ(low, high) && tall < kTicks * kLine) {
    const TickStep step = TickStep::at_least((high - low) * std::min(1.0, kLine / std::max(tall, kLine)));
    line("set ytics {}", format_number(step.size()));
  }
}

void GnuplotScript::ticks(const char* name, const std::vector<Tick>& all) {
  std::string tics;
  for (const Tick& tick : all) tics += (tics.empty() ? "" : ", ") + format_number(tick.value);
  if (!tics.empty()) line("set {}tics ({})", name, tics);
}

void GnuplotScript::few_x_ticks(double wide) {
  const auto [least, most] = extents_.x;
  if (!(most > least)) return;
  constexpr int kTries = 12;
  TickStep step = TickStep::at_least((most - least) / 6);
  for (int tries = 0; tries < kTries; ++tries) {
    const std::vector<Tick> all =
        figure_.x.log ? logarithmic_ticks(least, most, tries) : linear_ticks(least, most, step);
    double needed = 0;
    for (const Tick& tick : all)
      needed = std::max(needed, kTextWidth * static_cast<double>(tick.text.size() + 2));
    // A logarithmic axis has ticks at different distances.
    if (needed * static_cast<double>(all.size()) * (figure_.x.log ? 1.5 : 1) <= wide || all.size() < 2) {
      ticks("x", all);
      return;
    }
    step = step.next();
  }
}

void GnuplotScript::axis(const char* name, const Axis& axis) {
  if (!axis.text().empty() && !(text_ && *name == 'y'))
    line("set {}label {} noenhanced", name, gnuplot_text(axis.text()));
  if (axis.log) line("set logscale {} 10", name);
  if (axis.categories.empty()) return;
  const bool lanes = *name == 'y';
  constexpr double kLeastRow = 9, kLeastApart = 24;
  const double room = panel_width() / static_cast<double>(axis.categories.size());
  const auto every = static_cast<std::size_t>(std::ceil(lanes     ? std::max(1.0, kLeastRow / lane_height())
                                                        : turned_ ? std::max(1.0, kLeastApart / room)
                                                        : every_ > 1 ? static_cast<double>(every_)
                                                                     : 1));
  std::string tics;
  for (std::size_t i = 0; i < axis.categories.size(); i += every) {
    std::string shown = axis.categories[i];
    for (std::size_t at = 0; (at = shown.find('%', at)) != shown.npos; at += 2)
      shown.insert(at, 1, '%');  // otherwise a format for the place
    tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", gnuplot_text(shown), i);
  }
  line("set {}tics {}({}) scale 0 noenhanced{}", name, !lanes && turned_ ? "rotate by -35 " : "", tics,
       lanes ? fmt::format(" font ',{}'", std::clamp(lane_height() * 0.8, 7.0, 12.0)) : "");
  if (lanes)
    line("set {}range [{}:-0.6]", name, format_number(static_cast<double>(axis.categories.size()) - 0.4));
  else
    line("set {}range [-0.6:{}]", name, format_number(static_cast<double>(axis.categories.size()) - 0.4));
}

void GnuplotScript::range_from_zero(double least, double most) {
  if (least == 0 && most == 0)
    line("set yrange [0:1]");
  else if (least >= 0)
    line("set yrange [0:*]");
  else if (most <= 0)
    line("set yrange [*:0]");
}

void GnuplotScript::range(const char* name, const Axis& axis, double least, double most) {
  const double share = *name == 'x' ? margin_of_x() : 0.03;
  if (axis.log) {
    const double decades = math::log(most / least) / math::log(10);
    const double factor = decades > 1e-9 ? math::exp(std::max(0.02, share * decades) * math::log(10)) : 2;
    line("set {}range [{}:{}]", name, format_number(least / factor), format_number(most * factor));
    constexpr double kFew = 2;
    if (decades >= kFew) return;
    std::string tics;
    for (double power = math::exp(std::floor(math::log(least) / math::log(10) - 1) * math::log(10));
         power <= most * factor; power *= 10)
      for (const int k : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        if (decades >= 1 && k != 1 && k != 2 && k != 5) continue;
        const double tic = parse_number(fmt::format("{:.3g}", power * k));
        if (tic >= least / factor && tic <= most * factor)
          tics += (tics.empty() ? "" : ", ") + format_number(tic);
      }
    if (!tics.empty()) line("set {}tics ({})", name, tics);
    return;
  }
  const double largest = std::max(std::abs(least), std::abs(most));
  const bool flat = !(most - least > 1e-12 * largest);
  if (!flat && *name == 'y') return;
  const double margin = !flat ? share * (most - least) : largest == 0 ? 1 : 0.1 * largest;
  line("set {}range [{}:{}]", name, format_number(least - margin), format_number(most + margin));
}

double GnuplotScript::margin_of_x() const {
  constexpr double kPlain = 0.03, kPoint = 5;
  if (dodges_.empty() || !figure_.x.categories.empty()) return kPlain;
  return std::max(kPlain, (dodges_.back() * dodge_room() + kPoint) / panel_width());
}

}  // namespace perigee::plots
