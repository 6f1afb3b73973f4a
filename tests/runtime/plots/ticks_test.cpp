#include "runtime/plots/ticks.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;

namespace {

std::string texts(const std::vector<plots::Tick>& ticks) {
  std::string all;
  for (const plots::Tick& tick : ticks) all += (all.empty() ? "" : " ") + tick.text;
  return all;
}

}  // namespace

TEST_CASE("ticks are multiples of 1, 2 and 5 times powers of ten") {
  using plots::linear_ticks, plots::TickStep;
  CHECK(texts(linear_ticks(0, 1, TickStep::at_least(0.2))) == "0 0.2 0.4 0.6 0.8 1");
  CHECK(texts(linear_ticks(-7, 7, TickStep::at_least(3))) == "-5 0 5");
  CHECK(texts(linear_ticks(0, 3e8, TickStep::at_least(9e7))) == "0 1e8 2e8 3e8");
  CHECK(texts(linear_ticks(0, 2.5e9, TickStep::at_least(5e8))) == "0 5e8 1e9 1.5e9 2e9 2.5e9");
  CHECK(texts(linear_ticks(1e6, 1.5e6, TickStep::at_least(2e5))) == "1000000 1200000 1400000");
  CHECK(texts(linear_ticks(0, 3e-6, TickStep::at_least(1e-6))) == "0 1e-6 2e-6 3e-6");
  CHECK(texts(linear_ticks(0.001, 0.002, TickStep::at_least(0.0005))) == "0.001 0.0015 0.002");
  CHECK(TickStep::at_least(0.2).size() == 0.2);
  CHECK(TickStep::at_least(2.1).size() == 5);
  CHECK(TickStep::at_least(5).next().size() == 10);
  CHECK(linear_ticks(1, 1 + 1e-15, TickStep::at_least(1e-16)).size() < 100);
}

TEST_CASE("ticks of a logarithmic axis") {
  using plots::logarithmic_ticks;
  CHECK(texts(logarithmic_ticks(3, 30, 0)) == "3 4 5 6 7 8 9 10 20 30");
  CHECK(texts(logarithmic_ticks(3, 300, 1)) == "5 10 20 50 100 200");
  CHECK(texts(logarithmic_ticks(0.01, 1e4, 2)) == "0.01 0.1 1 10 100 1000 10000");
  CHECK(texts(logarithmic_ticks(1e-9, 1e9, 4)) == "1");
  CHECK(texts(logarithmic_ticks(1e-9, 1e9, 3)) == "1e-8 1e-6 1e-4 1e-2 1 1e2 1e4 1e6 1e8");
  CHECK_FALSE(logarithmic_ticks(1e-320, 1e30, 5).empty());
}
