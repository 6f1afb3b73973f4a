// Gantt charts of runs as text.
#pragma once

#include "interpreter/host/stack.h"
#include "interpreter/values/runs.h"
#include "runtime/results/gantt.h"

namespace perigee::bindings {

// How a chart is drawn, as argument `index` says: nothing, a width, or { from =, to =, hosts =, width = }.
struct ChartOptions {
  int width = 80;
  ChartPart part = {};
};
ChartOptions chart_options(lua_State* L, int index, const Outcome& outcome);
// Reads from, to and hosts of a table.
ChartPart chart_part(const Fields& fields, const Outcome& outcome);
// Prints the run so far as a picture for the terminal.
void print_gantt(lua_State* L, const Outcome& outcome, int index);

}  // namespace perigee::bindings
