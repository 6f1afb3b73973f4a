#include "runtime/results/job_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {
namespace {

// The class of a value: how many borders are below it.
std::size_t class_of(double value, const std::vector<double>& borders) {
  return static_cast<std::size_t>(std::ranges::lower_bound(borders, value) - borders.begin());
}

std::string width_text(std::size_t at, const std::vector<double>& borders) {
  if (borders.empty()) return "all";
  if (at == borders.size()) return fmt::format("above {}", format_number(borders.back()));
  const double least = at == 0 ? 1 : borders[at - 1] + 1;
  if (least >= borders[at]) return format_number(borders[at]);
  return fmt::format("{}-{}", format_number(least), format_number(borders[at]));
}

std::string length_text(std::size_t at, const std::vector<Seconds>& borders) {
  const auto shown = [&](std::size_t i) { return format_quantity(borders[i], Dimension::seconds); };
  if (borders.empty()) return "all";
  if (at == 0) return "up to " + shown(0);
  if (at == borders.size()) return "above " + shown(at - 1);
  return shown(at - 1) + " to " + shown(at);
}

struct ClassTotals {
  std::size_t works = 0, killed = 0;
  double core_seconds = 0;
  Totals wait, response, slowdown, bounded_slowdown;
};

}  // namespace

std::vector<ClassRow> class_rows(const Outcome& outcome, const ClassBorders& borders) {
  const std::size_t lengths = borders.lengths.size() + 1;
  std::vector<ClassTotals> all((borders.widths.size() + 1) * lengths);
  for (const JobRow& row : job_rows(outcome)) {
    if (row.kind != WorkKind::job && row.kind != WorkKind::task) continue;
    if (std::isnan(row.finish) || row.finish < outcome.warmup || std::isnan(row.run)) continue;
    const double width = borders.by_nodes ? row.nodes : row.cores;
    ClassTotals& of = all[class_of(width, borders.widths) * lengths + class_of(row.run, borders.lengths)];
    ++of.works;
    if (row.state == WorkState::killed) ++of.killed;
    of.core_seconds += row.core_seconds;
    of.wait.add(row.wait);
    of.response.add(row.response);
    of.slowdown.add(row.slowdown);
    of.bounded_slowdown.add(row.bounded_slowdown);
  }
  std::vector<ClassRow> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ClassTotals& of = all[i];
    if (of.works == 0) continue;
    rows.push_back({width_text(i / lengths, borders.widths), length_text(i % lengths, borders.lengths),
                    of.works, of.killed, of.core_seconds, of.wait.mean(), of.response.mean(),
                    of.slowdown.mean(), of.bounded_slowdown.mean()});
  }
  return rows;
}

Table classes(const Outcome& outcome, const ClassBorders& borders) {
  Table table;
  table.columns = {"width",         "length",        "works",
                   "killed",        "core_seconds",  "mean_wait",
                   "mean_response", "mean_slowdown", "mean_bounded_slowdown"};
  table.units = {"", "", "works", "works", "s", "s", "s", "", ""};
  for (const ClassRow& row : class_rows(outcome, borders))
    table.rows.push_back({row.width, row.length, static_cast<double>(row.works),
                          static_cast<double>(row.killed), row.core_seconds, row.mean_wait, row.mean_response,
                          row.mean_slowdown, row.mean_bounded_slowdown});
  return table;
}

}  // namespace perigee::results
