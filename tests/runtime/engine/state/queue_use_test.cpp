#include "runtime/engine/state/queue_use.h"

#include <catch2/catch.hpp>

#include <memory>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using engine::QueueUse;

namespace {

// Jobs 0 and 1 of user 0 and job 2 of user 1, in the queue "q" and with the quality of service "high".
Workload submitted(const model::Queue& queue, const model::Qos& qos) {
  Workload workload;
  auto queues = std::make_shared<model::Queues>();
  queues->queues.push_back(queue);
  queues->qos.push_back(qos);
  workload.queues = queues;
  workload.users = {"u", "v"};
  for (std::uint32_t w = 0; w < 3; ++w) {
    Work work;
    work.kind = WorkKind::job;
    work.user = UserId(w / 2);
    work.extra = w;
    workload.extras.emplace_back().queue = 0;
    workload.extras.back().qos = 0;
    workload.works.push_back(work);
  }
  return workload;
}

}  // namespace

TEST_CASE("queues: jobs and cores that run are counted by queue and by user") {
  const Workload workload = submitted({.name = "q", .max_running = 2, .max_cores_user = 4}, {.name = "high"});
  QueueUse use;
  CHECK(use.obstacle(workload, WorkId(0), 4).empty());
  CHECK(use.obstacle(workload, WorkId(0), 5) ==
        "it asks for 5 cores, and queue 'q' runs jobs of its user that have 0 of 4");
  use.add(workload, WorkId(0), 3, 1);
  CHECK(use.obstacle(workload, WorkId(1), 1).empty());
  CHECK(!use.obstacle(workload, WorkId(1), 2).empty());
  CHECK(use.obstacle(workload, WorkId(2), 4).empty());
  use.add(workload, WorkId(2), 4, 1);
  CHECK(use.obstacle(workload, WorkId(1), 1) == "queue 'q' runs 2 jobs, as many as it may");
  use.add(workload, WorkId(0), 3, -1);
  CHECK(use.obstacle(workload, WorkId(1), 4).empty());
}

TEST_CASE("queues: jobs that run of a user") {
  const Workload by_queue = submitted({.name = "q", .max_running_user = 1}, {.name = "high"}),
                 by_qos = submitted({.name = "q"}, {.name = "high", .max_running_user = 1});
  QueueUse queue, qos;
  queue.add(by_queue, WorkId(0), 1, 1);
  qos.add(by_qos, WorkId(0), 1, 1);
  CHECK(queue.obstacle(by_queue, WorkId(1), 1) == "queue 'q' runs 1 job of its user, as many as it may");
  CHECK(qos.obstacle(by_qos, WorkId(1), 1) == "qos 'high' runs 1 job of its user, as many as it may");
  CHECK(queue.obstacle(by_queue, WorkId(2), 1).empty());
  CHECK(qos.obstacle(by_qos, WorkId(2), 1).empty());
}
