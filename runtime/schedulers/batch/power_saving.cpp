// Source: Orgerie, Lefevre, Gelas, ICPADS 2008 (hosts are switched off that stay idle longer than the time from which on
// that takes less energy); Slurm's power saving guide (SuspendTime, ResumeTimeout).
#include "runtime/schedulers/batch/power_saving.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cost/power.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/batch/mold.h"

namespace perigee::batch {

std::vector<Parameter> with_power_parameters(std::vector<Parameter> others, bool plans) {
  Parameter off{
      .name = "off_after",
      .type = ParameterType::quantity,
      .summary =
          "idle hosts are switched off after so long (never); \"break_even\": when that takes less energy",
      .min = 0,
      .unit = Dimension::seconds,
      .open_max = true,
      .words = {"never", "break_even"}};
  off.optional = true;
  if (plans) {
    off.summary += "; \"unplanned\": at once if no promise begins before that";
    off.words.emplace_back("unplanned");
  }
  others.push_back(std::move(off));
  others.push_back({.name = "keep_on",
                    .type = ParameterType::integer,
                    .summary = "so many idle hosts stay on",
                    .fallback = 0.0,
                    .min = 0,
                    .max = 1e9});
  return others;
}

PowerSettings power_settings(const Arguments& given) {
  PowerSettings settings;
  if (given.has("off_after") && !given.is("off_after", "never")) {
    settings.break_even = given.is("off_after", "break_even");
    settings.unplanned = given.is("off_after", "unplanned");
    if (!settings.break_even && !settings.unplanned) settings.off_after = given.number("off_after");
  }
  settings.keep_on = static_cast<std::size_t>(given.number("keep_on"));
  return settings;
}

void PowerSaving::begin(const Sim& sim) {
  const std::size_t hosts = sim.view().hosts().size();
  work_ = {};
  idle_since_.assign(hosts, kNever);
  promised_.assign(hosts, kNever);
  next_wake_ = kNever;
  timer_ = {};
  armed_ = kNever;
}

// Who came before it may have taken cores that it was bound to; that shows when it could start.
bool PowerSaving::is_bound(const Sim& sim, WorkId work) const {
  if (work_ != work || !work.valid()) return false;
  const View& view = sim.view();
  const bool is_time = std::ranges::all_of(
      bound_.shares, [&](const Share& share) { return view[share.host].power == engine::Power::on; });
  return std::ranges::all_of(bound_.shares, [&](const Share& share) {
    const HostView& host = view[share.host];
    if (!host.up || (host.power != engine::Power::on && !sim.boots(share.host))) return false;
    return !is_time || host.idle >= RunningJobs::cores_taken(view, work, share);
  });
}

void PowerSaving::bind(Sim& sim, WorkId work, Mold mold, HostRuleView rule) {
  const View& view = sim.view();
  work_ = {};
  if (!any_off(view)) return;
  plan_.reset_to_wake(sim);
  bound_ = place_first(sim, work, mold, plan_, rule);
  if (!bound_.valid()) return;
  Time on = std::nextafter(sim.now(), kNever);
  for (const Share& share : bound_.shares) on = std::max(on, sim.on_from(share.host));
  if (bound_.start > on) return;  // it waits for something else too
  for (const Share& share : bound_.shares)
    if (view[share.host].power != engine::Power::on && !sim.boots(share.host)) sim.power_on(share.host);
  work_ = work;
}

// No outage that is known comes in between.
bool PowerSaving::is_foreseen(Sim& sim, const Placement& now) {
  if (!sim.has_windows()) return true;
  plan_.reset(sim);
  return std::ranges::all_of(now.shares, [&](const Share& share) {
    return plan_.idle(share.host, now.start, now.end) >= RunningJobs::cores_taken(sim.view(), work_, share);
  });
}

Placement PowerSaving::bound_now(Sim& sim) {
  if (!sim.fits(work_, bound_.shares)) return {};
  const std::int32_t size = sim.view().workload().piece_on(work_, bound_.shares).mold;
  Placement now{sim.now(), expected_end(sim, {work_, size}, bound_.shares, sim.now()), bound_.shares};
  if (is_foreseen(sim, now)) return now;
  work_ = {};
  return {};
}

Seconds PowerSaving::off_after(const Sim& sim, HostId host) const {
  const PowerModel* model = sim.view().platform()[host].power.get();
  if (model == nullptr) return kNever;
  const Seconds until_promise = promised_[host.index] - sim.now();
  const Seconds away = model->boot.time + model->shutdown.time;
  if (until_promise <= away + kEps * std::max(1.0, sim.now())) return kNever;
  if (settings_.unplanned) return until_promise > cost::break_even(*model) ? 0 : kNever;
  return settings_.break_even ? cost::break_even(*model) : settings_.off_after;
}

void PowerSaving::forget_promises() {
  std::ranges::fill(promised_, kNever);
  next_wake_ = kNever;
}

void PowerSaving::promise(Sim& sim, const Placement& where) {
  const View& view = sim.view();
  if (!view.platform().has_power()) return;
  const Time now = sim.now();
  for (const Share& share : where.shares) {
    const HostId host = share.host;
    promised_[host.index] = std::min(promised_[host.index], where.start);
    if (!view[host].up || view[host].power == engine::Power::on || sim.boots(host)) continue;
    const Time boots_at = where.start - view.platform()[host].power->boot.time;
    if (boots_at <= now + kEps * std::max(1.0, now))
      sim.power_on(host);
    else
      next_wake_ = std::min(next_wake_, boots_at);
  }
}

bool PowerSaving::is_kept(HostId host) const {
  return work_.valid() &&
         std::ranges::any_of(bound_.shares, [&](const Share& share) { return share.host == host; });
}

bool PowerSaving::is_idle(const Sim& sim, HostId host) const {
  const HostView& view = sim.view()[host];
  return view.up && view.power == engine::Power::on && view.running == 0 && view.queued == 0 &&
         !is_kept(host) && !sim.is_suspended_on(host);
}

bool PowerSaving::save(Sim& sim, std::span<const Event> events) {
  if (!sim.view().platform().has_power()) return false;
  if (work_.valid() && (sim.view()[work_].state != WorkState::waiting || !is_bound(sim, work_))) work_ = {};
  const Time now = sim.now();
  std::size_t idle = 0;
  for (std::size_t h = 0; h < idle_since_.size(); ++h) {
    Time& since = idle_since_[h];
    if (!is_idle(sim, HostId(h)))
      since = kNever;
    else if (++idle; since == kNever)
      since = now;
  }
  Time next = next_wake_;
  const bool is_called = timer_.valid() && std::ranges::any_of(events, [&](const Event& event) {
                           return event.kind == EventKind::timer && event.timer() == timer_;
                         });
  if (is_called) armed_ = kNever;
  bool any = false;
  for (std::size_t h = 0; h < idle_since_.size() && saves() && idle > settings_.keep_on; ++h) {
    if (idle_since_[h] == kNever) continue;
    const Time due = idle_since_[h] + off_after(sim, HostId(h));
    if (due > now || !is_called) {
      next = std::min(next, std::max(due, now));
      continue;
    }
    sim.power_off(HostId(h));
    idle_since_[h] = kNever;
    any = true;
    --idle;
  }
  if (next == armed_) return any;
  if (timer_.valid()) sim.cancel(timer_);
  timer_ = next < kNever ? sim.timer(next, engine::TimerPhase::late, engine::Keeps::run) : TimerId();
  armed_ = next;
  return any;
}

}  // namespace perigee::batch
