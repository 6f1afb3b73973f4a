// The owners of a run's state together: made of a scenario, extended by more work, copied.
#include "runtime/engine/state/state.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::shared_ptr<const Scenario> one_task_on_one_host() {
  PlatformSpec spec;
  PlatformSpec::ClusterSpec& cluster = spec.clusters.emplace_back();
  cluster.name = "c";
  Host& host = cluster.hosts.emplace_back();
  host.name = "c.1";
  host.overtake = true;
  auto workload = std::make_shared<Workload>();
  workload->works.resize(1);
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::make_shared<Platform>(spec);
  scenario->workload = std::move(workload);
  return scenario;
}

}  // namespace

TEST_CASE("the owners know what the scenario declares") {
  State state(one_task_on_one_host());
  CHECK(state.hosts.size() == 1);
  CHECK(state.works.size() == 1);
  CHECK(state.posts[HostId(0)].overtakes());
  const LinkId link = (*state.platform)[ClusterId(0)].link;
  state.hosts.leave(HostId(0));
  state.clusters[0].leave();
  CHECK_FALSE(state.presence(ResourceId::of(HostId(0))).is_present());
  CHECK(state.presence(ResourceId::of(link)).is_present());
  CHECK_FALSE(state.presence(ResourceId::of(ClusterId(0))).is_present());
}

TEST_CASE("a copy that takes in more work leaves the original as it was") {
  const State original(one_task_on_one_host());
  State copy = original;
  auto longer = std::make_shared<Workload>(*original.workload);
  longer->files.push_back({.name = "out"});
  longer->file_lists = {FileId(0)};
  longer->works.push_back({.outputs = 0, .output_count = 1});
  copy.extend(longer);
  copy.works.arrive(WorkId(1));
  CHECK(copy.works.size() == 2);
  CHECK(copy.stores.maker(FileId(0)) == WorkId(1));
  CHECK(copy.scenario->workload == longer);
  CHECK(original.works.size() == 1);
  CHECK(original.works.unsettled() == 0);
  CHECK(original.scenario->workload->size() == 1);
}
