#include "runtime/results/grid_measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "runtime/engine/information.h"
#include "runtime/kernel/constants.h"
#include "runtime/results/numbers.h"
#include "runtime/results/platform_changes.h"

namespace perigee::results {
namespace {

// `factor` times a profile, for a time.
struct Stretch {
  Time from, to;
  double factor;
  const Profile* profile;
  Time anchor;

  double integral(Time until) const {
    const Time end = std::min(to, until);
    return end > from ? factor * profile->integral(from - anchor, end - anchor) : 0;
  }
};

// The capacity of hosts or links over the run.
class Supply {
 public:
  bool known = true;

  void add(double factor, const Profile* profile, Time anchor, Time from, Time to) {
    if (to > from) stretches_.push_back({from, to, factor, profile, anchor});
  }
  double until(Time t) const {
    double sum = 0;
    for (const Stretch& each : stretches_) sum += each.integral(t);
    return sum;
  }
  // The last time up to which it is at most `amount`, found to the last bit; not after `end`.
  Time enough(double amount, Time end) const {
    if (!(until(end) > amount)) return end;
    Time low = 0, high = end;
    for (;;) {
      const Time middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) return low;
      (until(middle) > amount ? high : low) = middle;
    }
  }

 private:
  std::vector<Stretch> stretches_;
};

// Adds what the resource gave up to `end`, `times` over, but for the times when it was away.
void add_supply(Supply& supply, const Rates& rates, double times, const std::vector<Away>& away, Time end) {
  supply.known = supply.known && rates.known;
  for (std::size_t r = 0; r < rates.all.size(); ++r) {
    const Rates::Rate& rate = rates.all[r];
    const Time until = r + 1 < rates.all.size() ? rates.all[r + 1].from : end;
    Time from = rate.from;
    for (const Away& each : away) {
      supply.add(times * rate.factor, rate.profile, rate.anchor, from, std::min(each.from, until));
      from = std::max(from, each.to);
    }
    supply.add(times * rate.factor, rate.profile, rate.anchor, from, until);
  }
}

double fastest_of(const Rates& rates) {
  double most = 0;
  for (const Rates::Rate& rate : rates.all)
    most = std::max(most, rate.factor * std::ranges::max(rate.profile->values()));
  return most;
}

// The run times of works on dedicated hosts.
class Times {
 public:
  Times(const Scenario& scenario, const ResourceRates& rates)
      : workload_(*scenario.workload), hosts_(scenario.platform->hosts()), rates_(rates) {
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      slowness_ += 1 / hosts_[h].speed;
      speed_ = std::max(speed_, hosts_[h].speed);
      for (const auto& [from, architecture] : rates.hosts[h].architectures) seen_.insert(architecture);
    }
    slowness_ /= static_cast<double>(hosts_.size());
  }
  Seconds shortest(const Work& work) const {
    Seconds least = kNever;
    switch (work.form) {
      case TimeForm::seconds:
        return work.amount;
      case TimeForm::operations:
        return work.amount / speed_;
      case TimeForm::by_architecture:
        for (const std::int32_t a : seen_)
          least = std::min(least, workload_.times[work.times + static_cast<std::uint32_t>(a)]);
        return least;
      case TimeForm::by_host:
        for (std::size_t h = 0; h < hosts_.size(); ++h)
          least = std::min(least, workload_.times[work.times + h]);
        return least;
    }
    return least;
  }
  // The mean over the hosts that can run the work.
  Seconds mean(const Work& work) const {
    if (work.form == TimeForm::seconds) return work.amount;
    if (work.form == TimeForm::operations) return work.amount * slowness_;
    double sum = 0, count = 0;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      const Seconds time = model::detail::unit_time(workload_, work, work.amount, work.times, hosts_[h],
                                                    HostId(h), hosts_[h].architecture);
      if (!(time < kNever)) continue;
      sum += time;
      ++count;
    }
    return share(sum, count);
  }
  // The time, with a host to itself, of what ran on these resources.
  Seconds of(const Execution& run, std::span<const UsedResource> on, HostId host) const {
    std::vector<Share> shares;
    if (workload_.sizes_of(run.work) != nullptr)
      for (const UsedResource& each : on)
        if (each.kind() == ResourceKind::host) shares.push_back({each.host(), each.cores});
    return true_time(workload_, workload_.piece_on(run.work, shares), hosts_[host.index], host,
                     rates_.hosts[host.index].architecture(run.start_record));
  }
  // The least time in any size, and the least core-seconds.
  std::pair<Seconds, double> least(WorkId id) const {
    const Work& work = workload_[id];
    const Sizes* sizes = workload_.sizes_of(id);
    const Seconds time = shortest(work);
    std::pair found(time, time * static_cast<double>(workload_.width_of(id)));
    for (std::size_t i = 0; sizes != nullptr && i < sizes->amounts.size(); ++i) {
      Work sized = work;
      sized.amount = sizes->amounts[i];
      const double cores =
          double{1} * sizes->allowed[i] * (workload_.shape_of(id)->nodes > 0 ? work.cores : 1);
      found.first = std::min(found.first, shortest(sized));
      found.second = std::min(found.second, shortest(sized) * cores);
    }
    return found;
  }

 private:
  const Workload& workload_;
  std::span<const Host> hosts_;
  const ResourceRates& rates_;
  double slowness_ = 0, speed_ = 0;
  std::set<std::int32_t> seen_;
};

bool runs_once(const Work& work) { return work.kind == WorkKind::task || work.kind == WorkKind::job; }

// Efficiency, bound and the ratio of computation to transfers.
class TimeOfWorks {
 public:
  TimeOfWorks(const Outcome& outcome, const Executions& runs, Time makespan)
      : outcome_(outcome),
        runs_(runs),
        makespan_(makespan),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        rates_(rates_of(outcome)),
        times_(*outcome.scenario, rates_) {}

  void measure(TimeMeasures& out) const {
    out.computation_ratio = share(all_run_times(), all_bytes() / mean_bandwidth());
    if (!(makespan_ > 0)) return;
    Supply power;
    double fastest = 0;
    const Absences away = absences(outcome_);
    for (std::size_t h = 0; h < platform_.hosts().size(); ++h) {
      add_supply(power, rates_.hosts[h], platform_.hosts()[h].cores, away.hosts[h], makespan_);
      fastest = std::max(fastest, fastest_of(rates_.hosts[h]));
    }
    if (!power.known) return;
    const Finished finished = finished_works(fastest);
    out.efficiency = share(finished.done, power.until(makespan_));
    out.lower_bound = finished.longest;
    if (finished.least > 0)
      out.lower_bound =
          std::max(out.lower_bound, power.enough(power.until(finished.first) + finished.least, makespan_));
    if (known_by_links()) {
      Supply carried;
      for (const Cluster& cluster : platform_.clusters())
        add_supply(carried, rates_.links[cluster.link.index], 1, away.links[cluster.link.index], makespan_);
      if (carried.known && finished.moved > 0)
        out.lower_bound = std::max(out.lower_bound,
                                   carried.enough(carried.until(finished.first) + finished.moved, makespan_));
    }
    out.bound_ratio = share(makespan_, out.lower_bound);
  }

 private:
  // Totals and extremes over the works that finished.
  struct Finished {
    double done = 0, least = 0;  // core-seconds on a host of speed 1: as served, and where it is shortest
    double moved = 0;            // bytes of their files, each file once
    Time longest = 0;            // the earliest end of the one that must end last
    Time first = kNever;         // arrival
  };

  std::array<std::span<const FileId>, 2> files_of(WorkId work) const {
    return {workload_.inputs(work), workload_.outputs(work)};
  }

  double all_run_times() const {
    double sum = 0;
    for (const Work& work : workload_.works)
      if (const Seconds mean = times_.mean(work); mean < kNever) sum += mean;
    return sum;
  }

  double all_bytes() const {
    double sum = 0;
    for (std::size_t w = 0; w < workload_.size(); ++w)
      for (const auto& files : files_of(WorkId(w)))
        for (const FileId file : files) sum += workload_.files[file.index].size;
    return sum;
  }

  // The mean over the clusters' links that a platform declares.
  double mean_bandwidth() const {
    double sum = 0, links = 0;
    for (const Cluster& cluster : platform_.clusters()) {
      const Link& link = platform_[cluster.link];
      if (link.implied) continue;
      sum += long_run_mean(link.bandwidth);
      ++links;
    }
    return share(sum, links);
  }

  // Whether what the clusters' links can carry bounds the makespan.
  bool known_by_links() const {
    return std::ranges::all_of(platform_.clusters(), [&](const Cluster& cluster) {
      const Link& link = platform_[cluster.link];
      return !link.implied && link.sharing != Sharing::unlimited &&
             fastest_of(rates_.links[cluster.link.index]) < kNever;
    });
  }

  // Core-seconds by which each work was served. The computation that counts for a finished work is the last
  // one that ended.
  std::vector<double> served() const {
    std::vector<double> sums(workload_.size(), kNaN);
    for (const Execution& run : runs_.all)
      if (run.kind == ActivityKind::compute && run.how == RecordKind::ended)
        for (const ResourceId on : runs_.on(run))
          if (on.kind() == ResourceKind::host)
            sums[run.work.index] = times_.of(run, runs_.on(run), on.host()) * run.cores;
    return sums;
  }

  Finished finished_works(double fastest) const {
    Finished out;
    const std::vector<double> as_served = served();
    std::vector<std::uint8_t> counted(workload_.files.size(), 0);
    for (std::size_t w = 0; w < workload_.size(); ++w) {
      const Work& work = workload_.works[w];
      if (outcome_.works[w] != WorkState::finished) continue;
      out.done += as_served[w];
      const auto [shortest, core_seconds] = times_.least(WorkId(w));
      out.least += core_seconds;
      out.longest = std::max(out.longest, work.arrival + shortest / fastest);
      out.first = std::min(out.first, work.arrival);
      for (const auto& files : files_of(WorkId(w)))
        for (const FileId file : files)
          if (std::exchange(counted[file.index], 1) == 0) out.moved += workload_.files[file.index].size;
    }
    return out;
  }

  const Outcome& outcome_;
  const Executions& runs_;
  const Time makespan_;
  const Platform& platform_;
  const Workload& workload_;
  const ResourceRates rates_;
  const Times times_;
};

}  // namespace

TimeMeasures time_measures(const Outcome& outcome, const Executions& executions, Time makespan) {
  const Scenario& scenario = *outcome.scenario;
  TimeMeasures out{kNaN, kNaN, kNaN, kNaN};
  if (scenario.workload->size() == 0 || scenario.platform->hosts().empty() ||
      !std::ranges::all_of(scenario.workload->works, runs_once))
    return out;
  TimeOfWorks(outcome, executions, makespan).measure(out);
  return out;
}

void TransferFollower::add(const Execution& run, std::span<const UsedResource> on, const Workload& workload) {
  const bool well = run.how == RecordKind::ended;
  if (run.kind == ActivityKind::compute && well && run.work.valid()) {
    used_.resize(workload.files.size(), 0);
    for (const FileId file : workload.inputs(run.work)) used_[file.index] = 1;
  }
  if (!run.is_transfer() || run.kind == ActivityKind::dump || run.how == RecordKind::started) return;
  const double bytes = bytes_of(workload, run);
  if (!well) {
    ++sums_.aborted_transfers;
    sums_.aborted_bytes += bytes;
  } else if (run.kind == ActivityKind::transfer_out) {
    sums_.bytes_out += bytes;
  } else {
    sums_.bytes_in += bytes;
    if (run.kind != ActivityKind::transfer_in) return;
    files_in_ += bytes;
    sent_.emplace(run.file.index, on.back().at());
  }
}

TransferMeasures TransferFollower::measures(const Workload& workload) const {
  TransferMeasures out = sums_;
  double distinct = 0;
  for (std::size_t f = 0; f < used_.size(); ++f)
    if (used_[f] != 0) distinct += workload.files[f].size;
  out.redundancy = share(files_in_, distinct);
  std::vector<std::uint32_t> needed(workload.files.size(), 0);
  for (std::size_t w = workload.works.first(); w < workload.size(); ++w)
    for (const FileId file : workload.inputs(WorkId(w))) ++needed[file.index];
  out.sends = sent_.size();
  for (const auto& [file, gateway] : sent_) out.shared_sends += needed[file] > 1 ? 1 : 0;
  return out;
}

void PlanFollower::take(const Note& note) {
  if (grid::StealNote::read(note)) ++sums_.stolen;
  if (const auto measured = grid::DeviationNote::read(note)) {
    deviation_ += measured->deviation;
    ++deviations_;
  }
  const auto plan = grid::PlanNote::read(note);
  if (!plan) return;
  ++sums_.plans;
  placed_ += plan->tasks;
  if (plan->cause != grid::PlanCause::none) ++sums_.by_cause[static_cast<std::size_t>(plan->cause) - 1];
}

PlanMeasures PlanFollower::measures() const {
  PlanMeasures out = sums_;
  out.assignments = share(placed_, static_cast<double>(out.plans));
  out.deviation = share(deviation_, deviations_);
  return out;
}

Table plans(const Outcome& outcome) {
  Table table;
  table.columns = {"time", "cause", "tasks", "interval"};
  table.units = {"s", "", "works", "s"};
  for (const Note& note : outcome.trace.notes()) {
    const auto plan = grid::PlanNote::read(note);
    if (!plan) continue;
    Cell cause;
    if (plan->cause != grid::PlanCause::none)
      cause = std::string(grid::kPlanCauses[static_cast<std::size_t>(plan->cause) - 1]);
    table.rows.push_back({note.time, cause, plan->tasks, plan->interval});
  }
  return table;
}

Table deviations(const Outcome& outcome) {
  Table table;
  table.columns = {"time", "deviation", "interval", "margin"};
  table.units = {"s", "", "s", "s"};
  for (const Note& note : outcome.trace.notes())
    if (const auto measured = grid::DeviationNote::read(note))
      table.rows.push_back({note.time, measured->deviation, measured->interval, measured->margin});
  return table;
}

}  // namespace perigee::results
