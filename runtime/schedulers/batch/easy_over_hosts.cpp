// EASY for jobs over several hosts, on hosts that may differ. The first in line that cannot start is promised the
// earliest time at which it will fit, and the hosts for it. A later job starts where the rule places it, if it is over
// by then, or if it leaves to the promised job what that needs of its hosts.
//
// Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2 (EASY backfilling). Jobs of one host are decided as
// by easy.cpp. Cost: O(H) a job that is looked at.
#include "runtime/schedulers/batch/over_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {
namespace {

class EasyOverHosts final : public PolicyOf<EasyOverHosts> {
 public:
  explicit EasyOverHosts(HostChoice rule) : rule_(rule) {}

  void begin(Sim& sim) override {
    running_.reset(sim);
    waiting_.reset(sim);
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    running_.follow(sim, events);
    waiting_.follow(sim.view(), events);
    serve(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    out.rule = "the first in line starts as soon as it can; others start early where it is not delayed";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    idle_.reset(view);
    for (const WorkId other : waiting_.all()) {
      if (view[other].state != WorkState::waiting) continue;
      Comparison::Candidate candidate{.index = other.index, .score = view.workload()[other].arrival};
      if (other == head_ && promised_.valid())
        candidate.note = fmt::format("is promised {} at {} s", text_of(view, promised_.shares),
                                     format_number(promised_.start));
      else if (!choose(sim, other).valid())
        candidate.note = "does not fit now, or would delay the first";
      candidate.open = candidate.note.empty();
      out.works.candidates.push_back(std::move(candidate));
    }
    list_idle_hosts(sim, work, out);
  }

 private:
  void serve(Sim& sim) {
    const View& view = sim.view();
    idle_.reset(view);
    head_ = {};
    promised_ = {};
    std::vector<std::uint8_t> gone(waiting_.size(), 0);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const WorkId work = waiting_[i];
      if (view[work].state != WorkState::waiting) {
        gone[i] = 1;
        continue;
      }
      if (!head_.valid() && !could_run_on_those_up(sim, work)) continue;
      const Placement found = choose(sim, work);
      if (found.valid()) {
        start(sim, work, found);
        gone[i] = 1;
      } else if (!head_.valid()) {
        promise(sim, work);
      }
    }
    waiting_.erase_marked(gone);
  }

  void promise(Sim& sim, WorkId head) {
    const View& view = sim.view();
    head_ = head;
    Plan plan;
    plan.reset(sim, running_);
    promised_ = plan.earliest(sim, head, sim.now(), HostChoice::first, false, true);
    extra_.assign(view.hosts().size(), std::numeric_limits<std::int32_t>::max());
    for (const Share& share : promised_.shares)
      extra_[share.host.index] = plan.idle(share.host, promised_.start, promised_.start) -
                                 RunningJobs::cores_taken(view, head, share);
  }

  // Where the work would start now without delaying the head.
  Placement choose(Sim& sim, WorkId work) const {
    Placement found = idle_.place(sim, work, sim.now(), rule_);
    if (!found.valid() || !head_.valid() || work == head_ || !promised_.valid()) return found;
    if (found.end <= promised_.start || is_extra(sim.view(), work, found.shares)) return found;
    return idle_.place(sim, work, sim.now(), rule_, false, extra_);
  }

  bool is_extra(const View& view, WorkId work, std::span<const Share> shares) const {
    return std::ranges::all_of(shares, [&](const Share& share) {
      return RunningJobs::cores_taken(view, work, share) <= extra_[share.host.index];
    });
  }

  void start(Sim& sim, WorkId work, const Placement& placement) {
    const View& view = sim.view();
    const Time end = running_.start(sim, work, placement.shares);
    idle_.start(view, work, placement.shares, end);
    if (!promised_.valid() || !(end > promised_.start)) return;
    for (const Share& share : placement.shares)
      if (std::int32_t& extra = extra_[share.host.index]; extra < std::numeric_limits<std::int32_t>::max())
        extra -= RunningJobs::cores_taken(view, work, share);
  }

  bool could_run_on_those_up(Sim& sim, WorkId work) {
    empty_.reset_to_empty(sim.view());
    return empty_.place(sim, work, sim.now(), HostChoice::first).valid();
  }

  HostChoice rule_;
  ArrivalQueue waiting_;
  RunningJobs running_;
  WorkId head_;  // the first that waits, when it was last asked
  Placement promised_;
  std::vector<std::int32_t> extra_;  // cores of each host that the head does not need at its start
  Plan idle_, empty_;
};

}  // namespace

std::unique_ptr<Policy> easy_over_hosts(HostChoice rule) { return std::make_unique<EasyOverHosts>(rule); }

}  // namespace perigee::batch
