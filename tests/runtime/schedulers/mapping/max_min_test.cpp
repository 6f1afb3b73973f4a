// Both forms of the greedy mapper in Breitinger (1999): as described in Figure 7 and as coded in Appendix
// B.7. The expected mappings were worked out by hand from the two descriptions.
#include <catch2/catch.hpp>

#include "runtime/kernel/random.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Mapping map(const std::vector<double>& etc, std::size_t machines, const std::string& adds,
            std::vector<double> ready = {}) {
  Mapping out;
  Catalogue()
      .configure("max_min", {{"adds", adds}})
      ->make_mapper()
      ->map({.tasks = etc.size() / machines, .machines = machines, .etc = etc, .ready = ready}, out);
  return out;
}

using Places = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("max_min as described and as coded agree while no machine that holds two tasks is weighed again") {
  const std::vector<double> etc{9,  12, 10, 8, 7,  9,  15, 14, 16, 4, 5,  6,  11, 9,
                                12, 6,  8,  7, 13, 12, 11, 3,  4,  2, 10, 10, 9};
  for (const char* adds : {"time", "completion"}) {
    INFO(adds);
    const Mapping out = map(etc, 3, adds);
    CHECK(out.order == Places{2, 4, 6, 0, 1, 8, 5, 3, 7});
    CHECK(out.machine == Places{0, 2, 1, 2, 0, 0, 2, 1, 1});
  }
}

TEST_CASE("max_min as described and as coded part where it is") {
  const std::vector<double> etc{40, 50, 30, 20, 10, 60, 25, 26, 45, 44, 12, 13, 33, 31};
  const Mapping described = map(etc, 2, "time"), coded = map(etc, 2, "completion");
  CHECK(described.machine == Places{0, 1, 0, 1, 1, 0, 0});
  CHECK(described.makespan == 95);
  CHECK(coded.machine == Places{0, 0, 1, 1, 1, 0, 0});
  CHECK(coded.makespan == 130);
}

TEST_CASE("max_min on the sample matrix of Table 5") {
  const std::vector<double> etc{
      133, 136, 157, 179, 130, 139, 120, 136, 131, 162, 176, 219, 178, 221, 222, 181, 197, 192, 175, 218,
      29,  37,  35,  35,  25,  35,  34,  29,  26,  32,  21,  19,  19,  27,  20,  21,  22,  21,  21,  20,
      35,  32,  36,  30,  34,  29,  34,  31,  35,  40,  124, 134, 129, 114, 116, 132, 114, 117, 128, 120,
      94,  103, 88,  108, 104, 99,  96,  115, 92,  99,  178, 194, 210, 172, 182, 181, 159, 163, 169, 186,
      135, 126, 129, 126, 138, 119, 132, 141, 112, 107, 71,  75,  71,  75,  62,  76,  61,  78,  77,  83};
  for (const char* adds : {"time", "completion"}) {
    INFO(adds);
    const Mapping out = map(etc, 10, adds);
    CHECK(out.machine == Places{4, 8, 7, 1, 5, 3, 2, 6, 9, 0});
    CHECK(out.makespan == 175);
  }
}

TEST_CASE("max_min as coded doubles what a machine has, ready times too, beyond the largest number") {
  // The first task ends at 8 on the first machine, whose load is 3 + 8 then, not 8: the other ends at 15
  // there.
  CHECK(map({5, 9, 4, 4}, 2, "completion", {3, 10}).machine == Places{0, 1});
  CHECK(map({5, 9, 4, 4}, 2, "time", {3, 10}).machine == Places{0, 0});
  // The second machine has 7 after the first task, 7 + 11 after the second, not 11: 18 against 21 or 14.
  CHECK(map({5, 7, 4, 4, 3, 3}, 2, "completion", {15, 0}).machine == Places{1, 1, 0});
  CHECK(map({5, 7, 4, 4, 3, 3}, 2, "time", {15, 0}).machine == Places{1, 1, 1});
  const Mapping many = map(std::vector<double>(3000, 1.0), 1, "completion");
  CHECK(many.order.size() == 3000);
  CHECK(many.makespan == 3000);
}
