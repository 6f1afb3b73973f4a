// Loads in stages around reservations (Mamat, 2011, Algorithms 3 and 4): cases calculated by hand, and a
// random search for a counter-example to Theorem 5.3.5.
#include "runtime/cost/stages.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Chunks = std::vector<StagedNodes::Chunk>;
using ReservedNodes = std::vector<std::vector<ReservedNode>>;

void stages_check(const Chunks& chunks, const Chunks& expected) {
  REQUIRE(chunks.size() == expected.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    CAPTURE(i);
    CHECK(chunks[i].node == expected[i].node);
    CHECK(chunks[i].stage == expected[i].stage);
    CHECK(chunks[i].size == Approx(expected[i].size).epsilon(1e-14));
    CHECK(chunks[i].start == Approx(expected[i].start).epsilon(1e-14));
    CHECK(chunks[i].sent == Approx(expected[i].sent).epsilon(1e-14));
    CHECK(chunks[i].end == Approx(expected[i].end).epsilon(1e-14));
  }
}

}  // namespace

TEST_CASE("a load is sent before and behind an interval in which the channel is taken") {
  const std::vector<Time> free = {0, 0};
  const std::vector<TimeRange> channel = {{4, 6}};
  const ReservedNodes reserved(2);
  const StagedNodes nodes({1, 3}, free, channel, reserved, 0, 12, 1e-9);
  // (12 - 0 - 2) / 4, and behind its 2.5 s of transmission (12 - 0 - 2 - 2.5) / 4 more.
  CHECK(nodes.load_by(1) == 2.5);
  CHECK(nodes.load_by(2) == 4.375);
  CHECK(nodes.fewest_nodes(2.5) == 1);
  CHECK(nodes.fewest_nodes(2.51) == 2);
  CHECK(nodes.fewest_nodes(4.38) == 0);
  // The first node computes 6/4 until 6, sent until 1.5; the second 4.5/4. The rest goes to the first again.
  stages_check(nodes.chunks(4, 2),
               {{0, 0, 1.5, 0, 1.5, 6}, {1, 0, 1.125, 1.5, 2.625, 6}, {0, 1, 1.375, 6, 7.375, 11.5}});
  // On one node alone 4 is too much: 6/4 before and 6/4 behind.
  CHECK(nodes.chunks(3.1, 1).empty());
}

TEST_CASE("a node that is reserved computes before and behind its reservation") {
  const std::vector<Time> free = {0};
  const std::vector<TimeRange> channel = {{4, 5}};
  const ReservedNodes reserved = {{{4, 8, 5}}};
  const StagedNodes nodes({1, 1}, free, channel, reserved, 0, 16, 1e-9);
  CHECK(nodes.load_by(1) == 6);  // (16 - 1 - 3) / 2
  stages_check(nodes.chunks(6, 1), {{0, 0, 2, 0, 2, 4}, {0, 1, 4, 8, 12, 16}});
  CHECK(nodes.fewest_nodes(6.1) == 0);
}

TEST_CASE("a reservation that does without the channel ends a stage") {
  const std::vector<Time> free = {0, 0};
  const ReservedNodes reserved = {{}, {{4, 8, 4}}};
  const StagedNodes nodes({1, 1}, free, {}, reserved, 0, 10, 1e-9);
  CHECK(nodes.load_by(1) == 5);
  CHECK(nodes.load_by(2) == 5.5);  // (10 - 4 - 5) / 2 more
  stages_check(nodes.chunks(5.5, 2), {{0, 0, 2, 0, 2, 4}, {1, 0, 1, 2, 3, 4}, {0, 1, 2.5, 4, 6.5, 9}});
}

TEST_CASE("a node is free when neither it nor the channel is promised to others") {
  const std::vector<TimeRange> channel = {{2, 5}, {7, 8}};
  const ReservedNodes reserved = {{{5, 7, 5}}, {}, {}};
  const std::vector<Time> free = {3, 0, kNever};
  // The first node is free at 8, after channel, reservation and channel. The second is free at 1, because it
  // is asked then.
  const StagedNodes nodes({1, 3}, free, channel, reserved, 1, 20, 1e-9);
  CHECK(nodes.load_by(1) == 3.75);  // (20 - 1 - 3 - 1) / 4
  // The first node's own reservation computes for 2 s; the other load is sent for 3.75 s.
  CHECK(nodes.load_by(2) == 3.75 + (20 - 8 - 3 - 1 - 2 - 3.75) / 4);
  CHECK(nodes.load_by(3) == nodes.load_by(2));  // the third is not there
  CHECK(StagedNodes({1, 1}, free, channel, reserved, 1, 1, 1e-9).fewest_nodes(1e-3) == 0);
  const std::vector<Time> away = {kNever, kNever, kNever};
  CHECK(StagedNodes({1, 1}, away, channel, reserved, 1, 20, 1e-9).fewest_nodes(1e-3) == 0);
}

TEST_CASE("costs of stages are larger than 0 and without set-ups") {
  const std::vector<Time> free = {0};
  const ReservedNodes reserved(1);
  for (const UnitCosts& costs :
       {UnitCosts{0, 1}, UnitCosts{1, 0}, UnitCosts{1, 1, 1, 0}, UnitCosts{1, 1, 0, 1}})
    CHECK_THROWS_AS(StagedNodes(costs, free, {}, reserved, 0, 1, 1e-9), Error);
}

TEST_CASE("what is estimated to be in time can be divided, around all that is promised") {
  std::mt19937_64 rng(535);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::size_t divided = 0, in_stages = 0;
  for (int round = 0; round < 60000; ++round) {
    const std::size_t count = 1 + rng() % 8;
    const UnitCosts costs{1, std::pow(10, 4 * uniform(rng) - 2)};
    const Time deadline = 5 + 20 * uniform(rng);
    std::vector<Time> free(count);
    for (Time& each : free) each = rng() % 2 == 0 ? 0 : 10 * uniform(rng);
    std::vector<TimeRange> channel;
    ReservedNodes reserved(count);
    Time last = 0;
    while (rng() % 4 != 0) {  // intervals of the channel, of loads or of reservations
      last += 6 * uniform(rng);
      const Time from = last;
      if (rng() % 3 != 0) last += 2 * uniform(rng);
      if (last > from) channel.push_back({from, last});
      if (rng() % 2 == 0) continue;
      const Time to = last + 5 * uniform(rng);
      for (std::size_t n = 0; n < count; ++n)
        if (rng() % 2 == 0 && to > from && (reserved[n].empty() || reserved[n].back().to <= from))
          reserved[n].push_back({from, to, last});
    }
    const StagedNodes nodes(costs, free, channel, reserved, 0, deadline, 1e-9);
    const std::size_t n = 1 + rng() % count;
    const double load = nodes.load_by(n) * (rng() % 3 == 0 ? 1 : uniform(rng));
    if (load < 1e-6) continue;
    const std::size_t fewest = nodes.fewest_nodes(load);
    REQUIRE(fewest > 0);
    CHECK(fewest <= n);
    CAPTURE(round, count, costs.computation, deadline, load);
    Chunks chunks = nodes.chunks(load, fewest);
    if (nodes.load_by(fewest) < load)  // enough by the tolerance only
      for (std::size_t more = fewest; chunks.empty() && more < n;) chunks = nodes.chunks(load, ++more);
    REQUIRE(!chunks.empty());
    ++divided;
    in_stages += chunks.back().stage > chunks.front().stage ? 1 : 0;
    double sum = 0;
    Time sent = 0;
    const double slack = 1e-8;
    for (const StagedNodes::Chunk& chunk : chunks) {
      sum += chunk.size;
      CHECK(chunk.size > 0);
      CHECK(chunk.start >= sent - slack);  // one at a time
      sent = chunk.sent;
      CHECK(chunk.sent == Approx(chunk.start + chunk.size * costs.transmission));
      CHECK(chunk.end == Approx(chunk.sent + chunk.size * costs.computation));
      CHECK(chunk.start >= free[chunk.node] - slack);
      CHECK(chunk.end <= deadline + slack);
      for (const TimeRange& busy : channel)
        CHECK((chunk.sent <= busy.from + slack || chunk.start >= busy.to - slack));
      for (const ReservedNode& other : reserved[chunk.node])
        CHECK((chunk.end <= other.from + slack || chunk.start >= other.to - slack));
      for (const StagedNodes::Chunk& other : chunks)
        if (&other != &chunk && other.node == chunk.node)
          CHECK((chunk.end <= other.start + slack || other.end <= chunk.start + slack));
    }
    CHECK(sum == Approx(load).epsilon(1e-12));
  }
  CHECK(divided > 40000);
  CHECK(in_stages > 10000);
}
