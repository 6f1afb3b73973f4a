// workload.grid { { "sensors", from = 150, to = 169, step = 1 }, { "velocity", 0.40, 0.41 } }: the runs of a
// parameter grid.
#include <fmt/format.h>

#include <cmath>

#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/language/fields/work.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"

namespace perigee::bindings {

namespace {

struct Axis {
  std::string name;
  std::vector<Cell> values;
};

// The same as Fields::fail, with an error code of its own.
template <class... Args>
[[noreturn]] void refuse(const Fields& fields, const FieldRow* field, fmt::format_string<Args...> format,
                         Args&&... args) {
  fail_at(fields.where(field == nullptr ? "" : field->name), "bad_sweep", "{}: {}", fields.subject(),
          fmt::format(format, std::forward<Args>(args)...));
}

// Adds from, from + step, ..., either `count` values or values up to `to`.
void add_steps(const Fields& fields, std::vector<Cell>& values) {
  const double from = fields.number(grid_fields::kFrom);
  const bool ends = fields.has(grid_fields::kTo), steps = fields.has(grid_fields::kStep),
             counted = fields.has(grid_fields::kCount);
  if (int{ends} + int{steps} + int{counted} != 2)
    refuse(fields, &grid_fields::kFrom, "two of to, step and count go with from");
  const double to = ends ? fields.number(grid_fields::kTo) : 0;
  std::int64_t count = counted ? fields.integer(grid_fields::kCount) : 0;
  if (ends && to < from) refuse(fields, &grid_fields::kTo, "to must be >= from = {}, got {}", from, to);
  double step = 0;
  if (steps) {
    step = fields.number(grid_fields::kStep);
    if (!(step > 0)) refuse(fields, &grid_fields::kStep, "step must be > 0, got {}", step);
  } else {
    if (count == 1 && to != from)
      refuse(fields, &grid_fields::kCount, "one value cannot be both {} and {}", from, to);
    step = count > 1 ? (to - from) / static_cast<double>(count - 1) : 0;
  }
  if (!counted) {
    const double whole = std::round((to - from) / step);
    if (std::fabs((to - from) / step - whole) > 1e-6)
      refuse(fields, &grid_fields::kStep, "from {} to {} are not whole steps of {}", from, to, step);
    if (whole >= grid_fields::kMostPoints)
      refuse(fields, &grid_fields::kStep, "{} values are more than {}", whole + 1, grid_fields::kMostPoints);
    count = static_cast<std::int64_t>(whole) + 1;
  }
  for (std::int64_t i = 0; i < count; ++i) values.emplace_back(from + static_cast<double>(i) * step);
}

// Reads { name, value, ... } or { name, from =, ... } on top of the stack.
Axis axis_at(lua_State* L, std::int64_t number) {
  const int table = lua_gettop(L);
  std::string named;
  if (lua_type(L, table) == LUA_TTABLE) {
    if (lua_rawgeti(L, table, 1) == LUA_TSTRING) named = *text_at(L, -1);
    lua_pop(L, 1);
  }
  const Fields fields(L, table, {"workload.grid: parameter", named, number}, grid_fields::kAll, true);
  Axis axis{named, {}};
  if (named.empty()) refuse(fields, nullptr, "its name comes first, as in {{ \"x\", 1, 2, 3 }}");
  for (std::int64_t i = 2; i <= fields.count(); ++i) {
    lua_rawgeti(L, table, i);
    if (const auto text = text_at(L, -1))
      axis.values.emplace_back(std::string(*text));
    else
      axis.values.emplace_back(number_at(L, -1, fmt::format("{}: value {}", fields.subject(), i - 1),
                                         Dimension::count, kAnyNumber));
    lua_pop(L, 1);
  }
  if (fields.has(grid_fields::kFrom)) {
    if (!axis.values.empty()) refuse(fields, &grid_fields::kFrom, "it has values, and a from");
    add_steps(fields, axis.values);
  } else if (fields.has(grid_fields::kTo) || fields.has(grid_fields::kStep) ||
             fields.has(grid_fields::kCount)) {
    refuse(fields, nullptr, "from is missing");
  }
  if (axis.values.empty()) refuse(fields, nullptr, "it has no values");
  return axis;
}

}  // namespace

int sweep_grid(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"workload.grid"}, {}, true);
    std::vector<Axis> axes;
    double points = 1;
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, 1, i);
      axes.push_back(axis_at(L, i));
      lua_pop(L, 1);
      for (std::size_t other = 0; other + 1 < axes.size(); ++other)
        if (axes[other].name == axes.back().name)
          refuse(fields, nullptr, "two parameters are called '{}'", axes.back().name);
      points *= static_cast<double>(axes.back().values.size());
    }
    if (axes.empty()) refuse(fields, nullptr, "it has no parameters");
    if (points > grid_fields::kMostPoints)
      refuse(fields, nullptr, "{} points are more than {}", points, grid_fields::kMostPoints);
    Table table;
    for (const Axis& axis : axes) table.columns.push_back(axis.name);
    table.rows.reserve(static_cast<std::size_t>(points));
    std::vector<std::size_t> at(axes.size(), 0);
    for (std::size_t row = 0; row < static_cast<std::size_t>(points); ++row) {
      auto& cells = table.rows.emplace_back();
      for (std::size_t a = 0; a < axes.size(); ++a) cells.push_back(axes[a].values[at[a]]);
      for (std::size_t a = axes.size(); a-- > 0;) {  // the last one varies fastest
        if (++at[a] < axes[a].values.size()) break;
        at[a] = 0;
      }
    }
    push_table(L, table);
    return 1;
  });
}

}  // namespace perigee::bindings
