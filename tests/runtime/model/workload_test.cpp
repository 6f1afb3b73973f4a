#include <catch2/catch.hpp>

#include <cmath>

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
