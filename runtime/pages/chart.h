// A run as the data of an interactive chart.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/pages/html.h"

namespace perigee::pages {

// A run has more bars than that only without the shortest ones.
inline constexpr std::size_t kMostChartBars = 200'000;
inline constexpr std::size_t kMostChartEdges = 500'000;

// Why works are where they are, in words. `left_out` says which works have no text here, and why; empty = all have one.
struct Whys {
  std::vector<std::pair<WorkId, std::string>> texts;
  std::string left_out;
};

// Who computed what when, on which cores and links, with the absences of hosts and links. assets/data.js reads it; the
// layout stands there. Times are whole numbers of ticks. A tick is a power of ten seconds, at most 1e-7 of the time
// shown or, where all times are multiples of more, that. Error "bad_figure" if nothing has run, "not_measured" if the
// run did not keep its activities.
nlohmann::json chart_of(const Outcome& outcome, const std::string& title, const Whys& whys = {},
                        std::size_t most_bars = kMostChartBars);

// Several runs, of which two can be seen at a time. `parting`: when the first two part, and how, in words.
// `file`: what is downloaded is called so. The JSON text.
std::string chart_of_runs(std::vector<nlohmann::json> runs, const std::string& file,
                          std::optional<Time> parting = {}, const std::string& parting_text = {});

}  // namespace perigee::pages
