// Divisible loads whose true costs nobody knows. They are admitted up to a bound of utilization, which
// follows from how many of them miss their deadlines.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/demands.h"
#include "runtime/schedulers/realtime/feedback_control.h"
#include "runtime/schedulers/realtime/head.h"
#include "runtime/schedulers/realtime/head_policy.h"
#include "runtime/schedulers/realtime/period_state.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {
namespace {

struct Settings {
  BoundController::Settings control;
  double start_bound;
  Seconds period;
  double cost_factor, chunk_factor, least_chunk;
  bool drops;
  double tolerance;
};

class Feedback final : public PolicyOf<Feedback> {
 public:
  Feedback(const Settings& settings, const PerRound& given)
      : settings_(settings),
        given_(given),
        controller_(settings.control, settings.start_bound),
        monitor_(settings.tolerance) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    controller_ = {settings_.control, settings_.start_bound};
    monitor_ = MissMonitor(settings_.tolerance);
    queue_.clear();
    given_up_.clear();
    chunk_ = {};
    drop_ = {};
    drop_at_ = kNever;
    begun_ = due_ = sim.now();
    period_ = arrived_ = rejected_ = 0;
    busy_ = up_ = 0;
    done_by_ = sim.now();
    busy_since_.assign(view.hosts().size(), kNever);
    up_since_.assign(view.hosts().size(), kNever);
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (!view[HostId(h)].up) continue;
      up_since_[h] = sim.now();
      done_by_ = std::max(done_by_, free_from(sim, HostId(h)));
      if (view[HostId(h)].running > 0) busy_since_[h] = sim.now();
    }
    next_period(sim, {.view = view});
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      const bool promised = view[work].accepted && view[work].state < WorkState::computed;
      if (promised) monitor_.admitted(work.index, view.workload()[work].deadline);
      if (promised && sim.waits(work)) enqueue(sim, work);
      if (!promised && sim.waits(work)) arrived(sim, work);
    }
    dispatch(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    due_ = sim.now();
    for (const Event& event : events) due_ = std::max(due_, event.at);
    for (const Event& event : events) switch (event.kind) {
        case EventKind::ended:
          if (!event.transfer && event.on.host().valid()) count_busy(sim, event.on.host());
          if (event.finishes)
            monitor_.complete(event.work.index, sim.view().workload()[event.work].deadline, event.at);
          break;
        case EventKind::lost:
          if (event.work.valid() && sim.waits(event.work) && !is_given_up(event.work))
            enqueue(sim, event.work);
          [[fallthrough]];
        case EventKind::down:
        case EventKind::up:
          count_all(sim);
          break;
        case EventKind::timer:
          dispatch(sim);  // due chunks go first
          if (event.timer() == sample_) sample(sim);
          break;
        case EventKind::arrived:
          dispatch(sim);
          arrived(sim, event.work);
          break;
        default:
          break;
      }
    dispatch(sim);
  }

  void why(Sim& sim, WorkId, Decision& out) override {
    out.rule = fmt::format(
        "a load is admitted when it and all that wait, the earliest deadline first, each take "
        "at most {} of the time that they then have; the first one is sent to the lowest node that is free",
        format_number(bound_));
    out.works = {
        .score = "utilization", .better = Prefer::neither, .ties = "earliest arrival, order of input"};
    Time start = start_of_waiting(sim);
    for (const Queued& load : queue_) {
      const Seconds time = load.left * load.per_unit, room = load.deadline - start;
      out.works.candidates.push_back({.index = load.work.index, .score = room > 0 ? time / room : kNever});
      start += time;
    }
  }

 private:
  struct Queued {
    Time deadline;
    Time arrival;
    WorkId work;
    double size, left;
    Seconds per_unit;  // on all nodes together
    Seconds both;      // to send and to compute a unit on one
    bool before(const Queued& other) const {
      return std::tie(deadline, arrival, work.index) <
             std::tie(other.deadline, other.arrival, other.work.index);
    }
  };

  Queued queued(Sim& sim, WorkId work) const {
    HeadLoad load = load_of(sim, work);
    load.costs.transmission *= settings_.cost_factor;
    load.costs.computation *= settings_.cost_factor;
    const Work& declared = sim.view().workload()[work];
    return {.deadline = declared.deadline,
            .arrival = declared.arrival,
            .work = work,
            .size = load.size,
            .left = sim.undealt(work),
            .per_unit = DivisibleCosts(load.costs, Partition::optimal).time(1, sim.view().hosts().size()),
            .both = load.costs.transmission + load.costs.computation};
  }

  std::size_t enqueue(Sim& sim, WorkId work) {
    std::erase_if(queue_, [&](const Queued& each) { return each.work == work; });
    const Queued load = queued(sim, work);
    const auto behind = std::ranges::find_if(queue_, [&](const Queued& each) { return load.before(each); });
    const auto place = behind - queue_.begin();
    queue_.insert(behind, load);
    return static_cast<std::size_t>(place);
  }

  // A node that is away does not report that it is free.
  bool free(const Sim& sim, std::size_t host) const {
    const HostView& view = sim.view().hosts()[host];
    return view.up && view.idle == view.cores && view.queued == 0;
  }

  bool is_given_up(WorkId work) const { return std::ranges::find(given_up_, work) != given_up_.end(); }

  // True if a part of the work is on its way to a node, or is computed there.
  static bool under_way(const Sim& sim, WorkId work) {
    const auto any = [&](const std::vector<ActivityId>& activities) {
      return std::ranges::any_of(activities, [&](ActivityId id) {
        const auto activity = sim.activity(id);
        return activity && activity->work == work;
      });
    };
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
      if (any(sim.running_on(HostId(h))) || any(sim.queued_on(ResourceId::of(HostId(h))))) return true;
    return false;
  }

  bool sending(const Sim& sim) const { return sim.activity(chunk_).has_value(); }

  // The assumed start of the first waiting load: the estimated end of everything sent, or now if all that is
  // done.
  Time start_of_waiting(const Sim& sim) const {
    bool busy = sending(sim);
    for (std::size_t h = 0; h < busy_since_.size() && !busy; ++h) busy = !free(sim, h);
    return busy ? std::max(done_by_, sim.now()) : sim.now();
  }

  void arrived(Sim& sim, WorkId work) {
    ++arrived_;
    const std::size_t place = enqueue(sim, work);
    loads_.clear();
    for (const Queued& load : queue_) loads_.push_back({load.deadline, load.left * load.per_unit});
    if (within_bound(loads_, start_of_waiting(sim), bound_, settings_.tolerance)) {
      monitor_.admitted(work.index, queue_[place].deadline);
      sim.accept(work);
      return;
    }
    ++rejected_;
    sim.reject(work, refusal::bound);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void dispatch(Sim& sim) {
    while (!queue_.empty() && !sim.waits(queue_.front().work)) queue_.erase(queue_.begin());
    while (settings_.drops && !queue_.empty() && queue_.front().deadline <= due_) {
      const Queued& late = queue_.front();
      monitor_.given_up(late.work.index, late.deadline);
      given_up_.push_back(late.work);
      queue_.erase(queue_.begin());
    }
    std::erase_if(given_up_, [&](WorkId work) {
      if (under_way(sim, work)) return false;
      if (sim.waits(work)) sim.expire(work);
      return true;
    });
    if (!queue_.empty() && !sending(sim))
      for (std::size_t h = 0; h < busy_since_.size(); ++h)
        if (free(sim, h)) {
          send_first(sim, HostId(h));
          break;
        }
    const Time next = settings_.drops && !queue_.empty() ? queue_.front().deadline : kNever;
    if (next == drop_at_) return;
    if (drop_.valid()) sim.cancel(drop_);
    drop_at_ = next;
    drop_ = next < kNever ? sim.timer(next, TimerPhase::due, Keeps::alive) : TimerId{};
  }

  void send_first(Sim& sim, HostId host) {
    Queued& load = queue_.front();
    const Time now = sim.now();
    double size = load.size / static_cast<double>(sim.view().hosts().size());  // of one that is late
    if (now < load.deadline)
      size = std::max((load.deadline - now) / (settings_.chunk_factor * load.both),
                      settings_.least_chunk * load.size);
    if (load.left - size <= kSliver * load.size) size = load.left;
    Posting posting;
    posting.kind = ActivityKind::chunk;
    posting.piece = sim.next_piece(load.work, size);
    posting.host = host;
    posting.after = chunk_ = sim.post(posting);
    posting.kind = ActivityKind::compute;
    sim.post(posting);
    busy_since_[host.index] = now;
    done_by_ = std::max(done_by_, now) + posting.piece.size * load.per_unit;
    load.left = sim.undealt(load.work);
    if (!sim.waits(load.work)) queue_.erase(queue_.begin());
  }

  // Counts the busy time up to now; counting goes on while the node has something to do.
  void count_busy(const Sim& sim, HostId host) {
    Time& since = busy_since_[host.index];
    if (since == kNever) return;
    busy_ += sim.now() - since;
    since = free(sim, host.index) || !sim.view()[host].up ? kNever : sim.now();
  }

  // The same for all nodes, and the time for which each was up.
  void count_all(const Sim& sim) {
    for (std::size_t h = 0; h < busy_since_.size(); ++h) {
      count_busy(sim, HostId(h));
      if (up_since_[h] < kNever) up_ += sim.now() - up_since_[h];
      up_since_[h] = sim.view().hosts()[h].up ? sim.now() : kNever;
    }
  }

  void sample(Sim& sim) {
    count_all(sim);
    const MissMonitor::Counts counts = monitor_.sample(sim.now());
    PeriodState state{.view = sim.view(),
                      .bound = bound_,
                      .misses = static_cast<double>(counts.misses),
                      .resolved = static_cast<double>(counts.resolved),
                      .arrived = static_cast<double>(arrived_),
                      .rejected = static_cast<double>(rejected_),
                      .utilization = up_ > 0 ? busy_ / up_ : 0};
    if (counts.ratio()) state.miss_ratio = *counts.ratio();
    sim.note("period", std::array{static_cast<double>(period_), state.bound, state.misses, state.resolved,
                                  state.arrived, state.rejected, state.utilization});
    busy_ = up_ = 0;
    arrived_ = rejected_ = 0;
    controller_.update(counts.ratio());
    next_period(sim, state);
  }

  void next_period(Sim& sim, const PeriodState& last) {
    ++period_;
    bound_ = given_.is("controlled") ? controller_.bound() : given_.at(static_cast<double>(period_), last);
    sample_ = sim.timer(begun_ + static_cast<double>(period_) * settings_.period, TimerPhase::sample,
                        Keeps::nothing);
  }

  Settings settings_;
  PerRound given_;
  BoundController controller_;
  MissMonitor monitor_;
  double bound_ = 1;              // in force
  std::vector<Queued> queue_;     // the earliest deadline first
  std::vector<WorkId> given_up_;  // late loads that are dropped once their parts under way are done
  std::vector<LoadOnAll> loads_;
  ActivityId chunk_;              // the last that was sent
  Time done_by_ = 0;              // estimated, with all that has been sent, on all nodes together
  std::vector<Time> busy_since_;  // per node, and not counted yet; kNever: it has nothing to do
  std::vector<Time> up_since_;    // the same; kNever: it is away
  Seconds busy_ = 0, up_ = 0;     // of nodes in this period
  std::size_t arrived_ = 0, rejected_ = 0;
  Time begun_ = 0;
  Time due_ = 0;  // the last time of this instant
  std::size_t period_ = 0;
  TimerId sample_, drop_;
  Time drop_at_ = kNever;
};

}  // namespace

Entry feedback() {
  Entry entry = head_entry(
      "feedback", "divisible loads of uncertain cost, admitted up to a bound that follows their misses");
  entry.source =
      "Mamat, 2011, Chapter 7: Algorithm 12 (admission), sections 7.2.2 (dispatcher) and 7.2.3 (controller)";
  entry.complexity = "O(W + N) an arrival or chunk, with W loads that wait for N nodes";
  entry.ties = "earliest arrival, order of input; lowest node";
  entry.accepts = {.loads = true, .streams = true, .demands = &kPlainLoads};
  std::vector<Parameter> own = {
      {.name = "bound",
       .type = ParameterType::number,
       .summary = "up to which loads are admitted: \"controlled\": it follows the miss ratio",
       .fallback = "controlled",
       .min = 0,
       .open_min = true,
       .words = {"controlled"},
       .by_round = true},
      {.name = "period",
       .type = ParameterType::quantity,
       .summary = "between samples of the miss ratio",
       .fallback = 1e5,
       .min = 0,
       .unit = Dimension::seconds,
       .open_min = true},
      {.name = "target",
       .type = ParameterType::number,
       .summary = "miss ratio that the controller aims at",
       .fallback = 0.05,
       .min = 0,
       .max = 1,
       .open_min = true,
       .open_max = true},
      {.name = "proportional",
       .type = ParameterType::number,
       .summary = "gain by which the bound follows the change of the error",
       .fallback = 0.2,
       .min = 0},
      {.name = "integral",
       .type = ParameterType::number,
       .summary = "gain by which the bound follows the error",
       .fallback = 0.6,
       .min = 0},
      {.name = "start_bound",
       .type = ParameterType::number,
       .summary = "that the controller begins with",
       .fallback = 1.0,
       .min = 0,
       .open_min = true},
      {.name = "least_bound",
       .type = ParameterType::number,
       .summary = "that the controller sets",
       .fallback = 0.1,
       .min = 0,
       .open_min = true},
      {.name = "most_bound",
       .type = ParameterType::number,
       .summary = "that the controller sets",
       .fallback = 2.0,
       .min = 0,
       .open_min = true},
      {.name = "cost_factor",
       .type = ParameterType::number,
       .summary = "what a unit is taken to cost, in estimates",
       .fallback = 1.0,
       .min = 0,
       .open_min = true},
      {.name = "chunk_factor",
       .type = ParameterType::number,
       .summary = "a chunk is so large that it ends in time even if it takes so many times as long",
       .fallback = 2.0,
       .min = 1},
      {.name = "least_chunk",
       .type = ParameterType::number,
       .summary = "part of a load that is sent, at least, before its deadline",
       .fallback = 0.01,
       .min = 1e-6,
       .max = 1},
      {.name = "late",
       .type = ParameterType::choice,
       .summary = "what has not begun at the deadline: finish: it is sent nevertheless; drop: it is given up",
       .fallback = "finish",
       .choices = {"finish", "drop"}}};
  entry.parameters.insert(entry.parameters.begin(), std::make_move_iterator(own.begin()),
                          std::make_move_iterator(own.end()));
  entry.check = [](const Arguments& arguments) {
    const double least = arguments.number("least_bound"), most = arguments.number("most_bound"),
                 start = arguments.number("start_bound");
    if (!(least < most))
      fail("bad_parameter", "feedback: least_bound must be less than most_bound = {}, got {}",
           format_number(most), format_number(least));
    if (start < least || start > most)
      fail("bad_parameter",
           "feedback: start_bound must be between least_bound = {} and most_bound = {}, got {}",
           format_number(least), format_number(most), format_number(start));
  };
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    const auto number = [&](const char* name) { return arguments.number(name); };
    return std::make_unique<Feedback>(Settings{.control = {.target = number("target"),
                                                           .proportional = number("proportional"),
                                                           .integral = number("integral"),
                                                           .least = number("least_bound"),
                                                           .most = number("most_bound")},
                                               .start_bound = number("start_bound"),
                                               .period = number("period"),
                                               .cost_factor = number("cost_factor"),
                                               .chunk_factor = number("chunk_factor"),
                                               .least_chunk = number("least_chunk"),
                                               .drops = arguments.choice("late") == "drop",
                                               .tolerance = number("tolerance")},
                                      arguments.per_round("bound"));
  };
  return entry;
}

}  // namespace perigee::realtime
