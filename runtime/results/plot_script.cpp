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

namespace perigee::results {
namespace {

// The colours of Okabe and Ito that stand out on white ("Color Universal Design", 2008), alternately light
// and dark. Together with dashes, shapes and patterns, series differ in grey too.
constexpr std::array kColours = {"#000000", "#e69f00", "#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7"};
constexpr std::array kFills = {"#56b4e9", "#e69f00", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#404040"};
constexpr std::array kPatterns = {3, 4, 5, 1, 6, 2, 7};
constexpr std::array<std::size_t, 11> kShapes = {7, 5, 9, 4, 6, 13, 8, 11, 12, 2, 1};
constexpr std::size_t kDashes = 5;
// Sizes in pixels: a letter of a label; in the key, the sample before a name, a letter and a row.
constexpr double kTextWidth = 6.6, kKeySample = 51, kKeyLetter = 8.4, kKeyRow = 18;
constexpr double kOfFont = 0.55;                   // width of a letter / height of its font
constexpr double kLeastTitle = 9, kLeastNote = 7;  // heights of fonts

std::size_t code_points(std::string_view text) { return display_width(text); }

// At most so many code points; a text that is too long ends with "…".
std::string shortened(const std::string& text, double most) {
  const auto count = static_cast<std::size_t>(std::max(1.0, most));
  if (code_points(text) <= count) return text;
  std::size_t seen = 0, end = 0;
  while (seen < count) seen += (static_cast<unsigned char>(text[end++]) & 0xC0U) != 0x80U ? 1 : 0;
  return text.substr(0, end - 1) + "…";
}

class Script {
 public:
  // Texts that do not fit are shortened.
  Script(const Figure& figure, bool as_text) : figure_(figure), text_(as_text) {
    for (const Series& series : figure.series) named_ = named_ || !series.name.empty();
    named_ = named_ && (figure.series.size() > 1 || figure.kind == FigureKind::gantt || !figure.by.empty());
    constexpr double kLongest = 32;
    for (Axis* axis : {&figure_.x, &figure_.y})
      for (std::string& category : axis->categories) category = shortened(printable(category), kLongest);
    left_ = 80 + kTextWidth * static_cast<double>(longest(figure_.y.categories));
    right_ = 30;
    turned_ =
        kTextWidth * static_cast<double>((longest(figure_.x.categories) + 2) * figure_.x.categories.size()) >
        plot_width();
    if (turned_) {                      // the last one leads out to the right
      constexpr double kAcross = 0.82;  // cos 35 degrees
      right_ +=
          std::max(0.0, kAcross * kTextWidth * static_cast<double>(code_points(figure_.x.categories.back())) -
                            plot_width() / static_cast<double>(2 * figure_.x.categories.size()));
    }
    figure_.title = shortened(printable(figure.title), plot_width() / (kOfFont * kLeastTitle));
    figure_.note = shortened(printable(figure.note), plot_width() / (kOfFont * kLeastNote));
    const auto fit = [](Axis& axis, double room) {
      constexpr double kUnit = 12;
      axis.label = shortened(printable(axis.label), room / kTextWidth - kUnit);
      axis.unit = shortened(printable(axis.unit), kUnit);
    };
    fit(figure_.x, plot_width());
    fit(figure_.y, std::max(figure_.height, 300) - 100.0);
    for (Series& series : figure_.series)
      series.name = shortened(printable(series.name), (plot_width() - kKeySample) / kKeyLetter);
  }

  std::string draw(const std::string& terminal) {
    line("set encoding utf8");
    line("set terminal {}", terminal);
    frame();
    axis("x", figure_.x);
    axis("y", figure_.y);
    switch (figure_.kind) {
      case FigureKind::lines:
      case FigureKind::steps:
      case FigureKind::points:
        curves();
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
      case FigureKind::gantt:
        gantt();
        break;
    }
    out_ += "plot ";
    for (std::size_t i = 0; i < plots_.size(); ++i) out_ += (i > 0 ? ", \\\n     " : "") + plots_[i];
    return out_ + "\n";
  }

  // The key's columns of names; gnuplot makes them as wide as it takes the longest name to be.
  std::size_t columns_of_key() const {
    double widest = 0;
    for (const Series& series : figure_.series)
      widest = std::max(widest, kKeySample + kKeyLetter * static_cast<double>(code_points(series.name)));
    return std::max<std::size_t>(1, static_cast<std::size_t>(plot_width() / widest));
  }
  bool turns_labels() const { return turned_; }
  int rows_of_key() const {
    if (!named_) return 0;
    const std::size_t abreast = columns_of_key();
    return static_cast<int>((figure_.series.size() + abreast - 1) / abreast);
  }

 private:
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

  // Title, key and note, one below the other above the plot.
  void head() {
    double top = 8;
    const auto screen = [&](double pixels) { return format_number(1 - pixels / figure_.height); };
    const auto label = [&](const std::string& shown, double size, const char* colour) {
      const double fits =
          plot_width() / (0.55 * static_cast<double>(std::max<std::size_t>(1, code_points(shown))));
      line("set label {} at graph 0, screen {} left noenhanced font ',{:.3g}' textcolor rgb '{}'",
           gnuplot_text(shown), screen(top + size / 2), std::clamp(fits, std::min(kLeastNote, size), size),
           colour);
      top += size * 1.5;
    };
    if (!figure_.title.empty()) label(figure_.title, 15, "#000000");
    if (named_) {
      line("set key at graph 0, screen {} left top maxcols {}", screen(top), columns_of_key());
      top += kKeyRow * rows_of_key() + 4;
    }
    if (!figure_.note.empty()) label(figure_.note, 10.5, "#606060");
    line("set tmargin at screen {}", screen(top + 6));
    line("set rmargin at screen {}", format_number(1 - right_ / figure_.width));
  }

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
    const double room = plot_width() / static_cast<double>(axis.categories.size());
    const auto every = static_cast<std::size_t>(std::ceil(lanes     ? kLeastRow / lane_height()
                                                          : turned_ ? std::max(1.0, kLeastApart / room)
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
    constexpr double kMargin = 0.03;
    if (axis.log) {
      const double decades = math::log(most / least) / math::log(10);
      const double factor = decades > 1e-9 ? math::exp(std::max(0.02, kMargin * decades) * math::log(10)) : 2;
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
    const double margin = !flat ? kMargin * (most - least) : largest == 0 ? 1 : 0.1 * largest;
    line("set {}range [{}:{}]", name, format_number(least - margin), format_number(most + margin));
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
    return fmt::format("fs pattern {} {} lc rgb '{}'", kPatterns[s % kPatterns.size()],
                       wide < kLeast ? "noborder" : "border lc rgb '#000000'",
                       kFills[(s + s / kFills.size()) % kFills.size()]);
  }

  // In a terminal, each line type is drawn with a character of its own.
  std::string colour_of(std::size_t s) const {
    if (text_) return fmt::format("lt {}", s + 1);
    return fmt::format("lc rgb '{}'", kColours[s % kColours.size()]);
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
    double least_x = INFINITY, most_x = -INFINITY, least = INFINITY, most = -INFINITY;
    for (const Series& series : figure_.series)
      for (const Point& p : series.points) {
        least_x = std::min(least_x, p.x);
        most_x = std::max(most_x, p.x);
        for (const double y : {p.y, p.low, p.high})
          if (!std::isnan(y) && (!figure_.y.log || y > 0)) {
            least = std::min(least, y);
            most = std::max(most, y);
          }
      }
    if (figure_.x.categories.empty()) range("x", figure_.x, least_x, most_x);
    if (figure_.kind == FigureKind::steps && least >= 0 && !figure_.y.log)
      range_from_zero(0, most * 1.05);  // steps show counts
    else
      range("y", figure_.y, least, most);
    std::vector<std::string> marks;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      const std::string name = block("series", s, series.points, [&](const Point& p) { values({p.x, p.y}); });
      const std::string dash = fmt::format("dt {} lw 1.5", (s + s / kColours.size()) % kDashes + 1);
      const std::string shape = fmt::format("pt {} ps 0.7", text_ ? s + 1 : kShapes[s % kShapes.size()]);
      if (figure_.kind == FigureKind::steps) {
        plots_.push_back(fmt::format("{} using 1:2 with steps {} {} notitle", name, colour_of(s), dash));
        continue;
      }
      if (figure_.kind == FigureKind::lines && series.points.size() > 1)
        plots_.push_back(fmt::format("{} using 1:2 with lines {} {} notitle", name, colour_of(s), dash));
      draw_intervals(
          s, [](const Point& p) { return p.x; }, figure_.y.log ? least / 10 : -INFINITY, colour_of(s));
      marks.push_back(fmt::format("{} using 1:2 with points {} {} notitle", name, colour_of(s), shape));
    }
    plots_.insert(plots_.end(), marks.begin(), marks.end());
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const std::string line =
          fmt::format("{} dt {} lw 1.5", colour_of(s), (s + s / kColours.size()) % kDashes + 1);
      const std::string shape = fmt::format(" pt {} ps 0.7", text_ ? s + 1 : kShapes[s % kShapes.size()]);
      const char* with = figure_.kind == FigureKind::steps   ? "lines"
                         : figure_.kind == FigureKind::lines ? "linespoints"
                                                             : "points";
      key(figure_.series[s],
          fmt::format("with {} {}{}", with, line, figure_.kind == FigureKind::steps ? "" : shape));
    }
  }

  // The width of one series at the place of a category. All series together are `kTaken` wide.
  static constexpr double kTaken = 0.8;
  double share() const { return kTaken / static_cast<double>(figure_.series.size()); }
  double beside(double x, std::size_t s) const {
    return x - kTaken / 2 + share() * (static_cast<double>(s) + 0.5);
  }

  void bars() {
    double least = 0, most = 0;
    for (const Series& series : figure_.series)
      for (const Point& p : series.points)
        for (const double y : {p.y, p.low, p.high}) {
          if (y < least) least = y;
          if (y > most) most = y;
        }
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
    range_from_zero(0, *std::max_element(tops.begin(), tops.end()));
  }

  // Whole colours, for narrow areas show no pattern; those beside each other differ in lightness too. Sums are lines over
  // the areas.
  void areas() {
    static constexpr std::array kAreas = {"#56b4e9", "#0072b2", "#404040", "#e69f00",
                                          "#d55e00", "#f0e442", "#009e73", "#cc79a7"};
    const Stack stack = stack_of(figure_);
    range("x", figure_.x, stack.x.front(), stack.x.back());
    std::vector<std::size_t> steps(stack.x.size() - 1);
    std::iota(steps.begin(), steps.end(), std::size_t{0});
    double most = 0;
    for (std::size_t k = 0; k < stack.series.size(); ++k) {
      const std::vector<double>& tops = stack.tops[k];
      most = std::max(most, *std::ranges::max_element(tops));
      const std::string name = block("series", stack.series[k], steps, [&](std::size_t i) {
        const double bottom = k == 0 ? 0 : stack.tops[k - 1][i];
        for (const double x : {stack.x[i], stack.x[i + 1]}) values({x, bottom, tops[i]});
      });
      const std::string style =
          fmt::format("fs solid 1 noborder lc rgb '{}'", kAreas[look_of(figure_, stack, k) % kAreas.size()]);
      plots_.push_back(fmt::format("{} using 1:2:3 with filledcurves {} notitle", name, style));
      key(figure_.series[stack.series[k]], "with boxes " + style);
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      if (!series.is_sum) continue;
      const std::string name = block("series", s, series.points, [&](const Point& p) { values({p.x, p.y}); });
      plots_.push_back(fmt::format("{} using 1:2 with steps lw 0.8 lc rgb '#000000' notitle", name));
      key(series, "with lines lw 0.8 lc rgb '#000000'");
    }
    range_from_zero(0, most);
  }

  void boxes() {
    double least = INFINITY, most = -INFINITY;
    for (const Series& series : figure_.series)
      for (const Box& box : series.boxes) {
        least = std::min({least, box.low, box.outliers.empty() ? box.low : box.outliers.front()});
        most = std::max({most, box.high, box.outliers.empty() ? box.high : box.outliers.back()});
      }
    range("y", figure_.y, least, most);
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
    double most = 0;
    for (const Series& series : figure_.series)
      for (const Bin& bin : series.bins) most = std::max(most, static_cast<double>(bin.count));
    range_from_zero(0, most);
    const bool several = figure_.series.size() > 1;
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const Series& series = figure_.series[s];
      if (!several) {
        const std::string name = block("series", s, series.bins, [&](const Bin& bin) {
          values({bin.from, bin.to, static_cast<double>(bin.count)});
        });
        plots_.push_back(fmt::format(
            "{} using (($1+$2)/2):3:($2-$1) with boxes fs solid 0.6 border lc rgb '#000000' lc rgb "
            "'#0072b2' notitle",
            name));
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
      const std::string style =
          fmt::format("with lines lc rgb '{}' dt {} lw 2", kColours[s % kColours.size()],
                      (s + s / kColours.size()) % kDashes + 1);
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
  double left_ = 0, right_ = 0;  // of the plot, in pixels
  bool turned_ = false;          // labels of the x axis, for they are too long to stand side by side
  std::string out_;
  std::vector<std::string> plots_;
};

}  // namespace

std::string svg_script(const Figure& figure) {
  Figure sized = figure;
  if (sized.height <= 0) {
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
         sized.height, figure.series.size(), needed);
  return Script(sized, false)
      .draw(fmt::format("svg size {},{} noenhanced font 'Helvetica,12' background rgb 'white'", sized.width,
                        sized.height));
}

std::string text_script(const Figure& figure, int width, int height, bool colour) {
  return Script(figure, true)
      .draw(fmt::format("dumb noenhanced size {},{} {}", width, height, colour ? "ansi256" : "mono"));
}

}  // namespace perigee::results
