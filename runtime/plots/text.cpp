// Figures in the terminal. gnuplot draws curves over numbers. Figures with categories have a row for each
// mark, for gnuplot's text terminal has neither filled bars nor labels that fit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/gnuplot.h"
#include "runtime/plots/plot.h"

namespace perigee::plots {
namespace {

constexpr std::array kAnsiColours = {34, 33, 32, 36, 31, 35, 0};  // as near to kLookColours as a terminal is
constexpr std::size_t kLeastBar = 16;
constexpr std::size_t kMostTextBars = 400;

std::string padded(const std::string& text, std::size_t to, bool right = false) {
  const std::size_t width = display_width(text);
  const std::string blanks(width < to ? to - width : 0, ' ');
  return right ? blanks + text : text + blanks;
}

std::string cut_to(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::string out;
  std::size_t seen = 0;
  for (const char c : text) {  // whole code points
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U && ++seen >= most) break;
    out += c;
  }
  return out + "~";
}

struct BarRow {
  std::string place, series;  // labels
  std::size_t colour = 0;
  double value = 0;                // of a bar
  std::string shown = {};          // behind it
  const Box* box = nullptr;        // instead of a bar
  std::vector<double> parts = {};  // of a bar of several, one for each series
};

class Rows {
 public:
  Rows(const Figure& figure, int width, bool colour)
      : figure_(figure), width_(static_cast<std::size_t>(width)), colour_(colour) {}

  std::string draw() {
    if (figure_.kind == FigureKind::areas) return areas();
    if (figure_.kind == FigureKind::heatmap) return cells();
    figure_.kind == FigureKind::stacked     ? gather_stacks()
    : figure_.kind == FigureKind::box       ? gather_boxes()
    : figure_.kind == FigureKind::histogram ? gather_bins()
                                            : gather_points();
    for (const double end : {figure_.y.least, figure_.y.most})
      if (!std::isnan(end)) take(end);  // rows of other small figures
    std::size_t place = 0, series = 0, behind = 0;
    for (const BarRow& row : rows_) {
      place = std::max(place, display_width(row.place));
      series = std::max(series, display_width(row.series));
      behind = std::max(behind, display_width(row.shown));
    }
    const std::size_t most = width_ / 3;
    place = std::min(place, most);
    series = std::min(series, most);
    const std::size_t labels = place + (place > 0 && series > 0 ? 2 : 0) + series + 1;
    const std::size_t taken = labels + (behind > 0 ? 1 + behind : 0);
    columns_ = std::max(kLeastBar, width_ > taken ? width_ - taken : 0);
    std::string out;
    const std::string what = figure_.kind == FigureKind::histogram ? figure_.x.text() : figure_.y.text();
    if (!what.empty()) out += std::string(labels, ' ') + what + "\n";
    const std::string* before = nullptr;
    std::size_t left = kMostTextBars;
    for (const BarRow& row : rows_) {
      if (left-- == 0) {
        out += fmt::format("... and {} more\n", rows_.size() - kMostTextBars);
        break;
      }
      const bool again = before != nullptr && *before == row.place;
      before = &row.place;
      std::string line = padded(again && series > 0 ? "" : cut_to(row.place, place), place);
      if (place > 0 && series > 0) line += "  ";
      line += padded(cut_to(row.series, series), series) + " " +
              (row.parts.empty() ? painted(row.box != nullptr ? box(*row.box) : bar(row.value), row.colour)
                                 : stack(row.parts));
      if (!row.shown.empty()) line += " " + row.shown;
      while (!line.empty() && line.back() == ' ') line.pop_back();
      out += line + "\n";
    }
    if (figure_.kind == FigureKind::box) out += ends(labels);
    if (figure_.kind == FigureKind::stacked) out += key(labels);
    return out;
  }

 private:
  std::string painted(const std::string& text, std::size_t colour) const {
    constexpr int kGrey = 90;
    const int code = colour < kAnsiColours.size() ? kAnsiColours[colour] : kGrey;
    return colour_ && code != 0 ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }

  std::size_t look(std::size_t s) const {
    const int own = figure_.series[s].colour;
    return own >= 0 ? static_cast<std::size_t>(own) : s;
  }

  void take(double value) {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }

  // Calls f for the places in order, with the series of each place together.
  template <class Marks, class PlaceOf, class F>
  void by_place(Marks Series::*marks, std::size_t places, PlaceOf place_of, F&& f) {
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> at(places);  // series, mark
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      for (std::size_t m = 0; m < (figure_.series[s].*marks).size(); ++m)
        at[place_of((figure_.series[s].*marks)[m], m)].emplace_back(s, m);
    for (std::size_t p = 0; p < places; ++p)
      for (const auto& [s, m] : at[p]) f(p, figure_.series[s], (figure_.series[s].*marks)[m], s);
  }

  void gather_points() {
    by_place(
        &Series::points, figure_.x.categories.size(),
        [](const Point& p, std::size_t) { return static_cast<std::size_t>(p.x); },
        [&](std::size_t place, const Series& series, const Point& p, std::size_t s) {
          std::string shown = short_number(p.y);
          if (p.low < p.high) {
            const bool even = std::abs((p.high - p.y) - (p.y - p.low)) <= 1e-9 * (p.high - p.low);
            shown += even ? " ± " + short_number((p.high - p.low) / 2)
                          : fmt::format(" [{}, {}]", short_number(p.low), short_number(p.high));
          }
          take(p.y);
          rows_.push_back({figure_.x.categories[place], series.name, look(s), p.y, shown});
        });
    least_ = std::min(least_, 0.0);
    most_ = std::max(most_, 0.0);
  }

  // Collects a row for each place, with all series in it.
  void gather_stacks() {
    std::vector<std::vector<double>> parts(figure_.x.categories.size(),
                                           std::vector<double>(figure_.series.size(), 0.0));
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      for (const Point& p : figure_.series[s].points) parts[static_cast<std::size_t>(p.x)][s] = p.y;
    least_ = 0;
    for (std::size_t place = 0; place < parts.size(); ++place) {
      double sum = 0;
      std::string shown;
      for (const double part : parts[place]) {
        sum += part;
        shown += (shown.empty() ? "" : " + ") + short_number(part);
      }
      take(sum);
      rows_.push_back({figure_.x.categories[place], "", 0, sum, shown, nullptr, std::move(parts[place])});
    }
  }

  // The least of 1, 2 and 5 times a power of ten that is not below the value.
  static double round_step(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (power * factor >= value) return power * factor;
    return power * 10;
  }

  // Areas over an axis of numbers. A cell shows the area in which its middle is, of the means over its column.
  std::string areas() {
    constexpr std::size_t kFewestRows = 12, kMostRows = 24;
    constexpr double kMarks = 8;  // of the upward axis, at most
    const Stack stack = stack_of(figure_);
    double most = 0;
    for (const std::vector<double>& tops : stack.tops) most = std::max(most, *std::ranges::max_element(tops));
    if (!std::isnan(figure_.y.most)) most = std::max(most, figure_.y.most);
    const double step = most > 0 ? round_step(most / kMarks) : 1;
    const auto marks = static_cast<std::size_t>(std::max(1.0, std::ceil(most / step - 1e-9)));
    const std::size_t each = std::max<std::size_t>(1, std::clamp(width_ / 5, kFewestRows, kMostRows) / marks);
    std::vector<std::string> labels;
    std::size_t room = 0;
    for (std::size_t mark = 0; mark <= marks; ++mark) {
      labels.push_back(short_number(step * static_cast<double>(mark)));
      room = std::max(room, display_width(labels.back()));
    }
    columns_ = std::max(kLeastBar, width_ > room + 2 ? width_ - room - 2 : 0);
    const std::vector<std::vector<double>> tops = means_by_column(stack);
    std::vector<std::size_t> looks;
    for (std::size_t k = 0; k < stack.series.size(); ++k) looks.push_back(look_of(figure_, stack, k));

    std::string out = figure_.y.text().empty() ? "" : figure_.y.text() + "\n";
    for (std::size_t row = marks * each; row-- > 0;) {
      const bool marked = (row + 1) % each == 0;  // its upper edge
      std::string line = padded(marked ? labels[(row + 1) / each] : "", room, true) + (marked ? " +" : " |");
      const double middle = (static_cast<double>(row) + 0.5) / static_cast<double>(each) * step;
      std::size_t before = kNoArea;
      std::string same;
      const auto flush = [&] {
        if (!same.empty()) line += before == kNoArea ? same : painted(same, looks[before]);
        same.clear();
      };
      for (std::size_t column = 0; column < columns_; ++column) {
        std::size_t area = 0;
        while (area < tops.size() && !(tops[area][column] > middle)) ++area;
        if (area == tops.size()) area = kNoArea;
        if (area != before) flush();
        before = area;
        same += area == kNoArea ? " " : area_fill(looks[area]);
      }
      if (before != kNoArea) flush();
      out += line + "\n";
    }
    out += x_axis(x_from(stack), x_to(stack), labels[0], room);
    std::vector<std::string> items;
    for (std::size_t k = 0; k < stack.series.size(); ++k)
      items.push_back(fmt::format("{} {}", area_fill(looks[k]), figure_.series[stack.series[k]].name));
    return out + listed(items, room + 2);
  }

  // The ends of the x axis, beyond those of the areas where other small figures reach further.
  double x_from(const Stack& stack) const {
    return std::isnan(figure_.x.least) ? stack.x.front() : std::min(figure_.x.least, stack.x.front());
  }
  double x_to(const Stack& stack) const {
    return std::isnan(figure_.x.most) ? stack.x.back() : std::max(figure_.x.most, stack.x.back());
  }

  // The upper edge of each area, by column.
  std::vector<std::vector<double>> means_by_column(const Stack& stack) const {
    const double from = x_from(stack), wide = (x_to(stack) - from) / static_cast<double>(columns_);
    std::vector<std::vector<double>> means(stack.tops.size(), std::vector<double>(columns_));
    for (std::size_t column = 0, at = 0; column < columns_; ++column) {
      const double start = from + wide * static_cast<double>(column), stop = start + wide;
      while (at + 2 < stack.x.size() && stack.x[at + 1] <= start) ++at;
      for (std::size_t i = at; i + 1 < stack.x.size() && stack.x[i] < stop; ++i) {
        const double left = std::max(stack.x[i], start), right = std::min(stack.x[i + 1], stop);
        const double part = (right - left) / wide;
        if (!(part > 0)) continue;
        const double along =  // of the middle of the part, on lines that join points
            figure_.joined ? ((left + right) / 2 - stack.x[i]) / (stack.x[i + 1] - stack.x[i]) : 0;
        for (std::size_t k = 0; k < means.size(); ++k)
          means[k][column] += part * (stack.tops[k][i] + along * (stack.tops[k][i + 1] - stack.tops[k][i]));
      }
    }
    return means;
  }

  // A table of the cells. Where numbers have no room, shades of the scale.
  std::string cells() {
    const std::size_t columns = figure_.x.categories.size();
    const Extent all = values_of(figure_);
    std::vector<std::vector<const HeatCell*>> at(figure_.y.categories.size(),
                                                 std::vector<const HeatCell*>(columns));
    std::size_t number = 1, label = 1;
    for (const Series& series : figure_.series)
      for (const HeatCell& cell : series.cells) {
        at[cell.y][cell.x] = &cell;
        number = std::max(number, display_width(cell_number(cell.value)));
      }
    for (const std::string& name : figure_.y.categories) label = std::max(label, display_width(name));
    label = std::min(label, width_ / 3);
    std::size_t name = 1;
    for (const std::string& category : figure_.x.categories) name = std::max(name, display_width(category));
    constexpr std::size_t kMostName = 12;
    const std::size_t wide =
        std::max(number + 2, std::min(name, kMostName)) + 2;  // two blanks, a shade and a number
    std::string out;
    const std::string what =
        figure_.y.text().empty() ? figure_.x.text() : figure_.y.text() + " \\ " + figure_.x.text();
    if (!what.empty()) out += cut_to(what, width_) + "\n";
    const bool numbers = label + columns * wide <= width_;
    const std::size_t each =
        numbers ? wide : std::max<std::size_t>(1, (width_ - std::min(width_, label + 3)) / columns);
    if (numbers) {
      out += std::string(label, ' ');
      for (const std::string& category : figure_.x.categories)
        out += padded(cut_to(category, wide - 2), wide, true);
      out += "\n";
    }
    for (std::size_t row = 0; row < at.size(); ++row) {
      out += padded(cut_to(figure_.y.categories[row], label), label) + (numbers ? "" : " |");
      for (const HeatCell* cell : at[row]) {
        const std::string shaded = cell == nullptr ? numbers ? "-" : " " : shade(cell->value, all);
        if (!numbers) {
          for (std::size_t i = 0; i < each; ++i) out += shaded;
        } else {
          out +=
              padded(cell == nullptr ? shaded : shaded + " " + padded(cell_number(cell->value), number, true),
                     wide, true);
        }
      }
      out += numbers ? "\n" : "|\n";
    }
    if (!numbers) out += first_and_last(label + 2, each * columns);
    return out + shades(all);
  }
  // The names of the first and the last column below them.
  std::string first_and_last(std::size_t labels, std::size_t room) const {
    const std::string& first = figure_.x.categories.front();
    const std::string& last = figure_.x.categories.back();
    const std::size_t taken = display_width(first) + display_width(last);
    const std::string blanks(labels, ' ');
    if (room > taken) return blanks + first + std::string(room - taken, ' ') + last + "\n";
    return blanks + cut_to(first + " .. " + last, std::max<std::size_t>(room, width_ - labels)) + "\n";
  }
  static std::string cell_number(double value) {
    return value == 0 ? "0" : short_number(parse_number(fmt::format("{:.3g}", value)));
  }
  static constexpr std::array kShades = {"·", "░", "▒", "▓", "█"};
  static std::string shade(double value, const Extent& all) {
    const double share = all.most > all.least ? (value - all.least) / (all.most - all.least) : 0.5;
    const auto place = static_cast<std::size_t>(share * static_cast<double>(kShades.size()));
    return kShades[std::min(kShades.size() - 1, place)];
  }
  // The meaning of the shades.
  std::string shades(const Extent& all) const {
    const std::string what = figure_.value.text();
    std::string out = what.empty() ? "" : cut_to(what, width_) + "\n";
    if (!(all.most > all.least)) return out;
    std::vector<std::string> items;
    const auto parts = static_cast<double>(kShades.size());
    for (std::size_t i = 0; i < kShades.size(); ++i)
      items.push_back(
          fmt::format("{} from {}", kShades[i],
                      cell_number(all.least + (all.most - all.least) * static_cast<double>(i) / parts)));
    return out + listed(items, 0);
  }

  std::string x_axis(double from, double to, const std::string& zero, std::size_t room) const {
    constexpr double kApart = 10;  // columns between marks
    const double wide = (to - from) / static_cast<double>(columns_), step = round_step(wide * kApart);
    std::string line(columns_, '-'), numbers(room + 2 + columns_, ' ');
    std::size_t free = 0;
    for (double k = std::ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) {
      const auto at = static_cast<std::size_t>(std::max(0.0, std::round((k * step - from) / wide)));
      const std::size_t cell = std::min(at, columns_ - 1);
      line[cell] = '+';
      const std::string number = short_number(k == 0 ? 0 : k * step);
      const std::size_t half = number.size() / 2, place = std::max(room + 2 + cell, half) - half;
      if (place < free || place + number.size() > numbers.size()) continue;
      numbers.replace(place, number.size(), number);
      free = place + number.size() + 1;
    }
    numbers.resize(numbers.find_last_not_of(' ') + 1);
    std::string out = padded(zero, room, true) + " +" + line + "\n" + numbers + "\n";
    const std::string label = cut_to(figure_.x.text(), columns_);
    if (!label.empty())
      out += std::string(room + 2 + (columns_ - display_width(label)) / 2, ' ') + label + "\n";
    return out;
  }

  static constexpr std::size_t kNoArea = static_cast<std::size_t>(-1);
  static const char* area_fill(std::size_t area) {
    static constexpr std::array kTextFills = {"█", "/", "▒", "░", "x", "=", "·", "+", "o", "▓", "#", "~"};
    return kTextFills[area % kTextFills.size()];
  }

  static const char* fill(std::size_t series) {
    static constexpr std::array kTextFills = {"█", "▒", "/", "·", "░", "▓", "=", "+", "o", "x", "#", "~"};
    return kTextFills[series % kTextFills.size()];
  }

  std::string stack(const std::vector<double>& parts) const {
    std::string out;
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      sum += parts[s];
      const auto end = static_cast<std::size_t>(std::lround(share(sum) * static_cast<double>(columns_)));
      std::string part;
      for (; at < end; ++at) part += fill(s);
      if (!part.empty()) out += painted(part, look(s));
    }
    return out;
  }

  std::string key(std::size_t labels) const {
    std::vector<std::string> items;
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      items.push_back(fmt::format("{} {}", fill(s), figure_.series[s].name));
    return listed(items, labels);
  }

  // Side by side behind so many blanks, in as many lines as it takes.
  std::string listed(const std::vector<std::string>& items, std::size_t labels) const {
    std::string line(labels, ' '), out;
    for (const std::string& item : items) {
      if (display_width(line) > labels && display_width(line) + 2 + display_width(item) > width_) {
        out += line + "\n";
        line = std::string(labels, ' ');
      }
      line += (display_width(line) > labels ? "  " : "") + item;
    }
    return out + line + "\n";
  }

  void gather_bins() {
    const std::size_t bins = figure_.series.front().bins.size();
    std::vector<std::size_t> all(bins);
    for (const Series& series : figure_.series)
      for (std::size_t b = 0; b < bins; ++b) all[b] += series.bins[b].count;
    by_place(
        &Series::bins, bins, [](const Bin&, std::size_t m) { return m; },
        [&](std::size_t place, const Series& series, const Bin& bin, std::size_t s) {
          const auto count = static_cast<double>(bin.count);
          take(count);
          rows_.push_back({fmt::format("{} .. {}", short_number(bin.from), short_number(bin.to)),
                           figure_.series.size() > 1 && all[place] > 0 ? series.name : "", look(s), count,
                           short_number(count)});
          (void)place;
        });
    least_ = 0;
  }

  void gather_boxes() {
    by_place(
        &Series::boxes, std::max<std::size_t>(1, figure_.x.categories.size()),
        [](const Box& box, std::size_t) { return static_cast<std::size_t>(box.x); },
        [&](std::size_t place, const Series& series, const Box& b, std::size_t s) {
          take(b.low);
          take(b.high);
          for (const double y : b.outliers) take(y);
          rows_.push_back({figure_.x.categories[place], series.name, look(s), 0, {}, &b});
        });
  }

  double share(double value) const {
    if (figure_.y.log) return most_ > least_ ? math::log(value / least_) / math::log(most_ / least_) : 0.5;
    return most_ > least_ ? (value - least_) / (most_ - least_) : 0.5;
  }

  std::string bar(double value) const {
    static constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto columns = static_cast<double>(columns_);
    const double from = std::min(share(0), share(value)) * columns,
                 to = std::max(share(0), share(value)) * columns;
    if (value == 0 || !(most_ > least_)) return "";
    if (value < 0) {  // whole cells, for there are none filled from the right
      const auto first = static_cast<std::size_t>(std::floor(from + 0.5)),
                 end = static_cast<std::size_t>(std::floor(to + 0.5));
      std::string out(first, ' ');
      for (std::size_t c = first; c < end; ++c) out += "█";
      return out;
    }
    const double start = std::floor(from + 0.5);
    std::string out(static_cast<std::size_t>(start), ' ');
    const double eighths = std::floor(std::max(0.0, to - start) * 8 + 0.5);
    for (double e = eighths; e >= 8; e -= 8) out += "█";
    out += kEighths[static_cast<std::size_t>(std::fmod(eighths, 8))];
    if (eighths == 0) out += kEighths[1];
    return out;
  }

  std::size_t cell(double value) const {
    return static_cast<std::size_t>(std::clamp(std::floor(share(value) * static_cast<double>(columns_)), 0.0,
                                               static_cast<double>(columns_ - 1)));
  }

  std::string box(const Box& b) const {
    std::vector<const char*> cells(columns_, " ");
    for (std::size_t c = cell(b.low); c <= cell(b.high); ++c) cells[c] = "─";
    cells[cell(b.low)] = "├";
    cells[cell(b.high)] = "┤";
    for (std::size_t c = cell(b.q1); c <= cell(b.q3); ++c) cells[c] = "▒";
    cells[cell(b.median)] = "█";
    for (const double y : b.outliers) cells[cell(y)] = "o";
    std::string out;
    for (const char* c : cells) out += c;
    out.resize(out.find_last_not_of(' ') + 1);
    return out;
  }

  // The axis below rows of boxes, with the values at its ends.
  std::string ends(std::size_t labels) const {
    const std::string from = short_number(least_), to = short_number(most_);
    std::string line = std::string(labels, ' ') + "└" + [&] {
      std::string dashes;
      for (std::size_t c = 2; c < columns_; ++c) dashes += "─";
      return dashes;
    }() + "┘\n";
    const std::size_t gap = columns_ > from.size() + to.size() ? columns_ - from.size() - to.size() : 1;
    return line + std::string(labels, ' ') + from + std::string(gap, ' ') + to + "\n";
  }

  const Figure& figure_;
  std::size_t width_, columns_ = 0;
  bool colour_;
  double least_ = INFINITY, most_ = -INFINITY;
  std::vector<BarRow> rows_;
};

// Removes blanks at the ends of lines, and empty lines at the top and the bottom.
std::string without_margins(const std::string& drawn) {
  std::string out;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < drawn.size();) {
    const std::size_t end = std::min(drawn.find('\n', at), drawn.size());
    std::size_t last = drawn.find_last_not_of(" \f\r", end == 0 ? 0 : end - 1);
    const bool empty = end == at || last == drawn.npos || last < at;
    if (!empty) out += drawn.substr(at, last + 1 - at);
    if (!empty || !out.empty()) out += '\n';
    if (!empty) kept = out.size();
    at = end + 1;
  }
  out.resize(kept);
  return out;
}

}  // namespace

namespace {

// The marks of a figure without panels, below its title.
std::string marks_as_text(const Figure& clean, int width, bool colour) {
  std::string out;
  if ((clean.kind == FigureKind::lines || clean.kind == FigureKind::steps ||
       clean.kind == FigureKind::points || clean.kind == FigureKind::ecdf) &&
      clean.x.categories.empty()) {
    const int height = std::clamp(width / 4, 16, 30) + std::min(8, static_cast<int>(clean.series.size()) / 3);
    if (!clean.y.text().empty()) out += clean.y.text() + "\n";
    return out + without_margins(gnuplot(text_script(clean, width, height, colour)));
  }
  return Rows(clean, width, colour).draw();
}

bool has_marks(const Series& series) {
  return !series.points.empty() || !series.boxes.empty() || !series.bins.empty() || !series.cells.empty();
}

}  // namespace

std::string text(const Figure& figure, int width, bool colour) {
  check(figure);
  if (figure.kind == FigureKind::gantt) return {};
  width = std::max(width, 40);
  Figure clean = figure;  // of what would disturb a terminal
  for (std::string* part : {&clean.title, &clean.note, &clean.x.label, &clean.x.unit, &clean.y.label,
                            &clean.y.unit, &clean.value.label, &clean.value.unit})
    *part = printable(*part);
  for (Axis* axis : {&clean.x, &clean.y})
    for (std::string& category : axis->categories) category = printable(category);
  for (Series& series : clean.series) series.name = printable(series.name);
  for (Panel& panel : clean.panels) {
    panel.name = printable(panel.name);
    for (Series& series : panel.series) series.name = printable(series.name);
  }

  std::string out = clean.title.empty() ? "" : clean.title + "\n";
  if (clean.panels.empty()) out += marks_as_text(clean, width, colour);
  for (std::size_t p = 0; p < clean.panels.size(); ++p) {
    const Figure panel = panel_figure(clean, p);
    if (std::ranges::any_of(panel.series, has_marks))
      out += clean.panels[p].name + ":\n" + marks_as_text(panel, width, colour);
  }
  if (!clean.note.empty()) out += clean.note + "\n";
  return out;
}

}  // namespace perigee::plots
