#include "runtime/results/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "runtime/kernel/constants.h"
#include "runtime/results/executions.h"
#include "runtime/results/grid_measures.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/numbers.h"
#include "runtime/results/packages.h"
#include "runtime/results/resource_rows.h"
#include "runtime/results/subtasks.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/sample.h"

namespace perigee::results {
namespace {

double of(std::size_t count) { return static_cast<double>(count); }

// (sum x)^2 / (n sum x^2): Jain, Chiu, Hawe, DEC-TR-301, 1984.
double fairness_of(const std::vector<UserRow>& users) {
  double sum = 0, squares = 0, n = 0;
  for (const UserRow& user : users) {
    const double x = user.mean_bounded_slowdown;
    if (std::isnan(x)) continue;
    sum += x;
    squares += x * x;
    ++n;
  }
  return squares > 0 ? sum * sum / (n * squares) : kNaN;
}

}  // namespace

// The basis of the metrics; each part is worked out when it is first needed.
class Measurement {
 public:
  explicit Measurement(std::shared_ptr<const Outcome> outcome) : outcome_(std::move(outcome)) {}

  const Outcome& outcome() const { return *outcome_; }
  const Scenario& scenario() const { return *outcome().scenario; }
  TraceLevel level() const { return outcome().trace.level(); }

  // Counts of works, at `warmup` or later if the trace tells when.
  struct Counts {
    std::size_t arrived = 0, finished = 0, rejected = 0, expired = 0, missed = 0;
    std::size_t late = 0, refused = 0;  // of those arrived: not finished by their deadline; rejected
    std::size_t unfinished = 0, future = 0, queued = 0, executing = 0;
  };
  const Counts& counts() {
    return once(counts_, [&] { return count_works(); });
  }
  double miss_ratio() {
    return counts().arrived > counts().refused ? of(counts().late) / of(counts().arrived - counts().refused)
                                               : kNaN;
  }

  // The works that finished at `warmup` or later, by what the trace tells at level `work`.
  struct Finishes {
    Time last = kNaN;
    Totals response;
    std::vector<double> responses;
  };
  const Finishes& finishes() {
    return once(finishes_, [&] { return follow_works(); });
  }
  Time first() {
    return once(first_, [&] { return first_arrival(outcome()); });
  }
  Time from() { return std::max(first(), outcome().warmup); }
  Seconds span() { return outcome().end - from(); }
  Seconds total_time() { return std::isnan(finishes().last) ? 0 : finishes().last - first(); }
  double response_quantile(double p) {
    return finishes().responses.empty() ? kNaN : sample_quantile(finishes().responses, p);
  }
  // For a run that is over and had nothing to do, the mean is 0, as in IRMaSim. A window in which nothing
  // finished has no mean.
  double mean(const Totals& totals) const {
    if (totals.count > 0) return totals.mean();
    return outcome().warmup > 0 || outcome().status != RunStatus::complete ? kNaN : 0;
  }

  // The same works, by their activities.
  struct Works {
    Totals wait, scheduler_wait, queue_wait, quality, run, slowdown, bounded_slowdown, user_slowdown,
        relative_run;
    std::size_t zero_run = 0;
    double core_seconds = 0;
  };
  const Works& works() {
    return once(works_, [&] { return sum_up_works(); });
  }
  double fairness() { return fairness_of(user_rows(outcome(), jobs())); }
  double utilization_of_jobs() {
    return share(works().core_seconds,
                 (finishes().last - first()) * static_cast<double>(scenario().platform->total_cores()));
  }

  // Core-seconds of the hosts, and seconds of the declared links, from a given time to the end.
  struct Use {
    double busy = 0, held = 0, useful = 0, lost = 0, capacity = 0, up = 0, link_busy = 0;
    std::size_t links = 0;
  };
  const Use& use() {
    return once(use_, [&] { return use_from(from()); });
  }
  double utilization_of_system() {
    const Use all = use_from(0);
    return share(all.busy, all.up + up_after_end());
  }

  struct Activities {
    std::size_t lost = 0, cancelled = 0, superseded = 0, copies = 0;
    double bytes = 0;  // of transfers that ended well
    Seconds thinking = 0;
  };
  const Activities& activities() {
    return once(activities_, [&] { return count_activities(); });
  }

  // The measures below are of the whole run, whatever the warm-up.
  struct Hosts {
    std::size_t count = 0;
    Totals finish;
    Seconds useful = 0, duplicate = 0, redundant = 0, idle = 0;
  };
  const Hosts& hosts() {
    return once(hosts_, [&] { return sum_up_hosts(); });
  }
  std::size_t package_count() { return package_rows(outcome(), runs()).size(); }
  const GridMeasures& grid() {
    return once(grid_, [&] { return grid_measures(outcome(), runs(), finishes().last); });
  }
  const CriticalChain& chain() {
    return once(chain_, [&] { return critical_chain(outcome(), runs()); });
  }
  const PlanMeasures& plans() {
    return once(plans_, [&] { return plan_measures(outcome()); });
  }
  double plans_because(std::string_view cause) {
    const auto at = std::find(grid::kPlanCauses.begin(), grid::kPlanCauses.end(), cause);
    return of(plans().by_cause[static_cast<std::size_t>(at - grid::kPlanCauses.begin())]);
  }

 private:
  template <class Part, class Make>
  static const Part& once(std::optional<Part>& part, const Make& make) {
    if (!part) part = make();
    return *part;
  }

  const Executions& runs() {
    return once(runs_, [&] { return executions_if_kept(outcome()); });
  }
  const std::vector<JobRow>& jobs() {
    return once(jobs_, [&] { return job_rows(outcome(), runs()); });
  }

  Counts count_works() const;
  Finishes follow_works() const;
  Works sum_up_works();
  Use use_from(Time from);
  double up_after_end();
  Activities count_activities();
  Hosts sum_up_hosts();

  std::shared_ptr<const Outcome> outcome_;
  std::optional<Counts> counts_;
  std::optional<Finishes> finishes_;
  std::optional<Time> first_;
  std::optional<Executions> runs_;
  std::optional<std::vector<JobRow>> jobs_;
  std::optional<Works> works_;
  std::optional<Use> use_;
  std::optional<Activities> activities_;
  std::optional<Hosts> hosts_;
  std::optional<GridMeasures> grid_;
  std::optional<CriticalChain> chain_;
  std::optional<PlanMeasures> plans_;
};

Measurement::Counts Measurement::count_works() const {
  Counts n;
  const bool has_works = level() != TraceLevel::none;
  const Trace& trace = outcome().trace;
  const auto deadline_of = [&](std::size_t work) { return scenario().workload->works[work].deadline; };
  std::vector<std::uint8_t> counted(outcome().works.size(), has_works ? 0 : 1);  // those arrived
  if (has_works) {
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (trace[i].time < outcome().warmup) continue;
      const std::size_t of_arrived = trace[i].work.valid() ? counted[trace[i].work.index] : 0;
      switch (trace[i].kind) {
        case RecordKind::arrived:
          ++n.arrived;
          counted[trace[i].work.index] = 1;
          break;
        case RecordKind::finished:
          ++n.finished;
          break;
        case RecordKind::rejected:
          ++n.rejected;
          n.refused += of_arrived;
          break;
        case RecordKind::expired:
          ++n.expired;
          if (deadline_of(trace[i].work.index) < kNever) n.late += of_arrived;
          break;
        case RecordKind::missed:
          ++n.missed;
          n.late += of_arrived;
          break;
        default:
          break;
      }
    }
  }
  const std::vector<WorkState>& states = outcome().works;
  for (std::size_t w = 0; w < states.size(); ++w)
    if (states[w] != WorkState::future && states[w] < WorkState::finished && counted[w] != 0 &&
        outcome().end > deadline_of(w) + kEps * std::max(1.0, deadline_of(w)))
      ++n.late;
  for (const WorkState state : states) {
    if (state < WorkState::finished) ++n.unfinished;
    if (state == WorkState::future) ++n.future;
    if (state == WorkState::waiting || state == WorkState::rejected) ++n.queued;
    if (state == WorkState::running || state == WorkState::computed) ++n.executing;
    if (has_works) continue;
    if (state != WorkState::future) ++n.arrived;
    if (state == WorkState::finished) ++n.finished;
    if (state == WorkState::rejected) ++n.rejected, ++n.refused;
    if (state == WorkState::expired) ++n.expired;
  }
  return n;
}

Measurement::Finishes Measurement::follow_works() const {
  const std::vector<Work>& works = scenario().workload->works;
  const Trace& trace = outcome().trace;
  std::vector<Time> arrival(works.size()), finish(works.size(), kNaN);
  for (std::size_t w = 0; w < works.size(); ++w) arrival[w] = works[w].arrival;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    if (record.work.index >= works.size()) continue;
    if (record.kind == RecordKind::arrived) arrival[record.work.index] = record.time;
    if (record.kind == RecordKind::finished) finish[record.work.index] = record.time;
  }
  Finishes all;
  for (std::size_t w = 0; w < works.size(); ++w) {
    if (std::isnan(finish[w]) || finish[w] < outcome().warmup) continue;
    all.last = std::isnan(all.last) ? finish[w] : std::max(all.last, finish[w]);
    all.responses.push_back(finish[w] - arrival[w]);
    all.response.add(all.responses.back());
  }
  return all;
}

Measurement::Works Measurement::sum_up_works() {
  Works all;
  for (const JobRow& row : jobs()) {
    if (std::isnan(row.finish) || row.finish < outcome().warmup) continue;
    all.wait.add(row.wait);
    all.scheduler_wait.add(row.scheduler_wait);
    all.queue_wait.add(row.queue_wait);
    all.quality.add(row.quality);
    all.run.add(row.run);
    if (row.run == 0) ++all.zero_run;
    if (row.run > 0) all.core_seconds += row.run * row.cores;
    all.slowdown.add(row.slowdown);
    all.bounded_slowdown.add(row.bounded_slowdown);
    if (!(row.requested > 0)) continue;
    all.user_slowdown.add(row.response / row.requested);
    all.relative_run.add(row.run / row.requested);
  }
  return all;
}

Measurement::Use Measurement::use_from(Time from) {
  Use all;
  const Seconds span = outcome().end - from;
  for (const ResourceRow& row : resource_rows(outcome(), runs(), from)) {
    if (row.id.kind() == ResourceKind::link) {
      ++all.links;
      all.link_busy += row.busy;
      continue;
    }
    const double cores = (*scenario().platform)[row.id.host()].cores;
    all.busy += row.busy;
    all.held += row.held;
    all.useful += row.useful;
    all.lost += row.lost;
    all.capacity += cores * std::max(span, 0.0);
    all.up += cores * std::max(span - row.down, 0.0);
  }
  return all;
}

// Core-seconds from the end of the run to its later horizon; each host stays as it was.
double Measurement::up_after_end() {
  const Seconds rest = outcome().horizon - outcome().end;
  if (outcome().status == RunStatus::running || !(rest > 0 && rest < kNever)) return 0;
  const Absences away = absences(outcome());
  double cores = 0;
  for (std::size_t h = 0; h < away.hosts.size(); ++h)
    if (away.hosts[h].empty() || away.hosts[h].back().came_back)
      cores += (*scenario().platform)[HostId(h)].cores;
  return rest * cores;
}

Measurement::Activities Measurement::count_activities() {
  Activities all;
  for (const Execution& run : runs().all) {
    if (run.kind == ActivityKind::think)
      all.thinking += overlap(run.started, run.ended, from(), outcome().end);
    if (run.ended < from()) continue;
    if (run.how == RecordKind::lost) ++all.lost;
    if (run.how == RecordKind::cancelled) ++all.cancelled;
    if (run.how == RecordKind::superseded) ++all.superseded;
    if (run.copy) ++all.copies;
    if (run.how == RecordKind::ended) all.bytes += bytes_of(outcome(), run);
  }
  return all;
}

Measurement::Hosts Measurement::sum_up_hosts() {
  Hosts all;
  for (const HostRow& row : host_rows(outcome(), runs())) {
    ++all.count;
    all.finish.add(row.last_finish);
    all.useful += row.useful;
    all.duplicate += row.duplicate;
    all.redundant += row.redundant;
    all.idle += row.idle;
  }
  return all;
}

namespace {

using M = Measurement&;
using enum Better;
using enum TraceLevel;

struct Definition {
  MetricInfo info;
  TraceLevel needs;
  double (*value)(M);
};
constexpr auto kDefinitions = std::to_array<Definition>({
    {{"makespan", "s", "time of the last finish", lower}, work, [](M m) { return m.finishes().last; }},
    {{"total_time", "s", "last finish - first arrival", lower}, work, [](M m) { return m.total_time(); }},
    {{"arrived", "works", "works submitted"}, none, [](M m) { return of(m.counts().arrived); }},
    {{"finished", "works", "works finished", higher}, none, [](M m) { return of(m.counts().finished); }},
    {{"rejected", "works", "works rejected", lower}, none, [](M m) { return of(m.counts().rejected); }},
    {{"expired", "works", "works given up after they were submitted", lower},
     none,
     [](M m) { return of(m.counts().expired); }},
    {{"unfinished", "works", "works submitted or to come that are not settled at the end", lower},
     none,
     [](M m) { return of(m.counts().unfinished); }},
    {{"future", "works", "works that have not arrived at the end", lower},
     none,
     [](M m) { return of(m.counts().future); }},
    {{"queued", "works", "works that have arrived and do not run at the end, those rejected among them",
      lower},
     none,
     [](M m) { return of(m.counts().queued); }},
    {{"executing", "works", "works that run at the end"}, none, [](M m) { return of(m.counts().executing); }},
    {{"zero_run", "works", "works finished that took no time, and have no slowdown"},
     full,
     [](M m) { return of(m.works().zero_run); }},
    {{"missed", "works", "works finished after their deadline", lower},
     work,
     [](M m) { return of(m.counts().missed); }},
    {{"reject_ratio", "", "rejected / arrived, of the works that arrived at the warm-up or later", lower},
     none,
     [](M m) { return share(of(m.counts().refused), of(m.counts().arrived)); }},
    {{"miss_ratio", "",
      "works not finished by their deadline / (arrived - rejected), of those that arrived at the warm-up or "
      "later",
      lower},
     work,
     [](M m) { return m.miss_ratio(); }},
    {{"total_wait", "s", "start - arrival, sum over finished works", lower},
     full,
     [](M m) { return m.works().wait.sum; }},
    {{"mean_wait", "s", "start - arrival, mean over finished works", lower},
     full,
     [](M m) { return m.mean(m.works().wait); }},
    {{"min_wait", "s", "start - arrival, smallest", lower}, full, [](M m) { return m.works().wait.least; }},
    {{"max_wait", "s", "start - arrival, largest", lower}, full, [](M m) { return m.works().wait.most; }},
    {{"mean_scheduler_wait", "s", "wait until the scheduler took it up, mean over finished works", lower},
     full,
     [](M m) { return m.mean(m.works().scheduler_wait); }},
    {{"max_scheduler_wait", "s", "wait until the scheduler took it up, largest", lower},
     full,
     [](M m) { return m.works().scheduler_wait.most; }},
    {{"mean_queue_wait", "s", "start - release, wait in the queue of its host, mean over finished works",
      lower},
     full,
     [](M m) { return m.mean(m.works().queue_wait); }},
    {{"max_queue_wait", "s", "start - release, largest", lower},
     full,
     [](M m) { return m.works().queue_wait.most; }},
    {{"total_run", "s", "finish - start, sum over finished works"},
     full,
     [](M m) { return m.works().run.sum; }},
    {{"mean_run", "s", "finish - start, mean over finished works"},
     full,
     [](M m) { return m.mean(m.works().run); }},
    {{"min_run", "s", "finish - start, smallest"}, full, [](M m) { return m.works().run.least; }},
    {{"max_run", "s", "finish - start, largest"}, full, [](M m) { return m.works().run.most; }},
    {{"mean_response", "s", "finish - arrival, mean over finished works", lower},
     work,
     [](M m) { return m.mean(m.finishes().response); }},
    {{"min_response", "s", "finish - arrival, smallest", lower},
     work,
     [](M m) { return m.finishes().response.least; }},
    {{"max_response", "s", "finish - arrival, largest", lower},
     work,
     [](M m) { return m.finishes().response.most; }},
    {{"median_response", "s", "finish - arrival, median over finished works", lower},
     work,
     [](M m) { return m.response_quantile(0.5); }},
    {{"p95_response", "s", "finish - arrival, which 95 % of the finished works do not exceed", lower},
     work,
     [](M m) { return m.response_quantile(0.95); }},
    {{"total_slowdown", "", "response / (finish - start), sum over finished works that took time", lower},
     full,
     [](M m) { return m.works().slowdown.sum; }},
    {{"mean_slowdown", "", "response / (finish - start), mean over finished works that took time", lower},
     full,
     [](M m) { return m.mean(m.works().slowdown); }},
    {{"min_slowdown", "", "response / (finish - start), smallest", lower},
     full,
     [](M m) { return m.works().slowdown.least; }},
    {{"max_slowdown", "", "response / (finish - start), largest", lower},
     full,
     [](M m) { return m.works().slowdown.most; }},
    {{"total_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), sum over finished works",
      lower},
     full,
     [](M m) { return m.works().bounded_slowdown.sum; }},
    {{"mean_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), mean over finished works",
      lower},
     full,
     [](M m) { return m.mean(m.works().bounded_slowdown); }},
    {{"min_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), smallest", lower},
     full,
     [](M m) { return m.works().bounded_slowdown.least; }},
    {{"max_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), largest", lower},
     full,
     [](M m) { return m.works().bounded_slowdown.most; }},
    {{"total_user_slowdown", "", "response / requested time, sum over finished works", lower},
     full,
     [](M m) { return m.works().user_slowdown.sum; }},
    {{"mean_user_slowdown", "", "response / requested time, mean over finished works", lower},
     full,
     [](M m) { return m.mean(m.works().user_slowdown); }},
    {{"min_user_slowdown", "", "response / requested time, smallest", lower},
     full,
     [](M m) { return m.works().user_slowdown.least; }},
    {{"max_user_slowdown", "", "response / requested time, largest", lower},
     full,
     [](M m) { return m.works().user_slowdown.most; }},
    {{"total_relative_run", "", "(finish - start) / requested time, sum over finished works"},
     full,
     [](M m) { return m.works().relative_run.sum; }},
    {{"mean_relative_run", "", "(finish - start) / requested time, mean over finished works"},
     full,
     [](M m) { return m.mean(m.works().relative_run); }},
    {{"min_relative_run", "", "(finish - start) / requested time, smallest"},
     full,
     [](M m) { return m.works().relative_run.least; }},
    {{"max_relative_run", "", "(finish - start) / requested time, largest"},
     full,
     [](M m) { return m.works().relative_run.most; }},
    {{"mean_quality", "", "stated quality of service on the host that served it, mean over finished works"},
     full,
     [](M m) { return m.works().quality.mean(); }},
    {{"fairness", "",
      "Jain's index of the users' mean bounded slowdowns: 1 = all alike, 1 / users = one has all", higher},
     full,
     [](M m) { return m.fairness(); }},
    {{"flowtime", "s", "sum of finish - arrival", lower},
     work,
     [](M m) { return m.finishes().response.sum; }},
    {{"throughput", "1/s", "works finished per second from the first arrival to the end", higher},
     work,
     [](M m) { return share(of(m.counts().finished), m.span()); }},
    {{"utilization", "", "the same as utilization.busy: time away is unused, what was lost is used", higher},
     full,
     [](M m) { return share(m.use().busy, m.use().capacity); }},
    {{"utilization.busy", "", "core-seconds computing or receiving / core-seconds of all cores", higher},
     full,
     [](M m) { return share(m.use().busy, m.use().capacity); }},
    {{"utilization.held", "", "core-seconds busy or kept by holds / core-seconds of all cores", higher},
     full,
     [](M m) { return share(m.use().held, m.use().capacity); }},
    {{"utilization.useful", "", "core-seconds of activities that ended well / core-seconds of all cores",
      higher},
     full,
     [](M m) { return share(m.use().useful, m.use().capacity); }},
    {{"utilization.up", "", "core-seconds busy / core-seconds of cores that are up", higher},
     full,
     [](M m) { return share(m.use().busy, m.use().up); }},
    {{"utilization.system", "",
      "core-seconds busy / core-seconds of cores that are up, from time 0 to the horizon, or to the end "
      "without one, whatever the warm-up; from the end of the run to the horizon each host stays as it was",
      higher},
     full,
     [](M m) { return m.utilization_of_system(); }},
    {{"utilization.jobs", "", "(finish - start) * cores, sum over finished works / (total_time * all cores)",
      higher},
     full,
     [](M m) { return m.utilization_of_jobs(); }},
    {{"scheduler_utilization", "", "time that the scheduler thinks / time"},
     full,
     [](M m) { return share(m.activities().thinking, m.span()); }},
    {{"busy_time", "s", "core-seconds computing, receiving or reserved"},
     full,
     [](M m) { return m.use().busy; }},
    {{"lost_time", "s", "core-seconds of activities lost, cancelled or superseded", lower},
     full,
     [](M m) { return m.use().lost; }},
    {{"lost", "activities", "activities lost to failures", lower},
     full,
     [](M m) { return of(m.activities().lost); }},
    {{"cancelled", "activities", "activities cancelled", lower},
     full,
     [](M m) { return of(m.activities().cancelled); }},
    {{"superseded", "activities", "copies and originals that another one made pointless", lower},
     full,
     [](M m) { return of(m.activities().superseded); }},
    {{"copies", "activities", "computations started again beside their original"},
     full,
     [](M m) { return of(m.activities().copies); }},
    {{"bytes_moved", "B", "bytes of the transfers that ended well"},
     full,
     [](M m) { return m.activities().bytes; }},
    {{"link_utilization", "", "time with a transfer / time, mean over the declared links"},
     full,
     [](M m) { return share(m.use().link_busy, of(m.use().links) * m.span()); }},
    {{"package_count", "activities", "packages of sweeps that were given to hosts, copies included"},
     full,
     [](M m) { return of(m.package_count()); }},
    {{"duplicate_time", "s", "of copies, sum over the hosts", lower},
     full,
     [](M m) { return m.hosts().duplicate; }},
    {{"redundant_time", "s", "of originals that a copy made pointless, sum over the hosts", lower},
     full,
     [](M m) { return m.hosts().redundant; }},
    {{"idle_time", "s", "of hosts that compute nothing up to the makespan, sum over the hosts", lower},
     full,
     [](M m) { return m.hosts().idle; }},
    {{"finish_spread", "s", "last finish of the last host - that of the first, of those that had work",
      lower},
     full,
     [](M m) { return m.hosts().finish.most - m.hosts().finish.least; }},
    {{"utilization.hosts", "", "time of computations that ended well, copies aside / (hosts * makespan)",
      higher},
     full,
     [](M m) { return share(m.hosts().useful, of(m.hosts().count) * m.finishes().last); }},
    {{"ideal_time", "s", "all sweeps on all hosts at nominal speed, if runs were divisible at will"},
     full,
     [](M m) { return ideal_time(m.scenario()); }},
    {{"efficiency", "", "ideal_time / makespan", higher},
     full,
     [](M m) { return share(ideal_time(m.scenario()), m.finishes().last); }},
    {{"efficiency.available", "",
      "core-seconds of dedicated hosts that the finished tasks took / those that hosts had up to the "
      "makespan",
      higher},
     full,
     [](M m) { return m.grid().efficiency; }},
    {{"lower_bound", "s",
      "no schedule of what finished ends before, on hosts and links as they came, went and changed"},
     full,
     [](M m) { return m.grid().lower_bound; }},
    {{"bound_ratio", "", "makespan / lower_bound", lower}, full, [](M m) { return m.grid().bound_ratio; }},
    {{"estimate_error", "",
      "mean of |estimate when it began - what it took| / what it took, of computations and transfers that "
      "ended well; none with perfect information",
      lower},
     full,
     [](M m) { return m.outcome().estimate_error; }},
    {{"computation_ratio", "",
      "run times of all works / time to move the files of each, one by one, at the mean bandwidth"},
     full,
     [](M m) { return m.grid().computation_ratio; }},
    {{"chain.computation", "s", "computations on the critical chain"},
     full,
     [](M m) { return m.chain().computation; }},
    {{"chain.transfer", "s", "transfers on the critical chain"},
     full,
     [](M m) { return m.chain().transfer; }},
    {{"chain.waiting", "s", "time up to the makespan in which nothing of the critical chain went on"},
     full,
     [](M m) { return m.chain().waiting; }},
    {{"bytes_in", "B", "bytes of the transfers to clusters that ended well, chunks among them", lower},
     full,
     [](M m) { return m.grid().bytes_in; }},
    {{"bytes_out", "B", "bytes of the transfers to the origin that ended well"},
     full,
     [](M m) { return m.grid().bytes_out; }},
    {{"redundancy", "", "bytes of files sent to clusters / bytes of the distinct inputs of what was computed",
      lower},
     full,
     [](M m) { return m.grid().redundancy; }},
    {{"sends", "files", "distinct input files that a cluster was sent, sum over the clusters", lower},
     full,
     [](M m) { return of(m.grid().sends); }},
    {{"shared_sends", "files", "the same of files that several works need", lower},
     full,
     [](M m) { return of(m.grid().shared_sends); }},
    {{"aborted_transfers", "activities", "transfers lost, cancelled or superseded", lower},
     full,
     [](M m) { return of(m.grid().aborted_transfers); }},
    {{"aborted_bytes", "B", "bytes that these were to move", lower},
     full,
     [](M m) { return m.grid().aborted_bytes; }},
    {{"plan_count", "plans", "plans made"}, full, [](M m) { return of(m.plans().plans); }},
    {{"plan_count.timer", "plans", "plans made because it was time"},
     full,
     [](M m) { return m.plans_because("timer"); }},
    {{"plan_count.idle", "plans", "plans made because a host was idle"},
     full,
     [](M m) { return m.plans_because("idle"); }},
    {{"plan_count.add", "plans", "plans made because hosts came"},
     full,
     [](M m) { return m.plans_because("add"); }},
    {{"plan_count.remove", "plans", "plans made because hosts went"},
     full,
     [](M m) { return m.plans_because("remove"); }},
    {{"plan_count.arrival", "plans", "plans made because tasks arrived"},
     full,
     [](M m) { return m.plans_because("arrival"); }},
    {{"plan_count.starved", "plans", "plans made because nothing moved"},
     full,
     [](M m) { return m.plans_because("starved"); }},
    {{"assignments_per_plan", "works/plan", "tasks placed, mean over the plans"},
     full,
     [](M m) { return m.plans().assignments; }},
    {{"mean_deviation", "", "share of what a plan predicted that was not so, mean of what was noted", lower},
     full,
     [](M m) { return m.plans().deviation; }},
    {{"stolen", "works", "tasks that a host took from the queue of another"},
     full,
     [](M m) { return of(m.plans().stolen); }},
});

constexpr auto kInfos = [] {
  std::array<MetricInfo, kDefinitions.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kDefinitions[i].info;
  return all;
}();

bool has(const Measurement& m, const Definition& metric) { return m.level() >= metric.needs; }

const Definition& definition(std::string_view name) {
  return kDefinitions[static_cast<std::size_t>(&metric_info(name) - kInfos.data())];
}

}  // namespace

std::span<const MetricInfo> metric_infos() { return kInfos; }

const MetricInfo& metric_info(std::string_view name) {
  const auto found =
      std::find_if(kInfos.begin(), kInfos.end(), [&](const MetricInfo& i) { return i.name == name; });
  if (found != kInfos.end()) return *found;
  std::vector<std::string> names;
  names.reserve(kInfos.size());
  for (const MetricInfo& info : kInfos) names.emplace_back(info.name);
  fail("unknown_metric", "unknown metric '{}'{}", name, did_you_mean(name, names));
}

Metrics::Metrics(std::shared_ptr<const Outcome> outcome)
    : of_(std::make_shared<Measurement>(std::move(outcome))) {}

bool Metrics::has(std::string_view name) const { return results::has(*of_, definition(name)); }

double Metrics::operator[](std::string_view name) const {
  const Definition& metric = definition(name);
  return results::has(*of_, metric) ? metric.value(*of_) : kNaN;
}

std::vector<Metric> Metrics::all() const {
  std::vector<Metric> all;
  all.reserve(kDefinitions.size());
  for (const Definition& metric : kDefinitions)
    if (results::has(*of_, metric)) all.push_back({metric.info, metric.value(*of_)});
  return all;
}

Metrics measure(const Outcome& outcome) { return Metrics(std::make_shared<const Outcome>(outcome)); }

}  // namespace perigee::results
