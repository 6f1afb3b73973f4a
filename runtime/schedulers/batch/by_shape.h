#pragma once

#include <memory>
#include <span>
#include <utility>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// Two policies that decide alike on works of one host. The first is quick and knows neither others nor what is to come.
// From the first job with a Shape and the first reservation on, where outages are known beforehand, and where hosts may be
// switched off, the second one decides.
class ByShape final : public PolicyOf<ByShape> {
 public:
  ByShape(std::unique_ptr<Policy> narrow, std::unique_ptr<Policy> wide)
      : narrow_(std::move(narrow)), wide_(std::move(wide)) {}

  // Where anything may be off, the second one decides.
  engine::TakesOver takes_over() const override { return wide_->takes_over(); }

  void begin(Sim& sim) override {
    const View& view = sim.view();
    is_wide_ = sim.has_windows() || view.platform().has_power();
    for (std::size_t w = view.works().first(); w < view.works().size() && !is_wide_; ++w) {
      const WorkState state = view.works()[w].state;
      is_wide_ = state != WorkState::future && state < WorkState::finished && is_for_wide(view, WorkId(w));
    }
    decider().begin(sim);
  }
  void react(Sim& sim, std::span<const Event> events) override {
    if (!is_wide_) {
      for (const Event& event : events)
        is_wide_ = is_wide_ || (event.kind == EventKind::arrived && is_for_wide(sim.view(), event.work));
      if (is_wide_) return wide_->begin(sim);
    }
    decider().react(sim, events);
  }
  void explain(const View& view, Waiting& waiting) const override {
    (is_wide_ ? wide_ : narrow_)->explain(view, waiting);
  }
  void why(Sim& sim, WorkId work, Decision& out) override { decider().why(sim, work, out); }
  std::size_t bytes() const override { return narrow_->bytes() + wide_->bytes(); }

 private:
  static bool is_for_wide(const View& view, WorkId work) {
    return view.workload().shape_of(work) != nullptr || view.workload()[work].kind == WorkKind::reservation;
  }
  Policy& decider() { return is_wide_ ? *wide_ : *narrow_; }

  ClonePtr<Policy> narrow_, wide_;
  bool is_wide_ = false;
};

}  // namespace perigee::batch
