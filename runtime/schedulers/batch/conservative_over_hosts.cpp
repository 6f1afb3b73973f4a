// Conservative backfilling for jobs over several hosts, on hosts that may differ. In order of arrival, every job is
// promised the earliest time at which it fits for its whole estimate beside running jobs and earlier promises, and its
// hosts. A promise stands while all goes as expected; otherwise all are made anew, in the same order.
//
// Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2 (conservative backfilling). Jobs of one host are
// decided as by conservative.cpp. Cost: O(S H) a promise, with S times at which something ends.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/over_hosts.h"
#include "runtime/schedulers/batch/place_bounds.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/promise_line.h"
#include "runtime/schedulers/batch/reservations.h"

namespace perigee::batch {
namespace {

class ConservativeOverHosts final : public PolicyOf<ConservativeOverHosts> {
 public:
  ConservativeOverHosts(HostRule rule, Mold mold, bool promises_count, const PowerSettings& power)
      : rule_(std::move(rule)), mold_(mold), promises_count_(promises_count), power_(power) {}

  engine::TakesOver takes_over() const override { return {.off = true}; }
  void begin(Sim& sim) override {
    reservations_.begin(sim);
    running_.reset(sim);
    waiting_.reset(sim);
    power_.begin(sim);
    stale_ = true;
    serve(sim);
    save_power(sim, {});
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const auto take_promises = [&](Plan& plan) {
      if (!promises_count_) return;
      line_.each(sim.view(), [&](const Promise& each) {
        const Placement& where = each.where;
        if (where.valid())
          plan.take(sim.view(), each.work, where.shares, std::max(where.start, sim.now()), where.end);
      });
    };
    stale_ = reservations_.follow(sim, events, take_promises) || stale_;
    const std::vector<WindowTurn> turns = foreseen_turns(sim, served_);
    stale_ = !all_came(turns, events) || any_unforeseen(sim, served_) || stale_;
    stale_ = !running_.follow(sim, news_among(sim, turns, events)) || stale_;
    stale_ = stale_ ||
             std::ranges::any_of(events, [](const Event& event) { return event.kind == EventKind::powered; });
    waiting_.follow(sim.view(), events);
    stale_ = stale_ || line_.is_overtaken(sim.view(), waiting_);
    serve(sim);
    save_power(sim, events);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (reservations_.why(sim, work, out)) return;
    const View& view = sim.view();
    line_.why(view, work, out, [&](const Promise& each) -> std::string {
      if (each.passed_over) return "is passed over: " + sim.why_held_back(each.work);
      if (!each.where.valid()) return "no hosts that are up can run it";
      return fmt::format("is promised {} at {} s", text_of(view, each.where.shares),
                         format_number(each.where.start));
    });
    note_sizes(sim, work, mold_, out);
    list_idle_hosts(sim, work, out);
  }

 private:
  struct Promise {
    WorkId work;
    Placement where = {};
    bool passed_over = false;  // as many run as its queue allows; it has no place then
  };

  // Without what was foreseen: outages that begin and end as was known, reservations, and jobs inside of them.
  static std::vector<Event> news_among(const Sim& sim, std::span<const WindowTurn> turns,
                                       std::span<const Event> events) {
    std::vector<Event> news;
    for (const Event& event : events) {
      const bool apart = event.work.valid() && ArrivalQueue::is_apart(sim.view(), event.work);
      const HostId host = event.on.host();
      const bool foreseen =
          std::ranges::binary_search(turns, WindowTurn{event.kind, event.on.packed(), event.at}) &&
          host.valid() && sim.running_on(host).empty();
      if (!foreseen && (!apart || event.kind == EventKind::lost)) news.push_back(event);
    }
    return news;
  }

  void save_power(Sim& sim, std::span<const Event> events) {
    power_.forget_promises();
    line_.each(sim.view(), [&](const Promise& each) { power_.promise(sim, each.where); });
    stale_ = power_.save(sim, events) || stale_;
  }

  // A job that starts or ends may give others their turn.
  void serve(Sim& sim) {
    do serve_once(sim);
    while (turns_changed(sim));
  }

  bool turns_changed(const Sim& sim) const {
    bool changed = false;
    if (sim.view().workload().queues != nullptr)
      line_.each(sim.view(), [&](const Promise& each) {
        changed = changed || each.passed_over != is_passed_over(sim, each.work, mold_);
      });
    return changed;
  }

  void serve_once(Sim& sim) {
    const View& view = sim.view();
    const Time now = sim.now();
    served_ = now;
    stale_ = stale_ || running_.first_end() <= now;  // work that should have ended by now
    stale_ = stale_ || turns_changed(sim);
    stale_ = stale_ || any_off(sim.view());  // when it could be on moves with time
    if (std::exchange(stale_, false)) {
      plan_.reset(sim, running_);
      line_.clear();
    } else {
      plan_.advance(sim);
    }
    bounds_.clear(sim);
    const bool settled = line_.serve(
        view, waiting_, [&](WorkId work) { return promise(sim, work); },
        [&](const Promise& each) { return start(sim, each); });
    stale_ = stale_ || settled;
  }

  Promise promise(Sim& sim, WorkId work) {
    if (is_passed_over(sim, work, mold_)) return {work, {}, true};
    const bool bounded = !rule_.is_function();
    const auto place = [&](const Sized& sized) {
      const Time bound = bounded ? bounds_.no_place_before(sim, sized) : 0;
      Placement found;
      if (bound < kNever) found = plan_.earliest(sim, sized, std::max(sim.now(), bound), rule_);
      bounds_.remember(sim, sized, found, bound);
      return found;
    };
    Placement made = place_molded(sim, work, mold_, place, [&](const Sized& sized) {
      return bounded ? bounds_.no_end_before(sim, sized) : 0;
    });
    if (made.valid()) plan_.take(sim.view(), work, made.shares, made.start, made.end);
    return {work, std::move(made)};
  }

  // Starts the work if its time has come and its cores are idle. Work that runs beyond its expected end may still be in
  // the way.
  bool start(Sim& sim, const Promise& promise) {
    const Placement& where = promise.where;
    if (!where.valid() || where.start > sim.now() || !sim.fits(promise.work, where.shares)) return false;
    const Time end = running_.start(sim, promise.work, where.shares);
    plan_.show_idle(sim.view(), where.shares);
    stale_ = stale_ || end != where.end;
    return true;
  }

  HostRule rule_;
  Mold mold_;
  bool promises_count_;  // when reservations are admitted
  Reservations reservations_;
  ArrivalQueue waiting_;
  PromiseLine<Promise> line_;
  Plan plan_;
  PlaceBounds bounds_;  // of this time
  RunningJobs running_;
  PowerSaving power_;
  Time served_ = 0;
  bool stale_ = true;  // all promises are to be made anew
};

}  // namespace

std::unique_ptr<Policy> conservative_over_hosts(HostRule rule, Mold mold, bool promises_count,
                                                const PowerSettings& power) {
  return std::make_unique<ConservativeOverHosts>(std::move(rule), mold, promises_count, power);
}

}  // namespace perigee::batch
