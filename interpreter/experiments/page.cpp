#include "interpreter/experiments/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "interpreter/experiments/archive.h"
#include "interpreter/experiments/cell_rows.h"
#include "interpreter/experiments/lock.h"
#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/report.h"
#include "interpreter/experiments/store.h"
#include "interpreter/session/temporary_folder.h"
#include "runtime/kernel/error.h"
#include "runtime/plots/plot.h"

namespace perigee::experiments {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostMeasures = 8;  // in the first table
constexpr std::size_t kMostFigures = 4;
constexpr double kConfidence = 0.95;

// The measures that most people look at, where there are many.
std::vector<std::string> chosen_measures(const std::vector<std::string>& all) {
  if (all.size() <= kMostMeasures) return all;
  constexpr std::array<std::string_view, 6> kUsual = {"makespan",      "mean_wait",   "mean_response",
                                                      "mean_slowdown", "utilization", "lost"};
  std::vector<std::string> chosen;
  for (const std::string_view each : kUsual)
    if (std::ranges::find(all, each) != all.end()) chosen.emplace_back(each);
  for (const std::string& each : all)
    if (chosen.size() < kMostMeasures && std::ranges::find(chosen, each) == chosen.end())
      chosen.push_back(each);
  return chosen;
}

std::string levels_of(const Factor& factor) {
  std::vector<std::string> levels;
  for (const Cell& level : factor.levels) levels.push_back(text_of(level));
  return fmt::format("{}", fmt::join(levels, ", "));
}

std::string replications_of(const Replications& rule) {
  if (rule.least == rule.most) return std::to_string(rule.least);
  return fmt::format(
      "{} to {}, until the {:g} % interval of the mean of {} is within {} {}", rule.least, rule.most,
      100 * rule.confidence, rule.measure,
      rule.relative ? fmt::format("{:g} %", 100 * rule.half_width) : fmt::format("{:g}", rule.half_width),
      rule.relative ? "of it" : "of it, in its unit");
}

bool is_numeric(const Factor& factor) {
  return std::ranges::all_of(factor.levels,
                             [](const Cell& level) { return std::holds_alternative<double>(level); });
}

pages::TableItem table_item(std::string title, std::string file, Table table, bool folded = false) {
  pages::TableItem item;
  item.title = std::move(title);
  item.file = std::move(file);
  item.table = std::move(table);
  item.folded = folded;
  return item;
}

// A figure of the means against the factors, of which there are one or two.
void add_figure(pages::Section& section, const Design& design, const Table& means, const std::string& measure,
                const std::function<void(plots::Figure&)>& look) {
  if (design.factors.empty() || design.factors.size() > 2) return;
  std::size_t x = 0;
  for (std::size_t f = 0; f < design.factors.size(); ++f)
    if (is_numeric(design.factors[f]) && !is_numeric(design.factors[x])) x = f;
  PlotRequest request;
  request.x = design.factors[x].name;
  request.y = {measure};
  if (design.factors.size() == 2) request.by = design.factors[1 - x].name;
  try {
    Figure figure = figure_of(means, request);
    if (look) look(figure);
    const std::string file = fmt::format("{}-{}", design.name, measure);
    section.items.emplace_back(
        pages::FigureItem{measure, file, page_svg(figure, {.title = false}), data(figure)});
  } catch (const Error&) {  // no finished cell has the measure, or there is too much for a figure
  }
}

}  // namespace

pages::Section section_of(const Design& design, const CellOutcomes& outcomes, std::uint64_t cells,
                          const std::function<void(plots::Figure&)>& look) {
  pages::Section section{fmt::format("Experiment {}", design.name), {}};
  std::size_t failed = 0;
  for (const auto& [number, outcome] : outcomes) failed += outcome.failed() ? 1 : 0;
  pages::Warnings warnings;
  if (cells > outcomes.size())
    warnings.lines.push_back(fmt::format("{} of {} cells are missing: the experiment is not complete.",
                                         cells - outcomes.size(), cells));
  if (failed > 0) warnings.lines.push_back(fmt::format("{} of {} cells failed.", failed, outcomes.size()));
  for (const std::string& each : imprecise(design, outcomes))
    warnings.lines.push_back("The interval is wider than asked for: " + each);
  if (!warnings.lines.empty()) section.items.emplace_back(std::move(warnings));
  pages::Facts facts;
  for (const Factor& factor : design.factors)
    facts.rows.emplace_back("factor " + factor.name, levels_of(factor));
  facts.rows.emplace_back("combinations", std::to_string(design.combinations.size()));
  facts.rows.emplace_back("replications of each", replications_of(design.replications));
  facts.rows.emplace_back("cells", cells > outcomes.size() ? fmt::format("{} of {}", outcomes.size(), cells)
                                                           : std::to_string(outcomes.size()));
  section.items.emplace_back(std::move(facts));
  const std::vector<std::string> measures = measures_of(outcomes);
  if (!measures.empty()) {
    const std::vector<std::string> chosen = chosen_measures(measures);
    const Table means = mean_table(design, outcomes, chosen, kConfidence);
    section.items.emplace_back(
        table_item("Means; half-widths are those of 95 % Student intervals", design.name + "-means", means));
    for (std::size_t i = 0; i < std::min(chosen.size(), kMostFigures); ++i)
      add_figure(section, design, means, chosen[i], look);
    if (chosen.size() < measures.size())
      section.items.emplace_back(table_item("Means of all measures", design.name + "-all",
                                            mean_table(design, outcomes, measures, kConfidence), true));
  }
  if (failed > 0)
    section.items.emplace_back(
        table_item("Cells that failed", design.name + "-failures", failure_table(design, outcomes)));
  if (const Table warned = warning_table(design, outcomes); !warned.rows.empty())
    section.items.emplace_back(table_item("Warnings of cells", design.name + "-warnings", warned));
  section.items.emplace_back(table_item("All cells", design.name, cell_table(design, outcomes), true));
  return section;
}

namespace {

Cell page_level(const nlohmann::json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_boolean()) return json.get<bool>();
  return json.is_string() ? json.get<std::string>() : json.dump();
}

// Cells of a store, row by row.
class StoredCells {
 public:
  explicit StoredCells(const std::string& name) { stored_.design.name = name; }

  // The factors are an object.
  void add(const nlohmann::json& factors, std::uint64_t replication, std::uint64_t seed,
           CellOutcome outcome) {
    stored_.knows_seeds = stored_.knows_seeds && stored_.design.seed_of(replication) == seed;
    std::vector<std::uint32_t> combination(stored_.design.factors.size());
    for (const auto& [name, value] : factors.items()) {
      const std::size_t factor = place_of(name);
      if (combination.size() <= factor) combination.resize(factor + 1);
      combination[factor] = level_in(factor, value);
    }
    Design& design = stored_.design;
    const auto [at, is_new] = combinations_.try_emplace(combination, design.combinations.size());
    if (is_new) design.combinations.push_back(std::move(combination));
    cells_.insert_or_assign({at->second, replication}, std::move(outcome));
    design.replications.least = design.replications.most = std::max(design.replications.most, replication);
  }

  StoredExperiment experiment() && {
    for (auto& [at, outcome] : cells_)
      stored_.outcomes.emplace(stored_.design.number(at.first, at.second), std::move(outcome));
    return std::move(stored_);
  }

 private:
  std::size_t place_of(const std::string& factor) {
    std::vector<Factor>& factors = stored_.design.factors;
    const auto at = std::ranges::find(factors, factor, &Factor::name);
    if (at != factors.end()) return static_cast<std::size_t>(at - factors.begin());
    factors.push_back({factor, {}});
    levels_.emplace_back();
    return factors.size() - 1;
  }
  std::uint32_t level_in(std::size_t factor, const nlohmann::json& value) {
    std::vector<Cell>& levels = stored_.design.factors[factor].levels;
    const auto [at, is_new] =
        levels_[factor].try_emplace(value.dump(), static_cast<std::uint32_t>(levels.size()));
    if (is_new) levels.push_back(page_level(value));
    return at->second;
  }

  StoredExperiment stored_;
  std::vector<std::map<std::string, std::uint32_t>> levels_;  // by factor, of each level's text
  std::map<std::vector<std::uint32_t>, std::size_t> combinations_;
  std::map<std::pair<std::size_t, std::uint64_t>, CellOutcome> cells_;
};

// Copies a store that a killed run left open, so that it can be closed without a change of the folder.
void copy_store(const std::string& from, const std::string& to) {
  for (const std::string end : {"", "-wal"}) {
    const fs::path source = fs::path(from) / (kStoreFile + end);
    std::error_code error;
    fs::copy_file(source, fs::path(to) / (kStoreFile + end), error);
    if (error) fail("no_store", "{} cannot be copied: {}", source.string(), error.message());
  }
  open_for_writing(to, false);
}

}  // namespace

pages::Section section_of(const StoredExperiment& stored) {
  pages::Section section = section_of(stored.design, stored.outcomes, stored.cells);
  for (pages::Item& item : section.items)  // the store does not say how many were asked for
    if (auto* facts = std::get_if<pages::Facts>(&item))
      for (auto& [name, value] : facts->rows)
        if (name == "replications of each") value = fmt::format("up to {} so far", value);
  if (stored.knows_seeds) return section;
  for (pages::Item& item : section.items) {
    auto* table = std::get_if<pages::TableItem>(&item);
    if (table == nullptr) continue;
    auto& [columns, rows, units] = table->table;
    const auto seed = std::ranges::find(columns, "seed") - columns.begin();
    if (static_cast<std::size_t>(seed) == columns.size()) continue;
    columns.erase(columns.begin() + seed);
    if (!units.empty()) units.erase(units.begin() + seed);
    for (auto& row : rows) row.erase(row.begin() + seed);
  }
  return section;
}

std::vector<StoredExperiment> stored_experiments(const std::string& folder) {
  const FolderLock lock(folder, FolderLock::Kind::reading);
  std::optional<session::TemporaryFolder> copy;
  const auto opened = [&] {
    try {
      return open_for_reading(folder);
    } catch (const Error& error) {
      if (error.diagnostic().code != "not_closed") throw;
    }
    copy_store(folder, copy.emplace().path());
    return open_for_reading(copy->path());
  };
  Archive archive = opened();
  Database& database = archive.database();
  std::map<std::string, std::int64_t> latest;
  std::vector<std::string> order;
  {
    const Statement keys = database.prepare("SELECT experiment, number FROM keys ORDER BY entered");
    for (sqlite3_stmt* row = keys.get(); database.step(row);) {
      const std::string name(text_at(row, 0));
      if (!latest.contains(name)) order.push_back(name);
      latest[name] = number_at(row, 1);
    }
  }
  const auto progress = ProgressState::in(folder);
  std::vector<StoredExperiment> all;
  for (const std::string& name : order) {
    StoredCells cells(name);
    const Statement rows = database.prepare(
        "SELECT factors, replication, measures, warnings, reads, seed FROM results JOIN combinations ON combinations.number "
        "= results.combination WHERE key = ? ORDER BY replication, combination");
    const Use use(rows);
    set(rows.get(), 1, latest[name]);
    while (database.step(rows.get())) {
      try {
        const nlohmann::json factors = nlohmann::json::parse(text_at(rows.get(), 0));
        const std::int64_t replication = number_at(rows.get(), 1);
        if (!factors.is_object() || replication < 1) continue;
        cells.add(factors, static_cast<std::uint64_t>(replication),
                  static_cast<std::uint64_t>(number_at(rows.get(), 5)),
                  outcome_of(text_at(rows.get(), 2), text_at(rows.get(), 3), text_at(rows.get(), 4)));
      } catch (const nlohmann::json::exception&) {  // not perigee's
      }
    }
    StoredExperiment stored = std::move(cells).experiment();
    if (progress) {
      for (const auto& each : progress->earlier)
        if (each.name == name) stored.cells = each.cells;
      if (progress->now.name == name) stored.cells = progress->now.cells;
    }
    all.push_back(std::move(stored));
  }
  return all;
}

}  // namespace perigee::experiments
