#include "runtime/cost/fair_share.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using cost::DecayingUsage;
using cost::ShareTree;

// The worked example of Slurm's page on the classic fair-share algorithm: accounts A (40), with B (30) of user 1 and C (10)
// of users 2 and 3, and D (60), with E (25) of user 4 and F (35) of user 5. It gives six digits of each factor.
TEST_CASE("fair shares: Slurm's example") {
  ShareTree tree;
  const auto a = tree.add_account(ShareTree::kRoot, "A", 40), d = tree.add_account(ShareTree::kRoot, "D", 60);
  const auto b = tree.add_account(a, "B", 30), c = tree.add_account(a, "C", 10),
             e = tree.add_account(d, "E", 25), f = tree.add_account(d, "F", 35);
  const std::vector<ShareTree::Place> users{tree.add_user(b, "1", 1), tree.add_user(c, "2", 1),
                                            tree.add_user(c, "3", 1), tree.add_user(e, "4", 1),
                                            tree.add_user(f, "5", 1)};
  const std::vector<double> usage{0.2, 0.25, 0, 0.25, 0}, factors{0.408479, 0.022097, 0.125, 0.5, 0.749154};
  std::vector<double> used(tree.size());
  for (std::size_t u = 0; u < users.size(); ++u)
    for (auto place = users[u]; place != ShareTree::kRoot; place = tree.parent(place))
      used[place] += usage[u];
  for (std::size_t u = 0; u < users.size(); ++u) {
    const auto standing = tree.standing(users[u], [&](ShareTree::Place of) { return used[of]; });
    CHECK(standing.factor == Approx(factors[u]).margin(5e-7));
  }
  CHECK(tree.standing(users[1], [&](ShareTree::Place of) { return used[of]; }).share == Approx(0.05));
}

TEST_CASE("fair shares: users of one account, and names") {
  ShareTree tree;
  const auto ada = tree.add_user(ShareTree::kRoot, "ada", 1), bob = tree.add_user(ShareTree::kRoot, "bob", 3);
  // ada has used all of what is used, with a quarter of the shares: 2^(-1 / 0.25); bob nothing.
  const auto used = [&](ShareTree::Place of) { return of == ada ? 1.0 : 0.0; };
  CHECK(tree.standing(ada, used).factor == Approx(1.0 / 16));
  CHECK(tree.standing(bob, used).factor == 1);
  const auto physics = tree.add_account(ShareTree::kRoot, "physics", 4);
  const auto her = tree.add_user(physics, "ada", 1);
  CHECK(tree.user_anywhere("ada") == ada);
  CHECK(tree.user_below(physics, "ada") == her);
  CHECK(tree.user_below(physics, "bob") == ShareTree::kNowhere);
  CHECK(tree.account("physics") == physics);
  CHECK(tree.account("ada") == ShareTree::kNowhere);
  CHECK_THROWS_AS(tree.add_user(physics, "ada", 1), Error);
  CHECK_THROWS_AS(tree.add_account(physics, "physics", 1), Error);
}

TEST_CASE("usage that decays") {
  DecayingUsage usage;
  usage.change(0, 4, 100);
  CHECK(usage.at(0, 100) == 0);
  usage.change(100, -4, 100);
  // 4 h / ln 2 (2^(-(200 - 100) / 100) - 2^(-200 / 100)) = 577.078 / 4
  CHECK(usage.at(200, 100) == Approx(144.26950408889634).epsilon(1e-14));
  // The same as a sum of slices, each as if it were used in its middle.
  double slices = 0;
  for (int i = 0; i < 100000; ++i) slices += 4e-3 * std::exp2(-(200 - (i + 0.5) * 1e-3) / 100);
  CHECK(usage.at(200, 100) == Approx(slices).epsilon(1e-9));
  constexpr double kForEver = std::numeric_limits<double>::infinity();
  DecayingUsage kept;
  kept.change(10, 2, kForEver);
  kept.change(20, 3, kForEver);
  CHECK(kept.at(30, kForEver) == 2 * 10 + 5 * 10);
}
