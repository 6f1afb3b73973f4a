#include "interpreter/notebook/shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

#include "interpreter/bindings/show/items.h"
#include "interpreter/prompt/prompt_text.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/pages/html.h"

namespace perigee::notebook {

namespace {

// Pixels for the charts of some runs, which stand one below the other, with what is above and below them: rows of 18
// pixels, as far as they are not drawn lower, and room for the details of a bar.
int height_of(const pages::ChartItem& chart) {
  constexpr double kRow = 18, kRulers = 66, kLowest = 170, kHighest = 380, kRest = 540, kLeast = 420,
                   kMost = 900;
  double height = kRest;
  const nlohmann::json data = nlohmann::json::parse(chart.data);
  const nlohmann::json& runs = data.at("runs");
  for (std::size_t i = 0; i < std::min<std::size_t>(runs.size(), 2); ++i) {
    double rows = 0;
    for (const nlohmann::json& lane : runs[i].at("lanes")) rows += lane.value("cores", 1.0);
    height += std::clamp(kRulers + kRow * rows, kLowest, kHighest);
  }
  return static_cast<int>(std::clamp(height, kLeast, kMost));
}

// A page within the notebook. It is a document of its own, whose script reaches nothing of the notebook.
std::string framed(const std::string& page, const std::string& title, int height) {
  return fmt::format(
      "<iframe title=\"{}\" sandbox=\"allow-scripts allow-downloads\" style=\"width: 100%; height: {}px; border: 0\" "
      "srcdoc=\"{}\"></iframe>",
      pages::html_text(title), height, pages::html_text(page));
}

void add_chart(Bundle& bundle, const pages::ChartItem& chart, std::size_t largest) {
  std::string why = fmt::format("it would take more than {}",
                                format_quantity(static_cast<double>(largest), Dimension::bytes));
  if (chart.data.size() <= largest) {
    const std::string page = pages::page_of({chart.title, "", {{"", {chart}}}}, 2 * largest);
    if (page.size() <= largest) {
      bundle["text/html"] = framed(page, chart.title, height_of(chart));
      return;
    }
  }
  bundle["text/plain"] += fmt::format(
      "The chart is not shown in the notebook, for {}; r:report \"FILE.html\" writes it below the output folder.\n",
      why);
}

}  // namespace

Bundle shown_item(const pages::Item& item, std::string_view text, std::size_t largest_chart) {
  Bundle bundle{{"text/plain", std::string(text)}};
  if (const auto* chart = std::get_if<pages::ChartItem>(&item)) {
    add_chart(bundle, *chart, largest_chart);
  } else if (const auto* figure = std::get_if<pages::FigureItem>(&item)) {
    bundle["image/svg+xml"] = figure->svg;
    bundle["text/html"] =
        fmt::format("<div><strong>{}</strong></div>{}", pages::html_text(figure->title), figure->svg);
  } else if (std::string html = pages::fragment_of(item); !html.empty()) {
    bundle["text/html"] = std::move(html);
  } else if (const auto* prose = std::get_if<pages::Prose>(&item); prose != nullptr && text.empty()) {
    bundle["text/plain"] = prose->text + "\n";
  }
  return bundle;
}

Bundle shown_value(lua_State* L, int index) {
  const std::string text = prompt::pretty(L, index);
  const std::optional<pages::Item> item = bindings::item_of(L, index);
  return item ? shown_item(*item, text) : Bundle{{"text/plain", text}};
}

}  // namespace perigee::notebook
