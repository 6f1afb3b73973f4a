// From the rows of a table to a figure.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/metrics.h"
#include "runtime/results/plot.h"
#include "runtime/statistics/interval.h"

namespace perigee::results {
namespace {

struct UnitOf {
  Dimension dimension;
  double factor;  // base units in one
};
std::optional<UnitOf> unit_of(const std::string& unit) {
  if (unit.empty()) return std::nullopt;
  for (const Dimension dimension :
       {Dimension::seconds, Dimension::bytes, Dimension::bytes_per_second, Dimension::operations,
        Dimension::operations_per_second, Dimension::fraction, Dimension::watts, Dimension::joules}) {
    try {
      return UnitOf{dimension, parse_quantity("1 " + unit, dimension)};
    } catch (const Error&) {  // then another dimension
    }
  }
  return std::nullopt;
}

// "300 KB" -> 300, "KB"; none for a text that is no number with a unit.
std::optional<std::pair<double, std::string>> quantity_of(const std::string& text) {
  double value = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || !std::isfinite(value)) return std::nullopt;
  std::string unit(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  unit.erase(0, unit.find_first_not_of(' '));
  if (!unit_of(unit)) return std::nullopt;
  return std::pair(value, unit);
}

// A number for each row, in `unit`, NaN = none; or a text for each row.
struct Column {
  std::string name, unit = {};
  bool numeric = true;
  std::vector<double> numbers = {};
  std::vector<std::optional<std::string>> texts = {};
  std::size_t odd = 0;  // the row, from 0 on, of the first text that is no number beside the others
  bool share = false;   // a metric without a unit

  void refuse_texts(const char* what) const {
    if (!numeric)
      fail("bad_figure", "{}: the column '{}' has texts, such as '{}' in row {}; numbers are needed", what,
           name, *texts[odd], odd + 1);
  }

  // False where it had no unit that is known, so that its numbers are taken as they are.
  bool convert(const std::string& to) {
    const auto from_unit = share ? UnitOf{Dimension::fraction, 1} : unit_of(unit), to_unit = unit_of(to);
    if (unit == to || (unit.empty() && !share)) {
      const bool known = unit == to || name == to || !to_unit || to_unit->factor == 1;
      unit = to;
      return known;
    }
    if (!from_unit || !to_unit || from_unit->dimension != to_unit->dimension)
      fail("bad_figure", "'{}' is {}, which is not converted to '{}'", name,
           share ? "a plain number" : "in " + unit, to);
    const bool larger = to_unit->factor > from_unit->factor;  // divide by what is likely to be whole
    for (double& number : numbers)
      number = larger ? number / (to_unit->factor / from_unit->factor)
                      : number * (from_unit->factor / to_unit->factor);
    unit = to;
    share = false;
    return true;
  }
};

std::string text_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return format_number(*number == 0 ? 0 : *number);
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

// Suggests the nearest column, or lists all of them.
std::string one_of(const std::string& name, const std::vector<std::string>& columns) {
  const std::string nearest = did_you_mean(name, columns);
  return nearest.empty() ? fmt::format("; there are {}", fmt::join(columns, ", ")) : nearest;
}

// Reads a column of a table as something to draw: numbers, quantities of one dimension, or texts.
class ColumnReader {
 public:
  ColumnReader(const Table& table, std::size_t place, const std::string& name, const char* what)
      : table_(table), place_(place), what_(what), column_{name} {}

  Column read() {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) look_at(r);
    column_.numeric = texts_ == 0 || (numbers_ == 0 && quantities_ == texts_);
    if (!column_.numeric || texts_ == 0) column_.unit.clear();
    column_.odd = (numbers_ > 0 ? first_text_ : first_plain_).value_or(0);
    if (numbers_ > 0 && texts_ > 0) check_mixed();
    if (!column_.numeric) return std::move(column_);
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const double value = number_in(cell(r));
      column_.numbers.push_back(std::isfinite(value) ? value : kNaN);
    }
    if (texts_ == 0) find_unit();
    return std::move(column_);
  }

 private:
  Cell cell(std::size_t r) const { return place_ < table_.rows[r].size() ? table_.rows[r][place_] : Cell{}; }

  void look_at(std::size_t r) {
    const Cell in = cell(r);
    if (std::holds_alternative<double>(in)) ++numbers_;
    if (const auto* text = std::get_if<std::string>(&in)) {
      ++texts_;
      if (!first_text_) first_text_ = r;
      if (is_quantity(*text))
        ++quantities_;
      else if (!first_plain_)
        first_plain_ = r;
    }
    column_.texts.push_back(std::holds_alternative<std::monostate>(in) ? std::nullopt
                                                                       : std::optional(text_of(in)));
  }

  // Whether the text is a quantity of the same dimension as the column's first one.
  bool is_quantity(const std::string& text) {
    const auto quantity = quantity_of(text);
    if (!quantity) return false;
    const auto its = unit_of(quantity->second);
    if (!unit_) {
      unit_ = its;
      column_.unit = quantity->second;
    }
    return its->dimension == unit_->dimension;
  }

  // A value that is a number here and a text there would be drawn twice.
  void check_mixed() const {
    std::map<std::string, std::size_t> seen;  // the first row
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      if (!column_.texts[r]) continue;
      const std::size_t first = seen.try_emplace(*column_.texts[r], r).first->second;
      if (table_.rows[r][place_].index() != table_.rows[first][place_].index())
        fail("bad_figure", "{}: the column '{}' has {} as a number and as a text, in rows {} and {}", what_,
             column_.name, *column_.texts[r], first + 1, r + 1);
    }
  }

  double number_in(const Cell& in) const {
    if (const auto* number = std::get_if<double>(&in)) return *number;
    const auto* text = std::get_if<std::string>(&in);
    if (text == nullptr) return kNaN;
    const auto quantity = quantity_of(*text);
    if (quantity->second == column_.unit) return quantity->first;
    return quantity->first * unit_of(quantity->second)->factor / unit_->factor;
  }

  void find_unit() {
    if (place_ < table_.units.size()) column_.unit = table_.units[place_];
    if (!column_.unit.empty()) return;
    for (const MetricInfo& info : metric_infos())
      if (info.name == column_.name) {
        column_.unit = info.unit;
        column_.share = column_.unit.empty();
      }
  }

  const Table& table_;
  const std::size_t place_;
  const char* what_;
  Column column_;
  std::size_t numbers_ = 0, texts_ = 0, quantities_ = 0;
  std::optional<UnitOf> unit_;
  std::optional<std::size_t> first_text_, first_plain_;  // rows
};

Column column_of(const Table& table, const std::string& name, const char* what) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end())
    fail("unknown_column", "{}: there is no column '{}'{}", what, name, one_of(name, table.columns));
  return ColumnReader(table, static_cast<std::size_t>(found - table.columns.begin()), name, what).read();
}

}  // namespace

void check(const PlotRequest& request) {
  const bool histogram = request.kind == FigureKind::histogram;
  if (request.y.empty()) fail("bad_figure", "'y' is missing: the column to draw, or a list of columns");
  if (request.kind == FigureKind::gantt)
    fail("bad_figure", "a Gantt chart is drawn of a result: r:plot {{ kind = \"gantt\" }}");
  if (histogram && !request.x.empty())
    fail("bad_figure", "a histogram has no 'x': its values are the column 'y'");
  if (!histogram && request.bins > 0) fail("bad_figure", "'bins' is for kind = \"histogram\"");
  if (request.x.empty() && !histogram && request.kind != FigureKind::box)
    fail("bad_figure", "'x' is missing: the column of the horizontal axis");
}

namespace {

class Maker {
 public:
  Maker(const Table& table, const PlotRequest& request) : table_(table), request_(request) {}

  Figure make() {
    if (table_.rows.empty()) fail("empty_figure", "the table is empty");
    check(request_);
    read_y();
    std::string x = request_.x, by = request_.by;
    const bool box = request_.kind == FigureKind::box;
    if (box && x.empty()) std::swap(x, by);
    figure_.title = request_.title;
    figure_.width = request_.width;
    figure_.height = request_.height;
    figure_.by = ys_.size() == 1 ? by : "";
    if (!by.empty()) by_ = column_of(table_, by, "by");
    if (histogram()) {
      figure_.kind = FigureKind::histogram;
      make_histogram();
    } else {
      if (!x.empty()) x_ = column_of(table_, x, "x");
      figure_.kind = request_.kind.value_or(x_->numeric ? FigureKind::lines : FigureKind::bars);
      make_axes();
      if (box)
        make_boxes();
      else if (figure_.kind == FigureKind::points)
        make_points();
      else
        make_means();
    }
    if (!without_by_.empty()) {
      if (std::find(by_->texts.begin(), by_->texts.end(), "-") != by_->texts.end())
        fail("bad_figure", "by: row {} has no '{}', and others have '-', which looks the same",
             *without_by_.begin() + 1, by_->name);
      note(fmt::format("{} {} without {} as \"-\"", without_by_.size(),
                       without_by_.size() == 1 ? "row" : "rows", by_->name));
    }
    if (left_out_ > 0)
      note(fmt::format("{} {} without a value left out", left_out_, left_out_ == 1 ? "row" : "rows"));
    std::erase_if(figure_.series,
                  [](const Series& s) { return s.points.empty() && s.boxes.empty() && s.bins.empty(); });
    check(figure_);
    return std::move(figure_);
  }

 private:
  void note(const std::string& text) { figure_.note += (figure_.note.empty() ? "" : "; ") + text; }

  void convert(Column& column, const std::string& unit) {
    if (!column.convert(unit))
      note(fmt::format("the numbers of '{}' are taken as {}: it has no unit", column.name, unit));
  }

  bool histogram() const { return request_.kind == FigureKind::histogram; }

  void read_y() {
    std::string names;
    for (const std::string& name : request_.y) {
      Column column = column_of(table_, name, "y");
      column.refuse_texts("y");
      if (const auto& unit = histogram() ? request_.x_unit : request_.y_unit) convert(column, *unit);
      if (!ys_.empty() && column.unit != ys_.front().unit)
        fail("bad_figure", "y: '{}' is in {}, '{}' in {}; one axis cannot show both", ys_.front().name,
             ys_.front().unit.empty() ? "plain numbers" : ys_.front().unit, name,
             column.unit.empty() ? "plain numbers" : column.unit);
      names += (names.empty() ? "" : ", ") + name;
      ys_.push_back(std::move(column));
    }
    if (histogram()) {
      figure_.x = {request_.x_label.value_or(names), ys_.front().unit, request_.log_x};
      figure_.y = {request_.y_label.value_or("values"), request_.y_unit.value_or("")};
    } else {
      figure_.y = {request_.y_label.value_or(names), ys_.front().unit, request_.log_y};
    }
  }

  // Series in order of first appearance; several columns have a series each.
  Series& series_for(std::size_t row, std::size_t y) {
    std::string name = by_ ? by_->texts[row].value_or("-") : "";
    if (by_ && !by_->texts[row]) without_by_.insert(row);
    if (ys_.size() > 1) name += (name.empty() ? "" : ", ") + ys_[y].name;
    const auto [found, is_new] = places_.try_emplace(name, figure_.series.size());
    if (is_new) {
      if (figure_.series.size() > kMostSeries) return figure_.series.back();  // check() refuses them
      figure_.series.push_back({name});
    }
    return figure_.series[found->second];
  }

  void make_axes() {
    if (!x_) {  // one box for each series
      figure_.x.categories = {""};
      x_at_.assign(table_.rows.size(), 0);
      return;
    }
    if (x_->numeric && request_.x_unit) convert(*x_, *request_.x_unit);
    figure_.x = {request_.x_label.value_or(x_->name), x_->numeric ? x_->unit : request_.x_unit.value_or(""),
                 request_.log_x};
    const bool places = !x_->numeric || figure_.kind == FigureKind::bars ||
                        figure_.kind == FigureKind::stacked || figure_.kind == FigureKind::box;
    if (!places) {
      x_at_ = x_->numbers;
      return;
    }
    if (request_.log_x)
      fail("bad_figure", "log_x: '{}' has {}, and no logarithm", x_->name,
           x_->numeric ? "a place for each value here" : "texts");
    x_at_.assign(table_.rows.size(), kNaN);
    if (x_->numeric) {
      std::map<double, double> order;
      for (const double value : x_->numbers)
        if (!std::isnan(value)) order[value] = 0;
      for (auto& [value, place] : order) {
        place = static_cast<double>(figure_.x.categories.size());
        figure_.x.categories.push_back(text_of(value));
      }
      for (std::size_t r = 0; r < x_at_.size(); ++r)
        if (!std::isnan(x_->numbers[r])) x_at_[r] = order[x_->numbers[r]];
    } else {
      std::map<std::string, double> order;
      for (std::size_t r = 0; r < x_at_.size(); ++r) {
        if (!x_->texts[r]) continue;
        const auto [found, is_new] = order.try_emplace(*x_->texts[r], static_cast<double>(order.size()));
        if (is_new) figure_.x.categories.push_back(*x_->texts[r]);
        x_at_[r] = found->second;
      }
    }
  }

  // Calls f(row, y) for each row and column that has a value, and counts the others.
  template <class F>
  void each(F&& f) {
    left_out_ = 0;
    for (std::size_t row = 0; row < table_.rows.size(); ++row)
      for (std::size_t y = 0; y < ys_.size(); ++y) {
        if (std::isnan(ys_[y].numbers[row]) || (!x_at_.empty() && std::isnan(x_at_[row])))
          ++left_out_;
        else
          f(row, y);
      }
  }

  // Notes how many of the drawn values have no half-width although there is a column of them.
  void note_half_widths(const std::vector<std::optional<Column>>& halves) {
    std::string names;
    for (const auto& half : halves)
      if (half) names += (names.empty() ? "" : ", ") + half->name;
    if (names.empty()) return;
    note("error bars: ± " + names);
    std::size_t without = 0;
    each(
        [&](std::size_t row, std::size_t y) { without += halves[y] && std::isnan(halves[y]->numbers[row]); });
    if (without > 0) note(fmt::format("{} {} without", without, without == 1 ? "value" : "values"));
  }

  std::optional<Column> half_width_of(const Column& y) const {
    const std::string name = y.name + "_half_width";
    if (std::find(table_.columns.begin(), table_.columns.end(), name) == table_.columns.end())
      return std::nullopt;
    Column half = column_of(table_, name, "y");
    half.refuse_texts("y");
    for (std::size_t row = 0; row < half.numbers.size(); ++row)
      if (half.numbers[row] < 0)
        fail("bad_figure", "row {}: '{}' must be >= 0, got {}", row + 1, name, half.texts[row].value_or("-"));
    const Column plain = column_of(table_, y.name, "y");
    half.unit = plain.unit;
    half.share = plain.share;
    if (request_.y_unit) half.convert(*request_.y_unit);
    return half;
  }

  std::vector<std::optional<Column>> half_widths() {
    std::vector<std::optional<Column>> all;
    all.reserve(ys_.size());
    for (const Column& y : ys_) all.push_back(half_width_of(y));
    note_half_widths(all);
    return all;
  }

  static Point with_interval(double x, double y, double half) {
    Point point{x, y};
    if (half >= 0) {
      point.low = y - half;
      point.high = y + half;
    }
    return point;
  }

  void make_points() {
    const auto halves = half_widths();
    each([&](std::size_t row, std::size_t y) {
      series_for(row, y).points.push_back(
          with_interval(x_at_[row], ys_[y].numbers[row], halves[y] ? halves[y]->numbers[row] : kNaN));
    });
  }

  void make_means() {
    const bool stacked = figure_.kind == FigureKind::stacked;
    const auto halves = stacked ? std::vector<std::optional<Column>>(ys_.size()) : half_widths();
    struct Group {
      std::vector<double> values;
      double half = kNaN;
    };
    std::vector<std::map<double, Group>> groups;  // per series, by x
    each([&](std::size_t row, std::size_t y) {
      const Series& series = series_for(row, y);
      const auto s = static_cast<std::size_t>(&series - figure_.series.data());
      if (groups.size() <= s) groups.resize(s + 1);
      Group& group = groups[s][x_at_[row]];
      group.values.push_back(ys_[y].numbers[row]);
      if (!halves[y]) return;
      if (group.values.size() > 1)
        fail("bad_figure", "two rows have {} = {}{} and each a {}; name what tells them apart as 'by'",
             x_->name, x_->texts[row].value_or("-"), series.name.empty() ? "" : " and " + series.name,
             halves[y]->name);
      group.half = halves[y]->numbers[row];
    });
    std::size_t least = SIZE_MAX, most = 0;
    for (std::size_t s = 0; s < groups.size(); ++s)
      for (const auto& [x, group] : groups[s]) {
        const Interval interval = student_interval(group.values, request_.confidence);
        const bool given = group.values.size() == 1;
        figure_.series[s].points.push_back(
            with_interval(x, given ? group.values.front() : interval.mean,
                          given || stacked ? group.half : interval.half_width));
        figure_.series[s].points.back().n = group.values.size();
        least = std::min(least, group.values.size());
        most = std::max(most, group.values.size());
      }
    if (most > 1 && stacked)
      note(fmt::format("mean of {} values",
                       least == most ? std::to_string(most) : fmt::format("{} to {}", least, most)));
    else if (most > 1)
      note(fmt::format("mean and {} % Student interval of {} values", short_number(request_.confidence * 100),
                       least == most ? std::to_string(most) : fmt::format("{} to {}", least, most)));
  }

  void make_boxes() {
    std::vector<std::map<double, std::vector<double>>> groups;
    each([&](std::size_t row, std::size_t y) {
      const auto s = static_cast<std::size_t>(&series_for(row, y) - figure_.series.data());
      if (groups.size() <= s) groups.resize(s + 1);
      groups[s][x_at_[row]].push_back(ys_[y].numbers[row]);
    });
    for (std::size_t s = 0; s < groups.size(); ++s)
      for (auto& [x, values] : groups[s]) figure_.series[s].boxes.push_back(box_of(x, std::move(values)));
    note("box: quartiles; whiskers: values within 1.5 times their distance; circles: values beyond");
  }

  void make_histogram() {
    if (request_.log_y)
      fail("bad_figure", "log_y: a histogram begins at 0, which a logarithmic axis does not have");
    std::vector<std::vector<double>> values;
    std::vector<double> all;
    each([&](std::size_t row, std::size_t y) {
      const auto s = static_cast<std::size_t>(&series_for(row, y) - figure_.series.data());
      if (values.size() <= s) values.resize(s + 1);
      const double value = ys_[y].numbers[row];
      if (request_.log_x && !(value > 0))
        fail("bad_figure", "{}: {} has no place on a logarithmic axis; leave log_x out", ys_[y].name,
             format_number(value));
      if (std::abs(value) > kLargestDrawn)
        fail("bad_figure", "{}: {} cannot be drawn; values up to {} can", ys_[y].name, format_number(value),
             kLargestDrawn);
      values[s].push_back(value);
      all.push_back(value);
    });
    if (all.empty()) fail("empty_figure", "there is nothing to draw");
    const std::vector<double> edges = bin_edges(all, request_.bins, request_.log_x);
    for (std::size_t s = 0; s < values.size(); ++s) figure_.series[s].bins = binned(values[s], edges);
    note(fmt::format("{} {} in {} {}", all.size(), all.size() == 1 ? "value" : "values", edges.size() - 1,
                     edges.size() == 2 ? "bin" : "bins"));
  }

  const Table& table_;
  const PlotRequest& request_;
  Figure figure_;
  std::vector<Column> ys_;
  std::optional<Column> x_, by_;
  std::vector<double> x_at_;  // a place or number for each row, NaN = none
  std::map<std::string, std::size_t> places_;
  std::size_t left_out_ = 0;
  std::set<std::size_t> without_by_;  // rows that are drawn
};

}  // namespace

Figure figure_of(const Table& rows, const PlotRequest& request) { return Maker(rows, request).make(); }

}  // namespace perigee::results
