// Checks a request for a figure of a table.
#include "runtime/kernel/error.h"
#include "runtime/plots/plot.h"

namespace perigee::plots {

void check(const PlotRequest& request) {
  const bool histogram = request.kind == FigureKind::histogram, ecdf = request.kind == FigureKind::ecdf;
  const bool heatmap = request.kind == FigureKind::heatmap;
  if (request.y.empty()) fail("bad_figure", "'y' is missing: the column to draw, or a list of columns");
  if (request.kind == FigureKind::gantt)
    fail("bad_figure", "a Gantt chart is drawn of a result: r:plot {{ kind = \"gantt\" }}");
  if ((histogram || ecdf) && !request.x.empty())
    fail("bad_figure", "{} has no 'x': its values are the column 'y'", histogram ? "a histogram" : "an ECDF");
  if (!histogram && request.bins > 0) fail("bad_figure", "'bins' is for kind = \"histogram\"");
  if (request.x.empty() && !histogram && !ecdf && request.kind != FigureKind::box)
    fail("bad_figure", "'x' is missing: the column of the horizontal axis");
  if (heatmap && request.value.empty())
    fail("bad_figure", "'value' is missing: the column that the colours of a heat map show");
  if (!heatmap && (!request.value.empty() || request.value_label || request.value_unit))
    fail("bad_figure", "'{}' is for kind = \"heatmap\"",
         !request.value.empty() ? "value"
         : request.value_label  ? "value_label"
                                : "value_unit");
  if (heatmap && request.y.size() > 1)
    fail("bad_figure", "y: a heat map has one column of places from top to bottom, got {}", request.y.size());
  if (heatmap && !request.by.empty())
    fail("bad_figure", "a heat map has no 'by'; 'facet' draws one for each value of a column");
  if (heatmap && (request.log_x || request.log_y))
    fail("bad_figure", "{}: a heat map has a place for each value, and no logarithm",
         request.log_x ? "log_x" : "log_y");
  if (ecdf && request.y_unit && *request.y_unit != "%" && !request.y_unit->empty())
    fail("bad_figure", "y_unit: the share of an ECDF is a plain number or in \"%\", got \"{}\"",
         *request.y_unit);
  if (ecdf && request.log_y)
    fail("bad_figure", "log_y: an ECDF begins at 0, which a logarithmic axis does not have");
  if (request.facet.size() > 2) fail("bad_figure", "facet: one column or two, got {}", request.facet.size());
}

}  // namespace perigee::plots
