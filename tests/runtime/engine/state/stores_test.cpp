// The places of files, alone: at home, in stores, on the way.
#include "runtime/engine/state/stores.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr ClusterId kFirstCluster(0), kSecondCluster(1);

// A task that makes file 1 of file 0.
Workload task_with_output() {
  Workload workload;
  workload.files = {{.name = "in"}, {.name = "out"}};
  workload.file_lists = {FileId(0), FileId(1)};
  workload.works = {{.inputs = 0, .outputs = 1, .input_count = 1, .output_count = 1}};
  return workload;
}

}  // namespace

TEST_CASE("a file that nobody makes is at home, an output is not") {
  Stores stores(2);
  Workload workload = task_with_output();
  stores.extend(workload, 0);
  CHECK(stores.is_home(FileId(0)));
  CHECK_FALSE(stores.maker(FileId(0)).valid());
  CHECK_FALSE(stores.is_home(FileId(1)));
  CHECK(stores.maker(FileId(1)) == WorkId(0));
  CHECK_FALSE(stores.has(FileId(0), kFirstCluster));

  stores.send(FileId(0), kFirstCluster, Direction::in);
  stores.arrive(FileId(0), kFirstCluster, Direction::in);
  workload.files.push_back({.name = "late"});
  workload.file_lists.push_back(FileId(2));
  workload.works.push_back({.outputs = 2, .output_count = 1});
  stores.extend(workload, 1);
  CHECK(stores.files() == 3);
  CHECK(stores.has(FileId(0), kFirstCluster));  // what was known stays
  CHECK(stores.maker(FileId(2)) == WorkId(1));
  CHECK_FALSE(stores.is_home(FileId(2)));
}

TEST_CASE("a transfer is on its way until it arrives or is given up, in one cluster and one direction") {
  Stores stores(2);
  stores.extend(task_with_output(), 0);
  stores.send(FileId(0), kFirstCluster, Direction::in);
  CHECK(stores.is_moving(FileId(0), kFirstCluster, Direction::in));
  CHECK_FALSE(stores.is_moving(FileId(0), kFirstCluster, Direction::out));
  CHECK_FALSE(stores.is_moving(FileId(0), kSecondCluster, Direction::in));
  stores.give_up(FileId(0), kFirstCluster, Direction::in);
  CHECK_FALSE(stores.is_moving(FileId(0), kFirstCluster, Direction::in));
  CHECK_FALSE(stores.has(FileId(0), kFirstCluster));
  stores.send(FileId(0), kSecondCluster, Direction::in);
  stores.arrive(FileId(0), kSecondCluster, Direction::in);
  CHECK(stores.has(FileId(0), kSecondCluster));
  CHECK_FALSE(stores.is_moving(FileId(0), kSecondCluster, Direction::in));
  CHECK(stores.is_home(FileId(0)));  // a copy was sent
  stores.discard(FileId(0), kSecondCluster);
  CHECK_FALSE(stores.has(FileId(0), kSecondCluster));
}

TEST_CASE("an output comes home from the cluster where it was made, and may have to be made again") {
  Stores stores(2);
  const Workload workload = task_with_output();
  stores.extend(workload, 0);
  stores.make(FileId(1), kSecondCluster);
  CHECK(stores.has(FileId(1), kSecondCluster));
  CHECK_FALSE(stores.are_home(workload.outputs(WorkId(0))));
  stores.send(FileId(1), kSecondCluster, Direction::out);
  stores.arrive(FileId(1), kSecondCluster, Direction::out);
  CHECK(stores.are_home(workload.outputs(WorkId(0))));
  CHECK(stores.has(FileId(1), kSecondCluster));
  CHECK(stores.are_home({}));
  stores.unmake(FileId(1), kSecondCluster);
  CHECK_FALSE(stores.is_home(FileId(1)));
  CHECK_FALSE(stores.has(FileId(1), kSecondCluster));
}

TEST_CASE("a file takes its room once, be it there, on its way or about to be made") {
  Stores stores(2);
  CHECK(stores.room(kFirstCluster) == kNever);
  CHECK_FALSE(stores.any_limit());
  stores.limit({100, kNever});
  Workload workload = task_with_output();
  workload.files[0].size = 60;
  workload.files[1].size = 40.5;  // takes 41
  stores.extend(workload, 0);
  const std::vector<FileId> in{FileId(0)}, out{FileId(1)}, both{FileId(0), FileId(1)};
  CHECK(stores.room_for(both, kFirstCluster) == 101);
  CHECK_FALSE(stores.has_room(both, kFirstCluster));
  CHECK(stores.has_room(both, kSecondCluster));

  stores.reserve(FileId(0), kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 40);
  CHECK_FALSE(stores.has_room(out, kFirstCluster));
  CHECK(stores.has_room(in, kFirstCluster));  // which has its room
  stores.send(FileId(0), kFirstCluster, Direction::in);
  stores.arrive(FileId(0), kFirstCluster, Direction::in);
  stores.release(FileId(0), kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 40);
  stores.discard(FileId(0), kFirstCluster);
  stores.discard(FileId(0), kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 100);

  stores.reserve(FileId(1), kFirstCluster);  // two copies of a computation
  stores.reserve(FileId(1), kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 59);
  stores.make(FileId(1), kFirstCluster);
  stores.release(FileId(1), kFirstCluster);
  stores.release(FileId(1), kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 59);
  const Stores fork = stores;
  stores.clear(kFirstCluster);
  CHECK(stores.room(kFirstCluster) == 100);
  CHECK(fork.room(kFirstCluster) == 59);
  CHECK(stores.room(kSecondCluster) == kNever);
}
