#include "interpreter/bindings/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/files.h"
#include "interpreter/bindings/items.h"
#include "interpreter/bindings/run/measured.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/show/items.h"
#include "interpreter/experiments/dealer.h"
#include "interpreter/experiments/page.h"
#include "interpreter/host/terminal.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/recorder.h"
#include "interpreter/session/replay_card.h"
#include "interpreter/values/runs.h"
#include "runtime/kernel/error.h"
#include "runtime/results/energy.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/resource_rows.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kStepsOfRecord = 50;  // a page tells of each record several times

// The page of anything: who made it, and the script at the end.
pages::Document begin(const Interpreter& interpreter, const std::string& title) {
  pages::Document document;
  document.title = title;
  document.made_by = fmt::format("Made by perigee {} for {}", PERIGEE_VERSION, interpreter.files().script());
  pages::Section first;
  if (const std::string description = session::description_of(interpreter); !description.empty())
    first.items.emplace_back(pages::Prose{description});
  document.sections.push_back(std::move(first));
  return document;
}

void end(pages::Document& document, const Interpreter& interpreter, std::vector<pages::Item> cards) {
  pages::Section section{"How to repeat it", std::move(cards)};
  section.items.insert(section.items.begin(), session::facts_of(interpreter));
  for (pages::Item& item : session::sources_of(interpreter)) section.items.push_back(std::move(item));
  document.sections.push_back(std::move(section));
}

void warn(pages::Section& section, const Outcome& outcome, const std::string& name) {
  pages::Warnings warnings;
  if (outcome.status != RunStatus::complete)
    warnings.lines.push_back(fmt::format("The run of {} is not complete: {} at t = {:g} s.", name,
                                         name_of(outcome.status), outcome.end));
  for (const std::string& line : outcome.waiting) warnings.lines.push_back(line);
  if (!warnings.lines.empty()) section.items.insert(section.items.begin(), std::move(warnings));
}

template <class Make>
void add_figure(pages::Section& section, const Outcome& outcome, const char* title, const char* file,
                Make&& make) {
  try {
    plots::Figure figure = make(outcome);
    figure.title = title;
    section.items.emplace_back(figure_item(figure, file));
  } catch (const Error&) {  // nothing ran, or the trace has not kept it
  }
}

template <class Make>
void add_table(pages::Section& section, const Outcome& outcome, const char* title, const char* file,
               bool folded, Make&& make) {
  try {
    pages::TableItem item;
    item.title = title;
    item.file = file;
    item.folded = folded;
    item.table = make(outcome);
    section.items.emplace_back(std::move(item));
  } catch (const Error&) {  // the trace has not kept it
  }
}

pages::TableItem metrics_item(const ResultValue& result) {
  pages::TableItem item;
  item.title = "Metrics";
  item.file = "metrics";
  item.table.columns = {"metric", "value", "unit", "meaning"};
  for (const MetricInfo& info : metric_infos()) {
    if (!result.measured().has(info.name)) continue;
    const double value = result.measured()[info.name];
    if (std::isnan(value)) continue;
    item.table.rows.push_back(
        {std::string(info.name), value, std::string(info.unit), std::string(info.what)});
  }
  return item;
}

std::vector<pages::Item> cards_of(const Interpreter& interpreter, const ResultValue& result) {
  return session::card_items(session::card_text(interpreter, *result.outcome, result.ordinal), "card.json");
}

pages::Document page_of_result(Interpreter& interpreter, const ResultValue& result,
                               const std::string& title) {
  const Outcome& outcome = *result.outcome;
  pages::Document document =
      begin(interpreter, title.empty() ? fmt::format("A run of {}", outcome.policy) : title);
  warn(document.sections.front(), outcome, outcome.policy);
  document.sections.push_back(
      {"What was run",
       {pages::Facts{{{"policy", outcome.policy},
                      {"seed", std::to_string(outcome.seed)},
                      {"hosts", std::to_string(outcome.scenario->platform->hosts().size())},
                      {"works", std::to_string(outcome.scenario->workload->size())},
                      {"status", std::string(name_of(outcome.status))},
                      {"fingerprint", outcome.physical.text()}}}}});
  pages::Section came{"What came out", {}};
  came.items.push_back(chart_item(outcome, "chart", whys_of(interpreter, result)));
  came.items.emplace_back(metrics_item(result));
  add_figure(came, outcome, "Cores that are busy, and that are up", "utilization", utilization_figure);
  add_figure(came, outcome, "Works that wait", "queue", queue_figure);
  add_figure(came, outcome, "Power by state of the hosts", "power", power_figure);
  add_table(came, outcome, "Works", "jobs", true, results::jobs);
  add_table(came, outcome, "Hosts and links", "resources", true, results::resources);
  document.sections.push_back(std::move(came));
  end(document, interpreter, cards_of(interpreter, result));
  return document;
}

pages::Document page_of_comparison(Interpreter& interpreter, const ComparisonValue& comparison,
                                   const std::string& title) {
  pages::Document document = begin(
      interpreter, title.empty() ? fmt::format("A comparison of {} runs", comparison.results.size()) : title);
  if (!comparison.results.empty()) {
    const Outcome& first = *comparison.results.front().outcome;
    document.sections.push_back(
        {"What was run",
         {pages::Facts{{{"runs", std::to_string(comparison.results.size())},
                        {"hosts of the first", std::to_string(first.scenario->platform->hosts().size())},
                        {"works of the first", std::to_string(first.scenario->workload->size())}}}}});
  }
  pages::Section came{"What came out", {}};
  pages::TableItem table = comparison_item(comparison);
  table.title = "The best value of each column has a star";
  came.items.emplace_back(std::move(table));
  std::vector<const Outcome*> outcomes;
  std::vector<std::string> titles;
  std::vector<pages::Whys> whys;
  pages::TableItem runs;
  runs.title = "Runs";
  runs.file = "runs";
  runs.table.columns = {"policy", "seed", "status", "fingerprint"};
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const ResultValue& result = comparison.results[i];
    const Outcome& outcome = *result.outcome;
    outcomes.push_back(&outcome);
    titles.push_back(i < comparison.names.size() ? comparison.names[i] : outcome.policy);
    whys.push_back(i < 2 ? whys_of(interpreter, result) : pages::Whys());
    warn(document.sections.front(), outcome, titles.back());
    runs.table.rows.push_back({outcome.policy, std::to_string(outcome.seed),
                               std::string(name_of(outcome.status)), outcome.physical.text()});
  }
  constexpr std::size_t kMostCharts = 12;
  if (outcomes.size() > kMostCharts) {
    came.items.emplace_back(pages::Prose{
        fmt::format("Charts of the first {} of {} runs are in this page.", kMostCharts, outcomes.size())});
    outcomes.resize(kMostCharts);
    titles.resize(kMostCharts);
  }
  came.items.push_back(charts_item(outcomes, titles, "charts", whys));
  came.items.emplace_back(std::move(runs));
  document.sections.push_back(std::move(came));
  end(document, interpreter,
      comparison.results.empty() ? std::vector<pages::Item>()
                                 : cards_of(interpreter, comparison.results.back()));
  return document;
}

pages::Document page_of_experiment(Interpreter& interpreter, const experiments::Experiment& experiment,
                                   const std::string& title) {
  pages::Document document =
      begin(interpreter, title.empty() ? fmt::format("The experiment {}", experiment.design.name) : title);
  document.sections.push_back(
      experiments::section_of(experiment.design, experiment.outcomes, 0,
                              [&](plots::Figure& figure) { interpreter.series_looks().give(figure); }));
  end(document, interpreter, {});
  return document;
}

// Two runs of a duel as charts with their decisions, or nothing where its sides are no runs.
void add_report_charts(lua_State* L, pages::Section& section, DuelValue& duel, const Datum& value) {
  const Balanced balanced(L);
  if (!push_comparison(L, duel, value)) return;
  const auto& both = check<ComparisonValue>(L, -1);
  std::vector<const Outcome*> outcomes;
  std::vector<pages::Whys> whys;
  for (const ResultValue& result : both.results) {
    outcomes.push_back(result.outcome.get());
    whys.push_back(whys_of(Interpreter::of(L), result));
  }
  section.items.emplace_back(comparison_item(both));
  section.items.push_back(charts_item(outcomes, both.names, "charts", whys));
}

pages::Document page_of_duel(lua_State* L, DuelValue& duel, const std::string& title) {
  Interpreter& interpreter = Interpreter::of(L);
  const Compared& compared = duel.design.compared;
  const std::string &a = compared.sides[0].text, &b = compared.sides[1].text;
  pages::Document document =
      begin(interpreter, title.empty() ? fmt::format("Where {} loses to {}", a, b) : title);
  pages::Section what{"What was searched", {}};
  what.items.emplace_back(pages::Facts{{{"a", a},
                                        {"b", b},
                                        {"space", compared.space->name},
                                        {"measure", compared.measure_text()},
                                        {"search", duel.design.search->text()},
                                        {"evaluations", std::to_string(duel.found.evaluations)},
                                        {"seed", std::to_string(compared.seed)}}});
  if (const std::vector<std::string> lines = uncounted_lines(duel.found); !lines.empty())
    document.sections.front().items.emplace_back(pages::Warnings{lines});
  document.sections.push_back(std::move(what));
  pages::Section found{"What was found", {}};
  found.items.emplace_back(pages::Text{page_of(L, duel, PageOf::words)});
  add_report_charts(L, found, duel, duel.small ? duel.small->value : duel.worst());
  found.items.emplace_back(pages::TableItem{.title = "The ratio when numbers are shaken",
                                            .file = "shaken",
                                            .table = rows_of_shaken(shaken_of(L, duel))});
  found.items.emplace_back(pages::TableItem{
      .title = "How the search came to it", .file = "history", .table = history_of(duel), .folded = true});
  document.sections.push_back(std::move(found));
  end(document, interpreter, {});
  return document;
}

}  // namespace

int report(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    const auto asked = text_at(L, 2);
    if (!asked || asked->empty())
      fail("bad_type", "report: the name of a file is needed, as in r:report \"run.html\", got {}",
           shown(L, 2));
    std::string name(*asked);
    if (name.ends_with('/')) fail("bad_type", "report: '{}' names a folder; a file is needed", name);
    if (!name.ends_with(".html")) name += ".html";
    std::string title;
    if (!lua_isnoneornil(L, 3))
      title = Fields(L, 3, {"report"}, report_fields::kAll).text(report_fields::kTitle);
    const auto* result = test<ResultValue>(L, 1);
    const auto* comparison = test<ComparisonValue>(L, 1);
    if (result != nullptr) did_work(kStepsOfRecord * result->outcome->trace.size());
    if (comparison != nullptr)
      for (const ResultValue& each : comparison->results)
        did_work(kStepsOfRecord * each.outcome->trace.size());
    if (interpreter.checking() || !interpreter.writes()) {
      lua_settop(L, 1);
      return 1;
    }
    place_for(L, name);  // errors come before the work
    auto* const duel = test<DuelPtr>(L, 1);
    const pages::Document document =
        duel != nullptr     ? page_of_duel(L, **duel, title)
        : result != nullptr ? page_of_result(interpreter, *result, title)
        : comparison != nullptr
            ? page_of_comparison(interpreter, *comparison, title)
            : page_of_experiment(interpreter, *check<experiments::ExperimentPtr>(L, 1), title);
    write_below_out(L, {{name, pages::page_of(document)}});
    lua_settop(L, 1);
    return 1;
  });
}

}  // namespace perigee::bindings
