#include "runtime/kernel/event_queue.h"

#include <catch2/catch.hpp>

#include <set>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("any mixture of pushes, pops and prunes comes out in the order of a multiset") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    Stream random(seed, "queue");
    EventQueue queue;
    std::multiset<std::pair<Time, std::uint32_t>> expected;
    for (std::uint32_t serial = 1; serial <= 3000; ++serial) {
      const auto most = static_cast<std::size_t>(seed % 7) * 40;  // lengths from none to hundreds
      if (expected.empty() || random.below(most + 2) >= expected.size()) {
        const Time at = random.below(20) == 0 ? kNever : static_cast<double>(random.below(1000));
        queue.push({at, serial, 0});
        expected.insert({at, serial});
      } else if (random.below(100) == 0) {
        const auto stale = [](std::uint32_t s) { return s % 3 == 0; };
        queue.prune([&](const Pending& pending) { return stale(pending.serial); });
        std::erase_if(expected, [&](const auto& entry) { return stale(entry.second); });
      } else {
        const Pending first = queue.top();
        REQUIRE(first.at == expected.begin()->first);
        const auto same = expected.find({first.at, first.serial});  // any of those at that time
        REQUIRE(same != expected.end());
        if (random.below(2) == 0) {
          const auto next = std::next(expected.begin());
          REQUIRE(queue.second() == (next == expected.end() ? kNever : next->first));
        }
        expected.erase(same);
        queue.pop();
      }
      REQUIRE(queue.size() == expected.size());
      REQUIRE(queue.empty() == expected.empty());
      REQUIRE(queue.first() == (expected.empty() ? kNever : expected.begin()->first));
    }
  }
}

TEST_CASE("a copy of a queue goes its own way, even between a pop and a push") {
  EventQueue queue;
  for (const double at : {5.0, 3.0, 8.0, 1.0}) queue.push({at, 1, 0});
  queue.pop();
  EventQueue copy = queue;
  copy.push({2, 1, 0});
  CHECK(copy.top().at == 2);
  CHECK(queue.top().at == 3);
  CHECK(queue.size() == 3);
}
