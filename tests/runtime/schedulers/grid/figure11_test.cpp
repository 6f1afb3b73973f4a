// Figure 11 of Berman et al. (LIP RR 1999-46), against an independent calculation with the same numbers.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Run {
  double makespan = 0;
  std::size_t sends = 0;  // of shared files, to a cluster each
  RunStatus status = RunStatus::running;
};

Run run_of(const std::string& map, double kilobytes) {
  const Catalogue catalogue;
  const ConfigPtr config =
      map == "workqueue" ? catalogue.configure("workqueue") : catalogue.configure("planner", {{"map", map}});
  Simulation simulation(figure11(kilobytes * 1000, 1), {config->text(), config->make_policy(),
                                                        config->entry->accepts, config->entry->instants});
  simulation.run();
  const Outcome outcome = simulation.outcome();
  Run run;
  run.status = outcome.status;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const auto& record = outcome.trace[i];
    if (record.kind == RecordKind::finished) run.makespan = std::max(run.makespan, record.time);
    if (record.kind == RecordKind::started && record.what == ActivityKind::transfer_in &&
        record.file.index < 8)
      ++run.sends;
  }
  return run;
}

}  // namespace

TEST_CASE("Figure 11: makespans and sends of shared files, by heuristic") {
  struct Expected {
    double kilobytes;
    std::vector<std::pair<double, std::size_t>> of;
  };
  const std::vector<std::string> maps = {"workqueue",          "min_min",     "max_min",   "sufferage",
                                         "extended_sufferage", "sufferage_2", "xsufferage"};
  const Expected table[] = {
      {600, {{4015, 24}, {3509, 24}, {3721, 24}, {3623, 23}, {3619, 24}, {3578, 24}, {3578, 24}}},
      {2400, {{5311, 24}, {4498, 14}, {4324, 23}, {4863, 24}, {4208, 14}, {4256, 13}, {4220, 12}}},
      {4800, {{7090, 24}, {4337, 9}, {4776, 14}, {4775, 24}, {4308, 9}, {4294, 9}, {4325, 10}}},
      {9600, {{10930, 24}, {4817, 9}, {5859, 11}, {8619, 24}, {4788, 9}, {4878, 9}, {4853, 9}}},
  };
  for (const Expected& row : table)
    for (std::size_t i = 0; i < maps.size(); ++i) {
      INFO(maps[i] << " at " << row.kilobytes << " KB");
      const Run run = run_of(maps[i], row.kilobytes);
      CHECK(run.status == RunStatus::complete);
      CHECK(std::round(run.makespan) == row.of[i].first);
      CHECK(run.sends == row.of[i].second);
    }
}
