#include "runtime/engine/state/state.h"

#include <utility>

namespace perigee::engine {

State::State(std::shared_ptr<const Scenario> declared)
    : scenario(std::move(declared)),
      platform(scenario->platform.get()),
      workload(scenario->workload.get()),
      hosts(*platform),
      links(*platform),
      clusters(platform->clusters().size()),
      stores(platform->clusters().size()),
      stock(*platform),
      posts(platform->hosts().size(), platform->links().size()) {
  for (std::size_t h = 0; h < hosts.size(); ++h)
    if (platform->hosts()[h].overtake) posts.let_overtake(HostId(h));
  for (std::size_t l = 0; l < links.size(); ++l)
    if (const Link& link = platform->links()[l]; link.overtake)
      link.sharing == Sharing::exclusive ? posts.let_overtake(LinkId(l)) : posts.let_all_in(LinkId(l));
  works.extend(*workload);
  if (platform->has_store_limit()) {
    std::vector<double> sizes;
    for (const Cluster& cluster : platform->clusters()) sizes.push_back(cluster.store);
    stores.limit(std::move(sizes));
  }
  stores.extend(*workload, 0);
  readiness.extend(*workload);
}

void State::adopt(std::shared_ptr<const Scenario> of_its_own) {
  scenario = std::move(of_its_own);
  workload = scenario->workload.get();
  works.extend(*workload);
}

void State::extend(std::shared_ptr<const Workload> longer) {
  const std::size_t first = workload->size();
  auto of_its_own = std::make_shared<Scenario>(*scenario);
  of_its_own->workload = std::move(longer);
  scenario = std::move(of_its_own);
  workload = scenario->workload.get();
  works.extend(*workload);
  stores.extend(*workload, first);
  readiness.extend(*workload);
}

}  // namespace perigee::engine
