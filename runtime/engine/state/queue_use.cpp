#include "runtime/engine/state/queue_use.h"

#include <fmt/format.h>

#include <string_view>

#include "runtime/kernel/error.h"

namespace perigee::engine {

void QueueUse::add(const Workload& workload, WorkId work, std::int64_t cores, int more) {
  const WorkExtra& extra = workload.extras[workload[work].extra];
  const auto count = [&](auto& all, const auto& key) {
    const auto entry = all.try_emplace(key).first;
    entry->second.jobs += more;
    entry->second.cores += more * cores;
    PERIGEE_ASSERT(entry->second.jobs >= 0, "more jobs of a queue are over than began");
    if (entry->second.jobs == 0) all.erase(entry);
  };
  const UserId user = workload[work].user;
  if (extra.queue != model::kNone) {
    count(queues_, extra.queue);
    count(queue_users_, OfUser{extra.queue, user});
  }
  if (extra.qos != model::kNone) count(qos_users_, OfUser{extra.qos, user});
}

std::string QueueUse::obstacle(const Workload& workload, WorkId work, std::int64_t cores) const {
  const UserId user = workload[work].user;
  const auto too_many = [&](std::string_view kind, const std::string& name, const Use& use, bool of_user) {
    return fmt::format("{} '{}' runs {} job{}{}, as many as it may", kind, name, use.jobs,
                       use.jobs == 1 ? "" : "s", of_user ? " of its user" : "");
  };
  const WorkExtra& extra = workload.extras[workload[work].extra];
  if (const model::Queue* queue = workload.queue_of(work); queue != nullptr) {
    if (const Use all = use_of(queues_, extra.queue); all.jobs >= queue->max_running)
      return too_many("queue", queue->name, all, false);
    const Use of_user = use_of(queue_users_, OfUser{extra.queue, user});
    if (of_user.jobs >= queue->max_running_user) return too_many("queue", queue->name, of_user, true);
    if (cores > queue->max_cores_user - of_user.cores)
      return fmt::format("it asks for {} cores, and queue '{}' runs jobs of its user that have {} of {}",
                         cores, queue->name, of_user.cores, queue->max_cores_user);
  }
  if (const model::Qos* qos = workload.qos_of(work); qos != nullptr)
    if (const Use of_user = use_of(qos_users_, OfUser{extra.qos, user});
        of_user.jobs >= qos->max_running_user)
      return too_many("qos", qos->name, of_user, true);
  return {};
}

}  // namespace perigee::engine
