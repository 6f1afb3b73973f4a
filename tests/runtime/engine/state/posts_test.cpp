// The queues of posted activities, alone: order, who may go, what is to be served.
#include "runtime/engine/state/posts.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr HostId kSecondHost(1);
constexpr LinkId kOnlyLink(0);

std::vector<std::uint32_t> slots_in(const PostQueue& queue) {
  std::vector<std::uint32_t> all;
  for (std::size_t place = queue.begin(); place < queue.end(); ++place) all.push_back(queue[place].slot);
  return all;
}

using SlotList = std::vector<std::uint32_t>;

SlotList served_hosts(Posts& posts) {
  SlotList all;
  posts.serve_hosts([&](HostId host, std::span<const Post>) { all.push_back(host.index); });
  return all;
}

SlotList served_links(Posts& posts) {
  SlotList all;
  posts.serve_links([&](LinkId link, std::span<const Post>) { all.push_back(link.index); });
  return all;
}

}  // namespace

TEST_CASE("posts are served by rank, equal ranks in the order of posting") {
  Posts posts(2, 1);
  posts.insert(kSecondHost, {.rank = 1, .serial = 1, .slot = 10});
  posts.insert(kSecondHost, {.rank = 0, .serial = 2, .slot = 11});
  posts.insert(kSecondHost, {.rank = 1, .serial = 3, .slot = 12});
  CHECK(slots_in(posts[HostId(1)]) == SlotList{11, 10, 12});
  CHECK(posts[HostId(0)].empty());
  posts.erase(kSecondHost, {.rank = 1, .serial = 1, .slot = 10});
  CHECK(slots_in(posts[kSecondHost]) == SlotList{11, 12});
  posts.erase(kSecondHost, {.rank = 0, .serial = 2, .slot = 11});
  CHECK(slots_in(posts[kSecondHost]) == SlotList{12});
  CHECK(posts[kSecondHost].size() == 1);
  CHECK_THROWS_AS(posts.erase(kSecondHost, {.rank = 0, .serial = 9, .slot = 9}), InternalError);
}

TEST_CASE("a queue keeps its order while many come and go") {
  Posts posts(0, 1);
  for (std::uint32_t k = 1; k <= 1000; ++k) {
    posts.insert(kOnlyLink, {.rank = 0, .serial = k, .slot = k});
    if (k > 3) posts.erase(kOnlyLink, {.rank = 0, .serial = k - 3, .slot = k - 3});
  }
  CHECK(slots_in(posts[LinkId(0)]) == SlotList{998, 999, 1000});
}

TEST_CASE("only the first may go, unless the queue lets others overtake") {
  Posts posts(2, 1);
  posts.let_overtake(kOnlyLink);
  const auto sixth_may_go = [&](auto on) {
    posts.insert(on, {.rank = 0, .serial = 1, .slot = 5});
    posts.insert(on, {.rank = 0, .serial = 2, .slot = 6});
    CHECK(posts[on].may_go(5));
    return posts[on].may_go(6);
  };
  CHECK_FALSE(sixth_may_go(kSecondHost));
  CHECK(sixth_may_go(kOnlyLink));
}

TEST_CASE("a queue is touched once until it is served, and never while it is empty") {
  Posts posts(3, 1);
  posts.touch(HostId(0));
  CHECK_FALSE(posts.any_touched());
  posts.insert(HostId(2), {.rank = 0, .serial = 1, .slot = 1});
  posts.insert(kSecondHost, {.rank = 0, .serial = 2, .slot = 2});
  posts.touch(kSecondHost);
  SlotList served;
  posts.serve_hosts([&](HostId host, std::span<const Post>) {
    served.push_back(host.index);
    posts.touch(host);         // it is being served
    posts.touch(kSecondHost);  // it has been served when host 2 is
  });
  CHECK(served == SlotList{1, 2});
  CHECK(served_hosts(posts) == SlotList{1});
  CHECK_FALSE(posts.any_touched());
  posts.insert(kOnlyLink, {.rank = 0, .serial = 3, .slot = 3});
  CHECK(posts.any_touched());
  CHECK(served_links(posts) == SlotList{0});
  posts.touch(kOnlyLink);
  const std::span<const LinkId> taken = posts.take_links();
  posts.touch(kOnlyLink);  // it counts as served
  CHECK(std::vector<LinkId>(taken.begin(), taken.end()) == std::vector<LinkId>{kOnlyLink});
  CHECK(served_links(posts) == SlotList{0});
  CHECK_FALSE(posts.any_touched());
}

TEST_CASE("a post behind others touches its queue only where it may pass them") {
  Posts posts(2, 1);
  posts.let_overtake(kOnlyLink);
  posts.insert(kSecondHost, {.rank = 0, .serial = 1, .slot = 1});
  posts.insert(kOnlyLink, {.rank = 0, .serial = 1, .slot = 1});
  served_hosts(posts);
  served_links(posts);
  posts.insert(kSecondHost, {.rank = 0, .serial = 2, .slot = 2});
  CHECK_FALSE(posts.any_touched());
  posts.insert(kOnlyLink, {.rank = 0, .serial = 2, .slot = 2});
  CHECK(posts.any_touched());
  posts.erase(kSecondHost, {.rank = 0, .serial = 1, .slot = 1});
  CHECK(served_hosts(posts) == SlotList{1});
}

TEST_CASE("an open queue names the posts that something has changed for, until all of it is touched") {
  Posts posts(2, 1);
  posts.let_all_in(kOnlyLink);
  std::vector<Post> list;
  for (std::uint32_t k = 0; k < 4; ++k)
    list.push_back({.rank = k < 2 ? 1.0 : 0.0, .serial = k + 1, .slot = k});
  SlotList some;
  const auto served = [&] {
    some.clear();
    std::size_t calls = 0;
    posts.serve_links([&](LinkId, std::span<const Post> each) {
      ++calls;
      for (const Post& post : each) some.push_back(post.slot);
    });
    return calls == 1;
  };
  for (const Post& post : list) posts.insert(kOnlyLink, post);
  CHECK(served());
  CHECK(some == SlotList{2, 3, 0, 1});
  CHECK_FALSE(posts.any_touched());
  posts.touch(kOnlyLink, list[3]);
  CHECK(served());
  CHECK(some == SlotList{3});
  posts.touch(kOnlyLink, list[3]);
  posts.touch(kOnlyLink);
  posts.touch(kOnlyLink, list[1]);
  CHECK(served());
  CHECK(some.empty());  // the whole queue
  posts.erase(kOnlyLink, list[0]);
  CHECK_FALSE(posts.any_touched());  // nobody waited for it
  posts.let_overtake(kSecondHost);
  for (const Post& post : list) posts.insert(kSecondHost, post);
  posts.touch(kSecondHost, list[3]);
  std::size_t calls = 0;
  posts.serve_hosts([&](HostId, std::span<const Post> each) { calls += each.empty() ? 1 : 100; });
  CHECK(calls == 1);  // one of lower rank may wait for a link that has become free
}
