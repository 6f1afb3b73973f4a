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
  const model::Checkpoint* checkpoint = scenario.workload->checkpoint_of(attempt.work);
  Dumped none;
  Dumped& dumped = checkpoint != nullptr ? dumped_[attempt.work] : none;
  const bool counts = attempt.start_record >= dumped.gone;  // its dumps were not lost
  bool is_saved = counts && dumped.is_saved;
  Seconds to_set_up = setup, to_restart = is_saved ? checkpoint->restart : 0;
  const auto keep = [&] {
    for (std::size_t part = 0; part < kCoreParts; ++part) {
      sums_[part] += sums[part];
      dumped.kept[part] += sums[part];
    }
    sums = {};
  };
  const auto pass = [&](Time a, Time b) {
    for (const auto& [left, part] :
         {std::pair(&to_set_up, CorePart::setup), std::pair(&to_restart, CorePart::restart)}) {
      const Seconds phase = std::min(*left, b - a);
      spend(a, a + phase, part);
      *left -= phase;
      a += phase;
    }
    for (const Execution::Stand& stand : attempt.stands) {
      if (stand.from >= b) break;
      if (stand.to <= a) continue;
      spend(a, std::max(a, stand.from), CorePart::useful);
      const Time until = std::min(b, stand.to);
      spend(std::max(a, stand.from), until, stand.reads ? CorePart::restart : CorePart::dump);
      a = until;
    }
    spend(a, b, CorePart::useful);
  };
  std::size_t next_dump = 0;
  const auto go_on = [&](Time a, Time b) {
    for (; next_dump < attempt.saved_at.size() && attempt.saved_at[next_dump] <= b; ++next_dump) {
      const Time whole = attempt.saved_at[next_dump];
      pass(a, whole);
      a = whole;
      double& useful = sums[static_cast<std::size_t>(CorePart::useful)];
      const double written = std::min(useful, checkpoint->cost * cores);
      useful -= written;
      sums[static_cast<std::size_t>(CorePart::dump)] += written;
      if (!counts) continue;
      keep();
      is_saved = dumped.is_saved = true;
    }
    pass(a, b);
  };
  const auto settle_as = [&](CorePart part) {
    sums_[static_cast<std::size_t>(part)] += std::accumulate(sums.begin(), sums.end(), 0.0);
    sums = {};
  };
  // Calls f for each part of that time in which it had its cores.
  const auto each_held = [&](Time a, Time b, auto f) {
    for (const Execution::Suspension& each : attempt.suspensions) {
      if (each.to <= a) continue;
      if (each.from >= b) break;
      f(a, std::max(a, each.from));
      a = std::min(each.to, b);
    }
    f(a, b);
  };
  Time now = attempt.started;
  find_gaps(attempt, on, away);
  for (const Gap& gap : gaps_) {
    each_held(now, gap.from, go_on);
    each_held(gap.from, gap.to, [&](Time a, Time b) { spend(a, b, CorePart::standing); });
    now = gap.to;
    if (scenario.compute_rule == OnFailure::restarted && now < attempt.ended) {
      settle_as(CorePart::lost);
      to_set_up = setup;
      to_restart = is_saved ? checkpoint->restart : 0;
    }
  }
  each_held(now, attempt.ended, go_on);
  if (attempt.how != RecordKind::ended && attempt.how != RecordKind::started) {
    const bool limited = attempt.how == RecordKind::cancelled && attempt.why == Reason::limit;
    const bool goes_on = !attempt.saved_at.empty() && scenario.at_limit != AtLimit::kill;  // at its limit
    return settle_as(limited && !goes_on ? CorePart::killed : CorePart::lost);
  }
  keep();
}

void CoreTime::forget_dumps(WorkId work, std::size_t record) {
  Dumped& dumped = dumped_[work];
  for (std::size_t part = 0; part < kCoreParts; ++part)
    sums_[part] = std::max(0.0, sums_[part] - dumped.kept[part]);
  sums_[static_cast<std::size_t>(CorePart::lost)] +=
      std::accumulate(dumped.kept.begin(), dumped.kept.end(), 0.0);
  dumped = {.gone = record};
}

double CoreTime::all() const { return std::accumulate(sums_.begin(), sums_.end(), 0.0); }

double CoreTime::waste() const { return share(all() - of(CorePart::useful), all()); }

}  // namespace perigee::results
