#include "interpreter/bindings/show/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/show/tables.h"
#include "interpreter/host/natives.h"
#include "interpreter/host/unknown.h"
#include "interpreter/session/interpreter.h"
#include "runtime/kernel/error.h"
#include "runtime/results/compare.h"
#include "runtime/results/difference.h"

namespace perigee::bindings {

namespace {

const char* const kAskWhy =
    "The page does not say why; ask r:why(\"NAME\") in the script or at the prompt, with the name of the task or job.";

// A plan that no policy has made has no name of its own, and no seed.
std::string title_of(const Outcome& outcome) { return outcome.policy.empty() ? "a plan" : outcome.policy; }

// The table of a list that push_table has pushed; nothing for any other value, and for lists that the script has
// changed so that they are no table.
std::optional<Table> table_at(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || luaL_getmetafield(L, index, "units") == LUA_TNIL)
    return std::nullopt;
  lua_pop(L, 1);
  try {
    Table table = columns_of(L, index);
    if (!fill_cells(L, index, table, [](const std::string&) { return true; })) return std::nullopt;
    return table;
  } catch (const ScriptError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

pages::TableItem comparison_item(const ComparisonValue& comparison) {
  const std::vector<Outcome> outcomes = outcomes_of(comparison);
  pages::TableItem item;
  item.file = "comparison";
  item.table = results::comparison(outcomes, comparison.metrics, comparison.names);
  const std::vector<bool> best =
      results::best_cells(item.table, outcomes, comparison.metrics, comparison.names);
  for (std::size_t i = 0; i < best.size(); ++i)
    if (best[i]) item.marked.push_back(i);
  return item;
}

pages::FigureItem figure_item(const results::Figure& figure, const std::string& file) {
  return {figure.title, file, page_svg(figure, {.title = false}), data(figure)};
}

pages::Item chart_item(const Outcome& outcome, const std::string& file, const pages::Whys& whys) {
  return charts_item({&outcome}, {}, file, {whys});
}

pages::Item charts_item(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& titles,
                        const std::string& file, const std::vector<pages::Whys>& whys) {
  std::vector<nlohmann::json> runs;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    pages::Whys why;
    if (i < whys.size()) why = whys[i];
    if (why.texts.empty() && why.left_out.empty()) why.left_out = kAskWhy;
    const std::string title = i < titles.size() ? titles[i] : title_of(*outcomes[i]);
    try {
      runs.push_back(pages::chart_of(*outcomes[i], title, why));
    } catch (const Error& error) {
      if (outcomes.size() == 1)
        return pages::Prose{fmt::format("The run of {} has no chart: {}", title, error.what())};
    }
  }
  if (runs.empty()) return pages::Prose{"None of the runs has a chart."};
  std::optional<Time> parting;
  std::string text;
  if (outcomes.size() >= 2 && runs.size() == outcomes.size() &&
      outcomes[0]->trace.level() != TraceLevel::none && outcomes[1]->trace.level() != TraceLevel::none &&
      results::alike(*outcomes[0]->scenario->platform, *outcomes[1]->scenario->platform)) {
    const auto difference = results::first_difference(*outcomes[0], *outcomes[1]);
    if (difference) parting = difference->time;
    text = text_of(difference, *outcomes[0], *outcomes[1]);
  }
  const auto title = [&] {
    if (outcomes.size() != 1) return fmt::format("{} runs", outcomes.size());
    const std::string name = titles.empty() ? title_of(*outcomes[0]) : titles[0];
    return outcomes[0]->policy.empty() ? name : fmt::format("{}, seed {}", name, outcomes[0]->seed);
  };
  return pages::ChartItem{title(), pages::chart_of_runs(std::move(runs), file, parting, text)};
}

std::optional<pages::Item> item_of(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (is_unknown(L, index)) return std::nullopt;
  if (const auto* comparison = test<ComparisonValue>(L, index)) return comparison_item(*comparison);
  if (auto table = table_at(L, index)) {
    pages::TableItem item;
    item.table = std::move(*table);
    return item;
  }
  return std::nullopt;
}

}  // namespace perigee::bindings
