#include "runtime/results/core_time.h"

#include <algorithm>
#include <numeric>

#include "runtime/results/numbers.h"

namespace perigee::results {

// Where one host is away, the attempt stands still on all.
void CoreTime::find_gaps(const Execution& attempt, std::span<const UsedResource> on, const Absences& away) {
  gaps_.clear();
  for (const UsedResource& each : on) {
    if (each.kind() != ResourceKind::host || each.at() >= away.hosts.size()) continue;
    const std::vector<Away>& all = away.hosts[each.at()];
    auto next = std::ranges::partition_point(all, [&](const Away& a) { return a.to <= attempt.started; });
    for (; next != all.end() && next->from < attempt.ended; ++next)
      gaps_.push_back({std::max(next->from, attempt.started), std::min(next->to, attempt.ended)});
  }
  if (gaps_.size() < 2) return;
  std::ranges::sort(gaps_, {}, &Gap::from);
  std::size_t last = 0;
  for (std::size_t i = 1; i < gaps_.size(); ++i) {
    if (gaps_[i].from <= gaps_[last].to)
      gaps_[last].to = std::max(gaps_[last].to, gaps_[i].to);
    else
      gaps_[++last] = gaps_[i];
  }
  gaps_.resize(last + 1);
}

void CoreTime::add(const Scenario& scenario, const Execution& attempt, std::span<const UsedResource> on,
                   const Absences& away, Time from) {
  if (attempt.kind != ActivityKind::compute || !attempt.work.valid() || attempt.ended <= from) return;
  const WorkKind kind = (*scenario.workload)[attempt.work].kind;
  if (kind != WorkKind::job && kind != WorkKind::task) return;
  const model::Shape* shape = scenario.workload->shape_of(attempt.work);
  double cores = 0;
  Seconds setup = 0;  // one phase, the longest
  for (const UsedResource& each : on) {
    if (each.kind() != ResourceKind::host) continue;
    const Host& host = (*scenario.platform)[each.host()];
    cores += shape != nullptr && shape->exclusive ? host.cores : each.cores;
    setup = std::max(setup, host.setup);
  }
  Sums sums{};  // since it began, or began anew
  const auto spend = [&](Time a, Time b, CorePart part) {
    sums[static_cast<std::size_t>(part)] += overlap(a, b, from, kNever) * cores;
  };
  Seconds to_set_up = setup;
  const auto go_on = [&](Time a, Time b) {
    const Seconds phase = std::min(to_set_up, b - a);
    spend(a, a + phase, CorePart::setup);
    spend(a + phase, b, CorePart::useful);
    to_set_up -= phase;
  };
  const auto settle_as = [&](CorePart part) {
    sums_[static_cast<std::size_t>(part)] += std::accumulate(sums.begin(), sums.end(), 0.0);
    sums = {};
  };
  Time now = attempt.started;
  find_gaps(attempt, on, away);
  for (const Gap& gap : gaps_) {
    go_on(now, gap.from);
    spend(gap.from, gap.to, CorePart::standing);
    now = gap.to;
    if (scenario.compute_rule == OnFailure::restarted && now < attempt.ended) {
      settle_as(CorePart::lost);
      to_set_up = setup;
    }
  }
  go_on(now, attempt.ended);
  if (attempt.how != RecordKind::ended && attempt.how != RecordKind::started) {
    settle_as(attempt.how == RecordKind::cancelled && attempt.why == Reason::limit ? CorePart::killed
                                                                                   : CorePart::lost);
    return;
  }
  for (std::size_t part = 0; part < kCoreParts; ++part) sums_[part] += sums[part];
}

double CoreTime::all() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

double CoreTime::waste() const { return share(all() - of(CorePart::useful), all()); }

}  // namespace perigee::results
