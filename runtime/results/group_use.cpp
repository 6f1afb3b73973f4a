#include "runtime/results/group_use.h"

#include "runtime/results/numbers.h"

namespace perigee::results {

void GroupUse::add_to(std::vector<double>& sums, std::size_t place, double core_seconds) {
  if (place >= sums.size()) sums.resize(place + 1);
  sums[place] += core_seconds;
}

void GroupUse::add(const Scenario& scenario, const Execution& execution, std::span<const UsedResource> on,
                   const Absences& away, Time from) {
  if (execution.kind != ActivityKind::compute || !execution.work.valid() || execution.ended <= from) return;
  const Workload& workload = *scenario.workload;
  const UserId user = workload[execution.work].user;
  const std::uint32_t queue = workload.queue_number(execution.work);
  if (!user.valid() && queue == model::kNone) return;
  static const std::vector<Away> kNeverAway;
  double core_seconds = 0;
  for (const UsedResource& each : on) {
    if (each.kind() != ResourceKind::host) continue;
    const std::vector<Away>& gaps = each.at() < away.hosts.size() ? away.hosts[each.at()] : kNeverAway;
    each_present(gaps, execution.started, execution.ended,
                 [&](Time a, Time b) { core_seconds += overlap(a, b, from, kNever) * each.cores; });
  }
  if (user.valid()) add_to(users_, user.index, core_seconds);
  if (queue != model::kNone) add_to(queues_, queue, core_seconds);
}

GroupMetric group_metric(std::string_view text) {
  for (const auto& [prefix, of] : {std::pair(std::string_view("utilization.queue."), GroupMetric::Of::queue),
                                   std::pair(std::string_view("utilization.user."), GroupMetric::Of::user)})
    if (text.size() > prefix.size() && text.starts_with(prefix)) return {of, text.substr(prefix.size())};
  return {};
}

}  // namespace perigee::results
