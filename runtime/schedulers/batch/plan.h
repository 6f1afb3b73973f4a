// A plan of the hosts from now on, by what is known and promised, and where a job fits into it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/schedulers/batch/host_kinds.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {

// It is up, but switched off, or on its way off or on.
inline bool is_off(const HostView& host) { return host.up && host.power != engine::Power::on; }
bool any_off(const View& view);

// Where and when a work may run, as far as is known.
struct Placement {
  Time start = kNever;
  Time end = kNever;
  std::vector<Share> shares;  // ascending by host; empty = nowhere
  bool valid() const { return !shares.empty(); }
};

// The most that a placement may have of each host. Empty = no limit.
struct MostOfHosts {
  std::span<const std::int32_t> cores = {};  // per host
  std::span<const double> stock = {};        // by consumable, host by host
};

// A work, and of a moldable job the size that is asked for; 0 of other works.
struct Sized {
  WorkId work;
  std::int32_t size = 0;
  Sized(WorkId asked, std::int32_t wanted = 0) : work(asked), size(wanted) {}
};
// The shape that the work asks for in that size. A job that can be on one host only is placed as every
// other work of one host.
Shape shape_of(const View& view, const Sized& sized);

// Idle cores and free consumables of all hosts from now on: what is idle, what runs until its expected end, and what was
// taken for somebody. Hosts that are down have none. Licences are planned as one host that all share. A value.
class Plan {
 public:
  // Takes in what is idle, as if it stayed so, or what runs too. Hosts are closed in the windows that are known.
  void reset(const Sim& sim);
  void reset(Sim& sim, const RunningJobs& running) {
    reset(sim, running, [](Time end) { return end; });
  }
  // The same, where what runs is expected to end at later(end), of which a later end is never sooner.
  template <class Later>
  void reset(Sim& sim, const RunningJobs& running, Later later) {
    begin_lines(sim);
    for (std::size_t h = 0; h < lines_.size(); ++h)
      for (const RunningJobs::Job& job : running.on(HostId(h))) {
        if (lines_[h].empty() || job.end == kNever) break;  // it is down, or the job stands still
        add_end(sim.view(), HostId(h), job, later(std::max(job.end, sim.now())));
      }
    end_lines(sim);
  }
  // As if nothing ran on the hosts that are up, or known to come back, and no window came.
  void reset_to_empty(const Sim& sim);
  // Takes in what is idle now inside of the reservation, until it is over. Empty if it does not hold its hosts.
  void reset_inside(const Sim& sim, WorkId reservation);
  // Takes in what is idle, as if it stayed so, and what hosts that are not on would have, were they switched on now. A
  // work that is placed later takes hosts in the order of the rule, those first that are on first.
  void reset_to_wake(const Sim& sim);
  // Forgets what was before now, and takes in what is really idle.
  void advance(const Sim& sim);

  // Where the rule would place the work at a time: the hosts in the order of the rule are filled up, again without
  // those where it would not fit until its end. `idle_now`: what is really idle, and no more, is there now.
  // `random`: of the rule `random`, where it draws.
  Placement place(Sim& sim, const Sized& work, Time at, HostRuleView rule, bool idle_now = false,
                  MostOfHosts most = {}, Stream* random = nullptr) const;
  // The same of what is really idle now, where nobody asks for the end: it is told only if the plan needs it itself.
  std::vector<Share> shares_now(Sim& sim, const Sized& work, HostRuleView rule, Stream* random) const;
  // The earliest placement, not before `from`. At later times than now, jobs over several hosts take those that are
  // busy now, which leaves the others to works that could start; `lowest_first` looks at no speed then.
  Placement earliest(Sim& sim, const Sized& work, Time from, HostRuleView rule, bool idle_now = false,
                     bool lowest_first = false) const;
  // The work, begun now on any host, would end. False where that is not known of all hosts together.
  bool ends_on_all(Sim& sim, const Sized& work) const;
  void take(const View& view, WorkId work, std::span<const Share> shares, Time from, Time to);
  // The same of cores alone: the work is suspended and has the rest.
  void take_cores(const View& view, WorkId work, std::span<const Share> shares, Time from, Time to);
  // From now on licences are not planned: that they are free at a start is the affair of others.
  void ignore_licences() { plans_licences_ = false; }
  // Takes in what is really idle on these hosts.
  void show_idle(const View& view, std::span<const Share> shares);
  // The work has started there.
  void start(const View& view, WorkId work, std::span<const Share> shares, Time end);
  // Cores of each host that are really idle now.
  std::span<const std::int32_t> really_idle() const { return idle_now_; }
  // Cores that are idle on the host all the time; all times from `from` on if `to` is kNever.
  std::int32_t idle(HostId host, Time from, Time to) const;
  // The free amount at that time of each consumable on the host, or of each licence. Valid until the plan changes.
  std::span<const double> free_on(HostId host, Time at) const;
  std::span<const double> free_licences(Time at) const;

 private:
  struct Step {
    Time at;
    std::int32_t idle;
  };
  struct Line {
    std::vector<Step> steps;    // ascending
    std::vector<double> stock;  // free of each consumable, step by step

    bool empty() const { return steps.empty(); }
    void clear();
    void add(Step step, std::span<const double> free);
    std::size_t step_at(Time at) const;  // that under way then; 0 before all
    std::size_t width() const { return steps.empty() ? 0 : stock.size() / steps.size(); }
    std::span<const double> free(std::size_t step) const {
      return std::span(stock).subspan(step * width(), width());
    }
    std::span<double> free(std::size_t step) { return std::span(stock).subspan(step * width(), width()); }
    // True if f(step) is, of this step and those that begin before `to`; the first that is not ends it.
    template <class F>
    bool all_steps(std::size_t step, Time to, F f) const {
      if (!f(step)) return false;
      for (++step; step < steps.size() && steps[step].at < to; ++step)
        if (!f(step)) return false;
      return true;
    }
    void forget_before(std::size_t step);
    std::size_t split(Time at);  // the step that begins then, made if there is none
    void close(Time from, Time to);
  };
  // Some lines have a step then. Several moments may be at one time.
  struct Moment {
    Time at;
    std::uint32_t first, count;  // in turning_
    std::int32_t more;           // hosts that become wholly idle, less those that cease to be; see counts_
    bool grows;                  // there may be more room on some host
  };
  struct Room {
    HostId host;
    std::int32_t cores = 0;  // that a share may have at most; of jobs on nodes, those of each
    std::int32_t idle = 0;   // all that are
    std::uint32_t step = 0;  // of the line, at the time of the query
  };
  struct Query;

  void look_at_hosts(const Sim& sim);
  void make_lines();
  void begin_lines(const Sim& sim);
  void add_end(const View& view, HostId host, const RunningJobs::Job& job, Time end);
  void end_lines(const Sim& sim);
  void close_windows(const Sim& sim);
  void find_moments(const View& view);
  void forget_moments(Time now);
  void look_at_stock(const View& view);
  static std::int32_t idle(const Line& line, Time from, Time to);
  static std::int32_t idle(const Line& line, std::size_t step, Time to);
  void take(const View& view, WorkId work, const Demand* demand, std::span<const Share> shares, Time from,
            Time to);
  void split_at(const Demand* demand, std::span<const Share> shares, Time at, std::int32_t more);
  bool take_share(HostId host, Time from, Time to, std::int32_t cores, const Demand* demand,
                  std::int32_t share);
  void take_licences(const Demand& demand, Time from, Time to);
  std::span<const double> stock_now(HostId host) const;
  std::int32_t cores_by_stock(const Query& query, HostId host, std::int32_t cores, Time end) const;
  bool has_licences(const Query& query, Time end) const;
  bool is_really_idle(const Query& query, const Room& room) const;
  Room room_on(const Query& query, HostId host, Time end) const;
  Room room_on(const Query& query, HostId host, Time end, std::size_t step) const;
  std::vector<Share> fill(const Query& query, std::vector<Room>& rooms) const;
  void order(const Query& query, std::vector<Room>& rooms) const;
  void keep_busy_nodes(const Query& query, std::vector<Room>& rooms) const;
  std::vector<Share> order_by_function(const Query& query, std::vector<Room>& rooms) const;
  template <class First>
  static std::vector<Share> fill_cores(const Query& query, const std::vector<Room>& rooms, First first);
  std::vector<Share> fill_busy_cores(const Query& query, const std::vector<Room>& rooms) const;
  std::vector<Share> fill_idle_cores(const Query& query, const std::vector<Room>& rooms) const;
  Time has_room_since(const Query& query, const Room& room) const;
  bool is_in_order(const Query& query) const;
  bool is_real(const Query& query) const;
  bool may_hold_now(const Query& query) const;
  bool are_of_one_kind(const Query& query, std::span<const Share> shares) const;
  Time end_alone(const Query& query, HostId host) const;
  Room room_for(const Query& query, HostId host) const;
  Placement place_within(const Query& query, std::vector<Room> rooms) const;
  Placement place(const Query& query) const;
  Placement earliest_by_count(Query& query, Time from) const;

  bool is_flat_ = true;          // nothing changes after now: there are no lines
  std::vector<Line> lines_;      // per host; empty of one that is down
  std::vector<Moment> moments_;  // of all steps of all lines but the first of each, in order of time
  std::vector<HostId> turning_;  // whose lines have a step at a moment; not valid: that of the licences
  // All hosts are served whole, and it is known how many are wholly idle, first and from moment to moment.
  bool counts_ = false;
  std::int64_t idle_hosts_ = 0;
  HostKinds kinds_;
  std::vector<std::int32_t> idle_now_;  // per host, really
  std::vector<double> stock_now_;       // free of each consumable, host by host, really
  std::vector<double> licences_now_;
  std::vector<std::pair<Time, WorkId>> licences_back_;  // of what runs, while the lines are made
  Line licences_;                                       // empty: there are none
  bool plans_licences_ = true;
  bool wakes_ = false;  // see reset_to_wake()
  WorkId inside_ = {};  // of this reservation; invalid: outside of all
};

// Calls f(host, window) for each host of each outage that is known and not over.
template <class F>
void each_away(const Sim& sim, F f) {
  const View& view = sim.view();
  for (const Window& window : sim.windows()) {
    if (window.to <= view.now() || sim.is_superseded(window)) continue;
    if (window.on.kind() == ResourceKind::host) f(window.on.host(), window);
    if (window.on.kind() != ResourceKind::store) continue;
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      if (view.hosts()[h].cluster == window.on.store()) f(HostId(h), window);
  }
}

// The same, and for each time that hosts are held.
template <class F>
void each_closed(const Sim& sim, F f) {
  each_away(sim, f);
  sim.each_hold([&](const Hold& hold, bool) {
    if (!(hold.to > sim.now())) return;
    for (const HostId host : hold.hosts)
      f(host, Window{.from = hold.from, .to = hold.to, .on = ResourceId::of(host)});
  });
}

// The number of the cluster or switch of the host; 0 where hosts may be anywhere.
std::uint32_t group_of(const View& view, HostId host, Together same);

// The consumables that the job takes; null = none.
const Demand* demand_of(const View& view, WorkId work);

// The end by estimates of a work on these cores.
Time expected_end(Sim& sim, const Sized& work, std::span<const Share> shares, Time start);

}  // namespace perigee::batch
