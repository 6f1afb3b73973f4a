// The running jobs of queues and qualities of service that bound them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "runtime/model/workload.h"

namespace perigee::engine {

class QueueUse {
 public:
  // A job begins, or is over (`more` = -1), that asks for so many cores in all.
  void add(const Workload& workload, WorkId work, std::int64_t cores, int more);
  // By which maximum it may not begin now, with so many cores: "queue 'short' runs 4 jobs, as many as it may". Empty: by
  // none.
  std::string obstacle(const Workload& workload, WorkId work, std::int64_t cores) const;

 private:
  struct Use {
    std::int64_t jobs = 0, cores = 0;
  };
  using OfUser = std::pair<std::uint32_t, UserId>;  // number of the queue or quality of service, user
  template <class Key>
  static Use use_of(const std::map<Key, Use>& all, const Key& key) {
    const auto found = all.find(key);
    return found != all.end() ? found->second : Use{};
  }

  std::map<std::uint32_t, Use> queues_;  // by number; what nothing runs of has no entry
  std::map<OfUser, Use> queue_users_, qos_users_;
};

}  // namespace perigee::engine
