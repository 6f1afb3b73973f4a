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
#include "runtime/kernel/sliding.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/host_kinds.h"
#include "runtime/schedulers/batch/host_room.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/reservations.h"

namespace perigee::batch {
namespace {

class EasyOverHosts final : public PolicyOf<EasyOverHosts> {
 public:
  EasyOverHosts(HostRule rule, Mold mold, bool promises_count, const PowerSettings& power)
      : rule_(std::move(rule)), mold_(mold), promises_count_(promises_count), power_(power) {}

  engine::TakesOver takes_over() const override { return {.off = true}; }
  void begin(Sim& sim) override {
    reservations_.begin(sim);
    running_.reset(sim);
    waiting_.reset(sim);
    seen_changes_ = kNoChanges;
    asked_ = {};
    look_at_hosts(sim);
    power_.begin(sim);
    serve(sim);
    hosts_shut_ = power_.save(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const auto take_promise = [&](Plan& plan) {
      if (promises_count_ && promised_.valid() && sim.view()[head_].state == WorkState::waiting)
        plan.take(sim.view(), head_, promised_.shares, std::max(promised_.start, sim.now()), promised_.end);
    };
    if (reservations_.follow(sim, events, take_promise)) drop_promise();
    running_.follow(sim, events);
    waiting_.follow(sim.view(), events);
    if (!kinds_.is_of(sim)) look_at_hosts(sim);
    if (stands_still(sim, events) && !windows_changed(sim, served_)) {
      for (const Event& event : events) look_at_arrival(sim, event.work);
    } else {
      serve(sim);
    }
    hosts_shut_ = power_.save(sim, events);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (reservations_.why(sim, work, out)) return;
    const View& view = sim.view();
    out.rule = "the first in line starts as soon as it can; others start early where it is not delayed";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    make_promise(sim);
    idle_.reset(sim);
    for (const WorkId other : waiting_.all()) {
      if (view[other].state != WorkState::waiting) continue;
      Comparison::Candidate candidate{.index = other.index, .score = view.workload()[other].arrival};
      if (other == head_ && promised_.valid())
        candidate.note = fmt::format("is promised {} at {} s", text_of(view, promised_.shares),
                                     format_number(promised_.start));
      else if (is_passed_over(sim, other, mold_))
        candidate.note = "is passed over: " + sim.why_held_back(other);
      else if (!choose(sim, other).valid())
        candidate.note = idle_.place(sim, other, sim.now(), rule_, true).valid() ? "would delay the first"
                                                                                 : "does not fit now";
      candidate.open = candidate.note.empty();
      out.works.candidates.push_back(std::move(candidate));
    }
    note_sizes(sim, work, mold_, out);
    list_idle_hosts(sim, work, out);
  }

 private:
  void serve(Sim& sim) {
    const View& view = sim.view();
    served_ = sim.now();
    head_ = {};
    drop_promise();
    if (waiting_.empty()) return;
    idle_.reset(sim);
    room_.reset(idle_.really_idle());
    if (const std::uint64_t changes = sim.host_changes(); std::exchange(seen_changes_, changes) != changes)
      look_at_presence(view);
    for (std::size_t i = 0; i < waiting_.size() && !(head_.valid() && room_.is_none());) {
      const WorkId work = waiting_[i];
      if (view[work].state != WorkState::waiting) {
        waiting_.erase(i);
        continue;
      }
      if (is_passed_over(sim, work, mold_)) {
        ++i;
        continue;
      }
      const bool stays = head_.valid() ? !may_start(sim, work) : !could_run_on_those_up(sim, work);
      if (stays) {
        ++i;
        continue;
      }
      const std::span<const std::int32_t> sizes =
          is_moldable(view, work) ? sizes_now(sim, work, mold_) : open_sizes(sim, work, mold_);
      Sized wanted(work, sizes.empty() ? 0 : sizes.front());
      const Placement found = head_.valid() ? choose(sim, work) : choose_first(sim, wanted);
      if (found.valid()) {
        start(sim, work, found);
        waiting_.erase(i);
      } else {
        if (!head_.valid()) set_head(sim, wanted);
        ++i;
      }
    }
  }

  // Nothing but arrivals has happened since the head was promised its hosts, and all that runs is on time: the others
  // that wait can start no more than before.
  bool stands_still(Sim& sim, std::span<const Event> events) const {
    const bool is_to_come = promise_is_due_ || (promised_.valid() && promised_.start > sim.now());
    return steady_ && !hosts_shut_ && !rule_.is_function() && head_.valid() && is_to_come &&
           !started_since_ && running_.first_end() > sim.now() &&
           std::ranges::all_of(events, [](const Event& event) { return event.kind == EventKind::arrived; });
  }

  // The work has come behind the head.
  void look_at_arrival(Sim& sim, WorkId work) {
    if (sim.view()[work].state != WorkState::waiting || ArrivalQueue::is_apart(sim.view(), work) ||
        is_passed_over(sim, work, mold_) || !may_start(sim, work))
      return;
    const Placement found = choose(sim, work);
    if (!found.valid()) return;
    start(sim, work, found);
    waiting_.erase_work(work);
  }

  // Where the first in line starts now. A moldable job may wait for hosts in a size that will have ended first: then
  // `wanted` becomes that size.
  Placement choose_first(Sim& sim, Sized& wanted) {
    const WorkId work = wanted.work;
    if (power_.is_bound(sim, work)) return power_.bound_now(sim);
    Placement found = choose_first_on(sim, wanted);
    if (!found.valid()) power_.bind(sim, work, mold_, rule_);
    return found;
  }
  Placement choose_first_on(Sim& sim, Sized& wanted) {
    const WorkId work = wanted.work;
    if (mold_ != Mold::earliest || !is_moldable(sim.view(), work)) return choose(sim, work);
    ahead_.reset(sim, running_);
    Placement found = place_first(sim, work, mold_, ahead_, rule_);
    if (is_start(sim, work, found)) return found;
    if (found.valid()) wanted.size = sim.view().workload().piece_on(work, found.shares).mold;
    return {};
  }

  // The head gets its promise when that matters to others.
  void set_head(Sim& sim, const Sized& wanted) {
    head_ = wanted.work;
    wanted_size_ = wanted.size;
    started_since_ = false;
    promise_is_due_ = true;
    if (promises_count_) make_promise(sim);
  }
  void drop_promise() {
    promised_ = {};
    promise_is_due_ = false;
  }
  void make_promise(Sim& sim) {
    if (!std::exchange(promise_is_due_, false)) return;
    const View& view = sim.view();
    const WorkId head = head_;
    const FreeRoom free =
        power_.is_bound(sim, head) ? bound_room(sim) : first_room(sim, {head, wanted_size_});
    promised_ = free.placement;
    extra_.assign(view.hosts().size(), std::numeric_limits<std::int32_t>::max());
    for (const Share& share : promised_.shares)
      extra_[share.host.index] = free.idle[share.host.index] - RunningJobs::cores_taken(view, head, share);
    extra_stock_ = free.stock;
    extra_licences_ = free.licences;
    room_beside_ = room_;
    room_beside_.look_at(view, promised_.shares, extra_);
  }

  struct FreeRoom {
    Placement placement;
    std::vector<std::int32_t> idle;  // of each host at its start
    // Beside the head, of what it takes; without bounds of the rest. Empty: it takes nothing.
    std::vector<double> stock, licences;
  };

  // The cores that a running job frees at its end; listed in order of time.
  struct Freed {
    Time at;
    HostId host;
    std::int32_t cores;
    const RunningJobs::OverHosts* over_hosts;  // null: that host only

    template <class F>
    void each(F f) const {
      if (over_hosts == nullptr) return f(host, cores);
      for (const Share& share : over_hosts->taken) f(share.host, share.cores);
    }
  };
  std::vector<Freed> all_freed(const Sim& sim) const {
    std::vector<Freed> freed;
    const std::span<const std::uint32_t> alone = running_.alone();
    for (std::size_t h = 0; h < alone.size(); ++h) {
      if (alone[h] == 0 || !sim.view().hosts()[h].up) continue;
      for (const RunningJobs::Job& job : running_.on(HostId(h)))
        if (job.end < kNever && !job.over_hosts)
          freed.push_back({std::max(job.end, sim.now()), HostId(h), job.cores, nullptr});
    }
    running_.each_over_hosts([&](const RunningJobs::OverHosts& job) {
      if (job.end < kNever) freed.push_back({std::max(job.end, sim.now()), {}, 0, &job});
    });
    std::ranges::sort(freed, {}, &Freed::at);  // what happens at one time has no order
    return freed;
  }

  // Where `nodes` hosts have room first. Several hosts are those where room came last; one host is
  // the lowest with room.
  FreeRoom first_nodes(const Sim& sim, WorkId head, const Shape& shape) const {
    const std::int32_t cores = sim.view().workload()[head].cores;
    const std::size_t hosts = whole_.size();
    FreeRoom found;
    found.idle.assign(idle_.really_idle().begin(), idle_.really_idle().end());
    std::vector<std::int32_t>& idle = found.idle;
    const auto has_room = [&](std::size_t h) {
      const std::int32_t taken = in_whole_[h] != 0 || shape.exclusive ? whole_[h] : cores;
      return idle[h] >= taken && cores <= whole_[h] && shape.allows(HostId(h));
    };
    Time at = sim.now();
    std::vector<HasRoom> with_room;  // in order of time
    for (std::uint32_t h = 0; h < hosts; ++h)
      if (has_room(h)) with_room.push_back({at, true, h});
    const std::vector<Freed> freed = all_freed(sim);
    const auto wanted = static_cast<std::size_t>(shape.nodes);
    for (std::size_t next = 0; next < freed.size() && (freed[next].at == at || with_room.size() < wanted);
         ++next) {
      at = freed[next].at;
      freed[next].each([&](HostId host, std::int32_t more) {
        const std::uint32_t h = host.index;
        const bool had_room = has_room(h);
        idle[h] += more;
        if (!had_room && has_room(h)) with_room.push_back({at, false, h});
      });
    }
    if (with_room.size() < wanted) return found;
    if (wanted == 1)
      found.placement.shares = {{HostId(std::ranges::min(with_room, {}, &HasRoom::host).host), cores}};
    else
      found.placement.shares = last_with_room(with_room, wanted, hosts, cores);
    found.placement.start = at;  // nobody asks for its end
    return found;
  }

  // Where so many cores are idle first. On each host, from the lowest on, it takes cores that are busy now, then others.
  FreeRoom first_cores(const Sim& sim, std::int32_t wanted, const Shape& shape) const {
    const std::span<const HostView> hosts = sim.view().hosts();
    FreeRoom found;
    found.idle.resize(hosts.size());
    std::int64_t all = 0;
    const auto usable = [&](std::size_t h) {  // cores of the host
      const std::int32_t idle = found.idle[h];
      return (in_whole_[h] != 0 || shape.exclusive) && idle < whole_[h] ? 0 : idle;
    };
    const std::int32_t most = std::min(shape.per_node, wanted);
    const auto room = [&](std::size_t h) {
      return whole_[h] > 0 && shape.allows(HostId(h)) ? std::clamp(usable(h), 0, most) : 0;
    };
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      found.idle[h] = hosts[h].idle;
      all += room(h);
    }
    const std::vector<Freed> freed = all_freed(sim);
    Time at = sim.now();
    for (std::size_t next = 0; next < freed.size() && (freed[next].at == at || all < wanted); ++next) {
      at = freed[next].at;
      freed[next].each([&](HostId host, std::int32_t more) {
        all -= room(host.index);
        found.idle[host.index] += more;
        all += room(host.index);
      });
    }
    if (all < wanted) return found;
    std::int32_t left = wanted;
    std::vector<Share>& shares = found.placement.shares;
    for (std::uint32_t h = 0; h < hosts.size(); ++h) {
      const std::int32_t there = room(h);
      if (there == 0) continue;
      const std::int32_t busy = std::clamp(usable(h) - std::max(0, hosts[h].idle), 0, there);
      shares.push_back({HostId(h), std::min(busy, left)});
      left -= shares.back().cores;
    }
    for (Share& share : shares) {
      const std::int32_t more = std::min(room(share.host.index) - share.cores, left);
      share.cores += more;
      left -= more;
    }
    std::erase_if(shares, [](const Share& share) { return share.cores == 0; });
    found.placement.start = at;
    return found;
  }

  struct HasRoom {
    Time since;
    bool is_idle;  // now
    std::uint32_t host;
  };
  // So many cores of each of `wanted` hosts, of those in order of time that have had room for the shortest time; of equals
  // those that are busy now, then the lowest.
  static std::vector<Share> last_with_room(std::span<HasRoom> all, std::size_t wanted, std::size_t hosts,
                                           std::int32_t cores) {
    const Time oldest = all[all.size() - wanted].since;
    const auto equal = std::ranges::equal_range(all, oldest, {}, &HasRoom::since);
    std::vector<std::uint8_t> chosen(hosts);
    for (auto each = equal.end(); each != all.end(); ++each) chosen[each->host] = 1;
    const auto left = static_cast<std::ptrdiff_t>(wanted) - (all.end() - equal.end());
    std::ranges::nth_element(equal, equal.begin() + (left - 1), [](const HasRoom& a, const HasRoom& b) {
      return a.is_idle != b.is_idle ? b.is_idle : a.host < b.host;
    });
    for (std::ptrdiff_t i = 0; i < left; ++i) chosen[equal.begin()[i].host] = 1;
    std::vector<Share> taken;
    taken.reserve(wanted);
    for (std::uint32_t h = 0; h < hosts; ++h)
      if (chosen[h] != 0) taken.push_back({HostId(h), cores});
    return taken;
  }

  // The earliest placement of the head, while nothing is promised to others. Cores then only become free, so that jobs
  // on any hosts fit for good as soon as they fit.
  FreeRoom first_room(Sim& sim, const Sized& wanted_head) {
    const View& view = sim.view();
    const WorkId head = wanted_head.work;
    const Shape shape = shape_of(view, wanted_head);
    const TimeForm form = view.workload()[head].form;
    const bool everywhere = form != TimeForm::by_host && form != TimeForm::by_architecture;
    if (all_on_ && !sim.has_windows() && shape.demand == nullptr && shape.same == Together::anywhere &&
        everywhere) {
      if (shape.nodes > 1) return first_nodes(sim, head, shape);
      const bool anywhere = steady_ && idle_.ends_on_all(sim, wanted_head);
      if (shape.nodes == 1 && anywhere) return first_nodes(sim, head, shape);
      if (anywhere)
        return first_cores(sim, wanted_head.size > 0 ? wanted_head.size : view.workload()[head].cores, shape);
    }
    FreeRoom found;
    Plan& plan = ahead_;
    plan.reset(sim, running_);
    found.placement = plan.earliest(sim, wanted_head, sim.now(), HostChoice::first, false, true);
    leave_room(view, plan, found);
    return found;
  }

  // The head waits for its hosts to be on; what runs there beside it may stay.
  FreeRoom bound_room(Sim& sim) {
    ahead_.reset_to_wake(sim);
    FreeRoom found{.placement = power_.bound()};
    for (const Share& share : found.placement.shares)
      found.placement.start = std::max(found.placement.start, sim.on_from(share.host));
    leave_room(sim.view(), ahead_, found);
    return found;
  }

  // Notes the idle cores at the start of the head, and the consumables beside it.
  void leave_room(const View& view, const Plan& plan, FreeRoom& found) const {
    found.idle.resize(view.hosts().size());
    for (const Share& share : found.placement.shares)
      found.idle[share.host.index] = plan.idle(share.host, found.placement.start, found.placement.start);
    if (const Demand* demand = demand_of(view, head_); demand != nullptr)
      leave_stock(view, plan, *demand, found);
  }

  // Notes what the head leaves of the consumables that it takes, at its start.
  static void leave_stock(const View& view, const Plan& plan, const Demand& demand, FreeRoom& found) {
    const std::size_t width = view.platform().consumables().size();
    const auto unbounded = std::numeric_limits<double>::infinity();
    found.stock.assign(width * view.hosts().size(), unbounded);
    found.licences.assign(view.platform().licences().size(), unbounded);
    for (const Share& share : found.placement.shares)
      for (const Demand::OfHost& item : demand.of_hosts)
        found.stock[share.host.index * width + item.what] =
            plan.free_on(share.host, found.placement.start)[item.what] - item.of(share.cores);
    if (found.placement.valid())
      for (const Demand::OfAll& item : demand.licences)
        found.licences[item.what] = plan.free_licences(found.placement.start)[item.what] - item.count;
  }

  // The request of a work in its least size.
  struct Asked {
    std::int32_t nodes = -1;               // not known yet
    std::int32_t cores = 0;                // of each, or of any hosts if these are 0
    Seconds shortest = 0;                  // see shortest()
    std::uint64_t looked_at = kNoChanges;  // the number of the change of hosts before that was found
  };
  Asked& asked_by(const View& view, WorkId work) {
    asked_.extend(std::size_t{work.index} + 1);
    asked_.drop_before(view.works().first());
    Asked& asked = asked_[work.index];
    if (asked.nodes >= 0) return asked;
    const Shape* shape = view.workload().shape_of(work);
    asked.nodes = shape != nullptr ? shape->nodes : 1;
    asked.cores = view.workload()[work].cores;
    return asked;
  }

  // False only if choose() finds no place for the work behind the head: there is too little room, or it takes too long
  // for the room that the head leaves.
  bool may_start(Sim& sim, WorkId work) {
    const Asked& asked = asked_by(sim.view(), work);
    if (!room_.may_hold(asked.nodes, asked.cores)) return false;
    make_promise(sim);
    if (!promised_.valid() || room_beside_.may_hold(asked.nodes, asked.cores)) return true;
    return sim.now() + shortest(sim, work) <= promised_.start + kEps * std::max(1.0, promised_.start);
  }

  // No hosts will ever take less; 0 where that cannot be told.
  Seconds shortest(Sim& sim, WorkId work) {
    const Shape* shape = sim.view().workload().shape_of(work);
    if (!steady_ || (shape != nullptr && shape->checkpoints)) return 0;  // it may go on from a dump
    Asked& asked = asked_by(sim.view(), work);
    Seconds& known = asked.shortest;
    if (std::exchange(asked.looked_at, sim.host_changes()) == sim.host_changes()) return known;
    known = kNever;
    const auto look_at = [&](HostId host) {
      for (const std::int32_t size : open_sizes(sim, work, mold_))
        known = std::min(known, sim.estimate().duration(sim, {work, 0, 1, size}, host));
    };
    if (sim.view().workload()[work].form == TimeForm::by_host || !sim.estimate().is_faithful())
      for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) look_at(HostId(h));
    else
      std::ranges::for_each(kinds_.firsts(), look_at);
    return known;
  }

  void look_at_presence(const View& view) {
    const std::span<const HostView> hosts = view.hosts();
    all_up_ = std::ranges::all_of(hosts, &HostView::up);
    all_on_ = std::ranges::none_of(hosts, is_off);
    whole_.resize(hosts.size());
    in_whole_.resize(hosts.size());
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      whole_[h] = hosts[h].up ? hosts[h].cores : 0;
      in_whole_[h] = hosts[h].exclusive ? 1 : 0;
    }
  }

  void look_at_hosts(Sim& sim) {
    kinds_.follow(sim);
    steady_ = has_steady_hosts(sim);
  }

  // Where the work would start now without delaying the head, in the size that ends first.
  Placement choose(Sim& sim, WorkId work) const {
    return place_molded(sim, work, mold_, [&](const Sized& sized) { return choose_in_size(sim, sized); });
  }
  Placement choose_in_size(Sim& sim, const Sized& sized) const {
    const WorkId work = sized.work;
    Placement found = idle_.place(sim, sized, sim.now(), rule_, true);
    if (!found.valid() || !head_.valid() || work == head_ || !promised_.valid()) return found;
    if (found.end <= promised_.start || is_extra(sim.view(), work, found.shares)) return found;
    found = idle_.place(sim, sized, sim.now(), rule_, true, {extra_, extra_stock_});
    if (found.valid() && found.end > promised_.start && !has_extra_licences(sim.view(), work)) return {};
    return found;
  }

  bool has_extra_licences(const View& view, WorkId work) const {
    const Demand* demand = demand_of(view, work);
    return demand == nullptr || extra_licences_.empty() || demand->fits_licences(extra_licences_);
  }
  // The consumables of the host that are left beside the head; empty: all of them.
  std::span<const double> extra_stock(const View& view, HostId host) const {
    const std::size_t width = view.platform().consumables().size();
    return extra_stock_.empty() ? std::span<const double>()
                                : std::span(extra_stock_).subspan(host.index * width, width);
  }

  bool is_extra(const View& view, WorkId work, std::span<const Share> shares) const {
    const Demand* demand = demand_of(view, work);
    return has_extra_licences(view, work) && std::ranges::all_of(shares, [&](const Share& share) {
             const std::span<const double> stock = extra_stock(view, share.host);
             return RunningJobs::cores_taken(view, work, share) <= extra_[share.host.index] &&
                    (demand == nullptr || stock.empty() || demand->fits(stock, share.cores));
           });
  }

  void start(Sim& sim, WorkId work, const Placement& placement) {
    const View& view = sim.view();
    const Time end = running_.start(sim, work, placement.shares);
    idle_.start(view, work, placement.shares, end);
    room_.look_at(view, placement.shares, {});
    started_since_ = true;
    if (!promised_.valid() || !(end > promised_.start)) return;
    for (const Share& share : placement.shares)
      if (std::int32_t& extra = extra_[share.host.index]; extra < std::numeric_limits<std::int32_t>::max())
        extra -= RunningJobs::cores_taken(view, work, share);
    if (const Demand* demand = demand_of(view, work); demand != nullptr) {
      const std::size_t width = view.platform().consumables().size();
      for (const Share& share : placement.shares)
        for (const Demand::OfHost& item : demand->of_hosts)
          if (!extra_stock_.empty())
            extra_stock_[share.host.index * width + item.what] -= item.of(share.cores);
      for (const Demand::OfAll& item : demand->licences)
        if (!extra_licences_.empty()) extra_licences_[item.what] -= item.count;
    }
    room_beside_.look_at(view, placement.shares, extra_);
  }

  bool could_run_on_those_up(Sim& sim, WorkId work) {
    // A work that no hosts could ever run does not get here, but hosts may come back with another architecture.
    if (all_up_ && sim.view().workload()[work].form != TimeForm::by_architecture) return true;
    empty_.reset_to_empty(sim);
    return place_molded(
               sim, work, mold_,
               [&](const Sized& sized) { return empty_.place(sim, sized, sim.now(), HostChoice::first); })
        .valid();
  }

  static constexpr std::uint64_t kNoChanges = std::numeric_limits<std::uint64_t>::max();

  HostRule rule_;
  Mold mold_;
  bool promises_count_;  // when reservations are admitted
  Reservations reservations_;
  PowerSaving power_;
  ArrivalQueue waiting_;
  RunningJobs running_;
  WorkId head_;                   // the first that waits, when it was last asked
  std::int32_t wanted_size_ = 0;  // of that, if it is moldable
  bool promise_is_due_ = false;
  Placement promised_;
  Time served_ = 0;
  bool hosts_shut_ = false;          // since then
  bool started_since_ = false;       // something has, which may have changed what will be promised next
  std::vector<std::int32_t> extra_;  // cores of each host that the head does not need at its start
  std::vector<double> extra_stock_, extra_licences_;  // the same of what the head takes; empty: it takes none
  Plan idle_, empty_, ahead_;
  HostRoom room_, room_beside_;  // now, and of that what the head leaves
  bool all_up_ = false, all_on_ = true, steady_ = false;
  std::uint64_t seen_changes_ = kNoChanges;  // of hosts, when these were looked at
  std::vector<std::int32_t> whole_;          // cores of each host; 0 = it is down
  std::vector<std::uint8_t> in_whole_;       // hosts that serve one job at a time
  Sliding<Asked> asked_;                     // by work
  HostKinds kinds_;
};

}  // namespace

std::unique_ptr<Policy> easy_over_hosts(HostRule rule, Mold mold, bool promises_count,
                                        const PowerSettings& power) {
  return std::make_unique<EasyOverHosts>(std::move(rule), mold, promises_count, power);
}

}  // namespace perigee::batch
