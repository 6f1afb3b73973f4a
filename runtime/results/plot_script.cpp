// Figures in gnuplot's language. All texts go through gnuplot_text, numbers are exact.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/gnuplot.h"
#include "runtime/results/plot.h"
#include "runtime/results/plot_look.h"
#include "runtime/results/plot_ticks.h"

namespace perigee::results {
namespace {

// Together with colours and their lightness, dashes, shapes and patterns make series differ in grey too.
constexpr std::array kPatterns = {3, 4, 5, 1, 6, 2, 7};
constexpr std::array<std::size_t, 11> kShapes = {7, 5, 9, 4, 6, 13, 8, 11, 12, 2, 1};
constexpr std::size_t kDashes = 5;
// Sizes in pixels: a letter of a label; in the key, the sample before a name, a letter and a row.
constexpr double kTextWidth = 6.6, kKeySample = 51, kKeyLetter = 8.4, kKeyRow = 18;
constexpr double kFont = 12;                     // height of the font
constexpr double kOfFont = 0.55;                 // width of a letter / height of its font
constexpr double kLeastTitle = 9, kNote = 10.5;  // heights of fonts

std::size_t code_points(std::string_view text) { return display_width(text); }

// At most so many code points; a text that is too long ends with "…".
std::string shortened(const std::string& text, double most) {
  const auto count = static_cast<std::size_t>(std::max(1.0, most));
  if (code_points(text) <= count) return text;
  std::size_t seen = 0, end = 0;
  while (seen < count) seen += (static_cast<unsigned char>(text[end++]) & 0xC0U) != 0x80U ? 1 : 0;
  return text.substr(0, end - 1) + "…";
}

// At most so many code points each; different texts remain different.
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, double most) {
  return fitting_apart(texts, std::floor(std::max(1.0, most)),
                       [](std::string_view text) { return static_cast<double>(code_points(text)); });
}

class Script {
 public:
  // Texts that do not fit are shortened.
  Script(const Figure& figure, bool as_text) : figure_(figure), text_(as_text) {
    named_ = has_key(figure);
    if (!as_text) dodges_ = dodges_of(figure);
    extents_ = extents_of(figure);
    one_x_ = has_one_x(figure);
    is_grid_ = !as_text && is_grid(figure);
    values_ = values_of(figure);
    const double longest_place = is_framed() ? 20 : 32;
    for (Axis* axis : {&figure_.x, &figure_.y})
      for (std::string& category : axis->categories) category = shortened(printable(category), longest_place);
    left_ = 80 + kTextWidth * static_cast<double>(longest(figure_.y.categories));
    right_ = is_grid_ ? 30 + kStrip - 6 : 30;
    if (is_framed()) frame_panels();
    const double labels =
        kTextWidth * static_cast<double>((longest(figure_.x.categories) + 2) * figure_.x.categories.size());
    turned_ = labels > panel_width();
    if (turned_ && std::ranges::all_of(figure_.x.categories, [](const std::string& name) {
          return name.find_first_not_of("0123456789.e+-") == name.npos;
        })) {  // of numbers in a row some are enough
      turned_ = false;
      every_ = static_cast<std::size_t>(std::ceil(labels / panel_width()));
    }
    if (turned_) {                      // labels lead out to the right
      constexpr double kAcross = 0.82;  // cos 35 degrees
      const auto count = static_cast<double>(figure_.x.categories.size());
      double beyond = 0;
      for (std::size_t i = 0; i < figure_.x.categories.size(); ++i)
        beyond = std::max(beyond,
                          kAcross * kTextWidth * static_cast<double>(code_points(figure_.x.categories[i])) -
                              panel_width() * (count - static_cast<double>(i) - 0.5) / count);
      right_ += beyond;
    }
    figure_.title = shortened(printable(figure.title), head_width() / (kOfFont * kLeastTitle));
    std::string note = printable(figure.note);
    if (!dodges_.empty() && figure.x.categories.empty())
      note += fmt::format("{}{}", note.empty() ? "" : "; ", kMovedApart);
    notes_ = note_lines(note);
    const auto fit = [](Axis& axis, double room) {
      constexpr double kUnit = 12;
      axis.label = shortened(printable(axis.label), room / kTextWidth - kUnit);
      axis.unit = shortened(printable(axis.unit), kUnit);
    };
    fit(figure_.x, plot_width());
    fit(figure_.y, std::max(figure_.height, 300) - 100.0);
    figure_.by = shortened(printable(figure.by), head_width() / 3 / kKeyLetter);
    const auto shorten = [&](std::vector<Series>& all) {
      std::vector<std::string> names;
      for (const Series& series : all) names.push_back(printable(series.name));
      names = shortened_apart(names, (key_width() - kKeySample) / kKeyLetter);
      for (std::size_t s = 0; s < all.size(); ++s) all[s].name = names[s];
    };
    shorten(figure_.series);
    for (Panel& panel : figure_.panels) {
      panel.name = printable(panel.name);
      shorten(panel.series);
    }
    if (is_framed()) place_panels();
  }

  std::string draw(const std::string& terminal) {
    line("set encoding utf8");
    line("set terminal {}", terminal);
    frame();
    if (is_framed()) {
      framed();
      return std::move(out_);
    }
    axis("x", figure_.x);
    axis("y", figure_.y);
    if (!text_) spread_ticks();
    plot();
    return std::move(out_);
  }

  // The key's columns of names; gnuplot makes them as wide as it takes the longest name to be.
  std::size_t columns_of_key() const {
    double widest = 0;
    for (const Series& series : key_series(figure_))
      widest = std::max(widest, kKeySample + kKeyLetter * static_cast<double>(code_points(series.name)));
    return std::max<std::size_t>(1, static_cast<std::size_t>(key_width() / widest));
  }
  bool turns_labels() const { return turned_; }
  int width() const { return figure_.width; }  // more than that of the figure, where small ones need it
  int rows_of_key() const {
    if (!named_) return 0;
    const std::size_t abreast = columns_of_key();
    return static_cast<int>((key_series(figure_).size() + abreast - 1) / abreast);
  }
  // Small figures, and heat maps, whose frames stand at places of our own.
  bool is_framed() const {
    return !text_ && (!figure_.panels.empty() || figure_.kind == FigureKind::heatmap);
  }
  // A size that suits the small figures.
  int framed_height() const {
    const double each =
        figure_.kind == FigureKind::heatmap
            ? std::clamp(24.0 * static_cast<double>(figure_.y.categories.size()), 60.0, 1200.0)
            : std::clamp(0.7 * panel_width(), 110.0, 200.0);
    const auto rows = static_cast<double>(rows_);
    return static_cast<int>(
        std::ceil(head_height() + top_strip() + rows * (each + (is_grid_ ? kGap : kStrip)) + foot_height()));
  }

 private:
  void plot() {
    switch (figure_.kind) {
      case FigureKind::lines:
      case FigureKind::steps:
      case FigureKind::points:
        curves();
        break;
      case FigureKind::ecdf:
        shares();
        break;
      case FigureKind::bars:
        bars();
        break;
      case FigureKind::stacked:
        stacked();
        break;
      case FigureKind::areas:
        areas();
        break;
      case FigureKind::box:
        boxes();
        break;
      case FigureKind::histogram:
        histogram();
        break;
      case FigureKind::heatmap:
        cells();
        break;
      case FigureKind::gantt:
        gantt();
        break;
    }
    if (key_only_) {
      line("set xrange [0:1]\nset yrange [0:1]");
      std::erase_if(plots_, [](const std::string& plot) { return !plot.starts_with("keyentry"); });
      plots_.emplace_back("NaN notitle");
    } else if (is_framed()) {
      range_of_panels();
    }
    out_ += "plot ";
    for (std::size_t i = 0; i < plots_.size(); ++i) out_ += (i > 0 ? ", \\\n     " : "") + plots_[i];
    out_ += "\n";
    plots_.clear();
  }

  // ---- several small figures, and heat maps

  static constexpr double kStrip = 26;  // above a panel, for its name
  // In a grid the heads of the columns stand above the first row alone.
  double top_strip() const { return is_grid_ ? kStrip - kGap : 0; }
  double strip_between() const { return figure_.panels.empty() ? 0 : is_grid_ ? kGap : kStrip; }
  static constexpr double kGap = 14;  // between panels that are side by side

  void frame_panels() {
    for (const Panel& panel : figure_.panels) {
      rows_ = std::max(rows_, panel.row + 1);
      columns_ = std::max(columns_, panel.column + 1);
    }
    double widest = 0;
    if (figure_.y.categories.empty()) choose_y_ticks();
    for (const Tick& tick : y_ticks_) widest = std::max(widest, text_width(tick.text, kFont));
    for (const std::string& name : figure_.y.categories) widest = std::max(widest, text_width(name, kFont));
    left_ = 40 + widest;
    if (figure_.kind == FigureKind::heatmap) right_ += 90;
    constexpr double kLeast = 110;
    const double needed = left_ + right_ + static_cast<double>(columns_) * (kLeast + kGap);
    if (figure_.width < needed) figure_.width = static_cast<int>(std::ceil(needed));
  }

  void choose_y_ticks() {
    const auto [least, most] = extents_.y;
    constexpr double kParts = 4;
    if (figure_.y.log) {
      for (int level = 0; level < 40 && (y_ticks_.empty() || y_ticks_.size() > 6); ++level)
        y_ticks_ = logarithmic_ticks(least, most, level);
      y_from_ = least / 1.1;
      y_to_ = most * 1.1;
      return;
    }
    const double largest = std::max(std::abs(least), std::abs(most));
    const bool flat = !(most - least > 1e-12 * largest);
    const double around = !flat ? 0 : largest == 0 ? 1 : 0.1 * largest;
    const TickStep step = TickStep::at_least((most - least + 2 * around) / kParts);
    y_from_ = std::floor((least - around) / step.size() + 1e-9) * step.size();
    y_to_ = std::ceil((most + around) / step.size() - 1e-9) * step.size();
    if (least >= 0 && y_from_ < 0) y_from_ = 0;
    y_ticks_ = linear_ticks(y_from_, y_to_, step);
  }

  void range_of_panels() {
    if (!figure_.y.categories.empty()) return;
    line("set yrange [{}:{}]", format_number(y_from_), format_number(y_to_));
  }

  double panel_width() const {
    const auto columns = static_cast<double>(columns_);
    return std::max(60.0, (plot_width() - kGap * (columns - 1)) / columns);
  }
  double head_height() const { return head_height_; }
  double foot_height() const {
    constexpr double kDown = 0.574;  // sin 35 degrees
    const double labels =
        turned_ ? kDown * kTextWidth * static_cast<double>(longest(figure_.x.categories)) + 16 : 20;
    return labels + 36;
  }

  void place_panels() {
    double head = 8;
    if (!figure_.title.empty()) head += 15 * 1.5;
    if (named_) head += kKeyRow * rows_of_key() + 4;
    head += kNote * 1.5 * static_cast<double>(notes_.size());
    head_height_ = head + (figure_.panels.empty() ? 8 : 2);
  }

  void framed() {
    const Figure whole = figure_;
    const auto rows = static_cast<double>(rows_);
    const double strip = strip_between(), head = head_height() + top_strip();
    const double high = std::max(20.0, (whole.height - head - foot_height()) / rows - strip);
    const double wide = panel_width();
    const auto x_of = [&](double pixels) { return format_number(pixels / whole.width); };
    const auto y_of = [&](double pixels) { return format_number(1 - pixels / whole.height); };
    panel_high_ = high;
    if (whole.kind == FigureKind::heatmap)
      colour_key(left_ + plot_width() + 14 + (is_grid_ ? kStrip - 6 : 0), head + strip, high);
    const std::string x_title = whole.x.text(), y_title = whole.y.text();
    if (!x_title.empty())
      line("set label {} at screen {}, screen {} center noenhanced", gnuplot_text(x_title),
           x_of(left_ + plot_width() / 2), y_of(whole.height - 14.0));
    if (!y_title.empty())
      line("set label {} at screen {}, screen {} center rotate by 90 noenhanced", gnuplot_text(y_title),
           x_of(14), y_of(head_height() + (whole.height - head_height() - foot_height()) / 2));
    if (is_grid_) {
      heads_of_grid(whole, [&](bool is_row, std::size_t place, const std::string& shown) {
        const auto at = static_cast<double>(place);
        if (is_row)
          line("set label {} at screen {}, screen {} center rotate by -90 noenhanced font ',11'",
               gnuplot_text(shown), x_of(left_ + plot_width() + 12),
               y_of(head + strip + high / 2 + (high + strip) * at));
        else
          line("set label {} at screen {}, screen {} center noenhanced font ',11'", gnuplot_text(shown),
               x_of(left_ + wide / 2 + (wide + kGap) * at), y_of(head + strip - 9));
      });
    }
    line("set multiplot");
    if (named_) plot_key();
    const std::size_t count = std::max<std::size_t>(1, whole.panels.size());
    std::vector<std::string> titles;
    for (const Panel& panel : whole.panels) titles.push_back(panel.name);
    titles = shortened_apart(titles, (wide + kGap) / kTextWidth);
    for (std::size_t p = 0; p < count; ++p) {
      std::size_t row = 0, column = 0;
      if (!whole.panels.empty()) {
        figure_.series = whole.panels[p].series;
        row = whole.panels[p].row;
        column = whole.panels[p].column;
        if (!is_grid_) line("set title {} noenhanced font ',11' offset 0,-0.5", gnuplot_text(titles[p]));
      }
      const double left = left_ + (wide + kGap) * static_cast<double>(column),
                   top = head + strip + (high + strip) * static_cast<double>(row);
      line("set lmargin at screen {}", x_of(left));
      line("set rmargin at screen {}", x_of(left + wide));
      line("set tmargin at screen {}", y_of(top));
      line("set bmargin at screen {}", y_of(top + high));
      axis("x", figure_.x);
      axis("y", figure_.y);
      line("unset xlabel");
      line("unset ylabel");
      if (figure_.y.categories.empty()) ticks("y", y_ticks_);
      const auto other_is = [&](auto&& where) { return std::ranges::any_of(whole.panels, where); };
      if (other_is([&](const Panel& other) { return other.column == column && other.row > row; }))
        line("set format x ''\nset xtics scale 0");
      if (other_is([&](const Panel& other) { return other.row == row && other.column < column; }))
        line("set format y ''\nset ytics scale 0");
      if (figure_.x.categories.empty()) few_x_ticks(wide);
      blank_ = {other_is([&](const Panel& other) { return other.column == column && other.row > row; }),
                other_is([&](const Panel& other) { return other.row == row && other.column < column; })};
      if (blank_.first && !figure_.x.categories.empty()) line("set xtics ('' 0) scale 0");
      if (blank_.second && !figure_.y.categories.empty()) line("set ytics ('' 0) scale 0");
      plot();
      line("unset label\nunset object\nset key off\nset format xy '%.12g'");
      line("set xtics autofreq norotate scale 0.5\nset ytics autofreq scale 0.5");
    }
    line("unset multiplot");
  }

  // Calls f(is_row, place, head) for the columns and rows of a grid.
  template <class F>
  void heads_of_grid(const Figure& whole, F&& f) const {
    const double high = panel_high_, wide = panel_width();
    for (const bool is_row : {false, true}) {
      std::vector<std::string> heads = grid_heads(whole, is_row);
      heads = shortened_apart(heads, (is_row ? high : wide + kGap) / kTextWidth);
      for (std::size_t place = 0; place < heads.size(); ++place)
        if (!heads[place].empty()) f(is_row, place, heads[place]);
    }
  }

  // gnuplot chooses some ten ticks, whatever their texts are and however small the plot is.
  void spread_ticks() {
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

  // The key of all panels: gnuplot makes it as wide as the plot that it belongs to.
  void plot_key() {
    line("set lmargin at screen {}\nset rmargin at screen {}", format_number(kHeadLeft / figure_.width),
         format_number(1 - kHeadLeft / figure_.width));
    line("set tmargin at screen {}\nset bmargin at screen {}",
         format_number(1 - head_height() / figure_.height), format_number(foot_height() / figure_.height));
    line("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]");
    const Figure whole = figure_;
    figure_.series = key_series(whole);
    key_only_ = true;
    plot();
    key_only_ = false;
    figure_ = whole;
    line("unset label\nunset object\nset key off\nset border 3 lc rgb '#404040'");
    line(
        "set xtics nomirror out scale 0.5\nset ytics nomirror out scale 0.5\nset grid ytics back lt 1 lc rgb '#d8d8d8' lw 0.6");
  }

  void ticks(const char* name, const std::vector<Tick>& all) {
    std::string tics;
    for (const Tick& tick : all) tics += (tics.empty() ? "" : ", ") + format_number(tick.value);
    if (!tics.empty()) line("set {}tics ({})", name, tics);
  }

  void tick_of_one_x() { line("set xtics ({})", format_number(extents_.x.least)); }

  // Numbers along the x axis of a small figure that do not touch each other.
  void few_x_ticks(double wide) {
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

  void cells() {
    const Extent all = values_of_whole();
    const double wide = panel_width() / static_cast<double>(figure_.x.categories.size()),
                 high = panel_high_ / static_cast<double>(figure_.y.categories.size());
    std::size_t widest = 0;
    for (const Series& series : figure_.series)
      for (const HeatCell& cell : series.cells) widest = std::max(widest, cell_number(cell.value).size());
    const bool numbers = kTextWidth * static_cast<double>(widest) + 4 <= wide && high >= 12;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      if (figure_.series[s].cells.empty()) continue;
      const std::string name = block("cells", s, figure_.series[s].cells, [&](const HeatCell& cell) {
        const Rgb colour = colour_of_cell(cell.value, all);
        values({static_cast<double>(cell.x), static_cast<double>(cell.y),
                static_cast<double>(colour.red * 65536 + colour.green * 256 + colour.blue)});
      });
      plots_.push_back(fmt::format(
          "{} using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 noborder lc rgb variable notitle",
          name));
      for (const HeatCell& cell : figure_.series[s].cells)
        if (numbers)
          line("set label {} at {},{} center front noenhanced font ',11' textcolor rgb '{}'",
               gnuplot_text(cell_number(cell.value)), cell.x, cell.y,
               wants_black(colour_of_cell(cell.value, all)) ? "#000000" : "#ffffff");
    }
    if (plots_.empty()) plots_.emplace_back("NaN notitle");
    line("set xrange [-0.5:{}]", format_number(static_cast<double>(figure_.x.categories.size()) - 0.5));
    line("set yrange [{}:-0.5]", format_number(static_cast<double>(figure_.y.categories.size()) - 0.5));
    line("unset grid");
  }
  Extent values_of_whole() const { return values_; }
  static std::string cell_number(double value) {
    return value == 0 ? "0" : short_number(parse_number(fmt::format("{:.3g}", value)));
  }
  static Rgb colour_of_cell(double value, const Extent& all) {
    return scale_colour(all.most > all.least ? (value - all.least) / (all.most - all.least) : 0.5);
  }

  // The scale of colours, as high as a panel, at most 240 pixels.
  void colour_key(double left, double top, double high) {
    constexpr double kWide = 14, kMost = 240;
    constexpr int kSteps = 64;
    const double tall = std::min(high, kMost);
    const auto x_of = [&](double pixels) { return format_number(pixels / figure_.width); };
    const auto y_of = [&](double pixels) { return format_number(1 - pixels / figure_.height); };
    for (int i = 0; i < kSteps; ++i)
      line(
          "set object rectangle from screen {}, screen {} to screen {}, screen {} fs solid 1 noborder fc rgb '{}'",
          x_of(left), y_of(top + tall * (i + 1) / kSteps), x_of(left + kWide), y_of(top + tall * i / kSteps),
          scale_colour(1 - (i + 0.5) / kSteps).text());
    const auto [least, most] = values_;
    std::vector<Tick> all = most > least ? linear_ticks(least, most, TickStep::at_least((most - least) / 4))
                                         : std::vector<Tick>{{least, short_number(least)}};
    double free = INFINITY;
    std::size_t widest = 0;
    for (const Tick& tick : all) {
      const double at = top + tall * (1 - (most > least ? (tick.value - least) / (most - least) : 0.5));
      if (at > free) continue;
      free = at - 14;
      widest = std::max(widest, tick.text.size());
      line("set label {} at screen {}, screen {} left noenhanced font ',11'", gnuplot_text(tick.text),
           x_of(left + kWide + 4), y_of(at));
    }
    Axis value = figure_.value;
    value.unit = shortened(printable(value.unit), 12);
    value.label = shortened(printable(value.label), std::max(120.0, tall) / kTextWidth -
                                                        static_cast<double>(code_points(value.unit)) - 3);
    if (!value.text().empty())
      line("set label {} at screen {}, screen {} center rotate by 90 noenhanced font ',11'",
           gnuplot_text(value.text()), x_of(left + kWide + 10 + kTextWidth * static_cast<double>(widest) + 8),
           y_of(top + std::max(120.0, tall) / 2));
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void frame() {
    line("set border 3 lc rgb '#404040'");
    line("set tics nomirror out scale {}", text_ ? 0.0 : 0.5);
    if (!text_)
      line("set grid {}tics back lt 1 lc rgb '#d8d8d8' lw 0.6",
           figure_.kind == FigureKind::gantt ? "x" : "y");
    line("set format xy '%.12g'");

    line("set key {}", named_ ? "above left horizontal Left reverse noenhanced samplen 3" : "off");
    if (!text_) head();
  }

  // The note in at most three lines, the last of which ends with "…" where there is more.
  std::vector<std::string> note_lines(const std::string& note) const {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> lines;
    if (note.empty()) return lines;
    const auto most = static_cast<std::size_t>(std::max(20.0, head_width() / (kOfFont * kNote)));
    for (std::size_t at = 0; at < note.size();) {
      const std::size_t end = std::min(note.find(' ', at), note.size());
      const std::string word = note.substr(at, end - at);
      const bool fits = !lines.empty() && code_points(lines.back()) + 1 + code_points(word) <= most;
      if (fits || lines.size() == kMost)
        lines.back() += " " + word;
      else
        lines.push_back(word);
      at = end + 1;
    }
    for (std::string& one : lines) one = shortened(one, static_cast<double>(most));
    return lines;
  }

  // Title, key and note, one below the other above the plot.
  void head() {
    double top = 8;
    const auto screen = [&](double pixels) { return format_number(1 - pixels / figure_.height); };
    const auto label = [&](const std::string& shown, double size, const char* colour) {
      const double fits =
          head_width() / (0.55 * static_cast<double>(std::max<std::size_t>(1, code_points(shown))));
      line("set label {} at {}, screen {} left noenhanced font ',{:.3g}' textcolor rgb '{}'",
           gnuplot_text(shown), across(0), screen(top + size / 2),
           std::clamp(fits, std::min(kLeastTitle, size), size), colour);
      top += size * 1.5;
    };
    if (!figure_.title.empty()) label(figure_.title, 15, "#000000");
    if (named_) {
      if (!figure_.by.empty())
        line("set label {} at {}, screen {} left noenhanced textcolor rgb '#606060'",
             gnuplot_text(figure_.by + ":"), across(0), screen(top + kKeyRow / 2));
      line("set key at {}, screen {} left top maxcols {}", across(key_indent()), screen(top),
           columns_of_key());
      top += kKeyRow * rows_of_key() + 4;
    }
    for (const std::string& one : notes_) label(one, kNote, "#606060");
    if (is_framed()) return;
    line("set tmargin at screen {}", screen(top + 6));
    line("set rmargin at screen {}", format_number(1 - right_ / figure_.width));
  }

  // So many pixels to the right of the left side of the plot.
  std::string across(double pixels) const {
    if (is_framed()) return "screen " + format_number((kHeadLeft + pixels) / figure_.width);
    return "graph " + format_number(pixels / plot_width());
  }
  // The room of the key, which stands behind its title.
  double key_indent() const {
    return figure_.by.empty() ? 0 : kKeyLetter * static_cast<double>(code_points(figure_.by) + 1);
  }
  double key_width() const { return head_width() - (text_ ? 0 : key_indent()); }
  // Title, key and note of framed figures begin at the left side of the picture.
  static constexpr double kHeadLeft = 8;
  double head_width() const { return is_framed() ? figure_.width - 2 * kHeadLeft : plot_width(); }

  double plot_width() const { return std::max(100.0, figure_.width - left_ - right_); }

  static std::size_t longest(const std::vector<std::string>& texts) {
    std::size_t most = 0;
    for (const std::string& text : texts) most = std::max(most, code_points(text));
    return most;
  }

  void axis(const char* name, const Axis& axis) {
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

  // A range for marks that begin at 0.
  void range_from_zero(double least, double most) {
    if (least == 0 && most == 0)
      line("set yrange [0:1]");
    else if (least >= 0)
      line("set yrange [0:*]");
    else if (most <= 0)
      line("set yrange [*:0]");
  }

  // A range around all values with a margin, which is wide if values hardly differ. A logarithmic axis of
  // less than two decades is marked at 1, 2 and 5; otherwise gnuplot chooses the marks.
  void range(const char* name, const Axis& axis, double least, double most) {
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

  // The part of the axis that is left free at both sides; points that are moved aside have to fit into it.
  double margin_of_x() const {
    constexpr double kPlain = 0.03, kPoint = 5;
    if (dodges_.empty() || !figure_.x.categories.empty()) return kPlain;
    return std::max(kPlain, (dodges_.back() * dodge_room() + kPoint) / panel_width());
  }

  // Writes a block of numbers, a row each, and returns its name.
  template <class Rows, class F>
  std::string block(const char* what, std::size_t series, const Rows& rows, F&& write) {
    std::string name = fmt::format("${}{}", what, series + 1);
    out_ += name + " << end_of_data\n";
    for (const auto& row : rows) write(row);
    out_ += "end_of_data\n";
    return name;
  }
  void values(std::initializer_list<double> numbers) {
    bool first = true;
    for (const double value : numbers) {
      if (!first) out_ += ' ';
      out_ += std::isnan(value) ? "NaN" : format_number(value);
      first = false;
    }
    out_ += '\n';
  }

  void key(const Series& series, const std::string& style) {
    if (named_ && !series.name.empty())
      plots_.push_back(fmt::format("keyentry {} title {}", style, gnuplot_text(series.name)));
  }

  // The fill of bars and boxes. Narrow ones have no edges, for nothing else would be seen.
  std::string fill(std::size_t s) const {
    constexpr double kLeast = 4;  // pixels
    const double side = figure_.kind == FigureKind::stacked ? kTaken : share();
    const double wide = side * plot_width() / static_cast<double>(figure_.x.categories.size());
    return fmt::format("fs pattern {} {} lc rgb '{}'", kPatterns[look(s) % kPatterns.size()],
                       wide < kLeast ? "noborder" : "border lc rgb '#000000'", fill_colour(look(s)));
  }
  static const char* fill_colour(std::size_t look) {
    return look == kBlackLook ? "#404040" : colour_of_look(look);  // edges and lines over it are black
  }

  std::size_t look(std::size_t s) const {
    const int own = figure_.series.size() > s ? figure_.series[s].colour : -1;
    return own >= 0 ? static_cast<std::size_t>(own) : s;
  }

  // In a terminal, each line type is drawn with a character of its own.
  std::string colour_of(std::size_t s) const {
    if (text_) return fmt::format("lt {}", s + 1);
    return fmt::format("lc rgb '{}'", colour_of_look(look(s)));
  }
  std::string dash_of(std::size_t s) const {
    return fmt::format("dt {}", (look(s) + look(s) / kLookColours.size()) % kDashes + 1);
  }
  std::string shape_of(std::size_t s) const {
    return fmt::format("pt {} ps 0.7", text_ ? s + 1 : kShapes[look(s) % kShapes.size()]);
  }

  // Draws from low to high, but not below `floor`. gnuplot's own error bars have a white spot around the
  // point.
  template <class F>
  void draw_intervals(std::size_t s, F&& x_of, double floor, const std::string& style) {
    std::vector<Point> known;
    std::copy_if(figure_.series[s].points.begin(), figure_.series[s].points.end(), std::back_inserter(known),
                 [](const Point& p) { return p.low < p.high; });
    if (known.empty()) return;
    const std::string name = block("intervals", s, known, [&](const Point& p) {
      values({x_of(p), std::max(p.low, floor), p.high});
    });
    plots_.push_back(fmt::format("{} using 1:2:(0):($3-$2) with vectors {} {} notitle", name,
                                 text_ ? "nohead" : "heads size screen 0.006,90 nofilled", style));
  }

  void curves() {
    const auto [least, most] = extents_.y;
    if (figure_.x.categories.empty()) range("x", figure_.x, extents_.x.least, extents_.x.most);
    if (one_x_) tick_of_one_x();
    if (figure_.kind == FigureKind::steps && least >= 0 && !figure_.y.log)
      range_from_zero(0, most * 1.05);  // steps show counts
    else
      range("y", figure_.y, least, most);
    std::vector<std::string> marks;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      if (series.points.empty()) continue;
      const std::string name = block("series", s, series.points, [&](const Point& p) {
        values({dodged(p.x, s), p.y});
      });
      const std::string style = fmt::format("{} {} lw 1.5", colour_of(s), dash_of(s));
      if (figure_.kind == FigureKind::steps) {
        plots_.push_back(fmt::format("{} using 1:2 with steps {} notitle", name, style));
        continue;
      }
      if (figure_.kind == FigureKind::lines && series.points.size() > 1)
        plots_.push_back(fmt::format("{} using 1:2 with lines {} notitle", name, style));
      draw_intervals(
          s, [&](const Point& p) { return dodged(p.x, s); }, figure_.y.log ? least / 10 : -INFINITY,
          colour_of(s));
      marks.push_back(fmt::format("{} using 1:2 with points {} {} notitle", name, colour_of(s), shape_of(s)));
    }
    plots_.insert(plots_.end(), marks.begin(), marks.end());
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const char* with = figure_.kind == FigureKind::steps   ? "lines"
                         : figure_.kind == FigureKind::lines ? "linespoints"
                                                             : "points";
      const std::string shape = figure_.kind == FigureKind::steps ? "" : " " + shape_of(s);
      key(figure_.series[s], fmt::format("with {} {} {} lw 1.5{}", with, colour_of(s), dash_of(s), shape));
    }
    if (plots_.empty()) plots_.emplace_back("NaN notitle");
  }

  // A place beside x, for series that share it.
  double dodged(double x, std::size_t s) const {
    if (dodges_.empty()) return x;
    const auto count = static_cast<double>(dodges_.size());
    constexpr double kApart = 9;  // pixels
    if (!figure_.x.categories.empty()) {
      const double place = panel_width() / static_cast<double>(figure_.x.categories.size());
      return x + dodges_[s] * std::clamp(kApart * count / place, 0.3, 0.7);
    }
    const auto [least, most] = extents_.x;
    const double room = dodges_[s] * dodge_room() / panel_width();
    if (!(most > least) && figure_.x.log) return x * math::exp(room * 2 * math::log(2));
    if (!(most > least)) return x + room * (least == 0 ? 2 : 0.2 * std::abs(least));
    return figure_.x.log ? x * math::exp(room * math::log(most / least)) : x + room * (most - least);
  }
  // The width that series with the same x take in all, in pixels.
  double dodge_room() const { return dodge_room_of(dodges_.size(), least_gap()); }
  // The smallest distance of two x, in pixels.
  double least_gap() const {
    const auto [least, most] = extents_.x;
    std::vector<double> all;
    for (const Series* series : all_series(figure_))
      for (const Point& p : series->points)
        all.push_back(!(most > least) ? 0
                      : figure_.x.log ? math::log(p.x / least) / math::log(most / least) * panel_width()
                                      : (p.x - least) / (most - least) * panel_width());
    std::ranges::sort(all);
    double gap = panel_width();
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i] > all[i - 1]) gap = std::min(gap, all[i] - all[i - 1]);
    return gap;
  }

  // From 0 at the left side to 1 at the right one.
  void shares() {
    const auto [least, most] = extents_.x;
    const double whole = figure_.y.unit == "%" ? 100 : 1;
    range("x", figure_.x, least, most);
    line("set yrange [0:{}]", format_number(whole));
    const double beyond = 1e3;  // of the width of the axis, which cuts it
    const double before = figure_.x.log ? least / beyond
                                        : least - beyond * std::max(most - least, std::abs(least) + 1),
                 after = figure_.x.log ? most * beyond
                                       : most + beyond * std::max(most - least, std::abs(most) + 1);
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      const std::string style = fmt::format("{} {} lw 1.5", colour_of(s), dash_of(s));
      if (!series.points.empty()) {
        std::vector<std::pair<double, double>> corners = {{text_ ? least : before, 0}};
        for (const Point& p : series.points) corners.emplace_back(p.x, p.y);
        corners.emplace_back(text_ ? most : after, corners.back().second);
        const std::string name = block("series", s, corners, [&](const auto& corner) {
          values({corner.first, corner.second});
        });
        plots_.push_back(fmt::format("{} using 1:2 with steps {} notitle", name, style));
      }
      key(series, "with lines " + style);
    }
    if (plots_.empty()) plots_.emplace_back("NaN notitle");
  }

  // The width of one series at the place of a category. All series together are `kTaken` wide.
  static constexpr double kTaken = 0.8;
  double share() const { return kTaken / static_cast<double>(figure_.series.size()); }
  double beside(double x, std::size_t s) const {
    return x - kTaken / 2 + share() * (static_cast<double>(s) + 0.5);
  }

  void bars() {
    const auto [least, most] = extents_.y;
    range_from_zero(least, most);
    line("set boxwidth {}", format_number(share() * 0.9));
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      const std::string name = block("series", s, series.points, [&](const Point& p) {
        values({beside(p.x, s), p.y, p.low, p.high});
      });
      plots_.push_back(fmt::format("{} using 1:2 with boxes {} notitle", name, fill(s)));
      draw_intervals(
          s, [&](const Point& p) { return beside(p.x, s); }, -INFINITY, "lw 1.5 lc rgb '#000000'");
      key(series, "with boxes " + fill(s));
    }
    if (least < 0) line("set xzeroaxis lt 1 lc rgb '#404040'");
  }

  void stacked() {
    std::vector<double> tops(figure_.x.categories.size(), 0.0);
    line("set boxwidth 1");
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const std::string name = block("series", s, figure_.series[s].points, [&](const Point& p) {
        double& top = tops[static_cast<std::size_t>(p.x)];
        values({p.x, top, top + p.y});
        top += p.y;
      });
      plots_.push_back(fmt::format("{} using 1:2:($1-{}):($1+{}):2:3 with boxxyerror {} notitle", name,
                                   format_number(kTaken / 2), format_number(kTaken / 2), fill(s)));
      key(figure_.series[s], "with boxes " + fill(s));
    }
    range_from_zero(0, extents_.y.most);
  }

  // Whole colours, for narrow areas show no pattern. Sums are lines over the areas.
  void areas() {
    const Stack stack = stack_of(figure_);
    range("x", figure_.x, extents_.x.least, extents_.x.most);
    std::vector<std::size_t> places(stack.x.empty() ? 0 : stack.x.size() - (figure_.joined ? 0 : 1));
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (std::size_t k = 0; k < stack.series.size(); ++k) {
      const std::vector<double>& tops = stack.tops[k];
      const std::size_t own = look_of(figure_, stack, k);
      const std::string style =
          fmt::format("fs solid {} noborder lc rgb '{}'", fill_share(own), fill_colour(own));
      key(figure_.series[stack.series[k]], "with boxes " + style);
      if (places.empty()) continue;
      const std::string name = block("series", stack.series[k], places, [&](std::size_t i) {
        const double bottom = k == 0 ? 0 : stack.tops[k - 1][i];
        values({stack.x[i], bottom, tops[i]});
        if (!figure_.joined) values({stack.x[i + 1], bottom, tops[i]});
      });
      plots_.push_back(fmt::format("{} using 1:2:3 with filledcurves {} notitle", name, style));
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      if (!series.is_sum) continue;
      const std::string name = block("series", s, series.points, [&](const Point& p) { values({p.x, p.y}); });
      plots_.push_back(fmt::format("{} using 1:2 with steps lw 0.8 lc rgb '#000000' notitle", name));
      key(series, "with lines lw 0.8 lc rgb '#000000'");
    }
    range_from_zero(0, extents_.y.most);
    if (plots_.empty()) plots_.emplace_back("NaN notitle");
  }
  // Grey areas differ in lightness.
  static const char* fill_share(std::size_t look) {
    static constexpr std::array kShares = {"1", "0.7", "0.45", "0.25"};
    return look < kLookColours.size() ? "1" : kShares[(look - kLookColours.size()) % kShares.size()];
  }

  void boxes() {
    range("y", figure_.y, extents_.y.least, extents_.y.most);
    line("set boxwidth {}", format_number(std::min(0.5, share() * 0.8)));
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      const std::string name = block("series", s, series.boxes, [&](const Box& box) {
        values({beside(box.x, s), box.low, box.q1, box.median, box.q3, box.high});
      });
      plots_.push_back(
          fmt::format("{} using 1:3:2:6:5 with candlesticks whiskerbars 0.5 {} notitle", name, fill(s)));
      plots_.push_back(
          fmt::format("{} using 1:4:4:4:4 with candlesticks lw 3 lc rgb '#000000' fs empty notitle", name));
      key(series, "with boxes " + fill(s));
      std::vector<std::pair<double, double>> outliers;
      for (const Box& box : series.boxes)
        for (const double y : box.outliers) outliers.emplace_back(beside(box.x, s), y);
      if (outliers.empty()) continue;
      const std::string beyond = block("outliers", s, outliers, [&](const auto& outlier) {
        values({outlier.first, outlier.second});
      });
      plots_.push_back(fmt::format("{} using 1:2 with points pt 6 ps 0.5 lc rgb '#000000' notitle", beyond));
    }
  }

  // A single series is filled; of several, only outlines are drawn, which remain visible behind each other.
  void histogram() {
    range_from_zero(0, extents_.y.most);
    const bool several = figure_.series.size() > 1;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      if (!several) {
        const std::string name = block("series", s, series.bins, [&](const Bin& bin) {
          values({bin.from, bin.to, static_cast<double>(bin.count)});
        });
        plots_.push_back(fmt::format(
            "{} using (($1+$2)/2):3:($2-$1) with boxes fs solid 0.6 border lc rgb '#000000' lc rgb '{}' notitle",
            name, fill_colour(look(s))));
        continue;
      }
      std::vector<std::pair<double, double>> outline;
      for (const Bin& bin : series.bins) {
        if (outline.empty()) outline.emplace_back(bin.from, 0);
        outline.emplace_back(bin.from, bin.count);
        outline.emplace_back(bin.to, bin.count);
      }
      outline.emplace_back(outline.back().first, 0);
      const std::string name = block("series", s, outline, [&](const auto& p) {
        values({p.first, p.second});
      });
      const std::string style = fmt::format("with lines {} {} lw 2", colour_of(s), dash_of(s));
      plots_.push_back(fmt::format("{} using 1:2 {} notitle", name, style));
      key(series, style);
    }
    const Series& first = figure_.series.front();
    if (!first.bins.empty() && !figure_.x.log) {
      const double margin = (first.bins.back().to - first.bins.front().from) * 0.02;
      line("set xrange [{}:{}]", format_number(first.bins.front().from - margin),
           format_number(first.bins.back().to + margin));
    }
  }

  double lane_height() const {
    if (is_framed())
      return std::max(
          1.0, panel_high_ / static_cast<double>(std::max<std::size_t>(1, figure_.y.categories.size())));
    return std::max(1.0, (figure_.height - 110.0 - kKeyRow * rows_of_key()) /
                             static_cast<double>(std::max<std::size_t>(1, figure_.y.categories.size())));
  }

  void gantt() {
    double least = INFINITY, most = -INFINITY;
    for (const Series& series : figure_.series)
      for (const GanttBar& bar : series.gantt_bars) {
        least = std::min(least, bar.from);
        most = std::max(most, bar.to);
      }
    if (least >= 0 && least <= most / 4) least = 0;
    if (most > least)
      line("set xrange [{}:{}]", format_number(least), format_number(most));
    else
      range("x", figure_.x, least, most);
    const double pixels = plot_width() / (most > least ? most - least : 1);
    const bool whole = std::ranges::all_of(figure_.series, [](const Series& series) {
      return std::ranges::all_of(series.gantt_bars, &GanttBar::covers_lane);
    });
    std::size_t solid = 0, hatched = 0;
    constexpr std::array kHatches = {4, 1, 5, 2};
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      const std::string fill = series.hatched
                                   ? fmt::format("fs pattern {}", kHatches[hatched++ % kHatches.size()])
                                   : std::string("fs solid 1");
      const std::size_t own = series.hatched ? 0 : solid++;
      const std::string border = series.hatched ? "border lc rgb '#808080'" : "border lc rgb '#000000'";
      const auto colour_with = [&](std::size_t tint) {
        return fmt::format("lc rgb '{}' lw 0.5",
                           series.hatched ? "#808080" : kLight[(tint > 0 ? tint - 1 : own) % kLight.size()]);
      };
      const auto draw = [&](const std::string& what, bool wide, std::size_t tint, const std::string& style) {
        std::vector<GanttBar> some;
        std::copy_if(series.gantt_bars.begin(), series.gantt_bars.end(), std::back_inserter(some),
                     [&](const GanttBar& bar) {
                       return bar.tint == tint && ((bar.to - bar.from) * pixels >= 3) == wide;
                     });
        if (some.empty()) return;
        const std::string name = block(what.c_str(), s, some, [&](const GanttBar& bar) {
          if (whole)
            values({bar.from, bar.to, static_cast<double>(bar.lane)});
          else
            values({bar.from, bar.to, middle_of(bar), top_of(bar), bottom_of(bar)});
        });
        plots_.push_back(fmt::format("{} using (($1+$2)/2):3:1:2:{} with boxxyerror {} notitle", name,
                                     whole ? "($3-0.4):($3+0.4)" : "4:5", style));
      };
      std::vector<bool> tints(1, true);
      for (const GanttBar& bar : series.gantt_bars) {
        if (bar.tint >= tints.size()) tints.resize(bar.tint + std::size_t{1});
        tints[bar.tint] = true;
      }
      const auto named = [](const char* what, std::size_t tint) {
        return tint == 0 ? std::string(what) : fmt::format("{}_{}_", what, tint);
      };
      for (std::size_t tint = 0; tint < tints.size(); ++tint)
        if (tints[tint])
          draw(named("narrow", tint), false, tint, fmt::format("{} noborder {}", fill, colour_with(tint)));
      const std::string edge = series.edged ? border : "noborder";
      for (std::size_t tint = 0; tint < tints.size(); ++tint)
        if (tints[tint])
          draw(named("wide", tint), true, tint, fmt::format("{} {} {}", fill, edge, colour_with(tint)));
      key(series, fmt::format("with boxes {} {} {}", fill, border, colour_with(0)));
    }
    for (const Series& series : figure_.series)
      for (const GanttBar& bar : series.gantt_bars) {
        if (bar.label.empty()) continue;
        constexpr double kLaneTaken = 0.8, kLowest = 9;
        const double high =  // of a lane in which the bar would be as high
            bar.covers_lane() ? lane_height() : lane_height() * (bottom_of(bar) - top_of(bar)) / kLaneTaken;
        if (high < kLowest) continue;
        const double letter = std::clamp(high * 0.55, 5.0, 10.0);  // as high as its font, and 0.6 as wide
        const auto wide = 0.6 * letter * static_cast<double>(code_points(bar.label)) + 3;
        if (wide > (bar.to - bar.from) * pixels) continue;
        line("set label {} at {},{} center front noenhanced font ',{}'", gnuplot_text(bar.label),
             format_number((bar.from + bar.to) / 2), format_number(middle_of(bar)), format_number(letter));
      }
  }

  // Places on the y axis, where a lane takes 0.8 around its number.
  static double top_of(const GanttBar& bar) { return static_cast<double>(bar.lane) - 0.4 + 0.8 * bar.top; }
  static double bottom_of(const GanttBar& bar) {
    return static_cast<double>(bar.lane + bar.more) - 0.4 + 0.8 * bar.bottom;
  }
  static double middle_of(const GanttBar& bar) {
    return bar.covers_lane() ? static_cast<double>(bar.lane) : (top_of(bar) + bottom_of(bar)) / 2;
  }

  // Fills behind black labels; in grey they run from light to dark.
  static constexpr std::array kLight = {"#9fd0f0", "#f5d48a", "#7fcdb4", "#f0a97a",
                                        "#e6bfd4", "#d9d9d9", "#f7f3a0"};

  Figure figure_;
  bool text_;
  bool named_ = false;
  std::vector<std::string> notes_;
  std::vector<double> dodges_;
  Extents extents_;                     // of all panels
  Extent values_;                       // of a heat map
  std::size_t rows_ = 1, columns_ = 1;  // of panels
  std::vector<Tick> y_ticks_;           // and the range, of panels
  bool key_only_ = false;
  double y_from_ = 0, y_to_ = 1, head_height_ = 0, panel_high_ = 0;
  bool one_x_ = false, is_grid_ = false;
  std::pair<bool, bool> blank_ = {};  // the axes of the panel have no labels, x and y
  double left_ = 0, right_ = 0;       // of the plot, in pixels
  std::size_t every_ = 1;             // of the labels of the x axis one in so many
  bool turned_ = false;               // labels of the x axis, for they are too long to stand side by side
  std::string out_;
  std::vector<std::string> plots_;
};

}  // namespace

namespace {

// The same picture in all formats: a pixel of the figure is 1/96 inch in a PDF, and two pixels to the side in a PNG.
std::string terminal_of(FigureFormat format, int width, int height) {
  constexpr double kInch = 96, kPdfFont = 0.5625, kPngFont = 1.5;
  switch (format) {
    case FigureFormat::pdf:
      return fmt::format(
          "pdfcairo size {}in,{}in noenhanced font 'Helvetica,12' fontscale {} linewidth 1.2 pointscale 1.1",
          format_number(width / kInch), format_number(height / kInch), kPdfFont);
    case FigureFormat::png:
      return fmt::format(
          "pngcairo size {},{} noenhanced font 'Helvetica,12' fontscale {} linewidth 2 pointscale 2.8 "
          "background rgb 'white'",
          2 * width, 2 * height, kPngFont);
    default:
      return fmt::format("svg size {},{} noenhanced font 'Helvetica,12' background rgb 'white'", width,
                         height);
  }
}

}  // namespace

std::string picture_script(const Figure& figure, FigureFormat format) {
  Figure sized = figure;
  const bool framed = !figure.panels.empty() || figure.kind == FigureKind::heatmap;
  if (framed) {
    const Script plain(sized, false);
    sized.width = plain.width();
    if (sized.height <= 0) sized.height = plain.framed_height();
  } else if (sized.height <= 0) {
    constexpr int kPlain = 400, kLane = 16, kMost = 4000;
    sized.height = kPlain;
    if (figure.kind == FigureKind::gantt)
      sized.height = std::clamp(kLane * static_cast<int>(figure.y.categories.size()) + 100, 200, kMost);
    const Script plain(sized, false);
    const int rows = plain.rows_of_key();
    if (plain.turns_labels()) sized.height += 60;
    sized.height +=
        static_cast<int>(kKeyRow) * std::max(0, rows - (figure.kind == FigureKind::gantt ? 0 : 2));
  }
  const Script script(sized, false);
  constexpr int kLeastPlot = 110;  // labels of the axis included
  const int needed = kLeastPlot + static_cast<int>(kKeyRow) * script.rows_of_key();
  if (sized.height < needed)
    fail("bad_figure", "a height of {} leaves no room beside the names of {} series; at least {} does",
         sized.height, key_series(figure).size(), needed);
  return Script(sized, false).draw(terminal_of(format, sized.width, sized.height));
}

std::string text_script(const Figure& figure, int width, int height, bool colour) {
  return Script(figure, true)
      .draw(fmt::format("dumb noenhanced size {},{} {}", width, height, colour ? "ansi256" : "mono"));
}

}  // namespace perigee::results
