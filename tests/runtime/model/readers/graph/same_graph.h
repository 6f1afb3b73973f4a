#pragma once

#include <catch2/catch.hpp>

#include "runtime/model/task_graph.h"
#include "tests/support/layers.h"

namespace perigee::test {

// Two graphs are the same, to the bit.
inline void check_same(const TaskGraph& a, const TaskGraph& b) {
  CHECK(a.form == b.form);
  CHECK(a.hosts == b.hosts);
  CHECK(a.times == b.times);
  REQUIRE(a.tasks.size() == b.tasks.size());
  for (std::size_t t = 0; t < a.tasks.size(); ++t) {
    const GraphTask &one = a.tasks[t], &other = b.tasks[t];
    CHECK(one.name == other.name);
    CHECK(one.category == other.category);
    CHECK(one.amount == other.amount);
    CHECK(one.priority == other.priority);
    CHECK(one.inputs == other.inputs);
    CHECK(one.outputs == other.outputs);
    CHECK(one.after == other.after);
  }
  REQUIRE(a.files.size() == b.files.size());
  for (std::size_t f = 0; f < a.files.size(); ++f) {
    CHECK(a.files[f].name == b.files[f].name);
    CHECK(a.files[f].size == b.files[f].size);
  }
}

}  // namespace perigee::test
