// Divisible loads with deadlines and advance reservations. Both are admitted if all earlier promises can
// still be kept. Loads are planned in the order of deadlines and in stages around the reservations.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/demands.h"
#include "runtime/schedulers/realtime/head.h"
#include "runtime/schedulers/realtime/head_policy.h"
#include "runtime/schedulers/realtime/reasons.h"
#include "runtime/schedulers/realtime/staged_plans.h"

namespace perigee::realtime {
namespace {

class ReservingHead final : public Head {
 public:
  explicit ReservingHead(double tolerance) : plans_(0, tolerance), tolerance_(tolerance) {}
  std::unique_ptr<Policy> clone() const override { return std::make_unique<ReservingHead>(*this); }

  bool keeps_deadlines(const Platform&) const override { return tolerance_ <= kEps; }

  void begin(Sim& sim) override {
    const View& view = sim.view();
    start_anew(sim);
    plans_ = StagedPlans(view.hosts().size(), tolerance_);
    promises_.clear();
    adopt(sim);
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (!view[work].accepted)
        arrived(sim, work, sim.now());
      else if (view.workload()[work].kind == WorkKind::load)
        lost(work);  // promised by another policy: as soon as it can be
      else if (!is_promised(work) && extra_of(sim, work).from > sim.now() &&
               reserve(sim, work) != Reason::none)
        sim.expire(work);
    }
    go_on(sim);
  }

  void why(Sim&, WorkId, Decision& out) override {
    out.rule =
        "a reservation is accepted when the channel and enough nodes are free for it and all loads that wait "
        "can still be planned; a load when it and all that wait, the earliest deadline first, can be planned "
        "around what is reserved";
    out.works = {.score = "slack, s", .better = Prefer::neither, .ties = "earliest arrival, order of input"};
    for (const StagedPlans::Plan& plan : plans_.plans())
      out.works.candidates.push_back(
          {.index = plan.id,
           .score = plan.deadline - plan.end(),
           .note = fmt::format("{} chunk{} from {} s", plan.chunks.size(), plan.chunks.size() == 1 ? "" : "s",
                               format_number(plan.start()))});
  }

 private:
  // A reservation that must have begun by then.
  struct Promise {
    Time by;
    WorkId work;
    ActivityId hold;
  };

  static const WorkExtra& extra_of(Sim& sim, WorkId work) {
    const Workload& workload = sim.view().workload();
    return workload.extras[workload[work].extra];
  }

  static StagedPlans::Reservation reservation_of(Sim& sim, WorkId work) {
    const WorkExtra& extra = extra_of(sim, work);
    return {.id = work.index,
            .from = extra.from,
            .to = extra.to,
            .io_until = std::min(extra.to, extra.from + (extra.to - extra.from) * extra.io_ratio)};
  }

  static StagedPlans::Load load(Sim& sim, WorkId work, double size) {
    const Work& declared = sim.view().workload()[work];
    return {work.index, load_of(sim, work).costs, size, declared.deadline, declared.arrival};
  }

  bool is_promised(WorkId work) const {
    return std::ranges::find(promises_, work, &Promise::work) != promises_.end();
  }

  void promise(WorkId work, Time from, ActivityId hold) {
    promises_.push_back({from + kEps * std::max(1.0, from), work, hold});
  }

  // Reads what runs and which holds are posted, whichever policy did it. Posted chunks are planned anew.
  void adopt(Sim& sim) {
    const View& view = sim.view();
    Time held = sim.now(), channel = sim.now();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      if (view.workload()[work].kind != WorkKind::reservation || !view[work].accepted || !sim.waits(work))
        continue;
      const StagedPlans::Reservation running = reservation_of(sim, work);
      if (running.from > sim.now()) continue;
      held = std::max(held, running.to);
      channel = std::max(channel, running.io_until);
    }
    std::vector<StagedPlans::Reservation> posted;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      withdraw_chunks(sim, host);
      set_free(sim, host);
      const std::vector<ActivityId> running = sim.running_on(host);
      if (view[host].up && view[host].idle == 0 && running.empty()) plans_.set_free(h, held);
      for (const ActivityId id : running)
        if (sim.activity(id)->kind == ActivityKind::chunk)
          channel = std::max(channel, sim.estimate().end_of(sim, id));
      for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
        const ActivityView activity = *sim.activity(id);
        if (activity.kind != ActivityKind::hold || !activity.work.valid() ||
            view.workload()[activity.work].kind != WorkKind::reservation)
          continue;
        if (!is_promised(activity.work)) {
          posted.push_back(reservation_of(sim, activity.work));
          promise(activity.work, posted.back().from, id);
        }
        std::ranges::find(posted, activity.work.index, &StagedPlans::Reservation::id)
            ->nodes.push_back(host.index);
      }
    }
    for (const StagedPlans::Reservation& each : posted) plans_.adopt(each);
    if (channel > sim.now()) plans_.set_channel_busy({sim.now(), channel});
  }

  static void withdraw_chunks(Sim& sim, HostId host) {
    for (const ActivityId id : sim.queued_on(ResourceId::of(host)))
      if (const auto posted = sim.activity(id); posted && posted->kind == ActivityKind::chunk)
        sim.withdraw(id);
  }

  void set_free(Sim& sim, HostId host) {
    plans_.set_free(host.index, sim.view()[host].up ? free_from(sim, host) : kNever);
  }

  void arrived(Sim& sim, WorkId work, Time) override {
    send_due(sim);  // goes before what arrives
    if (sim.view().workload()[work].kind == WorkKind::load) {
      if (plans_.arrive(due(), load(sim, work, sim.view().workload().size_of(work))))
        sim.accept(work);
      else
        sim.reject(work, refusal::plan);
    } else if (const Reason refused = reserve(sim, work); refused != Reason::none) {
      sim.reject(work, refused);
    }
  }

  Reason reserve(Sim& sim, WorkId work) {
    StagedPlans::Reservation wanted = reservation_of(sim, work);
    const Reason refused = plans_.reserve(due(), wanted, static_cast<std::size_t>(extra_of(sim, work).hosts));
    if (refused != Reason::none) return refused;
    sim.accept(work);
    Posting hold;
    hold.kind = ActivityKind::hold;
    hold.piece = {work, 0, 1};
    for (const std::uint32_t node : wanted.nodes) hold.hosts.push_back(HostId(node));
    hold.with_link = wanted.io_until > wanted.from;
    hold.not_before = hold.rank = wanted.from;
    hold.to = wanted.to;
    hold.io_until = wanted.io_until;
    promise(work, wanted.from, sim.post(hold));
    return Reason::none;
  }

  // Withdraws the chunks posted for a host that is down, as they would stop the channel.
  void host_changed(Sim& sim, HostId host) override {
    if (!sim.view()[host].up) withdraw_chunks(sim, host);
    const Time planned = plans_.node_free(host.index);
    set_free(sim, host);
    if (planned < kNever) plans_.set_free(host.index, std::max(planned, plans_.node_free(host.index)));
    changed_ = true;
  }

  Time next_due() const override {
    Time next = plans_.next_start();
    for (const Promise& each : promises_) next = std::min(next, each.by);
    return next;
  }

  void send_due(Sim& sim) override {
    if (std::exchange(changed_, false)) plans_.renew(due());
    while (plans_.next_start() <= due()) send(sim, plans_.send());
    std::erase_if(promises_, [&](const Promise& each) {
      if (each.by > due()) return false;
      if (const auto hold = sim.activity(each.hold); hold && hold->posted) break_promise(sim, each.work);
      return true;
    });
  }

  void break_promise(Sim& sim, WorkId work) {
    sim.expire(work);
    plans_.give_up(work.index);
  }

  bool send_again(Sim& sim, WorkId work) override {
    changed_ = true;
    if (sim.view().workload()[work].kind == WorkKind::reservation) {
      break_promise(sim, work);
      return true;
    }
    const StagedPlans::Plan plan =
        plans_.send_late(due(), load(sim, work, sim.next_piece(work, sim.undealt(work)).size));
    if (plan.chunks.empty()) return false;  // no host is up
    send(sim, plan);
    return true;
  }

  // Sends in planned order, and no earlier than planned: later promises rely on it.
  static void send(Sim& sim, const StagedPlans::Plan& plan) {
    const WorkId work(plan.id);
    if (!sim.waits(work)) return;  // settled in the meantime
    Posting posting;
    for (const StagedNodes::Chunk& chunk : plan.chunks) {
      const double left = sim.undealt(work);
      posting.kind = ActivityKind::chunk;
      posting.piece = sim.next_piece(work, &chunk == &plan.chunks.back() ? left : std::min(chunk.size, left));
      if (posting.piece.size <= 0) continue;
      posting.host = HostId(chunk.node);
      posting.not_before = posting.rank = chunk.start;
      posting.after = {};
      posting.after = sim.post(posting);
      posting.kind = ActivityKind::compute;
      sim.post(posting);
    }
  }

  StagedPlans plans_;
  double tolerance_;
  std::vector<Promise> promises_;
  bool changed_ = false;  // plans do not know of it yet
};

}  // namespace

Entry edf_reservations() {
  Entry entry =
      head_entry("edf_reservations",
                 "advance reservations, and divisible loads in the order of deadlines in stages around them");
  entry.source = "Mamat, 2011, Chapter 5 (Algorithms 1 to 4)";
  entry.complexity = "O(W N log N) an arrival, with W loads that wait for N nodes";
  entry.ties = "earliest arrival, order of input; nodes by free time, then lowest";
  entry.accepts = {.loads = true, .reservations = true, .streams = true, .demands = &kPlainLoads};
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<ReservingHead>(arguments.number("tolerance"));
  };
  return entry;
}

}  // namespace perigee::realtime
