// FAST-EDF-IIT: divisible loads with deadlines, admitted by their completion on all nodes together and sent,
// the earliest deadline first, to whichever node is free.
//
// Source: Mamat, 2011, Chapter 6, Algorithms 6 to 8 and section 6.2.2.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/fast_admission.h"
#include "runtime/schedulers/realtime/head.h"

namespace perigee {
namespace {

class FastEdf final : public PolicyOf<FastEdf> {
 public:
  FastEdf(HeadStart start, double tolerance) : start_(start), tolerance_(tolerance) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    head_.reset();
    broken_.clear();
    timer_ = {};
    due_ = sim.now();
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (view[work].accepted)
        broken_.push_back(work);  // promised by another: as soon as it can be
      else
        arrive(sim, work, sim.now());
    }
    go_on(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    due_ = sim.now();
    for (const Event& event : events) due_ = std::max(due_, event.at);
    for (const Event& event : events) switch (event.kind) {
        case EventKind::timer:
          timer_ = {};
          break;
        case EventKind::arrived:
          arrive(sim, event.work, event.at);
          break;
        case EventKind::lost:
          if (event.work.valid() && std::ranges::find(broken_, event.work) == broken_.end())
            broken_.push_back(event.work);
          [[fallthrough]];
        case EventKind::down:
        case EventKind::up:
          if (head_ && event.on.host().valid()) take_note_of(sim, event.on.host());
          break;
        default:
          break;
      }
    go_on(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule =
        "a load is admitted when it can be complete on all nodes together by its deadline, after those with "
        "earlier deadlines, and delays none of the others beyond theirs; the first is sent to the lowest "
        "node "
        "that is free";
    out.works = {.score = "slack, s", .better = Prefer::neither, .ties = "earliest arrival, order of input"};
    if (!head_) return;
    head_->queue().for_each([&](const DeadlineQueue::Load& load, double slack) {
      out.works.candidates.push_back({.index = load.id, .score = slack});
    });
    if (sim.view()[work].accepted) return;
    const HeadLoad load = load_of(sim, work);
    out.notes.push_back(
        fmt::format("it takes {} s on all nodes together", format_number(head_->time_on_all(load.size))));
  }

 private:
  // Sends what is due, then decides.
  void arrive(Sim& sim, WorkId work, Time now) {
    const HeadLoad load = load_of(sim, work);
    if (!head_) {  // the costs of all loads are those of the first
      head_.emplace(load.costs, sim.view().hosts().size(), start_, tolerance_);
      for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) take_note_of(sim, HostId(h));
    }
    send_due(sim);
    const Reason refused = head_->arrive(work.index, now, load.size, sim.view().workload()[work].deadline);
    if (refused == Reason::none)
      sim.accept(work);
    else
      sim.reject(work, refused);
  }

  void take_note_of(Sim& sim, HostId host) {
    const HostView& view = sim.view()[host];
    if (!view.up)
      head_->set_free(host.index, kNever);
    else if (view.running == 0 && view.queued == 0 && head_->node_free(host.index) < sim.now())
      return;  // it is idle, as it was
    else
      head_->set_free(host.index, free_from(sim, host));
  }

  void send_due(Sim& sim) {
    while (head_->next_dispatch() <= due_) {
      const FastAdmission::Chunk chunk = head_->dispatch();
      const WorkId work(chunk.id);
      if (!sim.waits(work)) continue;  // settled by someone else
      if (chunk.size == 0)
        sim.expire(work);
      else
        send(sim, sim.next_piece(work, chunk.last ? sim.undealt(work) : chunk.size), HostId(chunk.node));
    }
  }

  static void send(Sim& sim, const Piece& piece, HostId host) {
    Posting posting;
    posting.kind = ActivityKind::chunk;
    posting.piece = piece;
    posting.host = host;
    posting.after = sim.post(posting);
    posting.kind = ActivityKind::compute;
    sim.post(posting);
  }

  // What was lost goes, as it is, to the node that is free first.
  void repair(Sim& sim) {
    std::erase_if(broken_, [&](WorkId work) {
      while (sim.waits(work)) {
        const View& view = sim.view();
        HostId first;
        for (std::size_t h = 0; h < view.hosts().size(); ++h)
          if (view.hosts()[h].up && (!first.valid() || head_->node_free(h) < head_->node_free(first.index)))
            first = HostId(h);
        if (!first.valid()) return false;
        const Piece piece = sim.next_piece(work, sim.undealt(work));
        const UnitCosts costs = load_of(sim, work).costs;
        const Time sent = std::max({head_->channel_free(), head_->node_free(first.index), sim.now()}) +
                          piece.size * costs.transmission;
        send(sim, piece, first);
        head_->set_channel_free(sent);
        head_->set_free(first.index, sent + piece.size * costs.computation);
      }
      return true;
    });
  }

  void go_on(Sim& sim) {
    if (!head_ && !broken_.empty()) {
      head_.emplace(load_of(sim, broken_.front()).costs, sim.view().hosts().size(), start_, tolerance_);
      for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) take_note_of(sim, HostId(h));
    }
    if (!head_) return;
    repair(sim);
    send_due(sim);
    const Time next = head_->next_dispatch();
    if (timer_.valid() && next == timer_at_) return;
    if (timer_.valid()) sim.cancel(timer_);
    timer_ = {};
    timer_at_ = next;
    if (next < kNever) timer_ = sim.timer(next, TimerPhase::due, true);
  }

  HeadStart start_;
  double tolerance_;
  std::optional<FastAdmission> head_;  // from the first load on
  std::vector<WorkId> broken_;         // lost in part
  Time due_ = 0;                       // the last time of this instant
  TimerId timer_;
  Time timer_at_ = kNever;
};

}  // namespace

Entry realtime::fast_edf_iit() {
  Entry entry;
  entry.name = "fast_edf_iit";
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary =
      "divisible loads, admitted by their completion on all nodes, sent to whichever node is free";
  entry.source = "Mamat, 2011, Algorithms 6 to 8 (AC-FAST) and section 6.2.2 (FAST-EDF-IIT)";
  entry.complexity = "O(log W) an arrival, with W loads that wait; O(log N) a chunk, with N nodes";
  entry.ties = "earliest arrival, order of input; lowest node";
  entry.parameters = {
      {.name = "start",
       .type = ParameterType::choice,
       .summary = "safe: a load goes behind what has been dispatched of the first that waits; literal: as "
                  "Algorithm 6 is printed, and loads may miss their deadlines",
       .fallback = "safe",
       .choices = {"safe", "literal"}},
      {.name = "tolerance",
       .type = ParameterType::number,
       .summary = "relative, of comparing planned ends with deadlines",
       .fallback = kEps,
       .min = 0,
       .max = 1e-3}};
  entry.accepts = {.loads = true, .one_channel = true, .alike_loads = true};
  entry.instants = {.tolerance = 1e-12};
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<FastEdf>(
        arguments.choice("start") == "safe" ? HeadStart::safe : HeadStart::literal,
        arguments.number("tolerance"));
  };
  return entry;
}

}  // namespace perigee
