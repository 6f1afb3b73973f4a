#include "interpreter/values/work_records.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using perigee::values::WorkRecord;
using perigee::values::WorkRecords;

TEST_CASE("a list gives back each record as it was added, plain or not") {
  std::vector<WorkRecord> records(13);
  records[0].time.amount = 5;
  records[1] = {.kind = WorkKind::job, .time = {TimeForm::operations, 7}, .arrival = 3, .deadline = 90};
  records[1].estimate = {TimeForm::operations, 8};
  records[1].user = "ada";
  records[1].priority = 2;
  records[1].cores = 4;
  records[2].name = "named";
  records[3].time = {TimeForm::by_host, 0, {1, 2, 3}};
  records[4].inputs = {{"in", 5, 6}};
  records[5].outputs = {{"out", 7, 8}};
  records[6].kind = WorkKind::sweep;
  records[6].extra.size = 40;
  records[6].weights = {1, 2};
  records[7].kind = WorkKind::job;
  records[7].needs.memory = 1e9;
  records[8].user = "ada";
  records[8].estimate = {TimeForm::by_host, 0, {4, 5}};
  records[9].shape = {.shape = {.nodes = 3}, .limit = 60};
  records[10].shape = {.shape = {.nodes = 0}};
  records[11].shape = {.shape = {.nodes = 0, .per_node = 2}};
  records[12].shape = {.shape = {.nodes = 2, .exclusive = true}, .limit = 60, .grace = 5};
  WorkRecords list;
  for (const WorkRecord& record : records) list.add(record);
  REQUIRE(list.size() == records.size());
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t i = 0; i < records.size(); ++i) {
    INFO("record " << i);
    const WorkRecord is = list[i], &was = records[i];
    CHECK(is.kind == was.kind);
    CHECK(is.name == was.name);
    CHECK(is.time.form == was.time.form);
    CHECK(is.time.amount == was.time.amount);
    CHECK(is.time.by_place == was.time.by_place);
    REQUIRE(is.estimate.has_value() == was.estimate.has_value());
    if (was.estimate) {
      CHECK(is.estimate->form == was.estimate->form);
      CHECK(is.estimate->amount == was.estimate->amount);
      CHECK(is.estimate->by_place == was.estimate->by_place);
    }
    CHECK(is.arrival == was.arrival);
    CHECK(is.deadline == was.deadline);
    CHECK(is.priority == was.priority);
    CHECK(is.user == was.user);
    CHECK(is.cores == was.cores);
    REQUIRE(is.shape.has_value() == was.shape.has_value());
    if (was.shape) {
      CHECK(is.shape->shape.nodes == was.shape->shape.nodes);
      CHECK(is.shape->shape.per_node == was.shape->shape.per_node);
      CHECK(is.shape->shape.exclusive == was.shape->shape.exclusive);
      CHECK(is.shape->limit == was.shape->limit);
      CHECK(is.shape->grace == was.shape->grace);
    }
    CHECK(same(is.needs.memory, was.needs.memory));
    CHECK(is.inputs.size() == was.inputs.size());
    CHECK(is.outputs.size() == was.outputs.size());
    CHECK(is.extra.size == was.extra.size);
    CHECK(is.weights == was.weights);
  }
}
