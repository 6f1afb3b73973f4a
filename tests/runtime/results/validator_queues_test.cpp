// The validator looks at queues and qualities of service: a run without their maxima is held against a scenario that has them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Three jobs of 10 s on two nodes of one core each of one user, which run at the same time on six hosts.
std::shared_ptr<Scenario> queued(const model::Queue& queue, const model::Qos& qos = {.name = "high"}) {
  auto workload = std::make_shared<Workload>();
  auto queues = std::make_shared<model::Queues>();
  queues->queues.push_back(queue);
  queues->qos.push_back(qos);
  workload->queues = queues;
  workload->users = {"u"};
  for (std::uint32_t w = 0; w < 3; ++w) {
    WorkExtra& extra = workload->extras.emplace_back();
    extra.queue = extra.qos = 0;
    extra.shape.nodes = 2;
    extra.shape.takes_turns = true;
    Work work;
    work.kind = WorkKind::job;
    work.amount = work.estimate = 10;
    work.user = UserId(0);
    work.extra = w;
    workload->works.push_back(work);
  }
  return scenario_of(platform_of({cluster_of({1, 1, 1, 1, 1, 1})}), workload);
}

// The words of the validator on a run without maxima, were it one of that scenario.
std::string said_of(const std::shared_ptr<Scenario>& scenario) {
  const auto config = Catalogue().configure("easy");
  Simulation run(queued({.name = "q"}),
                 {config->text(), config->make_policy(), config->accepts(), config->entry->instants});
  run.run();
  Outcome outcome = run.outcome();
  REQUIRE(validate(outcome).empty());
  outcome.scenario = scenario;
  const std::vector<std::string> lines = validate(outcome);
  return lines.empty() ? "" : lines.front();
}

}  // namespace

TEST_CASE("the validator finds what runs beyond the maxima of queues") {
  CHECK(said_of(queued({.name = "q"})).empty());
  const auto finds = [](const std::shared_ptr<Scenario>& scenario, const std::string& text) {
    const std::string said = said_of(scenario);
    INFO(said);
    CHECK(said.find(text) != std::string::npos);
  };
  finds(queued({.name = "q", .max_running = 2}), "'q' has 3 jobs that run, at most 2 are allowed");
  finds(queued({.name = "q", .max_running_user = 1}),
        "'q' has 2 jobs of a user that run, at most 1 are allowed");
  finds(queued({.name = "q", .max_cores_user = 5}),
        "'q' has 6 cores that a user's jobs run on, at most 5 are allowed");
  finds(queued({.name = "q"}, {.name = "high", .max_running_user = 2}),
        "'high' has 3 jobs of a user that run");
  CHECK(said_of(queued({.name = "q", .max_running = 3, .max_running_user = 3, .max_cores_user = 6})).empty());
  finds(queued({.name = "q", .max_nodes = 1}), "is 'finished', but it is above a maximum of its queue");
  finds(queued({.name = "q", .max_cores = 1}), "is 'finished', but it is above a maximum of its queue");
  finds(queued({.name = "q", .max_time = 9}), "is 'finished', but it is above a maximum of its queue");
  CHECK(said_of(queued({.name = "q", .max_time = 10, .max_nodes = 2, .max_cores = 2})).empty());
}
