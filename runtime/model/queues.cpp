#include "runtime/model/queues.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/kernel/quantity.h"
#include "runtime/model/workload.h"

namespace perigee::model {
namespace {

// The least that is declared of the run time, on any host and in any size.
Seconds least_declared(const Workload& workload, const Platform& platform, WorkId work) {
  const Work& declared = workload[work];
  const WorkExtra& extra = workload.extras[declared.extra];
  if (extra.limit_is_estimate) return extra.limit;
  const Sizes* sizes = workload.sizes_of(work);
  std::int32_t architectures = 1;  // a host may come back with another
  if (declared.form == TimeForm::by_architecture)
    for (const Host& host : platform.hosts()) architectures = std::max(architectures, host.architecture + 1);
  const std::size_t hosts = declared.form == TimeForm::seconds ? 1 : platform.hosts().size();
  Seconds least = kNever;
  for (std::size_t s = 0; s < (sizes != nullptr ? sizes->allowed.size() : 1); ++s) {
    const Piece whole{work, 0, 1, sizes != nullptr ? sizes->allowed[s] : 0};
    for (std::size_t h = 0; h < hosts; ++h) {
      const HostId host(h);
      if (declared.form != TimeForm::seconds && !extra.shape.allows(host)) continue;
      for (std::int32_t a = 0; a < architectures; ++a)
        least = std::min(least, declared_time(workload, whole, platform[host], host, a));
    }
  }
  return least;
}

}  // namespace

std::int32_t Workload::tier_of(WorkId id) const {
  if (const Qos* qos = qos_of(id); qos != nullptr && qos->tier) return *qos->tier;
  const Queue* queue = queue_of(id);
  return queue != nullptr ? queue->tier : kUsualTier;
}

std::string why_over_queue(const Workload& workload, const Platform& platform, WorkId work) {
  const Queue* queue = workload.queue_of(work);
  if (queue == nullptr) return {};
  const Work& declared = workload[work];
  const WorkExtra& extra = workload.extras[declared.extra];
  const std::int64_t nodes = std::max(extra.shape.nodes, 1), cores = workload.width_of(work);
  if (nodes > queue->max_nodes)
    return fmt::format("it takes {} nodes, queue '{}' allows {}", nodes, queue->name, queue->max_nodes);
  if (const std::int64_t most = std::min(queue->max_cores, queue->max_cores_user); cores > most)
    return fmt::format("it takes {} cores, queue '{}' allows {}", cores, queue->name, most);
  if (queue->max_time == kNever) return {};
  const Seconds time = std::min(extra.limit, least_declared(workload, platform, work));
  if (time > queue->max_time)
    return fmt::format("it asks for {} s, queue '{}' allows {} s", format_number(time), queue->name,
                       format_number(queue->max_time));
  return {};
}

}  // namespace perigee::model
