// Core-seconds of jobs and tasks by their queue and by their user.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"

namespace perigee::results {

class GroupUse {
 public:
  // A computation that is over, or under way at the end. Its cores are busy from its start to its end, but while their
  // host is away. The time before `from` does not count.
  void add(const Scenario& scenario, const Execution& execution, std::span<const UsedResource> on,
           const Absences& away, Time from);

  // Core-seconds by the number of the queue, and of the user; 0 where nothing ran.
  double of_queue(std::size_t queue) const { return queue < queues_.size() ? queues_[queue] : 0; }
  double of_user(std::size_t user) const { return user < users_.size() ? users_[user] : 0; }

 private:
  static void add_to(std::vector<double>& sums, std::size_t place, double core_seconds);

  std::vector<double> queues_, users_;
};

// "utilization.queue.NAME" and "utilization.user.NAME", which runs have besides the metrics that all have.
struct GroupMetric {
  enum class Of : std::uint8_t { none, queue, user };
  Of of = Of::none;
  std::string_view name = {};  // a view of the text
};
GroupMetric group_metric(std::string_view text);

}  // namespace perigee::results
