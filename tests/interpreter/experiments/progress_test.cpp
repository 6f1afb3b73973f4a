#include "interpreter/experiments/progress.h"

#include <catch2/catch.hpp>

#include "interpreter/experiments/coordinator.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;

TEST_CASE("a log gets a line after a minute, then ever fewer") {
  double now = 1000;
  std::string said;
  int lines = 0;
  const auto log = cells_log([&] { return now; },
                             [&](const std::string& line) {
                               said = line;
                               ++lines;
                             });
  CellProgress progress{"study", 100, 20, 20, 0, true};
  const auto at = [&](double seconds, std::size_t done) {
    now = 1000 + seconds;
    progress.done = done;
    said.clear();
    log(&progress);
    return said;
  };
  CHECK(at(0, 20) == "");
  CHECK(at(59, 30) == "");
  // 20 cells in 60 s, and 60 are left.
  CHECK(at(60, 40) ==
        "study: 40 of 100 cells done, 20 stored before, 0.33 cells/s, about 3 min left after 60 s\n");
  CHECK(at(119, 41) == "");
  CHECK(at(120, 42) != "");
  progress.failed = 1;
  CHECK(at(6000, 100) == "study: 100 of 100 cells done, 1 failed, 20 stored before after 1.7 h\n");
  CHECK(at(6599, 100) == "");
  log(nullptr);
  CHECK(at(7000, 5) == "");

  // In a day with a cell each second: one each minute until 10 min are over, then by tenths.
  progress = {"day", 86400, 0, 0, 0, true};
  log(nullptr);
  lines = 0;
  for (int second = 0; second <= 86400; ++second) at(second, static_cast<std::size_t>(second));
  CHECK(lines > 40);
  CHECK(lines < 80);
}
