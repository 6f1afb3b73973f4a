// From the rows of a table to a figure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/column.h"
#include "runtime/plots/plot.h"
#include "runtime/statistics/interval.h"

namespace perigee::plots {
namespace {

class Maker {
 public:
  Maker(const Table& table, const PlotRequest& request) : table_(table), request_(request) {}

  Figure make() {
    if (table_.rows.empty()) fail("empty_figure", "the table is empty");
    check(request_);
    std::string x = request_.x, by = request_.by;
    const bool box = request_.kind == FigureKind::box;
    if (box && x.empty()) std::swap(x, by);
    figure_.title = request_.title;
    figure_.width = request_.width;
    figure_.height = request_.height;
    if (request_.kind == FigureKind::heatmap) {
      make_heat_axes();
    } else {
      read_y();
      figure_.by = ys_.size() == 1 ? by : "";
      if (!by.empty()) by_ = column_of(table_, by, "by");
      if (of_values()) {
        figure_.kind = *request_.kind;
      } else {
        if (!x.empty()) x_ = column_of(table_, x, "x");
        figure_.kind = request_.kind.value_or(x_->numeric ? FigureKind::lines : FigureKind::bars);
        make_axes();
      }
    }
    name_series();
    if (request_.facet.empty())
      make_marks();
    else
      make_panels();
    make_notes();
    if (figure_.panels.empty())
      std::erase_if(figure_.series, [](const Series& s) {
        return s.points.empty() && s.boxes.empty() && s.bins.empty() && s.cells.empty();
      });
    check(figure_);
    return std::move(figure_);
  }

 private:
  // Each series that has a value, before any is drawn: facets show the same ones.
  void name_series() {
    each([&](std::size_t row, std::size_t y) { series_for(row, y); });
    if (figure_.series.size() > kMostSeries)
      check(figure_);  // which refuses them; series_for() keeps no more
    if (kind() == FigureKind::lines || kind() == FigureKind::steps || kind() == FigureKind::bars ||
        kind() == FigureKind::points)
      halves_ = half_widths();
    else
      halves_.resize(ys_.size());
    counting_ = false;
    if (kind() == FigureKind::histogram) find_edges();
  }

  FigureKind kind() const { return figure_.kind; }
  // Whether the columns `y` are along the horizontal axis.
  bool of_values() const {
    return request_.kind == FigureKind::histogram || request_.kind == FigureKind::ecdf;
  }

  void make_marks() {
    switch (kind()) {
      case FigureKind::histogram:
        make_histogram();
        break;
      case FigureKind::ecdf:
        make_ecdf();
        break;
      case FigureKind::heatmap:
        make_cells();
        break;
      case FigureKind::box:
        make_boxes();
        break;
      case FigureKind::points:
        make_points();
        break;
      default:
        make_means();
    }
  }

  // A panel for the rows of each value of a column, or pair of values of two.
  void make_panels() {
    figure_.facets = request_.facet;
    std::vector<Facet> facets;
    for (const std::string& name : request_.facet) facets.push_back(facet_of(name));
    std::map<std::vector<std::size_t>, std::vector<bool>> rows;  // by the places of the values
    each([&](std::size_t row, std::size_t) {
      std::vector<std::size_t> places;
      for (const Facet& facet : facets) places.push_back(facet.at[row]);
      rows.try_emplace(places, table_.rows.size(), false).first->second[row] = true;
    });
    if (rows.size() > kMostPanels)
      fail("bad_figure", "facet: {} small figures, one for each {}, are too many: at most {} can be read",
           rows.size(), fmt::join(request_.facet, ", "), kMostPanels);
    const std::size_t abreast = facets.size() == 1 ? columns_for(rows.size()) : 0;
    const std::vector<Series> named = figure_.series;
    for (const auto& [places, chosen] : rows) {
      Panel& panel = figure_.panels.emplace_back();
      for (std::size_t f = 0; f < facets.size(); ++f) panel.values.push_back(facets[f].names[places[f]]);
      for (std::size_t f = 0; f < facets.size(); ++f)
        panel.name += fmt::format("{}{} = {}", f > 0 ? ", " : "", request_.facet[f], panel.values[f]);
      const std::size_t place = figure_.panels.size() - 1;
      panel.row = abreast > 0 ? place / abreast : places[0];
      panel.column = abreast > 0 ? place % abreast : places[1];
      figure_.series = named;
      chosen_ = &chosen;
      make_marks();
      panel.series = std::move(figure_.series);
    }
    chosen_ = nullptr;
    figure_.series.clear();
  }

  struct Facet {
    std::vector<std::string> names;
    std::vector<std::size_t> at;  // by row
  };
  Facet facet_of(const std::string& name) {
    const PlotColumn column = column_of(table_, name, "facet");
    Axis axis;
    std::vector<double> at = places_of(column, axis);
    Facet facet{std::move(axis.categories), {}};
    const std::size_t none = facet.names.size();
    bool any = false;
    for (const double place : at) {
      any = any || std::isnan(place);
      facet.at.push_back(std::isnan(place) ? none : static_cast<std::size_t>(place));
    }
    if (any) facet.names.emplace_back("-");
    return facet;
  }

  // As many as have room, in rows of about the same length.
  std::size_t columns_for(std::size_t panels) const {
    constexpr int kAxis = 80, kPanel = 170;
    const auto most = static_cast<std::size_t>(std::max(1, (request_.width - kAxis) / kPanel));
    const std::size_t rows = (panels + most - 1) / most;
    return (panels + rows - 1) / rows;
  }

  void make_notes() {
    if (kind() == FigureKind::box)
      note("box: quartiles; whiskers: values within 1.5 times their distance; circles: values beyond");
    const bool plain =
        kind() == FigureKind::stacked || kind() == FigureKind::areas || kind() == FigureKind::heatmap;
    const std::string count =
        fewest_ == largest_ ? std::to_string(largest_) : fmt::format("{} to {}", fewest_, largest_);
    if (largest_ > 1 && plain)
      note(fmt::format("mean of {} values", count));
    else if (largest_ > 1)
      note(fmt::format("mean and {} % Student interval of {} values", short_number(request_.confidence * 100),
                       count));
    note_cut();
    if (kind() == FigureKind::histogram)
      note(fmt::format("{} {} in {} {}", values_, values_ == 1 ? "value" : "values", edges_.size() - 1,
                       edges_.size() == 2 ? "bin" : "bins"));
    if (kind() == FigureKind::ecdf) note_curves();
    if (!without_by_.empty()) {
      if (std::find(by_->texts.begin(), by_->texts.end(), "-") != by_->texts.end())
        fail("bad_figure", "by: row {} has no '{}', and others have '-', which looks the same",
             *without_by_.begin() + 1, by_->name);
      note(fmt::format("{} {} without {} as \"-\"", without_by_.size(),
                       without_by_.size() == 1 ? "row" : "rows", by_->name));
    }
    if (left_out_ > 0)
      note(fmt::format("{} {} without a value left out", left_out_, left_out_ == 1 ? "row" : "rows"));
  }

  // Intervals that a logarithmic axis cannot show whole.
  void note_cut() {
    if (!figure_.y.log) return;
    std::size_t cut = 0;
    for (const Series* series : all_series(figure_))
      cut += static_cast<std::size_t>(
          std::ranges::count_if(series->points, [](const Point& p) { return p.low <= 0; }));
    if (cut > 0)
      note(fmt::format("{} {} to 0 or below, where a logarithmic axis has no place", cut,
                       cut == 1 ? "interval reaches" : "intervals reach"));
  }

  // The values of an ECDF, of each curve where there are several.
  void note_curves() {
    if (curves_ <= 1)
      note(fmt::format("{} {}", values_, values_ == 1 ? "value" : "values"));
    else if (fewest_of_curve_ == most_of_curve_)
      note(fmt::format("{} {} in each curve", most_of_curve_, most_of_curve_ == 1 ? "value" : "values"));
    else
      note(fmt::format("{} to {} values in each curve", fewest_of_curve_, most_of_curve_));
  }

  void note(const std::string& text) { figure_.note += (figure_.note.empty() ? "" : "; ") + text; }

  void convert(PlotColumn& column, const std::string& unit) {
    if (!column.convert(unit))
      note(fmt::format("the numbers of '{}' are taken as {}: it has no unit", column.name, unit));
  }

  void read_y() {
    std::string names;
    for (const std::string& name : request_.y) {
      PlotColumn column = column_of(table_, name, "y");
      column.refuse_texts("y");
      if (const auto& unit = of_values() ? request_.x_unit : request_.y_unit) convert(column, *unit);
      if (!ys_.empty() && column.unit != ys_.front().unit)
        fail("bad_figure", "y: '{}' is in {}, '{}' in {}; one axis cannot show both", ys_.front().name,
             ys_.front().unit.empty() ? "plain numbers" : ys_.front().unit, name,
             column.unit.empty() ? "plain numbers" : column.unit);
      names += (names.empty() ? "" : ", ") + name;
      ys_.push_back(std::move(column));
    }
    if (of_values()) {
      const bool ecdf = request_.kind == FigureKind::ecdf;
      figure_.x = {request_.x_label.value_or(names), ys_.front().unit, request_.log_x};
      figure_.y = {request_.y_label.value_or(ecdf ? "share of values" : "values"),
                   request_.y_unit.value_or("")};
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
    if (figure_.kind == FigureKind::areas && places)
      fail("bad_figure", "x: areas need numbers, and '{}' has texts, such as '{}'; draw kind = \"stacked\"",
           x_->name, *x_->texts[x_->odd]);
    if (!places) {
      x_at_ = x_->numbers;
      figure_.joined = figure_.kind == FigureKind::areas;
      return;
    }
    if (request_.log_x)
      fail("bad_figure", "log_x: '{}' has {}, and no logarithm", x_->name,
           x_->numeric ? "a place for each value here" : "texts");
    x_at_ = places_of(*x_, figure_.x);
  }

  // The place of each row among the values of a column, NaN = none. Numbers are in ascending order, or the other way
  // round; texts in order of first appearance.
  static std::vector<double> places_of(const PlotColumn& column, Axis& axis, bool falling = false) {
    std::vector<double> at(column.texts.size(), kNaN);
    if (column.numeric) {
      std::map<double, double> order;
      for (const double value : column.numbers)
        if (!std::isnan(value)) order[value] = 0;
      for (auto& [value, place] : order) {
        place = static_cast<double>(axis.categories.size());
        axis.categories.push_back(text_of_cell(value));
      }
      if (falling) std::ranges::reverse(axis.categories);
      const double last = static_cast<double>(order.size()) - 1;
      for (std::size_t r = 0; r < at.size(); ++r)
        if (!std::isnan(column.numbers[r]))
          at[r] = falling ? last - order[column.numbers[r]] : order[column.numbers[r]];
    } else {
      std::map<std::string, double> order;
      for (std::size_t r = 0; r < at.size(); ++r) {
        if (!column.texts[r]) continue;
        const auto [found, is_new] = order.try_emplace(*column.texts[r], static_cast<double>(order.size()));
        if (is_new) axis.categories.push_back(*column.texts[r]);
        at[r] = found->second;
      }
    }
    return at;
  }

  // Places of both axes, and the values as the only column of numbers.
  void make_heat_axes() {
    figure_.kind = FigureKind::heatmap;
    PlotColumn values = column_of(table_, request_.value, "value");
    values.refuse_texts("value");
    if (request_.value_unit) convert(values, *request_.value_unit);
    figure_.value = {request_.value_label.value_or(values.name), values.unit};
    ys_.push_back(std::move(values));
    const auto axis_of = [&](const std::string& name, const char* what,
                             const std::optional<std::string>& label, const std::optional<std::string>& unit,
                             Axis& axis, bool falling) {
      PlotColumn column = column_of(table_, name, what);
      if (column.numeric && unit) convert(column, *unit);
      axis = {label.value_or(column.name), column.numeric ? column.unit : unit.value_or("")};
      return places_of(column, axis, falling);
    };
    x_at_ = axis_of(request_.x, "x", request_.x_label, request_.x_unit, figure_.x, false);
    y_at_ = axis_of(request_.y.front(), "y", request_.y_label, request_.y_unit, figure_.y, true);
  }

  // Calls f(row, y) for each chosen row and column that has a value, and counts the others.
  template <class F>
  void each(F&& f) {
    if (counting_) left_out_ = 0;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      if (chosen_ != nullptr && !(*chosen_)[row]) continue;
      for (std::size_t y = 0; y < ys_.size(); ++y) {
        if (std::isnan(ys_[y].numbers[row]) || (!x_at_.empty() && std::isnan(x_at_[row])) ||
            (!y_at_.empty() && std::isnan(y_at_[row])))
          left_out_ += counting_ ? 1 : 0;
        else
          f(row, y);
      }
    }
  }

  // Notes how many of the drawn values have no half-width although there is a column of them.
  void note_half_widths(const std::vector<std::optional<PlotColumn>>& halves) {
    std::string names;
    for (const auto& half : halves)
      if (half) names += (names.empty() ? "" : ", ") + half->name;
    if (names.empty()) return;
    note("error bars: ± " + names + given_counts(halves));
    std::size_t without = 0;
    each(
        [&](std::size_t row, std::size_t y) { without += halves[y] && std::isnan(halves[y]->numbers[row]); });
    if (without > 0) note(fmt::format("{} {} without", without, without == 1 ? "value" : "values"));
  }

  // " of n = 10", or " of n = 5 to 20", of the drawn values with an interval; empty where one of them has no n.
  std::string given_counts(const std::vector<std::optional<PlotColumn>>& halves) {
    std::size_t fewest = SIZE_MAX, most = 0;
    each([&](std::size_t row, std::size_t y) {
      if (!halves[y] || std::isnan(halves[y]->numbers[row])) return;
      fewest = std::min(fewest, counts_[y][row]);
      most = std::max(most, counts_[y][row]);
    });
    if (most == 0 || fewest == 0) return "";
    return fewest == most ? fmt::format(" of n = {}", most) : fmt::format(" of n = {} to {}", fewest, most);
  }

  // For each row, of how many values `y` with its half-width is the mean, as the column Y_n says, else the column n,
  // unless these are drawn themselves; 0 where there is no whole number.
  std::vector<std::size_t> counts_of(const PlotColumn& y) const {
    std::vector<std::size_t> counts(table_.rows.size(), 0);
    constexpr double kMost = 1e15;
    const auto is_drawn = [&](const std::string& name) {
      return name == request_.x || name == request_.by || std::ranges::count(request_.y, name) > 0 ||
             std::ranges::count(request_.facet, name) > 0;
    };
    for (const std::string& name : {y.name + "_n", std::string("n")}) {
      const auto found = std::ranges::find(table_.columns, name);
      if (found == table_.columns.end() || is_drawn(name)) continue;
      const auto place = static_cast<std::size_t>(found - table_.columns.begin());
      for (std::size_t row = 0; row < counts.size(); ++row) {
        if (place >= table_.rows[row].size()) continue;
        const auto* number = std::get_if<double>(&table_.rows[row][place]);
        if (number != nullptr && *number >= 1 && *number <= kMost && *number == std::floor(*number))
          counts[row] = static_cast<std::size_t>(*number);
      }
      break;
    }
    return counts;
  }

  std::optional<PlotColumn> half_width_of(const PlotColumn& y) const {
    const std::string name = y.name + "_half_width";
    if (std::find(table_.columns.begin(), table_.columns.end(), name) == table_.columns.end())
      return std::nullopt;
    PlotColumn half = column_of(table_, name, "y");
    half.refuse_texts("y");
    for (std::size_t row = 0; row < half.numbers.size(); ++row)
      if (half.numbers[row] < 0)
        fail("bad_figure", "row {}: '{}' must be >= 0, got {}", row + 1, name, half.texts[row].value_or("-"));
    const PlotColumn plain = column_of(table_, y.name, "y");
    half.unit = plain.unit;
    half.share = plain.share;
    if (request_.y_unit) half.convert(*request_.y_unit);
    return half;
  }

  std::vector<std::optional<PlotColumn>> half_widths() {
    std::vector<std::optional<PlotColumn>> all;
    all.reserve(ys_.size());
    for (const PlotColumn& y : ys_) {
      all.push_back(half_width_of(y));
      counts_.push_back(all.back() ? counts_of(y) : std::vector<std::size_t>());
    }
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
    const auto& halves = halves_;
    each([&](std::size_t row, std::size_t y) {
      auto& points = series_for(row, y).points;
      points.push_back(
          with_interval(x_at_[row], ys_[y].numbers[row], halves[y] ? halves[y]->numbers[row] : kNaN));
      if (halves[y]) points.back().n = counts_[y][row];
    });
  }

  void make_means() {
    const bool stacked = kind() == FigureKind::stacked || kind() == FigureKind::areas;
    const auto& halves = halves_;
    struct Group {
      std::vector<double> values;
      double half = kNaN;
      std::optional<std::size_t> n = {};  // that is given with the half-width
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
      group.n = counts_[y][row];
    });
    for (std::size_t s = 0; s < groups.size(); ++s)
      for (const auto& [x, group] : groups[s]) {
        const Interval interval = student_interval(group.values, request_.confidence);
        const bool given = group.values.size() == 1;
        figure_.series[s].points.push_back(
            with_interval(x, given ? group.values.front() : interval.mean,
                          given || stacked ? group.half : interval.half_width));
        figure_.series[s].points.back().n = group.n.value_or(group.values.size());
        count_means(group.values.size());
      }
  }

  void count_means(std::size_t values) {
    fewest_ = std::min(fewest_, values);
    largest_ = std::max(largest_, values);
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
  }

  // The values of each series.
  std::vector<std::vector<double>> values_by_series() {
    std::vector<std::vector<double>> values(figure_.series.size());
    each([&](std::size_t row, std::size_t y) {
      const auto s = static_cast<std::size_t>(&series_for(row, y) - figure_.series.data());
      values[s].push_back(ys_[y].numbers[row]);
    });
    return values;
  }

  // The bins of all series and panels.
  void find_edges() {
    if (request_.log_y)
      fail("bad_figure", "log_y: a histogram begins at 0, which a logarithmic axis does not have");
    std::vector<double> all;
    each([&](std::size_t row, std::size_t y) {
      const double value = ys_[y].numbers[row];
      if (request_.log_x && !(value > 0))
        fail("bad_figure", "{}: {} has no place on a logarithmic axis; leave log_x out", ys_[y].name,
             format_number(value));
      if (std::abs(value) > kLargestDrawn)
        fail("bad_figure", "{}: {} cannot be drawn; values up to {} can", ys_[y].name, format_number(value),
             kLargestDrawn);
      all.push_back(value);
    });
    if (all.empty()) fail("empty_figure", "there is nothing to draw");
    values_ = all.size();
    edges_ = bin_edges(all, request_.bins, request_.log_x);
  }

  void make_histogram() {
    const auto values = values_by_series();
    for (std::size_t s = 0; s < values.size(); ++s) figure_.series[s].bins = binned(values[s], edges_);
  }

  // The share of values that are at most so large, at each of them.
  void make_ecdf() {
    const double whole = figure_.y.unit == "%" ? 100 : 1;
    auto values = values_by_series();
    for (std::size_t s = 0; s < values.size(); ++s) {
      std::ranges::sort(values[s]);
      values_ += values[s].size();
      const auto count = static_cast<double>(values[s].size());
      if (values[s].empty()) continue;
      ++curves_;
      fewest_of_curve_ = std::min(fewest_of_curve_, values[s].size());
      most_of_curve_ = std::max(most_of_curve_, values[s].size());
      for (std::size_t i = 0; i < values[s].size(); ++i) {
        if (i + 1 < values[s].size() && values[s][i] == values[s][i + 1]) continue;
        Point& point = figure_.series[s].points.emplace_back();
        point = {values[s][i], whole * (static_cast<double>(i + 1) / count)};
        point.n = i + 1;
      }
    }
  }

  void make_cells() {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> groups;  // by row and column
    each([&](std::size_t row, std::size_t y) {
      groups[{static_cast<std::size_t>(y_at_[row]), static_cast<std::size_t>(x_at_[row])}].push_back(
          ys_[y].numbers[row]);
    });
    for (const auto& [place, values] : groups) {
      const double mean =
          values.size() == 1 ? values.front() : student_interval(values, request_.confidence).mean;
      figure_.series.front().cells.push_back({place.second, place.first, mean, values.size()});
      count_means(values.size());
    }
  }

  const Table& table_;
  const PlotRequest& request_;
  Figure figure_;
  std::vector<PlotColumn> ys_;
  std::optional<PlotColumn> x_, by_;
  std::vector<double> x_at_;  // a place or number for each row, NaN = none
  std::vector<double> y_at_;  // of a heat map: a place for each row
  std::vector<std::optional<PlotColumn>> halves_;
  std::vector<std::vector<std::size_t>> counts_;  // of each column with half-widths, by row; 0: not known
  std::vector<double> edges_;                     // of a histogram
  const std::vector<bool>* chosen_ = nullptr;     // the rows of the panel that is being made; null: all
  bool counting_ = true;
  std::size_t fewest_ = SIZE_MAX, largest_ = 0;                              // values of a mean
  std::size_t values_ = 0;                                                   // of a histogram or an ECDF
  std::size_t curves_ = 0, fewest_of_curve_ = SIZE_MAX, most_of_curve_ = 0;  // of an ECDF
  std::map<std::string, std::size_t> places_;
  std::size_t left_out_ = 0;
  std::set<std::size_t> without_by_;  // rows that are drawn
};

}  // namespace

Figure figure_of(const Table& rows, const PlotRequest& request) { return Maker(rows, request).make(); }

}  // namespace perigee::plots
