// Queues and qualities of service, to which jobs are submitted: who comes first, and how much of a machine they may have.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/ids.h"

namespace perigee::model {

class Platform;
struct Workload;

inline constexpr std::int64_t kNoMost = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int32_t kUsualTier = 1;  // of who names none

// Jobs above `max_time`, `max_nodes` or `max_cores` are rejected when they arrive. While as many run as the other maxima
// allow, a job waits, and is passed over.
struct Queue {
  std::string name;
  std::shared_ptr<const std::vector<std::uint8_t>> hosts = {};  // per host, 1 = of the queue; null = all are
  std::int32_t tier = kUsualTier;                               // a larger one comes before all others
  double priority = 0;        // >= 0, of its jobs among those of a tier: see batch::Multifactor
  Seconds max_time = kNever;  // of what is requested: the lesser of the limit and the least declared time
  std::int64_t max_nodes = kNoMost;         // of a job; one of processes counts as one
  std::int64_t max_cores = kNoMost;         // of a job, in all
  std::int64_t max_running = kNoMost;       // jobs
  std::int64_t max_running_user = kNoMost;  // jobs of each user
  std::int64_t max_cores_user = kNoMost;    // cores that the running jobs of each user ask for
  Seconds default_time = kNever;            // the limit of jobs that declare neither limit nor estimate
  bool bounds_running() const {
    return max_running < kNoMost || max_running_user < kNoMost || max_cores_user < kNoMost;
  }
};

struct Qos {
  std::string name;
  std::optional<std::int32_t> tier = {};  // in place of the queue's
  double priority = 0;                    // as Queue::priority
  double usage = 1;  // >= 0: by which core-seconds are multiplied where users' shares are reckoned
  std::int64_t max_running_user = kNoMost;
  bool bounds_running() const { return max_running_user < kNoMost; }
};

// All of them; jobs have their numbers (WorkExtra).
struct Queues {
  std::vector<Queue> queues;
  std::vector<Qos> qos;
  std::vector<std::string> accounts;
  bool declared = false;  // by the scenario; otherwise they are names that a log has
};

// Says by which maximum of its queue the job is rejected when it arrives: "it takes 8 nodes, queue 'short' allows 4".
// Empty: by none.
std::string why_over_queue(const Workload& workload, const Platform& platform, WorkId work);

}  // namespace perigee::model
