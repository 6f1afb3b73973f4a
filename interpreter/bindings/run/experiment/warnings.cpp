// Warnings about experiments.
#include "interpreter/bindings/run/experiment/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/experiments/report.h"

namespace perigee::bindings {

namespace {

constexpr std::size_t kMostWarnings = 20;

// The option --cell for a cell, quoted for a shell.
std::string cell_option(const Design& design, std::size_t nth, std::uint64_t number) {
  const std::string cell = nth == 0 ? fmt::format("{}", number) : fmt::format("{}:{}", design.name, number);
  if (nth == 0 || is_name(design.name, '-')) return "--cell " + cell;
  std::string quoted;
  for (const char c : cell) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return fmt::format("--cell '{}'", quoted);
}

// The kind of an error: its place, and its message without numbers. Errors of one kind are reported together.
std::string kind_of_error(const std::string& error) {
  std::string kind;
  const std::size_t place = error.find(": ");
  for (std::size_t i = 0; i < error.size(); ++i) {
    const bool digit = error[i] >= '0' && error[i] <= '9';
    if (!digit || (place != error.npos && i < place)) kind += error[i];
  }
  return kind;
}

// Warns of cells that failed. Cells that failed alike share one warning.
void warn_of_failures(Interpreter& interpreter, const Experiment& experiment, std::size_t nth) {
  const Design& design = experiment.design;
  std::map<std::string, std::size_t> count;
  for (const auto& [number, outcome] : experiment.outcomes)
    if (outcome.failed()) ++count[kind_of_error(outcome.error)];
  std::size_t told = 0, left = experiment.failed;
  for (const auto& [number, outcome] : experiment.outcomes) {
    if (!outcome.failed() || told == kMostWarnings) continue;
    const auto kind = count.extract(kind_of_error(outcome.error));
    if (kind.empty()) continue;
    const std::size_t alike = kind.mapped();
    ++told;
    left -= alike;
    const std::string hint = interpreter.options().interactive
                                 ? ""
                                 : fmt::format("; {} repeats {}", cell_option(design, nth, number),
                                               alike == 1 ? "it" : "the first");
    const std::string cells = alike == 1 ? design.cell_text(number)
                                         : fmt::format("{} of {} cells, first {},", alike,
                                                       experiment.outcomes.size(), design.cell_text(number));
    interpreter.output().warn(
        fmt::format("experiment '{}': {} failed: {}{}", design.name, cells, outcome.error, hint));
  }
  if (left > 0)
    interpreter.output().warn(
        fmt::format("experiment '{}': {} more cells failed; failures() lists them", design.name, left));
}

// Repeats, for each combination, the warnings of its runs.
void warn_of_warnings(Interpreter& interpreter, const Experiment& experiment, std::size_t nth) {
  const Design& design = experiment.design;
  const std::vector<WarningSum> sums = warning_sums(design, experiment.outcomes);
  for (std::size_t i = 0; i < std::min(sums.size(), kMostWarnings); ++i) {
    const WarningSum& sum = sums[i];
    const std::string levels = design.levels_text(sum.combination);
    const std::string hint = interpreter.options().interactive
                                 ? ""
                                 : fmt::format("; {} shows the first", cell_option(design, nth, sum.first));
    interpreter.output().warn(fmt::format("experiment '{}'{}{}: in {} of {} cells: {}{}", design.name,
                                          levels.empty() ? "" : ", ", levels, sum.cells, sum.of, sum.text(),
                                          hint));
  }
  if (sums.size() > kMostWarnings)
    interpreter.output().warn(fmt::format("experiment '{}': {} more such lines; warnings() lists them all",
                                          design.name, sums.size() - kMostWarnings));
}

// Warns of combinations that have all the replications that they may have, and not the precision asked for.
void warn_of_imprecision(Interpreter& interpreter, const Experiment& experiment) {
  const Design& design = experiment.design;
  std::vector<std::string> found = imprecise(design, experiment.outcomes);
  if (found.empty()) return;
  const std::size_t all = found.size();
  constexpr std::size_t kShown = 6;
  if (all > kShown) {
    found.resize(kShown);
    found.emplace_back("...");
  }
  const Replications& rule = design.replications;
  interpreter.output().warn(
      fmt::format("experiment '{}': {} of {} combinations reached {} replications, the most, with an "
                  "interval of '{}' that is wider than +- {}{}: {}",
                  design.name, all, design.combinations.size(), rule.most, rule.measure,
                  format_number(rule.relative ? 100 * rule.half_width : rule.half_width),
                  rule.relative ? " %" : "", fmt::join(found, "; ")));
}

// Warns of cells that were found in the store and are not used.
void warn_of_store(Interpreter& interpreter, const Experiment& experiment) {
  const std::string& name = experiment.design.name;
  if (experiment.others > 0) {
    std::vector<std::string> changed = experiment.changed;
    constexpr std::size_t kShown = 6;
    if (changed.size() > kShown) {
      changed.resize(kShown);
      changed.emplace_back("...");
    }
    interpreter.output().warn(fmt::format(
        "experiment '{}': the {} cells that were stored are not taken, for something has changed: {}", name,
        experiment.others,
        changed.empty() ? "how its parts hang together" : fmt::format("{}", fmt::join(changed, ", "))));
  }
  if (const auto& [cells, reads] = experiment.outdated; cells > 0)
    interpreter.output().warn(fmt::format(
        "experiment '{}': {} stored cell{} not taken, for something has changed that {} looked for: {}", name,
        cells, cells == 1 ? " is" : "s are", cells == 1 ? "it" : "they", fmt::join(reads, ", ")));
  if (experiment.damaged > 0)
    interpreter.output().warn(fmt::format("experiment '{}': {} stored cell{} damaged and computed anew", name,
                                          experiment.damaged, experiment.damaged == 1 ? " is" : "s are"));
}

}  // namespace

void warn_of_experiment(Interpreter& interpreter, const Experiment& experiment, std::size_t nth) {
  warn_of_store(interpreter, experiment);
  warn_of_failures(interpreter, experiment, nth);
  warn_of_warnings(interpreter, experiment, nth);
  if (!experiment.partial) warn_of_imprecision(interpreter, experiment);
}

}  // namespace perigee::bindings
