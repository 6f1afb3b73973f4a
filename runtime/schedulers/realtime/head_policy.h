// A policy around an admission test: the head of a cluster that accepts or rejects loads as they arrive, and
// sends chunks when the test says so.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/head.h"

namespace perigee {

// A chunk that is due.
struct DueChunk {
  std::uint32_t id = 0;  // of the load
  std::uint32_t node = 0;
  double size = 0;    // 0: it is too late for any, and the load is given up
  bool last = false;  // all that is left of the load
};

// Test is a value that is made from costs of a unit and a number of nodes, and has
//   Reason arrive(id, now, size, deadline);  // Reason::none: admitted
//   Time next_dispatch() const;              // kNever: nothing waits
//   void dispatch(F each);                   // each(DueChunk) of those that are due then, in order
//   Time node_free(node) const;  void set_free(node, at);  Time channel_free() const;
//   void set_channel_free(at);
//   void explain(WorkId, double size, Decision&) const;
// For loads of one cost (Accepts::alike_loads).
template <class Test, class Settings>
class HeadPolicy final : public PolicyOf<HeadPolicy<Test, Settings>> {
 public:
  explicit HeadPolicy(const Settings& settings) : settings_(settings) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    test_.reset();
    broken_.clear();
    timer_ = {};
    due_ = sim.now();
    for (std::size_t w = 0; w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (view[work].accepted)
        broken_.push_back(work);  // promised by another policy: as soon as it can be
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
          if (test_ && event.on.host().valid()) take_note_of(sim, event.on.host());
          break;
        default:
          break;
      }
    go_on(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule = Settings::kRule;
    out.works = {.score = "slack, s", .better = Prefer::neither, .ties = "earliest arrival, order of input"};
    if (test_) test_->explain(work, load_of(sim, work).size, out);
  }

 private:
  void open(Sim& sim, WorkId first) {
    test_.emplace(settings_.make(load_of(sim, first).costs, sim.view().hosts().size()));
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) take_note_of(sim, HostId(h));
  }

  void arrive(Sim& sim, WorkId work, Time now) {
    if (!test_) open(sim, work);
    send_due(sim);  // goes before what arrives
    const Reason refused = test_->arrive(work.index, now, sim.view().workload().size_of(work),
                                         sim.view().workload()[work].deadline);
    if (refused == Reason::none)
      sim.accept(work);
    else
      sim.reject(work, refused);
  }

  void take_note_of(Sim& sim, HostId host) {
    const HostView& view = sim.view()[host];
    if (!view.up)
      test_->set_free(host.index, kNever);
    else if (view.running > 0 || view.queued > 0 || !(test_->node_free(host.index) < sim.now()))
      test_->set_free(host.index, free_from(sim, host));
  }

  void send_due(Sim& sim) {
    while (test_->next_dispatch() <= due_)
      test_->dispatch([&](const DueChunk& chunk) {
        const WorkId work(chunk.id);
        if (!sim.waits(work)) return;  // somebody else has settled it
        if (chunk.size == 0)
          sim.expire(work);
        else
          send(sim, sim.next_piece(work, chunk.last ? sim.undealt(work) : chunk.size), HostId(chunk.node));
      });
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
          if (view.hosts()[h].up && (!first.valid() || test_->node_free(h) < test_->node_free(first.index)))
            first = HostId(h);
        if (!first.valid()) return false;
        const Piece piece = sim.next_piece(work, sim.undealt(work));
        const UnitCosts costs = load_of(sim, work).costs;
        const Time sent = std::max({test_->channel_free(), test_->node_free(first.index), sim.now()}) +
                          piece.size * costs.transmission;
        send(sim, piece, first);
        test_->set_channel_free(sent);
        test_->set_free(first.index, sent + piece.size * costs.computation);
      }
      return true;
    });
  }

  void go_on(Sim& sim) {
    if (!test_ && !broken_.empty()) open(sim, broken_.front());
    if (!test_) return;
    repair(sim);
    send_due(sim);
    const Time next = test_->next_dispatch();
    if (timer_.valid() && next == timer_at_) return;
    if (timer_.valid()) sim.cancel(timer_);
    timer_ = {};
    timer_at_ = next;
    if (next < kNever) timer_ = sim.timer(next, TimerPhase::due, true);
  }

  Settings settings_;
  std::optional<Test> test_;    // from the first load on
  std::vector<WorkId> broken_;  // lost in part
  Time due_ = 0;                // the last time of this instant
  TimerId timer_;
  Time timer_at_ = kNever;
};

// What entries of such policies have in common.
Entry head_entry(std::string name, std::string summary);

}  // namespace perigee
