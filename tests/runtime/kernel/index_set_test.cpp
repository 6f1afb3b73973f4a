#include "runtime/kernel/index_set.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <set>

#include "runtime/kernel/random.h"

using namespace perigee;

TEST_CASE("a set of indices agrees with std::set") {
  for (const std::size_t bound : {1, 63, 64, 65, 4096, 4097, 300'000}) {
    INFO("bound " << bound);
    kernel::IndexSet set;
    set.reset(bound);
    std::set<std::size_t> expected;
    kernel::Stream random(bound, "indices");
    for (int step = 0; step < 2000; ++step) {
      const std::size_t index = random.below(bound);
      if (random.below(2) == 0) {
        set.insert(index);
        expected.insert(index);
      } else {
        set.erase(index);
        expected.erase(index);
      }
      REQUIRE((set.next(index) == index) == expected.contains(index));
      REQUIRE(set.empty() == expected.empty());
      const std::size_t from = random.below(bound + 1);
      const auto next = expected.lower_bound(from);
      REQUIRE(set.next(from) == (next == expected.end() ? bound : *next));
    }
  }
}
