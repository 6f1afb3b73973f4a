#include <set>

#include "tests/support/searches.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("draws of a random search are uniform, and those of two tries unlike") {
  const space::Space space = space_of({{"x", whole(0, 9)}, {"y", real(0, 1)}});
  const auto none = [](const space::Datum&) { return 0.0; };
  std::vector<int> counts(10);
  std::set<double> seen;
  for (const std::size_t nth : {0, 1}) {
    const Asked asked = drive(*begun("random_search", {}, space, 5000, 1, nth, 2), none);
    for (const space::Datum& each : asked.cases) {
      ++counts[static_cast<std::size_t>(each.items[0].number)];
      seen.insert(each.items[1].number);
    }
  }
  for (const int count : counts) CHECK(count == Approx(1000).margin(120));  // 4 standard deviations
  CHECK(seen.size() == 10'000);
}
