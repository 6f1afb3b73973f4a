#include "runtime/results/metrics.h"

#include <algorithm>
#include <array>

#include "runtime/kernel/constants.h"
#include "runtime/results/measurement.h"

namespace perigee::results {
namespace {

double of(std::size_t count) { return static_cast<double>(count); }

constexpr double kJoulesOfKwh = 3.6e6;

using M = Measurement&;

double checkpoint_overhead(M m) {
  const double written_and_read = m.core_time(CorePart::dump) + m.core_time(CorePart::restart);
  return share(written_and_read, written_and_read + m.core_time(CorePart::useful));
}
using enum Better;

// A run without trace has the final states of its works at least. Accounts that it kept tell of all the rest
// but what only a trace tells, and now and then what hosts held and how they spent their time.
// A scenario without workflows has nothing to measure of them.
enum class Needs : std::uint8_t { none, work, full, held_time, host_times, trace, workflows };
using enum Needs;

struct Definition {
  MetricInfo info;
  Needs needs;
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
    {{"killed", "works", "jobs ended at their limit; they count in waits, responses and slowdowns", lower},
     none,
     [](M m) { return of(m.counts().killed); }},
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
      "works not finished by their deadline / (arrived - "
      "rejected), of those that arrived at the warm-up or later",
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
     trace,
     [](M m) { return m.mean(m.scheduler_wait()); }},
    {{"max_scheduler_wait", "s", "wait until the scheduler took it up, largest", lower},
     trace,
     [](M m) { return m.scheduler_wait().most; }},
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
     held_time,
     [](M m) { return share(m.held(), m.use().capacity); }},
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
    {{"utilization.jobs", "", "core-seconds of what served the finished works / (total_time * all cores)",
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
    {{"core_time.useful", "s", "core-seconds held by jobs and tasks for what ended well or still goes on"},
     full,
     [](M m) { return m.core_time(CorePart::useful); }},
    {{"core_time.setup", "s", "core-seconds that these attempts were set up in", lower},
     full,
     [](M m) { return m.core_time(CorePart::setup); }},
    {{"core_time.restart", "s", "core-seconds that attempts of jobs read their last dump in", lower},
     full,
     [](M m) { return m.core_time(CorePart::restart); }},
    {{"core_time.dump", "s", "core-seconds that jobs wrote dumps in which were whole", lower},
     full,
     [](M m) { return m.core_time(CorePart::dump); }},
    {{"checkpoint_overhead", "", "core_time of dump and restart / that and useful", lower},
     full,
     [](M m) { return checkpoint_overhead(m); }},
    {{"core_time.standing", "s",
      "core-seconds that these attempts stood still in, a host of theirs being away", lower},
     full,
     [](M m) { return m.core_time(CorePart::standing); }},
    {{"core_time.lost", "s",
      "core-seconds held by attempts of jobs and tasks that were lost, begun anew, cancelled or superseded",
      lower},
     full,
     [](M m) { return m.core_time(CorePart::lost); }},
    {{"core_time.killed", "s", "core-seconds held by attempts of jobs that ended at their limit", lower},
     full,
     [](M m) { return m.core_time(CorePart::killed); }},
    {{"energy", "J",
      "of the hosts and links that declare their power, from the warm-up to the end of the run", lower},
     full,
     [](M m) { return m.energy(); }},
    {{"energy.kwh", "kWh", "the same in kWh", lower}, full, [](M m) { return m.energy() / kJoulesOfKwh; }},
    {{"energy.busy", "J", "of hosts that compute", lower},
     full,
     [](M m) { return m.energy(EnergyPart::busy); }},
    {{"energy.idle", "J", "of hosts that are on and do not compute", lower},
     full,
     [](M m) { return m.energy(EnergyPart::idle); }},
    {{"energy.transition", "J", "of hosts that boot or shut down", lower},
     full,
     [](M m) { return m.energy(EnergyPart::transition); }},
    {{"energy.off", "J", "of hosts that are switched off", lower},
     full,
     [](M m) { return m.energy(EnergyPart::off); }},
    {{"energy.down", "J", "of hosts that an outage keeps away", lower},
     full,
     [](M m) { return m.energy(EnergyPart::down); }},
    {{"energy.links", "J", "of links", lower}, full, [](M m) { return m.energy(EnergyPart::links); }},
    {{"energy.jobs", "J", "of the cores that a work had busy, mean over finished works", lower},
     full,
     [](M m) { return m.meter().measures() ? m.mean(m.meter().works()) : kNaN; }},
    {{"mean_power", "W", "energy / time that it is counted in", lower},
     full,
     [](M m) { return share(m.energy(), m.meter().span()); }},
    {{"peak_power", "W", "the most that all drew at a time", lower},
     full,
     [](M m) { return m.meter().measures() ? m.meter().peak() : kNaN; }},
    {{"energy_delay", "J s", "energy * makespan", lower},
     full,
     [](M m) { return m.energy() * m.finishes().last; }},
    {{"boots", "boots", "of hosts, begun before the end", lower},
     full,
     [](M m) { return m.meter().measures() ? of(m.meter().boots()) : kNaN; }},
    {{"shutdowns", "shutdowns", "of hosts, begun before the end", lower},
     full,
     [](M m) { return m.meter().measures() ? of(m.meter().shutdowns()) : kNaN; }},
    {{"waste", "", "all of core_time but useful / all of core_time", lower},
     full,
     [](M m) { return m.waste(); }},
    {{"lost_capacity", "",
      "integral of the lesser of idle cores and cores that waiting jobs and tasks ask for / core-seconds of cores "
      "that are up",
      lower},
     trace,
     [](M m) { return share(m.idle_capacity().lost, m.use().up); }},
    {{"fragmentation", "",
      "the same, only while the first in line asks for no more cores than are idle, and waits", lower},
     trace,
     [](M m) { return share(m.idle_capacity().fragmented, m.use().up); }},
    {{"preempted", "activities", "attempts that a policy suspended, or had wait again", lower},
     full,
     [](M m) { return of(m.activities().preempted); }},
    {{"requeued", "works", "jobs had to wait again, by the policy or at their limit", lower},
     work,
     [](M m) { return of(m.counts().requeued); }},
    {{"suspended_time", "s", "sum over all attempts of the time that they were suspended", lower},
     full,
     [](M m) { return m.activities().suspended; }},
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
     [](M m) { return of(m.activities().packages); }},
    {{"duplicate_time", "s", "of copies, sum over the hosts", lower},
     host_times,
     [](M m) { return m.hosts().duplicate; }},
    {{"redundant_time", "s", "of originals that a copy made pointless, sum over the hosts", lower},
     host_times,
     [](M m) { return m.hosts().redundant; }},
    {{"idle_time", "s", "of hosts that compute nothing up to the makespan, sum over the hosts", lower},
     host_times,
     [](M m) { return m.hosts().idle; }},
    {{"finish_spread", "s", "last finish of the last host - that of the first, of those that had work",
      lower},
     full,
     [](M m) { return m.hosts().finish.most - m.hosts().finish.least; }},
    {{"utilization.hosts", "",
      "time of computations that ended well, copies aside / (hosts * makespan, or end of a run cut before)",
      higher},
     host_times,
     [](M m) { return m.utilization_of_hosts(); }},
    {{"ideal_time", "s", "all sweeps on all hosts at nominal speed, if runs were divisible at will"},
     full,
     [](M m) { return ideal_time(m.scenario()); }},
    {{"efficiency", "", "ideal_time / makespan; none unless all finished", higher},
     full,
     [](M m) { return m.efficiency(); }},
    {{"efficiency.available", "",
      "core-seconds of dedicated hosts that the finished "
      "tasks took / those that hosts had up to the makespan",
      higher},
     trace,
     [](M m) { return m.times().efficiency; }},
    {{"lower_bound", "s",
      "no schedule of what finished ends before, on hosts and links as they came, went and changed"},
     trace,
     [](M m) { return m.times().lower_bound; }},
    {{"bound_ratio", "", "makespan / lower_bound", lower}, trace, [](M m) { return m.times().bound_ratio; }},
    {{"estimate_error", "",
      "mean of |estimate when it began - what it took| / what it took, of computations and transfers that "
      "ended well; none with perfect information",
      lower},
     full,
     [](M m) { return m.outcome().estimate_error; }},
    {{"computation_ratio", "",
      "run times of all works / time to move the files of each, one by one, at the mean bandwidth"},
     trace,
     [](M m) { return m.times().computation_ratio; }},
    {{"chain.computation", "s", "computations on the critical chain"},
     trace,
     [](M m) { return m.chain().computation; }},
    {{"chain.transfer", "s", "transfers on the critical chain"},
     trace,
     [](M m) { return m.chain().transfer; }},
    {{"chain.waiting", "s", "time up to the makespan in which nothing of the critical chain went on"},
     trace,
     [](M m) { return m.chain().waiting; }},
    {{"bytes_in", "B", "bytes of the transfers to clusters that ended well, chunks among them", lower},
     full,
     [](M m) { return m.transfers().bytes_in; }},
    {{"bytes_out", "B", "bytes of the transfers to the origin that ended well"},
     full,
     [](M m) { return m.transfers().bytes_out; }},
    {{"redundancy", "", "bytes of files sent to clusters / bytes of the distinct inputs of what was computed",
      lower},
     full,
     [](M m) { return m.transfers().redundancy; }},
    {{"sends", "files", "distinct input files that a cluster was sent, sum over the clusters", lower},
     full,
     [](M m) { return of(m.transfers().sends); }},
    {{"shared_sends", "files", "the same of files that several works need", lower},
     full,
     [](M m) { return of(m.transfers().shared_sends); }},
    {{"aborted_transfers", "activities", "transfers lost, cancelled or superseded", lower},
     full,
     [](M m) { return of(m.transfers().aborted_transfers); }},
    {{"aborted_bytes", "B", "bytes that these were to move", lower},
     full,
     [](M m) { return m.transfers().aborted_bytes; }},
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
    {{"mean_workflow_response", "s", "finish - arrival of workflows, mean over those that finished", lower},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::response); }},
    {{"slr", "", "response / longest path by least times, mean over workflows (schedule length ratio)",
      lower},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::slr); }},
    {{"speedup", "", "time of all tasks on the one best host / response, mean over workflows", higher},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::speedup); }},
    {{"workflow_efficiency", "", "speedup / cores, mean over workflows", higher},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::efficiency); }},
    {{"critical_path_bound", "s",
      "max(longest path by least times, least times of all tasks / cores), mean over workflows"},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::bound); }},
    {{"workflow_bound_ratio", "", "response / critical_path_bound, mean over workflows", lower},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::bound_ratio); }},
    {{"mean_slack", "s", "how much later a task could have begun, mean over tasks, then over workflows"},
     workflows,
     [](M m) { return m.mean_over_workflows(&WorkflowRow::mean_slack); }},
    {{"bytes_between", "B", "bytes that tasks of workflows made and that went from cluster to cluster",
      lower},
     workflows,
     [](M m) { return m.sum_over_workflows(&WorkflowRow::bytes); }},
    {{"transfers_between", "activities", "transfers of these that ended well", lower},
     workflows,
     [](M m) { return m.sum_over_workflows(&WorkflowRow::transfers); }},
    {{"recomputed", "works", "tasks given back because their outputs were out of reach", lower},
     workflows,
     [](M m) { return m.sum_over_workflows(&WorkflowRow::recomputed); }},
    {{"recovered", "works", "tasks given back and spared, because their outputs came back"},
     workflows,
     [](M m) { return m.sum_over_workflows(&WorkflowRow::recovered); }},
    {{"workflows_finished", "workflows", "workflows of which all tasks finished", higher},
     workflows,
     [](M m) {
       return of(static_cast<std::size_t>(std::ranges::count_if(
           m.workflows(), [](const WorkflowRow& row) { return row.finished == row.tasks; })));
     }},
    {{"workflows_missed", "workflows", "workflows that did not finish by their deadline", lower},
     workflows,
     [](M m) { return m.sum_over_workflows(&WorkflowRow::missed); }},
});

constexpr auto kInfos = [] {
  std::array<MetricInfo, kDefinitions.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kDefinitions[i].info;
  return all;
}();

bool has(Measurement& m, const Definition& metric) {
  if (metric.needs == trace) return m.has_trace();
  if (metric.needs == workflows) return m.has_trace() && !m.scenario().workload->workflows.empty();
  if (m.depth() != TraceLevel::full) return static_cast<int>(m.depth()) >= static_cast<int>(metric.needs);
  return metric.needs == held_time ? m.knows_held() : metric.needs != host_times || m.knows_hosts();
}

const Definition* find_definition(std::string_view name) {
  const auto found = std::ranges::find(kDefinitions, name, [](const Definition& d) { return d.info.name; });
  return found != kDefinitions.end() ? &*found : nullptr;
}

const Definition& definition(std::string_view name) {
  if (const Definition* found = find_definition(name); found != nullptr) return *found;
  std::vector<std::string> names;
  names.reserve(kInfos.size());
  for (const MetricInfo& info : kInfos) names.emplace_back(info.name);
  fail("unknown_metric", "unknown metric '{}'{}", name, did_you_mean(name, names));
}

}  // namespace

std::span<const MetricInfo> metric_infos() { return kInfos; }

MetricInfo metric_info(std::string_view name) {
  if (const GroupMetric group = group_metric(name); group.of != GroupMetric::Of::none)
    return {name, "",
            group.of == GroupMetric::Of::queue
                ? "core-seconds that its jobs were busy / core-seconds of all cores"
                : "core-seconds that the user's jobs and tasks were busy / core-seconds of all cores"};
  return definition(name).info;
}

bool is_metric(std::string_view name) {
  return group_metric(name).of != GroupMetric::Of::none || find_definition(name) != nullptr;
}

Metrics::Metrics(std::shared_ptr<const Outcome> outcome)
    : of_(std::make_shared<Measurement>(std::move(outcome))) {}

bool Metrics::has(std::string_view name) const {
  if (group_metric(name).of != GroupMetric::Of::none) return of_->depth() == TraceLevel::full;
  return results::has(*of_, definition(name));
}

double Metrics::operator[](std::string_view name) const {
  if (const GroupMetric group = group_metric(name); group.of != GroupMetric::Of::none)
    return has(name) ? of_->utilization_of(group) : kNaN;
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
