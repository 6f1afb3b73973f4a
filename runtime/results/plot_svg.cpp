// Figures as SVG for pages.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/markup.h"
#include "runtime/results/plot.h"
#include "runtime/results/plot_look.h"
#include "runtime/results/plot_ticks.h"

namespace perigee::results {
namespace {

constexpr double kTickSize = 12, kLabelSize = 13, kTitleSize = 16, kNoteSize = 12, kKeySize = 13;
constexpr double kLineHeight = 1.35;
constexpr double kPadding = 8;  // around the picture

// With two decimals, and no zeros at the end.
std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

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

struct Rectangle {
  double x = 0, y = 0, wide = 0, high = 0;
};

// From the numbers of an axis to pixels.
struct Ruler {
  bool log = false;
  double from = 0, to = 1, at_from = 0, at_to = 1;
  double operator()(double value) const {
    const double share = log ? math::log(value / from) / math::log(to / from) : (value - from) / (to - from);
    return at_from + share * (at_to - at_from);
  }
};

// An axis with its ticks, the same in all panels.
struct Scale {
  bool log = false;
  double from = 0, to = 1;
  std::vector<Tick> ticks;             // of numbers or of places
  bool turned = false;                 // labels of the x axis
  std::vector<std::string> full = {};  // the whole text of a tick that is shortened; else empty
};

// The key's marks and the rows of names.
struct KeyEntry {
  std::size_t series = 0;
  double x = 0;
  int row = 0;
  std::string shown;
};

class SvgPicture {
 public:
  SvgPicture(const Figure& figure, const PageSvg& parts) : figure_(figure), parts_(parts) {
    clean();
    plan();
  }

  std::string draw() {
    const std::string label = !figure_.title.empty()     ? figure_.title
                              : figure_.x.text().empty() ? figure_.y.text()
                              : figure_.y.text().empty() ? figure_.x.text()
                                                         : figure_.y.text() + " by " + figure_.x.text();
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"group\" "
        "aria-label=\"{}\" font-family=\"sans-serif\" fill=\"currentColor\">\n",
        pixels(wide_), pixels(high_), pixels(wide_), pixels(high_),
        markup_text(label.empty() ? "figure" : label));
    head();
    if (figure_.panels.empty()) {
      panel(figure_.series, 0);
    } else {
      for (std::size_t p = 0; p < figure_.panels.size(); ++p) panel(figure_.panels[p].series, p);
    }
    if (is_grid_) heads_of_grid();
    axis_titles();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  // ---- texts

  // Texts without what is no text, in the figure and in all of its panels.
  void clean() {
    for (std::string* text : {&figure_.title, &figure_.note, &figure_.by}) *text = printable(*text);
    for (Axis* axis : {&figure_.x, &figure_.y, &figure_.value}) {
      axis->label = printable(axis->label);
      axis->unit = printable(axis->unit);
      for (std::string& category : axis->categories) category = printable(category);
    }
    const auto names = [](std::vector<Series>& all) {
      for (Series& series : all) {
        series.name = printable(series.name);
        for (GanttBar& bar : series.gantt_bars) bar.label = printable(bar.label);
      }
    };
    names(figure_.series);
    for (Panel& panel : figure_.panels) {
      panel.name = printable(panel.name);
      names(panel.series);
    }
    for (const Series* series : all_series(figure_))
      marks_ += series->points.size() + series->boxes.size() + series->bins.size() +
                series->gantt_bars.size() + series->cells.size();
    titled_ = marks_ <= kMostTitles;
    if (!titled_ && figure_.kind != FigureKind::box)
      figure_.note += fmt::format("{}{} marks: their values are in the table of numbers only",
                                  figure_.note.empty() ? "" : "; ", marks_);
    named_ = has_key(figure_);
    dodges_ = dodges_of(figure_);
    if (!dodges_.empty() && !has_places(figure_.x))
      figure_.note += fmt::format("{}{}", figure_.note.empty() ? "" : "; ", kMovedApart);
    is_grid_ = is_grid(figure_);
  }

  void text(double x, double y, const std::string& shown, double size, const char* anchor,
            const std::string& full = {}, const std::string& more = {}) {
    put("<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{}{}>", pixels(x), pixels(y), pixels(size),
        *anchor == 's' ? "" : fmt::format(" text-anchor=\"{}\"", anchor), more.empty() ? "" : " ", more);
    if (!full.empty() && full != shown) put("<title>{}</title>", markup_text(full));
    put("{}</text>\n", markup_text(shown));
  }

  // ---- the plan: where everything stands

  bool has_places(const Axis& axis) const { return !axis.categories.empty(); }
  bool has_lanes() const { return figure_.kind == FigureKind::gantt || figure_.kind == FigureKind::heatmap; }

  void plan() {
    std::size_t rows = 1, columns = 1;
    for (const Panel& panel : figure_.panels) {
      rows = std::max(rows, panel.row + 1);
      columns = std::max(columns, panel.column + 1);
    }
    rows_ = rows;
    columns_ = columns;
    constexpr double kStrip = kTickSize * kLineHeight + 4;
    strip_ = figure_.panels.empty() || is_grid_ ? 0 : kStrip;
    wide_ = figure_.width;

    // The y axis, whose labels decide how much is left for the x axis.
    const Extents all = extents_of(figure_);
    y_.log = figure_.y.log;
    double plot_high = guessed_height();
    const auto y_labels = [&] {
      double widest = 0;
      for (const Tick& tick : y_.ticks) widest = std::max(widest, text_width(tick.text, kTickSize));
      return widest;
    };
    lay_y(all.y, plot_high);
    const double title = figure_.y.text().empty() ? 0 : kLabelSize * kLineHeight + 4;
    left_ = kPadding + title + y_labels() + 10;
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
    lay_x(all.x);
    // Labels that stand in the middle of their tick may reach beyond the plot; turned ones lead out to the left.
    double beyond = 0, before = 0;
    const Ruler ruler{x_.log, x_.from, x_.to, 0, plot_wide_};
    for (const Tick& tick : x_.ticks) {
      const double width = text_width(tick.text, kTickSize), at = ruler(tick.value);
      beyond = std::max(beyond, x_.turned ? 0 : at + width / 2 - plot_wide_);
      before = std::max(before, x_.turned ? width * kCosine - at : width / 2 - at);
    }
    if (beyond > right_ - kPadding) widen(beyond - (right_ - kPadding), right_);
    if (before > left_ - kPadding - title) widen(before - (left_ - kPadding - title), left_);

    lay_head();
    if (is_grid_) top_ += kStrip;  // the heads of the columns
    foot_ = 6;
    double labels = kTickSize;
    if (x_.turned)
      for (const Tick& tick : x_.ticks)
        labels = std::max(labels, text_width(tick.text, kTickSize) * kSine + kTickSize * kCosine);
    if (!x_.ticks.empty()) foot_ += labels + 6;
    row_foot_ = foot_;
    if (!figure_.x.text().empty()) foot_ += kLabelSize * kLineHeight + 2;
    foot_ += kPadding;
    const auto panel_rows = static_cast<double>(rows_);
    constexpr double kRowGap = 10, kGridGap = 16;  // ticks of both rows meet in a grid
    row_gap_ = rows_ == 1 ? 0 : is_grid_ ? kGridGap : kRowGap;
    if (x_.turned && has_hanging_panels()) row_gap_ += row_foot_;  // their labels lead below other panels
    if (figure_.height > 0) {
      constexpr double kLeastHigh = 60;
      plot_high =
          std::max(kLeastHigh, (figure_.height - top_ - foot_ - (strip_ + row_gap_) * panel_rows + row_gap_) /
                                   panel_rows);
      const double before_it = y_labels();
      lay_y(all.y, plot_high);
      if (y_labels() > before_it) widen(y_labels() - before_it, left_);
    }
    plot_high_ = plot_high;
    high_ = top_ + (strip_ + plot_high_ + row_gap_) * panel_rows - row_gap_ + foot_;
    for (const Panel& panel : figure_.panels) panel_titles_.push_back(panel.name);
    panel_titles_ = shown_apart(panel_titles_, plot_wide_);
  }

  static std::vector<std::string> shown_apart(const std::vector<std::string>& names, double room) {
    return fitting_apart(names, room, [](std::string_view name) { return text_width(name, kTickSize); });
  }

  // The heads of a grid: of its columns above them, of its rows at their right side.
  void heads_of_grid() {
    for (const bool is_row : {false, true}) {
      const std::vector<std::string> heads = grid_heads(figure_, is_row);
      const std::vector<std::string> shown = shown_apart(heads, is_row ? plot_high_ : plot_wide_);
      for (std::size_t i = 0; i < heads.size(); ++i) {
        if (heads[i].empty()) continue;
        const auto at = static_cast<double>(i);
        if (!is_row) {
          text(left_ + plot_wide_ / 2 + (plot_wide_ + gap_) * at, top_ - 6, shown[i], kTickSize, "middle",
               heads[i], "font-weight=\"bold\"");
          continue;
        }
        const double x = left_ + (plot_wide_ + gap_) * static_cast<double>(columns_) - gap_ + 10,
                     y = top_ + plot_high_ / 2 + (plot_high_ + row_gap_) * at;
        text(x, y, shown[i], kTickSize, "middle", heads[i],
             fmt::format("font-weight=\"bold\" transform=\"rotate(90 {} {})\"", pixels(x), pixels(y)));
      }
    }
  }

  // Whether there are panels above the last row under which there are no others.
  bool has_hanging_panels() const {
    return std::ranges::any_of(figure_.panels, [&](const Panel& panel) {
      return panel.row + 1 < rows_ && std::ranges::none_of(figure_.panels, [&](const Panel& other) {
               return other.column == panel.column && other.row > panel.row;
             });
    });
  }

  // More room at a side makes the picture wider, for the ticks have been chosen already.
  void widen(double by, double& side) {
    side += by;
    wide_ += by;
  }

  double guessed_height() const {
    constexpr double kPlain = 280, kLane = 16, kCell = 26;
    if (figure_.kind == FigureKind::gantt)
      return std::clamp(kLane * static_cast<double>(figure_.y.categories.size()), 60.0, 4000.0);
    if (figure_.kind == FigureKind::heatmap)
      return std::clamp(kCell * static_cast<double>(figure_.y.categories.size()), least_high_of_cells(),
                        1200.0);
    if (figure_.panels.empty()) return kPlain;
    return std::clamp(0.7 * (figure_.width - 100) / static_cast<double>(columns_), 110.0, 200.0);
  }

  // All rows of panels together have room for the title of the colours.
  double least_high_of_cells() const {
    constexpr double kLeast = 60, kLongest = 220;
    const double title = std::min(kLongest, text_width(figure_.value.text(), kLabelSize) + 2);
    return std::max(kLeast, title / static_cast<double>(rows_));
  }

  // Ticks that stand on each other, `high` pixels in all.
  void lay_y(const Extent& extent, double high) {
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

  // A range around all values with a margin, which is wide if values hardly differ.
  void spread(const Extent& extent, Scale& scale, bool margin) {
    double least = extent.least, most = extent.most;
    if (!(least <= most)) least = 0, most = 1;
    if (scale.log) {
      const double decades = math::log(most / least) / math::log(10);
      const double margin_of = &scale == &x_ ? margin_of_x(extent) : 0.03;
      const double factor =
          decades > 1e-9 ? math::exp(std::max(0.02, margin_of * decades) * math::log(10)) : 2;
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

  // The part of the axis that is left free at both sides; points that are moved aside have to fit into it.
  double margin_of_x(const Extent& extent) {
    constexpr double kPlain = 0.03, kPoint = 5;
    if (dodges_.empty() || has_places(figure_.x)) return kPlain;
    x_at_ = {x_.log, extent.least, extent.most, 0, plot_wide_};
    return std::max(kPlain, (dodges_.back() * dodge_room() + kPoint) / plot_wide_);
  }

  static void place_tick(Scale& scale, const std::string& name, std::size_t place, double room) {
    std::string shown = fitting(name, kTickSize, room);
    scale.full.push_back(shown == name ? "" : name);
    scale.ticks.push_back({static_cast<double>(place), std::move(shown)});
  }

  // Ticks side by side.
  void lay_x(const Extent& extent) {
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

  void lay_places(double apart) {
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

  // Title, key and note, one below the other, over the panels.
  void lay_head() {
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
    if (parts_.title && !figure_.title.empty())
      place(lines_of(figure_.title, kTitleSize), kTitleSize, titles_);
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

  // ---- head and axes

  void head() {
    const auto lines = [&](const std::vector<HeadLine>& all, double size, const std::string& whole,
                           const char* more) {
      const bool is_cut = !all.empty() && all.back().shown.ends_with("…");
      for (const HeadLine& line : all)
        text(kPadding, line.y, line.shown, size, "start", is_cut ? whole : "", more);
    };
    lines(titles_, kTitleSize, figure_.title, "font-weight=\"bold\"");
    if (!key_title_.empty())
      text(kPadding, key_at_ + kKeySize * 0.35, key_title_, kKeySize, "start", figure_.by + ":",
           "fill-opacity=\".75\"");
    constexpr double kRow = 20;
    const std::vector<Series>& series = key_series(figure_);
    for (const KeyEntry& entry : key_) {
      const Series& one = series[entry.series];
      const double y = key_at_ + kRow * entry.row;
      put("<g class=\"key\" data-name=\"{}\">", markup_text(one.name));
      sample(entry.series, {entry.x, y - 6, kSample, 12});
      text(entry.x + kSample + 6, y + kKeySize * 0.35, entry.shown, kKeySize, "start", one.name);
      out_ += "</g>\n";
    }
    lines(notes_, kNoteSize, figure_.note, "fill-opacity=\".7\"");
  }

  std::size_t look(std::size_t s) const {
    const std::vector<Series>& series = key_series(figure_);
    const int own = s < series.size() ? series[s].colour : -1;
    if (own >= 0) return static_cast<std::size_t>(own);
    const auto sums = std::count_if(series.begin(),
                                    series.begin() + static_cast<std::ptrdiff_t>(std::min(s, series.size())),
                                    [](const Series& before) { return before.is_sum; });
    return s - static_cast<std::size_t>(sums);
  }
  static std::string ink(std::size_t look) {
    return look == kBlackLook ? "currentColor" : std::string(colour_of_look(look));
  }

  void sample(std::size_t s, const Rectangle& at) {
    const std::size_t own = look(s);
    const double middle = at.y + at.high / 2;
    const Series& series = key_series(figure_)[s];
    switch (figure_.kind) {
      case FigureKind::lines:
      case FigureKind::steps:
      case FigureKind::ecdf:
      case FigureKind::points:
        if (figure_.kind != FigureKind::points)
          put("<path d=\"M{} {}h{}\"{}/>", pixels(at.x), pixels(middle), pixels(at.wide), stroke(own));
        if (figure_.kind == FigureKind::lines || figure_.kind == FigureKind::points)
          shape(at.x + at.wide / 2, middle, own, "");
        break;
      case FigureKind::gantt:
        gantt_fill({at.x, at.y, at.wide, at.high}, series, s, 0);
        break;
      case FigureKind::histogram:
        put("<path d=\"M{} {}h{}\"{}/>", pixels(at.x), pixels(middle), pixels(at.wide), stroke(own));
        break;
      case FigureKind::areas:
        if (series.is_sum) {
          put("<path d=\"M{} {}h{}\" fill=\"none\" stroke=\"currentColor\"/>", pixels(at.x), pixels(middle),
              pixels(at.wide));
          break;
        }
        [[fallthrough]];
      default:
        put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", pixels(at.x), pixels(at.y),
            pixels(at.wide), pixels(at.high), ink(own));
        if (figure_.kind != FigureKind::areas) hatch(at, own);
    }
  }

  // The border, ticks and grid of a panel.
  void axes(const Rectangle& plot, bool with_x, bool with_y) {
    const Ruler x{x_.log, x_.from, x_.to, plot.x, plot.x + plot.wide}, y = upward(plot);
    out_ += "<g class=\"axes\">\n";
    std::string grid;
    const bool across = !has_places(figure_.y);
    if (across)
      for (const Tick& tick : y_.ticks)
        grid += fmt::format("M{} {}h{}", pixels(plot.x), pixels(y(tick.value)), pixels(plot.wide));
    if (!has_places(figure_.x))
      for (const Tick& tick : x_.ticks)
        grid += fmt::format("M{} {}v{}", pixels(x(tick.value)), pixels(plot.y), pixels(plot.high));
    if (!grid.empty())
      put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".15\"/>\n", grid);
    put("<path d=\"M{} {}v{}h{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n",
        pixels(plot.x), pixels(plot.y), pixels(plot.high), pixels(plot.wide));
    if (with_y)
      for (std::size_t i = 0; i < y_.ticks.size(); ++i)
        text(plot.x - 6, y(y_.ticks[i].value) + kTickSize * 0.35, y_.ticks[i].text, kTickSize, "end",
             i < y_.full.size() ? y_.full[i] : "");
    if (with_x)
      for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
        const double at = x(x_.ticks[i].value), below = plot.y + plot.high + 6;
        const std::string full = i < x_.full.size() ? x_.full[i] : "";
        if (x_.turned)
          text(at, below + kTickSize * 0.7, x_.ticks[i].text, kTickSize, "end", full,
               fmt::format("transform=\"rotate(-40 {} {})\"", pixels(at), pixels(below + kTickSize * 0.35)));
        else
          text(at, below + kTickSize, x_.ticks[i].text, kTickSize, "middle", full);
      }
    out_ += "</g>\n";
  }

  // The title of an axis, whose unit remains where it is shortened.
  static std::string title_of(const Axis& axis, double room) {
    const std::string all = axis.text();
    if (text_width(all, kLabelSize) <= room || axis.unit.empty()) return fitting(all, kLabelSize, room);
    const std::string unit = fmt::format(" ({})", fitting(axis.unit, kLabelSize, room / 3));
    return fitting(axis.label, kLabelSize, room - text_width(unit, kLabelSize)) + unit;
  }
  // The middle of a title, as near to the wanted place as it fits between two others.
  static double near(double wanted, const std::string& shown, double from, double to) {
    const double half = text_width(shown, kLabelSize) / 2;
    return std::max(from + half, std::min(wanted, to - half));
  }

  void axis_titles() {
    const double whole_wide = wide_ - left_ - right_, whole_high = high_ - top_ - foot_;
    if (const std::string all = figure_.x.text(); !all.empty()) {
      const std::string shown = title_of(figure_.x, wide_ - 2 * kPadding);
      text(near(left_ + whole_wide / 2, shown, kPadding, wide_ - kPadding), high_ - kPadding - 4, shown,
           kLabelSize, "middle", all);
    }
    if (const std::string all = figure_.y.text(); !all.empty()) {
      const double lowest = top_ + whole_high + row_foot_;
      const std::string shown = title_of(figure_.y, lowest - top_);
      const double x = kPadding + kLabelSize, y = near(top_ + whole_high / 2, shown, top_, lowest);
      text(x, y, shown, kLabelSize, "middle", all,
           fmt::format("transform=\"rotate(-90 {} {})\"", pixels(x), pixels(y)));
    }
    if (figure_.kind == FigureKind::heatmap) colour_key();
  }

  Ruler upward(const Rectangle& plot) const {
    if (has_places(figure_.y))
      return {false, y_.from, y_.to, plot.y, plot.y + plot.high};  // the first on top
    return {y_.log, y_.from, y_.to, plot.y + plot.high, plot.y};
  }

  // ---- marks

  // "fcfs, load = 2, response = 3 ± 0.5 s"
  std::string place_text(const Axis& axis, double x) const {
    const std::string value =
        has_places(axis) ? axis.categories[static_cast<std::size_t>(x)] : number_text(axis, x);
    return axis.label.empty() ? value : axis.label + " = " + value;
  }
  static std::string number_text(const Axis& axis, double value) {
    return short_number(value) + (axis.unit.empty() ? "" : " " + axis.unit);
  }
  // "load = 1 .. 2 s", of numbers
  std::string range_text(double from, double to) const {
    return fmt::format("{}{} .. {}", figure_.x.label.empty() ? "" : figure_.x.label + " = ",
                       short_number(from), number_text(figure_.x, to));
  }
  static std::string joined(std::initializer_list<std::string> parts) {
    std::string all;
    for (const std::string& part : parts)
      if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
    return all;
  }
  std::string point_title(const Series& series, const Point& p) const {
    const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
    std::string value = (figure_.y.label.empty() ? "" : figure_.y.label + " = ") + short_number(p.y);
    if (p.low < p.high) {
      const bool even = std::abs((p.high - p.y) - (p.y - p.low)) <= 1e-9 * (p.high - p.low);
      value += even ? " ± " + short_number((p.high - p.low) / 2)
                    : fmt::format(" [{}, {}]", short_number(p.low), short_number(p.high));
    }
    value += unit;
    return joined({series.name, place_text(figure_.x, p.x), value,
                   p.n > 1 && figure_.kind != FigureKind::ecdf ? fmt::format("{} values", p.n) : ""});
  }

  static std::string title(const std::string& text) {
    return fmt::format("<title>{}</title>", markup_text(text));
  }

  static std::string stroke(std::size_t look) {
    static constexpr std::array kDashArrays = {"", "7 3", "2 3", "9 3 2 3", "12 4"};
    const std::size_t dash = (look + look / kLookColours.size()) % kDashArrays.size();
    return fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", ink(look),
                       dash == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", kDashArrays[dash]));
  }

  // A shape around a place, filled or hollow.
  static std::string shape_path(double x, double y, std::size_t look) {
    const std::string at = fmt::format("M{} {}", pixels(x), pixels(y));
    switch (look % kShapeCount) {
      case 0:
      case 7:
        return at + "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z";  // a circle
      case 1:
      case 8:
        return at + "m-3.2 -3.2h6.4v6.4h-6.4z";
      case 2:
      case 9:
        return at + "m0 -4.4l4.2 7.4h-8.4z";
      case 3:
      case 10:
        return at + "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z";
      case 4:
        return at + "m0 4.4l4.2 -7.4h-8.4z";
      case 5:
        return at + "m-4 -1.3h2.7v-2.7h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7z";  // a cross
      default:
        return at + "m0 -4.4l4.4 3l-1.7 5.4h-5.4l-1.7 -5.4z";
    }
  }
  static constexpr std::size_t kShapeCount = 11;
  static bool is_hollow(std::size_t look) { return look % kShapeCount >= 7; }
  void shape(double x, double y, std::size_t look, const std::string& more) {
    const std::string paint = is_hollow(look)
                                  ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", ink(look))
                                  : fmt::format("fill=\"{}\"", ink(look));
    put("<path d=\"{}\" {}{}/>", shape_path(x, y, look), paint, more);
  }

  // Lines over a fill that tell it from others in grey.
  void hatch(const Rectangle& at, std::size_t look) {
    static constexpr std::array kHatches = {0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};  // none / \ x -
    const int kind = kHatches[look % kHatches.size()];
    hatch_lines(at, kind, "stroke=\"#fff\" stroke-opacity=\".55\"");
  }
  void hatch_lines(const Rectangle& at, int kind, const char* paint) {
    constexpr double kApart = 7, kMostLines = 400;
    if (kind == 0 || at.wide < 3 || at.high < 3 || (at.wide + at.high) / kApart > kMostLines) return;
    std::string lines;
    const double right = at.x + at.wide, bottom = at.y + at.high;
    const auto slanted = [&](bool rising) {
      // Where x + y, or x - y, is a multiple of the distance.
      const double low = rising ? at.x + at.y : at.x - bottom, top = rising ? right + bottom : right - at.y;
      for (double k = std::ceil(low / kApart) * kApart; k < top; k += kApart) {
        const double from = std::max(at.x, rising ? k - bottom : k + at.y),
                     to = std::min(right, rising ? k - at.y : k + bottom);
        if (to - from < 0.5) continue;
        lines += fmt::format("M{} {}L{} {}", pixels(from), pixels(rising ? k - from : from - k), pixels(to),
                             pixels(rising ? k - to : to - k));
      }
    };
    if (kind == 1 || kind == 3) slanted(true);
    if (kind == 2 || kind == 3) slanted(false);
    if (kind == 4)
      for (double y = std::ceil(at.y / 5) * 5; y < bottom; y += 5)
        lines += fmt::format("M{} {}h{}", pixels(at.x), pixels(y), pixels(at.wide));
    if (!lines.empty()) put("<path d=\"{}\" fill=\"none\" {} pointer-events=\"none\"/>", lines, paint);
  }

  void bar(const Rectangle& at, std::size_t look, const std::string& shown,
           const std::string& interval = {}) {
    const std::string hidden = titled_ ? title(shown) : "";
    put("<g class=\"mark\">{}<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", hidden,
        pixels(at.x), pixels(at.y), pixels(at.wide), pixels(at.high), ink(look));
    hatch(at, look);
    put("{}</g>\n", interval);
  }

  // A vertical line with ends.
  static std::string interval_path(double x, double low, double high, double half = 3.5) {
    return fmt::format("M{0} {1}V{2}M{3} {1}h{4}M{3} {2}h{4}", pixels(x), pixels(low), pixels(high),
                       pixels(x - half), pixels(2 * half));
  }

  void panel(const std::vector<Series>& series, std::size_t p) {
    const std::size_t row = figure_.panels.empty() ? 0 : figure_.panels[p].row,
                      column = figure_.panels.empty() ? 0 : figure_.panels[p].column;
    plot_ = {left_ + (plot_wide_ + gap_) * static_cast<double>(column),
             top_ + strip_ + (plot_high_ + strip_ + row_gap_) * static_cast<double>(row), plot_wide_,
             plot_high_};
    if (!figure_.panels.empty()) {
      put("<g class=\"panel\" data-name=\"{}\">\n", markup_text(figure_.panels[p].name));
      if (!is_grid_)
        text(plot_.x + plot_.wide / 2, plot_.y - 6, panel_titles_[p], kTickSize, "middle",
             figure_.panels[p].name, "font-weight=\"bold\"");
    }
    const bool lowest = std::ranges::none_of(
        figure_.panels, [&](const Panel& other) { return other.column == column && other.row > row; });
    const bool leftmost = std::ranges::none_of(
        figure_.panels, [&](const Panel& other) { return other.row == row && other.column < column; });
    axes(plot_, lowest, leftmost);
    x_at_ = {x_.log, x_.from, x_.to, plot_.x, plot_.x + plot_.wide};
    y_at_ = upward(plot_);
    switch (figure_.kind) {
      case FigureKind::lines:
      case FigureKind::points:
        curves(series);
        break;
      case FigureKind::steps:
      case FigureKind::ecdf:
        steps(series);
        break;
      case FigureKind::bars:
        bars(series);
        break;
      case FigureKind::stacked:
        stacks(series);
        break;
      case FigureKind::areas:
        areas(series);
        break;
      case FigureKind::box:
        boxes(series);
        break;
      case FigureKind::histogram:
        bins(series);
        break;
      case FigureKind::heatmap:
        cells(series);
        break;
      case FigureKind::gantt:
        gantt_bars(series);
        break;
    }
    if (!figure_.panels.empty()) out_ += "</g>\n";
  }

  void open_series(const Series& series) {
    put("<g class=\"series\" data-name=\"{}\">\n", markup_text(series.name));
  }

  double dodge(std::size_t s) const {
    if (dodges_.empty()) return 0;
    const auto count = static_cast<double>(dodges_.size());
    constexpr double kApart = 9;
    double room = kApart * count;
    if (has_places(figure_.x)) {
      room = std::min(std::max(room, 0.3 * plot_wide_ / (x_.to - x_.from)),
                      0.7 * plot_wide_ / (x_.to - x_.from));
    } else {
      room = dodge_room();
    }
    return dodges_[s] * room;
  }

  // The width that series with the same x of numbers take in all, in pixels.
  double dodge_room() const { return dodge_room_of(dodges_.size(), least_gap()); }
  // The smallest distance of two x in pixels.
  double least_gap() const {
    std::vector<double> all;
    for (const Series* series : all_series(figure_))
      for (const Point& p : series->points) all.push_back(x_at_(p.x));
    std::ranges::sort(all);
    double least = plot_wide_;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i] > all[i - 1]) least = std::min(least, all[i] - all[i - 1]);
    return least;
  }

  double clamped_y(double value) const {
    if (figure_.y.log && !(value > 0)) return plot_.y + plot_.high;
    return std::clamp(y_at_(value), plot_.y, plot_.y + plot_.high);
  }

  void curves(const std::vector<Series>& series) {
    for (std::size_t s = 0; s < series.size(); ++s) {
      const std::vector<Point>& points = series[s].points;
      if (points.empty()) continue;
      const double aside = dodge(s);
      const std::size_t own = look(s);
      open_series(series[s]);
      if (figure_.kind == FigureKind::lines && points.size() > 1) {
        const std::vector<std::size_t> drawn = seen(points);
        out_ += "<path d=\"";
        for (std::size_t i = 0; i < drawn.size(); ++i)
          put("{}{} {}", i == 0 ? "M" : "L", pixels(x_at_(points[drawn[i]].x) + aside),
              pixels(y_at_(points[drawn[i]].y)));
        put("\"{} stroke-linejoin=\"round\"/>\n", stroke(own));
      }
      if (!titled_) dots(points, own);
      for (const Point& p : points) {
        if (!titled_) break;
        const double x = x_at_(p.x) + aside, y = y_at_(p.y);
        put("<g class=\"mark\">{}", title(point_title(series[s], p)));
        if (p.low < p.high)
          put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>",
              interval_path(x, clamped_y(p.low), clamped_y(p.high)), ink(own));
        shape(x, y, own, "");
        out_ += "</g>\n";
      }
      out_ += "</g>\n";
    }
  }

  // Points in one path, one for each pixel, without what belongs to each.
  void dots(const std::vector<Point>& points, std::size_t look) {
    std::vector<std::pair<int, int>> places;
    places.reserve(points.size());
    for (const Point& p : points)
      places.emplace_back(static_cast<int>(std::floor(x_at_(p.x) + 0.5)),
                          static_cast<int>(std::floor(y_at_(p.y) + 0.5)));
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    out_ += "<path d=\"";
    for (const auto& [x, y] : places) put("M{} {}h0", x, y);
    put("\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\"/>\n", ink(look));
  }

  // The points that a line shows: of many, the first, the last, the least and the largest in each column of pixels.
  std::vector<std::size_t> seen(const std::vector<Point>& points) const {
    std::vector<std::size_t> all;
    const bool few = points.size() <= kMostTitles;
    for (std::size_t i = 0; i < points.size();) {
      std::size_t end = i + 1, low = i, high = i;
      const double column = std::floor(x_at_(points[i].x));
      for (; !few && end < points.size() && std::floor(x_at_(points[end].x)) == column; ++end) {
        if (points[end].y < points[low].y) low = end;
        if (points[end].y > points[high].y) high = end;
      }
      std::array kept = {i, low, high, end - 1};
      std::ranges::sort(kept);
      all.insert(all.end(), kept.begin(), std::unique(kept.begin(), kept.end()));
      i = end;
    }
    return all;
  }

  // A value holds until the next. Its line can be pointed at.
  void steps(const std::vector<Series>& series) {
    const bool shares = figure_.kind == FigureKind::ecdf;
    const double right = plot_.x + plot_.wide;
    for (std::size_t s = 0; s < series.size(); ++s) {
      const std::vector<Point>& points = series[s].points;
      if (points.empty()) continue;
      open_series(series[s]);
      out_ += "<path d=\"";
      if (shares)
        put("M{} {}H{}", pixels(plot_.x), pixels(y_at_(0)), pixels(x_at_(points.front().x)));
      else
        put("M{} {}", pixels(x_at_(points.front().x)), pixels(y_at_(points.front().y)));
      const std::vector<std::size_t> drawn = seen(points);
      for (std::size_t k = shares ? 0 : 1; k < drawn.size(); ++k)
        put("{}V{}", k == 0 ? "" : "H" + pixels(x_at_(points[drawn[k]].x)),
            pixels(y_at_(points[drawn[k]].y)));
      if (shares) put("H{}", pixels(right));
      put("\"{}/>\n", stroke(look(s)));
      for (std::size_t i = 0; titled_ && i < points.size(); ++i) {
        const bool last = i + 1 == points.size();
        const double from = x_at_(points[i].x), to = !last ? x_at_(points[i + 1].x) : shares ? right : from;
        const std::string said =
            shares || last
                ? point_title(series[s], points[i])
                : joined({series[s].name, range_text(points[i].x, points[i + 1].x),
                          fmt::format("{}{}", figure_.y.label.empty() ? "" : figure_.y.label + " = ",
                                      number_text(figure_.y, points[i].y))});
        put("<path class=\"mark\" d=\"M{} {}H{}\" fill=\"none\" stroke=\"transparent\" stroke-width=\"9\" "
            "pointer-events=\"stroke\">{}</path>\n",
            pixels(from), pixels(y_at_(points[i].y)), pixels(std::max(to, from + 1)), title(said));
      }
      out_ += "</g>\n";
    }
  }

  // All series of a place together are `kTogether` wide.
  static constexpr double kTogether = 0.8;
  double share_of(const std::vector<Series>& series) const {
    return kTogether / static_cast<double>(series.size());
  }
  double left_of(double x, std::size_t s, const std::vector<Series>& series) const {
    return x - kTogether / 2 + share_of(series) * static_cast<double>(s);
  }

  void bars(const std::vector<Series>& series) {
    const double zero = y_at_(0);
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (series[s].points.empty()) continue;
      open_series(series[s]);
      const double wide = share_of(series) * 0.92;
      for (const Point& p : series[s].points) {
        const double left = x_at_(left_of(p.x, s, series) + share_of(series) * 0.04),
                     right = x_at_(left_of(p.x, s, series) + share_of(series) * 0.04 + wide), y = y_at_(p.y);
        std::string interval;
        if (p.low < p.high)
          interval =
              fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\"/>",
                          interval_path((left + right) / 2, clamped_y(p.low), clamped_y(p.high),
                                        std::min(3.5, (right - left) / 3)));
        bar({left, std::min(y, zero), right - left, std::abs(y - zero)}, look(s), point_title(series[s], p),
            interval);
      }
      out_ += "</g>\n";
    }
    if (y_.from < 0)
      put("<path d=\"M{} {}h{}\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n", pixels(plot_.x),
          pixels(zero), pixels(plot_.wide));
  }

  void stacks(const std::vector<Series>& series) {
    std::vector<double> tops(figure_.x.categories.size(), 0.0);
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (series[s].points.empty()) continue;
      open_series(series[s]);
      for (const Point& p : series[s].points) {
        double& top = tops[static_cast<std::size_t>(p.x)];
        const double low = y_at_(top), high = y_at_(top + p.y), left = x_at_(p.x - kTogether / 2),
                     right = x_at_(p.x + kTogether / 2);
        top += p.y;
        bar({left, high, right - left, low - high}, look(s), point_title(series[s], p));
      }
      out_ += "</g>\n";
    }
  }

  void areas(const std::vector<Series>& series) {
    Figure one;
    one.series = series;
    one.joined = figure_.joined;
    const Stack stack = stack_of(one);
    const std::vector<double>& x = stack.x;
    if (x.size() < 2) return;
    const bool marked = titled_ && x.size() * stack.series.size() <= kMostTitles;
    const auto edge = [&](std::size_t k, bool forward) {
      std::string path;
      const auto y = [&](std::size_t i) {
        return y_at_(k == static_cast<std::size_t>(-1) ? 0 : stack.tops[k][i]);
      };
      for (std::size_t n = 0; n < x.size(); ++n) {
        const std::size_t i = forward ? n : x.size() - 1 - n;
        const char* command = path.empty() && forward ? "M" : "L";
        if (figure_.joined) {
          path += fmt::format("{}{} {}", command, pixels(x_at_(x[i])), pixels(y(i)));
        } else if (forward) {
          if (n == 0) path += fmt::format("M{} {}", pixels(x_at_(x[i])), pixels(y(i)));
          if (n > 0 && n + 1 < x.size()) path += fmt::format("V{}", pixels(y(i)));
          if (n + 1 < x.size()) path += fmt::format("H{}", pixels(x_at_(x[i + 1])));
        } else if (i + 1 < x.size()) {
          path += n == 1 ? fmt::format("L{} {}", pixels(x_at_(x[i + 1])), pixels(y(i)))
                         : fmt::format("V{}", pixels(y(i)));
          path += fmt::format("H{}", pixels(x_at_(x[i])));
        }
      }
      return path;
    };
    for (std::size_t k = 0; k < stack.series.size(); ++k) {
      const Series& area = series[stack.series[k]];
      open_series(area);
      put("<path d=\"{}{}z\" fill=\"{}\"{}>{}</path>\n", edge(k, true), edge(k - 1, false),
          ink(look(stack.series[k])), marked ? "" : " class=\"mark\"", title(area.name));
      for (std::size_t i = 0; marked && i + (figure_.joined ? 0 : 1) < x.size(); ++i) {
        const double low = k == 0 ? 0 : stack.tops[k - 1][i], high = stack.tops[k][i];
        if (!(high > low)) continue;
        const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
        const double from = x_at_(x[i]), to = figure_.joined ? from + 3 : x_at_(x[i + 1]);
        const std::string where = figure_.joined ? place_text(figure_.x, x[i]) : range_text(x[i], x[i + 1]);
        put("<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"transparent\">{}</rect>\n",
            pixels(figure_.joined ? std::max(plot_.x, from - 3) : from), pixels(y_at_(high)),
            pixels(to - (figure_.joined ? std::max(plot_.x, from - 3) : from)),
            pixels(y_at_(low) - y_at_(high)),
            title(joined({area.name, where,
                          fmt::format("{}{}{}", figure_.y.label.empty() ? "" : figure_.y.label + " = ",
                                      short_number(high - low), unit)})));
      }
      out_ += "</g>\n";
    }
    for (const Series& sum : series) {
      if (!sum.is_sum || sum.points.empty()) continue;
      open_series(sum);
      put("<path d=\"M{} {}", pixels(x_at_(sum.points[0].x)), pixels(y_at_(sum.points[0].y)));
      for (std::size_t i = 1; i < sum.points.size(); ++i)
        put("H{}V{}", pixels(x_at_(sum.points[i].x)), pixels(y_at_(sum.points[i].y)));
      out_ += "\" fill=\"none\" stroke=\"currentColor\" pointer-events=\"none\"/>\n</g>\n";
    }
  }

  void boxes(const std::vector<Series>& series) {
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (series[s].boxes.empty()) continue;
      open_series(series[s]);
      const std::size_t own = look(s);
      const double wide = std::min(0.5, share_of(series) * 0.8);
      for (const Box& b : series[s].boxes) {
        const double middle = left_of(b.x, s, series) + share_of(series) / 2;
        const double x = x_at_(middle), left = x_at_(middle - wide / 2), right = x_at_(middle + wide / 2);
        const std::string where = figure_.x.categories.size() == 1 && figure_.x.categories[0].empty()
                                      ? std::string()
                                      : place_text(figure_.x, b.x);
        const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
        const std::string said =
            joined({series[s].name, where, fmt::format("median = {}{}", short_number(b.median), unit),
                    fmt::format("quartiles {} .. {}", short_number(b.q1), short_number(b.q3)),
                    fmt::format("whiskers {} .. {}", short_number(b.low), short_number(b.high)),
                    fmt::format("{} {}", b.n, b.n == 1 ? "value" : "values")});
        put("<g class=\"mark\">{}<path d=\"{}{}\" fill=\"none\" stroke=\"currentColor\"/>", title(said),
            interval_path(x, y_at_(b.low), y_at_(b.q1), (right - left) / 4),
            interval_path(x, y_at_(b.q3), y_at_(b.high), (right - left) / 4));
        const Rectangle body{left, y_at_(b.q3), right - left, y_at_(b.q1) - y_at_(b.q3)};
        put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\".8\" "
            "stroke=\"currentColor\"/>",
            pixels(body.x), pixels(body.y), pixels(body.wide), pixels(body.high), ink(own));
        hatch(body, own);
        put("<path d=\"M{} {}h{}\" stroke=\"{}\" stroke-width=\"3\"/></g>\n", pixels(left),
            pixels(y_at_(b.median)), pixels(right - left), own == kBlackLook ? "#888" : "currentColor");
        const bool each = b.outliers.size() <= kMostTitles / 4;
        std::string circles;
        for (const double y : b.outliers) {
          if (!each) {
            circles += fmt::format("M{} {}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z", pixels(x),
                                   pixels(y_at_(y)));
            continue;
          }
          put("<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"2.5\" fill=\"none\" stroke=\"currentColor\" "
              "pointer-events=\"all\">{}</circle>\n",
              pixels(x), pixels(y_at_(y)),
              title(joined(
                  {series[s].name, where,
                   (figure_.y.label.empty() ? "" : figure_.y.label + " = ") + number_text(figure_.y, y)})));
        }
        if (!circles.empty()) put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\"/>\n", circles);
      }
      out_ += "</g>\n";
    }
  }

  void bins(const std::vector<Series>& series) {
    const bool several = key_series(figure_).size() > 1;
    for (std::size_t s = 0; s < series.size(); ++s) {
      if (series[s].bins.empty()) continue;
      open_series(series[s]);
      if (several) {
        put("<path d=\"M{} {}", pixels(x_at_(series[s].bins[0].from)), pixels(y_at_(0)));
        for (const Bin& bin : series[s].bins)
          put("V{}H{}", pixels(y_at_(static_cast<double>(bin.count))), pixels(x_at_(bin.to)));
        put("V{}\"{}/>\n", pixels(y_at_(0)), stroke(look(s)));
      }
      for (const Bin& bin : series[s].bins) {
        const double from = x_at_(bin.from), to = x_at_(bin.to), y = y_at_(static_cast<double>(bin.count));
        const bool last = &bin == &series[s].bins.back();
        const std::string said =
            joined({series[s].name,
                    fmt::format("{}{} {} {}{}", figure_.x.label.empty() ? "" : figure_.x.label + " from ",
                                short_number(bin.from), last ? "to" : "to below", short_number(bin.to),
                                figure_.x.unit.empty() ? "" : " " + figure_.x.unit),
                    fmt::format("{} = {}", figure_.y.label.empty() ? "values" : figure_.y.label, bin.count)});
        if (several)
          put("<path class=\"mark\" d=\"M{} {}H{}\" fill=\"none\" stroke=\"transparent\" stroke-width=\"9\" "
              "pointer-events=\"stroke\">{}</path>\n",
              pixels(from), pixels(y), pixels(to), title(said));
        else
          put("<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"currentColor\" "
              "stroke-width=\".7\">{}</rect>\n",
              pixels(from), pixels(y), pixels(to - from), pixels(y_at_(0) - y), ink(look(s)), title(said));
      }
      out_ += "</g>\n";
    }
  }

  // ---- heat maps

  static constexpr double kScaleBar = 14;
  std::vector<Tick> scale_ticks() const {
    const Extent all = values_of(figure_);
    if (!(all.most > all.least)) return {{all.least, short_number(all.least)}};
    return linear_ticks(all.least, all.most, TickStep::at_least((all.most - all.least) / 4));
  }
  double scale_width() const {
    double widest = 0;
    for (const Tick& tick : scale_ticks()) widest = std::max(widest, text_width(tick.text, kTickSize));
    const double title = figure_.value.text().empty() ? 0 : kLabelSize * kLineHeight;
    return 14 + kScaleBar + 6 + widest + title;
  }
  double share_of_value(double value) const {
    const Extent all = values_of(figure_);
    return all.most > all.least ? (value - all.least) / (all.most - all.least) : 0.5;
  }

  // A thin line across each cell without a value, which a page in dark colours would show like the darkest ones.
  void missing(const std::vector<Series>& series, double wide, double high) {
    const std::size_t columns = figure_.x.categories.size();
    std::vector<bool> has(columns * figure_.y.categories.size());
    for (const Series& one : series)
      for (const HeatCell& cell : one.cells) has[cell.y * columns + cell.x] = true;
    std::string lines;
    for (std::size_t at = 0; at < has.size(); ++at)
      if (!has[at])
        lines += fmt::format("M{} {}l{} {}", pixels(x_at_(static_cast<double>(at % columns)) - wide / 2),
                             pixels(y_at_(static_cast<double>(at / columns)) + high / 2), pixels(wide),
                             pixels(-high));
    if (!lines.empty())
      put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".35\"/>\n", lines);
  }

  void cells(const std::vector<Series>& series) {
    const Extent all = values_of(figure_);
    const double wide = plot_.wide / (x_.to - x_.from), high = plot_.high / (y_.to - y_.from);
    double widest = 0;
    for (const Series* one : all_series(figure_))
      for (const HeatCell& cell : one->cells)
        widest = std::max(widest, text_width(cell_text(cell.value), kTickSize));
    const bool numbers = widest + 4 <= wide && kTickSize + 2 <= high;
    missing(series, wide, high);
    for (const Series& one : series) {
      open_series(one);
      for (const HeatCell& cell : one.cells) {
        const Rgb colour =
            scale_colour(all.most > all.least ? (cell.value - all.least) / (all.most - all.least) : 0.5);
        const double x = x_at_(static_cast<double>(cell.x)), y = y_at_(static_cast<double>(cell.y));
        put("<g class=\"mark\">{}<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
            "shape-rendering=\"crispEdges\"/>",
            titled_ ? title(cell_title(cell)) : "", pixels(x - wide / 2), pixels(y - high / 2), pixels(wide),
            pixels(high), colour.text());
        if (numbers)
          text(x, y + kTickSize * 0.35, cell_text(cell.value), kTickSize, "middle", "",
               fmt::format("fill=\"{}\" pointer-events=\"none\"", wants_black(colour) ? "#000" : "#fff"));
        out_ += "</g>\n";
      }
      out_ += "</g>\n";
    }
  }
  static std::string cell_text(double value) {
    return value == 0 ? "0" : short_number(parse_number(fmt::format("{:.3g}", value)));
  }
  std::string cell_title(const HeatCell& cell) const {
    return joined({place_text(figure_.x, static_cast<double>(cell.x)),
                   place_text(figure_.y, static_cast<double>(cell.y)),
                   (figure_.value.label.empty() ? "" : figure_.value.label + " = ") +
                       number_text(figure_.value, cell.value),
                   cell.n > 1 ? fmt::format("mean of {}", cell.n) : ""});
  }

  // The scale of colours beside the plots.
  void colour_key() {
    const double x = wide_ - kPadding - scale_width() + 14, y = top_ + strip_;
    const double high = std::min(high_ - top_ - foot_ - strip_, 260.0);
    constexpr int kSteps = 64;
    out_ += "<g class=\"scale\">\n";
    const double step = high / kSteps;
    for (int i = 0; i < kSteps; ++i)
      put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", pixels(x),
          pixels(y + step * i), pixels(kScaleBar), pixels(step + 0.5),
          scale_colour(1 - (i + 0.5) / kSteps).text());
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"currentColor\" "
        "stroke-opacity=\".4\"/>\n",
        pixels(x), pixels(y), pixels(kScaleBar), pixels(high));
    std::vector<Tick> ticks = scale_ticks();
    double free = INFINITY;
    double widest = 0;
    for (const Tick& tick : ticks) {
      widest = std::max(widest, text_width(tick.text, kTickSize));
      const double at = y + high * (1 - share_of_value(tick.value));
      if (at > free) continue;
      free = at - kTickSize * 1.2;
      put("<path d=\"M{} {}h4\" stroke=\"currentColor\"/>", pixels(x + kScaleBar), pixels(at));
      text(x + kScaleBar + 6, at + kTickSize * 0.35, tick.text, kTickSize, "start");
    }
    if (const std::string all = figure_.value.text(); !all.empty()) {
      const double lowest = high_ - foot_ + row_foot_;
      const std::string shown = title_of(figure_.value, lowest - top_);
      const double at = x + kScaleBar + 6 + widest + kLabelSize,
                   middle = near(y + high / 2, shown, top_, lowest);
      text(at, middle, shown, kLabelSize, "middle", all,
           fmt::format("transform=\"rotate(-90 {} {})\"", pixels(at), pixels(middle)));
    }
    out_ += "</g>\n";
  }

  // ---- Gantt charts

  static std::string light(std::size_t tint) {
    static constexpr std::array kLightFills = {"#9fd0f0", "#f5d48a", "#7fcdb4", "#f0a97a",
                                               "#e6bfd4", "#d9d9d9", "#f7f3a0"};
    return kLightFills[tint % kLightFills.size()];
  }

  void gantt_fill(const Rectangle& at, const Series& series, std::size_t s, std::size_t tint) {
    std::size_t solid = 0, hatched = 0;
    for (std::size_t i = 0; i < s; ++i) (key_series(figure_)[i].hatched ? hatched : solid)++;
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>", pixels(at.x), pixels(at.y),
        pixels(at.wide), pixels(at.high), series.hatched ? "#c8c8c8" : light(tint > 0 ? tint - 1 : solid),
        at.wide >= 3 && series.edged ? " stroke=\"#000\" stroke-width=\".4\"" : "");
    if (series.hatched) hatch_lines(at, static_cast<int>(hatched % 4) + 1, "stroke=\"#555\"");
  }

  void gantt_bars(const std::vector<Series>& series) {
    const double lane = plot_.high / (y_.to - y_.from);
    for (std::size_t s = 0; s < series.size(); ++s) {
      const Series& one = series[s];
      open_series(one);
      std::string all;
      for (const GanttBar& b : one.gantt_bars) {
        const double from = x_at_(b.from), to = x_at_(b.to);
        const double upper = y_at_(static_cast<double>(b.lane) - 0.4 + 0.8 * b.top),
                     lower = y_at_(static_cast<double>(b.lane + b.more) - 0.4 + 0.8 * b.bottom);
        const Rectangle at{from, upper, std::max(0.3, to - from), lower - upper};
        if (!titled_) {
          all += fmt::format("M{} {}h{}v{}h{}z", pixels(at.x), pixels(at.y), pixels(at.wide), pixels(at.high),
                             pixels(-at.wide));
          continue;
        }
        put("<g class=\"mark\">{}", title(gantt_title(one, b)));
        gantt_fill(at, one, s, b.tint);
        const double size = std::clamp(std::min(lane, at.high) * 0.6, 5.0, 11.0);
        if (!b.label.empty() && at.high >= 7 && text_width(b.label, size) + 3 <= at.wide)
          text((from + to) / 2, (upper + lower) / 2 + size * 0.35, b.label, size, "middle", "",
               "fill=\"#000\" pointer-events=\"none\"");
        out_ += "</g>\n";
      }
      if (!all.empty()) {
        std::size_t solid = 0;
        for (std::size_t i = 0; i < s; ++i) solid += series[i].hatched ? 0 : 1;
        put("<path d=\"{}\" fill=\"{}\"/>\n", all, one.hatched ? "#a0a0a0" : light(solid));
      }
      out_ += "</g>\n";
    }
  }
  std::string gantt_title(const Series& series, const GanttBar& b) const {
    const std::vector<std::string>& lanes = figure_.y.categories;
    return joined(
        {b.label.empty() ? series.name : fmt::format("{} ({})", b.label, series.name),
         b.more == 0 ? lanes[b.lane] : fmt::format("{} .. {}", lanes[b.lane], lanes[b.lane + b.more]),
         fmt::format("{} .. {}", short_number(b.from), number_text(figure_.x, b.to))});
  }

  struct HeadLine {
    std::string shown;
    double y = 0;
  };

  static constexpr double kSample = 24;
  static constexpr double kCosine = 0.766, kSine = 0.643;  // of 40 degrees

  Figure figure_;
  PageSvg parts_;
  std::string out_;
  std::size_t marks_ = 0;
  bool titled_ = true, named_ = false, is_grid_ = false;
  std::vector<std::string> panel_titles_;
  std::vector<double> dodges_;
  double wide_ = 0, high_ = 0, left_ = 0, right_ = 0, top_ = 0, foot_ = 0, row_foot_ = 0;
  std::size_t rows_ = 1, columns_ = 1;
  double strip_ = 0, gap_ = 0, row_gap_ = 0;  // above a panel, and between panels
  double plot_wide_ = 0, plot_high_ = 0;      // of a panel
  Scale x_, y_;
  std::vector<HeadLine> titles_, notes_;
  std::vector<KeyEntry> key_;
  std::string key_title_;
  double key_at_ = 0;
  Rectangle plot_;  // of the panel that is being drawn
  Ruler x_at_, y_at_;
};

}  // namespace

std::string page_svg(const Figure& figure, const PageSvg& parts) {
  check(figure);
  return SvgPicture(figure, parts).draw();
}

}  // namespace perigee::results
