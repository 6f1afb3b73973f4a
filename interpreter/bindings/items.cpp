#include "interpreter/bindings/items.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/results/difference.h"

namespace perigee::bindings {

namespace {

const char* const kAskWhy =
    "The page does not say why; ask r:why(\"NAME\") in the script or at the prompt, with the name of the task or job.";

// A plan that no policy has made has no name of its own, and no seed.
std::string title_of(const Outcome& outcome) { return outcome.policy.empty() ? "a plan" : outcome.policy; }

}  // namespace

pages::FigureItem figure_item(const plots::Figure& figure, const std::string& file) {
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

}  // namespace perigee::bindings
