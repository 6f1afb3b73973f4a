// Figures and charts of runs as items of pages and notebooks.
#pragma once

#include <string>
#include <vector>

#include "interpreter/values/runs.h"
#include "runtime/pages/chart.h"
#include "runtime/pages/document.h"
#include "runtime/plots/plot.h"

namespace perigee::bindings {

// `file`: the name for downloads, without an ending.
pages::FigureItem figure_item(const plots::Figure& figure, const std::string& file);
// The chart of a run. `whys`: which decisions are explained in it.
pages::Item chart_item(const Outcome& outcome, const std::string& file, const pages::Whys& whys = {});
// Runs of which two can be seen side by side; first the two that are named. `titles`: empty = their policies.
pages::Item charts_item(const std::vector<const Outcome*>& outcomes, const std::vector<std::string>& titles,
                        const std::string& file, const std::vector<pages::Whys>& whys = {});

}  // namespace perigee::bindings
