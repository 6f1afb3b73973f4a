// The works of a run, alone: states, counters, parts of sweeps and loads, data that has arrived.
#include "runtime/engine/state/works.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr WorkId kTask(0), kSweep(1), kLoad(2), kReservation(3);

Workload one_of_each() {
  Workload workload;
  workload.works = {{},
                    {.kind = WorkKind::sweep, .extra = 0},
                    {.kind = WorkKind::load, .extra = 1},
                    {.kind = WorkKind::reservation, .extra = 2}};
  workload.extras = {{.size = 10}, {.size = 1}, {.hosts = 1}};
  return workload;
}

struct OneOfEach {
  Workload workload = one_of_each();
  Works works;
  OneOfEach() {
    works.extend(workload);
    for (const WorkId id : {kTask, kSweep, kLoad, kReservation}) works.arrive(id);
  }
};

}  // namespace

TEST_CASE("works are counted in each state, and what has arrived is unsettled until it is settled") {
  Workload workload = one_of_each();
  Works works;
  works.extend(workload);
  CHECK(works.count_in(WorkState::future) == 4);
  CHECK(works.unsettled() == 0);
  works.arrive(kTask);
  works.arrive(kSweep);
  works.never_arrives(kLoad);
  CHECK(works.unsettled() == 2);
  CHECK(works.count_in(WorkState::rejected) == 1);
  works.begin(kTask);
  CHECK(works[kTask].state == WorkState::running);
  CHECK(works.finish({kTask}));
  works.settle(kTask, WorkState::finished);
  works.settle(kSweep, WorkState::expired);
  CHECK(works.unsettled() == 0);
  workload.works.emplace_back();
  works.extend(workload);
  CHECK(works.size() == 5);
  CHECK(works.count_in(WorkState::future) == 2);
  CHECK(works[kTask].state == WorkState::finished);
}

TEST_CASE_METHOD(OneOfEach, "a task is taken while it is posted, runs or is done") {
  CHECK(works.undealt(kTask) == 1);
  works.post({kTask});
  CHECK(works.is_taken({kTask}));
  works.withdraw({kTask});
  CHECK_FALSE(works.is_taken({kTask}));
  works.begin(kTask);
  CHECK(works.is_taken({kTask}));
  works.lose({kTask}, false);
  CHECK(works[kTask].state == WorkState::waiting);
  CHECK(works.next_piece(kTask, 1, 0) == Piece{kTask, 0, 1});
  works.begin(kTask);
  CHECK(works.finish({kTask}));
  CHECK(works.is_taken({kTask}));
  CHECK(works.undealt(kTask) == 0);
}

TEST_CASE_METHOD(OneOfEach, "a copy that is superseded leaves its work to the one that ended") {
  works.begin(kTask);
  works.begin(kTask);
  works.supersede(kTask);
  CHECK(works[kTask].running == 1);
  CHECK(works.finish({kTask}));
}

TEST_CASE_METHOD(OneOfEach, "parts of a sweep are dealt out once, and come back when they are lost") {
  works.take({kSweep, 0, 4});
  works.take({kSweep, 6, 2});
  CHECK(works.is_taken({kSweep, 3, 2}));
  CHECK_FALSE(works.is_taken({kSweep, 4, 2}));
  CHECK(works.undealt(kSweep) == 4);
  CHECK(works.next_piece(kSweep, 10, 0) == Piece{kSweep, 4, 2});
  CHECK(works.next_piece(kSweep, 10, 6) == Piece{kSweep, 8, 2});
  works.take({kSweep, 4, 2});  // closes the gap
  works.begin(kSweep);
  works.lose({kSweep, 2, 5}, false);
  CHECK(works.undealt(kSweep) == 7);
  CHECK(works.next_piece(kSweep, 10, 0) == Piece{kSweep, 2, 5});
  CHECK(works.waits(kSweep));
  works.begin(kSweep);
  works.lose({kSweep, 0, 2}, true);  // a copy of it runs
  CHECK(works.is_taken({kSweep, 0, 2}));
}

TEST_CASE_METHOD(OneOfEach, "thirds of a load, each rounded, are the whole load") {
  double first = 0;
  for (int k = 0; k < 3; ++k) {
    const Piece piece = works.next_piece(kLoad, 1.0 / 3, first);
    works.post(piece);
    works.leave_queue(kLoad);
    works.begin(kLoad);
    first = piece.first + piece.size;
    CHECK(works.finish(piece) == (k == 2));
  }
  CHECK(works.undealt(kLoad) == 0);
  CHECK_FALSE(works.waits(kLoad));
  CHECK(works[kLoad].done == 1);
}

TEST_CASE_METHOD(OneOfEach, "a work is not whole while another of its pieces is posted or runs") {
  works.post({kSweep, 0, 10});
  works.leave_queue(kSweep);
  works.begin(kSweep);
  works.begin(kSweep);  // a copy
  CHECK_FALSE(works.finish({kSweep, 0, 10}));
  CHECK(works[kSweep].state == WorkState::running);
}

TEST_CASE_METHOD(OneOfEach, "data of a piece is there when one chunk brought all of it to that host") {
  works.receive({kSweep, 0, 4}, HostId(0));
  works.receive({kSweep, 4, 4}, HostId(0));
  CHECK(works.has_received({kSweep, 1, 3}, HostId(0)));
  CHECK_FALSE(works.has_received({kSweep, 1, 3}, HostId(1)));
  CHECK_FALSE(works.has_received({kSweep, 3, 2}, HostId(0)));
}

TEST_CASE_METHOD(OneOfEach, "a work whose outputs are out of reach is made again from the beginning") {
  works.take({kSweep, 0, 10});
  works.begin(kSweep);
  CHECK(works.finish({kSweep, 0, 10}));
  works.wait_for_outputs(kSweep);
  CHECK_FALSE(works.waits(kSweep));
  works.make_again(kSweep);
  CHECK(works.undealt(kSweep) == 10);
  CHECK(works[kSweep].done == 0);
  CHECK(works.waits(kSweep));
}

TEST_CASE_METHOD(OneOfEach, "a reservation runs while it has its hosts, and is not dealt out") {
  works.hold(kReservation);
  CHECK(works[kReservation].state == WorkState::running);
  works.hold_lost(kReservation);
  CHECK(works[kReservation].state == WorkState::waiting);
  works.hold_ended(kReservation);
  CHECK(works.undealt(kReservation) == 0);
  CHECK_FALSE(works.is_dealt_in_parts(kReservation));
}
