// A policy around an admission test: the head of a cluster accepts or rejects loads as they arrive, and sends
// chunks when the test says so.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "runtime/engine/why.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/realtime/head.h"

namespace perigee::realtime {

// A chunk that is due.
struct DueChunk {
  std::uint32_t id = 0;  // of the load
  std::uint32_t node = 0;
  double size = 0;    // 0: it is too late for any, and the load is given up
  bool last = false;  // all that is left of the load
};

// Test is a value made from the costs of a unit and a number of nodes. It has
//   Reason arrive(id, now, size, deadline);  // Reason::none: admitted
//   Time next_dispatch() const;              // kNever: nothing waits
//   void dispatch(F each);                   // each(DueChunk) for the chunks due then, in order
//   Time node_free(node) const;  void set_free(node, at);  Time channel_free() const;
//   void set_channel_free(at);
//   void explain(WorkId, double size, Decision&) const;
//   void note(Sim&) const;                   // optional: notes about the last arrival
//   double unsent(id) const;  // optional: the part of a load under way that is still to be dispatched
// Settings may have `bool keeps_deadlines() const`: see Policy::keeps_deadlines.
// For loads of one cost (Accepts::alike_loads).
template <class Test, class Settings>
class HeadPolicy final : public Head {
 public:
  explicit HeadPolicy(const Settings& settings) : settings_(settings) {}
  std::unique_ptr<Policy> clone() const override { return std::make_unique<HeadPolicy>(*this); }

  void begin(Sim& sim) override {
    const View& view = sim.view();
    start_anew(sim);
    test_.reset();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      if (!sim.waits(work)) continue;
      if (view[work].accepted)
        lost(work);  // promised by another policy: as soon as it can be
      else
        arrived(sim, work, sim.now());
    }
    go_on(sim);
  }

  bool keeps_deadlines(const Platform&) const override {
    if constexpr (requires { settings_.keeps_deadlines(); })
      return settings_.keeps_deadlines();
    else
      return false;
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    out.rule = Settings::kRule;
    out.works = {.score = "slack, s", .better = Prefer::neither, .ties = "earliest arrival, order of input"};
    if (test_) test_->explain(work, load_of(sim, work).size, out);
  }

 private:
  void open(Sim& sim, WorkId first) {
    if (test_) return;
    test_.emplace(settings_.make(load_of(sim, first).costs, sim.view().hosts().size()));
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) host_changed(sim, HostId(h));
    if (const Time free = channel_free_from(sim); free > sim.now())
      test_->set_channel_free(free);  // taken over
  }

  void arrived(Sim& sim, WorkId work, Time at) override {
    open(sim, work);
    send_due(sim);  // goes before what arrives
    const Reason refused = test_->arrive(work.index, at, sim.view().workload().size_of(work),
                                         sim.view().workload()[work].deadline);
    if constexpr (requires { test_->note(sim); }) test_->note(sim);
    if (refused == Reason::none)
      sim.accept(work);
    else
      sim.reject(work, refused);
  }

  void host_changed(Sim& sim, HostId host) override {
    if (!test_) return;
    const HostView& view = sim.view()[host];
    if (!view.up)
      test_->set_free(host.index, kNever);
    else if (view.running > 0 || view.queued > 0 || !(test_->node_free(host.index) < sim.now()))
      test_->set_free(host.index, free_from(sim, host));
  }

  Time next_due() const override { return test_ ? test_->next_dispatch() : kNever; }

  void send_due(Sim& sim) override {
    const bool in_turn = head_link(sim.view()).sharing == Sharing::fair;  // others queue, or need not
    while (next_due() <= due()) {
      ActivityId before;
      bool skipped = false;
      test_->dispatch([&](const DueChunk& chunk) {
        const WorkId work(chunk.id);
        if (!sim.waits(work)) return;  // settled in the meantime
        if (chunk.size == 0) return sim.expire(work);
        if (!sim.view()[HostId(chunk.node)].up) {  // since it was planned
          skipped = true;
          return lost(work);
        }
        before = send(sim, sim.next_piece(work, chunk.last && !skipped ? sim.undealt(work) : chunk.size),
                      HostId(chunk.node), in_turn ? before : ActivityId{});
      });
    }
  }

  // Posts the transmission. It begins when `after` has ended.
  static ActivityId send(Sim& sim, const Piece& piece, HostId host, ActivityId after = {}) {
    Posting posting;
    posting.kind = ActivityKind::chunk;
    posting.piece = piece;
    posting.host = host;
    posting.after = after;
    const ActivityId chunk = sim.post(posting);
    posting.after = chunk;
    posting.kind = ActivityKind::compute;
    sim.post(posting);
    return chunk;
  }

  // Sends a lost piece whole to the node that is free first.
  bool send_again(Sim& sim, WorkId work) override {
    open(sim, work);
    const View& view = sim.view();
    HostId first;
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      if (view.hosts()[h].up && (!first.valid() || test_->node_free(h) < test_->node_free(first.index)))
        first = HostId(h);
    if (!first.valid()) return false;
    double size = sim.undealt(work);
    if constexpr (requires { test_->unsent(work.index); })
      if (const double unsent = test_->unsent(work.index); unsent > 0) {
        size -= unsent;
        if (size <= kEps * view.workload().size_of(work)) return true;
      }
    const Piece piece = sim.next_piece(work, size);
    const UnitCosts costs = load_of(sim, work).costs;
    const Time sent = std::max({test_->channel_free(), test_->node_free(first.index), sim.now()}) +
                      piece.size * costs.transmission;
    send(sim, piece, first);
    test_->set_channel_free(sent);
    test_->set_free(first.index, sent + piece.size * costs.computation);
    return true;
  }

  Settings settings_;
  std::optional<Test> test_;  // from the first load on
};

// An entry with the common properties of such policies.
Entry head_entry(std::string name, std::string summary);

}  // namespace perigee::realtime
