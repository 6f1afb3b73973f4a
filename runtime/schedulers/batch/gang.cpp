// Gang scheduling by Ousterhout's matrix. A row of the matrix is a set of jobs that run together; each job has its cores
// in one row. The rows take turns, and what is not on is suspended. A job goes into the first row with room for it, or
// into a new one; if there may be no more, it waits, and all behind it.
//
// Source: Ousterhout, ICDCS 1982 (the matrix, and its alternate selection, which is `fill`); slurm.conf(5),
// release 26.05, SchedulerTimeSlice and OverSubscribe=FORCE:4.
// Cost: O(R H) a job that is placed, with R rows; O(J) an event, with the shares J of all jobs in rows.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {
namespace {

// An end and the end of a slice are one instant but for rounding: nothing is suspended just before its end.
constexpr double kGangTolerance = 1e-9;

struct GangSettings {
  HostRule host;
  Mold mold;
  Seconds slice;
  std::size_t rows;
  bool fill;
};

class Gang final : public PolicyOf<Gang> {
 public:
  explicit Gang(GangSettings settings) : settings_(std::move(settings)) {}

  engine::TakesOver takes_over() const override { return {.suspended = true}; }

  void begin(Sim& sim) override {
    rows_.clear();
    active_ = 0;
    timer_ = {};
    waiting_.reset(sim);
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
      for (const ActivityId id : sim.running_on(HostId(h))) adopt(sim, id, false);
    for (const ActivityId id : sim.suspended()) adopt(sim, id, true);
    arrange(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    bool turns = false;
    for (const Event& event : events)
      if (event.kind == EventKind::timer && event.timer() == timer_) {
        turns = true;
        timer_ = {};
      }
    waiting_.follow(sim.view(), events);
    forget_what_is_over(sim);
    if (turns) turn();
    arrange(sim);
  }

  void explain(const View& view, Waiting& lines) const override {
    if (rows_.size() == settings_.rows && !waiting_.empty())
      lines.push_back(view.workload().name_of(waiting_[0]) + " waits for room in a row of the matrix");
  }

  void why(Sim&, WorkId, Decision& out) override {
    out.rule = "a job goes into the first row with room for it, and runs while its row is on";
  }

  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const std::vector<Member>& row : rows_)
      for (const Member& each : row) sum += sizeof(Member) + each.shares.size() * sizeof(Share);
    return sum;
  }

 private:
  struct Member {
    WorkId work;
    ActivityId activity;  // not valid: it has not started
    bool is_suspended = false;
    bool is_on = false;         // it is to run now
    std::vector<Share> shares;  // ascending by host
  };
  using Row = std::vector<Member>;  // in the order in which they came into it

  // Takes over a job that another policy has left: its cores are known, and it has a row even if there are too many.
  void adopt(Sim& sim, ActivityId id, bool is_suspended) {
    const auto known = sim.activity(id);
    if (known->kind != ActivityKind::compute) return;
    for (const Row& row : rows_)
      if (std::ranges::count(row, id, &Member::activity) > 0) return;
    Member made{.work = known->work,
                .activity = id,
                .is_suspended = is_suspended,
                .is_on = false,
                .shares = sim.allocation(id)};
    std::size_t place = 0;
    while (place < rows_.size()) {
      std::vector<std::int32_t> idle = idle_in(sim.view(), rows_[place]);
      if (take(sim.view(), made, idle)) break;
      ++place;
    }
    if (place == rows_.size()) rows_.emplace_back();
    rows_[place].push_back(std::move(made));
  }

  // Forgets jobs that have ended or were lost. A job that was to start on a host that is down is placed anew.
  void forget_what_is_over(const Sim& sim) {
    const View& view = sim.view();
    const auto is_over = [&](const Member& each) {
      if (each.activity.valid()) return !sim.activity(each.activity);
      if (view[each.work].state != WorkState::waiting) return true;
      const bool all_up =
          std::ranges::all_of(each.shares, [&](const Share& share) { return view[share.host].up; });
      if (!all_up) waiting_.put_back(view, each.work);
      return !all_up;
    };
    for (Row& row : rows_) std::erase_if(row, is_over);
  }

  std::size_t busy_rows() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows_, [](const Row& row) { return !row.empty(); }));
  }

  // The next row with jobs becomes active.
  void turn() {
    for (std::size_t step = 1; step <= rows_.size(); ++step)
      if (const std::size_t next = (active_ + step) % rows_.size(); !rows_[next].empty()) {
        active_ = next;
        return;
      }
  }

  void arrange(Sim& sim) {
    if (busy_rows() == 0) {
      rows_.clear();
      active_ = 0;
    }
    place_waiting(sim);
    if (active_ < rows_.size() && rows_[active_].empty()) turn();
    choose(sim.view());
    for (Row& row : rows_)
      for (Member& each : row)
        if (each.activity.valid() && !each.is_suspended && !each.is_on) {
          sim.suspend(each.activity);
          each.is_suspended = true;
        }
    for (std::size_t step = 0; step < rows_.size(); ++step)
      for (Member& each : rows_[(active_ + step) % rows_.size()])
        if (each.is_on) go_on(sim, each);
    set_timer(sim);
  }

  static void go_on(Sim& sim, Member& each) {
    if (!each.activity.valid()) {
      if (sim.fits(each.work, each.shares)) each.activity = sim.start(each.work, each.shares);
    } else if (each.is_suspended && sim.obstacle_of_resume(each.activity).empty()) {
      sim.resume(each.activity);
      each.is_suspended = false;
    }
  }

  // The active row is on, and with `fill` what fits beside it of the others.
  void choose(const View& view) {
    std::vector<std::int32_t> idle = idle_in(view, {});
    for (std::size_t step = 0; step < rows_.size(); ++step)
      for (Member& each : rows_[(active_ + step) % rows_.size()])
        each.is_on = (step == 0 || settings_.fill) && take(view, each, idle);
  }

  // Takes the cores of the job, if they are idle.
  static bool take(const View& view, const Member& job, std::vector<std::int32_t>& idle) {
    const auto cores = [&](const Share& share) { return RunningJobs::cores_taken(view, job.work, share); };
    if (!std::ranges::all_of(job.shares,
                             [&](const Share& share) { return idle[share.host.index] >= cores(share); }))
      return false;
    for (const Share& share : job.shares) idle[share.host.index] -= cores(share);
    return true;
  }

  // Cores of each host that is up which nobody has in the row.
  static std::vector<std::int32_t> idle_in(const View& view, const Row& row) {
    std::vector<std::int32_t> idle;
    idle.reserve(view.hosts().size());
    for (const HostView& host : view.hosts()) idle.push_back(host.up ? host.cores : 0);
    for (const Member& each : row)
      for (const Share& share : each.shares)
        idle[share.host.index] -= RunningJobs::cores_taken(view, each.work, share);
    for (std::int32_t& each : idle) each = std::max(0, each);
    return idle;
  }

  void place_waiting(Sim& sim) {
    while (!waiting_.empty()) {
      const WorkId work = waiting_[0];
      if (sim.waits(work) && !place(sim, work)) return;
      waiting_.erase(0);
    }
  }

  bool place(Sim& sim, WorkId work) {
    const View& view = sim.view();
    if (!leaves_licences(view, work)) return false;
    const std::vector<double> stock = stock_left(view);
    empty_.reset_to_empty(sim);
    for (std::size_t r = 0; r < std::max(settings_.rows, rows_.size()); ++r) {
      const std::vector<std::int32_t> idle = idle_in(view, r < rows_.size() ? rows_[r] : Row{});
      Placement found = place_molded(sim, work, settings_.mold, [&](const Sized& sized) {
        return empty_.place(sim, sized, sim.now(), settings_.host, false, {idle, stock});
      });
      if (found.valid()) {
        if (r == rows_.size()) rows_.emplace_back();
        rows_[r].push_back({.work = work, .activity = {}, .shares = std::move(found.shares)});
        return true;
      }
      if (r >= rows_.size()) return false;
    }
    return false;
  }

  // Memory and resources of each host that the jobs of all rows leave; empty: the platform has none.
  std::vector<double> stock_left(const View& view) const {
    const std::size_t width = view.platform().consumables().size();
    std::vector<double> left;
    for (std::size_t h = 0; h < view.hosts().size() && width > 0; ++h) {
      const std::span<const double> all = view.platform().supplies(HostId(h));
      left.insert(left.end(), all.begin(), all.end());
    }
    for (const Row& row : rows_)
      for (const Member& each : row)
        if (const Demand* demand = demand_of(view, each.work); demand != nullptr)
          for (const Share& share : each.shares)
            for (const Demand::OfHost& item : demand->of_hosts)
              left[share.host.index * width + item.what] -= item.of(share.cores);
    return left;
  }

  bool leaves_licences(const View& view, WorkId work) const {
    const Demand* demand = demand_of(view, work);
    if (demand == nullptr || demand->licences.empty()) return true;
    std::vector<double> left;
    for (const model::Licence& licence : view.platform().licences()) left.push_back(licence.count);
    for (const Row& row : rows_)
      for (const Member& each : row)
        if (const Demand* of = demand_of(view, each.work); of != nullptr)
          for (const Demand::OfAll& item : of->licences) left[item.what] -= item.count;
    return demand->fits_licences(left);
  }

  void set_timer(Sim& sim) {
    const bool takes_turns = busy_rows() >= 2;
    if (takes_turns == timer_.valid()) return;
    if (!takes_turns) {
      sim.cancel(std::exchange(timer_, {}));
      return;
    }
    const Time now = sim.now(), later = now + kGangTolerance * std::max(1.0, now);
    double count = std::floor(now / settings_.slice) + 1;
    while (!(count * settings_.slice > later)) ++count;
    timer_ = sim.timer(count * settings_.slice);
  }

  GangSettings settings_;
  std::vector<Row> rows_;
  std::size_t active_ = 0;
  TimerId timer_;  // the end of the slice; not valid: nobody takes turns
  ArrivalQueue waiting_;
  Plan empty_;
};

}  // namespace

Entry gang() {
  Entry entry;
  entry.name = "gang";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "rows of jobs share the hosts by turns of a slice each; what is not on is suspended";
  entry.source = "Ousterhout, ICDCS 1982; slurm.conf(5), release 26.05, SchedulerTimeSlice and OverSubscribe";
  entry.complexity = "O(R H) a job that is placed, with R rows";
  entry.ties = "lowest row, order of placement; lowest host";
  Parameter host = host_parameter();
  host.summary = "which of the hosts with enough idle cores in a row";
  host.fallback = std::string("first");
  entry.parameters = {{.name = "slice",
                       .type = ParameterType::quantity,
                       .summary = "rows change at its multiples",
                       .fallback = 30.0,
                       .min = 1e-3,
                       .unit = Dimension::seconds,
                       .open_max = true},
                      {.name = "rows",
                       .type = ParameterType::integer,
                       .summary = "so many jobs share a core at most",
                       .fallback = 4.0,
                       .min = 1},
                      {.name = "fill",
                       .type = ParameterType::boolean,
                       .summary = "jobs of other rows run too where all their cores are idle",
                       .fallback = true},
                      std::move(host),
                      mold_parameter()};
  entry.accepts = {.tasks = true, .jobs = true, .several_cores = true, .several_hosts = true, .memory = true};
  entry.instants = {.tolerance = kGangTolerance};
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    return std::make_unique<Gang>(GangSettings{.host = host_rule(given),
                                               .mold = mold_rule(given),
                                               .slice = given.number("slice"),
                                               .rows = static_cast<std::size_t>(given.number("rows")),
                                               .fill = given.flag("fill")});
  };
  return entry;
}

}  // namespace perigee::batch
