// Backfilling with the settings of a real batch system. Works in an order of priority are promised the earliest time at
// which they fit, as many of them as the policy is told; works that fit now start. Each pass makes all promises anew.
//
// It lies between EASY (`reserve` = 1) and conservative backfilling (all). Cost: O(S H) a promise, with S times at
// which something ends, H hosts; a pass looks at `depth` works.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/backfill_settings.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/place_bounds.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/preemption.h"
#include "runtime/schedulers/batch/reservations.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {
namespace {

class Backfill final : public PolicyOf<Backfill> {
 public:
  explicit Backfill(BackfillSettings settings) : settings_(std::move(settings)), power_(settings_.power) {}

  engine::TakesOver takes_over() const override {
    return {.suspended = settings_.preemption.is_on(), .off = true};
  }
  void begin(Sim& sim) override {
    if (settings_.priority) settings_.priority->begin(sim);
    reservations_.begin(sim);
    tell_of_started(sim);
    running_.reset(sim);
    list_.clear();
    for (std::size_t w = sim.view().works().first(); w < sim.view().works().size(); ++w)
      if (sim.waits(WorkId(w))) add(sim, WorkId(w));
    timer_ = {};
    armed_ = kNever;
    blocked_ = {};
    changed_ = true;
    look_at_hosts(sim);
    power_.begin(sim);
    serve(sim);
    save_power(sim, {});
  }

  void react(Sim& sim, std::span<const Event> events) override {
    if (settings_.priority) settings_.priority->follow(sim, events);
    reservations_.follow(sim, events);
    tell_of_started(sim);
    running_.follow(sim, events);
    bool only_more = true;  // nothing but arrivals and timers
    for (const Event& event : events) {
      if (event.kind == EventKind::stalled || event.kind == EventKind::mark)
        continue;  // which change nothing
      if (event.kind == EventKind::timer && event.timer() == timer_) {
        timer_ = {};
        armed_ = kNever;
        continue;
      }
      changed_ = true;
      only_more = only_more && event.kind == EventKind::arrived;
      const bool back = event.kind == EventKind::lost && event.work.valid() && waits(sim.view(), event.work);
      if (event.kind == EventKind::arrived || back) add(sim, event.work);
      if (event.kind == EventKind::changed || event.kind == EventKind::up) look_at_hosts(sim);
    }
    if (!only_more) blocked_ = {};
    serve(sim);
    save_power(sim, events);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (reservations_.why(sim, work, out)) return;
    const View& view = sim.view();
    out.rule =
        settings_.reserve == kAll
            ? "in order, each starts that can, and delays none promised before; others are promised a time"
            : fmt::format("in order, each starts that can, and delays none of the {} promised first",
                          settings_.reserve);
    const bool largest = settings_.priority || settings_.ranking == Ranking::largest;
    out.works = {.score = score_name(),
                 .better = largest ? Prefer::largest : Prefer::smallest,
                 .ties = by_arrival() ? "order of input" : "order of arrival, then of input"};
    const std::int32_t tier = view.workload().tier_of(work);
    for (const Item& item : list_) {
      if (!waits(view, item.work) || item.tier != -tier) continue;
      Comparison::Candidate candidate{.index = item.work.index,
                                      .score = by_arrival() ? item.arrival
                                               : largest    ? -item.key
                                                            : item.key};
      candidate.note = note_of(view, item);
      candidate.open = item.work == work;
      out.works.candidates.push_back(std::move(candidate));
      if (item.work == work) break;  // those behind it have no say
    }
    settings_.preemption.explain(sim, work, out);
    if (settings_.priority)
      for (std::string& line : settings_.priority->explain_work(sim, work))
        out.notes.push_back(std::move(line));
    if (std::ranges::any_of(list_, [&](const Item& item) { return item.tier < -tier; }))
      out.notes.emplace_back("works of higher tiers, which are not listed, come before these");
    note_sizes(sim, work, settings_.mold, out);
    list_idle_hosts(sim, work, out);
  }

 private:
  using Ranking = BackfillSettings::Ranking;
  static constexpr std::size_t kAll = BackfillSettings::kAll;

  enum class Fate : std::uint8_t {
    unknown,
    promised,
    unpromised,
    beyond,
    nowhere,
    unlicensed,
    too_deep,
    too_many,
    passed_over
  };
  struct Item {
    std::int32_t tier;  // negative: the highest first
    double key;         // the least first
    Time arrival;
    WorkId work;
    Fate fate = Fate::unknown;  // in the last pass
    Placement where = {};       // what it is, or would be, promised

    auto place() const { return std::tuple(tier, key, arrival, work); }
  };

  // Works inside of reservations, to the rule of priority.
  void tell_of_started(Sim& sim) {
    if (!settings_.priority) return;
    for (const auto& [work, shares] : reservations_.just_started())
      settings_.priority->started(sim, work, shares);
  }

  // Starts the work, and returns its expected end.
  Time start(Sim& sim, WorkId work, std::span<const Share> shares) {
    const Time end = running_.start(sim, work, shares);
    if (settings_.priority) settings_.priority->started(sim, work, shares);
    return end;
  }

  static bool waits(const View& view, WorkId work) {
    return view.works().has(work.index) && view[work].state == WorkState::waiting;
  }
  bool by_arrival() const { return !settings_.priority && settings_.ranking == Ranking::arrival; }

  std::string score_name() const {
    if (settings_.priority) return "priority";
    switch (settings_.ranking) {
      case Ranking::arrival:
        return "arrival, s";
      case Ranking::shortest:
        return "longest time, s";
      case Ranking::smallest:
      case Ranking::largest:
        return "cores";
    }
    return "";
  }

  std::string note_of(const View& view, const Item& item) const {
    const auto at = [&] {
      return fmt::format("{} at {} s", text_of(view, item.where.shares), format_number(item.where.start));
    };
    switch (item.fate) {
      case Fate::unknown:
        return {};
      case Fate::promised:
        return "is promised " + at();
      case Fate::unpromised:
        return item.where.valid() ? fmt::format("could have {}, but is promised nothing", at())
                                  : fmt::format("is promised nothing: reserve = {}", settings_.reserve);
      case Fate::beyond:
        return fmt::format("could have {}, which is beyond the window", at());
      case Fate::nowhere:
        return "no hosts that are up can run it";
      case Fate::unlicensed:
        return "was passed over: its licences are not free";
      case Fate::too_deep:
        return fmt::format("was not looked at: depth = {}", settings_.depth);
      case Fate::too_many:
        return fmt::format("was not looked at: max_user = {}", settings_.max_user);
      case Fate::passed_over:
        return "was passed over: as many run as its queue allows";
    }
    return {};
  }

  double key_of(Sim& sim, WorkId work) const {
    switch (settings_.ranking) {
      case Ranking::arrival:
        return 0;
      case Ranking::shortest:
        return length_of(sim, work, settings_.mold);
      case Ranking::smallest:
        return static_cast<double>(width_of(sim, work, settings_.mold));
      case Ranking::largest:
        return -static_cast<double>(width_of(sim, work, settings_.mold));
    }
    return 0;
  }

  void add(Sim& sim, WorkId work) {
    if (ArrivalQueue::is_apart(sim.view(), work)) return;
    if (std::ranges::find(list_, work, &Item::work) != list_.end()) return;
    Item item{-sim.view().workload().tier_of(work), settings_.priority ? 0 : key_of(sim, work),
              sim.view().place_in_line(work), work};
    const auto behind = std::ranges::upper_bound(list_, item.place(), {}, &Item::place);
    list_.insert(behind, std::move(item));
  }

  // Asks the function of priority for all that wait.
  void rank(Sim& sim) {
    std::erase_if(list_, [&](const Item& item) { return !waits(sim.view(), item.work); });
    if (!settings_.priority) return;  // the list is in order
    for (Item& item : list_) {
      const Rule::Answer answer = settings_.priority->ask_work(sim, item.work);
      const double* priority = std::get_if<double>(&answer);
      if (priority == nullptr || !std::isfinite(*priority))
        fail("bad_answer", "backfill: priority must be a finite number, got {} for {}",
             priority != nullptr ? format_number(*priority) : "no number",
             sim.view().workload().name_of(item.work));
      item.key = -*priority;
    }
    std::ranges::sort(list_, {}, &Item::place);
  }

  void save_power(Sim& sim, std::span<const Event> events) {
    power_.forget_promises();
    for (const Item& item : list_)
      if (item.fate == Fate::promised) power_.promise(sim, item.where);
    // Nothing is promised to the first in line: hosts are switched on for it all the same.
    if (!list_.empty() && (list_[0].fate == Fate::unpromised || list_[0].fate == Fate::beyond) &&
        !power_.is_bound(sim, list_[0].work))
      power_.bind(sim, list_[0].work, settings_.mold, settings_.host);
    power_.save(sim, events);
  }

  void serve(Sim& sim) {
    if (list_.empty()) {
      if (settings_.preemption.is_on() && !sim.suspended().empty()) make_plan(sim);
      resume(sim, -kNever);
      return disarm(sim);
    }
    if (!steady_ || settings_.priority || settings_.host.is_function() || !blocked_.valid() ||
        list_.front().work != blocked_) {
      rank(sim);
      if (settings_.interval > 0) start_first(sim);
    }
    if (settings_.interval == 0) return pass(sim);
    if (settings_.is_multiple(sim.now())) pass(sim);
    arm(sim);
  }

  // The quick pass: in order, until one of each queue cannot be placed.
  void start_first(Sim& sim) {
    blocked_ = {};
    const Workload& workload = sim.view().workload();
    std::set<std::uint32_t> ended;  // queues
    std::size_t started = 0;
    bool planned = false;
    for (Item& item : list_) {
      if (started == settings_.main_depth) break;
      const std::uint32_t queue = workload.queue_number(item.work);
      if (ended.contains(queue) || is_passed_over(sim, item.work, settings_.mold)) continue;
      if (!std::exchange(planned, true)) plan_.reset(sim);
      const Placement found =
          may_wait(sim, item.work) ? place_ahead(sim, item.work) : place_now(sim, item.work, false);
      if (!is_start(sim, item.work, found)) {
        if (workload.queues == nullptr) {
          blocked_ = item.work;
          break;
        }
        ended.insert(queue);
        continue;
      }
      const Time end = start(sim, item.work, found.shares);
      plan_.start(sim.view(), item.work, found.shares, end);
      item.work = {};
      ++started;
    }
    if (started > 0) std::erase_if(list_, [](const Item& item) { return !item.work.valid(); });
  }

  // Functions may treat works differently that ask for the same.
  bool has_bounds() const { return !settings_.priority && !settings_.host.is_function(); }

  // The size that ends first of those that may start now. `bounded`: within the pass.
  Placement place_now(Sim& sim, WorkId work, bool bounded) const {
    return place_molded(sim, work, settings_.mold, [&](const Sized& sized) {
      if (bounded && bounds_.no_place_before(sim, sized) > sim.now()) return Placement{};
      return plan_.place(sim, sized, sim.now(), settings_.host, true);
    });
  }
  Placement place_ahead(Sim& sim, WorkId work) const {
    Plan ahead;
    ahead.reset(sim, running_);
    return place_first(sim, work, settings_.mold, ahead, settings_.host);
  }
  // A moldable job may wait for hosts although it could start now in another size.
  bool may_wait(const Sim& sim, WorkId work) const {
    return settings_.mold == Mold::earliest && is_moldable(sim.view(), work);
  }

  // The earliest placement in the plan of the pass, now on what is really idle, in the size that ends first.
  Placement place_next(Sim& sim, WorkId work) {
    const Time now = sim.now();
    const bool bounded = has_bounds();
    const auto place = [&](const Sized& sized) {
      const Time bound = bounded ? bounds_.no_place_before(sim, sized) : 0;
      Placement found;
      if (!(bound > now)) found = plan_.place(sim, sized, now, settings_.host, true);
      if (!found.valid() && bound < kNever)
        found = plan_.earliest(sim, sized, std::max(now, bound), settings_.host);
      bounds_.remember(sim, sized, found, bound);
      return found;
    };
    return place_molded(sim, work, settings_.mold, place,
                        [&](const Sized& sized) { return bounded ? bounds_.no_end_before(sim, sized) : 0; });
  }

  // Suspended jobs go on; the plan has them from now on.
  void resume(Sim& sim, double tier) {
    if (!settings_.preemption.is_on()) return;
    const std::vector<ActivityId> resumed = settings_.preemption.resume(sim, tier);
    for (const ActivityId id : resumed)
      plan_.start(sim.view(), sim.activity(id)->work, sim.allocation(id),
                  settings_.rounded_up(sim.estimate().end_of(sim, id)));
    if (!resumed.empty()) running_.reset(sim);
  }

  // Jobs that are still suspended have their cores from now on for as long as they still take, before works of their tier and
  // of lower ones.
  void keep_cores_of_suspended(Sim& sim, double tier) {
    for (const ActivityId id : sim.suspended()) {
      const WorkId work = sim.activity(id)->work;
      if (tier_of(sim.view(), work) < tier || std::ranges::count(kept_, id) > 0) continue;
      kept_.push_back(id);
      const Time end = sim.estimate().end_of(sim, id);
      if (end < kNever)
        plan_.take_cores(sim.view(), work, sim.allocation(id), sim.now(), settings_.rounded_up(end));
    }
  }

  // The work may preempt others; nobody before it waits. Where it is to start then.
  Placement preempt(Sim& sim, WorkId work) {
    const std::size_t suspended = sim.suspended().size();
    Placement found = settings_.preemption.make_room(sim, work, settings_.mold, settings_.host);
    if (!found.valid() && sim.suspended().size() == suspended) return found;
    running_.reset(sim);
    make_plan(sim);
    return found;
  }

  void make_plan(Sim& sim) {
    plan_.reset(sim, running_,
                [&](Time end) { return settings_.rounded_up(end); });  // what is overdue ends now
    if (!settings_.licences) plan_.ignore_licences();
    bounds_.clear(sim);
    kept_.clear();
  }

  void start_in_pass(Sim& sim, Item& item) {
    const Time end = start(sim, item.work, item.where.shares);
    plan_.start(sim.view(), item.work, item.where.shares, settings_.rounded_up(end));
    item.work = {};
  }

  // How far a pass has come.
  struct Progress {
    std::size_t looked = 0, started = 0;
    std::map<std::uint32_t, std::size_t> promised_of;  // by queue
    std::map<UserId, std::size_t> of_user;
    bool first_waits = false;
  };

  void pass(Sim& sim) {
    const View& view = sim.view();
    std::erase_if(list_, [&](const Item& item) { return !waits(view, item.work); });
    make_plan(sim);
    next_change_ = kNever;
    Progress done;
    for (Item& item : list_) {
      item.where = {};
      item.fate = why_left_out(sim, item, done);
      if (item.fate == Fate::unknown) serve_in_pass(sim, item, done);
    }
    resume(sim, -kNever);
    std::erase_if(list_, [](const Item& item) { return !item.work.valid(); });
    changed_ = done.started > 0;
    look_at_windows(sim);
  }

  // Fate::unknown of a work that the pass looks at.
  Fate why_left_out(const Sim& sim, const Item& item, Progress& done) const {
    const View& view = sim.view();
    if (is_passed_over(sim, item.work, settings_.mold)) return Fate::passed_over;
    if (done.looked == settings_.depth) return Fate::too_deep;
    if (settings_.max_user < kAll && ++done.of_user[view.workload()[item.work].user] > settings_.max_user)
      return Fate::too_many;
    ++done.looked;
    if (!settings_.licences && lacks_licences(view, item.work)) return Fate::unlicensed;
    return Fate::unknown;
  }

  // Starts the work, or promises it a place.
  void serve_in_pass(Sim& sim, Item& item, Progress& done) {
    const View& view = sim.view();
    const Time now = sim.now();
    const bool preempts = settings_.preemption.is_on();
    std::size_t& promised = done.promised_of[view.workload().queue_number(item.work)];
    if (preempts && serve_preemptor(sim, item, done, promised)) return;
    const bool may_be_promised = promised < settings_.reserve;
    item.where = may_be_promised ? place_next(sim, item.work) : place_now(sim, item.work, has_bounds());
    if (preempts && !done.first_waits && done.started < settings_.max_start &&
        !is_start(sim, item.work, item.where)) {
      if (Placement made = preempt(sim, item.work); made.valid()) {
        item.where = std::move(made);
      } else {
        resume(sim, -kNever);
        done.first_waits = true;
        item.where = place_next(sim, item.work);
      }
    }
    if (done.started < settings_.max_start && is_start(sim, item.work, item.where)) {
      start_in_pass(sim, item);
      ++done.started;
      return;
    }
    if (!may_be_promised) {
      item.fate = Fate::unpromised;
      return;
    }
    item.fate = fate_of(now, item);
    if (item.fate != Fate::promised) return;
    ++promised;
    const Time from = std::max(now, settings_.rounded_down(item.where.start)),
               to = settings_.rounded_up(item.where.end);
    plan_.take(view, item.work, item.where.shares, from, to);
    may_change_at(now, from);
    may_change_at(now, to);
  }

  // Suspended jobs of its tier come before the work. True if others were preempted for it: it starts in their place, or
  // is promised that.
  bool serve_preemptor(Sim& sim, Item& item, Progress& done, std::size_t& promised) {
    const Time now = sim.now();
    resume(sim, -item.tier);
    keep_cores_of_suspended(sim, -item.tier);
    item.where = settings_.preemption.promised(sim, item.work);
    if (item.where.valid() && done.started < settings_.max_start) {
      if (Placement found = place_now(sim, item.work, has_bounds()); is_start(sim, item.work, found)) {
        settings_.preemption.spare_victims_of(item.work);
        item.where = std::move(found);
        start_in_pass(sim, item);
        ++done.started;
        return true;
      }
    }
    if (!item.where.valid()) return false;
    // As soon as others have written their dumps, or have had their grace.
    plan_.take(sim.view(), item.work, item.where.shares, now, now + (item.where.end - item.where.start));
    item.fate = Fate::promised;
    ++promised;
    done.first_waits = true;
    return true;
  }

  // The next pass may decide otherwise when one of them begins or ends.
  void look_at_windows(const Sim& sim) {
    const Time now = sim.now();
    for (const Window& window : sim.windows()) {
      may_change_at(now, window.from);
      may_change_at(now, window.to);
    }
    sim.each_hold([&](const Hold& hold, bool) {
      may_change_at(now, hold.from);
      may_change_at(now, hold.to);
    });
  }

  static bool lacks_licences(const View& view, WorkId work) {
    const Demand* demand = demand_of(view, work);
    return demand != nullptr && !demand->fits_licences(view.free_licences());
  }

  Fate fate_of(Time now, const Item& item) {
    if (!item.where.valid()) return Fate::nowhere;
    if (item.where.start > now + settings_.window) {
      may_change_at(now, std::max(item.where.start - settings_.window, std::nextafter(now, kNever)));
      return Fate::beyond;
    }
    if (now - item.arrival < settings_.min_age) {
      may_change_at(now, std::max(item.arrival + settings_.min_age, std::nextafter(now, kNever)));
      return Fate::unpromised;
    }
    return Fate::promised;
  }

  // A pass decides as the one before while nothing happens and no step of its plan is reached.
  void may_change_at(Time now, Time at) {
    if (at > now) next_change_ = std::min(next_change_, at);
  }

  void look_at_hosts(Sim& sim) { steady_ = has_steady_hosts(sim) && sim.estimate().is_faithful(); }

  // The next multiple of the interval at which a pass may decide otherwise than the last one.
  void arm(Sim& sim) {
    const Time now = sim.now();
    const Time soon = std::nextafter(now, kNever);
    Time next = next_change_;
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
      if (const auto jobs = running_.on(HostId(h));
          !jobs.empty())  // promises beside what is overdue move with time
        next = std::min(next, jobs[0].end > now ? settings_.rounded_up(jobs[0].end) : soon);
    const bool asks =
        settings_.priority || settings_.host.is_function();  // whose answers may change at any time
    if (changed_ || asks || (!steady_ && next < kNever)) next = soon;
    if (list_.empty()) next = kNever;
    if (next < kNever) next = settings_.multiple_from(std::max(next, soon));
    if (next == armed_) return;
    disarm(sim);
    armed_ = next;
    if (next < kNever) timer_ = sim.timer(next);
  }
  void disarm(Sim& sim) {
    if (timer_.valid()) sim.cancel(timer_);
    timer_ = {};
    armed_ = kNever;
  }

  BackfillSettings settings_;
  PowerSaving power_;
  std::vector<Item> list_;  // by place()
  Reservations reservations_;
  RunningJobs running_;
  Plan plan_;
  std::vector<ActivityId> kept_;  // suspended jobs whose cores the plan keeps
  TimerId timer_;                 // of the next pass
  Time armed_ = kNever;
  Time next_change_ = kNever;  // when a pass may decide otherwise although nothing has happened
  bool changed_ = true;        // something has happened since the last pass
  bool steady_ = false;        // estimates do not depend on the time at which they are made
  PlaceBounds bounds_;         // of the pass
  WorkId
      blocked_;  // the first in line, which ended the last quick pass and since which nothing but arrivals happened
};

}  // namespace

std::unique_ptr<Policy> easy_that_preempts(HostRule rule, Mold mold, Preemption preemption) {
  return std::make_unique<Backfill>(BackfillSettings{
      .host = std::move(rule), .mold = mold, .reserve = 1, .preemption = std::move(preemption)});
}

Entry backfill() {
  Entry entry = list_entry(
      "backfill", "works in an order of priority; as many as it is told are promised a time, by estimates",
      JobOrder::first, HostChoice::fastest);
  entry.source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2; slurm.conf(5), release 26.05";
  entry.complexity = "O(S H) a promise, with S times at which something ends; a pass looks at `depth` works";
  entry.ties = "order of arrival, then of input; lowest host";
  entry.parameters = with_power_parameters(with_preempt_parameters(backfill_parameters()), true);
  entry.check = [](const Arguments& given) {
    check_keep_on(given, "backfill");
    check_preemption(given, "backfill");
    if (!given.has("off_after")) return;
    if (given.choice("preempt") != "off")
      fail("bad_parameter", "backfill: preempt does not go with off_after; leave one of them out");
  };
  entry.demands = demands_on_hosts;
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    return std::make_unique<Backfill>(backfill_settings(given));
  };
  return entry;
}

}  // namespace perigee::batch
