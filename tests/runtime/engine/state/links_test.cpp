// The links of a run, alone: routes, rates and sharing, who uses them.
#include "runtime/engine/state/links.h"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr ClusterId kNear(0), kFar(1);

// A cluster on a link of 10 B/s and 1 s, shared fairly; and one on a link of 4 B/s and 2 s, which takes one transfer at a
// time, behind a router that a fair link of 8 B/s and 3 s leads to.
Platform near_and_far() {
  PlatformSpec spec;
  spec.routers = {"middle"};
  Link trunk;
  trunk.name = "trunk";
  trunk.bandwidth = Profile(8);
  trunk.latency = Profile(3);
  trunk.sharing = Sharing::fair;
  spec.links.push_back({trunk, "origin", "middle"});
  for (const bool near : {true, false}) {
    PlatformSpec::ClusterSpec cluster;
    cluster.name = near ? "near" : "far";
    cluster.hosts.emplace_back().name = near ? "near.1" : "far.1";
    cluster.has_link = true;
    cluster.link.bandwidth = Profile(near ? 10 : 4);
    cluster.link.latency = Profile(near ? 1 : 2);
    cluster.link.sharing = near ? Sharing::fair : Sharing::exclusive;
    if (!near) cluster.at = "middle";
    spec.clusters.push_back(std::move(cluster));
  }
  return Platform(spec);
}

Outage link_outage(std::size_t place) {
  return {model::outage_number(OutageOrigin::scenario, place), Cause::outage, true};
}

struct NearAndFar {
  Platform platform = near_and_far();
  Links links{platform};
  LinkId near = platform[kNear].link, far = platform[kFar].link, trunk;
  std::uint32_t to_near, to_far;
  NearAndFar() {
    links.find_routes(0);
    to_near = links.route_to(kNear);
    to_far = links.route_to(kFar);
    trunk = links.route(to_far).front();
  }
};

}  // namespace

TEST_CASE_METHOD(NearAndFar, "routes lead over links that are up, and keep their number") {
  CHECK(links.route(to_near).size() == 1);
  REQUIRE(links.route(to_far).size() == 2);
  CHECK(links.route(to_far).back() == far);
  CHECK(links.any_of_several_hops());
  CHECK(links.route(kNone).empty());
  links.begin_outage(trunk, link_outage(1));
  links.find_routes(5);
  CHECK(links.route_to(kFar) == kNone);
  CHECK(links.route_to(kNear) == to_near);
  CHECK(links.route(to_far).size() == 2);  // for whom is under way
  CHECK(links.end_outage(trunk, link_outage(1)));
  links.recover(trunk);
  links.find_routes(6);
  CHECK(links.route_to(kFar) == to_far);
}

TEST_CASE_METHOD(NearAndFar, "the view shows what the policy has been told") {
  Outage silent = link_outage(1);
  silent.announced = false;
  CHECK_FALSE(links.begin_outage(near, silent).is_news);
  CHECK_FALSE(links.is_up(near));
  CHECK(links.views()[near.index].up);
  links.begin_outage(near, link_outage(2));
  CHECK_FALSE(links.views()[near.index].up);
  links.end_outage(near, link_outage(1));
  links.end_outage(near, link_outage(2));
  CHECK(links.recover(near));
  CHECK(links.views()[near.index].up);
  links.leave(near);
  CHECK_FALSE(links.views()[near.index].up);
  links.join(near);
  CHECK(links.is_up(near));
}

TEST_CASE_METHOD(NearAndFar, "the slowest link of a route sets the rate, latencies add up") {
  CHECK(links.latency_of(to_near, 0) == 1);
  CHECK(links.latency_of(to_far, 0) == 5);
  CHECK(links.latency_of(kNone, 0) == 0);
  CHECK(links.sent_by(20, to_near, 7) == 9);
  CHECK(links.sent_by(20, to_far, 7) == 12);
  CHECK(links.sent(20, to_far, 7, 10) == 12);
  CHECK(links.sent_by(0, to_far, 7) == 7);
  const Profile half = Profile::steps({0, 2}, {4, 2});
  links.install(far, std::numeric_limits<double>::quiet_NaN(), &half, nullptr, 10);
  CHECK(links.sent_by(20, to_far, 10) == 18);  // 8 B by t = 12 s, 12 B at 2 B/s
  CHECK_FALSE(links.is_steady(to_far));
  CHECK(links.is_steady(to_near));
  links.install(near, 0.5, nullptr, nullptr, 10);
  CHECK(links.sent_by(20, to_near, 10) == 14);
}

TEST_CASE_METHOD(NearAndFar, "transfers in their data phase share a fair link") {
  links.enter(to_near, 3);
  links.enter(to_near, 1);
  links.begin_moving(to_near);
  CHECK(links.sent_by(20, to_near, 0) == 2);  // the other has not begun to send
  links.begin_moving(to_near);
  CHECK(links.sharing(near) == 2);
  CHECK(links.sent_by(20, to_near, 0) == 4);
  CHECK(links.sent(20, to_near, 0, 3) == 15);
  const auto others_than = [&](std::uint32_t left_out) {  // and than 3
    const auto others = links.sharing_with(3, to_near, [&](std::uint32_t slot) { return slot != left_out; });
    return std::vector<std::uint32_t>(others.begin(), others.end());
  };
  CHECK(others_than(7) == std::vector<std::uint32_t>{1});
  CHECK(others_than(1).empty());
  links.end_moving(to_near);
  links.leave(to_near, 3);
  CHECK(links.views()[near.index].transfers == 1);
  CHECK(links.transfers_on(near).front() == 1);
  CHECK(links.sharing(near) == 1);
  CHECK(links.sharing(far) == 1);
}

TEST_CASE_METHOD(NearAndFar, "an exclusive link takes one transfer, a held one none") {
  CHECK(links.takes_transfer(far));
  links.enter(to_far, 1);
  CHECK_FALSE(links.takes_transfer(far));
  CHECK(links.takes_transfer(trunk));
  CHECK(links.is_busy(trunk));
  links.hold(near);
  CHECK_FALSE(links.takes_transfer(near));
  CHECK(links.is_held(near));
  links.free(near);
  CHECK(links.takes_transfer(near));
  CHECK_FALSE(links.is_busy(near));
}
