// Dumps of jobs: their times and what they hold, and that jobs go on from them.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::saved(const Record& r) {
  if (r.size == 0) {  // those of another set of hosts, or of a host that left
    Track& track = tracks_[r.work.index];
    const Checkpoint* checkpoint = workload_.checkpoint_of(r.work);
    if (track.saved == 0 || checkpoint == nullptr || !checkpoint->local)
      bad(r.time, "{} has no dump that could be gone", work_name(r.work));
    track.saved = 0;
    return;
  }
  const auto known = by_serial_.find(r.activity);
  if (known == by_serial_.end() || acts_[known->second].life != Life::running) {
    bad(r.time, "a dump is whole of activity {}, which does not run", r.activity);
    return;
  }
  Act& act = acts_[known->second];
  Track& track = tracks_[act.work.index];
  if (workload_.checkpoint_of(act.work) == nullptr)
    bad(r.time, act, "it writes a dump, but has no checkpoint");
  if (!(r.size > track.saved && r.size < 1))
    bad(r.time, act, "its dump holds a share of {} of its time, the one before held {}", text(r.size),
        text(track.saved));
  track.saved = r.size;
  track.saved_on = act.on;
  act.dumped = true;
  act.dumps.push_back({r.time, r.size});
}

// The mean time between failures (Young, 1974; Daly, 2006) is that of all drawn failures of its hosts together.
Seconds Check::dump_interval(const Act& act) const {
  if (act.kind != ActivityKind::compute || !act.work.valid()) return kNever;
  const Checkpoint* checkpoint = workload_.checkpoint_of(act.work);
  if (checkpoint == nullptr) return kNever;
  if (checkpoint->rule == Checkpoint::Rule::given) return checkpoint->interval;
  double rate = 0;
  for (const ResourceId on : act.on)
    for (const FailureModel& model : scenario_.failures)
      rate += static_cast<double>(std::ranges::count(model.hosts, on.host())) / model.mtbf;
  if (rate == 0) return kNever;
  const Seconds cost = checkpoint->cost, young = std::sqrt(2 * cost / rate);
  if (checkpoint->rule == Checkpoint::Rule::young) return young;
  const double x = cost * rate / 2;  // Daly (2006), equation 37
  return x >= 1 ? 1 / rate : young * (1 + std::sqrt(x) / 3 + x / 9) - cost;
}

// `dumps_` are those that follow from the rates. A job that is to leave at its limit writes one more, before that.
void Check::check_dumps(const Act& act) {
  const Checkpoint* checkpoint = workload_.checkpoint_of(act.work);
  if (checkpoint == nullptr) return;
  const Time stop = act.life == Life::running ? outcome_.end : act.ended;
  const Time limit =
      scenario_.at_limit == AtLimit::checkpoint ? act.started + workload_.limit_of(act.work) : kNever;
  const auto is_checked = [&](Time at) { return at < std::min(stop, limit) - slack(at); };
  std::size_t next = 0;
  for (const Dump& each : dumps_) {
    if (!is_checked(each.at) || !(each.share > act.begun_with)) continue;
    if (next == act.dumps.size() || !near(act.dumps[next].at, each.at) ||
        std::abs(act.dumps[next].share - each.share) > 1e-6)
      return bad(each.at, act,
                 "a dump that holds a share of {} of its time is whole, which is not in the trace",
                 text(each.share));
    ++next;
  }
  for (; next < act.dumps.size(); ++next)
    if (is_checked(act.dumps[next].at))
      bad(act.dumps[next].at, act, "no dump of it is whole then, but one is in the trace");
}

}  // namespace perigee::validation
