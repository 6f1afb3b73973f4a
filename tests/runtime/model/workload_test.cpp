#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "runtime/kernel/random.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Host host_of(double speed, std::int32_t slots = 1) {
  Host host;
  host.name = "h";
  host.speed = speed;
  host.slots = slots;
  return host;
}

}  // namespace

TEST_CASE("a run time in operations, in seconds, by architecture and by host") {
  auto workload = tasks_of({{10}});
  CHECK(true_time(*workload, {WorkId(0)}, host_of(4), HostId(0), 0) == 2.5);
  workload->works[0].form = TimeForm::seconds;
  CHECK(true_time(*workload, {WorkId(0)}, host_of(4), HostId(0), 0) == 10);
  workload->times = {7, 8, 9};
  workload->works[0].times = 0;
  workload->works[0].form = TimeForm::by_architecture;
  CHECK(true_time(*workload, {WorkId(0)}, host_of(4), HostId(0), 2) == 9);
  workload->works[0].form = TimeForm::by_host;
  CHECK(true_time(*workload, {WorkId(0)}, host_of(4), HostId(1), 0) == 8);
}

TEST_CASE("a declared time is the submission's own") {
  auto workload = tasks_of({{10}});
  workload->works[0].estimate = 30;
  CHECK(declared_time(*workload, {WorkId(0)}, host_of(2), HostId(0), 0) == 15);
  CHECK(true_time(*workload, {WorkId(0)}, host_of(2), HostId(0), 0) == 5);
}

TEST_CASE("packages of a sweep take whole waves (Sim-PETEK section 3.1)") {
  const auto workload = sweep_of(100, 10);
  for (const auto& [runs, seconds] : {std::pair{8, 10.0}, {9, 12.0}, {10, 13.0}})
    CHECK(true_time(*workload, {WorkId(0), 0, static_cast<double>(runs)}, host_of(1, 8), HostId(0), 0) ==
          seconds);
}

TEST_CASE("unequal runs go in queue order to the slot that is free first") {
  // Two slots, one trial each, weights 3 1 1 1 2: 3 | 1 1 1, then 2 on the first slot to be free (both at 3).
  const auto workload = sweep_of(5, 1, {3, 1, 1, 1, 2});
  CHECK(true_time(*workload, {WorkId(0), 0, 5}, host_of(1, 2), HostId(0), 0) == 5);
  CHECK(true_time(*workload, {WorkId(0), 1, 3}, host_of(1, 2), HostId(0), 0) == 2);
  // Equal weights give the closed form.
  const auto equal = sweep_of(9, 10, std::vector<double>(9, 1.0));
  CHECK(true_time(*equal, {WorkId(0), 0, 9}, host_of(1, 8), HostId(0), 0) == 12);
}

TEST_CASE("unequal runs on many slots: the same bits as a queue of slots") {
  const auto textbook = [](const Workload& w, std::size_t first, std::size_t size, std::int32_t slots,
                           bool noisy) {
    const WorkExtra& extra = w.extras[0];
    std::multiset<double> free;
    for (std::int32_t s = 0; s < slots; ++s) free.insert(0);
    for (std::size_t run = first; run < first + size; ++run)
      for (std::int32_t trial = 0; trial < extra.trials; ++trial) {
        double time = extra.weights == kNone ? 1 : w.times[extra.weights + run];
        if (noisy) time *= w.times[extra.noise + run * static_cast<std::size_t>(extra.trials) + trial];
        const double end = *free.begin() + time;
        free.erase(free.begin());
        free.insert(end);
      }
    return *free.rbegin();
  };
  Stream rng(7, "waves");
  for (int round = 0; round < 400; ++round) {
    const auto runs = static_cast<std::size_t>(1 + rng.below(12));
    const auto trials = static_cast<std::int32_t>(1 + rng.below(30));
    std::vector<double> weights;
    for (std::size_t r = 0; r < runs; ++r)  // nothing, whole numbers with many ties, and any size
      weights.push_back(round % 3 == 0   ? static_cast<double>(rng.below(4))
                        : round % 3 == 1 ? rng.uniform(0.9, 1.1)
                                         : rng.lognormal(1, 10));
    auto workload = sweep_of(static_cast<double>(runs), trials, weights);
    WorkExtra& extra = workload->extras[0];
    extra.noise = static_cast<std::uint32_t>(workload->times.size());
    for (std::size_t i = 0; i < runs * static_cast<std::size_t>(trials); ++i)
      workload->times.push_back(rng.lognormal(1, 0.1));
    if (round % 5 == 0) extra.weights = kNone;
    for (const std::int32_t slots : {1, 2, 3, 15, 64}) {
      const auto first = static_cast<std::size_t>(rng.below(runs));
      const auto size = static_cast<std::size_t>(1 + rng.below(runs - first));
      const Piece piece{WorkId(0), static_cast<double>(first), static_cast<double>(size)};
      CHECK(true_time(*workload, piece, host_of(1, slots), HostId(0), 0) ==
            textbook(*workload, first, size, slots, true));
      CHECK(declared_time(*workload, piece, host_of(1, slots), HostId(0), 0) ==
            textbook(*workload, first, size, slots, false));
    }
  }
}

TEST_CASE("bad work is refused with its name, field and value") {
  const auto platform = platform_of({cluster_of({1, 1})});
  const auto complaint = [&](auto spoil) {
    auto workload = tasks_of({{10}, {10}});
    spoil(*workload);
    try {
      workload->check(*platform);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK(complaint([](Workload&) {}) == "nothing");
  CHECK(complaint([](Workload& w) { w.works[1].amount = -2; }) ==
        "task 2: operations must be finite and >= 0, got -2");
  CHECK(complaint([](Workload& w) { w.works[0].amount = std::nan(""); }) ==
        "task 1: operations must be finite and >= 0, got nan");
  CHECK(complaint([](Workload& w) { w.works[0].arrival = kNever; }) ==
        "task 1: arrival must be finite and >= 0, got inf");
  CHECK(complaint([](Workload& w) { w.works[0].cores = 0; }) == "task 1: cores must be >= 1, got 0");
  CHECK(complaint([](Workload& w) { w.works[0].form = TimeForm::by_host; }) == "task 1: it has no run times");
  CHECK(complaint([](Workload& w) {
          w.works[0].form = TimeForm::by_host;
          w.works[0].times = 0;
          w.times = {1};
        }) == "task 1: times needs 2 values, one per host");
  CHECK(complaint([](Workload& w) {
          w.files = {{"f", 1, 1}};
          w.file_lists = {FileId(0), FileId(0)};
          w.works[0].output_count = 1;
          w.works[1].inputs = 1;
          w.works[1].input_count = 1;
        }) == "file 'f' is an output of task 1 and an input of task 2; work has no order among itself");
  CHECK(complaint([](Workload& w) {
          w.files = {{"f", -1, 1}};
        }) == "file 'f': size must be finite and >= 0 B, got -1");
  auto sweep = sweep_of(2.5, 1);
  CHECK_THROWS_WITH(sweep->check(*platform), "sweep 1: runs must be a whole number >= 1, got 2.5");
}
