// The durations of activities, checked by the profiles of the resources used.
#include <utility>

#include "runtime/kernel/work.h"
#include "runtime/results/validator/check.h"

namespace perigee::validation {

std::vector<Check::Cursor> Check::cursors(const Act& act) {
  std::vector<Cursor> all;
  for (const ResourceId on : act.on) {
    const Timeline& line = timeline(on);
    all.push_back({&line, step_at(line, act.started), on.link()});
  }
  if (act.over_hosts())
    for (std::size_t i = 0; i < all.size(); ++i) all[i].pace = *amount(act) / time_on(act, i);
  return all;
}

bool Check::all_up(const std::vector<Cursor>& all) {
  return std::all_of(all.begin(), all.end(), [](const Cursor& c) { return (*c.line)[c.i].up; });
}

Time Check::next_step(const std::vector<Cursor>& all) {
  Time next = kNever;
  for (const Cursor& c : all) next = std::min(next, end_of_step(*c.line, c.i));
  return next;
}

bool Check::advance(std::vector<Cursor>& all, Time to) {
  bool away = false;
  for (Cursor& c : all)
    for (; end_of_step(*c.line, c.i) <= to; ++c.i) away = away || !(*c.line)[c.i].up;
  return away;
}

Seconds Check::fixed_phase(const Act& act, Time at) const {
  Seconds fixed = 0;
  for (const ResourceId on : act.on)
    if (on.kind() == ResourceKind::link) {
      const Timeline& line = link_lines_[on.at()];
      const Step& step = line[step_at(line, at)];
      fixed += step.latency->at(at - step.latency_anchor);
    }
  if (const ClusterId from = source_of(act); from.valid() && platform_.complete())
    fixed += platform_.complete()->latency_of(from, act.cluster, platform_.clusters().size());
  if (act.kind == ActivityKind::compute)
    for (const ResourceId on : act.on) fixed = std::max(fixed, platform_[on.host()].setup);
  if (act.begun_with > 0 && act.kind == ActivityKind::compute)
    fixed += workload_.checkpoint_of(act.work)->restart;
  return fixed;
}

bool Check::moves_at_rate_of(const Act& act, const Cursor& c) const {
  if (act.kind == ActivityKind::compute) return c.pace < kNever;
  return c.link.valid() && !platform_[c.link].implied;
}

int Check::users(const Act& act, LinkId link, Time t, Time& until) const {
  if (!link.valid() || platform_[link].sharing != Sharing::fair) return 1;
  const std::vector<Count>& counts = counts_[link.index];
  const auto after =
      std::upper_bound(counts.begin(), counts.end(), t, [](Time x, const Count& n) { return x < n.at; });
  int users = after == counts.begin() ? 0 : std::prev(after)->count;
  const Time own_end = act.life == Life::running ? kNever : act.ended;
  if (t >= own_end) ++users;  // it no longer counts itself
  if (after != counts.end()) until = std::min(until, after->at);
  if (own_end > t) until = std::min(until, own_end);
  return std::max(users, 1);
}

double Check::rate(const Act& act, const std::vector<Cursor>& all, Time t, Time& until) const {
  double least = kNever;
  if (const ClusterId from = source_of(act); from.valid() && platform_.complete())
    least = platform_.complete()->bandwidth_of(from, act.cluster, platform_.clusters().size());
  until = kNever;
  for (const Cursor& c : all) {
    const Step& step = (*c.line)[c.i];
    if (!moves_at_rate_of(act, c)) continue;
    if (!step.rate_known) return kNaN;
    const Time next = step.profile->next_change(t - step.anchor) + step.anchor;
    // A step at t may be a rounding error behind t; in the middle of the segment there is no doubt.
    const Time inside = next < kNever ? t + (next - t) / 2 : t;
    double here = step.profile->at(inside - step.anchor) * step.factor * step.by_state * c.pace;
    until = std::min(until, next);
    if (const int sharers = users(act, c.link, t, until); sharers > 1) here /= sharers;
    least = std::min(least, here);
  }
  return least;
}

Check::Period Check::period(const Act& act, const std::vector<Cursor>& all, Time t) const {
  Period found{.until = next_step(all)};
  const Step* changing = nullptr;
  double part = 1, most = kNever;  // of the profile that changes; of all others together
  for (const Cursor& c : all) {
    const Step& step = (*c.line)[c.i];
    if (!moves_at_rate_of(act, c)) continue;
    if (!step.rate_known) return found;
    const double share = step.factor * step.by_state * c.pace / users(act, c.link, t, found.until);
    if (step.profile->is_constant()) {
      most = std::min(most, step.profile->at(0) * share);
    } else if (changing == nullptr) {
      changing = &step;
      part = share;
    } else {
      return found;
    }
  }
  if (changing == nullptr || !changing->profile->is_periodic()) return found;
  const Profile& profile = *changing->profile;
  const std::span<const double> times = profile.times(), values = profile.values();
  const std::size_t first = profile.loop_begin();
  if (first > 0 && t - changing->anchor < times[first]) {
    found.until = std::min(found.until, changing->anchor + times[first]);
    return found;
  }
  if (!(found.until - t > 2 * profile.period())) return found;  // a walk is as fast
  found.length = profile.period();
  for (std::size_t i = first; i < times.size(); ++i) {
    const Time end = i + 1 < times.size() ? times[i + 1] : times[first] + found.length;
    found.amount += std::min(values[i] * part, most) * (end - times[i]);
  }
  did_work(times.size());
  return found;
}

bool Check::Period::skip(Time& t, double& left) const {
  if (length <= 0) return true;
  const double whole = std::floor(std::min((until - t) / length, left / amount)) - 1;
  if (whole == kInfinity) return false;
  if (whole > 0) {
    t += whole * length;
    left = std::max(0.0, left - whole * amount);
  }
  return true;
}

void Check::count_sharers() {
  counts_.resize(platform_.links().size());
  std::vector<std::vector<std::pair<Time, int>>> deltas(counts_.size());
  for (const Act& act : acts_) {
    if (!act.moves() || std::isnan(act.started) || act.broken) continue;
    const bool fair = std::any_of(act.on.begin(), act.on.end(), [&](ResourceId on) {
      return on.kind() == ResourceKind::link && platform_[on.link()].sharing == Sharing::fair;
    });
    if (!fair) continue;
    const Time end = act.life == Life::running ? kNever : act.ended;
    std::vector<Cursor> all = cursors(act);
    Time t = act.started;
    Seconds fixed = fixed_phase(act, t);
    while (t < end) {
      const Time boundary = std::min(next_step(all), end);
      if (all_up(all)) {
        const Time from = t + fixed;
        if (from < boundary) {
          for (const ResourceId on : act.on)
            if (on.kind() == ResourceKind::link) {
              deltas[on.at()].push_back({from, 1});
              if (boundary < kNever) deltas[on.at()].push_back({boundary, -1});
            }
          fixed = 0;
        } else {
          fixed -= boundary - t;
        }
      }
      if (boundary == kNever) break;
      t = boundary;
      if (advance(all, t) && all_up(all) && rule(act) == OnFailure::restarted) fixed = fixed_phase(act, t);
    }
  }
  for (std::size_t l = 0; l < deltas.size(); ++l) {
    std::sort(deltas[l].begin(), deltas[l].end());
    int count = 0;
    for (const auto& [at, delta] : deltas[l]) {
      count += delta;
      if (!counts_[l].empty() && counts_[l].back().at == at)
        counts_[l].back().count = count;
      else
        counts_[l].push_back({at, count});
    }
  }
}

Seconds Check::time_on(const Act& act, std::size_t place) const {
  const HostId host = act.on[place].host();
  if (const std::optional<std::size_t> size = place_of_size(act)) {
    const std::vector<double>& amounts = workload_.shape_of(act.work)->sizes->amounts;
    if (!amounts.empty())
      return workload_[act.work].form == TimeForm::operations ? amounts[*size] / platform_[host].speed
                                                              : amounts[*size];
  }
  return true_time(workload_, {act.work, 0, 1}, platform_[host], host, act.architectures[place]);
}

std::optional<double> Check::amount(const Act& act) const {
  switch (act.kind) {
    case ActivityKind::compute: {
      const HostId host = act.host();
      const Work& work = workload_[act.work];
      if (work.kind == WorkKind::reservation) return std::nullopt;
      if (act.over_hosts()) {
        Seconds longest = 0;
        for (std::size_t i = 0; i < act.on.size(); ++i) longest = std::max(longest, time_on(act, i));
        return longest;
      }
      return true_time(workload_, {act.work, act.first, act.size}, platform_[host], host, act.architecture);
    }
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      return workload_.files[act.file.index].size;
    case ActivityKind::dump:
      return act.size;
    case ActivityKind::chunk:
      if (workload_[act.work].extra == kNone) return std::nullopt;
      return act.size * workload_.extras[workload_[act.work].extra].bytes;
    default:
      return std::nullopt;
  }
}

void Check::durations() {
  count_sharers();
  for (const Act& act : acts_) {
    if (std::isnan(act.started) || !act.checkable || act.broken) continue;
    if (act.kind == ActivityKind::hold) {
      hold_duration(act);
      continue;
    }
    const std::optional<double> whole = amount(act);
    if (!whole) continue;
    if (!(*whole < kNever)) {
      bad(act.started, act, "it cannot run on that host");
      continue;
    }
    const Time low = end_with(act, *whole * (1 - kTolerance)),
               high = end_with(act, *whole * (1 + kTolerance));
    if (std::isnan(low) || std::isnan(high)) continue;
    const bool well = act.life == Life::over && act.how == RecordKind::ended;
    check_limit(act);
    if (act.kind == ActivityKind::compute && act.work.valid() &&
        workload_.checkpoint_of(act.work) != nullptr) {
      end_with(act, *whole);
      check_dumps(act);
      check_transfers(act);
      check_asked(act);
    }
    const Time stop = act.life == Life::running ? outcome_.end : act.ended;
    // It may be over before its host goes away in the same instant.
    if (well && stop == act.started && *whole <= 0 && fixed_phase(act, stop) <= 0) continue;
    // A dump at the limit, within the grace, keeps the job from ending.
    const bool writes_last =
        scenario_.at_limit == AtLimit::checkpoint && act.work.valid() &&
        workload_.checkpoint_of(act.work) != nullptr &&
        stop > act.started + act.paused_by(stop) + workload_.limit_of(act.work) - slack(stop);
    if (!well) {
      if (!writes_last && stop > high + slack(stop))
        bad(stop, act, "it is {}, but should have ended at {}",
            act.life == Life::running ? "running" : name_of(act.how), text(end_with(act, *whole)));
      continue;
    }
    if (near(stop, low) || near(stop, high)) continue;
    if (stop > low && stop < high && high - low < 1e-6 * std::max(1.0, stop)) continue;
    const Time expected = end_with(act, *whole);
    if (near(stop, expected) || near(stop, end_with(act, *whole, true))) continue;
    // One that holds nothing new takes its time, and moves those that are still to come.
    if (writes_last && std::abs(stop - expected) <= workload_.checkpoint_of(act.work)->cost + slack(stop))
      continue;
    bad(stop, act, "it ran from {} to {} ({} s), but it takes {}", text(act.started), text(stop),
        text(stop - act.started),
        expected < kNever ? fmt::format("until {} ({} s)", text(expected), text(expected - act.started))
                          : "for ever");
  }
}

// The clock of the limit stands while the job is suspended, and while an outage that was announced keeps it from going on. Where something was away,
// only the least time is checked.
void Check::check_limit(const Act& act) {
  if (act.kind != ActivityKind::compute) return;
  check_inside(act);
  if (scenario_.at_limit == AtLimit::keep) return;
  const Time limit = workload_.limit_of(act.work);
  if (limit == kNever) return;
  const Time most = limit + workload_.extras[workload_[act.work].extra].grace;
  const Time stop = act.life == Life::running ? outcome_.end : act.ended;
  const bool killed = act.life == Life::over && act.how == RecordKind::cancelled &&
                      tracks_[act.work.index].settled == RecordKind::killed &&
                      tracks_[act.work.index].killed == stop;
  const Time begun = act.started + act.paused_by(stop), due = begun + most;
  const bool requeued = act.life == Life::over && act.how == RecordKind::cancelled &&
                        act.why == Reason::limit && tracks_[act.work.index].requeued == stop;
  if (requeued) {
    const Time least = scenario_.at_limit == AtLimit::checkpoint ? begun + limit : due;
    if (stop < least - slack(least)) bad(stop, act, "it is requeued before its limit of {} s", text(limit));
    if (!act.dumped) bad(stop, act, "it is requeued, but none of its dumps is whole");
    if (scenario_.at_limit == AtLimit::kill) bad(stop, act, "it is requeued, but jobs are to be killed");
  }
  if (killed && ends_with_reservation(act, stop)) return;
  if (killed && act.dumped && scenario_.at_limit != AtLimit::kill)
    bad(stop, act, "it is killed, but a dump is whole from which it could go on");
  if (killed && stop < due - slack(due))
    bad(stop, act, "it is killed before its limit and grace of {} s", text(most));
  std::vector<Cursor> all = cursors(act);
  const bool always_up = all_up(all) && !advance(all, stop) && std::ranges::all_of(all, [&](const Cursor& c) {
                           return (*c.line)[c.i].up || (*c.line)[c.i].at >= stop;
                         });
  if (!always_up) return;
  if (killed || (requeued && scenario_.at_limit == AtLimit::requeue) ? !near(stop, due)
                                                                     : stop > due + slack(due))
    bad(stop, act, "its limit and grace of {} s were over at {}", text(most), text(due));
}

void Check::check_inside(const Act& act) {
  const WorkId reservation = reservation_of(act);
  if (!reservation.valid()) return;
  const Time stop = act.life == Life::running ? outcome_.end : act.ended;
  const bool within = std::ranges::any_of(holds_of_[reservation], [&](std::size_t hold) {
    const Act& there = acts_[hold];
    const Time end = there.life == Life::running ? outcome_.end : there.ended;
    return there.started <= act.started && stop <= end + slack(end);
  });
  if (!within) bad(stop, act, "it ran beyond the end of {}", work_name(reservation));
}

void Check::hold_duration(const Act& act) {
  if (act.life != Life::over || act.how != RecordKind::ended || !act.work.valid() ||
      workload_[act.work].kind != WorkKind::reservation)
    return;
  const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
  const Time expected = std::max(act.started, extra.to);
  if (!near(act.ended, expected)) bad(act.ended, act, "the reservation lasts until {}", text(expected));
}

}  // namespace perigee::validation
