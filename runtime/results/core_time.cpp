#include "runtime/results/core_time.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

// The time of one attempt, from its start on.
class CoreTime::Spending {
 public:
  Spending(CoreTime& all, const Scenario& scenario, const Execution& attempt,
           std::span<const UsedResource> on, Time from)
      : all_(all),
        attempt_(attempt),
        from_(from),
        checkpoint_(scenario.workload->checkpoint_of(attempt.work)),
        dumped_(checkpoint_ != nullptr ? all.dumped_[attempt.work] : none_),
        counts_(attempt.start_record >= dumped_.gone),
        is_saved_(counts_ && dumped_.is_saved) {
    const model::Shape* shape = scenario.workload->shape_of(attempt.work);
    for (const UsedResource& each : on) {
      if (each.kind() != ResourceKind::host) continue;
      const Host& host = (*scenario.platform)[each.host()];
      cores_ += shape != nullptr && shape->exclusive ? host.cores : each.cores;
      setup_ = std::max(setup_, host.setup);
    }
    begin();
  }

  // Goes on, where it has its cores.
  void go_on(Time a, Time b) {
    each_held(a, b, [&](Time x, Time y) { go_on_held(x, y); });
  }
  void stand(Time a, Time b) {
    each_held(a, b, [&](Time x, Time y) { spend(x, y, CorePart::standing); });
  }
  void begin_anew() {
    settle_as(CorePart::lost);
    begin();
  }
  // All since it began, or began anew, went into this part.
  void settle_as(CorePart part) {
    all_.sums_[static_cast<std::size_t>(part)] += std::accumulate(sums_.begin(), sums_.end(), 0.0);
    sums_ = {};
  }
  // It counts, as far as its dumps do.
  void keep() {
    for (std::size_t part = 0; part < kCoreParts; ++part) {
      all_.sums_[part] += sums_[part];
      dumped_.kept[part] += sums_[part];
    }
    sums_ = {};
  }

 private:
  void begin() {
    to_set_up_ = setup_;
    to_restart_ = is_saved_ ? checkpoint_->restart : 0;
  }
  void spend(Time a, Time b, CorePart part) {
    sums_[static_cast<std::size_t>(part)] += overlap(a, b, from_, kNever) * cores_;
  }
  void pass(Time a, Time b) {
    for (const auto& [left, part] :
         {std::pair(&to_set_up_, CorePart::setup), std::pair(&to_restart_, CorePart::restart)}) {
      const Seconds phase = std::min(*left, b - a);
      spend(a, a + phase, part);
      *left -= phase;
      a += phase;
    }
    for (const Execution::Stand& stand : attempt_.stands) {
      if (stand.from >= b) break;
      if (stand.to <= a) continue;
      spend(a, std::max(a, stand.from), CorePart::useful);
      const Time until = std::min(b, stand.to);
      spend(std::max(a, stand.from), until, stand.reads ? CorePart::restart : CorePart::dump);
      a = until;
    }
    spend(a, b, CorePart::useful);
  }
  void go_on_held(Time a, Time b) {
    for (; next_dump_ < attempt_.saved_at.size() && attempt_.saved_at[next_dump_] <= b; ++next_dump_) {
      const Time whole = attempt_.saved_at[next_dump_];
      pass(a, whole);
      a = whole;
      double& useful = sums_[static_cast<std::size_t>(CorePart::useful)];
      const double written = std::min(useful, checkpoint_->cost * cores_);
      useful -= written;
      sums_[static_cast<std::size_t>(CorePart::dump)] += written;
      if (!counts_) continue;
      keep();
      is_saved_ = dumped_.is_saved = true;
    }
    pass(a, b);
  }
  // Calls f for each part of that time in which it had its cores.
  template <class F>
  void each_held(Time a, Time b, F f) {
    for (const Execution::Suspension& each : attempt_.suspensions) {
      if (each.to <= a) continue;
      if (each.from >= b) break;
      f(a, std::max(a, each.from));
      a = std::min(each.to, b);
    }
    f(a, b);
  }

  CoreTime& all_;
  const Execution& attempt_;
  const Time from_;
  const model::Checkpoint* checkpoint_;
  Dumped none_;
  Dumped& dumped_;
  const bool counts_;  // its dumps were not lost
  bool is_saved_;
  double cores_ = 0;
  Seconds setup_ = 0;  // one phase, the longest
  Seconds to_set_up_ = 0, to_restart_ = 0;
  Sums sums_{};  // since it began, or began anew
  std::size_t next_dump_ = 0;
};

void CoreTime::add(const Scenario& scenario, const Execution& attempt, std::span<const UsedResource> on,
                   const Absences& away, Time from) {
  if (attempt.kind != ActivityKind::compute || !attempt.work.valid() || attempt.ended <= from) return;
  const WorkKind kind = (*scenario.workload)[attempt.work].kind;
  if (kind != WorkKind::job && kind != WorkKind::task) return;
  Spending spending(*this, scenario, attempt, on, from);
  Time now = attempt.started;
  find_gaps(attempt, on, away);
  for (const Gap& gap : gaps_) {
    spending.go_on(now, gap.from);
    spending.stand(gap.from, gap.to);
    now = gap.to;
    if (scenario.compute_rule == OnFailure::restarted && now < attempt.ended) spending.begin_anew();
  }
  spending.go_on(now, attempt.ended);
  if (attempt.how != RecordKind::ended && attempt.how != RecordKind::started) {
    const bool limited = attempt.how == RecordKind::cancelled && attempt.why == Reason::limit;
    const bool goes_on = !attempt.saved_at.empty() && scenario.at_limit != AtLimit::kill;  // at its limit
    return spending.settle_as(limited && !goes_on ? CorePart::killed : CorePart::lost);
  }
  spending.keep();
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
