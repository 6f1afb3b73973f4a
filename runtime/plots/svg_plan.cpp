// Where everything stands in a figure as SVG: ticks, title, key, note and panels.
#include <algorithm>
#include <cmath>

#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/svg.h"

namespace perigee::plots {

namespace {

// In lines that are at most so wide, broken at blanks.
std::vector<std::string> wrapped(const std::string& text, double size, double room) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || text_width(longer, size) <= room)
      lines.back() = longer;
    else
      lines.push_back(word);
    at = end + 1;
  }
  return lines;
}

}  // namespace

void SvgPicture::plan() {
  count_panels();
  const Extents all = extents_of(figure_);
  y_.log = figure_.y.log;
  double plot_high = guessed_height();
  lay_y(all.y, plot_high);
  lay_width();
  lay_x(all.x);
  make_room_for_x_labels();
  lay_head();
  if (is_grid_) top_ += kStrip;  // the heads of the columns
  lay_foot();
  const auto panel_rows = static_cast<double>(rows_);
  if (figure_.height > 0) {
    constexpr double kLeastHigh = 60;
    plot_high =
        std::max(kLeastHigh,
                 (figure_.height - top_ - foot_ - (strip_ + row_gap_) * panel_rows + row_gap_) / panel_rows);
    const double before_it = y_label_width();
    lay_y(all.y, plot_high);
    if (y_label_width() > before_it) widen(y_label_width() - before_it, left_);
  }
  plot_high_ = plot_high;
  high_ = top_ + (strip_ + plot_high_ + row_gap_) * panel_rows - row_gap_ + foot_;
  for (const Panel& panel : figure_.panels) panel_titles_.push_back(panel.name);
  panel_titles_ = shown_apart(panel_titles_, plot_wide_);
}

void SvgPicture::count_panels() {
  std::size_t rows = 1, columns = 1;
  for (const Panel& panel : figure_.panels) {
    rows = std::max(rows, panel.row + 1);
    columns = std::max(columns, panel.column + 1);
  }
  rows_ = rows;
  columns_ = columns;
  strip_ = figure_.panels.empty() || is_grid_ ? 0 : kStrip;
  wide_ = figure_.width;
}

double SvgPicture::y_label_width() const {
  double widest = 0;
  for (const Tick& tick : y_.ticks) widest = std::max(widest, text_width(tick.text, kTickSize));
  return widest;
}

double SvgPicture::y_title_width() const {
  return figure_.y.text().empty() ? 0 : kLabelSize * kLineHeight + 4;
}

void SvgPicture::lay_width() {
  left_ = kPadding + y_title_width() + y_label_width() + 10;
  right_ = kPadding + 12;
  if (is_grid_) right_ += kStrip;
  if (figure_.kind == FigureKind::heatmap) right_ += scale_width();

  constexpr double kLeastPanel = 110, kGap = 18;
  gap_ = columns_ > 1 ? kGap : 0;
  const auto panels = static_cast<double>(columns_);
  plot_wide_ = (wide_ - left_ - right_ - gap_ * (panels - 1)) / panels;
  if (plot_wide_ < kLeastPanel) {
    wide_ += (kLeastPanel - plot_wide_) * panels;
    plot_wide_ = kLeastPanel;
  }
}

void SvgPicture::make_room_for_x_labels() {
  double beyond = 0, before = 0;
  const Ruler ruler{x_.log, x_.from, x_.to, 0, plot_wide_};
  for (const Tick& tick : x_.ticks) {
    const double width = text_width(tick.text, kTickSize), at = ruler(tick.value);
    beyond = std::max(beyond, x_.turned ? 0 : at + width / 2 - plot_wide_);
    before = std::max(before, x_.turned ? width * kCosine - at : width / 2 - at);
  }
  const double title = y_title_width();
  if (beyond > right_ - kPadding) widen(beyond - (right_ - kPadding), right_);
  if (before > left_ - kPadding - title) widen(before - (left_ - kPadding - title), left_);
}

void SvgPicture::lay_foot() {
  foot_ = 6;
  double labels = kTickSize;
  if (x_.turned)
    for (const Tick& tick : x_.ticks)
      labels = std::max(labels, text_width(tick.text, kTickSize) * kSine + kTickSize * kCosine);
  if (!x_.ticks.empty()) foot_ += labels + 6;
  row_foot_ = foot_;
  if (!figure_.x.text().empty()) foot_ += kLabelSize * kLineHeight + 2;
  foot_ += kPadding;
  constexpr double kRowGap = 10, kGridGap = 16;  // ticks of both rows meet in a grid
  row_gap_ = rows_ == 1 ? 0 : is_grid_ ? kGridGap : kRowGap;
  if (x_.turned && has_hanging_panels()) row_gap_ += row_foot_;  // their labels lead below other panels
}

bool SvgPicture::has_hanging_panels() const {
  return std::ranges::any_of(figure_.panels, [&](const Panel& panel) {
    return panel.row + 1 < rows_ && std::ranges::none_of(figure_.panels, [&](const Panel& other) {
             return other.column == panel.column && other.row > panel.row;
           });
  });
}

void SvgPicture::widen(double by, double& side) {
  side += by;
  wide_ += by;
}

double SvgPicture::guessed_height() const {
  constexpr double kPlain = 280, kLane = 16, kCell = 26;
  if (figure_.kind == FigureKind::gantt)
    return std::clamp(kLane * static_cast<double>(figure_.y.categories.size()), 60.0, 4000.0);
  if (figure_.kind == FigureKind::heatmap)
    return std::clamp(kCell * static_cast<double>(figure_.y.categories.size()), least_high_of_cells(),
                      1200.0);
  if (figure_.panels.empty()) return kPlain;
  return std::clamp(0.7 * (figure_.width - 100) / static_cast<double>(columns_), 110.0, 200.0);
}

double SvgPicture::least_high_of_cells() const {
  constexpr double kLeast = 60, kLongest = 220;
  const double title = std::min(kLongest, text_width(figure_.value.text(), kLabelSize) + 2);
  return std::max(kLeast, title / static_cast<double>(rows_));
}

void SvgPicture::lay_y(const Extent& extent, double high) {
  y_.ticks.clear();
  y_.full.clear();
  if (has_places(figure_.y)) {
    const auto count = figure_.y.categories.size();
    y_.from = -0.5;
    y_.to = static_cast<double>(count) - 0.5;
    constexpr double kRow = 12.5;
    const auto every =
        static_cast<std::size_t>(std::max(1.0, std::ceil(kRow * static_cast<double>(count) / high)));
    for (std::size_t i = 0; i < count; i += every)
      place_tick(y_, figure_.y.categories[i], i, figure_.width * 0.3);
    return;
  }
  spread(extent, y_, figure_.kind != FigureKind::areas);
  constexpr double kApart = 40, kLine = 17;
  if (y_.log) {
    for (int level = 0; level < 40; ++level) {
      y_.ticks = logarithmic_ticks(y_.from, y_.to, level);
      const Ruler ruler{true, y_.from, y_.to, 0, high};
      bool fits = true;
      for (std::size_t i = 1; i < y_.ticks.size(); ++i)
        fits = fits && ruler(y_.ticks[i].value) - ruler(y_.ticks[i - 1].value) >= kLine;
      if (fits && y_.ticks.size() >= 2) return;
    }
    y_.ticks = linear_ticks(y_.from, y_.to, TickStep::at_least((y_.to - y_.from) / 4));
    return;
  }
  const TickStep step = TickStep::at_least((y_.to - y_.from) * std::min(0.5, kApart / high));
  if (figure_.kind == FigureKind::ecdf) {
    y_.ticks = linear_ticks(y_.from, y_.to, step);
    return;
  }
  // Both ends are ticks.
  const double size = step.size();
  if (size > 0 && std::isfinite(size)) {
    const double lower = std::floor(y_.from / size + 1e-9) * size,
                 upper = std::ceil(y_.to / size - 1e-9) * size;
    if (std::isfinite(lower) && std::isfinite(upper) && lower < upper) {
      y_.from = lower;
      y_.to = upper;
    }
  }
  y_.ticks = linear_ticks(y_.from, y_.to, step);
}

void SvgPicture::spread(const Extent& extent, Scale& scale, bool margin) {
  double least = extent.least, most = extent.most;
  if (!(least <= most)) least = 0, most = 1;
  if (scale.log) {
    const double decades = math::log(most / least) / math::log(10);
    const double margin_of = &scale == &x_ ? margin_of_x(extent) : 0.03;
    const double factor = decades > 1e-9 ? math::exp(std::max(0.02, margin_of * decades) * math::log(10)) : 2;
    scale.from = least / factor;
    scale.to = most * factor;
    return;
  }
  const double largest = std::max(std::abs(least), std::abs(most));
  const bool flat = !(most - least > 1e-12 * largest);
  if (flat) {
    const double around = largest == 0 ? 1 : 0.1 * largest;
    const bool stands = least >= 0 && &scale == &y_ && extent.least == 0;
    scale.from = stands ? 0 : least - around;
    scale.to = most + around;
    return;
  }
  const double around = margin && &scale == &x_ ? margin_of_x(extent) * (most - least) : 0;
  scale.from = least - around;
  scale.to = most + around;
}

double SvgPicture::margin_of_x(const Extent& extent) {
  constexpr double kPlain = 0.03, kPoint = 5;
  if (dodges_.empty() || has_places(figure_.x)) return kPlain;
  x_at_ = {x_.log, extent.least, extent.most, 0, plot_wide_};
  return std::max(kPlain, (dodges_.back() * dodge_room() + kPoint) / plot_wide_);
}

void SvgPicture::place_tick(Scale& scale, const std::string& name, std::size_t place, double room) {
  std::string shown = fitting(name, kTickSize, room);
  scale.full.push_back(shown == name ? "" : name);
  scale.ticks.push_back({static_cast<double>(place), std::move(shown)});
}

void SvgPicture::lay_x(const Extent& extent) {
  x_ = {};
  x_.log = figure_.x.log;
  constexpr double kApart = 12;
  if (has_places(figure_.x)) {
    lay_places(kApart);
    return;
  }
  spread(extent, x_, figure_.kind != FigureKind::areas && figure_.kind != FigureKind::gantt);
  if (has_one_x(figure_)) {
    x_.ticks = {{extent.least, short_number(extent.least)}};
    return;
  }
  const auto fits = [&] {
    const Ruler ruler{x_.log, x_.from, x_.to, 0, plot_wide_};
    double end = -INFINITY;
    for (const Tick& tick : x_.ticks) {
      const double half = text_width(tick.text, kTickSize) / 2, at = ruler(tick.value);
      if (at - half < end + kApart) return false;
      end = at + half;
    }
    return true;
  };
  if (x_.log) {
    for (int level = 0; level < 40; ++level) {
      x_.ticks = logarithmic_ticks(x_.from, x_.to, level);
      if (x_.ticks.size() >= 2 && fits()) return;
    }
  }
  constexpr double kLeast = 45;
  TickStep step = TickStep::at_least((x_.to - x_.from) * std::min(1.0, kLeast / plot_wide_));
  for (int tries = 0; tries < 12; ++tries, step = step.next()) {
    x_.ticks = linear_ticks(x_.from, x_.to, step);
    if (fits()) return;
  }
}

void SvgPicture::lay_places(double apart) {
  const std::vector<std::string>& names = figure_.x.categories;
  const auto count = names.size();
  x_.from = -0.5;
  x_.to = static_cast<double>(count) - 0.5;
  const double room = plot_wide_ / static_cast<double>(count);
  double widest = 0;
  bool numbers = true;
  for (const std::string& name : names) {
    widest = std::max(widest, text_width(name, kTickSize));
    numbers = numbers && !name.empty() && name.find_first_not_of("0123456789.e+-") == name.npos;
  }
  const bool stands = widest + apart <= room;
  if (stands || numbers) {  // of numbers in a row some are enough
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + apart) / room)));
    for (std::size_t i = 0; i < count; i += every) place_tick(x_, names[i], i, plot_wide_);
    return;
  }
  x_.turned = true;
  constexpr double kLine = 14, kLongest = 170;
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(kLine / (room * kSine))));
  for (std::size_t i = 0; i < count; i += every) place_tick(x_, names[i], i, kLongest);
}

void SvgPicture::lay_head() {
  double at = kPadding;
  const double room = wide_ - 2 * kPadding;
  constexpr std::size_t kMostLines = 3;
  const auto lines_of = [&](const std::string& whole, double size) {
    std::vector<std::string> lines = wrapped(whole, size, room);
    if (lines.size() > kMostLines) {
      for (std::size_t i = kMostLines; i < lines.size(); ++i) lines[kMostLines - 1] += " " + lines[i];
      lines.resize(kMostLines);
    }
    for (std::string& line : lines) line = fitting(line, size, room);
    return lines;
  };
  const auto place = [&](const std::vector<std::string>& lines, double size, std::vector<HeadLine>& into) {
    for (const std::string& line : lines) {
      at += size * kLineHeight;
      into.push_back({line, at - size * 0.35});
    }
  };
  if (parts_.title && !figure_.title.empty()) place(lines_of(figure_.title, kTitleSize), kTitleSize, titles_);
  if (named_) {
    constexpr double kRow = 20;
    at += 4;
    double x = kPadding;
    int row = 0;
    const double rows_at = at;
    key_title_ = figure_.by.empty() ? "" : fitting(figure_.by, kKeySize, room / 3) + ":";
    if (!key_title_.empty()) x += text_width(key_title_, kKeySize) + 12;
    const double first = x;
    const std::vector<Series>& series = key_series(figure_);
    std::vector<std::string> names;
    for (const Series& one : series) names.push_back(one.name);
    names = fitting_apart(names, room - (first - kPadding) - kSample - 6,
                          [](std::string_view name) { return text_width(name, kKeySize); });
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (series[s].name.empty()) continue;
      std::string shown = names[s];
      const double wide = kSample + 6 + text_width(shown, kKeySize) + 16;
      if (x > first && x + wide - 16 > wide_ - kPadding) {
        x = first;
        ++row;
      }
      key_.push_back({s, x, row, std::move(shown)});
      x += wide;
    }
    key_at_ = rows_at + kRow / 2;
    at += kRow * (row + 1);
  }
  if (parts_.note && !figure_.note.empty()) place(lines_of(figure_.note, kNoteSize), kNoteSize, notes_);
  top_ = at + 12;
}

}  // namespace perigee::plots
