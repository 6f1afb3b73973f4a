#include "runtime/plots/column.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/results/metrics.h"

namespace perigee::plots {
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

}  // namespace

void PlotColumn::refuse_texts(const char* what) const {
  if (!numeric)
    fail("bad_figure", "{}: the column '{}' has texts, such as '{}' in row {}; numbers are needed", what,
         name, *texts[odd], odd + 1);
}

bool PlotColumn::convert(const std::string& to) {
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

std::string text_of_cell(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return format_number(*number == 0 ? 0 : *number);
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

namespace {

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

  PlotColumn read() {
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
                                                                       : std::optional(text_of_cell(in)));
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
  PlotColumn column_;
  std::size_t numbers_ = 0, texts_ = 0, quantities_ = 0;
  std::optional<UnitOf> unit_;
  std::optional<std::size_t> first_text_, first_plain_;  // rows
};

}  // namespace

PlotColumn column_of(const Table& table, const std::string& name, const char* what) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end())
    fail("unknown_column", "{}: there is no column '{}'{}", what, name, one_of(name, table.columns));
  return ColumnReader(table, static_cast<std::size_t>(found - table.columns.begin()), name, what).read();
}

}  // namespace perigee::plots
