#include "runtime/results/compare.h"

#include <algorithm>
#include <cmath>

#include "runtime/results/difference.h"
#include "runtime/results/metrics.h"

namespace perigee::results {
namespace {

std::vector<std::string> chosen(std::span<const std::string> metrics) {
  if (!metrics.empty()) return {metrics.begin(), metrics.end()};
  return {"makespan", "mean_wait", "mean_response", "mean_slowdown", "utilization", "lost"};
}

}  // namespace

Table comparison(std::span<const Outcome> outcomes, std::span<const std::string> metrics,
                 std::span<const std::string> called) {
  const std::vector<std::string> names = chosen(metrics);
  Table table;
  if (!called.empty()) {
    table.columns.emplace_back("name");
    table.units.emplace_back();
  }
  table.columns.emplace_back("policy");
  table.units.emplace_back();
  for (const std::string& name : names) {
    table.units.emplace_back(metric_info(name).unit);
    table.columns.push_back(name);
  }
  table.columns.emplace_back("status");
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    const Metrics measured = measure(outcome);
    std::vector<Cell> row;
    if (!called.empty()) row.emplace_back(called[i]);
    row.emplace_back(outcome.policy);
    for (const std::string& name : names) row.emplace_back(measured[name]);
    row.emplace_back(std::string(name_of(outcome.status)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<bool> best_cells(const Table& table, std::span<const Outcome> outcomes,
                             std::span<const std::string> metrics, std::span<const std::string> called) {
  const std::vector<std::string> names = chosen(metrics);
  const std::size_t first = called.empty() ? 1 : 2;  // the column of the first metric
  const bool any_complete = std::any_of(outcomes.begin(), outcomes.end(),
                                        [](const Outcome& o) { return o.status == RunStatus::complete; });
  // The best value says nothing about a policy where the scenarios differ.
  const bool comparable = std::ranges::all_of(
      outcomes, [&](const Outcome& outcome) { return same_scenario(outcomes.front(), outcome); });
  std::vector<bool> marked(table.rows.size() * table.columns.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Better better = metric_info(names[c]).better;
    if (better == Better::neither || !comparable) continue;
    double best = std::numeric_limits<double>::quiet_NaN();
    bool differ = false;
    const auto value = [&](std::size_t r) {
      if (any_complete && outcomes[r].status != RunStatus::complete)
        return std::numeric_limits<double>::quiet_NaN();
      return std::get<double>(table.rows[r][c + first]);
    };
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const double x = value(r);
      if (std::isnan(x)) continue;
      if (!std::isnan(best) && x != best) differ = true;
      if (std::isnan(best) || (better == Better::lower ? x < best : x > best)) best = x;
    }
    if (!differ) continue;
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      marked[r * table.columns.size() + c + first] = value(r) == best;
  }
  return marked;
}

std::string comparison_table(std::span<const Outcome> outcomes, std::span<const std::string> metrics,
                             std::span<const std::string> called, std::size_t most) {
  const Table table = comparison(outcomes, metrics, called);
  return table.text(best_cells(table, outcomes, metrics, called), most);
}

}  // namespace perigee::results
